// EscapeChannel, 4 packets in 8 slots: every packet that goes in is offered, with its header, until it leaves, and never again after it
// left; two tries of one packet never overlap; none is lost, whatever comes and goes around it. Nothing that happens to a waiting
// packet is forgotten before its next try. It is offered as expired only if its time was up.
//
// The solver picks a slot (`s`); a shadow follows the packet in it. What the registry around the channel does, and the proof
// `receive_registry` shows that it does: see `assume`.
module proof (
    input clk, input rst, input [31:0] now, input [31:0] cfg_escape_timeout,
    input push, input [1:0] push_header, input [1:0] push_key, input push_start, input push_full,
    input stays, input settle_full, input wake, input [1:0] wake_key, input room, input room_src, input replay_take
);
    localparam LATENCY = 4; // clocks from `replay_take` to `settle`
    (* anyconst *) wire [2:0] s;
    reg [LATENCY:1] fly_valid = 0;
    reg [2:0] fly_slot [LATENCY:1];
    reg fly_expired [LATENCY:1];
    wire settle = fly_valid[LATENCY];
    wire [2:0] settle_slot = fly_slot[LATENCY];
    wire settle_stays = settle && stays;

    // The design, its registers by the names that follow.
    wire ready, free_valid, replay_valid, replay_expired, replay_full, reused_1, scanned_reused, overdue, busy, wait_1, wait_2;
    wire [1:0] replay_header, first;
    wire [2:0] replay_slot, fill, scan, scanned_1, scanned, overdue_slot, read, write;
    wire [31:0] scanned_age, scanned_arrival;
    wire [3:0] free_count, found_settled, settled, behind, candidates, valid, start, full, eligible, expired, picked, flying;
    wire settling, settling_stays, settling_full, looking, picking, pick_valid, pick_expired, pick_full;
    wire [2:0] pick_slot;
    wire [2:0] slot [0:3];
    wire [1:0] key [0:3];
    wire [2:0] free [0:7];
    wire [1:0] header [0:7];
    wire [31:0] arrival [0:7];
    escape_channel dut (
        .clk(clk), .rst(rst), .ready(ready), .now(now), .cfg_escape_timeout(cfg_escape_timeout),
        .push(push), .push_header(push_header), .push_key(push_key), .push_start(push_start), .push_full(push_full),
        .settle_next(fly_slot[LATENCY-1]), .settle(settle), .settle_slot(settle_slot), .settle_stays(settle_stays), .settle_full(settle_full),
        .wake(wake), .wake_key(wake_key), .room(room), .room_src(room_src),
        .replay_valid(replay_valid), .replay_take(replay_take), .replay_header(replay_header), .replay_slot(replay_slot),
        .replay_expired(replay_expired), .replay_full(replay_full),
        .fill(fill), .scan(scan), .scanned_1(scanned_1), .scanned_arrival(scanned_arrival), .reused_1(reused_1), .scanned(scanned), .scanned_age(scanned_age), .scanned_reused(scanned_reused),
        .overdue(overdue), .overdue_slot(overdue_slot), .busy(busy), .wait_1(wait_1), .wait_2(wait_2), .\headers.first (first),
        .\free.read (read), .\free.write (write), .\free.out_valid (free_valid), .\free.count (free_count),
        .\free.memory.words[0] (free[0]), .\headers.words[0] (header[0]), .\arrivals.words[0] (arrival[0]),
        .\free.memory.words[1] (free[1]), .\headers.words[1] (header[1]), .\arrivals.words[1] (arrival[1]),
        .\free.memory.words[2] (free[2]), .\headers.words[2] (header[2]), .\arrivals.words[2] (arrival[2]),
        .\free.memory.words[3] (free[3]), .\headers.words[3] (header[3]), .\arrivals.words[3] (arrival[3]),
        .\free.memory.words[4] (free[4]), .\headers.words[4] (header[4]), .\arrivals.words[4] (arrival[4]),
        .\free.memory.words[5] (free[5]), .\headers.words[5] (header[5]), .\arrivals.words[5] (arrival[5]),
        .\free.memory.words[6] (free[6]), .\headers.words[6] (header[6]), .\arrivals.words[6] (arrival[6]),
        .\free.memory.words[7] (free[7]), .\headers.words[7] (header[7]), .\arrivals.words[7] (arrival[7]),
        .\queue.valid_0 (valid[0]), .\queue.slot_0 (slot[0]), .\queue.key_0 (key[0]), .\queue.start_0 (start[0]), .\queue.full_0 (full[0]),
        .\queue.eligible_0 (eligible[0]), .\queue.expired_0 (expired[0]), .\queue.picked_0 (picked[0]), .\queue.flying_0 (flying[0]),
        .\queue.valid_1 (valid[1]), .\queue.slot_1 (slot[1]), .\queue.key_1 (key[1]), .\queue.start_1 (start[1]), .\queue.full_1 (full[1]),
        .\queue.eligible_1 (eligible[1]), .\queue.expired_1 (expired[1]), .\queue.picked_1 (picked[1]), .\queue.flying_1 (flying[1]),
        .\queue.valid_2 (valid[2]), .\queue.slot_2 (slot[2]), .\queue.key_2 (key[2]), .\queue.start_2 (start[2]), .\queue.full_2 (full[2]),
        .\queue.eligible_2 (eligible[2]), .\queue.expired_2 (expired[2]), .\queue.picked_2 (picked[2]), .\queue.flying_2 (flying[2]),
        .\queue.valid_3 (valid[3]), .\queue.slot_3 (slot[3]), .\queue.key_3 (key[3]), .\queue.start_3 (start[3]), .\queue.full_3 (full[3]),
        .\queue.eligible_3 (eligible[3]), .\queue.expired_3 (expired[3]), .\queue.picked_3 (picked[3]), .\queue.flying_3 (flying[3]),
        .\queue.settling (settling), .\queue.settling_stays (settling_stays), .\queue.settling_full (settling_full),
        .\queue.found_settled (found_settled), .\queue.settled (settled), .\queue.behind (behind),
        .\queue.q_candidates (candidates), .\queue.looking (looking), .\queue.picking (picking), .\queue.pick_valid (pick_valid), .\queue.pick_slot (pick_slot),
        .\queue.pick_expired (pick_expired), .\queue.pick_full (pick_full)
    );

    wire [2:0] push_slot = free[read];
    wire leave = settle && !settle_stays;
    integer k;

    // Who is inside, and who is between `replay_take` and `settle`, by what goes in and out.
    reg [7:0] held = 0;
    reg [7:0] air = 0;
    reg [2:0] used = 0;
    reg left = 0;
    reg [2:0] left_slot = 0;
    reg past = 0;
    reg was_settled = 0;
    // The packet in `s`.
    reg [1:0] its_header, its_key;
    reg its_start, its_full, due, over;
    reg [31:0] its_arrival, now_before;
    reg held_before;
    reg [1:0] tries = 0;
    wire woken = (wake && wake_key == its_key) || (room && its_start && (its_full || room_src == its_key[0]));

    // The environment. A packet that is offered may be taken; it has its verdict LATENCY clocks later; one whose time is up does not
    // stay. One packet is at a verdict at a time; none comes before `ready` or with N inside.
    always @* begin
        if (replay_take) assume (replay_valid);
        if (stays) assume (!fly_expired[LATENCY]);
        if (push) assume (ready && !settle && used < 4);
    end
    initial assume (rst);

    always @(posedge clk) begin
        past <= 1;
        fly_valid <= rst ? 0 : {fly_valid[LATENCY-1:1], replay_take};
        fly_slot[1] <= replay_slot;
        fly_expired[1] <= replay_expired;
        for (k = 2; k <= LATENCY; k = k + 1) begin
            fly_slot[k] <= fly_slot[k-1];
            fly_expired[k] <= fly_expired[k-1];
        end
        left <= leave && !rst;
        left_slot <= settle_slot;
        was_settled <= settle && !rst;
        now_before <= now;
        held_before <= held[s];
        if (replay_take) air[replay_slot] <= 1;
        if (settle) air[settle_slot] <= 0;
        if (leave) held[settle_slot] <= 0;
        if (push) held[push_slot] <= 1;
        used <= used + push - leave;
        if (rst) begin
            held <= 0;
            air <= 0;
            used <= 0;
        end
        if (held[s] && held_before && now_before - its_arrival > cfg_escape_timeout) over <= 1;
        if (held[s] && woken) due <= 1;
        if (settle && settle_slot == s) begin
            due <= 0;
            its_full <= settle_full;
            if (tries != 3) tries <= tries + 1;
        end
        if (push && push_slot == s) begin
            its_header <= push_header;
            its_key <= push_key;
            its_start <= push_start;
            its_full <= push_full;
            its_arrival <= now;
            due <= 0;
            over <= 0;
            tries <= 0;
        end
    end

    // Position of `s` in the queue, and how often a slot is anywhere.
    wire [3:0] here = {valid[3] && slot[3] == s, valid[2] && slot[2] == s, valid[1] && slot[1] == s, valid[0] && slot[0] == s};
    genvar t;
    generate for (t = 0; t < 8; t = t + 1) begin : each
        reg [3:0] in_queue, in_free;
        wire [2:0] flights = (pick_valid && pick_slot == t) + (busy && replay_slot == t) + air[t] + (was_settled && left_slot == t);
        integer j;
        always @* begin
            in_queue = 0;
            in_free = 0;
            for (j = 0; j < 4; j = j + 1) in_queue = in_queue + (valid[j] && slot[j] == t);
            for (j = 0; j < 8; j = j + 1) in_free = in_free + (j < free_count && free[(read + j) % 8] == t);
            if (past) begin
                assert (in_queue == held[t] || (left && left_slot == t && in_queue == 1));
                if (ready) assert (in_free == !held[t]);
                assert (flights <= (held[t] || (left && left_slot == t)));
                for (j = 0; j < 4; j = j + 1) if (valid[j] && slot[j] == t) assert (flying[j] == flights);
                assert (air[t] == ((fly_valid[1] && fly_slot[1] == t) + (fly_valid[2] && fly_slot[2] == t)
                    + (fly_valid[3] && fly_slot[3] == t) + (fly_valid[4] && fly_slot[4] == t)));
            end
        end
    end endgenerate

    integer i;
    always @* begin i = 0; if (past) begin
        // The property.
        if (replay_valid) assert (held[replay_slot] && !air[replay_slot]);
        if (push) assert (!held[push_slot]);
        if (settle) assert (held[settle_slot] && air[settle_slot]);
        if (replay_valid && replay_slot == s) begin
            assert (replay_header == its_header);
            assert (replay_full == (its_start && its_full));
            if (replay_expired) assert (over);
        end
        // One that is inside waits in the queue, once, and is there to be picked if something happened to it.
        if (held[s]) assert ($onehot(here));
        if (held[s] && due) assert (|(here & eligible));
        if (ready) assert (free_count + used == 8 && used <= 4);

        // What holds inside, for the induction: the list of free slots as it fills after reset,
        assert (free_count <= 8 && free_valid == (free_count != 0) && write == (read + free_count) % 8);
        if (!ready) begin
            assert (free_count == fill && read == 0 && used == 0 && held == 0);
            for (i = 0; i < 8; i = i + 1) if (i < fill) assert (free[i] == i);
        end
        // the queue without gaps,
        for (i = 1; i < 4; i = i + 1) if (valid[i]) assert (valid[i-1]);
        assert (valid[0] + valid[1] + valid[2] + valid[3] == used + left);
        assert (settling == was_settled);
        if (settling) assert ($onehot(settled));
        if (settling) assert (behind == ~(settled - 1'b1));
        if (settle) assert ($onehot(found_settled));
        for (i = 0; i < 4; i = i + 1) if (settle && found_settled[i]) assert (valid[i] && slot[i] == settle_slot);
        for (i = 0; i < 4; i = i + 1) if (settling && settled[i]) assert (valid[i] && slot[i] == left_slot);
        if (settling) assert (settling_stays == !left);
        // one pick at a time,
        assert (picking == |picked);
        if (picking) assert ($onehot(picked & valid) && (picked & valid & flying) == 0);
        // (the place that a picked packet has just moved away from says the same as the packet)
        if (picked[0]) assert (valid[0]);
        for (i = 1; i < 4; i = i + 1) if (picked[i] && !valid[i])
            assert (picked[i-1] && valid[i-1] && slot[i] == slot[i-1] && {start[i], full[i], expired[i]} == {start[i-1], full[i-1], expired[i-1]});
        if (looking) assert (candidates != 0 && (candidates & (flying | ~valid)) == 0);
        assert (looking + picking + pick_valid + busy <= 1);
        assert (busy == wait_1 + wait_2 + replay_valid);
        // and the one in front has its verdict before the next is offered,
        assert ($onehot0(fly_valid));
        if (looking) assert (!fly_valid[1]);
        if (picking) assert (fly_valid[2:1] == 0);
        if (pick_valid) assert (fly_valid[3:1] == 0);
        if (wait_1) assert (fly_valid == 0);
        if (wait_2 || replay_valid) assert (fly_valid == 0 && !was_settled);
        // and what is stored of the packet in `s`.
        if (held[s]) begin
            assert (header[s] == its_header && arrival[s] == its_arrival);
            if (wait_2 && replay_slot == s) assert (first == its_header);
            for (i = 0; i < 4; i = i + 1) if (here[i]) begin
                assert (key[i] == its_key && start[i] == its_start);
                assert ((settling && settled[i] ? settling_full : full[i]) == its_full);
                if (expired[i]) assert (over);
            end
            if (pick_valid && pick_slot == s) assert (pick_full == (its_start && its_full) && (!pick_expired || over));
            if (busy && replay_slot == s) assert (replay_full == (its_start && its_full) && (!replay_expired || over));
            if (overdue && overdue_slot == s) assert (over);
            if (scanned_1 == s && !reused_1) assert (scanned_arrival == its_arrival);
            if (scanned == s && !scanned_reused) assert (held_before && scanned_age == now_before - its_arrival);
        end

        // Not vacuous.
        cover (used == 4 && valid == 4'b1111);
        cover (leave && settle_slot == s && tries == 1 && !fly_expired[LATENCY]);
        cover (leave && settle_slot == s && fly_expired[LATENCY] && over && used == 4);
        cover (replay_valid && replay_slot == s && here[2] && due);
        cover (push && left && valid[2]);
        cover (settle_stays && settle_slot == s && pick_valid);
    end end
endmodule
