// FrameStore: the n-th beat of the frames that are kept leaves as the n-th, with its value, three clocks after its frame is whole if it is the oldest
// then, and never before; a frame does not pause; it is lost only if a beat of it found no room.
//
// The solver picks a beat when it is stored (`pick`); `ahead` counts the beats that must leave before it. Bit 0 of a beat says that it is its frame's last.
module proof #(parameter W = 4, parameter A = 2) (
    input clk, input rst, input in_waits, input in_valid, input [W-1:0] in_word, input in_drop, input cut, input out_ready, input pick
);
    localparam DEPTH = 1 << A;
    wire in_ready, out_valid, evt_lost, shown, lost;
    wire [W-1:0] out_word, read_data;
    wire [A:0] write, whole, read;
    wire [W*DEPTH-1:0] words;
    wire in_last = in_word[0];
    frame_store dut (
        .clk(clk), .rst(rst), .in_waits(in_waits), .in_valid(in_valid), .in_ready(in_ready), .in_word(in_word), .in_last(in_last),
        .in_drop(in_drop), .cut(cut), .out_valid(out_valid), .out_ready(out_ready), .out_word(out_word), .evt_lost(evt_lost),
        .write(write), .whole(whole), .read(read), .shown(shown), .lost(lost), .memory_read_data(read_data),
        .\memory.words[0] (words[0*W +: W]), .\memory.words[1] (words[1*W +: W]), .\memory.words[2] (words[2*W +: W]),
        .\memory.words[3] (words[3*W +: W])
    );

    // Beats in the memory, and those of whole frames among them.
    wire [A:0] stored = write - read;
    wire [A:0] stored_whole = whole - read;
    wire full = stored == DEPTH;
    wire takes = in_valid && in_ready;
    wire keeps = takes && !full && !lost && !cut;
    wire pop = out_valid && out_ready;
    wire commits = keeps && in_last && !in_drop;
    wire rolls = cut || (takes && in_last && !commits);

    reg past = 0;
    reg tracking = 0, coming;
    reg [W-1:0] tracked;
    reg [A+1:0] ahead;
    reg [1:0] age;
    reg no_room = 0, was_lost = 0, pauses = 0, stalled = 0, some_lost = 0, some_cut = 0;
    reg [W-1:0] word_before;
    // Behind the last beat of a frame that is kept.
    reg [A:0] kept_to = 0;
    // Beats of the memory before the one that was picked.
    wire [A+1:0] behind = ahead - out_valid;
    wire [A:0] position = read + behind[A:0];
    wire at_output = ahead == 0 && out_valid && !coming;

    always @(posedge clk) begin
        past <= 1;
        stalled <= out_valid && !out_ready && !rst;
        word_before <= out_word;
        if (rst) kept_to <= 0;
        else if (commits) kept_to <= write + 1'b1;
        // A beat of this frame came while the store was full.
        if (rst || cut || (takes && in_last)) no_room <= 0;
        else if (takes && full) no_room <= 1;
        was_lost <= !rst && !cut && takes && in_last && !in_drop && (no_room || full);
        pauses <= !rst && pop && !out_word[0];
        some_lost <= !rst && (some_lost || was_lost);
        some_cut <= !rst && (some_cut || cut);
        if (rst) tracking <= 0;
        else if (tracking) begin
            if (pop) ahead <= ahead - 1'b1;
            if (pop && ahead == 0 && !coming) tracking <= 0;
            if (coming && rolls) tracking <= 0;
            if (coming && commits) begin
                coming <= 0;
                age <= 1;
            end else if (age != 3) age <= age + 1'b1;
        end else if (keeps && pick && !(in_last && in_drop)) begin
            tracking <= 1;
            tracked <= in_word;
            ahead <= stored + out_valid - pop;
            coming <= !in_last;
            age <= 1;
        end
    end

    initial assume (rst);

    always @* if (past) begin
        // The property.
        if (tracking && !coming && ahead == 0 && out_valid) assert (out_word == tracked);
        if (tracking && !coming && ahead == 0 && age == 3) assert (out_valid);
        if (tracking && coming) assert (!(ahead == 0 && out_valid));
        if (pauses) assert (out_valid);
        if (stalled) assert (out_valid && out_word == word_before);
        assert (evt_lost == was_lost);
        assert (whole == kept_to);
        if (!in_waits) assert (in_ready);
        if (in_waits && full && stored_whole != 0) assert (!in_ready);
        if (!full) assert (in_ready);
        // What holds inside, for the induction.
        assert (lost == no_room);
        assert (stored <= DEPTH && stored_whole <= stored);
        if (shown) assert (stored_whole != 0 && read_data == words[read[A-1:0]*W +: W]);
        // The last beat of the whole frames ends one; behind it is the one that comes.
        if (stored_whole != 0) assert (words[((whole - 1'b1) & (DEPTH - 1))*W +: 1] == 1'b1);
        if (out_valid && !out_word[0]) assert (shown);
        if (tracking) assert (age != 0);
        if (tracking && !at_output) begin
            assert (behind < stored);
            assert (words[position[A-1:0]*W +: W] == tracked);
            assert (coming == (behind >= stored_whole));
            if (!coming && behind == 0 && age >= 2) assert (shown);
        end
        // Not vacuous.
        cover (full && stored_whole == DEPTH);
        cover (some_lost && some_cut && tracking && !coming && pop && ahead == 0 && age == 3);
        cover (some_lost && pauses && stored_whole == 0);
        cover (in_waits && was_lost);
    end
endmodule
