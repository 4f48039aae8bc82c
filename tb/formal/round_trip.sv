// RoundTrip with RoundTripEstimate: what any one node times, since when, its estimate and its timeout are those of the events one after the other, each four clocks later, whatever they are and however close; a
// timeout is the initial one or within the limits; no sample is taken of a key that was sent again since its timing began. Two nodes, keys of 3 bits, ticks of 8, samples of 3.
module proof (
    input clk, input rst, input [7:0] now, input [7:0] cfg_initial, input [7:0] cfg_floor,
    input sent_valid, input sent_node, input [2:0] sent_key, input again_valid, input again_node, input [2:0] again_key, input again_expired,
    input acked_valid, input acked_node, input [2:0] acked_key, input acked_edge, input forget_valid, input forget_node, input read_node
);
    (* anyconst *) wire [7:0] cap;
    (* anyconst *) wire watch;
    wire [7:0] timeout;
    // Inside.
    wire starts, sent_node3;
    wire [1:0] timing, resting, hits, known, ones, twos, fours;
    wire [5:0] keys_again, keys_acked;
    wire [15:0] begun_sent, begun_acked;
    wire [21:0] estimates;
    wire [11:0] sums;
    round_trip dut (
        .clk(clk), .rst(rst), .now(now), .cfg_initial(cfg_initial), .cfg_floor(cfg_floor), .cfg_cap(cap),
        .sent_valid(sent_valid), .sent_node(sent_node), .sent_key(sent_key), .again_valid(again_valid), .again_node(again_node), .again_key(again_key),
        .again_expired(again_expired), .acked_valid(acked_valid), .acked_node(acked_node), .acked_key(acked_key), .acked_edge(acked_edge),
        .forget_valid(forget_valid), .forget_node(forget_node), .read_node(read_node), .timeout(timeout),
        .timing(timing), .resting(resting), .hits(hits), .starts(starts), .sent_node3(sent_node3), .\estimate.known (known), .\estimate.ones (ones), .\estimate.twos (twos),
        .\estimate.fours (fours), .\key_again.words[0] (keys_again[2:0]), .\key_again.words[1] (keys_again[5:3]),
        .\key_acked.words[0] (keys_acked[2:0]), .\key_acked.words[1] (keys_acked[5:3]),
        .\begun_sent.words[0] (begun_sent[7:0]), .\begun_sent.words[1] (begun_sent[15:8]),
        .\begun_acked.words[0] (begun_acked[7:0]), .\begun_acked.words[1] (begun_acked[15:8]),
        .\estimate.estimates.words[0] (estimates[10:0]), .\estimate.estimates.words[1] (estimates[21:11]),
        .\estimate.sums.words[0] (sums[5:0]), .\estimate.sums.words[1] (sums[11:6])
    );

    // The events, three clocks later: those of the node that is watched.
    reg [2:0] sent = 0, again = 0, acked = 0, forget = 0, expired, edges;
    reg [8:0] sent_keys, again_keys, acked_keys;
    reg [23:0] nows;
    wire [2:0] sent_at = sent_keys[8:6], again_at = again_keys[8:6], acked_at = acked_keys[8:6];
    wire [7:0] now_at = nows[23:16];

    // The node: what it times; clocks until its sample counts, and the sample; the estimate; doublings.
    reg timed = 0, sampled = 0;
    reg [2:0] key, rest = 0, doublings = 0;
    reg [7:0] since;
    reg [2:0] ticks;
    reg [5:0] smoothed;
    reg [4:0] deviation;

    wire cut = again[2] && timed && again_at == key;
    wire [2:0] beyond = acked_at - key;
    wire covers = edges[2] ? beyond >= 1 && beyond <= 4 : acked_at == key;
    wire hit = acked[2] && timed && !cut && covers;
    wire [7:0] length = now_at - since;
    wire still = timed && !cut && !hit;
    wire old = {1'b0, length} >= {cap, 1'b0};
    wire begin_ = sent[2] && rest == 0 && !hit && (!still || old);
    // A sample counts.
    wire lands = rest == 1;
    wire [2:0] whole = smoothed[5:3];
    wire [2:0] distance = ticks > whole ? ticks - whole : whole - ticks;
    // Rounded up.
    wire [8:0] seven = {3'd0, smoothed} * 7 + 7;
    wire [6:0] three = {2'd0, deviation} * 3 + 3;
    wire [5:0] next_smoothed = sampled ? seven[8:3] + {3'd0, ticks} : {ticks, 3'd0};
    wire [4:0] next_deviation = sampled ? three[6:2] + {2'd0, distance} : {1'b0, ticks, 1'b0};

    // What a read gives.
    wire [7:0] wanted = sampled ? {5'd0, whole} + {3'd0, deviation == 0 ? 5'd1 : deviation} : cfg_initial;
    wire [14:0] doubled = {7'd0, wanted < cfg_floor ? cfg_floor : wanted} << doublings;
    wire [7:0] limited = doubled > {7'd0, cap} ? cap : doubled[7:0];
    reg [7:0] expected1, expected2, floor1, floor2, initial1, initial2;
    reg watched1 = 0, watched2 = 0;

    // What was sent again since its timing began, by the design's own word for when that was.
    reg tainted = 0;
    reg [2:0] tainted_key;
    wire taints = again[2] && again_at == tainted_key;

    reg past = 0;
    reg [7:0] now_past;
    reg given_up = 0, by_edge = 0, at_most = 0, twice = 0, shrunk = 0, forgotten = 0;
    always @(posedge clk) begin
        past <= 1;
        now_past <= now;
        sent <= {sent[1:0], sent_valid && sent_node == watch};
        again <= {again[1:0], again_valid && again_node == watch};
        acked <= {acked[1:0], acked_valid && acked_node == watch};
        forget <= {forget[1:0], forget_valid && forget_node == watch};
        expired <= {expired[1:0], again_expired};
        edges <= {edges[1:0], acked_edge};
        sent_keys <= {sent_keys[5:0], sent_key};
        again_keys <= {again_keys[5:0], again_key};
        acked_keys <= {acked_keys[5:0], acked_key};
        nows <= {nows[15:0], now};

        timed <= still || begin_;
        if (begin_) {key, since} <= {sent_at, now_at};
        if (cut && expired[2] && doublings != 7) doublings <= doublings + 1;
        if (rest != 0) rest <= rest - 1;
        if (hit) begin
            rest <= 6;
            ticks <= length > 7 ? 7 : length[2:0];
        end
        if (lands) begin
            sampled <= 1;
            doublings <= 0;
            smoothed <= next_smoothed;
            deviation <= next_deviation;
        end
        if (rst || forget[2]) {timed, sampled, rest, doublings} <= 0;
        if (rst) {sent, again, acked, forget} <= 0;

        watched1 <= read_node == watch;
        watched2 <= watched1;
        expected1 <= !sampled && doublings == 0 ? cfg_initial : limited;
        expected2 <= expected1;
        {floor1, floor2, initial1, initial2} <= {cfg_floor, floor1, cfg_initial, initial1};

        if (starts && sent_node3 == watch) {tainted, tainted_key} <= {1'b0, sent_at};
        else if (taints) tainted <= 1;

        if (begin_ && still) given_up <= 1;
        if (hit && edges[2]) by_edge <= 1;
        if (hit && length > 7) at_most <= 1;
        if (lands && sampled && ticks != 0 && ticks < whole) shrunk <= 1;
        if (doublings == 2 && !rst && !forget[2] && sampled) twice <= 1;
        if (forget[2] && sampled && rest != 0) forgotten <= 1;
    end

    initial assume (rst);
    always @* begin
        assume (cap >= 2);
        if (past) assume (now == now_past || now == now_past + 8'd1);
    end

    always @* if (past) begin
        // The properties.
        if (watched2) assert (timeout == expected2);
        if (watched2) assert (timeout == initial2 || (timeout <= cap && (timeout >= floor2 || timeout == cap)));
        assert (hits[watch] == hit);
        if (hits[watch]) assert (!tainted && !taints);

        // What holds inside, for the induction.
        assert (timing[watch] == timed && resting[watch] == (rest != 0) && !(timed && rest != 0));
        if (begin_) assert (starts && sent_node3 == watch);
        if (timed) assert (keys_again[3*watch +: 3] == key && keys_acked[3*watch +: 3] == key);
        if (timed) assert (begun_sent[8*watch +: 8] == since && begun_acked[8*watch +: 8] == since);
        if (timed) assert (!tainted && tainted_key == key);
        assert (known[watch] == sampled && {fours[watch], twos[watch], ones[watch]} == doublings);
        if (lands) assert (estimates[11*watch +: 11] == {next_deviation, next_smoothed});
        else if (sampled) assert (estimates[11*watch +: 11] == {deviation, smoothed});
        if (sampled) assert (sums[6*watch +: 6] == {3'd0, whole} + {1'b0, deviation == 0 ? 5'd1 : deviation});
        // Not vacuous.
        cover (given_up && hit);
        cover (by_edge && shrunk);
        cover (at_most && sampled && watched2 && timeout > floor2 && timeout < cap && timeout != initial2);
        cover (twice && watched2 && timeout < cap && timeout > initial2 && timeout > floor2);
        cover (forgotten && sampled && rest != 0);
    end
endmodule
