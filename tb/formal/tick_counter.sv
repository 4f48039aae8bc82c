// TickCounter: with a constant prescale, exactly `prescale` clocks (one for 0) from tick to tick; `now` changes with `tick` only, by one.
module proof (input clk, input rst);
    (* anyconst *) wire [15:0] prescale;
    wire tick;
    wire [31:0] now;
    wire [15:0] clocks;
    tick_counter dut (.clk(clk), .rst(rst), .prescale(prescale), .tick(tick), .now(now), .clocks(clocks));

    reg past = 0;
    reg [31:0] now_before;
    reg rst_before = 1;
    // Clocks since the last tick or reset, the present one not counted.
    reg [15:0] since = 0;

    always @(posedge clk) begin
        past <= 1;
        now_before <= now;
        rst_before <= rst;
        since <= rst ? 0 : tick ? 1 : since + 1'b1;
    end

    initial assume (rst);

    always @* if (past) begin
        // The property. The halves of `now` carry into each other in the clock of the tick.
        if (!rst_before) assert (now == now_before + tick);
        if (rst_before) assert (now == 0 && !tick);
        if (tick) assert (since == (prescale == 0 ? 1 : prescale));
        if (since == (prescale == 0 ? 1 : prescale) && !rst_before) assert (tick);
        // What holds inside, for the induction: `clocks` counts the present clock too.
        assert (tick ? clocks == 1 : clocks == since + 1'b1);
        assert (clocks == 1 || clocks <= prescale);
        // Not vacuous.
        cover (now == 3 && tick && prescale == 4);
        cover (now == 5 && prescale == 0);
    end
endmodule
