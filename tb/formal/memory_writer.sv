// MemoryWriter on its bus: the number of bursts without response is the one that the block counts, never more than its limit and never below zero; an
// address or a beat that is offered stays until it is taken.
//
// The bus answers a burst after its address has passed, with any ID; writes and slots are free.
module proof #(parameter OB = 1) (
    input clk, input rst, input write_valid, input [1:0] write_tag, input [1:0] write_slot, input [63:0] write_addr,
    input [15:0] write_bytes, input [63:0] read_data, input slot_read_ready, input m_axi_awready, input m_axi_wready,
    input m_axi_bvalid, input [1:0] m_axi_bid, input [1:0] m_axi_bresp
);
    wire write_ready, m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready, seen, addresses_valid, ready;
    wire [1:0] m_axi_awid, m_axi_awburst;
    wire [63:0] m_axi_awaddr, m_axi_wdata;
    wire [7:0] m_axi_awlen, m_axi_wstrb;
    wire [OB:0] open_;
    wire [4:0] addresses;
    memory_writer dut (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_ready(write_ready), .write_tag(write_tag), .write_slot(write_slot),
        .write_addr(write_addr), .write_bytes(write_bytes), .read_data(read_data), .slot_read_ready(slot_read_ready),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr),
        .m_axi_awlen(m_axi_awlen), .m_axi_awburst(m_axi_awburst), .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
        .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb), .m_axi_wlast(m_axi_wlast), .m_axi_bvalid(m_axi_bvalid),
        .m_axi_bready(m_axi_bready), .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp), .bursts_open(open_),
        .addresses_count(addresses), .addresses_out_valid(addresses_valid), .evt_memory_bursts(seen), .responses_ready(ready)
    );

    reg past = 0;
    // Bursts whose address has passed and whose response has not.
    reg [7:0] bus = 0;
    reg aw_stalled = 0, w_stalled = 0, was_full = 0;
    reg [1:0] id_before;
    reg [63:0] address_before, data_before;
    reg [7:0] length_before, strobe_before;
    reg last_before;
    wire address = m_axi_awvalid && m_axi_awready;
    wire response = m_axi_bvalid && m_axi_bready;

    always @(posedge clk) begin
        past <= 1;
        bus <= rst ? 0 : bus + address - response;
        aw_stalled <= m_axi_awvalid && !m_axi_awready && !rst;
        w_stalled <= m_axi_wvalid && !m_axi_wready && !rst;
        id_before <= m_axi_awid;
        address_before <= m_axi_awaddr;
        length_before <= m_axi_awlen;
        data_before <= m_axi_wdata;
        strobe_before <= m_axi_wstrb;
        last_before <= m_axi_wlast;
        was_full <= !rst && (was_full || open_ == 1 << OB);
    end

    initial assume (rst);
    always @* if (m_axi_bvalid) assume (bus != 0 && ready);

    always @* if (past) begin
        // The property.
        assert (open_ <= 1 << OB);
        assert (open_ == addresses + m_axi_awvalid + bus + seen);
        if (aw_stalled)
            assert (m_axi_awvalid && m_axi_awid == id_before && m_axi_awaddr == address_before && m_axi_awlen == length_before);
        if (w_stalled)
            assert (m_axi_wvalid && m_axi_wdata == data_before && m_axi_wstrb == strobe_before && m_axi_wlast == last_before);
        assert (m_axi_awburst == 1);
        // What holds inside, for the induction.
        assert (bus <= 1 << OB);
        assert (addresses_valid == (addresses != 0));
        // Not vacuous.
        cover (was_full && open_ == 0 && seen == 0);
        cover (aw_stalled && w_stalled && was_full);
        cover (m_axi_awvalid && m_axi_awlen == 2);
        cover (m_axi_wvalid && m_axi_wlast && m_axi_wstrb == 8'h0f && was_full);
    end
endmodule
