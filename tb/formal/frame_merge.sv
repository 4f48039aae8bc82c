// FrameMerge: every beat that is taken from either side is on the output in that clock as it came, and no other; a frame that has begun goes on with its own
// side until its end; what is offered stays until it is taken; a frame that waits is passed over by one frame of the other side at most.
module proof (
    input clk, input rst, input a_valid, input [15:0] a_data, input [1:0] a_keep, input a_last,
    input b_valid, input [15:0] b_data, input [1:0] b_keep, input b_last, input out_ready
);
    wire a_ready, b_ready, out_valid, out_last, inside_, with_b;
    wire [15:0] out_data;
    wire [1:0] out_keep;
    frame_merge dut (
        .clk(clk), .rst(rst), .a_valid(a_valid), .a_ready(a_ready), .a_data(a_data), .a_keep(a_keep), .a_last(a_last),
        .b_valid(b_valid), .b_ready(b_ready), .b_data(b_data), .b_keep(b_keep), .b_last(b_last),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_keep(out_keep), .out_last(out_last),
        .inside_(inside_), .with_b(with_b)
    );

    wire [18:0] a = {a_last, a_keep, a_data};
    wire [18:0] b = {b_last, b_keep, b_data};
    wire [18:0] out = {out_last, out_keep, out_data};
    wire takes_a = a_valid && a_ready;
    wire takes_b = b_valid && b_ready;
    // A frame is half out, and of b; what waited in the clock before; frames of the other side that have ended since this one waits.
    reg past = 0, begun = 0, of_b = 0, was_a = 0, was_b = 0, was_out = 0;
    reg [18:0] a_before, b_before, out_before;
    reg [1:0] passed_a = 0, passed_b = 0;
    reg [1:0] turns_a = 0, turns_b = 0;

    always @(posedge clk) begin
        past <= 1;
        if (takes_a || takes_b) begin
            begun <= !out_last;
            of_b <= takes_b;
        end
        was_a <= !rst && a_valid && !a_ready;
        was_b <= !rst && b_valid && !b_ready;
        was_out <= !rst && out_valid && !out_ready;
        a_before <= a;
        b_before <= b;
        out_before <= out;
        passed_a <= a_valid && !a_ready ? passed_a + (takes_b && b_last) : 0;
        passed_b <= b_valid && !b_ready ? passed_b + (takes_a && a_last) : 0;
        if (takes_a && begun && a_last && turns_a != 3) turns_a <= turns_a + 1;
        if (takes_b && begun && b_last && turns_b != 3) turns_b <= turns_b + 1;
        if (rst) {begun, passed_a, passed_b, turns_a, turns_b} <= 0;
    end

    initial assume (rst);
    always @* begin
        if (was_a) assume (a_valid && a == a_before);
        if (was_b) assume (b_valid && b == b_before);
    end

    always @* if (past) begin
        // The property.
        assert (!(takes_a && takes_b));
        assert ((out_valid && out_ready) == (takes_a || takes_b));
        if (takes_a) assert (out == a);
        if (takes_b) assert (out == b);
        if (begun) assert (of_b ? !takes_a : !takes_b);
        if (begun && out_valid) assert (out == (of_b ? b : a));
        if (begun) assert (out_valid == (of_b ? b_valid : a_valid));
        if (!begun) assert (out_valid == (a_valid || b_valid));
        if (was_out) assert (out_valid && out == out_before);
        assert (passed_a <= 1 && passed_b <= 1);
        // What holds inside, for the induction.
        assert (inside_ == (begun || was_out));
        if (begun) assert (with_b == of_b);
        if (was_out) assert (with_b ? (was_b && out_before == b_before) : (was_a && out_before == a_before));
        if (passed_a != 0) assert (was_a && !begun && with_b == !was_out);
        if (passed_b != 0) assert (was_b && !begun && with_b == was_out);
        // Not vacuous.
        cover (turns_a == 3 && turns_b == 3);
        cover (passed_a == 1 && takes_a);
        cover (passed_b == 1 && takes_b && was_out);
    end
endmodule
