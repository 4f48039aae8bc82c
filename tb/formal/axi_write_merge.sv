// AxiWriteMerge: every address that is taken is on the bus in the next clock as it came, with the mark of its master, and every beat likewise; the beats
// of a burst come from the master whose address it was, in the order of the addresses; what is offered stays until it is taken; a response goes to
// the master whose burst it answers.
//
// The solver picks a burst as its address is taken (`pick`); `ahead` counts the bursts whose last beats must pass before it.
module proof #(parameter W = 8, parameter TW = 2) (
    input clk, input rst, input pick,
    input a_awvalid, input [TW-1:0] a_awid, input [63:0] a_awaddr, input [7:0] a_awlen,
    input a_wvalid, input [W-1:0] a_wdata, input [W/8-1:0] a_wstrb, input a_wlast, input a_bready,
    input b_awvalid, input [63:0] b_awaddr, input [7:0] b_awlen,
    input b_wvalid, input [W-1:0] b_wdata, input [W/8-1:0] b_wstrb, input b_wlast, input b_bready,
    input m_awready, input m_wready, input m_bvalid, input [TW:0] m_bid, input [1:0] m_bresp
);
    localparam DEPTH = 16;
    localparam A = 4;
    wire a_awready, a_wready, a_bvalid, b_awready, b_wready, b_bvalid, m_awvalid, m_wvalid, m_wlast, m_bready, order_valid;
    wire [TW-1:0] a_bid;
    wire [1:0] a_bresp, b_bresp, m_awburst;
    wire [TW:0] m_awid;
    wire [63:0] m_awaddr;
    wire [7:0] m_awlen;
    wire [W-1:0] m_wdata;
    wire [W/8-1:0] m_wstrb;
    wire [A-1:0] read, write;
    wire [A:0] count;
    wire [DEPTH-1:0] words;
    axi_write_merge dut (
        .clk(clk), .rst(rst),
        .a_axi_awvalid(a_awvalid), .a_axi_awready(a_awready), .a_axi_awid(a_awid), .a_axi_awaddr(a_awaddr), .a_axi_awlen(a_awlen),
        .a_axi_wvalid(a_wvalid), .a_axi_wready(a_wready), .a_axi_wdata(a_wdata), .a_axi_wstrb(a_wstrb), .a_axi_wlast(a_wlast),
        .a_axi_bvalid(a_bvalid), .a_axi_bready(a_bready), .a_axi_bid(a_bid), .a_axi_bresp(a_bresp),
        .b_axi_awvalid(b_awvalid), .b_axi_awready(b_awready), .b_axi_awaddr(b_awaddr), .b_axi_awlen(b_awlen),
        .b_axi_wvalid(b_wvalid), .b_axi_wready(b_wready), .b_axi_wdata(b_wdata), .b_axi_wstrb(b_wstrb), .b_axi_wlast(b_wlast),
        .b_axi_bvalid(b_bvalid), .b_axi_bready(b_bready), .b_axi_bresp(b_bresp),
        .m_axi_awvalid(m_awvalid), .m_axi_awready(m_awready), .m_axi_awid(m_awid), .m_axi_awaddr(m_awaddr), .m_axi_awlen(m_awlen),
        .m_axi_awburst(m_awburst), .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready), .m_axi_wdata(m_wdata), .m_axi_wstrb(m_wstrb),
        .m_axi_wlast(m_wlast), .m_axi_bvalid(m_bvalid), .m_axi_bready(m_bready), .m_axi_bid(m_bid), .m_axi_bresp(m_bresp),
        .\order.read (read), .\order.write (write), .\order.count (count), .\order.out_valid (order_valid),
        .\order.memory.words[0] (words[0]), .\order.memory.words[1] (words[1]), .\order.memory.words[2] (words[2]),
        .\order.memory.words[3] (words[3]), .\order.memory.words[4] (words[4]), .\order.memory.words[5] (words[5]),
        .\order.memory.words[6] (words[6]), .\order.memory.words[7] (words[7]), .\order.memory.words[8] (words[8]),
        .\order.memory.words[9] (words[9]), .\order.memory.words[10] (words[10]), .\order.memory.words[11] (words[11]),
        .\order.memory.words[12] (words[12]), .\order.memory.words[13] (words[13]), .\order.memory.words[14] (words[14]),
        .\order.memory.words[15] (words[15]), .a_open(a_open)
    );

    wire a_address = a_awvalid && a_awready, b_address = b_awvalid && b_awready;
    wire a_beat = a_wvalid && a_wready, b_beat = b_wvalid && b_wready;
    wire ends = (a_beat && a_wlast) || (b_beat && b_wlast);
    // Bursts of `a` whose last beat has not come.
    wire [1:0] a_open;
    reg [A:0] of_a;
    integer i;
    always @* begin
        of_a = 0;
        for (i = 0; i < DEPTH; i = i + 1) if (i < count && !words[(read + i) % DEPTH]) of_a = of_a + 1'b1;
    end
    reg past = 0, tracking = 0, of_b, took_address = 0, took_beat = 0, aw_stalled = 0, w_stalled = 0, was_full = 0, stolen = 0;
    reg [A:0] ahead;
    reg [TW+72:0] address;
    reg [W+W/8:0] beat;
    wire [A-1:0] place = read + ahead[A-1:0];

    always @(posedge clk) begin
        past <= 1;
        took_address <= !rst && (a_address || b_address);
        took_beat <= !rst && (a_beat || b_beat);
        aw_stalled <= !rst && m_awvalid && !m_awready;
        w_stalled <= !rst && m_wvalid && !m_wready;
        if (a_address || b_address) address <= b_address ? {1'b1, {TW{1'b0}}, b_awlen, b_awaddr} : {1'b0, a_awid, a_awlen, a_awaddr};
        if (a_beat || b_beat) beat <= b_beat ? {b_wlast, b_wstrb, b_wdata} : {a_wlast, a_wstrb, a_wdata};
        was_full <= !rst && (was_full || count == DEPTH);
        stolen <= !rst && (stolen || (a_awvalid && b_address && aw_stalled));
        if (rst) tracking <= 0;
        else if (tracking) begin
            if (ends) ahead <= ahead - 1'b1;
            if (ends && ahead == 0) tracking <= 0;
        end else if (pick && (a_address || b_address)) begin
            tracking <= 1;
            of_b <= b_address;
            ahead <= count - ends;
        end
    end

    initial assume (rst);

    always @* if (past) begin
        // The property: addresses, beats, their order, responses.
        assert (!(a_address && b_address));
        assert (m_awvalid == (took_address || aw_stalled));
        if (m_awvalid) assert ({m_awid, m_awlen, m_awaddr} == address && m_awburst == 1);
        assert (m_wvalid == (took_beat || w_stalled));
        if (m_wvalid) assert ({m_wlast, m_wstrb, m_wdata} == beat);
        assert (!(a_beat && b_beat));
        if (a_beat || b_beat) assert (count != 0);
        if (tracking && ahead == 0) assert (of_b ? !a_beat : !b_beat);
        if (tracking && ahead == 0 && (!m_wvalid || m_wready)) assert (of_b ? b_wready : a_wready);
        assert (a_bvalid == (m_bvalid && !m_bid[TW]) && b_bvalid == (m_bvalid && m_bid[TW]));
        assert (m_bready == (m_bid[TW] ? b_bready : a_bready));
        assert (a_bid == m_bid[TW-1:0] && a_bresp == m_bresp && b_bresp == m_bresp);
        assert (of_a <= 2);
        // What holds inside, for the induction.
        assert (a_open == of_a);
        assert (count <= DEPTH && count[A-1:0] == write - read && order_valid == (count != 0));
        if (tracking) assert (ahead < count && words[place] == of_b);
        // Not vacuous.
        cover (of_a == 2 && a_awvalid && a_wvalid && !m_awvalid);
        cover (was_full && count == 0);
        cover (stolen && tracking && of_b && ahead == 0 && b_beat);
        cover (tracking && !of_b && ahead == 0 && a_beat && !a_wlast && w_stalled);
    end
endmodule
