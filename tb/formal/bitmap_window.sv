// BitmapPipeline: where a packet's bit is. In stage 5 every packet of the window has one bit, no other packet of the window has the same, and the bit names the
// packet that it is of. The window begins at a multiple of its step from its queue pair's first number, less than a step before the base.
// What lies half of all numbers ahead or more is never in the window, and what is below it is never in it too. In stage 8 the base
// moves over packets of its segment only whose bit in the word of stage 6, which `segment_bits` proves to be right, says that they have arrived; not past the first
// other one.
//
// The solver picks one other packet, of the same queue pair and in the window of the same base.
module proof (
    input clk, input rst, input header_valid, input header_qp, input [23:0] header_psn, input command_valid, input command_open, input command_qp,
    input [23:0] command_psn, input [6:0] slide_step
);
    (* anyconst *) wire [23:0] other;
    wire inside5, below5, head5, begin5, live5, qp5, lap;
    wire [23:0] base5, psn5;
    wire [2:0] segment5;
    wire [3:0] hot5, word6;
    wire head8, begin8;
    wire [23:0] base8, now8;
    wire [1:0] phase3, mask3, done_first4, done_second4;
    wire second4;
    bitmap_pipeline dut (
        .clk(clk), .rst(rst), .header_valid(header_valid), .header_qp(header_qp), .header_psn(header_psn), .header_path(4'd0),
        .header_retransmission(1'b0), .command_valid(command_valid), .command_open(command_open), .command_qp(command_qp), .command_psn(command_psn),
        .slide_step(slide_step), .hold(1'b0), .peek_qp(1'b0), .word_segment(3'd0), .inside5(inside5), .below5(below5), .head5(head5), .base5(base5), .begin5(begin5),
        .live5(live5), .\stages.psn5 (psn5), .\stages.qp_5 (qp5), .\segments.segment5 (segment5), .\segments.hot5 (hot5), .segments_s5_lap(lap),
        .segments_s6_word(word6), .head8(head8), .begin8(begin8), .base8(base8), .now8(now8),
        .\steps_0.phase3 (phase3), .\steps_0.mask (mask3), .\steps_0.done_first4 (done_first4), .\steps_0.done_second4 (done_second4), .second_counts4(second4)
    );
    wire [23:0] beyond = psn5 - base5, other_beyond = other - base5;
    // The place of a bit, from the base's on, and the packet that is there.
    wire [1:0] position = {hot5[3] || hot5[2], hot5[3] || hot5[1]};
    wire [3:0] slot = {segment5[1:0], position};
    wire [3:0] ahead = slot - base5[3:0];
    wire [23:0] moved = now8 - base8, from_base = other - base8;
    reg [1:0] phase4 = 0, phase5 = 0, mask4 = 0, mask5 = 0, done5 = 0;
    wire [23:0] from_start = beyond + done5;
    reg [3:0] word7 = 0, word8 = 0;
    reg past = 0;
    reg [2:0] age = 0;
    reg [6:0] clock = 0;

    always @(posedge clk) begin
        past <= 1;
        if (!past) assume (rst); else assume (!rst);
        if (age != 7) age <= age + 1;
`ifdef COVER
        // A queue pair is opened just before the numbers begin anew, and gets four packets: to search for that takes hours.
        clock <= clock + 1;
        assume (command_valid == (clock == 10) && command_open && !command_qp && command_psn == 24'hfffff8);
        assume (header_valid == ((clock >= 50 && clock < 53) || clock == 62) && !header_qp);
        assume (header_psn == (clock == 50 ? 24'd7 : clock == 51 ? 24'hfffff8 : clock == 52 ? 24'hfffff0 : 24'd8));
`endif
        phase4 <= phase3;
        phase5 <= phase4;
        mask4 <= mask3;
        mask5 <= mask4;
        done5 <= second4 ? done_second4 : done_first4;
        word7 <= word6;
        word8 <= word7;
        if (age >= 6 && head8) begin
            assert (moved <= 24'd4);
            if (from_base < moved) assert (other[23:2] == base8[23:2] && word8[other[1:0]] == base8[4]);
            if (other == now8 && now8[1:0] != 0) assert (word8[other[1:0]] != base8[4]);
        end
        if (age >= 6 && !head8) assert (now8 == base8);
        if (age >= 6 && !begin5) begin
            assert (inside5 == (live5 && !beyond[23] && from_start < 16));
            assert (((base5[1:0] - done5 - phase5) & mask5) == 0 && (done5 & ~mask5) == 0);
            assert (!inside5 || beyond < 16);
            assert (!(inside5 && beyond >= 24'h800000));
            assert (!(inside5 && below5));
            assert (below5 == (beyond > 24'h800000));
            assert (hot5 == (4'd1 << position));
            assert (head5 == (psn5[23:2] == base5[23:2]));
            if (inside5) begin
                assert (segment5[2] == qp5);
                // One bit, and back.
                assert (base5 + ahead == psn5);
                // No other packet has it.
                if (other_beyond < 16 && other != psn5) assert (other[3:0] != slot);
                // The value that says so is that of this round, and not that of the next or the one before.
                assert (lap == psn5[4]);
                if (other == psn5 + 24'd16 || psn5 == other + 24'd16) assert (lap != other[4] && slot == other[3:0]);
            end
        end
        cover (inside5 && !begin5 && beyond == 15 && psn5 < 8 && other == psn5 + 24'd16);
        cover (inside5 && !begin5 && other_beyond == 15 && other != psn5);
        cover (head8 && !begin8 && moved == 1);
        cover (below5 && live5 && !begin5);
        cover (live5 && !inside5 && !begin5 && beyond == 15);
    end
endmodule
