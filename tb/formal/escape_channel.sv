// EscapeChannel with EscapeQueue, four slots: every packet that goes in is offered, with its header, only while it waits, and ends exactly
// once: with the verdict after which it does not stay. A packet is in one of its two lists or between them, and never in two places; a slot
// is given to a packet only if none is in it. Nothing that happens to a waiting packet is forgotten before its next try, and a packet is
// offered as expired only if its time was up.
//
// The solver picks a slot (`s`); a shadow follows the packet in it. The registry around the channel is what `assume` says: no push before
// `ready` or with N inside; a verdict for each packet that it took, three clocks later at the earliest; one that was expired leaves.
module proof (
    input clk, input rst, input [31:0] now, input [31:0] cfg_escape_timeout, input push, input [2:0] push_header, input [1:0] push_key,
    input push_start, input push_full, input settle, input settle_stays, input settle_full, input wake, input room, input replay_take
);
    localparam N = 4;
    (* anyconst *) wire [1:0] s;

    // The design, its registers by the names that follow.
    wire ready, replay_valid, replay_expired, replay_full, push_1, start_1, full_1, reused_1, reused_2, scanned_reused, overdue, picked;
    wire settle_1, stays_1, stays_full_1, pushes, new_start, new_full, moving, wake_1, room_1, wakes, makes_room;
    wire hit, fresh, any_aged, any_young, taken, known, free_out_valid, young_out_valid, aged_out_valid;
    wire [2:0] replay_header, first, free_count, young_count, aged_count, young_left, aged_left;
    wire [1:0] fill, slot_1, key_1, scan, scanned_1, scanned_2, scanned, overdue_slot, pick_slot, taken_slot, new_slot, new_key;
    wire [1:0] free_read, free_write, young_read, young_write, aged_read, aged_write;
    wire [31:0] scanned_arrival, difference, scanned_age;
    wire [1:0] free [0:3], young [0:3], aged [0:3], key [0:3];
    wire [2:0] header [0:3];
    wire [31:0] arrived [0:3];
    wire [3:0] valid, start, full, expired, wants, turn, chosen, ahead, pushed, times_up, taken_at, same_key, same_src;
    escape_channel dut (
        .clk(clk), .rst(rst), .ready(ready), .now(now), .cfg_escape_timeout(cfg_escape_timeout), .push(push), .push_header(push_header),
        .push_key(push_key), .push_start(push_start), .push_full(push_full), .settle(settle), .settle_stays(settle_stays),
        .settle_full(settle_full), .wake(wake), .room(room), .replay_valid(replay_valid), .replay_take(replay_take),
        .replay_header(replay_header), .replay_expired(replay_expired), .replay_full(replay_full),
        .fill(fill), .push_1(push_1), .slot_1(slot_1), .key_1(key_1), .start_1(start_1), .full_1(full_1), .scan(scan),
        .scanned_1(scanned_1), .scanned_arrival(scanned_arrival), .reused_1(reused_1), .scanned(scanned), .scanned_age(scanned_age),
        .scanned_reused(scanned_reused), .scanned_2(scanned_2), .reused_2(reused_2), .\since_arrival.difference (difference),
        .settle_1(settle_1), .stays_1(stays_1), .stays_full_1(stays_full_1), .wake_1(wake_1), .room_1(room_1),
        .overdue(overdue), .overdue_slot(overdue_slot), .picked(picked),
        .\headers.first (first),
        .\free.memory.words[0] (free[0]), .\queue.young.memory.words[0] (young[0]), .\queue.aged.memory.words[0] (aged[0]),
        .\headers.words[0] (header[0]), .\arrivals.words[0] (arrived[0]),
        .\queue.each[0].valid (valid[0]), .\queue.each[0].key (key[0]), .\queue.each[0].start (start[0]), .\queue.each[0].full (full[0]),
        .\queue.each[0].expired (expired[0]), .\queue.each[0].wants (wants[0]), .\queue.each[0].turn (turn[0]),
        .\queue.each[0].chosen (chosen[0]), .\queue.each[0].ahead (ahead[0]),
        .\queue.each[0].pushed (pushed[0]), .\queue.each[0].due (times_up[0]), .\queue.each[0].taken_at (taken_at[0]),
        .\queue.each[0].same_key (same_key[0]), .\queue.each[0].same_src (same_src[0]),
        .\free.memory.words[1] (free[1]), .\queue.young.memory.words[1] (young[1]), .\queue.aged.memory.words[1] (aged[1]),
        .\headers.words[1] (header[1]), .\arrivals.words[1] (arrived[1]),
        .\queue.each[1].valid (valid[1]), .\queue.each[1].key (key[1]), .\queue.each[1].start (start[1]), .\queue.each[1].full (full[1]),
        .\queue.each[1].expired (expired[1]), .\queue.each[1].wants (wants[1]), .\queue.each[1].turn (turn[1]),
        .\queue.each[1].chosen (chosen[1]), .\queue.each[1].ahead (ahead[1]),
        .\queue.each[1].pushed (pushed[1]), .\queue.each[1].due (times_up[1]), .\queue.each[1].taken_at (taken_at[1]),
        .\queue.each[1].same_key (same_key[1]), .\queue.each[1].same_src (same_src[1]),
        .\free.memory.words[2] (free[2]), .\queue.young.memory.words[2] (young[2]), .\queue.aged.memory.words[2] (aged[2]),
        .\headers.words[2] (header[2]), .\arrivals.words[2] (arrived[2]),
        .\queue.each[2].valid (valid[2]), .\queue.each[2].key (key[2]), .\queue.each[2].start (start[2]), .\queue.each[2].full (full[2]),
        .\queue.each[2].expired (expired[2]), .\queue.each[2].wants (wants[2]), .\queue.each[2].turn (turn[2]),
        .\queue.each[2].chosen (chosen[2]), .\queue.each[2].ahead (ahead[2]),
        .\queue.each[2].pushed (pushed[2]), .\queue.each[2].due (times_up[2]), .\queue.each[2].taken_at (taken_at[2]),
        .\queue.each[2].same_key (same_key[2]), .\queue.each[2].same_src (same_src[2]),
        .\free.memory.words[3] (free[3]), .\queue.young.memory.words[3] (young[3]), .\queue.aged.memory.words[3] (aged[3]),
        .\headers.words[3] (header[3]), .\arrivals.words[3] (arrived[3]),
        .\queue.each[3].valid (valid[3]), .\queue.each[3].key (key[3]), .\queue.each[3].start (start[3]), .\queue.each[3].full (full[3]),
        .\queue.each[3].expired (expired[3]), .\queue.each[3].wants (wants[3]), .\queue.each[3].turn (turn[3]),
        .\queue.each[3].chosen (chosen[3]), .\queue.each[3].ahead (ahead[3]),
        .\queue.each[3].pushed (pushed[3]), .\queue.each[3].due (times_up[3]), .\queue.each[3].taken_at (taken_at[3]),
        .\queue.each[3].same_key (same_key[3]), .\queue.each[3].same_src (same_src[3]),
        .\free.read (free_read), .\free.write (free_write), .\free.count (free_count),
        .\free.out_valid (free_out_valid),
        .\queue.young.read (young_read), .\queue.young.write (young_write), .\queue.young.count (young_count),
        .\queue.young.out_valid (young_out_valid),
        .\queue.aged.read (aged_read), .\queue.aged.write (aged_write), .\queue.aged.count (aged_count),
        .\queue.aged.out_valid (aged_out_valid),
        .\queue.aged_left (aged_left), .\queue.young_left (young_left), .\queue.any_aged (any_aged), .\queue.any_young (any_young),
        .\queue.taken (taken), .\queue.taken_slot (taken_slot), .\queue.known (known), .\queue.pick_slot (pick_slot),
        .\queue.hit (hit), .\queue.fresh (fresh), .\queue.pushes (pushes), .\queue.new_slot (new_slot), .\queue.new_key (new_key),
        .\queue.new_start (new_start), .\queue.new_full (new_full), .\queue.moving (moving), .\queue.wakes (wakes), .\queue.makes_room (makes_room)
    );

    // Who is inside, and how long ago the packet that is tried was taken, by what goes in and out.
    wire [1:0] push_slot = free[free_read];
    wire leave = settle && !settle_stays;
    wire mine_in = push && push_slot == s;
    wire mine_settles = settle && pick_slot == s;
    // The queue hears one clock later what became of its pick. Its slot is in the list of free ones by then.
    wire settled = settle_1 && pick_slot == s;
    wire gone = settle_1 && !stays_1;
    reg past = 0;
    reg [2:0] used = 0;
    reg [2:0] flight = 0;
    reg flight_expired = 0;
    reg held = 0, held_1 = 0, held_2 = 0;
    reg [2:0] its_header;
    reg [1:0] its_key;
    reg its_start, its_full, over, due;
    reg [31:0] its_arrival, now_1, now_2;
    // An event is two clocks on its way to the packets in the queue, with the verdict that comes in the clock of the event.
    reg woken = 0, room_full = 0, room_source = 0, happens = 0;
    // For the covers.
    reg [1:0] tries = 0;
    reg left_before = 0;
    reg [1:0] other;
    reg other_held = 0, other_left = 0, other_key_same = 0;

    initial assume (rst);
    always @* begin
        if (push) assume (ready && used < N);
        if (replay_take) assume (replay_valid);
        if (settle) assume (flight >= 3);
        if (settle_stays) assume (!flight_expired);
    end

    always @(posedge clk) begin
        past <= 1;
        {now_2, now_1} <= {now_1, now};
        {held_2, held_1} <= {held_1, held};
        used <= used + push - leave;
        if (flight != 0 && flight != 3) flight <= flight + 1;
        if (replay_take) begin
            flight <= 1;
            flight_expired <= replay_expired;
        end
        if (settle) flight <= 0;
        woken <= held && wake && push_key == its_key;
        room_full <= held && room;
        room_source <= held && room && push_key[0] == its_key[0];

        happens <= held && (woken || (its_start && ((room_full && its_full) || room_source)));

        // Against the age of two clocks before: the comparison takes that long.
        if (held && held_1 && held_2 && now_2 - its_arrival > cfg_escape_timeout) over <= 1;
        if (settled) due <= 0;
        if (mine_settles) begin
            its_full <= settle_full;
            if (tries != 3) tries <= tries + 1;
            if (!settle_stays) held <= 0;
        end
        if (happens) due <= 1;
        if (mine_in) begin
            held <= 1;
            its_header <= push_header;
            its_key <= push_key;
            its_start <= push_start;
            its_full <= push_full;
            its_arrival <= now;
            over <= 0;
            due <= 0;
            tries <= 0;
        end
        left_before <= (left_before || (mine_settles && leave)) && !rst;
        // Another packet of the same source and op index that came after the one in `s`.
        if (mine_in) {other_held, other_left} <= 0;
        else if (push && held && !other_held && !other_left && push_key == its_key) begin
            other <= push_slot;
            other_held <= 1;
        end else if (leave && other_held && pick_slot == other) {other_held, other_left} <= 2'b01;
        if (rst) begin
            used <= 0;
            flight <= 0;
            {held, woken, room_full, room_source, happens, other_held, other_left} <= 0;
        end
    end

    // In how many places each slot is.
    genvar t;
    generate for (t = 0; t < N; t = t + 1) begin : each
        integer j;
        reg [2:0] in_free, in_young, in_aged;
        wire [2:0] waits = in_young + in_aged + (taken && taken_slot == t) + (known && !gone && pick_slot == t);
        wire comes = (push_1 && slot_1 == t) || (pushes && new_slot == t);
        always @* begin
            {in_free, in_young, in_aged} = 0;
            for (j = 0; j < N; j = j + 1) begin
                in_free = in_free + (j < free_count && free[(free_read + j) % N] == t);
                in_young = in_young + (j < young_count && young[(young_read + j) % N] == t);
                in_aged = in_aged + (j < aged_count && aged[(aged_read + j) % N] == t);
            end
            if (past) begin
                if (ready) assert (in_free + (push_1 && slot_1 == t) + (pushes && new_slot == t) + waits == 1);
                else assert (waits == 0 && !push_1 && !pushes && !settle_1 && in_free == (t < fill));
                assert (valid[t] == (waits == 1 || (gone && pick_slot == t)));
                if (known) assert (chosen[t] == (pick_slot == t));
                assert (pushed[t] == (pushes && new_slot == t));
                assert (taken_at[t] == (taken && taken_slot == t));
                if (t == s) assert (held == (waits == 1 || comes));
            end
        end
    end endgenerate

    always @* if (past) begin
        // The packet in `s` is offered with its header while it waits, and leaves once.
        if (replay_valid && pick_slot == s) begin
            assert (held && replay_header == its_header && replay_full == its_full);
            if (replay_expired) assert (over);
        end
        if (mine_settles) assert (held && valid[s]);
        if (mine_in) assert (!held);
        // What happened to it is not forgotten before its next try has ended.
        if (held && due && !(hit && pick_slot == s)) assert (wants[s] || turn[s]);

        // What holds inside, for the induction: the three lists,
        assert (free_count <= N && free_out_valid == (free_count != 0) && free_write == ((free_read + free_count) & 2'd3));
        assert (young_count <= N && young_out_valid == (young_count != 0) && young_write == ((young_read + young_count) & 2'd3));
        assert (aged_count <= N && aged_out_valid == (aged_count != 0) && aged_write == ((aged_read + aged_count) & 2'd3));
        if (ready) assert (free_count + used == N);
        else assert (free_count == fill && free_read == 0 && used == 0);
        assert (4'd0 + push_1 + pushes + young_count + aged_count + taken + (known && !gone) == used);
        // the pass,
        assert (aged_left <= aged_count && young_left <= young_count);
        assert (any_aged == (aged_left != 0) && any_young == (young_left != 0));
        // the packet that is tried,
        assert (!hit || known);
        assert (!fresh || (hit && !picked));
        assert (moving == (!hit || settle_1));
        assert (picked + replay_valid + (flight != 0) + settle_1 == 0 || hit);
        if (hit) assert (!picked + replay_valid + (flight != 0) + settle_1 == 1);
        if (flight != 0) assert (flight_expired == replay_expired);
        assert (flight <= 3);
        // what happens to the packet in `s`, on its way,
        if (woken) assert (wake_1 && key_1 == its_key);
        if (room_full || room_source) assert (room_1 && (!room_source || key_1[0] == its_key[0]));
        if (held && (woken || room_full || room_source || happens)) assert (!(push_1 && slot_1 == s));
        if (happens) assert (valid[s] && ((wakes && same_key[s]) || (makes_room && start[s] && (full[s] || same_src[s]))));
        // and what is stored of it.
        if (held) begin
            assert (header[s] == its_header && arrived[s] == its_arrival);
            if (push_1 && slot_1 == s) assert (key_1 == its_key && start_1 == its_start && full_1 == its_full);
            if (pushes && new_slot == s) assert (new_key == its_key && new_start == its_start && new_full == its_full);
            if (valid[s]) assert (key[s] == its_key && start[s] == its_start && (settled ? stays_full_1 : full[s]) == its_full);
            if (valid[s] && (expired[s] || times_up[s])) assert (over);
            if (known && pick_slot == s) assert (!ahead[s]);
            if (hit && pick_slot == s) assert ((settled || replay_full == its_full) && (!replay_expired || over));
            if (hit && pick_slot == s) assert (first == its_header);
            if (overdue && overdue_slot == s) assert (over);
            if (scanned_1 == s && !reused_1) assert (scanned_arrival == its_arrival);
            if (scanned_2 == s && !reused_2) assert (held_1 && difference == now_1 - its_arrival);
            if (scanned == s && !scanned_reused) assert (held_1 && held_2 && scanned_age == now_2 - its_arrival);
        end

        // Not vacuous: pushed, tried and stays, tried again and leaves; its time is up and it leaves; two of one operation in order; full;
        // a slot is used again.
        cover (mine_settles && leave && tries == 1 && !flight_expired);
        cover (mine_settles && leave && flight_expired && over);
        cover (leave && other_held && pick_slot == other && !held && !flight_expired);
        cover (used == N && valid == 4'b1111);
        cover (mine_in && left_before);
        cover (leave && push && used == 3 && pick_slot == s);
    end
endmodule
