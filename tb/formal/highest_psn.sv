// HighestPsn: the highest number of a queue pair is that of its packets taken one at a time: it never goes back, and is that of a packet of the window
// or what the queue pair began with.
//
// The solver picks one queue pair. `now` is its highest number after all that has left stage 5. Who begins is followed by no packet for three clocks: the
// opener sees to it. Packets of the window are less than half of all numbers away from the highest.
module proof (
    input clk, input rst, input [1:0] s3_qp, input valid4, input begin4, input inside5, input [23:0] psn5, input [23:0] initial_in
);
    (* anyconst *) wire [1:0] watch;
    reg past = 0;
    reg [2:0] age = 0;
    reg valid5 = 0, begin5 = 0, valid6 = 0, begin6 = 0, valid7 = 0, valid8 = 0;
    reg [1:0] qp4 = 0, qp5 = 0, qp6 = 0, qp7 = 0, qp8 = 0;
    reg known = 0, known1 = 0, known2 = 0, known3 = 0, hit6 = 0, hit7 = 0, hit8 = 0, ours6 = 0;
    reg [23:0] now, now1, now2, now3, initial6;
    reg [2:0] since_begin = 0;
    wire [23:0] highest6, highest7, highest8, second, first, memory_0, memory_1, memory_2, memory_3;
    wire [23:0] stored = watch == 0 ? memory_0 : watch == 1 ? memory_1 : watch == 2 ? memory_2 : memory_3;
    wire same6, same7, same8, dut_valid6, dut_valid7, dut_begin6;
    wire [1:0] dut4, dut5, dut6, dut7;
    highest_psn dut (
        .clk(clk), .rst(rst), .s3_qp(s3_qp), .s5_valid(valid5), .s5_inside(valid5 && inside5), .s5_psn(psn5), .s5_begin(begin5), .begin_with(initial6),
        .s6_highest(highest6), .highest7(highest7), .highest8(highest8), .same6(same6), .same7(same7), .same8(same8),
        .valid6(dut_valid6), .valid7(dut_valid7), .begin6(dut_begin6), .qp4(dut4), .qp5(dut5), .qp6(dut6), .qp7(dut7),
        .\memory.first (first), .\memory.read_data (second),
        .\memory.words[0] (memory_0), .\memory.words[1] (memory_1), .\memory.words[2] (memory_2), .\memory.words[3] (memory_3)
    );

    wire marks5 = valid5 && qp5 == watch;
    wire begins5 = begin5 && qp5 == watch;
    wire [23:0] ahead = psn5 - now;
    wire raises = marks5 && inside5 && ahead != 0 && !ahead[23];
    wire [23:0] next = begins5 ? initial_in : raises ? psn5 : now;

    always @(posedge clk) begin
        past <= 1;
        if (age != 7) age <= age + 1;
        if (!past) assume (rst); else assume (!rst);
        assume (!(valid4 && begin4));
        if (begin5 || since_begin != 0) assume (!valid4 && !begin4);
        if (marks5 && known) assume (ahead != 24'h800000);
        since_begin <= rst ? 0 : begin5 ? 3 : since_begin != 0 ? since_begin - 1 : 0;
        valid5 <= !rst && valid4; begin5 <= !rst && begin4;
        valid6 <= !rst && valid5; begin6 <= !rst && begin5;
        valid7 <= !rst && valid6; valid8 <= !rst && valid7;
        qp4 <= s3_qp; qp5 <= qp4; qp6 <= qp5; qp7 <= qp6; qp8 <= qp7;
        initial6 <= initial_in;
        if (!rst) begin
            now <= next;
            known <= known || begins5;
            hit6 <= marks5 || begins5;
        end else hit6 <= 0;
        now1 <= now; now2 <= now1; now3 <= now2;
        known1 <= known; known2 <= known1; known3 <= known2;
        hit7 <= !rst && hit6; hit8 <= !rst && hit7;
        ours6 <= marks5 && known && !rst;
        if (past && !rst) begin
            // What is promised.
            if (ours6) assert (highest6 == now);
            // For the induction.
            assert (dut_valid6 == valid6 && dut_valid7 == valid7 && dut_begin6 == begin6);
            assert (dut4 == qp4 && dut5 == qp5 && dut6 == qp6 && dut7 == qp7);
            assert (same6 == (valid6 && qp5 == qp6));
            assert (same7 == (valid7 && qp5 == qp7));
            assert (same8 == (valid8 && qp5 == qp8));
            assert (hit6 == ((valid6 || begin6) && qp6 == watch));
            if (age >= 2 && !hit6) assert (now == now1);
            if (age >= 3 && !hit7) assert (now1 == now2);
            if (age >= 4 && !hit8) assert (now2 == now3);
            if (known3) assert (known2);
            if (known2) assert (known1);
            if (known1) assert (known);
            if (begin6 && qp6 == watch) assert (now == initial6);
            if (known1) assert (stored == now1);
            if (known2 && qp4 == watch) assert (first == now2);
            if (known3 && qp5 == watch) assert (second == now3);
            if (known1 && valid6 && qp6 == watch) assert (highest6 == now);
            if (known2 && valid7 && qp7 == watch) assert (highest7 == now1);
            if (known3 && valid8 && qp8 == watch) assert (highest8 == now2);
        end
        // Not vacuous.
        cover (ours6 && hit7 && hit8 && now != now1 && now1 != now2);
        cover (ours6 && now < now1 && !begin6);
        cover (known3 && hit6 && !hit7 && !hit8 && now == now1);
    end
endmodule
