// SentryBits: with `ready`, a bit is what the last change that touched it has made of it. Two flows of 16 bits, words of four.
module proof (
    input clk, input rst, input ask_flow, input [23:0] ask_psn, input change, input change_flow, input clear, input [23:0] clear_start,
    input [4:0] clear_length, input mark, input [23:0] mark_start, input [4:0] mark_length
);
    wire ready, answer, active, flow, value, waiting, write, write_value, ram_ready;
    wire [3:0] at, waiting_at, ram_read_data;
    wire [4:0] left, waiting_left;
    wire [2:0] write_address, next_word, end_;
    wire [1:0] begin_;
    wire [31:0] words;
    sentry_bits dut (
        .clk(clk), .rst(rst), .ready(ready), .ask_flow(ask_flow), .ask_psn(ask_psn), .answer(answer), .change(change),
        .change_flow(change_flow), .clear(clear), .clear_start(clear_start), .clear_length(clear_length), .mark(mark),
        .mark_start(mark_start), .mark_length(mark_length), .active(active), .flow(flow), .at(at), .left(left), .value(value),
        .waiting(waiting), .waiting_at(waiting_at), .waiting_left(waiting_left), .write(write), .write_address(write_address),
        .write_value(write_value), .begin_(begin_), .end_(end_), .ram_ready(ram_ready), .ram_read_data(ram_read_data),
        .\ram_block.next_word (next_word),
        .\ram_block.ram.words[0] (words[0 +: 4]), .\ram_block.ram.words[1] (words[4 +: 4]), .\ram_block.ram.words[2] (words[8 +: 4]),
        .\ram_block.ram.words[3] (words[12 +: 4]), .\ram_block.ram.words[4] (words[16 +: 4]), .\ram_block.ram.words[5] (words[20 +: 4]),
        .\ram_block.ram.words[6] (words[24 +: 4]), .\ram_block.ram.words[7] (words[28 +: 4])
    );

    // Any one bit of any flow.
    (* anyconst *) wire of;
    (* anyconst *) wire [3:0] place;
    wire [2:0] address = {of, place[3:2]};
    reg expected = 0, expected_read, asked = 0, past = 0, changed = 0;
    reg [3:0] clearing = 0;
    wire [3:0] to_clear = place - clear_start[3:0], to_mark = place - mark_start[3:0];
    wire [3:0] to_at = place - at, to_waiting = place - waiting_at;

    always @* begin
        if (clear) assume (clear_length >= 1 && clear_length <= 16);
        if (mark) assume (mark_length >= 1 && mark_length <= 16);
    end
    initial assume (rst);

    always @(posedge clk) begin
        past <= 1;
        asked <= !rst && ready && ask_flow == of && ask_psn[3:0] == place;
        expected_read <= expected;
        clearing <= rst ? 0 : ram_ready ? clearing : clearing + 1'b1;
        if (rst) expected <= 0;
        else if (ready && change && change_flow == of) begin
            if (clear && to_clear < clear_length) expected <= 0;
            if (mark && to_mark < mark_length) expected <= 1;
        end
        changed <= !rst && (changed || (ready && change && clear && mark && change_flow == of && to_clear < clear_length && to_mark < mark_length));
    end

    // The bit once everything under way is done.
    wire there = words[{address, place[1:0]}];
    wire written = write && write_address == address && begin_ <= place[1:0] && place[1:0] < end_ ? write_value : there;
    wire ranged = active && flow == of && to_at < left ? value : written;
    wire meant = waiting && flow == of && to_waiting < waiting_left ? 1'b1 : ranged;

    always @* if (past) begin
        // The property.
        if (asked) assert (answer == expected_read);
        // What holds inside, for the induction.
        assert (clearing <= 8 && ram_ready == (clearing == 8) && next_word == clearing[2:0]);
        assert (ready == (ram_ready && !active && !waiting && !write));
        if (!ram_ready) assert (!active && !waiting && !write && !expected);
        if (!ram_ready && address < next_word) assert (!there);
        if (ram_ready) assert (meant == expected);
        if (active) assert (left >= 1 && left <= 16);
        if (waiting) assert (waiting_left >= 1 && waiting_left <= 16);
        if (write) assert (ram_read_data == words[{write_address, 2'b00} +: 4]);
        if (write && active) assert (write_address == {flow, at[3:2] - 2'd1} && at[1:0] == 0 && value == write_value);
        // Not vacuous.
        cover (asked && answer);
        cover (asked && !answer && changed);
        cover (asked && answer && changed);
        cover (active && left == 16 && at[1:0] == 3);
    end
endmodule
