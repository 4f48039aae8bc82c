// BurstSplitter: no burst crosses a 4 KB boundary; the bursts of a write lie one behind the other, are numbered from 0, the last one says so, and together
// they are the beats that the write touches; there are three at most; what is offered stays until it is taken.
//
// `from` is where the next burst of the write under way must begin, `until` where the last one must end. Writes have at most 4096 bytes.
module proof #(parameter LB = 3, parameter BB = 8) (
    input clk, input rst, input write_valid, input write_tag, input write_slot, input [63:0] write_addr, input [15:0] write_bytes,
    input burst_ready
);
    localparam PB = 64 - LB - BB;
    // Number of the last burst at most, and beats less one of the longest.
    localparam MOST = LB + BB < 12 ? 2 : 1;
    localparam LONG = (1 << BB) - 1;
    wire write_ready, burst_valid, burst_tag, burst_slot, burst_final, idle, valid1, nothing1;
    wire [1:0] burst_index;
    wire [63:0] burst_addr, addr1;
    wire [7:0] burst_len;
    wire [LB-1:0] burst_offset;
    wire [LB:0] burst_end;
    wire [16:0] total1;
    wire [12-LB:0] left2;
    wire [BB-1:0] room2;
    wire [PB-1:0] block2;
    burst_splitter dut (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_ready(write_ready), .write_tag(write_tag), .write_slot(write_slot),
        .write_addr(write_addr), .write_bytes(write_bytes), .burst_valid(burst_valid), .burst_ready(burst_ready),
        .burst_tag(burst_tag), .burst_index(burst_index), .burst_addr(burst_addr), .burst_len(burst_len), .burst_slot(burst_slot),
        .burst_final(burst_final), .burst_offset(burst_offset), .burst_end(burst_end), .idle(idle),
        .valid1(valid1), .total1(total1), .nothing1(nothing1), .addr1(addr1), .left2(left2), .room2(room2), .block2(block2)
    );

    reg past = 0;
    // The write that waits and the one whose bursts come: first byte and bytes.
    reg [63:0] address_1, address_2, from;
    reg [15:0] bytes_1, bytes_2;
    reg [1:0] index = 0;
    reg stalled = 0;
    reg [63:0] address_before;
    reg [7:0] length_before;
    reg final_before;
    wire take = write_valid && write_ready;
    wire go = burst_valid && burst_ready;
    wire load = !burst_valid || (go && burst_final);
    wire [63:0] beat = 64'd1 << LB;
    wire [63:0] end_2 = address_2 + (bytes_2 == 0 ? 1 : bytes_2);
    wire [63:0] until_ = (end_2 + beat - 1) & ~(beat - 1);
    wire [63:0] last_byte = burst_addr + ((burst_len + 64'd1) << LB) - 1;

    always @(posedge clk) begin
        past <= 1;
        stalled <= burst_valid && !burst_ready && !rst;
        address_before <= burst_addr;
        length_before <= burst_len;
        final_before <= burst_final;
        if (take) begin
            address_1 <= write_addr;
            bytes_1 <= write_bytes;
        end
        if (load) begin
            address_2 <= address_1;
            bytes_2 <= bytes_1;
            from <= address_1 & ~(beat - 1);
            index <= 0;
        end else if (go) begin
            from <= last_byte + 1;
            index <= index + 1'b1;
        end
    end

    initial assume (rst);
    always @* assume (write_bytes <= 4096);

    always @* if (past) begin
        // The property.
        if (burst_valid) begin
            assert (burst_addr[63:12] == last_byte[63:12]);
            assert (burst_addr == from && burst_index == index && burst_index != 3);
            assert (burst_final == (last_byte + 64'd1 == until_));
            if (burst_index == 2) assert (burst_final);
            assert (burst_offset == address_2[LB-1:0]);
            assert (bytes_2 == 0 || (burst_end != 0 && burst_end[LB-1:0] == end_2[LB-1:0]));
            assert (bytes_2 != 0 || burst_end == burst_offset);
        end
        if (stalled) assert (burst_valid && burst_addr == address_before && burst_len == length_before && burst_final == final_before);
        // What holds inside, for the induction.
        if (valid1) assert (addr1 == address_1 && bytes_1 <= 4096 && total1 == bytes_1 + addr1[LB-1:0] && nothing1 == (bytes_1 == 0));
        if (burst_valid) begin
            assert (bytes_2 <= 4096);
            assert ((left2 + 64'd1) << LB == until_ - from);
            assert ({block2, ~room2, {LB{1'b0}}} == from);
            if (index != 0) assert (room2 == {BB{1'b1}});
            if (index == 2) assert (left2 <= (1 << BB) - 1);
            if (index == 0) assert (left2 <= 64'd4096 >> LB);
            if (index == 1) assert (left2 <= (64'd4096 >> LB) - 1);
        end
        // Not vacuous.
        cover (go && burst_final && burst_index == MOST);
        cover (go && burst_final && burst_len == LONG && burst_index == 0);
        cover (go && burst_final && bytes_2 == 0 && stalled);
        cover (go && burst_final && burst_index == 1 && bytes_2 == 2);
    end
endmodule
