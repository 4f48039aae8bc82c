// RegistryRow with its MaskUnit: a bit of the mask, once set, stays until the row is given to another operation; the counter of missing
// packets is the number of bits that are not set, so the operation is complete exactly if every bit is.
//
// A row takes what the table around it says. What `registry_pipeline` proves of the table is assumed here (`assume`): a packet enters the
// mask with one bit that is not set, the counter starts with the bits missing in the initial mask, and whoever completes the mask ends the
// operation.
module proof (
    input clk, input rst, input take, input s1_src, input s1_index, input [1:0] s1_up, input [1:0] s1_beside, input [2:0] s1_lo,
    input [3:0] s1_count, input load, input register, input [7:0] start_mask, input [2:0] start_missing, input accept, input [7:0] arrival, input ends
);
    wire live, one_missing, two_missing, s1_hit, r2_hit, r2_present;
    wire [7:0] mask;
    wire [2:0] q_missing, q_lo;
    wire q_src, q_index;
    registry_row dut (
        .clk(clk), .rst(rst), .take(take), .s1_src(s1_src), .s1_index(s1_index), .s1_up(s1_up), .s1_beside(s1_beside), .s1_lo(s1_lo),
        .s1_count(s1_count), .load(load), .register_(register), .start_mask(start_mask), .start_missing(start_missing), .accept(accept),
        .arrival(arrival), .ends(ends), .live(live), .mask(mask), .one_missing(one_missing), .two_missing(two_missing), .s1_hit(s1_hit),
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
    reg reset_before = 1, load_before = 0, accept_before = 0, ends_before = 0;
    wire complete = &(mask | arrival);

    initial assume (rst);
    always @* begin
        if (accept) begin
            assume (live && !register);
            assume ($onehot(arrival) && (arrival & mask) == 0);
            assume (ends == complete);
        end
        if (register) begin
            assume (load && start_mask[0] && zeros(start_mask) != 0);
            assume (start_missing == zeros(start_mask));
        end
        // A row that is live, or waits for its start to come to stage 3, is not given to a start.
        if (load) assume (!live);
        if (take) assume (!live && !load);
    end

    always @(posedge clk) begin
        past <= 1;
        mask_before <= mask;
        lo_before <= s1_lo - q_lo;
        hit_before <= live && s1_src == q_src && s1_index == q_index;
        reset_before <= rst;
        load_before <= load;
        accept_before <= accept;
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
        if (operation) assert (mask[watch] == (given || arrived));
        if (!reset_before && !load_before) assert ((mask_before & ~mask) == 0);
        if (!reset_before && !load_before && !accept_before) assert (mask == mask_before);
        // The counter is the number of bits that are not set; none is missing only for who is complete, and that one is not live.
        if (operation) assert (q_missing == zeros(mask) && mask != 8'hff);
        if (operation) assert (one_missing == (zeros(mask) == 1) && two_missing == (zeros(mask) == 2));
        if (accept) assert (one_missing == complete);
        // What stage 2 hears: whose row it is, and whether the mask had the packet's bit.
        if (!reset_before) assert (r2_hit == hit_before && r2_present == mask_before[lo_before]);
        // Not vacuous: the whole mask one by one, in any order; an end before that; another operation behind it.
        cover (accept && complete && arrived && watch == 7 && whole);
        cover (operation && earlier && !arrived && given);
        cover (ends_before && !accept_before && mask[watch] && arrived);
    end
endmodule
