// StartGate, four indices, generations of three bits: what goes on is what was taken, in its order and unchanged, and stays until it is taken; a timer begins anew only for a packet that is no
// start, whose time was over, and of whose operation nothing has been acknowledged; all others go again. Operations of one index do not know each other's acknowledgements.
module proof (
    input clk, input rst, input ack_valid, input [4:0] ack_op, input wanted_valid, input [4:0] wanted_op, input [1:0] wanted_packet, input [4:0] wanted_try,
    input wanted_expired, input again_ready, input restart_ready
);
    wire wanted_ready, again_valid, restart_valid, out_expired, idle, full, restarts, cleared, write;
    wire [1:0] word, write_index;
    wire [2:0] write_data;
    wire [4:0] out_op, out_try;
    wire [1:0] out_packet;
    wire [2:0] word_0, word_1, word_2, word_3;
    start_gate dut (
        .clk(clk), .rst(rst), .ack_valid(ack_valid), .ack_op(ack_op), .wanted_valid(wanted_valid), .wanted_ready(wanted_ready), .wanted_op(wanted_op),
        .wanted_packet(wanted_packet), .wanted_try(wanted_try), .wanted_expired(wanted_expired), .again_valid(again_valid), .again_ready(again_ready),
        .restart_valid(restart_valid), .restart_ready(restart_ready), .out_op(out_op), .out_packet(out_packet), .out_try(out_try), .out_expired(out_expired), .idle(idle),
        .full(full), .restarts(restarts), .cleared(cleared), .word(word), .write(write), .write_index(write_index), .write_data(write_data), .\arrived.words[0] (word_0), .\arrived.words[1] (word_1), .\arrived.words[2] (word_2), .\arrived.words[3] (word_3)
    );

    // Of each index the operation of which something was acknowledged last, if any was.
    reg [3:0] any = 0;
    reg [2:0] last_0, last_1, last_2, last_3;
    wire [2:0] last = wanted_op[1:0] == 0 ? last_0 : wanted_op[1:0] == 1 ? last_1 : wanted_op[1:0] == 2 ? last_2 : last_3;
    wire known = any[wanted_op[1:0]] && last == wanted_op[4:2];
    // A cleared word is of the last generation.
    wire last_of_all = !any[wanted_op[1:0]] && wanted_op[4:2] == 7;
    wire takes = wanted_valid && wanted_ready;
    wire leaves = (again_valid && again_ready) || (restart_valid && restart_ready);

    // An acknowledgement counts a clock after it came.
    reg added = 0;
    reg [4:0] added_op;
    reg past = 0, held = 0, begins = 0, sure = 0;
    reg [12:0] kept;
    reg [1:0] begun = 0, went = 0;
    always @(posedge clk) begin
        past <= 1;
        added <= !rst && ack_valid && cleared;
        added_op <= ack_op;
        if (added) any[added_op[1:0]] <= 1;
        if (added && added_op[1:0] == 0) last_0 <= added_op[4:2];
        if (added && added_op[1:0] == 1) last_1 <= added_op[4:2];
        if (added && added_op[1:0] == 2) last_2 <= added_op[4:2];
        if (added && added_op[1:0] == 3) last_3 <= added_op[4:2];
        if (takes) begin
            kept <= {wanted_op, wanted_packet, wanted_try, wanted_expired};
            begins <= wanted_expired && wanted_packet != 0 && !known;
            sure <= cleared && !(write && !added) && !last_of_all;
        end
        held <= !rst && (takes || (held && !leaves));
        if (restart_valid && restart_ready && begun != 3) begun <= begun + 1;
        if (again_valid && again_ready && out_expired && out_packet != 0 && went != 3) went <= went + 1;
        if (rst) {begun, went} <= 0;
        if (rst) any <= 0;
    end

    initial assume (rst);

    always @* if (past) begin
        // The property.
        assert ((again_valid || restart_valid) == held);
        assert (!(again_valid && restart_valid));
        assert (idle == !held);
        if (held) assert ({out_op, out_packet, out_try, out_expired} == kept);
        if (held && sure) assert (restart_valid == begins);
        if (restart_valid) assert (out_expired && out_packet != 0);
        assert (wanted_ready == (!held || leaves));
        // What holds inside, for the induction.
        assert (full == held);
        if (!cleared) assert (any == 0);
        if (any[0]) assert (word_0 == ~last_0);
        if (any[1]) assert (word_1 == ~last_1);
        if (any[2]) assert (word_2 == ~last_2);
        if (any[3]) assert (word_3 == ~last_3);
        if (!cleared) assert (!added && write == (word != 0));
        if (write && !added) assert (write_data == 0 && write_index + 2'd1 == word);
        if (cleared && write && !added) assert (word == 0 && any == 0);
        if (added) assert (write && write_index == added_op[1:0] && write_data == ~added_op[4:2]);
        if (!any[0] && (cleared || word > 1)) assert (word_0 == 0);
        if (!any[1] && (cleared || word > 2)) assert (word_1 == 0);
        if (!any[2] && cleared) assert (word_2 == 0);
        if (!any[3] && cleared && !(write && !added)) assert (word_3 == 0);
        if (held && !restarts) assert (again_valid);
        if (held && restarts) assert (out_expired && out_packet != 0);
        // Not vacuous.
        cover (begun == 2 && went == 2);
    end
endmodule
