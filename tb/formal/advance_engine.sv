// AdvanceEngine: a base moves only over packets that have arrived: the bit of every packet between the base that a pass began with and the one that it writes
// was read in this pass, and said so. The base never goes back. Words and bases that are read may be anything.
//
// The solver picks one packet; `seen` is what its bit said when its segment was read. A pass is taken to end within 2^20 segments, as any window does.
module proof (
    input clk, input rst, input request_valid, input request_qp, input direct, input direct_qp, input [23:0] direct_base, input cancel, input cancel_qp,
    input [23:0] base_first, input [23:0] base_second, input base_second_counts, input [3:0] word
);
    (* anyconst *) wire [23:0] packet;
    wire [21:0] segment = packet[23:2];
    wire [1:0] place = packet[1:0];
    wire busy, write, moved, missing, base_needed, is_direct, in_segment;
    wire [3:0] step, open_;
    wire [1:0] settle, position, position_reg;
    wire [23:0] base, write_base;
    wire [21:0] reading, found;
    wire [1:0] segment_address;
    advance_engine dut (
        .clk(clk), .rst(rst), .request_valid(request_valid), .request_qp(request_qp), .direct(direct), .direct_qp(direct_qp), .direct_base(direct_base),
        .cancel(cancel), .cancel_qp(cancel_qp), .base_first(base_first), .base_second(base_second), .base_second_counts(base_second_counts),
        .segment(segment_address), .word(word), .base_needed(base_needed), .is_direct(is_direct), .write(write), .write_base(write_base), .moved(moved),
        .busy(busy), .step(step), .settle(settle), .base(base), .reading(reading), .found(found), .position(position_reg),
        .in_segment(in_segment), .\run.open_ (open_), .\run.missing (missing), .\run.position (position)
    );

    reg past = 0;
    reg [21:0] reading1 = 0, reading2 = 0;
    reg seen = 0;
    // The base that is read, one clock and two clocks later.
    reg [23:0] told1 = 0, told2 = 0;
    reg [3:0] step1 = 0;
    wire [21:0] first = base[23:2];
    wire [1:0] offset = base[1:0];
    wire [21:0] away = segment - first, run = found - first;
    // Not before the base.
    wire after = away != 0 || place >= offset;
    wire passed = after && (away < run || (away == run && place < position_reg));
    wire scans = busy && step == 8 && settle == 0;

    always @(posedge clk) begin
        past <= 1;
        if (!past) assume (rst); else assume (!rst);
        if (busy && step == 8) assume (run < 22'h100000);
        reading1 <= reading;
        reading2 <= reading1;
        told1 <= base_second_counts ? base_second : base_first;
        told2 <= told1;
        step1 <= step;
        if (busy && step >= 6 && settle == 0 && reading2 == segment) seen <= word[place] == segment[1];
        if (past && !rst) begin
            // What is promised.
            if (write && passed && away < 22'h200000) assert (seen);
            if (write) assert (run != 0 || position_reg >= offset);
            if (write) assert (write_base == {found, position_reg});
            if (moved) assert (write && write_base != base);
            // The base that came along is compared with that of its own queue pair.
            if (busy && step == 4 && is_direct) assert (base_needed);
            if (busy && step == 8 && step1 == 7 && is_direct) assert (told2 == base);
            // For the induction: which segment is where.
            assert (step <= 8);
            assert (settle != 3);
            if (busy && settle != 0) assert (step == 8 && in_segment == (run == 0));
            if (!busy) assert (settle == 0);
            if (busy && step == 4) assert (reading == first);
            if (busy && step == 5) assert (reading1 == first && reading == first + 22'd1);
            if (busy && step == 6) assert (reading2 == first && reading1 == first + 22'd1 && reading == first + 22'd2);
            if (busy && step == 7) assert (reading2 == first + 22'd1 && reading1 == first + 22'd2 && reading == first + 22'd3);
            if (scans) assert (reading2 == found + 22'd2 && reading1 == found + 22'd3 && reading == found + 22'd4);
            if (busy && step == 7 && away == 0) assert (open_[place] == (!seen && place >= offset));
            if (busy && step == 7 && place < offset) assert (!open_[place]);
            if (scans) begin
                if (segment == found + 22'd1) assert (open_[place] == !seen);
                if (after && away < run && away < 22'h200000) assert (seen);
                if (after && away == run && !seen) assert (missing && position <= place);
                if (run == 0 && missing) assert (position >= offset);
            end
            if (busy && settle == 1) begin
                if (passed && away < 22'h200000) assert (seen);
                if (run == 0) assert (position_reg >= offset);
            end
        end
        cover (moved && run == 3 && passed && away == 2);
        cover (write && !moved && settle == 1);
        cover (moved && run == 0 && offset == 1 && position_reg == 3);
    end
endmodule
