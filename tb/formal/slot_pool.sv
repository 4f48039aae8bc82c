// SlotPool: a slot that is out is not offered, whatever comes back in whatever order; none is lost.
//
// `out` are the slots that somebody has: only those may come back, each by one way at a time. Every slot is in exactly one place: out, never used,
// on its way back, or in the queue. Since the places are known at each clock, a slot that is not out is in the pool.
module proof #(parameter A = 2) (
    input clk, input rst, input out_ready, input internal_valid, input [A-1:0] internal_slot,
    input first_valid, input [A-1:0] first_slot, input second_valid, input [A-1:0] second_slot
);
    localparam N = 1 << A;
    wire out_valid, first_ready, second_ready, all_used, back_valid, shown, queue_valid;
    wire [A-1:0] out_slot, never_used, back, write, read, read_data, oldest;
    wire [A:0] count;
    wire [A*N-1:0] words;
    slot_pool dut (
        .clk(clk), .rst(rst), .out_valid(out_valid), .out_ready(out_ready), .out_slot(out_slot),
        .internal_valid(internal_valid), .internal_slot(internal_slot),
        .first_valid(first_valid), .first_ready(first_ready), .first_slot(first_slot),
        .second_valid(second_valid), .second_ready(second_ready), .second_slot(second_slot),
        .never_used(never_used), .all_used(all_used), .back(back), .back_valid(back_valid),
        .\returned.write (write), .\returned.read (read), .\returned.shown (shown), .\returned.memory_read_data (read_data),
        .returned_count(count), .returned_out_valid(queue_valid), .returned_out_data(oldest),
        .\returned.memory.words[0] (words[0*A +: A]), .\returned.memory.words[1] (words[1*A +: A]),
        .\returned.memory.words[2] (words[2*A +: A]), .\returned.memory.words[3] (words[3*A +: A])
    );

    reg past = 0;
    reg [N-1:0] out = 0;
    reg all_out = 0, came_back = 0;
    wire take = out_valid && out_ready;
    wire give_first = first_valid && first_ready;
    wire give_second = second_valid && second_ready;
    wire [A:0] stored = count - queue_valid;

    always @(posedge clk) begin
        past <= 1;
        if (rst) out <= 0;
        else begin
            if (internal_valid) out[internal_slot] <= 0;
            if (give_first) out[first_slot] <= 0;
            if (give_second) out[second_slot] <= 0;
            if (take) out[out_slot] <= 1;
        end
        all_out <= !rst && (all_out || &out);
        came_back <= !rst && (came_back || (all_out && out == 0));
    end

    initial assume (rst);

    // Who gives a slot back has it, and nobody else gives it back at the same time.
    always @* begin
        if (internal_valid) assume (out[internal_slot]);
        if (first_valid) assume (out[first_slot]);
        if (second_valid) assume (out[second_slot]);
        if (internal_valid && first_valid) assume (internal_slot != first_slot);
        if (internal_valid && second_valid) assume (internal_slot != second_slot);
        if (first_valid && second_valid) assume (first_slot != second_slot);
    end

    integer s, k;
    reg [3:0] places;
    always @* if (past) begin
        // The property.
        if (out_valid) assert (!out[out_slot]);
        assert (!(first_ready && second_ready && first_valid && second_valid));
        if (internal_valid) assert (!first_ready && !second_ready);
        if (!internal_valid && first_valid && second_valid) assert (first_ready || second_ready);
        if (!internal_valid && first_valid && !second_valid) assert (first_ready);
        if (!internal_valid && second_valid && !first_valid) assert (second_ready);
        // Every slot is in one place.
        for (s = 0; s < N; s = s + 1) begin
            places = out[s] + (!all_used && s >= never_used) + (back_valid && back == s) + (queue_valid && oldest == s);
            for (k = 0; k < N; k = k + 1)
                places = places + (k < stored && words[((read + k) % N) * A +: A] == s);
            assert (places == 1);
        end
        // What holds inside, for the induction.
        assert (count <= N && count >= queue_valid);
        assert (stored[A-1:0] == write - read);
        if (shown) assert (stored != 0 && read_data == words[read*A +: A]);
        if (all_used) assert (never_used == 0);
        // Not vacuous.
        cover (all_out && came_back && &out);
        cover (all_out && give_first && second_valid);
        cover (all_out && give_second && first_valid);
        cover (all_out && internal_valid && first_valid && second_valid);
    end
endmodule
