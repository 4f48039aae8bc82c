// VerdictRing: what goes into its ring, and what it says was dropped, is the packet that was last taken with that payload slot, with its verdict and in the clock behind it, once; what it reports
// is what has left the ring in the clock before. With `fifo_block` each report is a packet that was taken before: what is settled is present.
//
// Given that a slot has one packet at a time, until its verdict. Two queue pairs, sixteen slots, of which any one is looked at.
module proof (
    input clk, input rst, input packet_valid, input packet_counts, input [3:0] packet_slot, input packet_qp, input [23:0] packet_psn, input [3:0] packet_path,
    input packet_retransmission, input verdict_valid, input [15:0] verdict_tag, input [2:0] verdict_code, input [7:0] verdict_reason,
    input write_valid, input [1:0] write_tag, input [3:0] write_slot, input write_done_valid, input [1:0] write_done_tag
);
    wire report_valid, report_qp, report_retransmission, dropped_valid, dropped_qp, push, leaves, valid1, kept1, drops1;
    wire [23:0] report_psn, dropped_psn;
    wire [3:0] report_path;
    wire [15:0] packet_tag;
    wire [29:0] put, left;
    wire [29:0] word [0:15];
    verdict_ring dut (
        .clk(clk), .rst(rst), .packet_valid(packet_valid), .packet_counts(packet_counts), .packet_slot(packet_slot), .packet_qp(packet_qp),
        .packet_psn(packet_psn), .packet_path(packet_path), .packet_retransmission(packet_retransmission), .packet_tag(packet_tag),
        .verdict_valid(verdict_valid), .verdict_tag(verdict_tag), .verdict_code(verdict_code), .verdict_reason(verdict_reason),
        .write_valid(write_valid), .write_tag(write_tag), .write_slot(write_slot), .write_done_valid(write_done_valid), .write_done_tag(write_done_tag),
        .report_valid(report_valid), .report_qp(report_qp), .report_psn(report_psn), .report_path(report_path),
        .report_retransmission(report_retransmission), .dropped_valid(dropped_valid), .dropped_qp(dropped_qp), .dropped_psn(dropped_psn),
        .push(push), .leaves(leaves), .contexts_read_data(put), .ring_out_data(left), .valid1(valid1), .kept1(kept1), .drops1(drops1),
        .\contexts.words[0] (word[0]), .\contexts.words[1] (word[1]), .\contexts.words[2] (word[2]), .\contexts.words[3] (word[3]),
        .\contexts.words[4] (word[4]), .\contexts.words[5] (word[5]), .\contexts.words[6] (word[6]), .\contexts.words[7] (word[7]),
        .\contexts.words[8] (word[8]), .\contexts.words[9] (word[9]), .\contexts.words[10] (word[10]), .\contexts.words[11] (word[11]),
        .\contexts.words[12] (word[12]), .\contexts.words[13] (word[13]), .\contexts.words[14] (word[14]), .\contexts.words[15] (word[15])
    );

    wire [29:0] packet = {packet_qp, packet_retransmission, packet_path, packet_psn};
    wire takes = packet_valid && packet_counts;
    wire judges = verdict_valid && verdict_tag[15];
    // The slot that is looked at, its packet; that of a verdict in the clock before, and what comes of it.
    (* anyconst *) wire [3:0] slot;
    wire comes = takes && packet_slot == slot;
    wire goes = judges && verdict_tag[3:0] == slot;
    reg has = 0;
    reg [29:0] of_it, left_before;
    reg past = 0, was_judged = 0, was_it = 0, was_kept = 0, was_dropped = 0, has_left = 0;
    reg [2:0] dropped = 0;

    always @(posedge clk) begin
        past <= 1;
        if (comes) of_it <= packet;
        has <= !rst && (comes || (has && !goes));
        was_judged <= judges && !rst;
        was_it <= goes;
        was_kept <= verdict_code < 3 || (verdict_code == 3 && verdict_reason != 7);
        was_dropped <= verdict_code >= 4;
        has_left <= leaves && !rst;
        left_before <= left;
        if (dropped_valid && dropped != 7) dropped <= dropped + 1;
        if (rst) dropped <= 0;
    end

    initial assume (rst);
    always @* begin
        if (comes) assume (!has && !rst);
        if (goes) assume (has);
    end

    always @* if (past) begin
        // The property. The next packet of the slot may come in the clock behind the verdict, and is none of it.
        assert (push == (was_judged && was_kept));
        assert (dropped_valid == (was_judged && was_dropped));
        if (was_it && push) assert (put == of_it);
        if (was_it && dropped_valid) assert ({dropped_qp, dropped_psn} == {of_it[29], of_it[23:0]});
        assert (report_valid == has_left);
        if (report_valid) assert ({report_qp, report_retransmission, report_path, report_psn} == left_before);
        // What holds inside, for the induction.
        assert (valid1 == was_judged);
        if (was_judged) assert (kept1 == was_kept && drops1 == was_dropped);
        if (was_judged && was_it) assert (put == of_it);
        if (has) assert (word[slot] == of_it);
        // Not vacuous.
        cover (report_valid && report_psn == 24'h123456);
        cover (dropped == 2 && dropped_valid);
    end
endmodule
