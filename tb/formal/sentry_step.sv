// SentryStep: no NACK acknowledges what the receiving card has not.
//
// One step of one flow, any state and any event. `card` is the first PSN that the receiving card has not acknowledged; the solver picks it. What is assumed before
// the step is what is asserted after it (`una` is not beyond `card` where it is known), so it holds after any number of steps. An event that acknowledges comes from
// the receiving card, or from a Depot that says what that one has said: it says no more than `card`.
//
// PSNs are compared as the receiving card does it: what is half the space ahead or more is behind.
module proof (
    input clk, input valid, input [2:0] kind, input aware, input [23:0] psn, input [23:0] span, input congested, input [23:0] packet_msn,
    input [23:0] gap_start, input [23:0] gap_length, input asked_for, input [31:0] tick, input [23:0] card,
    input set, input sure, input bypass, input strange, input [1:0] excuse, input [23:0] una, input [23:0] expected, input [23:0] last,
    input [23:0] msn, input marked, input [23:0] marks_end, input episode, input [23:0] from, input [23:0] until_, input [31:0] since,
    input answered, input [7:0] owed, input pending, input told, input [23:0] told_psn, input [31:0] told_since, input nacked,
    input [31:0] nacked_since, input notified, input [31:0] notified_since, input [31:0] seen,
    input [31:0] local_, input [31:0] filter, input [31:0] renack, input [31:0] spare, input [31:0] cnp, input [31:0] idle,
    input [31:0] probe_time, input follow, input unfiltered
);
    localparam DATA = 0, REQUEST = 1, ACK = 2, RESPONSE = 3, NAK = 4, REFUSAL = 5, DEPOT_NACK = 6, VISIT = 7;
    localparam ASKED = 2, FILTERED = 4, GAP = 5, PASSED = 6;
    wire done, forward, urgent, nack, nack_passed, notify, probe, clear, mark, life, flushed, timeout_replay;
    wire after_begun, after_sure, after_bypass, after_pending, after_episode;
    wire [23:0] after_una, after_expected, after_last, after_told_psn, nack_psn;
    wire [3:0] verdict;
    sentry_step dut (
        .clk(clk), .rst(1'b0), .valid(valid), .kind(kind), .aware(aware), .psn(psn), .span(span), .congested(congested),
        .packet_msn(packet_msn), .gap_start(gap_start), .gap_length(gap_length), .asked_for(asked_for), .tick(tick),
        .before_begun(set), .before_sure(sure), .before_bypass(bypass), .before_strange(strange), .before_excuse(excuse), .before_una(una),
        .before_expected(expected), .before_last(last), .before_msn(msn), .before_marked(marked), .before_marks_end(marks_end),
        .before_episode(episode), .before_from(from), .before_until(until_), .before_since(since), .before_answered(answered),
        .before_owed(owed), .before_pending(pending), .before_told(told), .before_told_psn(told_psn), .before_told_since(told_since),
        .before_nacked(nacked), .before_nacked_since(nacked_since), .before_notified(notified), .before_notified_since(notified_since),
        .before_seen(seen), .settings_local(local_), .settings_filter(filter), .settings_renack(renack), .settings_spare(spare),
        .settings_cnp(cnp), .settings_idle(idle), .settings_probe(probe_time), .settings_follow(follow), .settings_unfiltered(unfiltered),
        .done(done), .verdict(verdict), .forward(forward), .urgent(urgent), .nack(nack), .nack_passed(nack_passed), .nack_psn(nack_psn),
        .notify(notify), .probe(probe), .clear(clear), .mark(mark), .evt_life(life), .evt_flushed(flushed),
        .evt_timeout_replay(timeout_replay), .after_begun(after_begun), .after_sure(after_sure), .after_bypass(after_bypass),
        .after_una(after_una), .after_expected(after_expected), .after_last(after_last), .after_pending(after_pending),
        .after_episode(after_episode), .after_told_psn(after_told_psn)
    );

    // What the event acknowledges, if it is of that kind.
    wire says = kind == ACK || kind == RESPONSE || kind == NAK || (kind == DEPOT_NACK && !aware);
    wire [23:0] acknowledged = psn + (kind == ACK || kind == RESPONSE);
    wire [23:0] una_card = card - una, said_card = card - acknowledged;
    always @* begin
        if (set && sure) assume (!una_card[23]);
        if (says) assume (!said_card[23]);
    end

    // The event of the step that leaves: 4 clocks old.
    reg [3:0] valid_h = 0;
    reg [2:0] kind_h [0:3];
    reg [3:0] aware_h, set_h, sure_h, bypass_h, episode_h;
    reg [23:0] card_h [0:3], una_h [0:3], expected_h [0:3], psn_h [0:3], said_h [0:3];
    integer i;
    always @(posedge clk) begin
        valid_h <= {valid_h, valid};
        aware_h <= {aware_h, aware};
        set_h <= {set_h, set};
        sure_h <= {sure_h, sure};
        bypass_h <= {bypass_h, bypass};
        episode_h <= {episode_h, episode};
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
    wire [2:0] was = kind_h[3];
    wire standard = !aware_h[3];
    wire told_by = was == ACK || was == RESPONSE || was == NAK || (was == DEPOT_NACK && standard);
    wire onward = was == DATA || was == REQUEST;
    wire [23:0] after_card = card_h[3] - after_una, nack_card = card_h[3] - nack_psn, advance = after_una - una_h[3];
    wire [23:0] ahead = expected_h[3] - psn_h[3];
    wire known = set_h[3] && sure_h[3];

    always @* begin
        assert (done == valid_h[3]);
        if (done) begin
            // `una` is what the receiving card has said, and never goes back.
            if (after_begun && after_sure) assert (!after_card[23]);
            if (after_begun && after_sure && !known) assert (told_by && after_una == said_h[3]);
            if (after_begun && after_sure && known) assert (after_una == una_h[3] || 
                (told_by && after_una == said_h[3] && (!advance[23] || advance == 24'h800000)));
            // A NACK to a standard card says it; the card has it.
            if (nack && standard) assert (after_begun && after_sure && nack_psn == after_una && !nack_card[23]);
            // Who makes one, and that it takes the place of the packet.
            if (nack) assert (!bypass_h[3] && set_h[3] && after_begun);
            if (nack && nack_passed) assert (was == DEPOT_NACK && verdict == PASSED && !forward);
            if (nack && !nack_passed) assert (onward && verdict == GAP && !forward);
            if (nack) assert (after_episode && after_pending && after_told_psn == nack_psn);
            // What is not known, or not ours, passes.
            if (bypass_h[3] && was != VISIT) assert (forward && !nack && !notify && !probe && !clear && !mark);
            if (!set_h[3] && onward) assert (forward);
            // The next packet, a request that is repeated, and what no episode covers, are never dropped.
            if (onward && ahead == 0) assert (forward);
            if (onward && !ahead[23] && (was == REQUEST || !episode_h[3])) assert (forward);
            // What comes from the other side goes on, but for a Depot-NACK, which never does.
            if (was != DEPOT_NACK && was != VISIT && !onward) assert (forward);
            if (was == DEPOT_NACK && !bypass_h[3]) assert (!forward);
            if (was == VISIT) assert (!forward && !nack && !notify);
            if (urgent) assert (forward && verdict == ASKED);
        end else assert (!forward && !nack && !notify && !probe && !clear && !mark);

        cover (nack && nack_passed && standard && known);
        cover (nack && !nack_passed && standard);
        cover (nack && !standard && nack_psn != after_una);
        cover (done && after_begun && after_sure && !known && advance[23]);
        cover (done && verdict == FILTERED);
        cover (done && urgent && was == DATA);
        cover (done && life && told_by);
        cover (done && life && onward);
        cover (done && notify && !nack);
        cover (done && probe);
        cover (done && flushed);
        cover (done && timeout_replay);
    end
endmodule
