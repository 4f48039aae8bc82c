// IcrcCheck: its register is that of a CRC taken bit by bit over the bytes that the ICRC covers, whatever they are and however the beats
// come. Which bytes those are is what `IcrcFields` says. What comes in with the first beat is, for each form of headers, what the beginning
// and the masked bytes add to a CRC taken bit by bit; and the register is compared with what a good ICRC leaves there, for each lane in
// which a packet may end. The cover is given one frame, as a Linux kernel sent it.
module proof (
    input clk, input rst, input in_valid, input [63:0] in_data, input [7:0] in_keep, input in_last, input in_user, input out_ready,
    input [31:0] one, input [31:0] two
);
    wire in_ready, out_valid, out_last, out_user, evt_good, evt_bad;
    wire [63:0] out_data;
    wire [7:0] out_keep;
    wire f_valid, f_first, tagged, six, valid_0, valid_1, short_, differs;
    wire [63:0] f_data;
    wire [7:0] f_zero;
    wire [4:0] words;
    wire [31:0] node_0, node_1, node_2, started, state;
    wire [2:0] end_;
    wire [15:0] beat_0, beat_1;
    icrc_check dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data), .in_keep(in_keep), .in_last(in_last),
        .in_user(in_user), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_keep(out_keep), .out_last(out_last),
        .out_user(out_user), .evt_good(evt_good), .evt_bad(evt_bad), .\syndrome.fields.out_valid (f_valid),
        .\syndrome.fields.out_data (f_data), .\syndrome.fields.out_zero (f_zero), .\syndrome.fields.out_first (f_first),
        .\syndrome.fields.out_tagged (tagged), .\syndrome.fields.out_six (six), .\syndrome.fields.out_words (words),
        .\syndrome.valid_0 (valid_0), .\syndrome.valid_1 (valid_1), .\syndrome.node_0 (node_0), .\syndrome.node_1 (node_1),
        .\syndrome.node_2 (node_2), .\syndrome.started (started), .\syndrome.out_state (state), .\syndrome.out_end (end_),
        .\syndrome.out_short (short_), .\syndrome.beat_0 (beat_0), .\syndrome.beat_1 (beat_1), .differs(differs)
    );

    // The register a bit, a byte, a word of zero later.
    function [31:0] bit_later(input [31:0] from);
        bit_later = {1'b0, from[31:1]} ^ (from[0] ? 32'hedb88320 : 32'd0);
    endfunction
    function [31:0] byte_later(input [31:0] from);
        byte_later = bit_later(bit_later(bit_later(bit_later(bit_later(bit_later(bit_later(bit_later(from))))))));
    endfunction
    function [31:0] word_later(input [31:0] from);
        word_later = byte_later(byte_later(byte_later(byte_later(from))));
    endfunction
    // Some bits before.
    function [31:0] before(input [31:0] from, input integer bits);
        integer i;
        begin
            before = from;
            for (i = 0; i < bits; i = i + 1) before = {before[30:0], 1'b0} ^ (before[31] ? 32'hdb710641 : 32'd0);
        end
    endfunction
    // A byte of the frame that the ICRC takes as ones, where the IP header begins at `ip` and has `bytes` bytes.
    function [7:0] masked(input integer at, input integer ip, input integer bytes, input integer version);
        begin
            masked = 0;
            if (version == 4 && (at == ip + 1 || at == ip + 8 || at == ip + 10 || at == ip + 11)) masked = 8'hff;
            if (version == 6 && at == ip) masked = 8'h0f;
            if (version == 6 && (at == ip + 1 || at == ip + 2 || at == ip + 3 || at == ip + 7)) masked = 8'hff;
            if (at == ip + bytes + 6 || at == ip + bytes + 7 || at == ip + bytes + 12) masked = 8'hff;
        end
    endfunction
    // What must come in with the first beat: of 96 bytes that are zero where they are not masked the CRC, back to the end of that beat. The
    // register of the design is four bytes before its usual place. The version byte of IPv6 is no part of what is covered: its other half
    // is known.
    function [31:0] start(input integer ip, input integer bytes, input integer version);
        integer at;
        begin
            start = 32'hffffffff;
            for (at = 0; at < 8; at = at + 1) start = byte_later(start ^ 32'h000000ff);
            for (at = ip; at < 96; at = at + 1)
                start = byte_later(start ^ {24'd0, masked(at, ip, bytes, version) | (version == 6 && at == ip ? 8'h60 : 8'h00)});
            start = before(start, 88 * 8 + 32);
        end
    endfunction

    // What the fields say goes two clocks beside the words.
    reg [63:0] kept, kept1 = 0, kept2 = 0;
    integer lane;
    always @* for (lane = 0; lane < 8; lane = lane + 1) kept[8 * lane +: 8] = f_zero[lane] ? 8'h00 : f_data[8 * lane +: 8];
    reg first1 = 0, first2 = 0, tagged1 = 0, tagged2 = 0, six1 = 0, six2 = 0, past = 0, differs_ref = 0, seen_good = 0;
    reg [4:0] words1 = 0, words2 = 0;
    reg [31:0] ref_ = 0;
    // A CRC is linear (asserted below): the register later is the sum of what its bits alone come to. So said it is a sum that the solver
    // sees through.
    function [31:0] each_later(input [31:0] from, input integer words);
        integer bit_;
        reg [31:0] one;
        begin
            each_later = 0;
            for (bit_ = 0; bit_ < 32; bit_ = bit_ + 1) begin
                one = word_later(32'd1 << bit_);
                if (words == 2) one = word_later(one);
                each_later = each_later ^ ({32{from[bit_]}} & one);
            end
        end
    endfunction
    wire [31:0] from = first2 ? 32'd0 : ref_;
    wire [31:0] pair = each_later(kept2[31:0], 1) ^ kept2[63:32];
    wire [31:0] next = each_later(from, 2) ^ pair ^ (first2 ? started : 32'd0);
    // What a good ICRC leaves: all ones, and the bytes of zero behind it.
    reg [31:0] good;
    always @* begin
        good = 32'hffffffff;
        for (lane = 0; lane < 7; lane = lane + 1) if (end_ <= lane) good = byte_later(good);
    end
    always @(posedge clk) begin
        past <= 1;
        {kept1, first1, tagged1, six1, words1} <= {kept, f_first, tagged, six, words};
        {kept2, first2, tagged2, six2, words2} <= {kept1, first1, tagged1, six1, words1};
        if (valid_1) ref_ <= next;
        differs_ref <= ref_ != good || short_;
        if (evt_good) seen_good <= 1;
    end

    initial assume (rst);

`ifdef GOOD_FRAME
    reg [3:0] beat = 0;
    always @(posedge clk) if (in_valid && in_ready) beat <= beat + 1;
    reg [63:0] frame;
    always @* case (beat)
        0: frame = 64'h0002010900000002;
        1: frame = 64'h0045000802090000;
        2: frame = 64'h11400040736c3000;
        3: frame = 64'h090a0200090a35ba;
        4: frame = 64'h1c00b71221c10100;
        5: frame = 64'h0000ffff00110000;
        6: frame = 64'h001f74ee65001100;
        default: frame = 64'h000020e5ff900100;
    endcase
    always @* begin
        assume (rst == !past);
        assume (in_valid == (beat < 8) && in_last == (beat == 7) && !in_user && out_ready);
        assume (in_data == frame && in_keep == (in_last ? 8'h3f : 8'hff));
    end
`endif

    genvar g, t;
    generate
        for (t = 0; t < 2; t = t + 1) begin : form
            for (g = 5; g < 16; g = g + 1) begin : four
                localparam [31:0] START = start(14 + 4 * t, 4 * g, 4);
                always @* if (past && !six2 && tagged2 == t && words2 == g + t) assert (started == START);
            end
            localparam [31:0] START = start(14 + 4 * t, 40, 6);
            always @* if (past && six2 && tagged2 == t && words2 == 10 + t) assert (started == START);
        end
    endgenerate

    // A CRC is linear: a bit later the sum of any two registers is the sum of both a bit later, and so it is after any number of bits.
    always @* assert (bit_later(one ^ two) == (bit_later(one) ^ bit_later(two)));

    always @* if (past) begin
        // The property.
        assert (state == ref_);
        assert (differs == differs_ref);
        // What holds inside, for the induction.
        assert (node_1 == kept1[31:0] && node_2 == kept1[63:32] && node_0 == pair);
        assert (beat_0[0] == first1 && beat_0[6] == tagged1 && beat_0[7] == six1 && beat_0[12:8] == words1);
        assert (beat_1[0] == first2 && beat_1[6] == tagged2 && beat_1[7] == six2 && beat_1[12:8] == words2);
        // Not vacuous.
        cover (seen_good && !evt_bad);
    end
endmodule
