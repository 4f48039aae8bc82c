// OneHotFirst: the lowest set bit alone.
module proof #(parameter N = 19);
    (* anyconst *) wire [N-1:0] request;
    // Any one position.
    (* anyconst *) wire [7:0] i;
    wire [N-1:0] first;
    one_hot_first dut (.request(request), .first(first));

    wire [N-1:0] lower = (1 << i) - 1;
    always @* begin
        if (i < N) assert (first[i] == (request[i] && (request & lower) == 0));
        cover (first == 1 << (N - 1));
        cover (&request && first == 1);
        cover (first == 0);
    end
endmodule
