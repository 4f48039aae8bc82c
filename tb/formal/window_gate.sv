// WindowGate: a packet goes with a frame only when its window has given it a number, and that was written; every number that is given is written once, for the packet that it was asked for, and that
// packet goes with a frame. Behind a packet without a frame none of its operation has one. Such an operation fails once, after its last packet, and then no number of it is waited for, once.
module proof (
    input clk, input rst,
    input first_valid, input first_take, input [23:0] first_op, input first_packet, input first_last, input first_kind, input [15:0] first_node,
    input send_ready, input answer_valid, input [23:0] answer_psn, input [2:0] answer_reason, input sent_ready, input fail_ready, input acked_ready
);
    wire first_go, first_void, send_valid, send_qp, sent_valid, sent_qp, sent_packet, sent_last, fail_valid, acked_valid, evt_void;
    wire [23:0] sent_psn;
    wire [23:0] sent_op, fail_op, acked_op;
    // Inside.
    wire [2:0] step;
    wire ending, torn;
    window_gate dut (
        .clk(clk), .rst(rst), .first_valid(first_valid), .first_take(first_take), .first_op(first_op), .first_packet(first_packet), .first_last(first_last),
        .first_kind(first_kind), .first_node(first_node), .first_go(first_go), .first_void(first_void), .send_valid(send_valid), .send_ready(send_ready),
        .send_qp(send_qp), .answer_valid(answer_valid), .answer_psn(answer_psn), .answer_reason(answer_reason), .sent_valid(sent_valid),
        .sent_ready(sent_ready), .sent_qp(sent_qp), .sent_psn(sent_psn), .sent_op(sent_op), .sent_packet(sent_packet), .sent_last(sent_last),
        .fail_valid(fail_valid), .fail_ready(fail_ready), .fail_op(fail_op), .acked_valid(acked_valid), .acked_ready(acked_ready), .acked_op(acked_op),
        .evt_void(evt_void), .step(step), .ending(ending), .torn(torn)
    );

    reg past = 0, was_first = 0, pending = 0, given = 0, written = 0, inside_ = 0, broken = 0, owes_fail = 0, owes_acked = 0, voided = 0;
    reg [35:0] first_before;
    reg [23:0] number;
    reg [23:0] op, over;
    reg [15:0] node;
    // What happened, for the covers.
    reg torn_in_the_middle = 0, twice = 0;
    wire [35:0] first_now = {first_op, first_packet, first_last, first_kind, first_node, 1'b0};
    wire takes = first_valid && first_take;
    wire gives = answer_valid && answer_reason == 0;
    wire writes = sent_valid && sent_ready;
    wire goes_void = takes && !first_kind && first_void;
    always @(posedge clk) begin
        past <= 1;
        was_first <= !rst && first_valid && !takes;
        first_before <= first_now;
        if (send_valid && send_ready) pending <= 1;
        if (answer_valid) pending <= 0;
        if (gives) begin
            given <= 1;
            number <= answer_psn;
        end
        if (writes) written <= 1;
        if (takes) begin
            {given, written} <= 0;
            // The operation whose packets are on their way.
            inside_ <= !first_kind && !first_last;
            op <= first_op;
            node <= first_node;
            broken <= goes_void && !first_last;
        end
        voided <= goes_void;
        if (fail_valid && fail_ready) owes_fail <= 0;
        if (acked_valid && acked_ready) owes_acked <= 0;
        if (goes_void && first_last) begin
            {owes_fail, owes_acked} <= 2'b11;
            over <= first_op;
        end
        if (goes_void && inside_ && !broken) torn_in_the_middle <= 1;
        if (answer_valid && answer_reason > 1) twice <= 1;
        if (rst) {pending, given, written, inside_, broken, owes_fail, owes_acked, voided, torn_in_the_middle, twice} <= 0;
    end

    initial assume (rst);
    always @* begin
        // The scheduler keeps what it shows, takes what may go, and shows the packets of an operation one after the other.
        if (was_first) assume (first_valid && first_now == first_before);
        if (first_take) assume (first_valid && first_go);
        if (inside_ && first_valid) assume (first_op == op && first_node == node && !first_kind);
        if (first_kind) assume (first_last);
        // The send bitmap: one answer to each request.
        if (answer_valid) assume (pending);
    end

    always @* if (past && !rst) begin
        // No frame without a number, and none of a number that is another packet's.
        if (takes && !first_kind && !first_void) assert (given && written);
        if (sent_valid) assert (given && !written && sent_psn == number && sent_op == first_op && sent_packet == first_packet && sent_last == first_last);
        if (sent_valid) assert (first_valid && !first_kind && sent_qp == first_node[0] && first_node[15:1] == 0);
        // A number that is given is its packet's, and goes with a frame.
        if (given) assert (first_valid && !first_kind && !(first_go && first_void));
        if (send_valid) assert (first_valid && !first_kind && !given && !pending && send_qp == first_node[0] && first_node[15:1] == 0);
        // Behind one without a frame none of the operation has one, or a number.
        if (broken) assert (!send_valid && !pending && !given);
        if (broken && takes) assert (first_void);
        if (first_void) assert (first_go && first_valid && !first_kind);
        assert (evt_void == voided);
        // Such an operation fails once, and then no number of it is waited for.
        assert (fail_valid == owes_fail);
        assert (acked_valid == (owes_acked && !owes_fail));
        if (fail_valid) assert (fail_op == over);
        if (acked_valid) assert (acked_op == over);
        if (owes_fail) assert (owes_acked);
        // Nobody is overwritten who is still owed.
        if (goes_void && first_last) assert (!owes_fail && !owes_acked);

        // What holds inside, for the induction.
        assert (step <= 5);
        if (step != 0) assert (was_first && !first_kind);
        assert (given == (step == 3 || step == 4) && written == (step == 4));
        assert (pending == (step == 2));
        if (given) assert (sent_psn == number);
        if (step >= 1 && step <= 4) assert (first_node[15:1] == 0 && !broken);
        if (step == 5) assert (broken || !owes_acked);
        if (step != 0) assert (!owes_acked);
        assert (ending == owes_acked);
        assert (torn == broken);
        if (broken) assert (inside_);
        // Not vacuous.
        cover (torn_in_the_middle && acked_valid && twice);
        cover (writes && inside_ && first_last);
        cover (goes_void && !inside_ && first_last && first_node[15:1] != 0);
        cover (takes && first_kind && owes_fail);
    end
endmodule
