// CounterBank: a counter, any one, has counted each of its events once, and what is read of it is no older than the bank says.
//
// `total` counts the events of the counter that the solver has picked. They are in its words, in its small count, or on the way
// between; `value` is their sum, wherever they are.
module proof (
    input clk, input rst, input clear, input [3:0] event_bits, input read, input [2:0] read_word
);
    (* anyconst *) reg [1:0] watch;
    wire [31:0] read_data, low_2, high_2, high_3, high_read;
    wire [32:0] low_3;
    wire [1:0] visit, visit_1, visit_2, visit_3;
    wire clearing, clearing_1, clearing_2, clearing_3;
    wire [31:0] kept_inside;
    wire read_1, is_high_1;
    wire [2:0] add_2;
    wire [3:0] turn;
    wire [11:0] fresh;
    wire [31:0] low [0:3], high [0:3], low_shown [0:3], high_shown [0:3];
    counter_bank dut (
        .clk(clk), .rst(rst), .clear(clear), .events(event_bits), .read(read), .read_word(read_word), .read_data(read_data),
        .visit(visit), .visit_1(visit_1), .visit_2(visit_2), .visit_3(visit_3),
        .clearing(clearing), .clearing_1(clearing_1), .clearing_2(clearing_2), .clearing_3(clearing_3),
        .turn(turn), .fresh(fresh),
        .add_2(add_2), .low_2(low_2), .high_2(high_2), .low_3(low_3), .high_3(high_3), .high_read(high_read), .kept(kept_inside), .read_1(read_1), .is_high_1(is_high_1),
        .\low.words[0] (low[0]), .\low.words[1] (low[1]), .\low.words[2] (low[2]), .\low.words[3] (low[3]),
        .\high.words[0] (high[0]), .\high.words[1] (high[1]), .\high.words[2] (high[2]), .\high.words[3] (high[3]),
        .\low_shown.words[0] (low_shown[0]), .\low_shown.words[1] (low_shown[1]),
        .\low_shown.words[2] (low_shown[2]), .\low_shown.words[3] (low_shown[3]),
        .\high_shown.words[0] (high_shown[0]), .\high_shown.words[1] (high_shown[1]),
        .\high_shown.words[2] (high_shown[2]), .\high_shown.words[3] (high_shown[3])
    );

    reg [1:0] past = 0;
    reg [63:0] total = 0, total_before = 0;
    reg [2:0] since = 0;
    reg was_any = 0, was_low = 0, was_high = 0, masked = 1, cleared = 0;
    reg [31:0] kept;
    wire [63:0] stored = {high[watch], low[watch]};
    wire [63:0] shown = {high_shown[watch], low_shown[watch]};
    // Not yet reached by the sweep that clears.
    wire dirty = (clearing && visit <= watch) || (clearing_1 && visit_1 == watch);
    wire [63:0] value = fresh[3 * watch +: 3] + (
        dirty ? 64'd0 :
        visit_2 == watch ? {high_2, low_2} + add_2 :
        visit_3 == watch ? {high_3, 32'd0} + low_3 : stored);
    wire [1:0] ahead = watch - visit;
    wire [2:0] until_turn = turn[watch] ? 3'd0 : ahead + 3'd1;

    always @(posedge clk) begin
        past <= past == 3 ? 3 : past + 1;
        total <= (rst || clear) ? 0 : total + event_bits[watch];
        total_before <= total;
        since <= (rst || clear) ? 0 : turn[watch] ? 1 : since + 1;
        was_any <= read && !rst;
        was_low <= read && read_word == {watch, 1'b0} && !rst;
        was_high <= read_word[0];
        masked <= clearing || clearing_1 || clearing_2 || clearing_3;
        cleared <= !rst && (cleared || clear);
        if (rst) kept <= 0;
        else if (!was_high && was_any) kept <= high_read;
    end

    initial assume (rst);

    always @* if (past == 3) begin
        // Every event is somewhere, once.
        assert (value == total);
        // What is read: the words as of the clock of the read, at most 8 events behind (modulo 2^64); the high word is the one kept then.
        if (was_low && !masked) assert (total_before - {high_read, read_data} <= 8);
        if (was_low && masked) assert (read_data == 0 && high_read == 0);
        if (was_high) assert (read_data == kept);
        // What holds inside, for the induction.
        assert (kept_inside == kept && read_1 == was_any && is_high_1 == was_high);
        assert (turn == 4'd1 << visit_1);
        assert (fresh[3 * watch +: 3] <= since && since + until_turn <= 4 + dirty);
        assert (visit == visit_1 + 2'd1 || (clearing && visit == 0));
        assert (visit_1 == visit_2 + 2'd1 || (clearing_1 && visit_1 == 0));
        assert (visit_2 == visit_3 + 2'd1 || (clearing_2 && visit_2 == 0));
        if (clearing_1 && visit_1 != 3) assert (clearing);
        if (clearing_2 && visit_2 != 3) assert (clearing_1);
        if (clearing_3 && visit_3 != 3) assert (clearing_2);
        if (!dirty && (visit_2 != watch || !clearing_2) && (visit_2 == watch || visit_3 != watch || !clearing_3)) begin
            assert (shown == stored && total - stored <= 8);
            if (visit_2 == watch) assert ({high_2, low_2} == stored && add_2 <= 4);
            else if (visit_3 == watch) assert (value - fresh[3 * watch +: 3] - stored <= 4);
        end
        // Not vacuous.
        cover (total == 9 && was_low && !masked && cleared && read_data == 7);
        cover (was_high && cleared && total_before == 5);
    end
endmodule
