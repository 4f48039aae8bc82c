// BarrelShifter: every amount is one shift.
module proof #(parameter W = 64, parameter S = 6, parameter LEFT = 0);
    (* anyconst *) wire [W-1:0] data;
    (* anyconst *) wire [S-1:0] amount;
    wire [W-1:0] shifted;
    barrel_shifter dut (.data(data), .amount(amount), .shifted(shifted));

    always @* begin
        assert (shifted == (LEFT ? data << amount : data >> amount));
        cover (amount == W - 1 && shifted == (LEFT ? 1 << (W - 1) : 1));
        cover (amount == 0 && &shifted);
    end
endmodule
