// RoundRobinArbiter: one grant to one that asks, whenever one asks; a request that stays is granted before `N` others are accepted.
module proof #(parameter N = 8, parameter A = 3) (
    input clk, input rst, input [N-1:0] request, input accept
);
    wire any;
    wire [N-1:0] grant;
    wire [A-1:0] index, last;
    round_robin_arbiter dut (
        .clk(clk), .rst(rst), .request(request), .accept(accept), .any(any), .grant(grant), .index(index), .last(last)
    );

    (* anyconst *) wire [A-1:0] me;
    reg past = 0;
    // Others accepted since this request came up.
    reg [A:0] waited = 0;
    // Requesters that come before this one in the order of the next choice.
    wire [A:0] before = !(last < N) ? me : me > last ? me - last - 1 : N + me - last - 1;

    always @(posedge clk) begin
        past <= 1;
        if (rst || !request[me] || (accept && grant[me])) waited <= 0;
        else if (accept) waited <= waited + 1'b1;
    end

    initial assume (rst);
    always @* assume (me < N);

    always @* if (past) begin
        // The property.
        assert (any == |request);
        assert ((grant & ~request) == 0);
        assert ((grant & (grant - 1'b1)) == 0);
        assert (any == |grant);
        if (any) assert (index < N && grant[index]);
        assert (waited < N);
        if (waited == N - 1 && request[me]) assert (grant[me]);
        // What holds inside, for the induction.
        assert (waited + before < N);
        // Not vacuous.
        cover (waited == N - 1 && grant[me]);
        cover (accept && any && me == N - 1 && grant[0] && last == 0 && !rst);
        cover (&request && grant[N-1]);
    end
endmodule
