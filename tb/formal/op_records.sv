// OpRecords: a frame has the number that its packet was given, when it is sent again too; a first transmission has one exactly if it is not void; what is sent again has one exactly if its operation has
// begun, is not closed, has such a packet, and no packet of it went without a frame. Behind `out_closed` no frame of the operation comes. Whatever is asked to be sent again, aborted or closed.
//
// The shadow of an operation: known (its record was written), begun, first transmission over, closed, torn. Numbers are given as `WindowGate` has them from the window: one to each packet that is not void,
// consecutive in a node; behind one that is void none is given in its node until its number is set.
module proof (
    input clk, input rst,
    input write_valid, input [23:0] write_op, input [2:0] write_record, input number_valid, input number_node, input [23:0] number_psn,
    input job_valid, input [1:0] job_kind, input [23:0] job_op, input job_packet, input [4:0] job_try, input job_opens, input job_last, input [1:0] job_count,
    input job_arrival, input [15:0] job_node, input job_void
);
    localparam N = 2;
    wire ready, number_ready, out_valid, out_frame, out_abort, out_again, out_last, out_closed, out_packet, evt_stale;
    wire [23:0] out_op;
    wire [4:0] out_try;
    wire [23:0] out_psn;
    wire [2:0] out_record;
    // Inside.
    wire [51*N-1:0] states;
    wire [24*N-1:0] numbers;
    wire [3*N-1:0] records;
    wire next_word, sweep;
    wire [23:0] base2;
    op_records dut (
        .clk(clk), .rst(rst), .ready(ready), .write_valid(write_valid), .write_op(write_op), .write_record(write_record), .number_valid(number_valid),
        .number_ready(number_ready), .number_node(number_node), .number_psn(number_psn), .job_valid(job_valid), .job_kind(job_kind), .job_op(job_op),
        .job_packet(job_packet), .job_try(job_try), .job_opens(job_opens), .job_last(job_last), .job_count(job_count), .job_arrival(job_arrival),
        .job_node(job_node), .job_void(job_void), .out_valid(out_valid), .out_frame(out_frame), .out_abort(out_abort), .out_again(out_again),
        .out_last(out_last), .out_closed(out_closed), .out_op(out_op), .out_packet(out_packet), .out_try(out_try), .out_psn(out_psn),
        .out_record(out_record), .evt_stale(evt_stale),
        .\states.ram.words[0] (states[0 +: 51]), .\states.ram.words[1] (states[51 +: 51]), .\states.next_word (next_word),
        .\numbers.words[0] (numbers[0 +: 24]), .\numbers.words[1] (numbers[24 +: 24]), .sweep(sweep),
        .base2(base2), .\records.words[0] (records[0 +: 3]), .\records.words[1] (records[3 +: 3])
    );

    reg past = 0;
    // By index. `known`: its record is there and its first transmission is not over.
    reg [N-1:0] known, begun, over, closed, torn, arrival, next_packet, nodes;
    reg [2*N-1:0] count;
    reg [24*N-1:0] number, written;
    reg [24*N-1:0] base;
    // Numbers given, by packet of each index; of a data arrival none is.
    reg [24*N-1:0] given_0, given_1;
    // By node: the window's next number; no number is given.
    reg [24*N-1:0] window;
    reg [N-1:0] dead;
    // An operation is on its way for the first time.
    reg busy, busy_at, busy_node, busy_in;
    // What is remembered of a clock ago: the memory has it.
    reg [N-1:0] begun1, over1, closed1, torn1;
    reg [24*N-1:0] number1;
    reg [24*N-1:0] base1;

    wire at = job_op[0];
    wire first = job_valid && job_kind == 0;
    wire in_table = job_node[15:1] == 0;
    wire node = job_node[0];
    wire gives = first && !job_void && !job_arrival;
    wire live = begun[at] && !closed[at] && number[24*at +: 24] == job_op;
    wire has = job_packet < count[2*at +: 2];
    wire counts = live && has && !(job_kind == 1 && torn[at]);
    wire frame = job_kind == 0 ? !job_void : job_kind != 3 && counts;
    wire closes = job_valid && job_kind == 3 && live;
    wire done = (closes && over[at]) || (first && job_last && !job_opens && closed[at]);
    // The number that a packet has.
    wire [23:0] fresh = in_table ? window[24*node +: 24] : 24'd0;
    wire [23:0] psn = job_kind == 0 ? fresh : job_packet ? given_1[24*at +: 24] : given_0[24*at +: 24];
    wire numbered = job_kind == 0 ? !job_arrival && in_table : job_kind == 1 && !arrival[at] && nodes[at];
    reg [1:0] valid, frames, psns, dones;
    reg [47:0] ops;
    reg [47:0] expected;
    reg [1:0] packets;
    // Behind `out_closed`.
    reg [N-1:0] gone;
    reg [24*N-1:0] gone_op;
    reg sent_torn = 0, set_again = 0;
    wire sets = number_valid && number_ready;
    integer i;
    always @(posedge clk) begin
        past <= 1;
        {begun1, over1, closed1, torn1, number1, base1} <= {begun, over, closed, torn, number, base};
        if (write_valid) begin
            known[write_op[0]] <= 1;
            written[24*write_op[0] +: 24] <= write_op;
            count[2*write_op[0] +: 2] <= write_record[2:1];
        end
        if (first) begin
            if (job_opens) begin
                begun[at] <= 1;
                over[at] <= job_last;
                closed[at] <= 0;
                torn[at] <= job_void;
                arrival[at] <= job_arrival;
                nodes[at] <= in_table;
                number[24*at +: 24] <= job_op;
                base[24*at +: 24] <= numbers[24*node +: 24];
            end else begin
                over[at] <= job_last;
                torn[at] <= torn[at] || job_void;
            end
            busy <= !job_last;
            busy_at <= at;
            busy_node <= node;
            busy_in <= in_table;
            next_packet[at] <= !job_last;
            if (job_last) known[at] <= 0;
            if (gives && in_table) begin
                window[24*node +: 24] <= window[24*node +: 24] + 1;
                if (job_packet) given_1[24*at +: 24] <= fresh; else given_0[24*at +: 24] <= fresh;
            end
            if (job_void && in_table) dead[node] <= 1;
        end
        if (closes) closed[at] <= 1;
        if (sets) begin
            window[24*number_node +: 24] <= number_psn;
            dead[number_node] <= 0;
        end
        valid <= {valid[0], job_valid};
        frames <= {frames[0], frame};
        psns <= {psns[0], frame && numbered};
        dones <= {dones[0], done};
        ops <= {ops[23:0], job_op};
        packets <= {packets[0], job_packet};
        expected <= {expected[23:0], psn};
        if (first && job_opens) gone[at] <= 0;
        else if (done) begin
            gone[at] <= 1;
            gone_op[24*at +: 24] <= job_op;
        end
        sent_torn <= sent_torn || (first && job_void && !job_opens);
        set_again <= set_again || (sets && dead[number_node]);
        if (rst) begin
            {busy, valid, sent_torn, set_again, begun1} <= 0;
            known <= 0;
            begun <= 0;
            over <= 0;
            closed <= 0;
            torn <= 0;
            next_packet <= 0;
            gone <= 0;
            dead <= 0;
            window <= 0;
        end
    end

    initial assume (rst);
    always @* begin
        if (!ready || rst) assume (!job_valid && !write_valid && !number_valid);
        // The loader: a record is written when nothing of the index is on its way; it has one packet or two, a data arrival one.
        if (write_valid) assume (!known[write_op[0]] && (!begun[write_op[0]] || gone[write_op[0]]) && !(job_valid && job_op[0] == write_op[0] && job_kind == 0));
        if (write_valid) assume (write_record[2:1] == 1 || write_record[2:1] == 2);
        // The scheduler: packets of one operation after the other, each once, in order.
        if (first) assume (known[at] && written[24*at +: 24] == job_op && (!busy || busy_at == at));
        if (first) assume (job_packet == next_packet[at] && job_opens == !job_packet && job_count == count[2*at +: 2] && job_last == (job_packet + 1 == job_count));
        if (first && !job_opens) assume (!job_arrival && in_table == nodes[at] && (!in_table || node == busy_node));
        if (job_arrival) assume (!job_void && (!first || job_count == 1));
        if (!first) assume (!job_opens && !job_last);
        // What is sent again has been sent.
        if (job_valid && job_kind == 1 && live && !over[at]) assume (!job_packet);
        // The window: behind a packet without a frame there is no number, in its operation and in its node, until that is set; a packet of a node beyond the table has none.
        if (first && !job_arrival && (torn[at] && !job_opens)) assume (job_void);
        if (first && !job_arrival && in_table && dead[node]) assume (job_void);
        if (first && !job_arrival && !in_table) assume (job_void);
        // Software: the number of a node is set when no operation for it is on its way for the first time.
        if (number_valid) assume (!busy || !busy_in || busy_node != number_node);
        if (number_valid) assume (!(first && in_table && node == number_node));
    end

    integer s;
    wire [51*N-1:0] shadows;
    genvar g;
    generate for (g = 0; g < N; g = g + 1) begin : word
        assign shadows[51*g +: 51] = begun1[g] ? {torn1[g], 1'b1, over1[g], closed1[g], number1[24*g+1 +: 23], base1[24*g +: 24]} : 51'd0;
    end endgenerate
    always @* if (past && !rst) begin
        if (ready) begin
            assert (out_valid == valid[1]);
            if (out_valid) assert (out_frame == frames[1] && out_closed == dones[1] && out_op == ops[47:24] && out_packet == packets[1]);
            // Every frame has the number that its packet was given.
            if (out_valid && psns[1]) assert (out_psn + out_packet == expected[47:24]);
        end
        // Behind its end nothing of an operation is a frame, and behind a packet without one nothing but an abort.
        if (job_valid && gone[at] && gone_op[24*at +: 24] == job_op && !job_opens) assert (!frame);
        if (job_valid && begun[at] && torn[at] && number[24*at +: 24] == job_op && job_kind < 2 && !job_opens) assert (!frame);

        // What holds inside, for the induction.
        if (!ready) begin
            assert (sweep == next_word && valid == 0 && begun == 0 && known == 0 && begun1 == 0 && window == 0 && dead == 0 && gone == 0 && !busy);
            if (next_word) assert (states[42:0] == 0 && numbers[23:0] == 0);
        end
        if (busy) assert (known[busy_at] && begun[busy_at] && !over[busy_at] && !arrival[busy_at] && !gone[busy_at] && count[2*busy_at +: 2] == 2);
        if (busy) assert (written[24*busy_at +: 24] == number[24*busy_at +: 24] && nodes[busy_at] == busy_in && base2 == base[24*busy_at +: 24]);
        if (busy && torn[busy_at] && busy_in) assert (dead[busy_node]);
        if (busy && !busy_in) assert (torn[busy_at]);
        if (busy && busy_in && !torn[busy_at]) assert (!dead[busy_node] && window[24*busy_node +: 24] == base[24*busy_at +: 24] + 24'd1);
        for (s = 0; s < N; s = s + 1) begin
            if (ready) assert (states[51*s +: 51] == shadows[51*s +: 51]);
            assert (next_packet[s] == (busy && busy_at == s));
            if (begun[s]) assert (number[24*s] == s && (over[s] || (busy && busy_at == s)) && gone[s] == (over[s] && closed[s]));
            if (gone[s]) assert (begun[s] && gone_op[24*s +: 24] == number[24*s +: 24]);
            if (known[s]) assert (written[24*s] == s && (!begun[s] || gone[s] || (busy && busy_at == s)));
            if (known[s] || begun[s]) assert (records[3*s+1 +: 2] == count[2*s +: 2] && (count[2*s +: 2] == 1 || count[2*s +: 2] == 2));
            if (begun[s] && !arrival[s] && nodes[s] && !torn[s]) assert (given_0[24*s +: 24] == base[24*s +: 24]);
            if (begun[s] && !arrival[s] && nodes[s] && !torn[s] && over[s] && !known[s] && count[2*s +: 2] == 2) assert (given_1[24*s +: 24] == base[24*s +: 24] + 24'd1);
            if (ready && !dead[s]) assert (numbers[24*s +: 24] == window[24*s +: 24] + (busy && busy_in && busy_node == s));
        end
        // Not vacuous.
        cover (out_valid && out_again && out_frame && psns[1] && packets[1] && set_again);
        cover (sent_torn && evt_stale && out_again);
        cover (out_valid && out_closed && !out_last);
        cover (out_valid && out_closed && out_last && sent_torn);
        cover (out_valid && out_abort && out_frame);
    end
endmodule
