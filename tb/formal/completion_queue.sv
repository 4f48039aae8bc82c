// CompletionQueue: the producer index is the number of responses that have come, so that no entry is told of before its response; no entry is
// written before the one in its place has been taken; at most 64 are under way; an address or a beat that is offered stays until it is taken.
//
// The bus answers an entry after its address and its last beat have passed. Software takes no more entries than there are, and the ring keeps its size.
module proof #(parameter W = 64, parameter LAST = 7) (
    input clk, input rst, input complete_valid, input [1:0] complete_kind, input [15:0] complete_src, input [31:0] now, input [63:0] cfg_ring_base,
    input [31:0] cfg_ring_consumer, input [15:0] cfg_coalesce_count, input [31:0] cfg_coalesce_delay,
    input m_axi_awready, input m_axi_wready, input m_axi_bvalid, input [1:0] m_axi_bresp
);
    (* anyconst *) wire [4:0] size;
    wire complete_ready, m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready, interrupt, full, ring_error, room, waits, goes, answered;
    wire [63:0] m_axi_awaddr;
    wire [W-1:0] m_axi_wdata;
    wire [W/8-1:0] m_axi_wstrb;
    wire [7:0] m_axi_awlen, w_left;
    wire [31:0] producer, issued, used, outside;
    wire [6:0] open_;
    wire [1:0] settle;
    completion_queue dut (
        .clk(clk), .rst(rst), .complete_valid(complete_valid), .complete_ready(complete_ready), .complete_kind(complete_kind),
        .complete_src(complete_src), .complete_op(24'd0), .complete_base(64'd0), .complete_bytes(32'd0), .complete_packets(16'd0),
        .complete_status(8'd0), .complete_imm_valid(1'b0), .complete_imm(32'd0), .complete_mask(32'd0), .now(now),
        .cfg_ring_base(cfg_ring_base), .cfg_ring_size_log2(size), .cfg_ring_consumer(cfg_ring_consumer),
        .cfg_coalesce_count(cfg_coalesce_count), .cfg_coalesce_delay(cfg_coalesce_delay), .status_ring_producer(producer),
        .set_interrupt_status_completion(interrupt), .set_interrupt_status_ring_full(full), .set_interrupt_status_ring_error(ring_error),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready), .m_axi_bresp(m_axi_bresp),
        .issued(issued), .open_(open_), .settle(settle), .used(used), .room(room), .outside(outside), .waits(waits), .goes(goes),
        .answered(answered), .w_left(w_left)
    );

    reg past = 0;
    reg [31:0] addresses = 0, datas = 0, responses = 0, consumer = 0;
    reg aw_stalled = 0, w_stalled = 0, last_before, was_full = 0;
    reg [63:0] address_before;
    reg [W-1:0] data_before;
    reg [W/8-1:0] strobe_before;
    // Clocks since reset, at most 3.
    reg [1:0] age = 0;
    wire [31:0] mask = ~(32'hffff_ffff << size);

    always @(posedge clk) begin
        past <= 1;
        age <= rst ? 0 : age + (age != 3);
        addresses <= rst ? 0 : addresses + (m_axi_awvalid && m_axi_awready);
        datas <= rst ? 0 : datas + (m_axi_wvalid && m_axi_wready && m_axi_wlast);
        responses <= rst ? 0 : responses + m_axi_bvalid;
        consumer <= rst ? 0 : cfg_ring_consumer;
        aw_stalled <= m_axi_awvalid && !m_axi_awready && !rst;
        w_stalled <= m_axi_wvalid && !m_axi_wready && !rst;
        address_before <= m_axi_awaddr;
        data_before <= m_axi_wdata;
        strobe_before <= m_axi_wstrb;
        last_before <= m_axi_wlast;
        was_full <= !rst && (was_full || full);
    end

    initial assume (rst);
    always @* begin
        // Software: forward, no further than the producer.
        assume (cfg_ring_consumer - consumer <= producer - consumer);
        if (m_axi_bvalid) assume (addresses != responses && datas != responses);
    end

    always @* if (past) begin
        // The property.
        assert (producer == responses - answered);
        if (goes) assert (issued - cfg_ring_consumer <= mask);
        assert (issued - consumer <= mask + 1'b1);
        assert (open_ <= 64);
        if (aw_stalled) assert (m_axi_awvalid && m_axi_awaddr == address_before);
        if (w_stalled) assert (m_axi_wvalid && m_axi_wdata == data_before && m_axi_wstrb == strobe_before && m_axi_wlast == last_before);
        if (m_axi_awvalid) assert (m_axi_awlen == LAST);
        // What holds inside, for the induction.
        assert (open_ == issued - producer);
        assert (issued == addresses + m_axi_awvalid);
        assert (issued == datas + m_axi_wvalid);
        if (m_axi_wvalid) assert (w_left <= LAST);
        assert (issued - responses <= 64);
        assert (addresses - responses <= 64 && datas - responses <= 64);
        assert (producer - consumer <= issued - consumer);
        assert (issued - consumer <= 32'h8000_0000);
        if (age != 0) assert (outside == ~mask);
        if (age < 2) assert (settle > 1);
        if (age == 2) assert (settle != 0);
        // `used` has been true since the last entry, but for what software has taken since.
        if (settle != 2 && age > 1) assert (issued - consumer <= used);
        if (settle == 0 && room) assert (issued - consumer <= mask);
        // Not vacuous.
        cover (was_full && producer == 3 && size == 1);
        cover (open_ == 4 && size == 3);
        cover (interrupt && producer == 2 && aw_stalled);
        cover (ring_error && producer == 1);
    end
endmodule
