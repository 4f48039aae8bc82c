// FrameGate: a frame passes whole or not at all, as `enable` says at its first beat, but for what `cut` takes off its end; what does not pass is
// taken at once; `passed` counts the frames whose end has passed.
module proof (input clk, input rst, input enable, input cut, input in_valid, input in_last, input out_ready);
    wire in_ready, out_valid, passed, inside_, passing;
    frame_gate dut (
        .clk(clk), .rst(rst), .enable(enable), .cut(cut), .in_valid(in_valid), .in_ready(in_ready), .in_last(in_last),
        .out_valid(out_valid), .out_ready(out_ready), .passed(passed), .inside_(inside_), .passing(passing)
    );

    wire taken = in_valid && in_ready;
    reg past = 0, started = 0, allowed, was_cut, ended = 0;
    reg [1:0] whole = 0, thrown = 0, shortened = 0;

    always @(posedge clk) begin
        past <= 1;
        started <= !rst && (taken ? !in_last : started);
        if (taken && !started) allowed <= enable;
        was_cut <= cut || (started && was_cut);
        ended <= !rst && out_valid && out_ready && in_last;
        if (taken && in_last) begin
            if (!out_valid && started && allowed) shortened <= shortened + 1;
            else if (out_valid && started) whole <= whole + 1;
            else if (!out_valid) thrown <= thrown + 1;
        end
    end

    initial assume (rst);

    always @* if (past) begin
        // The property.
        if (started) assert (out_valid == (in_valid && allowed && !was_cut));
        if (!started) assert (out_valid == (in_valid && enable));
        if (out_valid) assert (in_ready == out_ready);
        if (in_valid && !out_valid) assert (in_ready);
        assert (passed == ended);
        // What holds inside, for the induction.
        assert (inside_ == started);
        if (started) assert (passing == (allowed && !was_cut));
        // Not vacuous.
        cover (whole == 2 && thrown == 2 && shortened == 1);
    end
endmodule
