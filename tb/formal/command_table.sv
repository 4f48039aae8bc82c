// CommandTable: a command is over once, when it is closed (cut to its end, or discarded) and every segment of it has ended, not before and
// at most three clocks later, with the status of the first that failed. Its place is freed once, after that, and after its data arrival if there is one.
//
// The solver picks one place `w`; what happens at the others is free. For `w` the block is told what the splitter tells it: segments of one
// command at a time, until the last or the discard, which comes after a failure only; ends of segments that were cut before.
module proof #(parameter CW = 2, parameter OW = 3) (
    input clk, input rst, input put_valid, input [CW-1:0] put_index, input [15:0] put_id, input [31:0] put_total,
    input cut_valid, input [CW-1:0] cut_index, input cut_last, input cut_wants, input discard_valid, input [CW-1:0] discard_index,
    input ended_valid, input [CW-1:0] ended_index, input ended_kind, input [7:0] ended_status
);
    localparam N = 1 << CW;
    localparam UW = 2 * OW + 2;
    localparam TW = OW + 10;
    (* anyconst *) wire [CW-1:0] w;
    wire ready, ended_ready, failed_valid, over_valid, arrival_valid, freed_valid, missed;
    wire [15:0] over_id;
    wire [7:0] over_status, status0, status1;
    wire [31:0] over_total;
    wire [CW-1:0] event_index, clearing, index0, index1;
    wire valid0, kind0, discard0, valid1, kind1, bad1, discard1, last1, wants1, over;
    wire [TW-1:0] word1;
    wire [OW-1:0] goal1;
    wire [UW*N-1:0] cuts, again;
    wire [TW*N-1:0] ends;
    command_table dut (
        .clk(clk), .rst(rst), .ready(ready), .put_valid(put_valid), .put_index(put_index), .put_id(put_id), .put_total(put_total),
        .cut_valid(cut_valid), .cut_index(cut_index), .cut_last(cut_last), .cut_wants(cut_wants),
        .discard_valid(discard_valid), .discard_index(discard_index), .ended_valid(ended_valid), .ended_ready(ended_ready),
        .ended_index(ended_index), .ended_kind(ended_kind), .ended_status(ended_status), .failed_valid(failed_valid),
        .over_valid(over_valid), .over_id(over_id), .over_status(over_status), .over_total(over_total), .arrival_valid(arrival_valid),
        .freed_valid(freed_valid), .event_index(event_index), .evt_arrival_failed(missed), .clearing(clearing),
        .valid0(valid0), .index0(index0), .kind0(kind0), .status0(status0), .discard0(discard0), .valid1(valid1), .index1(index1),
        .kind1(kind1), .status1(status1), .bad1(bad1), .discard1(discard1), .word1(word1), .goal1(goal1), .last1(last1), .wants1(wants1),
        .over(over),
        .\cuts.words[0] (cuts[0*UW +: UW]), .\cuts.words[1] (cuts[1*UW +: UW]),
        .\cuts.words[2] (cuts[2*UW +: UW]), .\cuts.words[3] (cuts[3*UW +: UW]),
        .\cuts_again.words[0] (again[0*UW +: UW]), .\cuts_again.words[1] (again[1*UW +: UW]),
        .\cuts_again.words[2] (again[2*UW +: UW]), .\cuts_again.words[3] (again[3*UW +: UW]),
        .\ends.words[0] (ends[0*TW +: TW]), .\ends.words[1] (ends[1*TW +: TW]),
        .\ends.words[2] (ends[2*TW +: TW]), .\ends.words[3] (ends[3*TW +: TW])
    );

    // What is known of the command at `w`: it has its place, it is not over, its last segment is cut, it is discarded, a segment of it failed.
    reg past = 0, placed = 0, live = 0, last = 0, discarded = 0, wants = 0, failed = 0, cut_before = 0;
    reg [7:0] first = 0;
    reg [OW-1:0] outstanding = 0;
    // It is to be announced, the announcement is under way, it has ended.
    reg due = 0, under_way = 0, leaving = 0;
    // The failure has been told.
    reg told = 0;
    reg [3:0] lives = 0;
    reg was_discarded = 0, was_announced = 0;
    wire cuts_w = cut_valid && cut_index == w;
    wire ends_w = ended_valid && ended_ready && ended_index == w;
    wire data_w = ends_w && !ended_kind;
    wire drops_w = discard_valid && discard_index == w;
    wire over_w = over && index1 == w;
    wire event_w = event_index == w;

    always @(posedge clk) begin
        past <= 1;
        cut_before <= cuts_w;
        if (cuts_w) begin
            placed <= 1;
            live <= 1;
            last <= cut_last;
            wants <= cut_wants;
            if (!live) {discarded, failed, told} <= 0;
        end
        if (data_w && ended_status != 0 && !failed) begin
            failed <= 1;
            first <= ended_status;
        end
        if (failed_valid && event_w) told <= 1;
        if (drops_w) discarded <= 1;
        outstanding <= outstanding + cuts_w - data_w;
        if (over_w) begin
            live <= 0;
            due <= !failed && wants;
            leaving <= failed || !wants;
        end
        if (arrival_valid && event_w) begin
            due <= 0;
            under_way <= 1;
        end
        if (ends_w && ended_kind) begin
            under_way <= 0;
            leaving <= 1;
        end
        if (freed_valid && event_w) begin
            placed <= 0;
            leaving <= 0;
            lives <= lives + 1;
            was_discarded <= was_discarded || discarded;
        end
        was_announced <= was_announced || under_way;
        if (rst) {placed, live, last, discarded, wants, failed, outstanding, due, under_way, leaving, told, cut_before, lives, was_discarded, was_announced} <= 0;
    end

    initial assume (rst);
    always @* begin
        if (!ready) assume (!cut_valid && !discard_valid && !ended_valid);
        if (cuts_w) assume ((!placed || (live && !last && !discarded)) && outstanding != {OW{1'b1}});
        if (cuts_w) assume (!drops_w);
        if (data_w) assume (outstanding != 0);
        if (ends_w && ended_kind) assume (under_way);
        if (drops_w) assume (live && !last && !discarded && told);
    end

    wire [OW-1:0] count = cuts[w*UW +: OW];
    wire [TW-1:0] word = ends[w*TW +: TW];
    wire n0 = valid0 && index0 == w && !kind0 && !discard0;
    wire n1 = valid1 && index1 == w && !kind1 && !discard1;
    wire d0 = valid0 && index0 == w && discard0;
    wire d1 = valid1 && index1 == w && discard1;
    wire a0 = valid0 && index0 == w && kind0;
    wire a1 = valid1 && index1 == w && kind1;
    wire [OW-1:0] gone = word[0 +: OW] + n0 + n1;
    wire bad0 = n0 && status0 != 0;
    always @* if (past) begin
        // The property.
        if (over_w) assert (live && (last || discarded) && outstanding == 0 && !n0 && !d0);
        if (live && (last || discarded) && outstanding == 0) assert (n0 || n1 || d0 || d1);
        if (over_valid && event_w) assert (!live && placed && over_status == (failed ? first : 8'd0));
        if (arrival_valid && event_w) assert (due && !failed && over_valid);
        if (freed_valid && event_w) assert (placed && !live && leaving && !due && !under_way);
        if (failed_valid && event_w) assert (failed && placed);
        // What holds inside, for the induction.
        if (ready) begin
            assert (cuts[w*UW +: UW] == again[w*UW +: UW]);
            assert (count - gone == outstanding);
            if (live) assert (cuts[w*UW+OW +: OW] + 3'd1 == count && cuts[w*UW+2*OW] == last && cuts[w*UW+2*OW+1] == wants);
            if (live) assert (failed == (word[OW] || (n1 && bad1) || bad0));
            if (live && failed) assert (first == (word[OW] ? word[OW+1 +: 8] : n1 && bad1 ? status1 : status0));
            if (live) assert (discarded == (word[OW+9] || d0 || d1));
            if (!live) assert (outstanding == 0 && !n0 && !n1 && !d0 && !d1 && word[OW +: 10] == 0);
            if (valid1 && index1 == w) assert (word1 == word);
            if (n1) assert (goal1 == count - 3'd1 - cut_before && last1 == (last && !cut_before) && (cut_before || wants1 == wants));
            if (d1) assert (goal1 == count && failed);
            if (d0) assert (failed && !last && !cut_before);
            if (d1) assert (failed && !last1);
        end
        else begin
            assert (!valid0 && !valid1 && !placed && outstanding == 0);
            if (clearing > w) assert (cuts[w*UW +: UW] == 0 && again[w*UW +: UW] == 0 && word == 0);
        end
        assert (bad1 == (status1 != 0));
        if (discard0) assert (!kind0 && status0 == 0);
        if (discard1) assert (!kind1 && status1 == 0);
        if (live) assert (placed && !due && !under_way && !leaving);
        if (!placed) assert (!live && !due && !under_way && !leaving && !a0 && !a1);
        if (placed && !live) assert (due + under_way + leaving == 1);
        if (due) assert (arrival_valid && event_w && !failed);
        if (leaving) assert ((freed_valid && event_w) || a0 || a1);
        if (a0 || a1) assert (leaving && !(freed_valid && event_w) && !(a0 && a1));
        if (!live) assert (!(discarded && last));
        if (discarded) assert (!last && told);
        if (told) assert (failed);
        if (over_valid) assert (arrival_valid != freed_valid);
        // Not vacuous.
        cover (was_discarded && was_announced && lives == 2);
        cover (over_w && discarded && n1);
        cover (over_w && discarded && d1);
        cover (over_w && last && failed && n1 && valid0);
    end
endmodule
