// InitialMask: for every count, bit 0 and the bits from `count` up, and nothing else.
module proof #(parameter M = 32, parameter C = 6);
    (* anyconst *) wire [C-1:0] count;
    wire [M-1:0] mask;
    initial_mask dut (.count(count), .mask(mask));

    genvar i;
    generate
        for (i = 0; i < M; i = i + 1) begin : position
            always @* if (count <= M) assert (mask[i] == (i == 0 || i >= count));
        end
    endgenerate
    always @* begin
        cover (count == M && mask == 1);
        cover (count == 1 && &mask);
        cover (count == M / 2);
    end
endmodule
