// RegistryTable with CommitLogic: at stage 3 the table tells of every packet what a list of operations, changed by one packet at a time,
// would tell: whether its operation is live, whether the packet lies in it and where, whether it was here before, whether it is the last
// one missing. So what the packets right in front did, which the table did not know yet as it compared, is taken into account rightly. An
// operation is complete exactly when every bit of its mask is set, and a stale packet changes no row.
//
// Sizes are small, and of what is only stored and compared (bytes of the operation, lengths, offset) two bits may be set. The facts that
// other blocks add (done word, quota, who waits) are free inputs.
module proof #(parameter GW = 3, parameter UP = 2, parameter MW = 3, parameter LW = 60) (
    input clk, input rst, input valid, input [2:0] kind, input unknown, input src, input index, input [GW-1:0] generation,
    input [UP-1:0] up, input [MW-1:0] lo, input [1:0] offset, input [1:0] length, input full_length, input [MW:0] count,
    input [1:0] last_length, input [1:0] op_bytes, input fault, input misaligned, input payload, input replay, input expired,
    input done_known, input done_equal, input renotify_due, input done_old, input at_quota, input full_waiter, input source_waiter,
    input escape_full, input at_escape_quota, input [5:0] fresh_rows
);
    localparam E = 2, ROWS = E + 4, CW = MW + 1, M = 1 << MW, EW = GW + UP + 2 * MW + CW + LW + 33;

    reg started = 0;
    reg v2 = 0, v3 = 0;
    reg [2:0] kind_2 = 0, kind_3 = 0;
    reg unknown_2 = 0, unknown_3 = 0;
    reg src_2 = 0, src_3 = 0, index_2 = 0, index_3 = 0, full_length_2 = 0, full_length_3 = 0;
    reg [GW-1:0] generation_2 = 0, generation_3 = 0;
    reg [UP-1:0] up_2 = 0, up_3 = 0;
    reg [MW-1:0] lo_2 = 0, lo_3 = 0;
    reg [CW-1:0] count_2 = 0, count_3 = 0;
    reg [1:0] offset_2 = 0, offset_3 = 0, length_2 = 0, length_3 = 0, last_length_2 = 0, last_length_3 = 0;
    reg [1:0] op_bytes_2 = 0, op_bytes_3 = 0;
    reg [M-1:0] initial_3 = 0;
    wire [M-1:0] initial_2;
    initial_mask initial_mask (.count(count_2), .mask(initial_2));
    always @(posedge clk) begin
        started <= 1;
        v2 <= valid && !rst;
        v3 <= v2 && !rst;
        {kind_2, unknown_2, src_2, index_2, generation_2, up_2, lo_2, count_2} <= {kind, unknown, src, index, generation, up, lo, count};
        {offset_2, length_2, full_length_2, last_length_2, op_bytes_2} <= {offset, length, full_length, last_length, op_bytes};
        {kind_3, unknown_3, src_3, index_3, generation_3, up_3, lo_3, count_3} <=
            {kind_2, unknown_2, src_2, index_2, generation_2, up_2, lo_2, count_2};
        {offset_3, length_3, full_length_3, last_length_3, op_bytes_3} <= {offset_2, length_2, full_length_2, last_length_2, op_bytes_2};
        initial_3 <= initial_2;
    end
    wire body_3 = v3 && kind_3 == 0 && !unknown_3;
    wire start_3 = v3 && kind_3 == 1 && !unknown_3;
    wire arrival_3 = v3 && kind_3 == 2 && !unknown_3;
    wire aborts_3 = v3 && kind_3 == 3 && !unknown_3;
    wire timeout_3 = v3 && kind_3 == 4;
    wire sweep_3 = v3 && kind_3 == 5;
    wire rewrite_3 = v3 && kind_3 == 6;
    wire unknown_source_3 = v3 && kind_3 < 4 && unknown_3;
    // What the check of a start refuses at least; `fault` is everything else.
    wire [UP+MW-1:0] block_3 = {up_3, lo_3};
    wire [UP+MW:0] end_3 = block_3 + count_3 - 1'b1;
    wire bad_3 = fault || count_3 == 0 || count_3 > M || end_3[UP+MW];

    wire live, in_range, length_ok, same_start, duplicate, last, fresh, other_live, live_behind, overlap, full;
    wire [MW-1:0] position;
    // The packet at stage 4, which enters the mask if it was accepted.
    wire q_accept, src_4, index_4;
    wire [UP-1:0] up_4, beside_2, beside_3;
    wire [MW-1:0] lo_4, q4_position;
    wire register, accept, release_, supersede, completed, stale, waits;
    wire [ROWS-1:0] r_live, r_src, r_index, r_one, r_two, r_three, next_row, row_2, row_3, row_4, coming, key_row, q4_row;
    wire [2:0] next_number, number_2, number_3, number_4, key_number;
    wire [ROWS*UP-1:0] r_up, r_beside;
    wire [ROWS*MW-1:0] r_lo, r_missing;
    wire [ROWS*CW-1:0] r_count;
    wire [ROWS*M-1:0] r_mask;
    wire [ROWS*EW-1:0] stored, stored_ended;
    wire [GW-1:0] ended_generation;
    wire [UP-1:0] ended_up;
    wire [MW-1:0] ended_lo, last_2, end_2;
    wire wraps_2;
    wire [CW-1:0] ended_count;
    wire [31:0] ended_op_bytes;
    wire [M-1:0] ended_mask;
    wire [1:0] live_count;
    wire one_more, one_less, at_limit, below_limit;
    commit_logic commit (
        .body_(body_3), .start(start_3), .arrival(arrival_3), .aborts(aborts_3), .packet(body_3 || start_3 || arrival_3 || aborts_3),
        .unknown_source(unknown_source_3), .timeout(timeout_3), .sweep(sweep_3), .rewrite(rewrite_3), .payload(payload),
        .replay(replay), .expired(expired), .single(count_3 == 1), .bad(bad_3), .misaligned(misaligned), .live(live),
        .in_range(in_range), .length_ok(length_ok), .same_start(same_start), .duplicate(duplicate), .last(last), .fresh(fresh),
        .other_live(other_live), .live_behind(live_behind), .done_known(done_known), .done_equal(done_equal),
        .renotify_due(renotify_due), .done_old(done_old), .overlap(overlap), .full(full), .at_quota(at_quota),
        .full_waiter(full_waiter), .source_waiter(source_waiter), .escape_full(escape_full), .at_escape_quota(at_escape_quota),
        .register_(register), .accept(accept), .release_(release_), .supersede(supersede), .completed(completed), .stale(stale),
        .waits(waits)
    );
    registry_table table_ (
        .clk(clk), .rst(rst), .s1_start(valid && kind == 1), .s1_src(src), .s1_generation(generation), .s1_index(index), .s1_up(up),
        .s1_lo(lo), .s1_offset({{(LW-2){1'b0}}, offset}), .s1_length({{(LW-2){1'b0}}, length}),
        .s1_full_length(full_length), .s1_count(count), .s1_last_length({{(LW-2){1'b0}}, last_length}),
        .s1_op_bytes({30'd0, op_bytes}), .s3_initial_mask(initial_3), .register_(register), .accept(accept), .completes(accept && last),
        .release_(release_), .supersede(supersede), .s4_imm_valid(1'b0), .s4_imm(32'd0), .fresh_rows(fresh_rows), .live(live),
        .in_range(in_range), .length_ok(length_ok), .same_start(same_start), .duplicate(duplicate), .last(last), .fresh(fresh),
        .position(position), .other_live(other_live), .live_behind(live_behind), .overlap(overlap), .full(full), .timer_row(3'd0),
        .\stored_ended.words[0] (stored_ended[0*EW +: EW]), .\stored_ended.words[1] (stored_ended[1*EW +: EW]),
        .\stored_ended.words[2] (stored_ended[2*EW +: EW]), .\stored_ended.words[3] (stored_ended[3*EW +: EW]),
        .\stored_ended.words[4] (stored_ended[4*EW +: EW]), .\stored_ended.words[5] (stored_ended[5*EW +: EW]),
        .ended_generation(ended_generation), .ended_up(ended_up), .ended_lo(ended_lo), .ended_count(ended_count),
        .ended_op_bytes(ended_op_bytes), .ended_mask(ended_mask), .live_count(live_count),
        .one_more(one_more), .one_less(one_less), .at_limit(at_limit), .below_limit(below_limit),
        .next_row(next_row), .row_2(row_2), .row_3(row_3), .row_4(row_4), .coming(coming), .next_number(next_number), .number_2(number_2),
        .number_3(number_3), .number_4(number_4), .last_2(last_2), .end_2(end_2), .wraps_2(wraps_2),
        .key_row(key_row), .key_number(key_number), .q_accept(q_accept), .q4_row(q4_row), .q4_position(q4_position), .src_4(src_4),
        .index_4(index_4), .up_4(up_4), .lo_4(lo_4), .beside_2(beside_2), .beside_3(beside_3),
        .\each[0].row.live (r_live[0]), .\each[1].row.live (r_live[1]), .\each[2].row.live (r_live[2]), .\each[3].row.live (r_live[3]),
        .\each[4].row.live (r_live[4]), .\each[5].row.live (r_live[5]), .\each[0].row.q_src (r_src[0]), .\each[1].row.q_src (r_src[1]),
        .\each[2].row.q_src (r_src[2]), .\each[3].row.q_src (r_src[3]), .\each[4].row.q_src (r_src[4]), .\each[5].row.q_src (r_src[5]),
        .\each[0].row.q_index (r_index[0]), .\each[1].row.q_index (r_index[1]), .\each[2].row.q_index (r_index[2]), .\each[3].row.q_index (r_index[3]),
        .\each[4].row.q_index (r_index[4]), .\each[5].row.q_index (r_index[5]), .\each[0].row.q_up (r_up[0*UP +: UP]), .\each[1].row.q_up (r_up[1*UP +: UP]),
        .\each[2].row.q_up (r_up[2*UP +: UP]), .\each[3].row.q_up (r_up[3*UP +: UP]), .\each[4].row.q_up (r_up[4*UP +: UP]),
        .\each[5].row.q_up (r_up[5*UP +: UP]), .\each[0].row.q_beside (r_beside[0*UP +: UP]), .\each[1].row.q_beside (r_beside[1*UP +: UP]),
        .\each[2].row.q_beside (r_beside[2*UP +: UP]), .\each[3].row.q_beside (r_beside[3*UP +: UP]), .\each[4].row.q_beside (r_beside[4*UP +: UP]),
        .\each[5].row.q_beside (r_beside[5*UP +: UP]), .\each[0].row.q_lo (r_lo[0*MW +: MW]), .\each[1].row.q_lo (r_lo[1*MW +: MW]),
        .\each[2].row.q_lo (r_lo[2*MW +: MW]), .\each[3].row.q_lo (r_lo[3*MW +: MW]), .\each[4].row.q_lo (r_lo[4*MW +: MW]),
        .\each[5].row.q_lo (r_lo[5*MW +: MW]), .\each[0].row.q_count (r_count[0*CW +: CW]), .\each[1].row.q_count (r_count[1*CW +: CW]),
        .\each[2].row.q_count (r_count[2*CW +: CW]), .\each[3].row.q_count (r_count[3*CW +: CW]), .\each[4].row.q_count (r_count[4*CW +: CW]),
        .\each[5].row.q_count (r_count[5*CW +: CW]), .\each[0].row.q_missing (r_missing[0*MW +: MW]), .\each[1].row.q_missing (r_missing[1*MW +: MW]),
        .\each[2].row.q_missing (r_missing[2*MW +: MW]), .\each[3].row.q_missing (r_missing[3*MW +: MW]),
        .\each[4].row.q_missing (r_missing[4*MW +: MW]), .\each[5].row.q_missing (r_missing[5*MW +: MW]), .\each[0].row.arrivals.mask (r_mask[0*M +: M]),
        .\each[1].row.arrivals.mask (r_mask[1*M +: M]), .\each[2].row.arrivals.mask (r_mask[2*M +: M]),
        .\each[3].row.arrivals.mask (r_mask[3*M +: M]), .\each[4].row.arrivals.mask (r_mask[4*M +: M]), .\each[5].row.arrivals.mask (r_mask[5*M +: M]),
        .\each[0].row.one_missing (r_one[0]), .\each[1].row.one_missing (r_one[1]), .\each[2].row.one_missing (r_one[2]),
        .\each[3].row.one_missing (r_one[3]), .\each[4].row.one_missing (r_one[4]), .\each[5].row.one_missing (r_one[5]),
        .\each[0].row.two_missing (r_two[0]), .\each[1].row.two_missing (r_two[1]), .\each[2].row.two_missing (r_two[2]),
        .\each[3].row.two_missing (r_two[3]), .\each[4].row.two_missing (r_two[4]), .\each[5].row.two_missing (r_two[5]),
        .\each[0].row.three_missing (r_three[0]), .\each[1].row.three_missing (r_three[1]), .\each[2].row.three_missing (r_three[2]),
        .\each[3].row.three_missing (r_three[3]), .\each[4].row.three_missing (r_three[4]), .\each[5].row.three_missing (r_three[5]),
        .\stored.words[0] (stored[0*EW +: EW]), .\stored.words[1] (stored[1*EW +: EW]), .\stored.words[2] (stored[2*EW +: EW]),
        .\stored.words[3] (stored[3*EW +: EW]), .\stored.words[4] (stored[4*EW +: EW]), .\stored.words[5] (stored[5*EW +: EW])
    );

    // Masks and counters with the packet that enters now: it was accepted one clock ago.
    reg [ROWS*M-1:0] mask_3;
    reg [ROWS*MW-1:0] missing_3;
    integer n;
    always @* for (n = 0; n < ROWS; n = n + 1) begin
        mask_3[n*M +: M] = r_mask[n*M +: M] | (q_accept && q4_row[n] ? 1 << q4_position : 0);
        missing_3[n*MW +: MW] = r_missing[n*MW +: MW] - (q_accept && q4_row[n]);
    end

    // Any one source and index, and its operation as a list of operations would have it.
    (* anyconst *) wire [1:0] watch;
    reg s_live = 0;
    reg [GW-1:0] s_generation = 0;
    reg [UP+MW-1:0] s_base = 0;
    reg [CW-1:0] s_count = 0;
    reg [1:0] s_last_length = 0;
    reg [1:0] s_op_bytes = 0;
    reg [M-1:0] s_mask = 0;
    // Generations of operations that the last two packets have superseded: older than what is live, so whoever is behind them is stale.
    reg old_1 = 0, old_2 = 0;
    reg [GW-1:0] old_generation_1 = 0, old_generation_2 = 0;

    wire mine = v3 && {src_3, index_3} == watch;
    wire s_same = s_live && generation_3 == s_generation;
    wire [UP+MW-1:0] s_position = block_3 - s_base;
    wire s_at_last = s_position == s_count - 1'b1;
    wire s_in_range = block_3 >= s_base && s_position < s_count && (!s_at_last || offset_3 < s_last_length);
    wire s_duplicate = s_mask[s_position[MW-1:0]];
    wire [M-1:0] s_with = s_mask | (1 << s_position[MW-1:0]);
    wire s_complete = &s_with;
    function behind(input [GW-1:0] one, input [GW-1:0] other);
        reg [GW-1:0] difference;
        begin
            difference = one - other;
            behind = difference[GW-1];
        end
    endfunction
    function [UP-1:0] beside_of(input [UP-1:0] number);
        beside_of = number[0] ? number + 1'b1 : number - 1'b1;
    endfunction
    function [2:0] ones(input [ROWS-1:0] word);
        ones = word[0] + word[1] + word[2] + word[3] + word[4] + word[5];
    endfunction
    function [CW-1:0] zeros(input [M-1:0] word);
        integer n;
        begin
            zeros = 0;
            for (n = 0; n < M; n = n + 1) zeros = zeros + !word[n];
        end
    endfunction

    always @(posedge clk) begin
        old_1 <= !rst && mine && register && s_live;
        old_generation_1 <= s_generation;
        old_2 <= !rst && old_1;
        old_generation_2 <= old_generation_1;
        if (mine && register) begin
            s_live <= 1;
            s_generation <= generation_3;
            s_base <= block_3;
            s_count <= count_3;
            s_last_length <= last_length_3;
            s_op_bytes <= op_bytes_3;
            s_mask <= ({M{1'b1}} << count_3) | 1'b1;
        end else if (mine && (release_ || supersede)) s_live <= 0;
        else if (mine && accept) begin
            s_mask <= s_with;
            if (s_complete) s_live <= 0;
        end
        if (rst) s_live <= 0;
    end

    // The rows as they were when a stale packet was at stage 3.
    reg stale_before = 0;
    reg [ROWS-1:0] live_before, src_before, index_before;
    reg [ROWS*UP-1:0] up_before;
    reg [ROWS*MW-1:0] lo_before, missing_before;
    reg [ROWS*CW-1:0] count_before;
    reg [ROWS*M-1:0] mask_before;
    reg [ROWS*EW-1:0] stored_before;
    always @(posedge clk) begin
        stale_before <= stale && !rst;
        {live_before, src_before, index_before, up_before, lo_before} <= {r_live, r_src, r_index, r_up, r_lo};
        {missing_before, count_before, mask_before, stored_before} <= {missing_3, r_count, mask_3, stored};
    end

    initial assume (rst);

    // What the table tells of the packet at stage 3.
    always @* if (mine) begin
        assert (live == s_same);
        assert (other_live == (s_live && !s_same));
        assert (live_behind == (s_live && (behind(generation_3, s_generation) || (old_1 && behind(generation_3, old_generation_1))
            || (old_2 && behind(generation_3, old_generation_2)))));
        if (s_same) begin
            assert (in_range == s_in_range);
            assert (same_start == (block_3 == s_base && op_bytes_3 == s_op_bytes && count_3 == s_count));
        end
        if (s_same && s_in_range) begin
            assert (position == s_position);
            assert (length_ok == (s_at_last ? length_3 == s_last_length : full_length_3));
            assert (duplicate == s_duplicate);
            if (!s_duplicate) assert (last == s_complete);
        end
        // Complete exactly if every bit is set now and was not before. Packets enter once.
        if (accept) assert (s_same && s_in_range && !s_duplicate);
        if (accept) assert (completed == s_complete);
        if (!accept && completed) assert (start_3 && count_3 == 1 && !s_same);
    end
    // A start meets the other operation of its source: there is one other index.
    wire beside_watch = start_3 && !bad_3 && {src_3, ~index_3} == watch;
    wire [UP+MW:0] s_end = s_base + s_count - 1'b1;
    wire s_overlap = s_live && block_3 <= s_end && s_base <= end_3;
    always @* if (beside_watch) assert (overlap == s_overlap);
    // What is reported of an operation that has ended.
    reg ended_1 = 0;
    reg [UP+MW-1:0] base_1;
    reg [CW-1:0] count_1;
    reg [1:0] op_bytes_1;
    reg [M-1:0] mask_1;
    always @(posedge clk) begin
        ended_1 <= !rst && mine && (release_ || supersede || (accept && s_complete)) && s_live;
        {base_1, count_1, op_bytes_1, mask_1} <= {s_base, s_count, s_op_bytes, accept ? s_with : s_mask};
    end
    always @* if (ended_1) begin
        assert (ended_generation == old_generation_1 && {ended_up, ended_lo} == base_1 && ended_count == count_1);
        assert (ended_op_bytes == op_bytes_1 && ended_mask == mask_1);
    end
    always @* if (v3) assert (full == (ones(r_live) == E));

    // A stale packet changes no operation: neither which are live, nor what is stored of them, nor their masks.
    genvar i, j;
    always @* if (stale_before) assert (r_live == live_before);
    generate for (i = 0; i < ROWS; i = i + 1) begin : unchanged
        always @* if (stale_before && live_before[i]) begin
            assert ({r_src[i], r_index[i]} == {src_before[i], index_before[i]});
            assert (r_up[i*UP +: UP] == up_before[i*UP +: UP] && r_lo[i*MW +: MW] == lo_before[i*MW +: MW]);
            assert (r_count[i*CW +: CW] == count_before[i*CW +: CW] && stored[i*EW +: EW] == stored_before[i*EW +: EW]);
            assert (mask_3[i*M +: M] == mask_before[i*M +: M] && missing_3[i*MW +: MW] == missing_before[i*MW +: MW]);
        end
    end endgenerate

    // What holds inside, for the induction. Rows on their way are neither live nor taken twice.
    function [MW-1:0] last_of(input [CW-1:0] of_count);
        last_of = of_count - 1'b1;
    endfunction
    function [MW:0] end_of(input [MW-1:0] of_lo, input [CW-1:0] of_count);
        end_of = {1'b0, of_lo} + {1'b0, last_of(of_count)};
    endfunction
    function [EW-1:0] word(
        input [UP-1:0] of_up, input [1:0] of_op_bytes, input [1:0] of_last_length, input [CW-1:0] of_count, input [MW-1:0] of_lo,
        input [GW-1:0] of_generation
    );
        reg [MW-1:0] of_end;
        reg of_wraps;
        begin
            {of_wraps, of_end} = end_of(of_lo, of_count);
            word = {of_wraps, of_up, 30'd0, of_op_bytes, {(LW-2){1'b0}}, of_last_length, of_end, of_count, of_lo, of_generation};
        end
    endfunction
    wire [2:0] total = live_count + one_more - one_less;
    wire [ROWS-1:0] of_watch, of_packet;
    always @* begin
        assert ($onehot0(row_2) && $onehot0(row_3) && $onehot0(row_4));
        assert ($onehot(next_row) || (next_row == 0 && !started));
        assert (coming == (row_2 | row_3));
        assert ((next_row & (r_live | row_2 | row_3)) == 0);
        assert ((row_2 & (r_live | row_3 | row_4)) == 0);
        assert ((row_3 & (r_live | row_4)) == 0);
        if (v2 && kind_2 == 1) assert (row_2 != 0);
        if (v3 && kind_3 == 1) assert (row_3 != 0);
        if (v2) assert (beside_2 == beside_of(up_2));
        if (v3) assert (beside_3 == beside_of(up_3));
        if (v2) assert ({last_2, wraps_2, end_2} == {last_of(count_2), end_of(lo_2, count_2)});
        // The packet at stage 3 finds the row of its source and index.
        if (v3) assert ((live || other_live) == (of_packet != 0));
        if (v3 && of_packet != 0) assert (key_row == of_packet);
        // A row that a packet enters may have ended, and is not on its way to another operation yet.
        if (q_accept) assert ($onehot(q4_row) && (q4_row & (next_row | row_2 | row_3 | row_4)) == 0);
        if (q_accept && {src_4, index_4} == watch) assert ({up_4, lo_4} == s_base + q4_position);
        assert (ones(r_live) == total && total <= E);
        assert (at_limit == (live_count == E) && below_limit == (live_count + 3'd1 == E));
    end
    generate for (i = 0; i < ROWS; i = i + 1) begin : row
        wire [UP+MW-1:0] base = {r_up[i*UP +: UP], r_lo[i*MW +: MW]};
        wire [CW-1:0] missing = zeros(r_mask[i*M +: M]);
        wire [UP-1:0] beside = r_beside[i*UP +: UP];
        assign of_packet[i] = r_live[i] && r_src[i] == src_3 && r_index[i] == index_3;
        assign of_watch[i] = r_live[i] && {r_src[i], r_index[i]} == watch;
        always @* begin
            // The neighbour of the upper bits that differs in more than their lowest bit.
            if (row_3[i] || r_live[i]) assert (beside == beside_of(base[MW +: UP]));
            if (next_row[i]) assert (next_number == i);
            if (row_2[i]) begin
                assert (number_2 == i);
            end
            if (row_3[i]) begin
                assert (number_3 == i);
                assert (r_src[i] == src_3 && r_index[i] == index_3 && base == {up_3, lo_3} && r_count[i*CW +: CW] == count_3);
                assert (stored[i*EW +: EW] == word(up_3, op_bytes_3, last_length_3, count_3, lo_3, generation_3));
            end
            if (row_3[i] || r_live[i]) assert (stored_ended[i*EW +: EW] == stored[i*EW +: EW]);
            if (row_4[i]) assert (number_4 == i);
            if (q_accept && q4_row[i]) assert (r_src[i] == src_4 && r_index[i] == index_4);
            if (v3 && of_packet[i]) assert (key_number == i);
            // The row of the operation under watch.
            if (of_watch[i]) begin
                assert (s_live && base == s_base && r_count[i*CW +: CW] == s_count);
                assert (mask_3[i*M +: M] == s_mask && missing_3[i*MW +: MW] == zeros(s_mask));
                assert (r_missing[i*MW +: MW] == missing);
                assert (r_one[i] == (missing == 1) && r_two[i] == (missing == 2) && r_three[i] == (missing == 3));
                assert (stored[i*EW +: EW] ==
                    word(s_base[MW +: UP], s_op_bytes, s_last_length, s_count, s_base[0 +: MW], s_generation));
            end
        end
        // No two have the same source and index.
        for (j = 0; j < i; j = j + 1) begin : pair
            always @* if (r_live[i] && r_live[j]) assert (r_src[i] != r_src[j] || r_index[i] != r_index[j]);
        end
    end endgenerate
    always @* if (s_live) begin
        assert ($onehot(of_watch));
        assert (s_count >= 2 && s_count <= M && {1'b0, s_base} + s_count <= 1 << (UP + MW));
        assert (s_mask[0] && !(&s_mask) && (s_mask | ({M{1'b1}} << s_count)) == s_mask);
    end

    // Not vacuous: what the last two packets did to the operation under watch.
    reg registered_1 = 0, registered_2 = 0, accepted_1 = 0, waited = 0;
    always @(posedge clk) begin
        {registered_2, registered_1} <= rst ? 0 : {registered_1, mine && register};
        accepted_1 <= !rst && mine && accept;
        waited <= !rst && (waited || (waits && start_3));
    end
    always @* begin
        // A whole operation back to back; a whole mask; a range that passes a multiple of 2^MW blocks.
        cover (mine && accept && completed && accepted_1 && registered_2);
        cover (mine && accept && completed && s_count == M && accepted_1);
        cover (mine && accept && &s_base[MW-1:0] && s_position == 2 && accepted_1);
        cover (beside_watch && overlap && registered_1 && block_3 < s_base);
        // The second copy right behind the first, and right behind the last packet of all.
        cover (mine && body_3 && s_same && in_range && duplicate && length_ok && accepted_1);
        cover (mine && waits && body_3 && ended_1);
        cover (ended_1 && ended_count == 3 && !(&ended_mask));
        // Older than an operation that was superseded just now, and not than the one that did it.
        cover (mine && stale && live_behind && old_1 && !behind(generation_3, s_generation) && !done_known);
        // A full registry: a start waits and registers later, one that supersedes registers at once.
        cover (waited && mine && register && r_live != 0);
        cover (mine && full && register && s_live);
        cover (stale_before && ones(r_live) == E && (r_mask != 0));
    end
endmodule
