// RangeMeet: one clock later it says where the packet lies beside the operation. Both have at most as many packets as their lower bits count.
module proof #(parameter UP = 50, parameter MW = 5, parameter CW = 6) (
    input clk, input [UP-1:0] s1_up, input [MW-1:0] s1_lo, input [CW-1:0] s1_count, input [UP-1:0] up, input [MW-1:0] lo, input [CW-1:0] count
);
    wire equal, above, meets;
    wire [UP-1:0] beside = up[0] ? up + 1'b1 : up - 1'b1;
    range_meet dut (
        .clk(clk), .s1_up(s1_up), .s1_lo(s1_lo), .s1_count(s1_count), .up(up), .beside(beside), .lo(lo), .count(count),
        .equal(equal), .above(above), .meets(meets)
    );

    // Blocks from one base to the other, around the end of the addresses.
    reg started = 0;
    reg [UP-1:0] apart;
    reg [UP+MW-1:0] behind, ahead;
    reg [CW-1:0] reach, length;
    always @(posedge clk) begin
        started <= 1;
        apart <= s1_up - up;
        behind <= {s1_up, s1_lo} - {up, lo};
        ahead <= {up, lo} - {s1_up, s1_lo};
        reach <= s1_count;
        length <= count;
    end
    always @* begin
        assume (count != 0 && count <= 2 ** MW && s1_count != 0 && s1_count <= 2 ** MW);
        if (started) begin
            assert (equal == (apart == 0));
            assert (above == (apart == 1));
            assert (meets == (behind < length || ahead < reach));
            cover (meets && equal);
            cover (meets && above);
            cover (meets && !equal && !above);
            cover (!meets && above);
            cover (!meets && apart == 1 << 30);
        end
    end
endmodule
