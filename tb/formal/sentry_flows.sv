// SentryFlows: at most one event of a flow is under way, and its step begins with the state that the one before it, or the entry, has left.
//
// What the parts answer does not matter here: what a step says is `sentry_step`'s proof, what the bits say that of `sentry_bits`.
module proof (
    input clk, input rst, input event_valid, input event_flow, input [2:0] event_kind, input [23:0] event_psn, input [23:0] event_span,
    input event_congested, input [23:0] event_msn, input [23:0] event_gap_start, input [23:0] event_gap_length, input open_valid,
    input open_flow, input open_aware, input open_set, input [23:0] open_psn, input [31:0] tick
);
    localparam W = 374;
    wire ready, event_ready, open_ready, done, done_flow, valid_0, valid_1, valid_2, valid_3, valid_4, flow_0, flow_1, flow_2, flow_3;
    wire step_done, states_ready, next_word;
    wire [W-1:0] states_read_data, states_write_data, word_0, word_1;
    sentry_flows dut (
        .clk(clk), .rst(rst), .ready(ready), .event_valid(event_valid), .event_ready(event_ready), .event_flow(event_flow),
        .event_kind(event_kind), .event_psn(event_psn), .event_span(event_span), .event_congested(event_congested),
        .event_msn(event_msn), .event_gap_start(event_gap_start), .event_gap_length(event_gap_length), .open_valid(open_valid),
        .open_ready(open_ready), .open_flow(open_flow), .open_aware(open_aware), .open_set(open_set), .open_psn(open_psn), .tick(tick),
        .done(done), .done_flow(done_flow), .valid_0(valid_0), .valid_1(valid_1), .valid_2(valid_2), .valid_3(valid_3),
        .valid_4(valid_4), .flow_0(flow_0), .flow_1(flow_1), .flow_2(flow_2), .flow_3(flow_3), .states_ready(states_ready),
        .states_read_data(states_read_data), .states_write_data(states_write_data), .\states.next_word (next_word),
        .\step.s_valid_0 (step_0), .\step.s_valid_1 (step_1), .\step.s_valid_2 (step_2),
        .\states.ram.words[0] (word_0), .\states.ram.words[1] (word_1)
    );
    wire step_0, step_1, step_2;

    // Any one flow; what its state is, and whether its next step has a state to begin with.
    (* anyconst *) wire of;
    reg [W-1:0] expected = 0;
    reg past = 0, stepped = 0;
    wire [W-1:0] word = of ? word_1 : word_0;
    wire mine_0 = valid_0 && flow_0 == of, mine_1 = valid_1 && flow_1 == of, mine_2 = valid_2 && flow_2 == of;
    wire mine_3 = valid_3 && flow_3 == of, mine_4 = valid_4 && done_flow == of;

    initial assume (rst);

    always @(posedge clk) begin
        past <= 1;
        if (rst) expected <= 0;
        else if (open_ready && open_flow == of) expected <= states_write_data;
        else if (done && done_flow == of) expected <= states_write_data;
        stepped <= !rst && (stepped || (done && done_flow == of));
    end

    always @* if (past) begin
        assert (mine_0 + mine_1 + mine_2 + mine_3 + mine_4 <= 1);
        if (mine_0) assert (states_read_data == expected);
        if (!rst && open_ready) assert (open_valid && ready && !valid_0 && !valid_1 && !valid_2 && !valid_3 && !valid_4);
        if (event_ready) assert (event_valid && !open_ready);
        assert (done == valid_4);
        // What holds inside, for the induction.
        assert (valid_1 == step_0 && valid_2 == step_1 && valid_3 == step_2);
        if (!states_ready) assert (!valid_0 && !valid_1 && !valid_2 && !valid_3 && !valid_4 && expected == 0);
        if (states_ready || of < next_word) assert (word == expected);
        // Not vacuous.
        cover (mine_0 && stepped && valid_2);
        cover (done && event_ready && event_flow != done_flow);
    end
endmodule
