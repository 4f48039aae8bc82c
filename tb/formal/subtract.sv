// Subtract: the difference is that of the operands of the clock before, modulo 2^32, for every pair and whatever came before. There is no
// reset, and nothing is assumed: it holds from the second clock on.
module proof (input clk, input [31:0] a, input [31:0] b);
    wire [31:0] difference;
    subtract dut (.clk(clk), .a(a), .b(b), .difference(difference));

    reg past = 0;
    reg [31:0] a_before, b_before;
    wire borrows = a_before[15:0] < b_before[15:0];
    reg borrowed = 0;
    always @(posedge clk) begin
        past <= 1;
        a_before <= a;
        b_before <= b;
        borrowed <= past && borrows;
    end

    always @* if (past) begin
        assert (difference == a_before - b_before);
        // Not vacuous: a borrow between the halves; one that the upper half hands on; none right behind one.
        cover (borrows && !borrowed && difference == 32'h0001_fffe);
        cover (borrows && a_before[31:16] == b_before[31:16] && difference == 32'hffff_8000);
        cover (!borrows && borrowed && difference == 32'h0001_0001);
    end
endmodule
