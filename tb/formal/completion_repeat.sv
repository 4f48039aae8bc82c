// CompletionRepeat: what is offered stays until it is taken; a notification that is taken is on the output in that clock as it came; what else is taken there is the oldest remote completion
// that waits, which is given up then and only then; what waits is put there when it goes through, once, and only of a kind that is told again. That what waits comes out in order and whole
// is the proof of `fifo_block`.
module proof (input clk, input rst, input [15:0] cfg_prescale, input [6:0] cfg_repeat, input in_valid, input [151:0] in_data, input out_ready);
    wire in_ready, out_valid, push, pop, room, held, chosen;
    wire [151:0] out_data;
    wire [71:0] oldest, put;
    completion_repeat dut (
        .clk(clk), .rst(rst), .cfg_prescale(cfg_prescale), .cfg_repeat(cfg_repeat), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data),
        .waiting_in_valid(push), .waiting_in_ready(room), .waiting_in_data(put), .waiting_out_valid(held), .waiting_out_ready(pop), .waiting_out_data(oldest), .chosen(chosen)
    );

    wire takes = in_valid && in_ready;
    wire counts = in_data[7:0] == 8'hc1 && in_data[71:64] != 8'd7 && cfg_repeat != 0;
    wire [151:0] again = {6'd0, oldest[71:62], 64'd0, 2'd0, oldest[61:56], 16'd0, oldest[55:16], 8'hc1};
    reg past = 0, was_in = 0, was_out = 0;
    reg [151:0] in_before, out_before;
    reg [2:0] pops = 0;

    always @(posedge clk) begin
        past <= 1;
        was_in <= !rst && in_valid && !in_ready;
        was_out <= !rst && out_valid && !out_ready;
        in_before <= in_data;
        out_before <= out_data;
        if (pop && pops != 7) pops <= pops + 1;
        if (rst) pops <= 0;
    end

    initial assume (rst);
    always @* if (was_in) assume (in_valid && in_data == in_before);

    always @* if (past) begin
        // The property.
        if (was_out) assert (out_valid && out_data == out_before);
        if (takes) assert (out_valid && out_ready && out_data == in_data);
        assert ((out_valid && out_ready) == (takes || pop));
        assert (!(takes && pop));
        if (pop) assert (held && out_data == again);
        if (in_valid) assert (out_valid);
        assert (push == (takes && counts && room));
        if (push) assert (put[71:16] == {in_data[145:136], in_data[69:64], in_data[47:8]});
        // What holds inside, for the induction.
        if (chosen) assert (held && was_out && out_before == again);
        if (was_out && !chosen) assert (was_in && out_before == in_before);
        // Not vacuous.
        cover (pops == 3 && takes);
        cover (was_out && pop && in_valid);
    end
endmodule
