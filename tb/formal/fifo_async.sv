// FifoAsync: the word that was accepted as the n-th is delivered as the n-th, with its value, whatever the two clocks are to each other.
//
// In each step there is an edge of the one clock, of the other, of both or of none, as the solver likes: `formal_clk` is that step, and the two
// clocks say whether there is an edge in it. A flip-flop that samples while its input changes decides for the old value or the new one; of a
// Gray code that is the word before or after, which steps in either order give.
//
// The solver picks a word when it is accepted (`pick`); `place` is its position.
module proof #(parameter W = 2, parameter A = 2) (
    input clk, input write_edge, input read_edge, input in_valid, input [W-1:0] in_data, input out_ready, input pick
);
    localparam DEPTH = 1 << A;
    wire in_ready, out_valid;
    wire [W-1:0] out_data;
    wire [A:0] write, read, write_gray, read_gray, read_seen_0, read_seen, write_seen_0, write_seen;
    wire [W*DEPTH-1:0] words;
    reg ready = 0;
    wire reset = !ready;
    fifo_async dut (
        .formal_clk(clk), .write_clk(write_edge), .read_clk(read_edge), .write_rst(reset), .read_rst(reset),
        .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data),
        .write(write), .read(read), .write_gray(write_gray), .read_gray(read_gray), .\read_seen.stage_0 (read_seen_0), .\read_seen.q (read_seen),
        .\write_seen.stage_0 (write_seen_0), .\write_seen.q (write_seen),
        .\memory.words[0] (words[0*W +: W]), .\memory.words[1] (words[1*W +: W]), .\memory.words[2] (words[2*W +: W]), .\memory.words[3] (words[3*W +: W])
    );

    function [A:0] binary(input [A:0] gray);
        integer i;
        begin
            binary[A] = gray[A];
            for (i = A - 1; i >= 0; i = i - 1) binary[i] = binary[i + 1] ^ gray[i];
        end
    endfunction
    function [A:0] gray(input [A:0] binary);
        gray = binary ^ (binary >> 1);
    endfunction

    // How long the reset is: an edge of each clock, and then as many as there are flip-flops in a row.
    reg wrote = 0, did_read = 0;
    reg [1:0] writes = 0, reads = 0;
    wire begun = wrote && did_read;
    always @(posedge clk) begin
        if (write_edge) wrote <= 1;
        if (read_edge) did_read <= 1;
        if (begun && write_edge && writes != 2) writes <= writes + 1'b1;
        if (begun && read_edge && reads != 2) reads <= reads + 1'b1;
        if (writes == 2 && reads == 2) ready <= 1;
    end

    wire push = ready && write_edge && in_valid && in_ready;
    wire pop = ready && read_edge && out_valid && out_ready;
    wire take = ready && read_edge && (read_gray != write_seen) && (!out_valid || out_ready);
    reg waiting = 0, shown = 0;
    reg [W-1:0] tracked;
    reg [A:0] place;
    // Words that have been delivered, on the circle.
    reg [A:0] delivered = 0;
    reg stalled = 0, was_full = 0, went_round = 0;
    reg [W-1:0] data_before;
    always @(posedge clk) begin
        stalled <= ready && out_valid && !pop;
        data_before <= out_data;
        was_full <= was_full || (ready && !in_ready);
        went_round <= went_round || (push && &write);
        if (push && pick && !waiting && !shown) begin
            waiting <= 1;
            place <= write;
            tracked <= in_data;
        end
        if (waiting && take && read == place) begin
            waiting <= 0;
            shown <= 1;
        end
        if (shown && pop) shown <= 0;
        if (pop) delivered <= delivered + 1'b1;
    end

    // How far each is behind the one that it follows, on the circle of positions.
    wire [A:0] seen_read_0 = binary(read_seen_0), seen_read = binary(read_seen), seen_write_0 = binary(write_seen_0), seen_write = binary(write_seen);
    wire [A:0] a = seen_read_0 - seen_read, b = read - seen_read_0, c = seen_write - read, d = seen_write_0 - seen_write, e = write - seen_write_0;
    wire [A+3:0] held = a + b + c + d + e;
    wire [A:0] age = place - read;
    wire [A:0] words_inside = write - read;
    wire [A:0] shown_now = read - delivered;

    always @* if (ready) begin
        // The property.
        if (shown) assert (out_valid && out_data == tracked);
        if (stalled) assert (out_valid && out_data == data_before);
        // No word is delivered that was not taken out of the memory, and none twice.
        assert (shown_now == {{A{1'b0}}, out_valid});
        assert (words_inside <= DEPTH);
        if (words_inside == DEPTH) assert (!in_ready);
        if (words_inside == 0) assert (write_seen == read_gray);
        // What holds inside, for the induction.
        assert (write_gray == gray(write) && read_gray == gray(read));
        assert (held <= DEPTH);
        if (waiting) assert (age < words_inside && words[place[A-1:0]*W +: W] == tracked);
        assert (!(waiting && shown));
        // Not vacuous.
        cover (was_full && words_inside == 0 && !out_valid);
        cover (went_round && shown && pop && tracked == {W{1'b1}});
        cover (went_round && push && take && write_edge && read_edge);
        cover (words_inside == DEPTH && out_valid);
    end else begin
        // The reset brings it there.
        assert (!waiting && !shown && !stalled && delivered == 0);
        if (wrote) assert (write == 0 && write_gray == 0);
        if (did_read) assert (read == 0 && read_gray == 0 && !out_valid);
        if (begun && writes >= 1) assert (read_seen_0 == 0);
        if (begun && writes == 2) assert (read_seen == 0);
        if (begun && reads >= 1) assert (write_seen_0 == 0);
        if (begun && reads == 2) assert (write_seen == 0);
        assert (begun || (writes == 0 && reads == 0));
        assert (writes <= 2 && reads <= 2);
    end
endmodule
