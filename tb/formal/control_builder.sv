// ControlBuilder: AXI4-Stream's rules at its output. A beat that is offered stays until it is taken, whatever the template and the table become; every
// beat but the last is full, the last has the low bytes and at least one.
module proof #(parameter W = 64) (
    input clk, input rst, input notify_valid, input [7:0] notify_kind, input [15:0] notify_src, input [23:0] notify_op,
    input [15:0] notify_index, input [7:0] notify_status, input [63:0] notify_mask, input [15:0] notify_packets, input out_ready,
    input [47:0] cfg_mac, input [31:0] cfg_ip4, input [127:0] cfg_ip6, input cfg_vlan_on, input [15:0] cfg_vlan,
    input [7:0] cfg_traffic_class, input [7:0] cfg_hop_limit, input [15:0] cfg_udp_source, input [15:0] cfg_partition_key,
    input cfg_node_write, input [1:0] cfg_node_index, input cfg_node_valid, input [47:0] cfg_node_mac, input cfg_node_six,
    input [127:0] cfg_node_ip, input [23:0] cfg_node_qp
);
    wire notify_ready;
    wire out_valid;
    wire [W-1:0] out_data;
    wire [W/8-1:0] out_keep;
    wire out_last;
    wire evt_frame;
    wire evt_unknown_node;
    wire [8:0] left, bytes5;
    wire more, valid5;
    control_builder dut (
        .clk(clk), .rst(rst), .notify_valid(notify_valid), .notify_ready(notify_ready), .notify_kind(notify_kind), .notify_src(notify_src),
        .notify_op(notify_op), .notify_index(notify_index), .notify_status(notify_status), .notify_mask(notify_mask),
        .notify_packets(notify_packets), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_keep(out_keep),
        .out_last(out_last), .cfg_mac(cfg_mac), .cfg_ip4(cfg_ip4), .cfg_ip6(cfg_ip6), .cfg_vlan_on(cfg_vlan_on), .cfg_vlan(cfg_vlan),
        .cfg_traffic_class(cfg_traffic_class), .cfg_hop_limit(cfg_hop_limit), .cfg_udp_source(cfg_udp_source),
        .cfg_partition_key(cfg_partition_key), .cfg_node_write(cfg_node_write), .cfg_node_index(cfg_node_index),
        .cfg_node_valid(cfg_node_valid), .cfg_node_mac(cfg_node_mac), .cfg_node_six(cfg_node_six), .cfg_node_ip(cfg_node_ip),
        .cfg_node_qp(cfg_node_qp), .evt_frame(evt_frame), .evt_unknown_node(evt_unknown_node), .left(left), .more(more),
        .bytes5(bytes5), .valid5(valid5)
    );

    wire moves = out_valid && out_ready;
    reg past = 0, stalled = 0;
    reg [W+W/8:0] before;
    reg [1:0] frames = 0;

    always @(posedge clk) begin
        past <= 1;
        stalled <= !rst && out_valid && !out_ready;
        before <= {out_data, out_keep, out_last};
        if (rst) frames <= 0;
        else if (moves && out_last) frames <= frames + 1;
    end

    initial assume (rst);

    always @* if (past) begin
        // The property.
        if (stalled) assert (out_valid && {out_data, out_keep, out_last} == before);
        if (out_valid && !out_last) assert (&out_keep);
        if (out_valid) assert (out_keep[0] && (out_keep & (out_keep + 1'b1)) == 0);
        // What holds inside, for the induction.
        if (valid5) assert (bytes5 >= 66 && bytes5 <= 94);
        if (out_valid) assert (left != 0 && left <= 98 && more == (left > W / 8));
        // Not vacuous.
        cover (frames == 2 && stalled && out_last);
    end
endmodule
