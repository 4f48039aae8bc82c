// OpLoader: every slot is free, loading or with an op, one of the three, and comes back once; every op number is released once, after its end was told
// and, if the op was sent, after its close was answered. A load that failed never comes to the packet engine. No close comes before the abort of its op. Of each end the splitter is told once, as it was: of one
// that is well in its clock, of a failure when the number has been released, in the order of the releases.
//
// The shadow of an op number: free, taken by a segment, sent (the packet engine has it), failed (the op table was told), over (its end was told), closing (the packet
// engine has its close). The shadow of a slot: free, loading, held; and whose it is.
module proof #(parameter IX = 1, parameter SW = 2) (
    input clk, input rst,
    input segment_valid, input segment_command, input segment_kind, input segment_large, input [63:0] segment_target,
    input [15:0] segment_node, input [23:0] segment_qp, input [31:0] segment_rkey, input segment_imm_valid, input [31:0] segment_imm,
    input [31:0] segment_bytes, input [15:0] segment_count, input [255:0] segment_sources, input [127:0] segment_lengths,
    input number_ready, input allocated_valid, input [23:0] allocated_op, input load_ready,
    input loaded_valid, input [SW-1:0] loaded_tag, input [7:0] loaded_status, input op_ready, input fail_ready,
    input ended_valid, input [23:0] ended_op, input ended_command, input ended_kind, input [7:0] ended_status, input told_ready, input abort_valid, input [23:0] abort_op, input abort_ready,
    input close_ready, input closed_valid, input [23:0] closed_op
);
    localparam N = 1 << IX;
    localparam NS = 1 << SW;
    localparam EW = SW + 1;
    (* anyconst *) wire [63:0] base;
    // The slot whose record is looked at, whole.
    (* anyconst *) wire [SW-1:0] w;
    wire segment_ready, number_valid, number_command, number_kind, allocated_ready, load_valid, loaded_ready, op_valid, op_imm_valid, op_large;
    wire op_kind, fail_valid, ended_ready, told_valid, close_valid, release_valid, idle;
    wire [1:0] number_count, op_count;
    wire [SW-1:0] load_tag, op_slot;
    wire [255:0] load_sources;
    wire [127:0] load_lengths;
    wire [63:0] load_destination, op_target;
    wire [23:0] op_op, fail_op, close_op;
    wire [15:0] op_node;
    wire [31:0] op_bytes, op_rkey, op_imm;
    wire [23:0] op_qp;
    wire [7:0] fail_status;
    wire [IX-1:0] release_index;
    // Inside.
    wire asked, arriving, closing, over_filled, free, returns, told_command, told_kind;
    wire [7:0] told_status;
    wire released, telling, failures_write, failures_read, failures_filled;
    wire [1:0] owed, failures_count;
    wire [34:0] end_read;
    wire [35*N-1:0] end_words, failure_words;
    wire [NS-1:0] failed;
    wire [SW-1:0] returned;
    wire [IX-1:0] over_write, over_read;
    wire [IX:0] over_count;
    wire [24*N-1:0] over;
    wire [EW*N-1:0] by_over, by_closed;
    wire [228*NS-1:0] records;
    op_loader dut (
        .clk(clk), .rst(rst), .cfg_buffer_base(base), .segment_valid(segment_valid), .segment_ready(segment_ready),
        .segment_command(segment_command), .segment_kind(segment_kind), .segment_large(segment_large), .segment_target(segment_target),
        .segment_node(segment_node), .segment_qp(segment_qp), .segment_rkey(segment_rkey), .segment_imm_valid(segment_imm_valid),
        .segment_imm(segment_imm), .segment_bytes(segment_bytes), .segment_count(segment_count), .segment_sources(segment_sources),
        .segment_lengths(segment_lengths), .number_valid(number_valid), .number_ready(number_ready), .number_command(number_command),
        .number_kind(number_kind), .number_count(number_count), .allocated_valid(allocated_valid), .allocated_ready(allocated_ready),
        .allocated_op(allocated_op), .load_valid(load_valid), .load_ready(load_ready), .load_tag(load_tag), .load_sources(load_sources),
        .load_lengths(load_lengths), .load_destination(load_destination), .loaded_valid(loaded_valid), .loaded_ready(loaded_ready),
        .loaded_tag(loaded_tag), .loaded_status(loaded_status), .op_valid(op_valid), .op_ready(op_ready), .op_op(op_op), .op_slot(op_slot),
        .op_count(op_count), .op_bytes(op_bytes), .op_target(op_target), .op_node(op_node), .op_qp(op_qp), .op_rkey(op_rkey),
        .op_imm_valid(op_imm_valid), .op_imm(op_imm), .op_large(op_large), .op_kind(op_kind), .fail_valid(fail_valid),
        .fail_ready(fail_ready), .fail_op(fail_op), .fail_status(fail_status), .ended_valid(ended_valid), .ended_ready(ended_ready),
        .ended_op(ended_op), .ended_command(ended_command), .ended_kind(ended_kind), .ended_status(ended_status), .told_command(told_command), .told_kind(told_kind),
        .told_status(told_status), .told_valid(told_valid), .told_ready(told_ready), .abort_valid(abort_valid), .close_valid(close_valid),
        .close_ready(close_ready), .close_op(close_op), .closed_valid(closed_valid), .closed_op(closed_op),
        .release_valid(release_valid), .release_index(release_index), .idle(idle),
        .released(released), .telling(telling), .owed(owed), .ends_read_data(end_read),
        .\ends.words[0] (end_words[0 +: 35]), .\ends.words[1] (end_words[35 +: 35]),
        .\failures.write (failures_write), .\failures.read (failures_read), .\failures.count (failures_count), .failures_out_valid(failures_filled),
        .\failures.memory.words[0] (failure_words[0 +: 35]), .\failures.memory.words[1] (failure_words[35 +: 35]),
        .asked(asked), .arriving(arriving), .closing(closing), .failed(failed),
        .slots_out_valid(free), .slots_internal_valid(returns), .slots_internal_slot(returned),
        .\over.write (over_write), .\over.read (over_read), .\over.count (over_count), .over_out_valid(over_filled),
        .\over.memory.words[0] (over[0*24 +: 24]), .\over.memory.words[1] (over[1*24 +: 24]),
        .\slot_of_over.words[0] (by_over[0*EW +: EW]), .\slot_of_over.words[1] (by_over[1*EW +: EW]),
        .\slot_of_closed.words[0] (by_closed[0*EW +: EW]), .\slot_of_closed.words[1] (by_closed[1*EW +: EW]),
        .\records.words[0] (records[0*228 +: 228]), .\records.words[1] (records[1*228 +: 228]),
        .\records.words[2] (records[2*228 +: 228]), .\records.words[3] (records[3*228 +: 228])
    );

    localparam FREE = 0, TAKEN = 1, SENT = 2, FAILED = 3, OVER = 4, CLOSING = 5;
    localparam LOADING = 1, HELD = 2;
    reg [4*N-1:0] state;
    reg [24*N-1:0] number;
    reg [N-1:0] data, never;
    reg [SW*N-1:0] slot;
    reg [2*NS-1:0] place;
    reg [IX*NS-1:0] owner;
    // Where in the queue an op waits that is over.
    reg [IX*N-1:0] waits;
    reg [227:0] expected;
    reg past = 0, pending = 0, aborting = 0;
    reg [23:0] aborted;
    reg [2:0] turns = 0;
    // How each op ended: status, kind, command. Failures that are released and not told, the oldest first.
    reg [10*N-1:0] ended_as;
    reg [9:0] oldest, second;
    reg [1:0] queued;
    wire [9:0] end_now = {ended_command, ended_kind, ended_status};
    wire [9:0] told_now = {told_command, told_kind, told_status};
    wire fails_told = told_valid && told_status != 0;
    wire [9:0] released_as = ended_as[10*release_index +: 10];
    wire enters = release_valid && released_as[7:0] != 0;
    wire leaves_queue = fails_told && told_ready;
    reg failures = 0, aborts = 0;

    wire loads = load_valid && load_ready;
    wire arrives = op_valid && op_kind && op_ready;
    wire starts = op_valid && !op_kind && op_ready;
    wire fails = fail_valid && fail_ready;
    wire ends = ended_valid && ended_ready;
    wire closes = close_valid && close_ready;
    wire [IX-1:0] given = allocated_op[IX-1:0];
    wire [IX-1:0] loaded = owner[IX*loaded_tag +: IX];
    wire [IX-1:0] ended = ended_op[IX-1:0];
    wire [IX-1:0] closed = closed_op[IX-1:0];
    wire [IX-1:0] leaves = close_op[IX-1:0];
    wire [227:0] record = {segment_count[1:0], segment_large, segment_imm_valid, segment_bytes, segment_imm, segment_rkey, segment_qp,
        segment_node, segment_target, allocated_op};
    wire [227:0] offered = {op_count, op_large, op_imm_valid, op_bytes, op_imm, op_rkey, op_qp, op_node, op_target, op_op};

    integer i;
    always @(posedge clk) begin
        past <= 1;
        if (number_valid && number_ready) pending <= 1;
        if (loads || arrives) begin
            pending <= 0;
            state[4*given +: 4] <= loads ? TAKEN : SENT;
            number[24*given +: 24] <= allocated_op;
            data[given] <= loads;
            never[given] <= 0;
            slot[SW*given +: SW] <= load_tag;
        end
        if (loads) begin
            place[2*load_tag +: 2] <= LOADING;
            owner[IX*load_tag +: IX] <= given;
            if (load_tag == w) expected <= record;
        end
        if (loaded_valid && loaded_ready) begin
            place[2*loaded_tag +: 2] <= HELD;
            state[4*loaded +: 4] <= starts ? SENT : FAILED;
            never[loaded] <= fails;
            failures <= failures || fails;
        end
        if (ends) begin
            state[4*ended +: 4] <= OVER;
            waits[IX*ended +: IX] <= over_write;
            ended_as[10*ended +: 10] <= end_now;
        end
        if (closes) state[4*leaves +: 4] <= CLOSING;
        if (release_valid) begin
            state[4*release_index +: 4] <= FREE;
            if (data[release_index]) place[2*(slot[SW*release_index +: SW]) +: 2] <= FREE;
            if (turns != 7) turns <= turns + 1;
        end
        queued <= queued + enters - leaves_queue;
        if (leaves_queue) oldest <= second;
        if (enters && queued - leaves_queue == 0) oldest <= released_as;
        if (enters && queued - leaves_queue == 1) second <= released_as;
        told_before <= told_now;
        aborting <= abort_valid && !abort_ready;
        aborted <= abort_op;
        aborts <= aborts || abort_valid;
        if (rst) begin
            {pending, aborting, turns, failures, aborts, queued} <= 0;
            for (i = 0; i < N; i = i + 1) state[4*i +: 4] <= FREE;
            for (i = 0; i < NS; i = i + 1) place[2*i +: 2] <= FREE;
        end
    end

    // What is offered and not taken.
    reg was_segment = 0, was_number = 0, was_allocated = 0, was_load = 0, was_loaded = 0, was_op = 0, was_fail = 0, was_ended = 0, was_told = 0;
    reg was_close = 0, was_free = 0;
    reg [SW-1:0] free_before;
    reg [603:0] segment_before;
    reg [23:0] allocated_before, ended_before, close_before, fail_op_before;
    reg [9:0] told_before, end_before;
    reg [SW+7:0] loaded_before;
    reg [3:0] number_before;
    reg [SW+447:0] load_before;
    reg [SW+228:0] op_before;
    wire [603:0] segment_now = {segment_command, segment_kind, segment_large, segment_target, segment_node, segment_qp, segment_rkey, segment_imm_valid,
        segment_imm, segment_bytes, segment_count, segment_sources, segment_lengths};
    wire [SW+7:0] loaded_now = {loaded_tag, loaded_status};
    wire [3:0] number_now = {number_command, number_kind, number_count};
    wire [SW+447:0] load_now = {load_tag, load_sources, load_lengths, load_destination};
    wire [SW+228:0] op_now = {op_slot, op_kind, offered};
    always @(posedge clk) begin
        was_segment <= !rst && segment_valid && !segment_ready;
        was_number <= !rst && number_valid && !number_ready;
        was_allocated <= !rst && allocated_valid && !allocated_ready;
        was_load <= !rst && load_valid && !load_ready;
        was_loaded <= !rst && loaded_valid && !loaded_ready;
        was_op <= !rst && op_valid && !op_ready;
        was_fail <= !rst && fail_valid && !fail_ready;
        was_ended <= !rst && ended_valid && !ended_ready;
        was_told <= !rst && told_valid && !told_ready;
        was_close <= !rst && close_valid && !close_ready;
        segment_before <= segment_now;
        allocated_before <= allocated_op;
        loaded_before <= loaded_now;
        ended_before <= ended_op;
        end_before <= end_now;
        number_before <= number_now;
        load_before <= load_now;
        op_before <= op_now;
        fail_op_before <= fail_op;
        close_before <= close_op;
        was_free <= !rst && free && !loads;
        free_before <= load_tag;
    end

    initial assume (rst);
    always @* begin
        // Each neighbour keeps what it offers.
        if (was_segment) assume (segment_valid && segment_now == segment_before);
        if (was_allocated) assume (allocated_valid && allocated_op == allocated_before);
        if (was_loaded) assume (loaded_valid && loaded_now == loaded_before);
        if (was_ended) assume (ended_valid && ended_op == ended_before && end_now == end_before);
        if (aborting) assume (abort_valid && abort_op == aborted);
        // The pool of slots, by its own proof, since what comes back is out: see `returns` below.
        if (free) assume (place[2*load_tag +: 2] == FREE);
        if (was_free) assume (free && load_tag == free_before);
        // The op table: a number for each that was asked for, of an index that is free; one end of an op,
        // when it was sent or is told to have failed; with the end of what was sent, maybe its abort.
        if (allocated_valid) assume (pending && state[4*given +: 4] == FREE);
        if (ended_valid) assume ((state[4*ended +: 4] == SENT || state[4*ended +: 4] == FAILED) && ended_op == number[24*ended +: 24]);
        if (abort_valid && !aborting) assume (ended_valid && abort_op == ended_op && state[4*ended +: 4] == SENT);
        // The CDMA's driver: one answer of a load.
        if (loaded_valid) assume (place[2*loaded_tag +: 2] == LOADING);
        // The packet engine: one answer of a close.
        if (closed_valid) assume (state[4*closed +: 4] == CLOSING && closed_op == number[24*closed +: 24]);
    end

    wire [IX-1:0] aborts_at = aborted[IX-1:0];
    // An op that is over, from the oldest.
    reg [IX-1:0] at, next;
    integer s;
    always @* if (past) begin
        // One number is asked for on behalf of a segment.
        if (pending) assert (!number_valid);
        // A slot is given to a load only if it is free, and then it is that load's alone.
        if (load_valid) assert (free && !segment_kind);
        if (load_valid) assert (load_destination == base + (load_tag << 3) && load_sources == segment_sources && load_lengths == segment_lengths);
        // What comes to the packet engine: each op once, with what its segment said; never one whose load failed.
        if (op_valid && !op_kind) assert (loaded_valid && loaded_status == 0 && op_slot == loaded_tag && state[4*loaded +: 4] == TAKEN && op_op == number[24*loaded +: 24]);
        if (op_valid && !op_kind && op_slot == w) assert (offered == expected);
        if (op_valid && op_kind) assert (allocated_valid && segment_valid && segment_kind && op_slot == 0 && offered == record);
        if (arrives) assert (segment_ready && allocated_ready && !loads);
        if (loads) assert (segment_ready && allocated_ready);
        if ((segment_valid && segment_ready) || (allocated_valid && allocated_ready)) assert (loads || arrives);
        if (fail_valid) assert (loaded_valid && loaded_status != 0 && fail_status == loaded_status && state[4*loaded +: 4] == TAKEN && fail_op == number[24*loaded +: 24]);
        if (loaded_valid && loaded_ready) assert (starts != fails);
        if (starts || fails) assert (loaded_valid && loaded_ready);
        // An end that is well is told in its clock; a failure is taken if not too many wait, and told when its number has been released.
        if (told_valid && !fails_told) assert (ended_valid && told_now == end_now && ends == told_ready);
        if (ends && ended_status == 0) assert (told_valid && told_ready && !fails_told);
        if (ended_valid && ended_status == 0) assert (told_valid);
        if (ended_valid && ended_status != 0) assert (ends == (owed != N));
        if (fails_told) assert (queued != 0 && told_now == oldest);
        if (queued == N) assert (told_valid);
        // A close is of an op that was sent and whose end was told; never before its abort.
        if (close_valid) assert (state[4*leaves +: 4] == OVER && !never[leaves] && close_op == number[24*leaves +: 24]);
        if (close_valid && abort_valid) assert (close_op != abort_op);
        // A number, and its slot with it, is free after the answer of its close, or if it was never sent, after its end was told.
        if (closed_valid) assert (release_valid && release_index == closed);
        if (release_valid && !closed_valid) assert (state[4*release_index +: 4] == OVER && never[release_index]);
        assert (returns == (release_valid && data[release_index]));
        if (returns) assert (returned == slot[SW*release_index +: SW] && place[2*returned +: 2] == HELD && owner[IX*returned +: IX] == release_index);
        // What is over goes on at once, but for an abort.
        if (!idle && !closed_valid) assert (release_valid || close_valid || abort_valid);
        assert (idle == (over_count == 0));
        // What is offered stays until it is taken.
        if (was_number) assert (number_valid && number_now == number_before);
        if (was_load) assert (load_valid && load_now == load_before);
        if (was_op) assert (op_valid && op_now == op_before);
        if (was_fail) assert (fail_valid && fail_op == fail_op_before);
        if (was_told) assert (told_valid && told_now == told_before);
        if (was_close) assert (close_valid && close_op == close_before);

        // What holds inside, for the induction.
        assert (asked == pending);
        if (pending) assert (was_segment);
        if (pending && !segment_before[602]) assert (was_free);
        assert (arriving == (was_op && op_before[228]));
        if (arriving) assert (pending && was_allocated && segment_before[602] && op_before[SW+228:229] == 0 && op_before[227:0] == {segment_count[1:0], segment_large,
            segment_imm_valid, segment_bytes, segment_imm, segment_rkey, segment_qp, segment_node, segment_target, allocated_before});
        assert (closing == was_close);
        assert (telling == (was_told && told_before[7:0] == 0));
        assert (failures_count <= N && failures_filled == (failures_count != 0) && failures_count[0] == (failures_write ^ failures_read));
        assert (queued == 4'd0 + failures_count + (released && end_read[7:0] != 0));
        assert (owed <= N && queued <= N && (queued == 0 || oldest[7:0] != 0) && (queued < 2 || second[7:0] != 0));
        if (failures_count != 0) assert (failure_words[35*failures_read +: 10] == oldest);
        if (failures_count == 2) assert (failure_words[35*!failures_read +: 10] == second);
        if (released && end_read[7:0] != 0) assert (end_read[9:0] == (failures_count == 0 ? oldest : second));
        assert (owed == 4'd0 + queued + (state[3:0] >= OVER && ended_as[7:0] != 0) + (state[7:4] >= OVER && ended_as[17:10] != 0));
        if (aborting) assert (number[24*aborts_at +: 24] == aborted && !never[aborts_at]);
        if (aborting) assert (state[4*aborts_at +: 4] == OVER || (state[4*aborts_at +: 4] == SENT && was_ended && ended_before == aborted));
        if (aborting && was_close) assert (close_before != aborted);
        for (s = 0; s < N; s = s + 1) begin
            assert (state[4*s +: 4] <= CLOSING);
            if (state[4*s +: 4] != FREE) begin
                assert (number[24*s +: IX] == s);
                assert (by_over[s*EW+SW] == data[s] && by_closed[s*EW+SW] == data[s]);
                if (state[4*s +: 4] >= OVER) assert (end_words[35*s +: 10] == ended_as[10*s +: 10]);
                if (data[s]) assert (by_over[s*EW +: SW] == slot[SW*s +: SW] && by_closed[s*EW +: SW] == slot[SW*s +: SW]);
                if (data[s]) assert (owner[IX*(slot[SW*s +: SW]) +: IX] == s && place[2*(slot[SW*s +: SW]) +: 2] == (state[4*s +: 4] == TAKEN ? LOADING : HELD));
                if (never[s]) assert (data[s] && state[4*s +: 4] >= FAILED && state[4*s +: 4] <= OVER);
                if (state[4*s +: 4] == FAILED) assert (never[s]);
                if (state[4*s +: 4] == TAKEN) assert (data[s]);
            end
            if (state[4*s +: 4] == OVER) assert (over_count > ((waits[IX*s +: IX] - over_read) & (N - 1)) && over[24*(waits[IX*s +: IX]) +: 24] == number[24*s +: 24]);
        end
        for (s = 0; s < N; s = s + 1) begin
            at = over_read + s;
            next = over[24*at +: IX];
            if (s < over_count) assert (state[4*next +: 4] == OVER && waits[IX*next +: IX] == at);
        end
        assert (over_count <= N && over_filled == (over_count != 0) && over_count[IX-1:0] == over_write - over_read);
        for (s = 0; s < NS; s = s + 1) begin
            assert (place[2*s +: 2] <= HELD);
            if (place[2*s +: 2] != FREE) assert (data[owner[IX*s +: IX]] && slot[SW*(owner[IX*s +: IX]) +: SW] == s && state[4*(owner[IX*s +: IX]) +: 4] != FREE && failed[s] == never[owner[IX*s +: IX]]);
            if (place[2*s +: 2] == LOADING) assert (records[s*228 +: 24] == number[24*(owner[IX*s +: IX]) +: 24]);
        end
        for (s = 0; s < NS; s = s + 1) if (s == w && place[2*s +: 2] == LOADING) assert (records[s*228 +: 228] == expected);
        // Not vacuous.
        cover (turns == 7 && failures && aborts);
        cover (closed_valid && !idle && never[leaves]);
        cover (was_op && op_kind && loaded_valid && loaded_status == 0);
        cover (was_close && abort_valid && !aborting);
        cover (queued == 2 && fails_told && ended_valid && ended_status == 0);
        cover (owed == N && ended_valid && ended_status != 0);
    end
endmodule
