// CommandIntake: what is offered stays until it is taken; each beat of the stream and each post that was accepted is taken once, as it was; neither side
// waits for more than one command of the other.
//
// Assumed: a beat of the stream stays until it is taken, and the registers of a post stay while it waits, as the block asks for.
module proof (
    input clk, input rst, input post, input [607:0] post_data, input in_valid, input [607:0] in_data, input command_ready
);
    wire busy, evt_posts_dropped, in_ready, command_valid, command_imm_valid, command_arrival;
    wire [15:0] command_id, command_node;
    wire [63:0] command_target;
    wire [23:0] command_qp;
    wire [31:0] command_rkey, command_imm;
    wire [255:0] command_sources;
    wire [127:0] command_lengths;
    wire [2:0] command_blocks;
    wire held, streams, turn;
    command_intake dut (
        .clk(clk), .rst(rst), .post(post), .busy(busy), .post_data(post_data), .evt_posts_dropped(evt_posts_dropped),
        .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .command_valid(command_valid), .command_ready(command_ready), .command_id(command_id), .command_target(command_target),
        .command_node(command_node), .command_qp(command_qp), .command_rkey(command_rkey), .command_imm_valid(command_imm_valid),
        .command_imm(command_imm), .command_arrival(command_arrival), .command_sources(command_sources),
        .command_lengths(command_lengths), .command_blocks(command_blocks),
        .held(held), .streams(streams), .turn(turn)
    );

    function [607:0] fields(input [607:0] beat);
        fields = {beat[607:224], 21'd0, beat[202:200], 6'd0, beat[193:192], beat[191:64], 8'd0, beat[55:0]};
    endfunction
    wire [607:0] offered = {
        command_lengths, command_sources, 21'd0, command_blocks, 6'd0, command_arrival, command_imm_valid, command_imm, command_target,
        command_rkey, 8'd0, command_qp, command_node, command_id
    };
    wire taken = command_valid && command_ready;
    wire stream_taken = in_valid && in_ready;
    wire post_taken = taken && !stream_taken;

    reg past = 0, past_rst = 1, past_waits = 0, past_dropped = 0, past_in = 0, pending = 0, both = 0;
    reg [607:0] past_offered = 0, past_in_data = 0, past_post_data = 0;
    reg [1:0] overtaken = 0, overtakes = 0;
    always @(posedge clk) begin
        past <= 1;
        past_rst <= rst;
        past_waits <= command_valid && !command_ready;
        past_offered <= offered;
        past_in <= in_valid && !in_ready;
        past_in_data <= in_data;
        past_post_data <= post_data;
        past_dropped <= post && pending && !rst;
        // A post that was accepted and has not been taken.
        pending <= !rst && ((pending && !post_taken) || (post && !pending));
        overtaken <= rst || !pending || post_taken ? 0 : overtaken + stream_taken;
        overtakes <= rst || !in_valid || stream_taken ? 0 : overtakes + post_taken;
        both <= !rst && (both || (stream_taken && pending));
    end

    initial assume (rst);
    always @* if (past) begin
        if (past_in && !past_rst) begin assume (in_valid); assume (in_data == past_in_data); end
        if (pending) assume (post_data == past_post_data);
    end

    always @* if (past) begin
        assert (busy == pending);
        assert (evt_posts_dropped == past_dropped);
        if (past_waits && !past_rst) begin
            assert (command_valid);
            assert (offered == past_offered);
        end
        // A command is one of the two, whole.
        if (stream_taken) begin assert (taken); assert (offered == fields(in_data)); end
        if (post_taken) begin assert (pending); assert (offered == fields(post_data)); end
        assert (command_valid == (in_valid || pending));
        assert (overtaken <= 1);
        assert (overtakes <= 1);
        // What holds inside, for the induction.
        assert (held == (past_waits && !past_rst));
        if (held && streams) assert (in_valid);
        if (held && !streams) assert (pending);
        if (overtaken == 1) assert (!turn && !(held && streams));
        if (overtakes == 1 && in_valid) assert (turn && !(held && !streams));
        // Not vacuous.
        cover (both && post_taken && evt_posts_dropped);
        cover (overtakes == 1 && stream_taken && pending);
    end
endmodule
