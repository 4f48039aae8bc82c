// FrameParser: AXI4-Stream's rules at its outputs, whatever comes in. A beat of payload, or a header, that is offered stays as it is until it is
// taken. The cover is given one good frame: a start packet with 8 bytes of payload.
module proof (
    input clk, input rst, input in_valid, input [63:0] in_data, input [7:0] in_keep, input in_last, input in_crc_ok, input payload_ready,
    input header_ready, input cfg_qp_write, input [1:0] cfg_qp_index, input [23:0] cfg_qp_number, input cfg_qp_valid
);
    wire in_ready;
    wire payload_valid, payload_last, payload_drop;
    wire [63:0] payload_data;
    wire [7:0] payload_keep;
    wire header_valid, header_registry, header_imm_valid, header_solicited, header_migration, header_fecn, header_becn, header_ack_request;
    wire [1:0] header_kind, header_pad;
    wire [7:0] header_flags, header_opcode, header_traffic_class;
    wire [23:0] header_op;
    wire [15:0] header_src, header_bytes, header_count, header_partition_key;
    wire [63:0] header_addr;
    wire [31:0] header_op_bytes, header_rkey, header_imm;
    wire [5:0] header_reserved6;
    wire [6:0] header_reserved7;
    wire [23:0] header_dest_qp, header_psn;
    wire [223:0] header_body;
    wire [95:0] header_wqe, header_lr2;
    wire [127:0] header_ceth;
    wire [3:0] p_write, p_read, h_write, h_read;
    wire [4:0] p_held, h_held;
    wire p_filled, h_filled;
    frame_parser dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data), .in_keep(in_keep), .in_last(in_last),
        .in_crc_ok(in_crc_ok), .payload_valid(payload_valid), .payload_ready(payload_ready), .payload_data(payload_data),
        .payload_keep(payload_keep), .payload_last(payload_last), .payload_drop(payload_drop), .header_valid(header_valid),
        .header_ready(header_ready), .header_registry(header_registry), .header_kind(header_kind), .header_flags(header_flags),
        .header_src(header_src), .header_op(header_op), .header_addr(header_addr), .header_bytes(header_bytes),
        .header_op_bytes(header_op_bytes), .header_count(header_count), .header_rkey(header_rkey), .header_imm_valid(header_imm_valid),
        .header_imm(header_imm), .header_opcode(header_opcode), .header_solicited(header_solicited), .header_migration(header_migration),
        .header_pad(header_pad), .header_partition_key(header_partition_key), .header_fecn(header_fecn), .header_becn(header_becn),
        .header_reserved6(header_reserved6), .header_dest_qp(header_dest_qp), .header_ack_request(header_ack_request),
        .header_reserved7(header_reserved7), .header_psn(header_psn), .header_traffic_class(header_traffic_class),
        .header_body(header_body), .header_wqe(header_wqe), .header_lr2(header_lr2), .header_ceth(header_ceth),
        .cfg_qp_write(cfg_qp_write), .cfg_qp_index(cfg_qp_index), .cfg_qp_number(cfg_qp_number), .cfg_qp_valid(cfg_qp_valid),
        .\payloads.write (p_write), .\payloads.read (p_read), .\payloads.count (p_held), .\payloads.out_valid (p_filled),
        .\headers.write (h_write), .\headers.read (h_read), .\headers.count (h_held), .\headers.out_valid (h_filled)
    );

    wire [73:0] payload = {payload_data, payload_keep, payload_last, payload_drop};
    wire [929:0] header = {
        header_registry, header_kind, header_flags, header_src, header_op, header_addr, header_bytes, header_op_bytes, header_count,
        header_rkey, header_imm_valid, header_imm, header_opcode, header_solicited, header_migration, header_pad, header_partition_key,
        header_fecn, header_becn, header_reserved6, header_dest_qp, header_ack_request, header_reserved7, header_psn,
        header_traffic_class, header_body, header_wqe, header_lr2, header_ceth
    };
    reg past = 0, payload_stalled = 0, header_stalled = 0;
    reg [73:0] payload_before;
    reg [929:0] header_before;
    reg [3:0] beat = 0;
    reg payload_seen = 0, header_seen = 0;

    always @(posedge clk) begin
        past <= 1;
        payload_stalled <= !rst && payload_valid && !payload_ready;
        header_stalled <= !rst && header_valid && !header_ready;
        payload_before <= payload;
        header_before <= header;
        if (in_valid && in_ready) beat <= beat + 1;
        if (payload_stalled && payload_valid && payload_ready) payload_seen <= 1;
        if (header_stalled && header_valid && header_ready) header_seen <= 1;
    end

    initial assume (rst);

`ifdef GOOD_FRAME
    reg [63:0] frame;
    always @* case (beat)
        0: frame = 64'h0002020000000002;
        1: frame = 64'h0045000801000000;
        2: frame = 64'h1140004000004c00;
        3: frame = 64'h000a0100000a9f26;
        4: frame = 64'h3800b71200c00200;
        5: frame = 64'h0000ffff000a0000;
        6: frame = 64'h0000010000800700;
        7: frame = 64'h0000001000000000;
        8: frame = 64'h0001080000003412;
        9: frame = 64'h0201020001000101;
        10: frame = 64'h0000080706050403;
        default: frame = 0;
    endcase
    always @* begin
        assume (rst == !past);
        assume (!cfg_qp_write && in_crc_ok && in_valid == (beat <= 11) && in_last == (beat == 11));
        assume (in_data == frame && in_keep == (in_last ? 8'h03 : 8'hff));
    end
`endif

    always @* if (past) begin
        // The property.
        if (payload_stalled) assert (payload_valid && payload == payload_before);
        if (header_stalled) assert (header_valid && header == header_before);
        // What holds inside, for the induction.
        assert (p_held <= 16 && p_filled == (p_held != 0) && p_held[3:0] == (p_write - p_read));
        assert (h_held <= 16 && h_filled == (h_held != 0) && h_held[3:0] == (h_write - h_read));
        // Not vacuous.
        cover (payload_seen && header_seen && header_addr == 64'h1000);
    end
endmodule
