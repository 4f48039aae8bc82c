// FifoBlock: the word that was accepted as the n-th is delivered as the n-th, with its value, and shows three clocks after it was
// accepted if it is the oldest then; `count` counts.
//
// The solver picks a word when it is accepted (`pick`); `ahead` counts the words that must leave before it.
module proof #(parameter W = 4, parameter A = 3) (
    input clk, input rst, input in_valid, input [W-1:0] in_data, input out_ready, input pick
);
    localparam DEPTH = 1 << A;
    wire in_ready, out_valid, shown;
    wire [W-1:0] out_data, read_data;
    wire [A:0] count;
    wire [A-1:0] write, read;
    wire [W*DEPTH-1:0] words;
    fifo_block dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .count(count),
        .write(write), .read(read), .shown(shown),
        .memory_read_data(read_data),
        .\memory.words[0] (words[0*W +: W]), .\memory.words[1] (words[1*W +: W]), .\memory.words[2] (words[2*W +: W]),
        .\memory.words[3] (words[3*W +: W]), .\memory.words[4] (words[4*W +: W]), .\memory.words[5] (words[5*W +: W]),
        .\memory.words[6] (words[6*W +: W]), .\memory.words[7] (words[7*W +: W])
    );

    wire push = in_valid && in_ready;
    wire pop = out_valid && out_ready;
    reg past = 0;
    reg tracking = 0;
    reg [W-1:0] tracked;
    reg [A:0] ahead;
    reg [1:0] age;
    reg was_full = 0;
    reg [W-1:0] data_before;
    reg stalled = 0;
    // Words in the memory that are not in the output register.
    wire [A:0] stored = count - out_valid;
    wire [A:0] behind = ahead - out_valid;
    wire [A-1:0] slot = read + behind[A-1:0];

    always @(posedge clk) begin
        past <= 1;
        stalled <= out_valid && !out_ready && !rst;
        data_before <= out_data;
        was_full <= !rst && (was_full || count == DEPTH);
        if (rst) tracking <= 0;
        else if (tracking) begin
            if (pop) ahead <= ahead - 1'b1;
            if (pop && ahead == 0) tracking <= 0;
            if (age != 3) age <= age + 1'b1;
        end else if (push && pick) begin
            tracking <= 1;
            tracked <= in_data;
            ahead <= count - pop;
            age <= 1;
        end
    end

    initial assume (rst);

    always @* if (past) begin
        // The property.
        if (tracking && ahead == 0 && out_valid) assert (out_data == tracked);
        if (tracking && ahead == 0 && age == 3) assert (out_valid);
        if (tracking) assert (ahead < count);
        if (out_valid) assert (count != 0);
        assert (in_ready == (count != DEPTH));
        if (stalled) assert (out_valid && out_data == data_before);
        // What holds inside, for the induction.
        assert (count <= DEPTH);
        if (shown) assert (stored != 0 && read_data == words[read*W +: W]);
        assert (stored[A-1:0] == write - read);
        if (tracking) assert (age != 0);
        if (tracking && !(ahead == 0 && out_valid)) assert (words[slot*W +: W] == tracked);
        // A word that has been in the memory for a clock at the read address is shown.
        if (tracking && behind == 0 && age >= 2 && !(ahead == 0 && out_valid)) assert (shown);
        // Not vacuous.
        cover (count == DEPTH);
        cover (was_full && count == 0);
        cover (was_full && push && pop && tracking && ahead == DEPTH - 2);
        cover (tracking && pop && ahead == 0 && tracked == {W{1'b1}} && age == 3 && was_full);
    end
endmodule
