// ThermometerMask, form by form, and BarrelShifter on all ones: one value for every count.
module proof #(parameter M = 32, parameter C = 6);
    (* anyconst *) wire [C-1:0] count;
    wire [M-1:0] by_shift, by_thermometer, by_shifter;
    thermometer_mask dut (.count(count), .mask(by_shift));
    thermometer_mask_form_1 thermometer (.count(count), .mask(by_thermometer));
    barrel_shifter shifter (.data({M{1'b1}}), .amount(count), .shifted(by_shifter));

    genvar i;
    generate
        for (i = 0; i < M; i = i + 1) begin : position
            always @* if (count <= M) assert (by_shift[i] == (i >= count));
        end
    endgenerate
    always @* begin
        if (count <= M) assert (by_thermometer == by_shift && by_shifter == by_shift);
        cover (count == M && by_shift == 0);
        cover (count == 0 && &by_shift);
        cover (count == M - 1);
    end
endmodule
