// HeadRun: two clocks later, the first position from `offset` on whose bit is not `lap`, and whether there is one.
module proof (input clk, input [7:0] word, input lap, input [2:0] offset);
    (* anyconst *) wire [2:0] place;
    wire missing;
    wire [2:0] position;
    wire [7:0] below;
    head_run dut (.clk(clk), .word(word), .lap(lap), .offset(offset), .below(below), .missing(missing), .position(position));
    reg [1:0] age = 0;
    reg [7:0] word1, word2;
    reg lap1, lap2;
    reg [2:0] offset1, offset2;
    always @(posedge clk) begin
        if (age != 2) age <= age + 1;
        word1 <= word; word2 <= word1;
        lap1 <= lap; lap2 <= lap1;
        offset1 <= offset; offset2 <= offset1;
        assert (below[place] == (place < offset));
        if (age == 2) begin
            if (missing) begin
                assert (position >= offset2 && word2[position] != lap2);
                if (place >= offset2 && place < position) assert (word2[place] == lap2);
            end else if (place >= offset2) assert (word2[place] == lap2);
        end
        cover (age == 2 && !missing && offset2 == 3 && !lap2 && word2[2]);
        cover (age == 2 && missing && position == 7 && offset2 == 2 && lap2);
    end
endmodule
