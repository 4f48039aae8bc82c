// VerdictRing: what goes into its ring, and what it says was dropped, is the packet that was last taken with that payload slot, with its verdict and in the clock behind it, once; what it reports
// is what has left the ring in the clock before. With `fifo_block` each report is a packet that was taken before: what is settled is present.
//
// Given that a slot has one packet at a time, until its verdict. Two queue pairs, four slots.
module proof (
    input clk, input rst, input packet_valid, input packet_counts, input [1:0] packet_slot, input packet_qp, input [23:0] packet_psn, input [3:0] packet_path,
    input packet_retransmission, input verdict_valid, input [15:0] verdict_tag, input [2:0] verdict_code, input [7:0] verdict_reason,
    input write_valid, input [1:0] write_tag, input [1:0] write_slot, input write_done_valid, input [1:0] write_done_tag
);
    wire report_valid, report_qp, report_retransmission, dropped_valid, dropped_qp, push, leaves, valid1, kept1, drops1;
    wire [23:0] report_psn, dropped_psn;
    wire [3:0] report_path;
    wire [15:0] packet_tag;
    wire [29:0] put, left, word_0, word_1, word_2, word_3;
    verdict_ring dut (
        .clk(clk), .rst(rst), .packet_valid(packet_valid), .packet_counts(packet_counts), .packet_slot(packet_slot), .packet_qp(packet_qp),
        .packet_psn(packet_psn), .packet_path(packet_path), .packet_retransmission(packet_retransmission), .packet_tag(packet_tag),
        .verdict_valid(verdict_valid), .verdict_tag(verdict_tag), .verdict_code(verdict_code), .verdict_reason(verdict_reason),
        .write_valid(write_valid), .write_tag(write_tag), .write_slot(write_slot), .write_done_valid(write_done_valid), .write_done_tag(write_done_tag),
        .report_valid(report_valid), .report_qp(report_qp), .report_psn(report_psn), .report_path(report_path),
        .report_retransmission(report_retransmission), .dropped_valid(dropped_valid), .dropped_qp(dropped_qp), .dropped_psn(dropped_psn),
        .push(push), .leaves(leaves), .contexts_read_data(put), .ring_out_data(left), .valid1(valid1), .kept1(kept1), .drops1(drops1),
        .\contexts.words[0] (word_0), .\contexts.words[1] (word_1), .\contexts.words[2] (word_2), .\contexts.words[3] (word_3)
    );

    wire [29:0] packet = {packet_qp, packet_retransmission, packet_path, packet_psn};
    wire takes = packet_valid && packet_counts;
    wire [1:0] judged = verdict_tag[1:0];
    wire judges = verdict_valid && verdict_tag[15];
    // Of each slot its packet; the packet of the verdict in the clock before, and what comes of it.
    reg [3:0] has = 0;
    reg [29:0] of_0, of_1, of_2, of_3, was, left_before;
    reg past = 0, was_judged = 0, was_kept = 0, was_dropped = 0, has_left = 0;
    reg [2:0] dropped = 0;
    wire [29:0] now = judged == 0 ? of_0 : judged == 1 ? of_1 : judged == 2 ? of_2 : of_3;

    always @(posedge clk) begin
        past <= 1;
        if (takes) begin
            has[packet_slot] <= 1;
            case (packet_slot)
                0: of_0 <= packet;
                1: of_1 <= packet;
                2: of_2 <= packet;
                3: of_3 <= packet;
            endcase
        end
        if (judges) has[judged] <= 0;
        was <= now;
        was_judged <= judges && !rst;
        was_kept <= verdict_code < 3 || (verdict_code == 3 && verdict_reason != 7);
        was_dropped <= verdict_code >= 4;
        has_left <= leaves && !rst;
        left_before <= left;
        if (dropped_valid && dropped != 7) dropped <= dropped + 1;
        if (rst) {has, dropped} <= 0;
    end

    initial assume (rst);
    always @* begin
        if (takes) assume (!has[packet_slot] && !rst);
        if (judges) assume (has[judged]);
    end

    always @* if (past) begin
        // The property.
        assert (push == (was_judged && was_kept));
        assert (dropped_valid == (was_judged && was_dropped));
        if (push) assert (put == was);
        if (dropped_valid) assert ({dropped_qp, dropped_psn} == {was[29], was[23:0]});
        assert (report_valid == has_left);
        if (report_valid) assert ({report_qp, report_retransmission, report_path, report_psn} == left_before);
        // What holds inside, for the induction.
        assert (valid1 == was_judged);
        if (was_judged) assert (kept1 == was_kept && drops1 == was_dropped && put == was);
        if (has[0]) assert (word_0 == of_0);
        if (has[1]) assert (word_1 == of_1);
        if (has[2]) assert (word_2 == of_2);
        if (has[3]) assert (word_3 == of_3);
        // Not vacuous.
        cover (report_valid && report_psn == 24'h123456);
        cover (dropped == 2 && dropped_valid);
    end
endmodule
