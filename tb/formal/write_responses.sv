// WriteResponses: a write is done when each of its bursts has been answered, not before and not later than two clocks after, and `ok` says whether all
// were.
//
// The solver picks one tag (`tag`). Of its write are counted: bursts issued and whether they are all (`issued`, `final_`), bursts answered, errors. Responses
// come for bursts that were issued in a clock before. What happens with other tags is free.
module proof (
    input clk, input rst, input issue_valid, input [1:0] issue_tag, input [1:0] issue_index, input issue_final,
    input response_valid, input [1:0] response_tag, input [1:0] response_code
);
    (* anyconst *) wire [1:0] tag;
    wire ready, done_valid, done_ok, seen, error;
    wire [1:0] done_tag, error_tag, error_code;
    wire [2:0] clearing;
    wire [11:0] issued_words, answered_words;
    write_responses dut (
        .clk(clk), .rst(rst), .ready(ready), .issue_valid(issue_valid), .issue_tag(issue_tag), .issue_index(issue_index),
        .issue_final(issue_final), .response_valid(response_valid), .response_tag(response_tag), .response_code(response_code),
        .done_valid(done_valid), .done_tag(done_tag), .done_ok(done_ok), .seen(seen), .error(error), .error_tag(error_tag),
        .error_code(error_code), .clearing(clearing),
        .\issued.words[0] (issued_words[2:0]), .\issued.words[1] (issued_words[5:3]),
        .\issued.words[2] (issued_words[8:6]), .\issued.words[3] (issued_words[11:9]),
        .\answered.words[0] (answered_words[2:0]), .\answered.words[1] (answered_words[5:3]),
        .\answered.words[2] (answered_words[8:6]), .\answered.words[3] (answered_words[11:9])
    );

    reg past = 0;
    reg [1:0] issued = 0, answered = 0;
    reg final_ = 0, failed = 0;
    // The last response came in the clock before, in the one before that.
    reg closing = 0, closed = 0, closed_failed = 0;
    wire issue = issue_valid && issue_tag == tag;
    wire response = response_valid && response_tag == tag;
    wire bad = response_code != 0;
    wire last = response && final_ && answered + 2'd1 == issued;
    wire [2:0] issued_word = issued_words[tag*3 +: 3];
    wire [2:0] answered_word = answered_words[tag*3 +: 3];
    wire pending = seen && error_tag == tag;

    always @(posedge clk) begin
        past <= 1;
        closing <= last && !rst;
        closed <= closing && !rst;
        closed_failed <= failed;
        if (rst) begin
            issued <= 0;
            answered <= 0;
            final_ <= 0;
            failed <= 0;
        end else begin
            if (issue) begin
                issued <= issued + 1'b1;
                final_ <= issue_final;
            end
            if (response) begin
                answered <= answered + 1'b1;
                failed <= failed || bad;
            end
            if (closing) begin
                issued <= 0;
                answered <= 0;
                final_ <= 0;
                failed <= 0;
            end
        end
    end

    // Whether an error was among the responses before the last one; how many bursts the write has had, and whether it is the second.
    reg failed_before = 0, three = 0, two = 0, again = 0;
    always @(posedge clk) begin
        failed_before <= !rst && !closing && failed;
        three <= !rst && (issued == 3);
        two <= !rst && (issued == 2);
        again <= !rst && (again || closed);
    end

    initial assume (rst);

    // At most three bursts, numbered; none after the final one until the write is done; a response for each, later.
    always @* begin
        if (issue_valid) assume (ready);
        if (issue) assume (!final_ && !closing && !closed && issue_index == issued && issued != 3 && (issued != 2 || issue_final));
        if (response) assume (!closing && answered < issued);
        if (response_valid) assume (ready);
    end

    always @* if (past) begin
        // The property.
        if (done_valid && done_tag == tag) assert (closed && done_ok == !closed_failed);
        if (closed) assert (done_valid && done_tag == tag);
        assert (!ready || clearing == 4);
        if (error) assert (seen && error_code != 0);
        // What holds inside, for the induction.
        assert (clearing <= 4);
        assert (ready == (clearing == 4));
        assert (answered <= issued);
        if (final_ && answered == issued) assert (closing);
        if (closing) assert (final_ && answered == issued && issued != 0 && pending);
        if (issued != 0) assert (ready && issued_word == {issued - 2'd1, final_});
        if (!ready) assert (!seen && !done_valid && issued == 0 && !closed);
        if (pending) assert (answered != 0);
        if (final_) assert (issued != 0);
        if (ready) assert (answered_word[2:1] == answered - pending);
        if (ready) assert (answered_word[0] == failed_before);
        if (pending) assert (failed == (failed_before || error_code != 0));
        if (!pending) assert (failed == failed_before);
        if (!ready && tag < clearing) assert (answered_word == 0);
        if (answered == 0) assert (!failed);
        // Not vacuous.
        cover (closed && !closed_failed && three);
        cover (closed && closed_failed && two && again);
        cover (ready && done_valid && done_tag != tag && answered == 2);
    end
endmodule
