// BusDrain: `restart` comes when no burst is open and no frame is half out, and then at once; a beat of a frame that the bus has seen stays until it
// is taken.
//
// What drives the buses begins no burst while `draining`; the bus answers bursts that are open, of which there are no more than the counter holds.
module proof #(parameter C = 3) (
    input clk, input rst, input request, input hold, input begins, input answered, input frame_valid, input frame_ready, input frame_last
);
    wire draining, restart, frame_passes, inside_;
    wire [C-1:0] open_;
    bus_drain dut (
        .clk(clk), .rst(rst), .request(request), .draining(draining), .restart(restart), .hold(hold), .begins(begins), .answered(answered),
        .frame_valid(frame_valid), .frame_ready(frame_ready), .frame_last(frame_last), .frame_passes(frame_passes), .open_(open_), .inside_(inside_)
    );

    reg past = 0, offered = 0, last_offered, half = 0, was_reset = 1, quiet = 0, half_before = 0, open_before = 0, held_up = 0;
    reg [C-1:0] bursts = 0;

    always @(posedge clk) begin
        past <= 1;
        was_reset <= rst;
        bursts <= rst ? 0 : bursts + begins - answered;
        // Seen by the bus and not taken, and the frame that it belongs to.
        offered <= !rst && frame_passes && !frame_ready;
        last_offered <= frame_last;
        if (frame_passes) half <= !(frame_ready && frame_last);
        if (rst) half <= 0;
        quiet <= !rst && draining && !restart && bursts == 0 && !half && !hold;
        held_up <= hold;
        open_before <= !rst && (open_before || bursts == 3);
        half_before <= !rst && (half_before || (draining && half && bursts == 0));
    end

    initial assume (rst);
    always @* begin
        if (draining) assume (!begins);
        if (bursts == 0) assume (!answered);
        if (&bursts) assume (!begins || answered);
        // AXI4-Stream: what is offered stays.
        if (offered) assume (frame_valid && frame_last == last_offered);
    end

    always @* if (past) begin
        // The property.
        if (restart && !was_reset) assert (draining && bursts == 0 && !half && !held_up);
        if (quiet) assert (restart);
        if (offered) assert (frame_passes);
        if (draining && !half) assert (!frame_passes);
        if (frame_passes) assert (frame_valid);
        if (!draining) assert (frame_passes == frame_valid);
        // What holds inside, for the induction.
        assert (open_ == bursts);
        assert (inside_ == half);
        if (offered) assert (half);
        // Not vacuous.
        cover (restart && !was_reset && open_before && half_before);
    end
endmodule
