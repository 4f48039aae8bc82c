// RegistryRow with its MaskUnit: a bit of the mask, once set, stays until the row is given to another operation; the counter of missing
// packets is the number of bits that are not set, so the operation is complete exactly if every bit is.
//
// A row takes what the table around it says. What `registry_pipeline` proves of the table is assumed here (`assume`): a packet that is
// accepted brings one bit that is not set, the counter starts with the bits missing in the initial mask, and whoever completes the mask ends
// the operation. A packet is accepted at stage 3 and enters the mask at stage 4, one clock later, as in the table: by then the operation may
// have ended, but its row is not on the way to another one yet.
module proof (
    input clk, input rst, input take, input s2_src, input s2_index, input [1:0] s2_up, input [1:0] s2_beside, input [2:0] s2_lo,
    input [3:0] s2_count, input s1_src, input s1_index, input [1:0] s1_up, input [2:0] s1_lo, input [3:0] s1_count, input load,
    input register, input [7:0] start_mask, input [2:0] start_missing, input accept, input [7:0] arrival, input ends
);
    reg accept_4 = 0;
    reg [7:0] arrival_4;
    wire live, one_missing, two_missing, three_missing, s1_hit, r2_hit, r2_present;
    wire [7:0] mask;
    wire [2:0] q_missing, q_lo;
    wire q_src, q_index;
    registry_row dut (
        .clk(clk), .rst(rst), .take(take), .s2_src(s2_src), .s2_index(s2_index), .s2_up(s2_up), .s2_beside(s2_beside), .s2_lo(s2_lo),
        .s2_count(s2_count), .s1_src(s1_src), .s1_index(s1_index), .s1_up(s1_up), .s1_lo(s1_lo), .s1_count(s1_count), .load(load),
        .register_(register), .start_mask(start_mask), .start_missing(start_missing), .accept(accept_4),
        .arrival(arrival_4), .ends(ends), .live(live), .mask(mask), .one_missing(one_missing), .two_missing(two_missing),
        .three_missing(three_missing), .s1_hit(s1_hit),
        .r2_hit(r2_hit), .r2_present(r2_present), .q_missing(q_missing), .q_lo(q_lo), .q_src(q_src), .q_index(q_index)
    );

    function [3:0] zeros(input [7:0] word);
        zeros = !word[0] + !word[1] + !word[2] + !word[3] + !word[4] + !word[5] + !word[6] + !word[7];
    endfunction

    // Any one bit, and whether its packet has come since the operation was registered.
    (* anyconst *) wire [2:0] watch;
    reg arrived = 0;
    reg given = 0;
    reg operation = 0;
    reg earlier = 0, whole = 0;
    reg [7:0] mask_before;
    reg [2:0] lo_before;
    reg hit_before;
    reg past = 0;
    reg reset_before = 1, load_before = 0, accept_5 = 0, ends_before = 0;
    // The mask with the packet that enters it now, which the packet at stage 3 finds.
    wire [7:0] mask_3 = mask | (accept_4 ? arrival_4 : 8'd0);
    wire complete = &(mask_3 | arrival);

    initial assume (rst);
    always @* begin
        if (accept) begin
            assume (live && !register);
            assume ($onehot(arrival) && (arrival & mask_3) == 0);
            assume (ends == complete);
        end
        if (register) begin
            assume (load && start_mask[0] && zeros(start_mask) != 0);
            assume (start_missing == zeros(start_mask));
        end
        // A row that is live, or waits for its start to come to stage 3, is not given to a start.
        if (load) assume (!live && !accept_4);
        if (take) assume (!live && !load && !accept_4);
    end

    always @(posedge clk) begin
        past <= 1;
        mask_before <= mask;
        lo_before <= s1_lo - q_lo;
        hit_before <= live && s1_src == q_src && s1_index == q_index;
        reset_before <= rst;
        load_before <= load;
        accept_4 <= accept && !rst;
        arrival_4 <= arrival;
        accept_5 <= accept_4;
        ends_before <= ends;
        earlier <= !rst && (earlier || (operation && ends));
        if (rst) {operation, given, arrived} <= 0;
        else if (register) {operation, given, arrived, whole} <= {1'b1, start_mask[watch], 1'b0, start_mask == 1};
        else begin
            if (accept && arrival[watch]) arrived <= 1;
            if (ends) operation <= 0;
        end
    end

    always @* if (past) begin
        // Live from its registration to its end.
        assert (live == operation);
        // A bit is set from the start, or since its packet came, and stays.
        if (operation || accept_4) assert (mask_3[watch] == (given || arrived));
        if (!reset_before && !load_before) assert ((mask_before & ~mask) == 0);
        if (!reset_before && !load_before && !accept_5) assert (mask == mask_before);
        // The counter is the number of bits that are not set; none is missing only for who is complete, and that one is not live.
        if (operation) assert (mask_3 != 8'hff);
        if (operation || accept_4) begin
            assert (q_missing == zeros(mask) && mask != 8'hff);
            assert (one_missing == (zeros(mask) == 1) && two_missing == (zeros(mask) == 2) && three_missing == (zeros(mask) == 3));
        end
        if (accept) assert ((accept_4 ? two_missing : one_missing) == complete);
        // What stage 2 hears: whose row it is, and whether the mask had the packet's bit.
        if (!reset_before) assert (r2_hit == hit_before && r2_present == mask_before[lo_before]);
        // What the induction needs: the bit that enters is not set yet.
        if (accept_4) assert ($onehot(arrival_4) && (arrival_4 & mask) == 0);
        // Not vacuous: the whole mask one by one, in any order; an end before that; another operation behind it.
        cover (accept && complete && arrived && watch == 7 && whole);
        cover (operation && earlier && !arrived && given);
        cover (ends_before && !accept_4 && mask[watch] && arrived);
    end
endmodule
