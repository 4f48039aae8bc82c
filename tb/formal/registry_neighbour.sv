// RegistryTable: what goes with a packet as the neighbour of its block number is that, through all four parts in which it is found.
module proof #(parameter UP = 50) (input clk, input [UP-1:0] s1_up);
    wire [UP-1:0] up_2, beside_2;
    registry_table dut (.clk(clk), .s1_up(s1_up), .up_2(up_2), .beside_2(beside_2));

    reg started = 0;
    reg [UP-1:0] before;
    always @(posedge clk) begin
        started <= 1;
        before <= s1_up;
    end
    always @* if (started) begin
        assert (up_2 == before);
        assert (beside_2 == (before[0] ? before + 1'b1 : before - 1'b1));
        cover (&before);
        cover (before == 0);
        cover (&before[UP-2:0] && !before[UP-1]);
        cover (before[0] && !before[1]);
    end
endmodule
