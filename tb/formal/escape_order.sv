// EscapeChannel with EscapeQueue, four slots: arrival order among the packets of one source and op index, starts included.
//
// The solver picks two packets of one key as they come, the older in `a`, the younger in `b`. What happens to the key, or for two starts an
// entry that may be free, is owed to the older one. What was owed to it when the try before had its verdict, it has before the younger is offered.
module proof (
    input clk, input rst, input [31:0] now, input [31:0] cfg_escape_timeout, input push, input [2:0] push_header, input [1:0] push_key,
    input push_start, input push_full, input settle, input settle_stays, input settle_full, input wake, input room, input replay_take,
    input pick_a, input pick_b
);
    localparam N = 4;
    wire ready, replay_valid, replay_expired, replay_full;
    wire [2:0] replay_header;
    wire [1:0] pick_slot, push_slot;
    escape_channel dut (
        .clk(clk), .rst(rst), .ready(ready), .now(now), .cfg_escape_timeout(cfg_escape_timeout), .push(push), .push_header(push_header),
        .push_key(push_key), .push_start(push_start), .push_full(push_full), .settle(settle), .settle_stays(settle_stays),
        .settle_full(settle_full), .wake(wake), .room(room), .replay_valid(replay_valid), .replay_take(replay_take),
        .replay_header(replay_header), .replay_expired(replay_expired), .replay_full(replay_full),
        .\queue.pick_slot (pick_slot), .free_out_data(push_slot)
    );

    // Around it: who is inside, and how long ago the packet that is tried was taken.
    reg past = 0;
    reg [2:0] used = 0;
    reg [2:0] flight = 0;
    reg flight_expired = 0;
    wire leave = settle && !settle_stays;
    initial assume (rst);
    always @* begin
        if (push) assume (ready && used < N);
        if (push) assume (!settle && !wake && !room);
        if (replay_take) assume (replay_valid);
        if (settle) assume (flight >= 3);
        if (settle_stays) assume (!flight_expired);
    end

    // The two.
    reg [1:0] a, b, its_key;
    reg a_held = 0, b_held = 0, a_start, a_full, b_start;
    reg owed = 0, promised = 0;
    wire a_settles = settle && pick_slot == a && a_held;
    wire b_settles = settle && pick_slot == b && b_held;
    wire full_now = a_settles ? settle_full : a_full;
    wire happens = a_held && ((wake && push_key == its_key)
        || (room && a_start && b_start && b_held && (full_now || push_key[0] == its_key[0])));
    // For the covers.
    reg [1:0] tries = 0;
    reg woke = 0, roomy = 0;

    always @(posedge clk) begin
        past <= 1;
        used <= used + push - leave;
        if (replay_take) begin
            flight <= 1;
            flight_expired <= replay_expired;
        end else if (settle) flight <= 0;
        else if (flight != 0 && flight != 3) flight <= flight + 1;
        if (settle) promised <= owed;
        if (a_settles) begin
            owed <= 0;
            promised <= 0;
            a_full <= settle_full;
            if (!settle_stays) a_held <= 0;
            if (tries != 3) tries <= tries + 1;
        end
        if (happens) begin
            owed <= 1;
            if (settle) promised <= 1;
            woke <= woke || wake;
            roomy <= roomy || room;
        end
        if (b_settles && !settle_stays) b_held <= 0;
        if (push && pick_a && !a_held && !b_held) begin
            a <= push_slot;
            its_key <= push_key;
            a_start <= push_start;
            a_full <= push_full;
            {owed, promised, woke, roomy} <= 0;
            a_held <= 1;
            tries <= 0;
        end
        if (push && pick_b && a_held && !b_held && push_key == its_key) begin
            b <= push_slot;
            b_start <= push_start;
            b_held <= 1;
        end
        if (rst) {used, flight, a_held, b_held, owed, promised} <= 0;
    end

    always @* if (past) begin
        if (replay_valid && b_held && pick_slot == b && a_held) assert (!promised);
        cover (a_held && b_held && promised);
        cover (a_held && b_held && promised && a_settles && wake && leave && used == N);
        cover (!a_held && b_held && replay_valid && pick_slot == b && woke && tries == 1 && used == N - 1);
        cover (!a_held && b_held && replay_valid && pick_slot == b && roomy && tries == 2);
        cover (a_held && b_held && replay_valid && pick_slot == b && owed);
    end
endmodule
