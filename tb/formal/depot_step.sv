// DepotStep: no NACK, and no acknowledgement that it makes, acknowledges what the receiving card has not.
//
// One step of one flow, any state and any event. `card` is the first PSN that the receiving card has not acknowledged; the solver picks it.
// What is assumed before the step is what is asserted after it (`una` is not beyond `card` where it is known; what waits for something
// has begun), so it holds after any number of steps. An event that acknowledges comes from the receiving card: it says no more
// than `card`.
//
// PSNs are compared as the receiving card does it: what is half the space ahead or more is behind.
module proof (
    input clk, input valid, input [3:0] kind, input aware, input [23:0] psn, input [23:0] span, input request, input asks,
    input [23:0] packet_msn, input [4:0] packet_credits, input there, input copied, input leads, input room, input scarce, input spare,
    input [31:0] tick, input [23:0] card,
    input begun, input sure, input bypass, input strange, input drains, input replaying, input retry, input renack, input reacked,
    input [4:0] credits, input [7:0] retries, input [23:0] una, input [23:0] expected, input [23:0] border, input [23:0] top,
    input [23:0] msn, input [23:0] replay_next, input [23:0] replay_end, input [23:0] replay_from, input [23:0] retry_end,
    input [31:0] retry_since, input [31:0] renack_since, input [31:0] reacked_since, input [31:0] seen,
    input [31:0] renack_time, input [31:0] retry_time, input [7:0] retries_most, input [31:0] reack_time, input [31:0] idle_time
);
    localparam DATA = 0, REQUEST = 1, ACK = 2, RESPONSE = 3, NAK = 4, REFUSAL = 5, PROBE = 6, VISIT = 7, RNR = 8, RELEASE = 9;
    localparam FORWARDED = 1, HELD = 2, FULL = 3, DUPLICATE = 4, REPLAYED = 5, REACKNOWLEDGED = 6, STRANGE = 10, WAITS = 11;
    wire done, forward, intercepted, free, drop, hold, copy, walk, reack, nack, life, flushed, timed_out, reopened;
    wire after_begun, after_sure, after_bypass, after_renack, after_retry, after_replaying, after_drains;
    wire [23:0] after_una, after_expected, nack_psn, gap_start, walk_start;
    wire [3:0] verdict;
    depot_step dut (
        .clk(clk), .rst(1'b0), .valid(valid), .kind(kind), .aware(aware), .psn(psn), .span(span), .request(request), .asks(asks),
        .packet_msn(packet_msn), .packet_credits(packet_credits), .there(there), .copied(copied), .leads(leads), .room(room),
        .scarce(scarce), .spare(spare), .tick(tick),
        .before_begun(begun), .before_sure(sure), .before_bypass(bypass), .before_strange(strange), .before_drains(drains),
        .before_replaying(replaying), .before_retry(retry), .before_renack(renack), .before_reacked(reacked), .before_credits(credits),
        .before_retries(retries), .before_una(una), .before_expected(expected), .before_border(border), .before_top(top),
        .before_msn(msn), .before_replay_next(replay_next), .before_replay_end(replay_end), .before_replay_from(replay_from),
        .before_retry_end(retry_end), .before_retry_since(retry_since), .before_renack_since(renack_since),
        .before_reacked_since(reacked_since), .before_seen(seen),
        .settings_renack(renack_time), .settings_retry(retry_time), .settings_retries(retries_most), .settings_reack(reack_time),
        .settings_idle(idle_time),
        .done(done), .orders_verdict(verdict), .orders_forward(forward), .orders_intercepted(intercepted), .orders_free(free),
        .orders_drop(drop), .orders_hold(hold), .orders_copy(copy), .orders_walk(walk), .orders_walk_start(walk_start),
        .orders_reack(reack), .orders_nack(nack), .orders_nack_psn(nack_psn), .orders_gap_start(gap_start), .orders_evt_life(life),
        .orders_evt_flushed(flushed), .orders_evt_timeout(timed_out), .orders_evt_reopened(reopened),
        .after_begun(after_begun), .after_sure(after_sure), .after_bypass(after_bypass), .after_renack(after_renack),
        .after_retry(after_retry), .after_replaying(after_replaying), .after_drains(after_drains),
        .after_una(after_una), .after_expected(after_expected)
    );

    // What the event acknowledges, if it is of that kind.
    wire says = kind == ACK || kind == RESPONSE || kind == NAK || kind == RNR;
    wire [23:0] acknowledged = psn + (kind == ACK || kind == RESPONSE);
    wire [23:0] una_card = card - una, said_card = card - acknowledged;
    always @* begin
        if (begun && sure) assume (!una_card[23]);
        if (renack || retry || replaying || drains) assume (begun);
        if (says) assume (!said_card[23]);
    end

    // The event of the step that leaves: 4 clocks old.
    reg [3:0] valid_h = 0;
    reg [3:0] kind_h [0:3];
    reg [3:0] aware_h, begun_h, sure_h, bypass_h, there_h, copied_h, drains_h;
    reg [23:0] card_h [0:3], una_h [0:3], expected_h [0:3], psn_h [0:3], said_h [0:3];
    integer i;
    always @(posedge clk) begin
        valid_h <= {valid_h, valid};
        aware_h <= {aware_h, aware};
        begun_h <= {begun_h, begun};
        sure_h <= {sure_h, sure};
        bypass_h <= {bypass_h, bypass};
        there_h <= {there_h, there};
        copied_h <= {copied_h, copied};
        drains_h <= {drains_h, drains};
        kind_h[0] <= kind;
        card_h[0] <= card;
        una_h[0] <= una;
        expected_h[0] <= expected;
        psn_h[0] <= psn;
        said_h[0] <= acknowledged;
        for (i = 1; i < 4; i = i + 1) begin
            kind_h[i] <= kind_h[i - 1];
            card_h[i] <= card_h[i - 1];
            una_h[i] <= una_h[i - 1];
            expected_h[i] <= expected_h[i - 1];
            psn_h[i] <= psn_h[i - 1];
            said_h[i] <= said_h[i - 1];
        end
    end
    wire [3:0] was = kind_h[3];
    wire standard = !aware_h[3];
    wire told_by = was == ACK || was == RESPONSE || was == NAK || was == RNR;
    wire onward = was == DATA || was == REQUEST;
    wire [23:0] after_card = card_h[3] - after_una, nack_card = card_h[3] - nack_psn, advance = after_una - una_h[3];
    wire [23:0] ahead = psn_h[3] - expected_h[3];
    wire known = begun_h[3] && sure_h[3];
    wire is_before = ahead[23] && ahead != 24'h800000;
    wire [23:0] below = una_h[3] - psn_h[3];
    wire is_below = below != 0 && !below[23];

    always @* begin
        assert (done == valid_h[3]);
        if (done) begin
            // `una` is what the receiving card has said, and never goes back.
            if (after_begun && after_sure) assert (!after_card[23]);
            if (after_begun && after_sure && !known) assert (told_by && after_una == said_h[3]);
            if (after_begun && after_sure && known) assert (after_una == una_h[3] ||
                (told_by && after_una == said_h[3] && (!advance[23] || advance == 24'h800000)));
            if (after_renack || after_retry || after_replaying || after_drains) assert (after_begun);
            // A NACK to a standard card says it; the card has it. Those of a walk are made with the `una` of the state.
            if (nack && standard) assert (after_begun && after_sure && nack_psn == after_una && !nack_card[23]);
            if (walk && standard) assert (after_begun && after_sure);
            // So do the acknowledgements that are made, and that a NAK becomes.
            if (reack) assert (known && after_begun && after_sure && after_una == una_h[3]);
            if (intercepted) assert (was == NAK && forward && after_begun && after_sure && psn_h[3] == after_una);
            // Who makes one.
            if (nack || walk || reack) assert (!bypass_h[3] && begun_h[3] && after_begun);
            if (nack && standard && was == VISIT) assert (reopened);
            if (nack && !standard) assert (nack_psn == gap_start);
            // What is not ours passes, and changes nothing.
            if (bypass_h[3]) assert (!free && !drop && !hold && !copy && after_una == una_h[3] && after_expected == expected_h[3]);
            if (bypass_h[3] && (onward || told_by || was == REFUSAL)) assert (forward && !intercepted);
            if (!begun_h[3] && onward) assert (forward);
            // What comes out of its order is never let on: a NAK of the receiving card is a loss behind the Depot.
            if (onward && forward && !bypass_h[3] && known && verdict != STRANGE && !life) assert (is_before || ahead == 0);
            if (onward && forward && verdict == FORWARDED && known && !life) assert (ahead == 0 && !drains_h[3]);
            // A packet is dropped only if it is there, or a copy of it is, or the card has it, or there is no room.
            if (onward && !forward && !hold) assert (verdict == FULL || verdict == WAITS || verdict == REACKNOWLEDGED ||
                (verdict == DUPLICATE && (there_h[3] || copied_h[3])));
            if (verdict == REACKNOWLEDGED) assert (was == DATA && known && is_below);
            if (hold) assert (onward && verdict == HELD && !forward);
            if (copy) assert (forward && (was == DATA || was == RELEASE));
            // What the receiving card says goes on, a probe and a visit never do.
            if (told_by || was == REFUSAL) assert (forward);
            if (was == PROBE || was == VISIT) assert (!forward);
        end else assert (!forward && !nack && !walk && !reack && !free && !drop && !hold && !copy);

        cover (done && nack && standard && onward && known);
        cover (done && nack && !standard && nack_psn != after_una);
        cover (done && nack && standard && was == NAK && reopened);
        cover (done && walk && standard && was == VISIT);
        cover (done && walk && standard && !known);
        cover (done && reack);
        cover (done && intercepted && advance != 0);
        cover (done && after_begun && after_sure && !known && advance[23]);
        cover (done && verdict == REPLAYED && was == RELEASE);
        cover (done && verdict == WAITS);
        cover (done && hold && was == REQUEST);
        cover (done && life && onward);
        cover (done && life && told_by);
        cover (done && timed_out && !reopened);
        cover (done && flushed);
    end
endmodule
