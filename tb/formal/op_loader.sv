// OpLoader: a slot is given out only when nobody has it, and comes back once; so does an op number. What the CDMA has fetched goes to the packet engine as the
// operation whose slot it is, what it has not fails in the op table; each that was sent is closed once, after its end and behind its abort, and released once,
// when it is closed; each that was not is released once, with its end.
//
// Assumed of the surroundings: streams stay until they are taken; the op table gives a number that is asked for and free, the CDMA answers a load that is
// outstanding, an op ends once after it was sent or failed, the packet engine forgets what was closed.
module proof (
    input clk, input rst, input [63:0] cfg_buffer_base, input segment_valid, input segment_command, input segment_kind, input segment_large,
    input [63:0] segment_target, input [15:0] segment_node, input [31:0] segment_bytes, input [15:0] segment_count,
    input number_ready, input allocated_valid, input [15:0] allocated_op, input load_ready, input loaded_valid, input loaded_tag,
    input [7:0] loaded_status, input op_ready, input fail_ready, input ended_valid, input [15:0] ended_op, input told_ready,
    input abort_valid, input close_ready, input closed_valid, input [15:0] closed_op
);
    localparam N = 4, S = 2;
    wire segment_ready, number_valid, number_command, number_kind, allocated_ready, load_valid, load_tag, loaded_ready;
    wire [1:0] number_count, op_count;
    wire [63:0] load_destination, op_target;
    wire [255:0] load_sources;
    wire [127:0] load_lengths;
    wire op_valid, op_slot, op_imm_valid, op_large, op_kind, fail_valid, ended_ready, told_valid, close_valid, release_valid, idle;
    wire [15:0] op_op, op_node, fail_op, close_op;
    wire [31:0] op_bytes, op_rkey, op_imm;
    wire [23:0] op_qp;
    wire [7:0] fail_status;
    wire [1:0] release_index;
    op_loader dut (
        .clk(clk), .rst(rst), .cfg_buffer_base(cfg_buffer_base), .segment_valid(segment_valid), .segment_ready(segment_ready),
        .segment_command(segment_command), .segment_kind(segment_kind), .segment_large(segment_large), .segment_target(segment_target),
        .segment_node(segment_node), .segment_qp(24'd0), .segment_rkey(32'd0), .segment_imm_valid(1'b0), .segment_imm(32'd0),
        .segment_bytes(segment_bytes), .segment_count(segment_count), .segment_sources(256'd0), .segment_lengths(128'd0),
        .number_valid(number_valid), .number_ready(number_ready), .number_command(number_command), .number_kind(number_kind),
        .number_count(number_count), .allocated_valid(allocated_valid), .allocated_ready(allocated_ready), .allocated_op(allocated_op),
        .load_valid(load_valid), .load_ready(load_ready), .load_tag(load_tag), .load_sources(load_sources), .load_lengths(load_lengths),
        .load_destination(load_destination), .loaded_valid(loaded_valid), .loaded_ready(loaded_ready), .loaded_tag(loaded_tag),
        .loaded_status(loaded_status), .op_valid(op_valid), .op_ready(op_ready), .op_op(op_op), .op_slot(op_slot), .op_count(op_count),
        .op_bytes(op_bytes), .op_target(op_target), .op_node(op_node), .op_qp(op_qp), .op_rkey(op_rkey), .op_imm_valid(op_imm_valid),
        .op_imm(op_imm), .op_large(op_large), .op_kind(op_kind), .fail_valid(fail_valid), .fail_ready(fail_ready), .fail_op(fail_op),
        .fail_status(fail_status), .ended_valid(ended_valid), .ended_ready(ended_ready), .ended_op(ended_op), .told_valid(told_valid),
        .told_ready(told_ready), .abort_valid(abort_valid), .close_valid(close_valid), .close_ready(close_ready), .close_op(close_op),
        .closed_valid(closed_valid), .closed_op(closed_op), .release_valid(release_valid), .release_index(release_index), .idle(idle)
    );

    // Of each number: somebody has it; it was sent, failed, has ended, is to be forgotten. Of each slot: somebody has it, it is being filled, whose it is.
    reg [N-1:0] live = 0, sent = 0, failed = 0, ended = 0, closing = 0, data = 0;
    reg [15:0] number [0:N-1];
    reg [63:0] target [0:N-1];
    reg [31:0] bytes [0:N-1];
    reg [S-1:0] used = 0, filling = 0;
    reg [1:0] owner [0:S-1];
    reg [N-1:0] slot = 0;
    reg asked = 0;

    wire [1:0] new_index = allocated_op[1:0];
    wire [1:0] loaded_index = owner[loaded_tag];
    wire [1:0] ended_index = ended_op[1:0], closed_index = closed_op[1:0], close_index = close_op[1:0];
    wire loads = load_valid && load_ready;
    wire takes = segment_valid && segment_ready;
    wire sends = op_valid && op_ready;
    wire [1:0] sent_index = op_op[1:0];
    wire fails = fail_valid && fail_ready;
    wire ends = ended_valid && ended_ready;
    wire closes = close_valid && close_ready;

    integer i;
    reg past = 0, all_used = 0, fail_released = 0, reused = 0;
    always @(posedge clk) begin
        past <= 1;
        if (number_valid && number_ready) asked <= 1;
        if (takes) asked <= 0;
        if (takes) begin
            live[new_index] <= 1;
            number[new_index] <= allocated_op;
            target[new_index] <= segment_target;
            bytes[new_index] <= segment_bytes;
            sent[new_index] <= 0;
            failed[new_index] <= 0;
            ended[new_index] <= 0;
            closing[new_index] <= 0;
            data[new_index] <= !segment_kind;
            slot[new_index] <= load_tag;
        end
        if (loads) begin
            used[load_tag] <= 1;
            filling[load_tag] <= 1;
            owner[load_tag] <= new_index;
            reused <= reused || fail_released;
        end
        if (loaded_valid && loaded_ready) filling[loaded_tag] <= 0;
        if (sends) sent[sent_index] <= 1;
        if (fails) failed[loaded_index] <= 1;
        if (ends) ended[ended_index] <= 1;
        if (closes) closing[close_index] <= 1;
        if (release_valid) begin
            live[release_index] <= 0;
            if (data[release_index]) used[slot[release_index]] <= 0;
            fail_released <= fail_released || failed[release_index];
        end
        all_used <= all_used || &used;
        if (rst) begin
            live <= 0;
            sent <= 0;
            failed <= 0;
            ended <= 0;
            closing <= 0;
            used <= 0;
            filling <= 0;
            asked <= 0;
            all_used <= 0;
            fail_released <= 0;
            reused <= 0;
        end
    end

    // Streams that come in stay until they are taken.
    reg w_segment = 0, w_allocated = 0, w_loaded = 0, w_ended = 0, w_abort = 0;
    reg [129:0] p_segment = 0;
    reg [15:0] p_allocated = 0, p_ended = 0;
    reg [8:0] p_loaded = 0;
    wire [129:0] segment = {segment_kind, segment_large, segment_target, segment_node, segment_bytes, segment_count};
    always @(posedge clk) begin
        w_segment <= !rst && segment_valid && !segment_ready;
        w_allocated <= !rst && allocated_valid && !allocated_ready;
        w_loaded <= !rst && loaded_valid && !loaded_ready;
        w_ended <= !rst && ended_valid && !ended_ready;
        p_segment <= segment;
        p_allocated <= allocated_op;
        p_loaded <= {loaded_tag, loaded_status};
        p_ended <= ended_op;
    end
    initial assume (rst);
    always @* if (past) begin
        if (w_segment) begin assume (segment_valid); assume (segment == p_segment); end
        if (w_allocated) begin assume (allocated_valid); assume (allocated_op == p_allocated); end
        if (w_loaded) begin assume (loaded_valid); assume ({loaded_tag, loaded_status} == p_loaded); end
        if (w_ended) begin assume (ended_valid); assume (ended_op == p_ended); end
        if (allocated_valid) begin assume (asked); assume (!live[new_index]); end
        if (loaded_valid) assume (filling[loaded_tag]);
        if (ended_valid) begin
            assume (live[ended_index] && !ended[ended_index] && (sent[ended_index] || failed[ended_index]));
            assume (ended_op == number[ended_index]);
        end
        if (closed_valid) begin assume (live[closed_index] && closing[closed_index]); assume (closed_op == number[closed_index]); end
    end

    always @* if (past && !rst) begin
        if (number_valid) assert (segment_valid && !asked && number_kind == segment_kind && number_command == segment_command);
        // A segment is taken with its number, and with its load or its way to the packet engine.
        assert (takes == (allocated_valid && allocated_ready));
        if (takes && !segment_kind) assert (loads);
        if (takes && segment_kind) assert (sends && op_kind && op_op == allocated_op && op_target == segment_target);
        if (loads) assert (takes && !segment_kind && !used[load_tag] && load_destination == cfg_buffer_base + 8 * load_tag);
        // What is fetched goes on as what it is.
        if (op_valid && !op_kind) begin
            assert (loaded_valid && loaded_status == 0 && op_slot == loaded_tag);
            assert (op_op == number[loaded_index] && op_target == target[loaded_index] && op_bytes == bytes[loaded_index]);
        end
        if (fail_valid) assert (loaded_valid && loaded_status != 0 && fail_status == loaded_status && fail_op == number[loaded_index]);
        if (loaded_valid && loaded_ready) assert ((sends && !op_kind) != fails);
        // Ends are told, then closed, then released.
        assert ((told_valid && told_ready) == ends);
        if (close_valid) assert (!abort_valid && live[close_index] && sent[close_index] && ended[close_index] && !closing[close_index]
            && close_op == number[close_index]);
        if (closed_valid) assert (release_valid && release_index == closed_index);
        if (release_valid && !closed_valid) assert (ends && failed[ended_index] && release_index == ended_index);
        if (ends && failed[ended_index]) assert (release_valid && release_index == ended_index);
        if (release_valid) assert (live[release_index]);
        // A slot is somebody's exactly as long as a number with it is.
        for (i = 0; i < N; i = i + 1)
            if (live[i] && data[i]) assert (used[slot[i]] && owner[slot[i]] == i);
        if (idle) for (i = 0; i < N; i = i + 1) assert (!(live[i] && sent[i] && ended[i] && !closing[i]));
        // Not vacuous.
        cover (all_used && reused);
        cover (all_used && live == 0 && used == 0);
        cover (&live && closed_valid && ended_valid && failed[ended_index]);
    end
endmodule
