// PsnCompare: serial order modulo 2^24.
module proof;
    (* anyconst *) wire [23:0] a, b;
    wire [23:0] distance, back;
    wire before, same, after, before_back, same_back, after_back;
    psn_compare dut (.a(a), .b(b), .distance(distance), .is_before(before), .is_same(same), .is_after(after));
    psn_compare swapped (.a(b), .b(a), .distance(back), .is_before(before_back), .is_same(same_back), .is_after(after_back));

    wire [24:0] wide = {1'b1, b} - a;
    always @* begin
        assert (distance == wide[23:0]);
        assert (before == (wide[23:0] >= 1 && wide[23:0] <= (1 << 23) - 1));
        assert (same == (a == b));
        // At half the circle none holds; else exactly one, and the other way round for the swapped pair.
        assert (before + same + after == (distance != 1 << 23));
        assert (before == after_back && after == before_back && same == same_back);
        // Golden cases.
        if (a == 24'hffffff && b == 0) assert (before);
        if (a == 0 && b == 24'hffffff) assert (after);
        if (a == 0 && b == 24'h7fffff) assert (before);
        if (a == 24'h800000 && b == 0) assert (!before && !after);
        cover (before && a > b);
        cover (after && b > a);
        cover (!before && !same && !after);
    end
endmodule
