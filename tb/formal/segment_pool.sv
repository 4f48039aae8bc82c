// SegmentPool: every segment of the pool is free, of one place of one window, or on its way between, one of the three: none is owned twice, and none is lost. Each segment of each
// window has a place, and one that joins a window reads as if nothing of it had arrived; what lies beyond the edge reads so too, for headers as for
// readers. An edge never goes back.
//
// Two queue pairs, windows of four segments at most, four in the pool. The opener is played as it is: it closes, waits for `hold`, offers every segment of the window,
// the first one last, and writes the base. A base is written only by who has found all packets before it; `bits` is the value that all bits of a segment
// have that no window holds: what was cleared, or what means "arrived" where a base has passed.
module proof (
    input clk, input rst, input [15:0] length, input [15:0] limit, input header_qp, input [1:0] header_segment, input [2:0] read_segment,
    input base_write, input base_qp, input [3:0] base_segment, input begin_ready,
    input asks, input asks_open, input asks_qp, input [3:0] asks_segment, input proceeds
);
    localparam FILL = 0, IDLE = 1, LOAD = 2, READ = 3, HAVE = 4, JUDGE = 5, WAIT = 6, ACT = 7, MAP = 8, PUSH = 9, CLEAR = 10, SETTLE = 11, FIRST = 12;
    wire ready, hold, sweep_ready, opened, refused, begin_valid, begin_first, edge_valid, edge_qp;
    wire qp = edge_qp;
    wire [1:0] begin_place, place;
    wire [3:0] edge_segment, state, head, last, base, timer;
    wire [2:0] level;
    wire [1:0] fill;
    wire [15:0] capped, wanted;
    wire barred, closing, opening, closed, passed, short, keeps, value;
    wire [3:0] table_0, table_1, table_2, table_3, table_4, table_5, table_6, table_7;
    wire [3:0] hdr_0, hdr_1, hdr_2, hdr_3, hdr_4, hdr_5, hdr_6, hdr_7;
    wire [3:0] rdr_0, rdr_1, rdr_2, rdr_3, rdr_4, rdr_5, rdr_6, rdr_7;
    wire [3:0] table_first, table_data;
    wire [2:0] stack_0, stack_1, stack_2, stack_3, stack_first, stack_data;
    wire used_0, used_1;
    wire [3:0] head_0, head_1, edge_0, edge_1, base_0, base_1, hedge_0, hedge_1;
    wire [3:0] heads_first, heads_data, edges_first, edges_data, bases_first, bases_data;

    // The opener.
    reg [1:0] phase = 0;
    reg opens = 0, command_qp = 0;
    reg [3:0] first = 0, sweep = 0;
    reg [1:0] since_fill = 0;
    wire busy = phase != 0;
    wire drained = phase == 1;
    wire sweep_valid = phase == 2;
    wire sweep_last = sweep == first;

    segment_pool dut (
        .clk(clk), .rst(rst), .ready(ready), .length(length), .limit(limit), .header_qp(header_qp), .header_segment(header_segment),
        .read_segment(read_segment), .base_write(base_write), .base_qp(base_qp), .base_segment(base_segment), .command_busy(busy),
        .command_qp(command_qp), .drained(drained), .hold(hold), .sweep_valid(sweep_valid), .sweep_ready(sweep_ready), .sweep_segment(sweep),
        .sweep_last(sweep_last), .opened(opened), .refused(refused), .begin_valid(begin_valid), .begin_ready(begin_ready),
        .begin_place(begin_place), .begin_first(begin_first), .edge_valid(edge_valid), .edge_qp(edge_qp), .edge_segment(edge_segment),
        .state(state), .free(level), .fill(fill), .capped(capped), .wanted(wanted), .head(head), .last(last), .base(base), .barred(barred),
        .closing(closing), .opening(opening), .closed(closed), .passed(passed), .short(short), .keeps(keeps),
        .place(place), .value(value), .timer(timer),
        .\own_table.words[0] (table_0), .\own_table.words[1] (table_1), .\own_table.words[2] (table_2), .\own_table.words[3] (table_3),
        .\own_table.words[4] (table_4), .\own_table.words[5] (table_5), .\own_table.words[6] (table_6), .\own_table.words[7] (table_7),
        .\header_table.words[0] (hdr_0), .\header_table.words[1] (hdr_1), .\header_table.words[2] (hdr_2), .\header_table.words[3] (hdr_3),
        .\header_table.words[4] (hdr_4), .\header_table.words[5] (hdr_5), .\header_table.words[6] (hdr_6), .\header_table.words[7] (hdr_7),
        .\read_table.words[0] (rdr_0), .\read_table.words[1] (rdr_1), .\read_table.words[2] (rdr_2), .\read_table.words[3] (rdr_3),
        .\read_table.words[4] (rdr_4), .\read_table.words[5] (rdr_5), .\read_table.words[6] (rdr_6), .\read_table.words[7] (rdr_7),
        .\own_table.first (table_first), .\own_table.read_data (table_data),
        .\stack.words[0] (stack_0), .\stack.words[1] (stack_1), .\stack.words[2] (stack_2), .\stack.words[3] (stack_3),
        .\stack.first (stack_first), .\stack.read_data (stack_data), .\used.words[0] (used_0), .\used.words[1] (used_1),
        .\heads.words[0] (head_0), .\heads.words[1] (head_1), .\edges.words[0] (edge_0), .\edges.words[1] (edge_1),
        .\bases.words[0] (base_0), .\bases.words[1] (base_1), .\header_edges.words[0] (hedge_0), .\header_edges.words[1] (hedge_1),
        .\heads.first (heads_first), .\heads.read_data (heads_data), .\edges.first (edges_first), .\edges.read_data (edges_data),
        .\bases.first (bases_first), .\bases.read_data (bases_data)
    );

    // By number: place `4 * queue pair + segment modulo 4` is bits `4 * place` on.
    wire [31:0] table_all = {table_7, table_6, table_5, table_4, table_3, table_2, table_1, table_0};
    wire [31:0] hdr_all = {hdr_7, hdr_6, hdr_5, hdr_4, hdr_3, hdr_2, hdr_1, hdr_0};
    wire [31:0] rdr_all = {rdr_7, rdr_6, rdr_5, rdr_4, rdr_3, rdr_2, rdr_1, rdr_0};
    wire [11:0] stack_all = {stack_3, stack_2, stack_1, stack_0};
    wire [1:0] used = {used_1, used_0};
    wire [7:0] heads = {head_1, head_0}, edges = {edge_1, edge_0}, bases = {base_1, base_0}, hedges = {hedge_1, hedge_0};
    function [3:0] of (input [7:0] words, input which);
        of = which ? words[7:4] : words[3:0];
    endfunction

    reg past = 0;
    reg [3:0] bits = 0;
    reg joined = 0, joined_lap = 0;
    reg [3:0] joined_at = 0;
    reg emptied = 0, shrank = 0;
    wire ours = busy && command_qp == qp;
    wire [3:0] at_command = of(heads, command_qp);
    wire takes_first = state == FIRST && begin_valid && begin_ready;
    wire passes = state == ACT && passed && !closing;
    wire arrived = table_data[2] ^ head[2];
    wire serves = state >= JUDGE && state <= CLEAR;

    always @(posedge clk) begin
        past <= 1;
        since_fill <= rst || state == FILL ? 0 : since_fill == 3 ? 3 : since_fill + 1;
        if (!past) assume (rst); else assume (!rst);
        // The opener: nothing is asked before the pool is ready.
        if (rst) phase <= 0;
        else case (phase)
            0: if (asks && since_fill == 3) begin
                phase <= 1;
                opens <= asks_open;
                command_qp <= asks_qp;
                first <= asks_segment;
                sweep <= asks_segment + 1;
            end
            1: if (proceeds && !hold && closed) phase <= opens ? 2 : 0;
            2: if (sweep_ready) begin
                sweep <= ((sweep - first) & 4'hf) == 3 ? first : sweep + 1;
                if (sweep_last) phase <= 3;
            end
            3: if (proceeds && opened && base_write && base_qp == command_qp) phase <= 0;
        endcase
        if (begin_valid && begin_ready && !begin_first) bits[begin_place] <= 0;
        if (passes) bits[table_data[1:0]] <= arrived;
        if (state != FILL && level == 0) emptied <= 1;
        if (state == PUSH && !closing) shrank <= 1;
        joined <= state == MAP;
        joined_at <= {qp, last[1:0]};
        joined_lap <= last[2];
    end

    // A base is written of a queue pair that has a window, forwards and not beyond its edge; of one that is opened, the first.
    always @* begin
        if (past && base_write && phase == 3 && base_qp == command_qp) assume (base_segment == first);
        else if (past && base_write && used[base_qp]) begin
            assume (!(busy && base_qp == command_qp));
            assume (((base_segment - of(bases, base_qp)) & 4'hf) <= ((of(edges, base_qp) - of(bases, base_qp)) & 4'hf));
        end
        if (state == FILL) assume (begin_ready);
    end

    integer p, q, s, k;
    reg [3:0] count, at, away, entry;
    reg [3:0] h, e, b, diff;
    always @* if (past && !rst) begin
        assert (state <= FIRST);
        assert (level <= 4);
        assert (capped <= 3);
        if (state != FILL) assert (wanted <= 4);
        if (state == FILL) begin
            assert (phase == 0 && since_fill == 0 && !closing && !opening && !opened);
            for (k = 0; k < 4; k = k + 1) if (k < fill) assert (stack_all[3 * k +: 3] == k && !bits[k]);
            if (fill >= 1) assert (!used[0] && level == 4);
            if (fill >= 2) assert (!used[1]);
        end
        if (phase != 0) assert (since_fill == 3);
        if (state != FILL) begin
            if (state != IDLE) assert (since_fill != 0);
            if (serves) assert (since_fill >= 2);
            // The property: each segment in one place.
            for (p = 0; p < 4; p = p + 1) begin
                count = ((state == MAP || state == PUSH) && place == p);
                for (k = 0; k < 4; k = k + 1) count = count + (k < level && stack_all[3 * k +: 2] == p);
                for (q = 0; q < 2; q = q + 1) for (s = 0; s < 4; s = s + 1) begin
                    // The first segment at or after the head in this place.
                    h = of(heads, q);
                    e = of(edges, q);
                    at = h + ((s - h) & 3);
                    count = count + (used[q] && ((at - h) & 4'hf) < ((e - h) & 4'hf) && table_all[16 * q + 4 * s +: 2] == p);
                end
                assert (count == 1);
            end
            for (k = 0; k < 4; k = k + 1) if (k < level) assert (stack_all[3 * k + 2] == bits[stack_all[3 * k +: 2]]);
            for (q = 0; q < 2; q = q + 1) if (used[q]) begin
                h = of(heads, q);
                e = of(edges, q);
                b = of(bases, q);
                assert (((e - h) & 4'hf) <= 4);
                assert (of(hedges, q) == e);
                if (!(busy && command_qp == q)) assert (((b - h) & 4'hf) <= ((e - h) & 4'hf));
                for (s = 0; s < 4; s = s + 1) begin
                    at = h + ((s - h) & 3);
                    entry = table_all[16 * q + 4 * s +: 4];
                    assert (entry == hdr_all[16 * q + 4 * s +: 4] && entry == rdr_all[16 * q + 4 * s +: 4]);
                    // In the window it has a place; from the edge on, nothing has arrived. Who is being closed has no packets.
                    if (((at - h) & 4'hf) < ((e - h) & 4'hf)) assert (entry[3]);
                    else if (!(phase == 1 && command_qp == q)) begin
                        assert (!entry[3]);
                        assert (entry[2] != at[2]);
                    end
                end
            end
        end
        // The segment that joins a window: what its bits are means that nothing has arrived.
        if (joined) begin
            entry = table_all[4 * joined_at[3:0] +: 4];
            assert (entry[3] && (entry[2] ^ joined_lap) != bits[entry[1:0]]);
        end
        if (state == MAP || state == PUSH) assert (value == bits[place]);
        if (state == MAP) assert (((last - head) & 4'hf) < 4);
        // What the state says.
        if (serves) begin
            assert (used[qp] && head == of(heads, qp) && last == of(edges, qp));
            if (!closing && !opening) begin
                // One that began before its queue pair was to be closed.
                assert (!barred && (!ours || phase == 1 && !closed));
                assert (((base - head) & 4'hf) <= ((of(bases, qp) - head) & 4'hf));
                assert (((base - head) & 4'hf) <= ((last - head) & 4'hf));
            end
        end
        if (state == WAIT || state == ACT) begin
            assert (passed == (closing ? last != head : base != head && !opening));
            if (short) assert (((last - head) & 4'hf) < 4);
        end
        if (state == WAIT) assert (table_first == table_all[16 * qp + 4 * head[1:0] +: 4]);
        if (state == ACT) assert (table_data == table_all[16 * qp + 4 * head[1:0] +: 4]);
        if (state == WAIT && level != 0) assert (stack_first == stack_all[3 * (level - 1) +: 3]);
        if (state == ACT && level != 0) assert (stack_data == stack_all[3 * (level - 1) +: 3]);
        if (state == IDLE && since_fill != 0 && level != 0) assert (stack_first == stack_all[3 * (level - 1) +: 3]);
        if (state == FIRST && level != 0) assert (stack_data == stack_all[3 * (level - 1) +: 3]);
        if (state == CLEAR) assert (closing && place == table_all[16 * qp + 4 * head[1:0] +: 2] && last != head);
        if ((state == READ || state == HAVE) && !barred && ours && !closing) assert (phase == 1 && !closed);
        if (state == READ && !barred && used[qp]) begin
            assert (heads_first == of(heads, qp) && edges_first == of(edges, qp));
            if (!closing) assert (((bases_first - heads_first) & 4'hf) <= ((of(bases, qp) - heads_first) & 4'hf));
        end
        if (state == HAVE && used[qp]) begin
            assert (heads_data == of(heads, qp) && edges_data == of(edges, qp));
            if (!closing && !barred) assert (((bases_data - heads_data) & 4'hf) <= ((of(bases, qp) - heads_data) & 4'hf));
        end
        if (state == READ && used[qp]) assert (heads_first == of(heads, qp) && edges_first == of(edges, qp));
        if (closing) assert (phase == 1 && !closed && qp == command_qp && !opening && (state >= LOAD && state <= SETTLE));
        if (closing && state == SETTLE) assert (!used[qp]);
        if (state == SETTLE) assert (closing);
        if (opening) assert (phase == 3 && qp == command_qp && !opened && serves);
        if (phase == 1 && closed) assert (!used[command_qp]);
        if (phase == 1) assert (((sweep - first) & 4'hf) == 1);
        if (phase == 2) begin
            assert (!used[command_qp] && !opened);
            assert (((sweep - first) & 4'hf) < 4);
            // What has been offered reads as if nothing had arrived.
            for (k = 1; k < 4; k = k + 1) begin
                at = first + k;
                entry = table_all[16 * command_qp + 4 * at[1:0] +: 4];
                if (sweep == first || k < ((sweep - first) & 4'hf)) begin
                    assert (!entry[3] && entry[2] != at[2]);
                    assert (entry == hdr_all[16 * command_qp + 4 * at[1:0] +: 4] && entry == rdr_all[16 * command_qp + 4 * at[1:0] +: 4]);
                end
            end
        end
        if (state == FIRST) assert (phase == 2 && sweep_last && qp == command_qp);
        if (phase == 3 && used[command_qp]) assert (at_command == first);
        if (phase == 3 && !used[command_qp]) assert (opened);
        if (opened) assert (phase == 3 || phase == 0);
        // Edges go forwards, by one.
        if (edge_valid && used[edge_qp]) assert (edge_segment == ((of(edges, edge_qp) + 1) & 4'hf));
        // Not vacuous.
        cover (emptied);
        cover (shrank);
        cover (state == MAP && passed);
        cover (state == MAP && bits[place]);
        cover (state == CLEAR && !begin_ready);
    end
endmodule
