// FindFirst: the lowest set bit, and whether there is one.
module proof #(parameter N = 19, parameter A = 5);
    (* anyconst *) wire [N-1:0] request;
    // Any one position.
    (* anyconst *) wire [A-1:0] i;
    wire any;
    wire [A-1:0] index;
    find_first dut (.request(request), .any(any), .index(index));

    always @* begin
        assert (any == |request);
        if (any) assert (index < N && request[index]);
        // Nothing is set below it.
        if (any && i < N && i < index) assert (!request[i]);
        cover (any && index == N - 1);
        cover (&request);
        cover (!any);
    end
endmodule
