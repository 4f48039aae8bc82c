// The mask unit by hand: what the emitted one must do, written without the emitter.
module mask_unit #(parameter M = 32) (
    input  wire         clk,
    input  wire         rst,
    input  wire         start_valid,
    input  wire [M-1:0] start_mask,
    input  wire         arrival_valid,
    input  wire [M-1:0] arrival_bits,
    output wire         duplicate,
    output wire         complete,
    output wire [M-1:0] mask
);
    reg  [M-1:0] bits;
    wire [M-1:0] with_arrival = bits | arrival_bits;
    assign duplicate = |(bits & arrival_bits);
    assign complete = &with_arrival;
    assign mask = bits;
    always @(posedge clk)
        if (rst) bits <= {M{1'b1}};
        else if (start_valid) bits <= start_mask;
        else if (arrival_valid) bits <= with_arrival;
endmodule
