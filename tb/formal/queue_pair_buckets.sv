// QueuePairBuckets, two queue pairs, a time of four bits, either of the two: each operation begins with what the one before it of its queue pair has left, at the rate that was set last before
// it, with the clocks since then, which are below 16 because of the visits. A packet goes exactly if its bytes are there, and takes them; what comes in beyond the burst is lost; so tokens are
// never below 0 and never above the burst, and no sum overflows.
module proof (
    input clk, input rst, input [15:0] cfg_burst, input set_valid, input set_qp, input [27:0] set_rate, input back_valid, input back_qp, input [15:0] back_bytes,
    input ask_valid, input ask_qp, input [15:0] ask_bytes
);
    wire ready, set_ready, back_ready, ask_ready, answer_valid, answer_qp, answer_granted;
    wire [15:0] answer_left;
    wire valid_0, valid_1, valid_2, valid_3, valid_4, valid_5, valid_6, valid_7, valid_8, qp_0, qp_1, qp_2, qp_3, qp_4, qp_5, qp_6, qp_7;
    wire asks_0, asks_1, asks_2, asks_3, asks_4, asks_5, asks_6, asks_7, asks_8, gives_0, gives_1, gives_2, gives_3, gives_4;
    wire [15:0] want_0, want_1, want_2, want_3, want_4, takes6, gives6, change6, room6, with7, takes7;
    wire [16:0] less7, most7;
    wire [3:0] now, now1, now2, elapsed3;
    wire [1:0] period;
    wire due, visited, visits, sets1, sets2, same7, granted8, words_ready, missing_ready, words_next, missing_next;
    wire [27:0] rate1, rate2, rate3;
    wire [31:0] word2, written3, words_read_data, word_0, word_1;
    wire [35:0] gained, read7, missing8, missing9, missing_read_data, missing_0, missing_1;
    wire [19:0] fraction7;
    queue_pair_buckets dut (
        .clk(clk), .rst(rst), .ready(ready), .cfg_limit(1'b1), .cfg_burst(cfg_burst), .set_valid(set_valid), .set_ready(set_ready), .set_qp(set_qp), .set_rate(set_rate),
        .back_valid(back_valid), .back_ready(back_ready), .back_qp(back_qp), .back_bytes(back_bytes), .ask_valid(ask_valid), .ask_ready(ask_ready), .ask_qp(ask_qp),
        .ask_bytes(ask_bytes), .answer_valid(answer_valid), .answer_qp(answer_qp), .answer_granted(answer_granted), .answer_left(answer_left),
        .valid_0(valid_0), .valid_1(valid_1), .valid_2(valid_2), .valid_3(valid_3), .valid_4(valid_4), .valid_5(valid_5), .valid_6(valid_6), .valid_7(valid_7), .valid_8(valid_8),
        .qp_0(qp_0), .qp_1(qp_1), .qp_2(qp_2), .qp_3(qp_3), .qp_4(qp_4), .qp_5(qp_5), .qp_6(qp_6), .qp_7(qp_7),
        .asks_0(asks_0), .asks_1(asks_1), .asks_2(asks_2), .asks_3(asks_3), .asks_4(asks_4), .asks_5(asks_5), .asks_6(asks_6), .asks_7(asks_7), .asks_8(asks_8),
        .gives_0(gives_0), .gives_1(gives_1), .gives_2(gives_2), .gives_3(gives_3), .gives_4(gives_4), .want_0(want_0), .want_1(want_1), .want_2(want_2), .want_3(want_3),
        .want_4(want_4), .now(now), .period(period), .due(due), .visited(visited), .visits(visits), .sets1(sets1), .rate1(rate1), .now1(now1), .sets2(sets2), .rate2(rate2),
        .now2(now2), .word2(word2), .written3(written3), .rate3(rate3), .elapsed3(elapsed3), .takes6(takes6), .gives6(gives6), .change6(change6), .room6(room6),
        .gain_gained(gained), .fraction7(fraction7), .less7(less7), .with7(with7), .most7(most7), .takes7(takes7), .read7(read7), .same7(same7), .missing8(missing8),
        .missing9(missing9), .granted8(granted8), .words_ready(words_ready), .missing_ready(missing_ready),
        .words_read_data(words_read_data), .missing_read_data(missing_read_data), .\words.next_word (words_next), .\missing.next_word (missing_next),
        .\words.ram.words[0] (word_0), .\words.ram.words[1] (word_1), .\missing.ram.words[0] (missing_0), .\missing.ram.words[1] (missing_1)
    );

    (* anyconst *) reg pair;
    (* anyconst *) reg [15:0] burst;
    wire [37:0] full = {2'd0, burst, 20'd0};
    wire [31:0] word = pair ? word_1 : word_0;
    wire [35:0] missing = pair ? missing_1 : missing_0;
    // The word has been cleared: words are in their order.
    wire clear = words_ready || words_next > pair;

    // What was offered, on its way: bytes of packets, of what comes back, rates.
    wire sets = set_valid && set_ready, gives = back_valid && back_ready, asks = ask_valid && ask_ready;
    reg [15:0] t1, t2, t3, t4, t5, t6, t7, b1, b2, b3, b4, b5, b6, b7;
    reg [27:0] s1, s2;
    reg is1, is2;
    // Of the queue pair: the word, what is missing, the clocks since its last operation and its last visit.
    reg [31:0] kept;
    reg [35:0] mine, mine9;
    reg [4:0] since, e1, e2, e3, age;
    reg any, any1, any2, any3, goes8, goes9;
    reg [27:0] r3;
    wire hit0 = (sets && set_qp == pair) || (gives && back_qp == pair) || (asks && ask_qp == pair) || (visits && ready && visited == pair);
    wire hit1 = valid_0 && qp_0 == pair, hit2 = valid_1 && qp_1 == pair, hit3 = valid_2 && qp_2 == pair;
    wire hit6 = valid_5 && qp_5 == pair, hit7 = valid_6 && qp_6 == pair, hit8 = valid_7 && qp_7 == pair, hit9 = valid_8 && answer_qp == pair;
    // The token arithmetic, in words that hold every sum.
    wire [37:0] came = {1'b0, less7, fraction7};
    wire [37:0] rest = {2'b0, mine} > came ? {2'b0, mine} - came : 0;
    wire goes = rest + {2'b0, t7, 20'd0} <= full;
    wire [37:0] then = goes ? rest + {2'b0, t7, 20'd0} : rest;

    reg past = 0;
    reg [1:0] refused = 0;
    reg came_back = 0;
    always @(posedge clk) begin
        past <= 1;
        t1 <= asks ? ask_bytes : 0;
        t2 <= t1 > burst ? burst : t1;
        {t3, t4, t5, t6, t7} <= {t2, t3, t4, t5, t6};
        b1 <= gives ? back_bytes : 0;
        {b2, b3, b4, b5, b6, b7} <= {b1, b2, b3, b4, b5, b6};
        {is1, is2, s1, s2} <= {sets, is1, set_rate, s1};
        if (hit2) kept <= {now2, is2 ? s2 : kept[27:0]};
        if (hit2) r3 <= kept[27:0];
        since <= hit0 ? 1 : since + (since != 31);
        {e1, e2, e3} <= {since, e1, e2};
        if (hit0) any <= 1;
        {any1, any2, any3} <= {any, any1, any2};
        age <= visits && ready && visited == pair ? 1 : age + (age != 31);
        if (hit7) mine <= then[35:0];
        {goes8, goes9} <= {goes, goes8};
        mine9 <= mine;
        if (answer_valid && !answer_granted && refused != 3) refused <= refused + 1;
        if (gives) came_back <= 1;
        if (rst) begin
            {t1, t2, t3, t4, t5, t6, t7, b1, b2, b3, b4, b5, b6, b7, is1, is2, kept, mine, any, any1, any2, any3, refused, came_back} <= 0;
            age <= 1;
        end
    end

    initial assume (rst);
    always @* assume (cfg_burst == burst);
    // Amounts of so many bits: what is above and below them is the same sums once more.
    always @* begin
        assume (burst < 64 && ask_bytes < 128 && back_bytes < 128);
        assume (gained[35:27] == 0 && gained[17:0] == 0);
    end

    // Clocks until the next visit at the latest.
    wire [4:0] until = (due ? 5'd3 - period : 5'd7 - period) + (visited == pair ? 0 : 4);

    always @* if (past) begin
        // The property: never below 0, never above the burst, no sum too great; each packet goes exactly if its bytes are there.
        assert (mine <= full);
        assert (then <= full);
        if (hit8) assert (missing8 == mine && (!asks_7 || granted8 == goes8));
        if (answer_valid && answer_qp == pair) assert (answer_granted == goes9 && answer_left == (full - mine9) >> 20);
        // The rate that was set last, and the clocks since the last operation: below 16.
        if (hit3) assert (rate3 == r3 && (!any3 || elapsed3 == e3));
        assert (age < 16);
        if (any) assert (since < 16);

        // What holds inside, for the induction.
        assert (mine[17:0] == 0);
        if (hit9) assert (mine9[17:0] == 0);
        if (valid_6) assert (fraction7[17:0] == 0 && less7 < 256);
        assert (t1 < 128 && b1 < 128 && b2 < 128 && b3 < 128 && b4 < 128 && b5 < 128 && b6 < 128 && b7 < 128);
        assert (words_ready == missing_ready && words_next == missing_next);
        if (!words_ready) assert (!(valid_0 || valid_1 || valid_2 || valid_3 || valid_4 || valid_5 || valid_6 || valid_7 || valid_8) && !any && kept == 0 && mine == 0);
        if (!words_ready) assert (!due && period == words_next && !visited);
        assert (age + until <= 12);
        if (any) assert (since <= age);
        if (valid_0) assert (now == now1 + 4'd1);
        if (valid_1) assert (now == now2 + 4'd2);
        if (hit1 || hit2 || hit3) assert (any);
        if (any1 || any2 || any3) assert (any);
        if (any2) assert (any1);
        if (any3) assert (any2);
        if (hit1 && any1) assert (e1[3:0] == now1 - (hit2 ? now2 : kept[31:28]) && e1 < 16);
        if (hit2 && any2) assert (e2[3:0] == now2 - kept[31:28] && e2 < 16);
        if (hit2) assert (any1);
        if (any) assert (since[3:0] == now - (hit1 ? now1 : hit2 ? now2 : kept[31:28]));
        if (valid_0) assert (sets1 == is1 && (!is1 || rate1 == s1));
        if (valid_1) assert (sets2 == is2 && (!is2 || rate2 == s2));
        if (clear) assert (word == kept);
        if (hit1 && !hit3) assert (words_read_data == kept);
        if (hit2) assert (word2 == kept);
        if (hit3) assert (written3 == kept);

        if (valid_0) assert (want_0 == (gives_0 ? b1 : t1) && (gives_0 ? t1 == 0 : b1 == 0) && (asks_0 || t1 == 0) && !(asks_0 && gives_0));
        if (valid_1) assert (want_1 == (gives_1 ? b2 : t2) && (gives_1 ? t2 == 0 : b2 == 0));
        if (valid_2) assert (want_2 == (gives_2 ? b3 : t3) && (gives_2 ? t3 == 0 : b3 == 0));
        if (valid_3) assert (want_3 == (gives_3 ? b4 : t4) && (gives_3 ? t4 == 0 : b4 == 0));
        if (valid_4) assert (want_4 == (gives_4 ? b5 : t5) && (gives_4 ? t5 == 0 : b5 == 0));
        if (valid_5) assert (takes6 == t6 && gives6 == b6 && change6 == b6 - t6 && room6 == burst - t6);
        if (valid_6) assert (takes7 == t7 && with7 == less7[15:0] - t7 && most7 == less7 - b7 + burst - t7 && less7 >= b7 && less7 - b7 < 65536);
        assert (t2 <= burst && t3 <= burst && t4 <= burst && t5 <= burst && t6 <= burst && t7 <= burst);
        if (valid_6) assert (same7 == (valid_7 && qp_7 == qp_6));
        if (hit9 && !hit8) assert (missing9 == mine);
        if (hit9) assert (missing9 == mine9);
        if (!hit8 && clear) assert (missing == mine);
        if (hit7 && !same7) assert (read7 == mine);
        if (hit6 && !hit8 && !hit9) assert (missing_read_data == mine);
        if (hit8 && asks_7) assert (granted8 == goes8);
        if (hit9) assert (answer_granted == goes9 || !asks_8);
        if (hit9) assert (answer_left == (full - mine9) >> 20);
        // Not vacuous.
        cover (refused == 2 && came_back && answer_valid && answer_granted && answer_left == 7 && answer_qp == pair);
    end
endmodule
