// AxiLiteSlave in front of a bank that answers each command two clocks later: the rules of AXI4-Lite that are a slave's to keep.
//
// What is offered stays until it is taken; each answer is for a request that has passed before, reads and writes each; no answer is
// lost for want of room; whatever waits is issued, reads and writes in turn. The master is held to nothing but one reset at the start.
module proof #(parameter A = 6) (
    input clk, input rst,
    input s_axi_awvalid, input [A-1:0] s_axi_awaddr, input [2:0] s_axi_awprot,
    input s_axi_wvalid, input [31:0] s_axi_wdata, input [3:0] s_axi_wstrb, input s_axi_bready,
    input s_axi_arvalid, input [A-1:0] s_axi_araddr, input [2:0] s_axi_arprot, input s_axi_rready,
    input answer_error, input [31:0] answer_data
);
    wire s_axi_awready, s_axi_wready, s_axi_bvalid, s_axi_arready, s_axi_rvalid;
    wire [1:0] s_axi_bresp, s_axi_rresp;
    wire [31:0] s_axi_rdata;
    wire command_valid, command_write;
    wire [A-3:0] command_word;
    wire [31:0] command_data, command_mask;
    wire aw_full, w_full, ar_full, read_next;
    wire [3:0] writes_open, reads_open, written_count, reads_count;
    wire [2:0] written_write, written_read, reads_write, reads_read;
    reg valid_1 = 0, write_1 = 0, valid_2 = 0, write_2 = 0;
    axi_lite_slave dut (
        .clk(clk), .rst(rst),
        .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(s_axi_awready), .s_axi_awaddr(s_axi_awaddr), .s_axi_awprot(s_axi_awprot),
        .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready), .s_axi_wdata(s_axi_wdata), .s_axi_wstrb(s_axi_wstrb),
        .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready), .s_axi_bresp(s_axi_bresp),
        .s_axi_arvalid(s_axi_arvalid), .s_axi_arready(s_axi_arready), .s_axi_araddr(s_axi_araddr), .s_axi_arprot(s_axi_arprot),
        .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready), .s_axi_rdata(s_axi_rdata), .s_axi_rresp(s_axi_rresp),
        .command_valid(command_valid), .command_write(command_write), .command_word(command_word),
        .command_data(command_data), .command_mask(command_mask),
        .answer_valid(valid_2), .answer_write(write_2), .answer_error(answer_error), .answer_data(answer_data),
        .aw_full(aw_full), .w_full(w_full), .ar_full(ar_full), .read_next(read_next), .writes_open(writes_open), .reads_open(reads_open),
        .written_count(written_count), .reads_count(reads_count),
        .\written.write (written_write), .\written.read (written_read), .\reads.write (reads_write), .\reads.read (reads_read)
    );

    reg past = 0;
    reg [4:0] addresses = 0, datas = 0, reads = 0;
    reg b_stalled = 0, r_stalled = 0, write_waited = 0, read_waited = 0, both = 0, was_full = 0;
    reg [1:0] b_before, r_before;
    reg [31:0] data_before;
    wire can_write = aw_full && w_full && writes_open != 8;
    wire can_read = ar_full && reads_open != 8;
    wire [4:0] writing = command_valid && command_write;
    wire [4:0] reading = command_valid && !command_write;
    wire [4:0] writing_1 = valid_1 && write_1, writing_2 = valid_2 && write_2;
    wire [4:0] reading_1 = valid_1 && !write_1, reading_2 = valid_2 && !write_2;

    always @(posedge clk) begin
        past <= 1;
        valid_1 <= command_valid && !rst;
        write_1 <= command_write;
        valid_2 <= valid_1 && !rst;
        write_2 <= write_1;
        addresses <= rst ? 0 : addresses + (s_axi_awvalid && s_axi_awready) - (s_axi_bvalid && s_axi_bready);
        datas <= rst ? 0 : datas + (s_axi_wvalid && s_axi_wready) - (s_axi_bvalid && s_axi_bready);
        reads <= rst ? 0 : reads + (s_axi_arvalid && s_axi_arready) - (s_axi_rvalid && s_axi_rready);
        b_stalled <= s_axi_bvalid && !s_axi_bready && !rst;
        r_stalled <= s_axi_rvalid && !s_axi_rready && !rst;
        b_before <= s_axi_bresp;
        r_before <= s_axi_rresp;
        data_before <= s_axi_rdata;
        write_waited <= can_write && !rst;
        read_waited <= can_read && !rst;
        both <= can_write && can_read && !rst;
        was_full <= !rst && (was_full || (reads_open == 8 && writes_open == 8));
    end

    initial assume (rst);

    always @* if (past) begin
        // The rules.
        if (b_stalled) assert (s_axi_bvalid && s_axi_bresp == b_before);
        if (r_stalled) assert (s_axi_rvalid && s_axi_rresp == r_before && s_axi_rdata == data_before);
        if (s_axi_bvalid) assert (addresses != 0 && datas != 0 && !s_axi_bresp[0]);
        if (s_axi_rvalid) assert (reads != 0 && !s_axi_rresp[0]);
        if (valid_2 && write_2) assert (written_count != 8);
        if (valid_2 && !write_2) assert (reads_count != 8);
        // What could go has gone one clock later; of two, one, and then it is the other's turn.
        if (write_waited && !read_waited) assert (command_valid && command_write);
        if (read_waited && !write_waited) assert (command_valid && !command_write);
        if (both) assert (command_valid && command_write != !read_next);
        if (command_valid) assert (write_waited || read_waited);
        // What holds inside, for the induction.
        assert (addresses == aw_full + writes_open);
        assert (datas == w_full + writes_open);
        assert (reads == ar_full + reads_open);
        assert (writes_open == writing + writing_1 + writing_2 + written_count);
        assert (reads_open == reading + reading_1 + reading_2 + reads_count);
        assert (writes_open <= 8 && reads_open <= 8);
        assert (written_count[2:0] == written_write - written_read);
        assert (reads_count[2:0] == reads_write - reads_read);
        assert (s_axi_bvalid == (written_count != 0));
        assert (s_axi_rvalid == (reads_count != 0));
        if (command_valid) assert (read_next == command_write);
        // Not vacuous.
        cover (was_full && writes_open == 0 && reads_open == 0);
        cover (both && s_axi_bvalid && s_axi_rvalid && s_axi_rresp == 2);
        cover (datas == 9 && addresses == 8 && reads == 9);
    end
endmodule
