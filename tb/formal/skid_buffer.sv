// SkidBuffer: the word that was accepted as the n-th is delivered as the n-th, with its value, one clock later at the earliest.
//
// The solver picks a word when it is accepted (`pick`); `ahead` counts the words that must leave before it.
module proof #(parameter W = 8) (
    input clk, input rst, input in_valid, input [W-1:0] in_data, input out_ready, input pick
);
    wire in_ready, out_valid, second_valid;
    wire [W-1:0] out_data, second;
    skid_buffer dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data),
        .second(second), .second_valid(second_valid)
    );

    wire push = in_valid && in_ready;
    wire pop = out_valid && out_ready;
    reg past = 0;
    reg tracking = 0;
    reg [W-1:0] tracked;
    reg ahead;
    reg [1:0] inside = 0;
    reg [W-1:0] data_before;
    reg stalled = 0;
    reg was_full = 0;

    always @(posedge clk) begin
        past <= 1;
        stalled <= out_valid && !out_ready && !rst;
        data_before <= out_data;
        inside <= rst ? 0 : inside + push - pop;
        was_full <= !rst && (was_full || inside == 2);
        if (rst) tracking <= 0;
        else if (tracking) begin
            if (pop) ahead <= 0;
            if (pop && !ahead) tracking <= 0;
        end else if (push && pick) begin
            tracking <= 1;
            tracked <= in_data;
            ahead <= out_valid && !pop;
        end
    end

    initial assume (rst);

    always @* if (past) begin
        // The property.
        if (tracking && !ahead) assert (out_valid && out_data == tracked);
        assert (out_valid == (inside != 0));
        assert (in_ready == (inside != 2));
        if (stalled) assert (out_valid && out_data == data_before);
        // What holds inside, for the induction.
        assert (inside == out_valid + second_valid);
        if (second_valid) assert (out_valid);
        if (tracking && ahead) assert (second_valid && second == tracked);
        // Not vacuous.
        cover (was_full && inside == 0);
        cover (push && pop && tracking);
        cover (tracking && pop && !ahead && was_full && tracked == {W{1'b1}});
    end
endmodule
