// FrameParser: AXI4-Stream's rules at its outputs. A beat of payload that is offered stays until it is taken, and so does a header, whatever comes in and
// whoever waits.
module proof #(parameter W = 64) (
    input clk, input rst, input in_valid, input [W-1:0] in_data, input [W/8-1:0] in_keep, input in_last, input in_crc_ok,
    input payload_ready, input header_ready, input cfg_qp_write, input [2:0] cfg_qp_index, input [23:0] cfg_qp_number, input cfg_qp_valid
);
    wire in_ready;
    wire payload_valid;
    wire [W-1:0] payload_data;
    wire [W/8-1:0] payload_keep;
    wire payload_last;
    wire payload_drop;
    wire header_valid;
    wire header_registry;
    wire [1:0] header_kind;
    wire [7:0] header_flags;
    wire [15:0] header_src;
    wire [15:0] header_op;
    wire [63:0] header_addr;
    wire [15:0] header_bytes;
    wire [31:0] header_op_bytes;
    wire [15:0] header_count;
    wire [31:0] header_rkey;
    wire header_imm_valid;
    wire [31:0] header_imm;
    wire [7:0] header_opcode;
    wire header_solicited;
    wire header_migration;
    wire [1:0] header_pad;
    wire [15:0] header_partition_key;
    wire header_fecn;
    wire header_becn;
    wire [5:0] header_reserved6;
    wire [23:0] header_dest_qp;
    wire header_ack_request;
    wire [6:0] header_reserved7;
    wire [23:0] header_psn;
    wire [7:0] header_traffic_class;
    wire [223:0] header_body;
    wire [95:0] header_wqe;
    wire [95:0] header_lr2;
    wire [127:0] header_ceth;
    wire evt_good;
    wire evt_not_rocev2;
    wire evt_truncated;
    wire evt_bad_version;
    wire evt_bad_opcode;
    wire evt_bad_pad;
    wire evt_bad_length;
    wire evt_bad_icrc;
    wire evt_bad_extension;
    wire evt_unknown_qp;
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
        .header_reserved7(header_reserved7), .header_psn(header_psn), .header_traffic_class(header_traffic_class), .header_body(header_body),
        .header_wqe(header_wqe), .header_lr2(header_lr2), .header_ceth(header_ceth), .cfg_qp_write(cfg_qp_write),
        .cfg_qp_index(cfg_qp_index), .cfg_qp_number(cfg_qp_number), .cfg_qp_valid(cfg_qp_valid), .evt_good(evt_good),
        .evt_not_rocev2(evt_not_rocev2), .evt_truncated(evt_truncated), .evt_bad_version(evt_bad_version), .evt_bad_opcode(evt_bad_opcode),
        .evt_bad_pad(evt_bad_pad), .evt_bad_length(evt_bad_length), .evt_bad_icrc(evt_bad_icrc), .evt_bad_extension(evt_bad_extension),
        .evt_unknown_qp(evt_unknown_qp)
    );

    wire [W+W/8+1:0] payload = {payload_data, payload_keep, payload_last, payload_drop};
    wire [1023:0] header = {header_registry, header_kind, header_flags, header_src, header_op, header_addr, header_bytes, header_op_bytes, header_count, header_rkey, header_imm_valid, header_imm, header_opcode, header_solicited, header_migration, header_pad, header_partition_key, header_fecn, header_becn, header_reserved6, header_dest_qp, header_ack_request, header_reserved7, header_psn, header_traffic_class, header_body, header_wqe, header_lr2, header_ceth};
    reg past = 0, payload_stalled = 0, header_stalled = 0;
    reg [W+W/8+1:0] payload_before;
    reg [1023:0] header_before;

    always @(posedge clk) begin
        past <= 1;
        payload_stalled <= !rst && payload_valid && !payload_ready;
        payload_before <= payload;
        header_stalled <= !rst && header_valid && !header_ready;
        header_before <= header;
    end

    initial assume (rst);

    always @* if (past) begin
        if (payload_stalled) assert (payload_valid && payload == payload_before);
        if (header_stalled) assert (header_valid && header == header_before);
        cover (payload_stalled && in_valid && in_ready);
        cover (header_stalled && in_valid && in_ready);
    end
endmodule
