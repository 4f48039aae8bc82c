// ClearedRam: with `ready`, a word that was not written since the reset reads zero, any other what was written last.
module proof #(parameter W = 4, parameter A = 3) (
    input clk, input rst, input write_enable, input [A-1:0] write_address, input [W-1:0] write_data, input [A-1:0] read_address
);
    localparam DEPTH = 1 << A;
    wire ready;
    wire [W-1:0] read_data;
    wire [A-1:0] next_word;
    wire [W*DEPTH-1:0] words;
    cleared_ram dut (
        .clk(clk), .rst(rst), .ready(ready), .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .read_address(read_address), .read_data(read_data), .next_word(next_word),
        .\ram.words[0] (words[0*W +: W]), .\ram.words[1] (words[1*W +: W]), .\ram.words[2] (words[2*W +: W]),
        .\ram.words[3] (words[3*W +: W]), .\ram.words[4] (words[4*W +: W]), .\ram.words[5] (words[5*W +: W]),
        .\ram.words[6] (words[6*W +: W]), .\ram.words[7] (words[7*W +: W])
    );

    // Any one word and its expected contents.
    (* anyconst *) wire [A-1:0] watch;
    reg [W-1:0] expected = 0;
    reg [W-1:0] expected_read;
    reg read_watched = 0;
    reg past = 0;
    reg [A:0] clearing = 0;
    reg written = 0;

    always @(posedge clk) begin
        past <= 1;
        read_watched <= ready && read_address == watch;
        expected_read <= expected;
        clearing <= rst ? 0 : ready ? clearing : clearing + 1'b1;
        if (rst || !ready) expected <= 0;
        else if (write_enable && write_address == watch) expected <= write_data;
        written <= !rst && (written || (ready && write_enable && write_address == watch && write_data != 0));
    end

    initial assume (rst);

    always @* if (past) begin
        // The property. Clearing takes as many clocks as there are words.
        if (read_watched) assert (read_data == expected_read);
        assert (ready == (clearing == DEPTH));
        // What holds inside, for the induction.
        assert (clearing <= DEPTH);
        assert (next_word == clearing[A-1:0]);
        if (ready || watch < next_word) assert (words[watch*W +: W] == expected);
        if (!ready) assert (expected == 0);
        // Not vacuous.
        cover (read_watched && written && read_data != 0);
        cover (read_watched && !written && watch == DEPTH - 1);
    end
endmodule
