// AxiLiteAccess: what is offered on the bus stays, unchanged, until it is taken; one access at a time; no answer is taken before its request has passed, and
// each access has one answer, the one that the bus gave.
module proof (
    input clk, input rst, input access_valid, input access_write, input [5:0] access_offset, input [31:0] access_data,
    input awready, input wready, input bvalid, input [1:0] bresp, input arready, input rvalid, input [31:0] rdata, input [1:0] rresp
);
    wire access_ready, answer_valid, answer_error, awvalid, wvalid, bready, arvalid, rready, writes, reads;
    wire [31:0] answer_data, wdata;
    wire [5:0] awaddr, araddr;
    axi_lite_access dut (
        .clk(clk), .rst(rst), .access_valid(access_valid), .access_ready(access_ready), .access_write(access_write),
        .access_offset(access_offset), .access_data(access_data), .answer_valid(answer_valid), .answer_data(answer_data),
        .answer_error(answer_error), .m_axi_lite_awvalid(awvalid), .m_axi_lite_awready(awready), .m_axi_lite_awaddr(awaddr),
        .m_axi_lite_wvalid(wvalid), .m_axi_lite_wready(wready), .m_axi_lite_wdata(wdata), .m_axi_lite_bvalid(bvalid),
        .m_axi_lite_bready(bready), .m_axi_lite_bresp(bresp), .m_axi_lite_arvalid(arvalid), .m_axi_lite_arready(arready),
        .m_axi_lite_araddr(araddr), .m_axi_lite_rvalid(rvalid), .m_axi_lite_rready(rready), .m_axi_lite_rdata(rdata),
        .m_axi_lite_rresp(rresp), .writes(writes), .reads(reads)
    );

    reg past = 0;
    // The access that is under way; what of it has passed.
    reg open = 0, write, aw_passed = 0, w_passed = 0, ar_passed = 0;
    reg [5:0] offset;
    reg [31:0] value;
    reg expected = 0, failed;
    reg [31:0] read;
    reg aw_stalled = 0, w_stalled = 0, ar_stalled = 0;
    reg written = 0;
    wire takes = access_valid && access_ready;
    wire answered = (bvalid && bready) || (rvalid && rready);

    always @(posedge clk) begin
        past <= 1;
        open <= !rst && (takes || (open && !answered));
        if (takes) begin
            write <= access_write;
            offset <= access_offset;
            value <= access_data;
        end
        aw_passed <= !rst && !takes && (aw_passed || (awvalid && awready));
        w_passed <= !rst && !takes && (w_passed || (wvalid && wready));
        ar_passed <= !rst && !takes && (ar_passed || (arvalid && arready));
        expected <= !rst && answered;
        failed <= (bvalid && bready) ? bresp[1] : rresp[1];
        read <= rdata;
        aw_stalled <= !rst && awvalid && !awready;
        w_stalled <= !rst && wvalid && !wready;
        ar_stalled <= !rst && arvalid && !arready;
        written <= !rst && (written || (answered && write));
    end

    initial assume (rst);
    always @* if (past) begin
        // The property.
        if (aw_stalled) assert (awvalid);
        if (w_stalled) assert (wvalid);
        if (ar_stalled) assert (arvalid);
        if (awvalid) assert (open && write && !aw_passed && awaddr == offset);
        if (wvalid) assert (open && write && !w_passed && wdata == value);
        if (arvalid) assert (open && !write && !ar_passed && araddr == offset);
        assert (access_ready == !open);
        if (bready) assert (open && write && aw_passed && w_passed);
        if (rready) assert (open && !write && ar_passed);
        assert (answer_valid == expected);
        if (expected) assert (answer_error == failed);
        if (expected && !open && !write) assert (answer_data == read);
        // What can go goes.
        if (open && write) assert (awvalid || aw_passed);
        if (open && write) assert (wvalid || w_passed);
        if (open && write && aw_passed && w_passed) assert (bready);
        if (open && !write) assert (arvalid || (ar_passed && rready));

        // What holds inside, for the induction.
        assert (writes == (open && write));
        assert (reads == (open && !write));
    end

    always @* if (past) begin
        cover (bready && bvalid && bresp == 3);
        cover (aw_passed && wvalid && open);
        cover (w_passed && awvalid && open);
        cover (written && answer_valid && !write && !answer_error);
    end
endmodule
