// SegmentBits: every packet of the window sets exactly its bit, at once for the one behind it: the bit that a packet finds, and the word that it leaves, are
// those of packets taken one at a time. No other bit changes, and the replica holds the same.
//
// The solver picks one bit of one segment. `now` is its value after all that has left stage 5; memory and registers behind it hold what it was some clocks
// ago. Who clears a segment is followed by no packet for three clocks: the opener sees to it.
module proof (
    input clk, input rst, input [1:0] s3_segment, input valid4, input begin4, input inside5, input lap5, input [3:0] below5, input [1:0] s3_position,
    input [1:0] replica_segment
);
    (* anyconst *) wire [1:0] watch;
    (* anyconst *) wire [1:0] place;
    reg past = 0;
    reg [2:0] age = 0;
    reg valid5 = 0, begin5 = 0, valid6 = 0, begin6 = 0, valid7 = 0, valid8 = 0;
    reg [1:0] segment4 = 0, segment5 = 0, segment6 = 0, segment7 = 0, segment8 = 0, position4 = 0, position5 = 0, position6 = 0;
    reg [3:0] below6;
    reg lap6, known = 0;
    reg now = 0, now1, now2, now3;
    reg hit6 = 0, hit7 = 0, hit8 = 0;
    reg found6, old6, ours6 = 0;
    reg [2:0] since_begin = 0;
    reg known1 = 0, known2 = 0, known3 = 0;
    reg [1:0] replica1, replica2;

    wire was_set;
    wire [3:0] word6, word7, word8, first, second, replica_first, replica_word, seen6;
    wire same6, same7, same8, dut_valid6, dut_valid7, dut_begin6;
    wire [1:0] dut4, dut5, dut6, dut7;
    wire [3:0] hot5, hot6;
    wire [3:0] memory_0, memory_1, memory_2, memory_3, copy_0, copy_1, copy_2, copy_3;
    wire [3:0] stored = watch == 0 ? memory_0 : watch == 1 ? memory_1 : watch == 2 ? memory_2 : memory_3;
    wire [3:0] copied = watch == 0 ? copy_0 : watch == 1 ? copy_1 : watch == 2 ? copy_2 : copy_3;
    segment_bits dut (
        .clk(clk), .rst(rst), .s3_segment(s3_segment), .s4_position(position4), .s5_valid(valid5), .s5_inside(valid5 && inside5), .s5_lap(lap5),
        .s5_begin(begin5), .s6_below(below6), .s6_was_set(was_set), .s6_word(word6), .replica_segment(replica_segment),
        .replica_word(replica_word), .word7(word7), .word8(word8), .same6(same6), .same7(same7), .same8(same8),
        .valid6(dut_valid6), .valid7(dut_valid7), .begin6(dut_begin6), .segment4(dut4), .segment5(dut5), .segment6(dut6), .segment7(dut7),
        .hot5(hot5), .hot6(hot6), .seen6(seen6), .lap6(), .\memory.first (first), .\memory.read_data (second),
        .\memory.words[0] (memory_0), .\memory.words[1] (memory_1), .\memory.words[2] (memory_2), .\memory.words[3] (memory_3),
        .\replica.words[0] (copy_0), .\replica.words[1] (copy_1), .\replica.words[2] (copy_2), .\replica.words[3] (copy_3),
        .\replica.first (replica_first)
    );

    wire marks5 = valid5 && segment5 == watch;
    wire clears5 = begin5 && segment5 == watch;
    wire next = clears5 ? (lap5 ? below5[place] : !below5[place]) : marks5 && inside5 && position5 == place ? lap5 : now;

    always @(posedge clk) begin
        past <= 1;
        if (age != 7) age <= age + 1;
        // One clock of reset at the start.
        if (!past) assume (rst); else assume (!rst);
        assume (!(valid4 && begin4));
        if (begin5 || since_begin != 0) assume (!valid4 && !begin4);
        since_begin <= rst ? 0 : begin5 ? 3 : since_begin != 0 ? since_begin - 1 : 0;
        valid5 <= !rst && valid4;
        begin5 <= !rst && begin4;
        valid6 <= !rst && valid5;
        begin6 <= !rst && begin5;
        valid7 <= !rst && valid6;
        valid8 <= !rst && valid7;
        segment4 <= s3_segment; segment5 <= segment4; segment6 <= segment5; segment7 <= segment6; segment8 <= segment7;
        position4 <= s3_position; position5 <= position4; position6 <= position5;
        below6 <= below5;
        lap6 <= lap5;
        replica1 <= replica_segment; replica2 <= replica1;
        if (!rst) begin
            now <= next;
            known <= known || clears5;
            hit6 <= marks5 || clears5;
        end else hit6 <= 0;
        now1 <= now; now2 <= now1; now3 <= now2;
        known1 <= known; known2 <= known1; known3 <= known2;
        hit7 <= !rst && hit6; hit8 <= !rst && hit7;
        old6 <= now;
        ours6 <= marks5 && known && !rst;
        if (past && !rst) begin
            // What is promised.
            if (ours6 && position6 == place) assert (was_set == (old6 == lap6));
            if (ours6) assert (word6[place] == now);
            if (known2 && replica2 == watch) assert (replica_word[place] == now3 || !known3);
            // For the induction: memory and registers are what the bit was.
            assert (dut_valid6 == valid6 && dut_valid7 == valid7 && dut_begin6 == begin6);
            assert (dut4 == segment4 && dut5 == segment5 && dut6 == segment6 && dut7 == segment7);
            if (age >= 2) assert (hot5 == (4'd1 << position5));
            if (age >= 3) assert (hot6 == (4'd1 << position6));
            assert (same6 == (valid6 && segment5 == segment6));
            assert (same7 == (valid7 && segment5 == segment7));
            assert (same8 == (valid8 && segment5 == segment8));
            assert (hit6 == ((valid6 || begin6) && segment6 == watch));
            if (age >= 2 && !hit6) assert (now == now1);
            if (age >= 3 && !hit7) assert (now1 == now2);
            if (age >= 4 && !hit8) assert (now2 == now3);
            if (known3) assert (known2);
            if (known2) assert (known1);
            if (known1) assert (known);
            if (known1) assert (stored[place] == now1 && copied[place] == now1);
            if (known2 && segment4 == watch) assert (first[place] == now2);
            if (known2 && replica1 == watch) assert (replica_first[place] == now2);
            if (known3 && segment5 == watch) assert (second[place] == now3);
            if (known1 && valid6 && segment6 == watch) assert (word6[place] == now);
            if (known2 && valid7 && segment7 == watch) assert (word7[place] == now1);
            if (known3 && valid8 && segment8 == watch) assert (word8[place] == now2);
        end
        // Not vacuous.
        cover (ours6 && position6 == place && was_set && hit7 && !begin6);
        cover (ours6 && position6 == place && !was_set && hit7 && hit8 && lap6);
        cover (known3 && now3 && !now2);
        cover (known3 && replica2 == watch && replica_word[place]);
    end
endmodule
