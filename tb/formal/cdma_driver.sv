// CdmaDriver: the tail moves only to a descriptor that is out, whose eight words have all been written since it left the ring the last time, and whose
// status is zero; no descriptor that is out is written, but for its status; at most three of four are out.
//
// The engine writes the status of descriptors that it has been told of, and of no other one; between an error and the end of the reset it may write any. Register
// accesses are answered at any time, with anything.
module proof (
    input clk, input rst, input tick, input load_valid, input [1:0] load_tag, input [255:0] load_sources, input [127:0] load_lengths,
    input [63:0] load_destination, input loaded_ready, input [7:0] limit,
    input arvalid, input [7:0] araddr, input [7:0] arlen, input rready, input awvalid, input [7:0] awaddr,
    input wvalid, input [31:0] wdata, input [3:0] wstrb, input wlast, input bready,
    input l_awready, input l_wready, input l_bvalid, input [1:0] l_bresp, input l_arready, input l_rvalid, input [31:0] l_rdata, input [1:0] l_rresp
);
    (* anyconst *) wire [63:0] ring_base;
    (* anyconst *) wire wide;
    wire [1:0] head, fill, next_fill, cleared, target, told, beat_index;
    wire [2:0] part;
    wire clearing, clear_now, held, checked, bad, used, leaves, enable, beat, beat_counts, asked, begins, access_write;
    wire [4:0] word, state;
    wire [31:0] data, access_data;
    wire [5:0] access_offset;
    wire [15:0] statuses;
    cdma_driver dut (
        .clk(clk), .rst(rst), .tick(tick), .load_valid(load_valid), .load_tag(load_tag), .load_sources(load_sources),
        .load_lengths(load_lengths), .load_destination(load_destination), .loaded_ready(loaded_ready), .cfg_ring_base(ring_base),
        .cfg_wide(wide), .cfg_irq_threshold(8'd1), .cfg_irq_delay(8'd0), .cfg_reset_timeout(32'd100), .cfg_load_timeout(32'd0),
        .cfg_cdma_error_limit(limit),
        .s_axi_sg_arvalid(arvalid), .s_axi_sg_araddr(araddr), .s_axi_sg_arlen(arlen), .s_axi_sg_rready(rready),
        .s_axi_sg_awvalid(awvalid), .s_axi_sg_awaddr(awaddr), .s_axi_sg_wvalid(wvalid), .s_axi_sg_wdata(wdata),
        .s_axi_sg_wstrb(wstrb), .s_axi_sg_wlast(wlast), .s_axi_sg_bready(bready),
        .m_axi_lite_awready(l_awready), .m_axi_lite_wready(l_wready), .m_axi_lite_bvalid(l_bvalid), .m_axi_lite_bresp(l_bresp),
        .m_axi_lite_arready(l_arready), .m_axi_lite_rvalid(l_rvalid), .m_axi_lite_rdata(l_rdata), .m_axi_lite_rresp(l_rresp),
        .\reader.head (head), .\writer.fill (fill), .\writer.part (part), .\writer.next_fill (next_fill),
        .\writer.clearing (clearing), .\writer.cleared (cleared), .\writer.clear_now (clear_now), .\writer.held (held),
        .\writer.checked (checked), .\writer.bad (bad), .\writer.used (used),
        .\ring.enable (enable), .\ring.word (word), .\ring.data (data), .\ring.beat (beat), .\ring.beat_counts (beat_counts),
        .\ring.beat_index (beat_index), .\control.state (state), .\control.asked (asked), .\control.target (target),
        .\control.told (told), .\control.begins (begins), .\control.access_offset (access_offset), .\control.access_data (access_data),
        .\control.access_write (access_write), .\reader.leaves (leaves),
        .\reader.statuses.words[0] (statuses[3:0]), .\reader.statuses.words[1] (statuses[7:4]),
        .\reader.statuses.words[2] (statuses[11:8]), .\reader.statuses.words[3] (statuses[15:12])
    );
    localparam OFF = 0, RESET = 1, RESET_POLL = 2, CLEAR = 3, CLEARING = 4, MODE_OFF = 5, CONTROL = 9, TAIL = 10, TAIL_MSB = 11, RUN = 12,
               FAILING = 15, JUDGE = 17, COUNT = 19, DEAD = 20;

    reg past = 0;
    // Words written since the descriptor left the ring, by the driver.
    reg [7:0] words [0:3];
    // The engine has been told of those before `last`.
    reg any = 0;
    reg [1:0] last = 0;
    // The engine may write anything.
    wire free = state == RESET || state == RESET_POLL || state == CLEAR || state >= JUDGE;
    wire tail = begins && access_write && (access_offset == 6'h10);
    wire [1:0] newest = access_data[7:6];

    function out(input [1:0] index, first, behind);
        out = index - first < behind - first;
    endfunction

    integer i;
    always @(posedge clk) begin
        past <= 1;
        for (i = 0; i < 4; i = i + 1) begin
            if (enable && !beat && !clearing && word[4:3] == i) words[i][word[2:0]] <= 1;
            if (rst || (leaves && head == i)) words[i] <= 0;
        end
        if (free || rst) any <= 0;
        else if (tail) begin
            any <= 1;
            last <= newest + 2'd1;
        end
    end

    initial assume (rst);
    always @* if (beat && beat_counts) assume (free || (any && out(beat_index, head, last)));

    integer j;
    always @* if (past) begin
        // The property.
        if (tail) begin
            assert (access_data == {ring_base[31:8], newest, 6'd0});
            assert (out(newest, head, fill));
            assert (words[newest] == 8'hff);
            assert (statuses[newest*4 +: 4] == 0);
        end
        if (enable && !beat && !clearing) assert (word[4:3] == fill && fill + 2'd1 != head);
        if (enable && !beat && word[2:0] == 7) assert (data == 0);

        // What holds inside, for the induction.
        assert (next_fill == fill + 2'd1);
        if (part != 0) assert (held && checked && !bad && used && next_fill != head);
        if (clearing) assert (state == CLEARING);
        for (j = 0; j < 4; j = j + 1) begin
            if (out(j, head, fill)) assert (words[j] == 8'hff);
            else if (j == fill) assert (words[j] == (8'd1 << part) - 8'd1);
            else assert (words[j] == 0);
            // What the engine has not been told of has no status, once it has been cleared.
            if (out(j, head, fill) && !free && !(any && out(j, head, last)) && !(clearing && out(j, cleared, fill)))
                assert (statuses[j*4 +: 4] == 0);
        end
        if (any && !free) assert (last - head <= fill - head);
        if (!any && !free && state != TAIL) assert (state == OFF || state == CLEARING || (state >= MODE_OFF && state <= CONTROL));
        if (any && !free) assert (state >= TAIL);
        if (state >= MODE_OFF && state <= CONTROL) assert (head != fill);
        if (any && state > TAIL && state < JUDGE) assert (last == told);
        if (state == TAIL && asked) assert (any && last == target);
        if (state == TAIL && !asked) begin
            assert (target != head && target - head <= fill - head);
            if (any) assert (last - head < target - head);
        end
        if (asked) assert (state == RESET || state == RESET_POLL || (state >= MODE_OFF && state <= TAIL_MSB) ||
                           (state > RUN && state <= FAILING) || state == COUNT || state == DEAD);
        assert (state <= DEAD);
    end

    always @* if (past) begin
        cover (tail && fill - head == 3);
        cover (tail && newest == 1);
        cover (state == DEAD && head == fill && fill != 0);
    end
endmodule
