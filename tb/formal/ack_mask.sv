// AckMask: an op ends at most once, and none that is not live; allocated = completed + failed + live. An acknowledgement of another generation,
// of an op that has ended or of no packet that was sent is stale, and changes nothing. An op ends with status 0 by acknowledgements exactly when the last of its packets is
// acknowledged, however close behind each other they come.
//
// The solver picks one of two indices. `acked` are the packets of its op, as if acknowledgements were taken one at a time in stage 7; a new op begins
// some time after the end of the one before. Records are read two clocks before stage 6, so the phase is that of then.
module proof (
    input clk, input rst, input s5_index, input s5_word, input s6_valid, input [1:0] s6_what, input [2:0] s6_op, input [7:0] s6_status,
    input s6_current, input s6_kind, input s6_command, input [3:0] s6_bits, input s6_all_sent, input begins, input [3:0] begins_count,
    input other_phase, input [3:0] other_outside, input [1:0] other_unneeded
);
    (* anyconst *) wire watch;
    reg past = 0, cleared = 0, at = 0;
    reg [2:0] since_clear = 0;
    reg alive = 0, phase = 0;
    reg [1:0] phases = 0;
    reg [3:0] count = 1;
    reg [7:0] acked = 0;
    reg word_before = 0, index_before = 0;
    reg [7:0] allocated = 0, completed = 0, failed = 0;

    wire [7:0] inside = ~(8'hff << count);
    wire ours6 = s6_op[0] == watch;
    wire s6_phase = ours6 ? phases[1] : other_phase;
    wire [3:0] s6_outside = ours6 ? ~inside[4*word_before +: 4] : other_outside;
    wire [1:0] s6_unneeded = ours6 ? {count <= 4, 1'b0} : other_unneeded;
    wire end_valid, nack_valid, ack, duplicate, nack, stale, failure, write8, index8;
    wire [13:0] end_data;
    wire [4:0] state7, state8, state9, state_0, state_1;
    wire [3:0] seen7, mask8, mask9, mask_0, mask_1, mask_2, mask_3;
    wire word8;
    ack_mask dut (
        .clk(clk), .rst(rst), .clear(!cleared), .clear_index(at), .s5_index(s5_index), .s5_word(s5_word),
        .s6_valid(s6_valid), .s6_what(s6_what), .s6_op(s6_op), .s6_word(word_before), .s6_status(s6_status), .s6_current(s6_current),
        .s6_phase(s6_phase), .s6_kind(s6_kind), .s6_command(s6_command), .s6_bits(s6_bits), .s6_outside(s6_outside),
        .s6_unneeded(s6_unneeded), .s6_all_sent(s6_all_sent), .scan_address(2'd0), .retry_address(2'd0),
        .end_valid(end_valid), .end_data(end_data), .nack_valid(nack_valid), .nack_word(word8),
        .evt_acks(ack), .evt_duplicate_acks(duplicate), .evt_nacks(nack), .evt_stale_acks(stale), .evt_failures(failure),
        .write8(write8), .index8(index8), .state8(state8), .mask8(mask8),
        .state7(state7), .seen7(seen7), .state9(state9), .mask9(mask9),
        .\states.words[0] (state_0), .\states.words[1] (state_1),
        .\masks.words[0] (mask_0), .\masks.words[1] (mask_1), .\masks.words[2] (mask_2), .\masks.words[3] (mask_3)
    );

    // Stage 7 and 8, as the properties see them.
    reg valid7 = 0, ours7, current7, phase7, word7, all_sent7;
    reg [1:0] what7;
    reg [7:0] status7;
    reg [3:0] bits7;
    reg valid8 = 0, ours8 = 0, live8 = 0, named8, all_sent8;
    reg phase8, word9, phase9, valid9 = 0, ours9 = 0;
    reg [7:0] acked_before8 = 0;
    reg [1:0] what8;
    reg [7:0] status8, new8;
    wire ends8 = end_valid && end_data[0] == watch;
    wire live7 = valid7 && ours7 && current7 && phase7 == phase && alive && !ends8;
    wire [7:0] named7 = word7 ? {bits7, 4'd0} : {4'd0, bits7};
    wire positive7 = live7 && what7 == 0 && status7 == 0 && bits7 != 0;
    wire starts = begins && !alive && cleared && !rst;

    always @(posedge clk) begin
        past <= 1;
        cleared <= !rst && (cleared || at);
        at <= !rst && !at;
        since_clear <= rst || !cleared ? 0 : since_clear + (since_clear != 7);
        index_before <= s5_index;
        word_before <= s5_word;
        phases <= rst ? 0 : {phases[0], phase};
        valid7 <= s6_valid && !rst;
        {ours7, current7, phase7, word7, all_sent7, what7, status7, bits7} <=
            {ours6, s6_current, s6_phase, word_before, s6_all_sent, s6_what, s6_status, s6_bits};
        valid8 <= valid7 && !rst;
        live8 <= live7 && !rst;
        {ours8, named8, all_sent8, what8, status8, new8} <= {ours7, bits7 != 0, all_sent7, what7, status7, named7 & ~acked};
        {phase8, word9, phase9, ours9} <= {phase7, word8, phase8, ours8};
        valid9 <= valid8 && !rst;
        acked_before8 <= starts ? 0 : acked;
        acked <= starts ? 0 : positive7 ? acked | named7 : acked;
        if (starts) begin
            phase <= !phase;
            count <= begins_count;
        end
        alive <= !rst && (starts || (alive && !ends8));
        allocated <= rst ? 0 : allocated + starts;
        completed <= rst ? 0 : completed + (ends8 && !failure);
        failed <= rst ? 0 : failed + (ends8 && failure);
        if (rst) phase <= 0;
    end

    initial assume (rst);
    always @* begin
        assume (begins_count >= 1 && begins_count <= 8);
        assume (s6_op[0] == index_before);
        // Nothing comes before all states are clear, nor right after it.
        if (since_clear < 4) assume (!s6_valid);
        // Packets that were sent are packets of the op.
        if (s6_what == 0 && ours6) assume ((s6_bits & s6_outside) == 0);
        // A remote completion names packet 0, if it was sent.
        if (s6_what == 1) assume (s6_bits <= 1 && !word_before && (!s6_all_sent || s6_bits == 1));
        if (s6_what == 3) assume (s6_status != 0);
        if (s6_what == 2) assume (s6_status == 32);
    end

    wire [4:0] stored = watch ? state_1 : state_0;
    wire [4:0] state = write8 && index8 == watch ? state8 : watch ? state_1 : state_0;
    wire [3:0] low = write8 && index8 == watch && !word8 ? mask8 : watch ? mask_2 : mask_0;
    wire [3:0] high = write8 && index8 == watch && word8 ? mask8 : watch ? mask_3 : mask_1;
    wire lives = alive && !ends8;
    always @* if (past) begin
        // At most one end of each op.
        if (ends8) assert (alive && live8);
        assert (allocated == completed + failed + alive);
        if (end_valid) assert (failure == (end_data[12:5] != 0));
        if (failure) assert (end_valid);
        // A stale one changes nothing, and what is not of a live op is stale.
        if (stale) assert (!write8 && !end_valid && !nack_valid);
        if (write8 && index8 == watch) assert (live8);
        if (valid8 && ours8 && !what8[1] && !(live8 && named8)) assert (stale || (live8 && what8 == 1 && status8 == 0 && all_sent8));
        // Every acknowledgement is counted as one of four.
        assert (ack + duplicate + nack + stale == (valid8 && !what8[1]));
        if (ours8 && live8 && what8 == 0 && status8 == 0 && named8) assert (ack == (new8 != 0) && duplicate == (new8 == 0));
        // The end by acknowledgements: exactly with the last packet.
        if (ours8 && live8 && what8 == 0) assert (end_valid == (status8 == 0 && named8 && (acked & inside) == inside));
        if (ours8 && live8 && what8 == 1 && status8 == 0) assert (end_valid == all_sent8);
        if (ours8 && live8 && what8 == 2) assert (end_valid == (new8 != 0));
        if (ours8 && live8 && what8 == 3) assert (end_valid);
        // What holds inside, for the induction.
        if (cleared) begin
            // What passes carries what is true: forwarding alone may keep it for long.
            if (valid7 && ours7) assert (state7 == state);
            if (valid8 && ours8 && !write8) assert (state8 == stored);
            if (valid9 && ours9) assert (state9 == stored);
            if (valid7 && ours7 && lives && phase7 == phase) assert (seen7 == acked[4*word7 +: 4]);
            if (valid8 && ours8 && lives && phase8 == phase) assert (mask8 == acked[4*word8 +: 4]);
            if (valid9 && ours9 && lives && phase9 == phase) assert (mask9 == acked_before8[4*word9 +: 4]);
            assert (lives == (phase != state[0]));
            if (!lives) assert (state[4:1] == 0);
            if (lives) begin
                assert ((acked & ~inside) == 0);
                assert (state[1] ? low == acked[3:0] : acked[3:0] == 0);
                assert (state[2] ? high == acked[7:4] : acked[7:4] == 0);
                assert (state[3] == (state[1] && (acked[3:0] | ~inside[3:0]) == 4'hf));
                assert (state[4] == (state[2] && (acked[7:4] | ~inside[7:4]) == 4'hf));
                assert ((acked & inside) != inside);
            end
        end else begin
            assert (!alive && !valid7 && !valid8 && !write8 && phase == 0);
            if (at) assert (state_0 == 0);
        end
        assert (count >= 1 && count <= 8);
        if (since_clear == 0 && !cleared) assert (!alive);
        // Not vacuous.
        cover (completed == 1 && failed == 1 && alive && acked == 8'h81);
        cover (ends8 && what8 == 0 && count == 8 && new8 == 8'h80);
        cover (stale && ours8 && phase && completed == 1 && !alive);
        cover (ends8 && what8 == 2);
        cover (duplicate && ours8 && acked == 8'h10);
    end
endmodule
