// StateChange: a packet that is acknowledged stays so, and is never asked for; one that is not becomes so only where it is to; a request to send again is
// kept until the packet is sent or acknowledged, nothing that was sent becomes free, and what is counted is what has happened.
//
// Not when everything is cleared. No packet is in two masks, and none that is sent again is acknowledged: RtxCoordinator counts none.
module proof (
    input clk, input [7:0] acknowledge, input [7:0] ask, input [7:0] demand, input [7:0] suspect, input [7:0] resend, input clear,
    input [7:0] high, input [7:0] middle, input [7:0] low
);
    (* anyconst *) wire [2:0] place;
    wire [7:0] new_high, new_middle, new_low, begun, ceased, again_change;
    state_change dut (
        .acknowledge(acknowledge), .ask(ask), .demand(demand), .suspect(suspect), .resend(resend), .clear(clear), .high(high), .middle(middle), .low(low),
        .new_high(new_high), .new_middle(new_middle), .new_low(new_low), .begun(begun), .ceased(ceased), .again_change(again_change)
    );
    wire [2:0] was = {high[place], middle[place], low[place]};
    wire [2:0] is = {new_high[place], new_middle[place], new_low[place]};
    wire was_again = was >= 3 && was <= 6, is_again = is >= 3 && is <= 6;
    wire [4:0] masks = {acknowledge[place], ask[place], demand[place], suspect[place], resend[place]};
    always @(posedge clk) begin
        assume (masks == 0 || masks == 1 || masks == 2 || masks == 4 || masks == 8 || masks == 16);
        if (resend[place]) assume (was != 7);
        if (clear) begin
            if (masks == 0) assert (is == 0);
        end else begin
            // Acknowledged.
            assert ((is == 7) == (was == 7 || acknowledge[place]));
            if (was == 7) assert (!begun[place]);
            // Pending.
            assert (begun[place] == (was != 2 && is == 2));
            assert (ceased[place] == (was == 2 && is != 2));
            if (was == 2) assert (is == 2 || acknowledge[place] || resend[place]);
            if (ask[place]) assert (is == (was == 0 || was == 1 || was == 6 ? 2 : was));
            if (demand[place]) assert (is == (was == 7 ? 7 : 2));
            if (suspect[place]) assert (is == (was == 0 || was == 1 || was == 6 ? 1 : was));
            // Sent again.
            assert (again_change[place] == (was_again != is_again));
            if (is_again && !was_again) assert (resend[place]);
            if (resend[place]) assert (is == 3);
            // Nothing becomes free.
            if (was != 0) assert (is != 0);
            if (masks == 0) assert (is == was);
        end
        cover (!clear && ask[place] && was == 6 && is == 2);
        cover (!clear && suspect[place] && was == 6 && is == 1);
        cover (!clear && acknowledge[place] && was == 2 && is == 7);
        cover (!clear && resend[place] && was == 1);
    end
endmodule
