// CommitLogic with FollowUp and VerdictCode: the answer to every combination of facts is that of the checks one after the other; a
// stale packet changes nothing but the tick of its own done word; every packet has one verdict or waits, and its payload is written, given
// back, or stays with it.
//
// FollowUp and VerdictCode read what CommitLogic said from registers, one clock later, as `receive_registry` connects them. None of
// the three has a state, so they stand here without that clock: everything is of one packet.
//
// What the tables around it never say together is left out (`assume`): `registry_pipeline` proves it of `live`, `other_live` and
// `live_behind`, and the rest is how `receive_registry` decodes the kind of a packet and compares its done word.
module proof (
    input body, input start, input arrival, input aborts, input unknown_source, input timeout, input sweep, input rewrite, input payload,
    input replay, input expired, input single, input [4:0] check, input misaligned, input live, input in_range, input length_ok,
    input same_start, input duplicate, input last, input fresh, input other_live, input live_behind, input done_known, input done_equal,
    input [4:0] done_status, input renotify_due, input done_old, input overlap, input full, input at_quota, input full_waiter,
    input source_waiter, input escape_full, input at_escape_quota
);
    wire verdict_final, duplicate_packet, off_grid, off_length, bad_start, conflict, overlapping, dropped, write, slot_free, register;
    wire accept, release_, supersede, waits, waits_full, done_write, done_write_valid, done_notified_only, done_superseded, tell_ack;
    wire tell_final, tell_host, row_ended, from_row, wake, completed, stale, timed_out, aborted, arrived, swept, write_error;
    wire [2:0] verdict;
    wire [7:0] reason;
    wire [4:0] status;
    wire known_packet = body || start || arrival || aborts;
    commit_logic dut (
        .body_(body), .start(start), .arrival(arrival), .aborts(aborts), .packet(known_packet), .unknown_source(unknown_source),
        .timeout(timeout), .sweep(sweep), .rewrite(rewrite), .payload(payload), .replay(replay), .expired(expired), .single(single),
        .bad(|check), .misaligned(misaligned), .live(live), .in_range(in_range), .length_ok(length_ok), .same_start(same_start),
        .duplicate(duplicate), .last(last), .fresh(fresh), .other_live(other_live), .live_behind(live_behind), .done_known(done_known),
        .done_equal(done_equal), .renotify_due(renotify_due), .done_old(done_old), .overlap(overlap), .full(full), .at_quota(at_quota),
        .full_waiter(full_waiter), .source_waiter(source_waiter), .escape_full(escape_full), .at_escape_quota(at_escape_quota),
        .duplicate_packet(duplicate_packet), .off_grid(off_grid), .off_length(off_length),
        .bad_start(bad_start), .conflict(conflict), .overlapping(overlapping), .dropped(dropped), .write(write),
        .register_(register), .accept(accept), .release_(release_), .supersede(supersede), .waits(waits), .waits_full(waits_full),
        .done_write(done_write), .done_write_valid(done_write_valid), .done_notified_only(done_notified_only),
        .done_superseded(done_superseded), .completed(completed),
        .stale(stale), .timed_out(timed_out), .aborted(aborted), .arrived(arrived), .swept(swept), .write_error(write_error)
    );
    wire packet = known_packet || unknown_source;
    follow_up follow (
        .packet(packet), .payload(payload), .waits(waits), .write(write), .duplicate_packet(duplicate_packet), .off_grid(off_grid),
        .off_length(off_length), .bad_start(bad_start), .conflict(conflict), .overlapping(overlapping), .register_(register),
        .accept(accept), .release_(release_), .completed(completed), .arrived(arrived), .aborted(aborted), .timed_out(timed_out),
        .renotify(done_notified_only), .write_error(write_error), .verdict_final(verdict_final), .slot_free(slot_free),
        .tell_ack(tell_ack), .tell_final(tell_final), .tell_host(tell_host), .row_ended(row_ended), .from_row(from_row), .wake(wake)
    );
    verdict_code code_of (
        .duplicate(duplicate_packet), .stale(stale), .renotify(done_notified_only), .done_status(done_status),
        .unknown_source(unknown_source), .misaligned_offset(off_grid), .wrong_length(off_length), .bad_start(bad_start), .check(check),
        .conflict(conflict), .overlap(overlapping), .dropped(dropped), .expired(replay), .quota(at_escape_quota), .timed_out(timed_out),
        .write_error(write_error), .aborted(aborted), .verdict(verdict), .reason(reason), .status(status)
    );

    always @* begin
        assume ($onehot0({body, start, arrival, aborts, unknown_source, timeout, sweep, rewrite}));
        assume (!(live && other_live));
        if (body || start) assume (payload);
        if (arrival || aborts) assume (!payload);
        if (done_equal) assume (done_known);
        if (renotify_due) assume (done_equal);
    end

    // The checks, first failing first.
    localparam WRITTEN = 0, DUPLICATE = 1, STALE = 2, REJECTED = 3, DROPPED = 4, WAITS = 5, NONE = 6;
    reg [2:0] answer;
    reg [7:0] why;
    reg registers, accepts, releases, waits_for_entry, ack, told_final, host, done;
    reg [4:0] code;
    wire old = done_known || live_behind;
    wire no_entry = full || (!replay && full_waiter);
    wire blocked = !other_live && (no_entry || at_quota || (!replay && source_waiter));
    always @* begin
        answer = NONE;
        why = 0;
        {registers, accepts, releases, waits_for_entry, ack, told_final, host, done} = 0;
        code = 0;
        if (timeout) begin
            if (live && !fresh) begin
                {releases, told_final, host, done} = 4'b1111;
                code = 14;
            end
        end else if (sweep) done = done_old;
        else if (rewrite) begin
            if (done_equal) begin
                done = 1;
                code = 13;
            end
        end else if (unknown_source) begin
            answer = REJECTED;
            why = 10;
        end else if (packet && !live && old) begin
            answer = STALE;
            if (renotify_due) begin
                {told_final, done} = 2'b11;
                code = done_status;
            end
        end else if (body) begin
            if (!live || !in_range) answer = WAITS;
            else if (misaligned || !length_ok) begin
                answer = REJECTED;
                code = misaligned ? 5'd8 : 5'd9;
                ack = 1;
            end else if (duplicate) begin
                answer = DUPLICATE;
                ack = 1;
            end else begin
                answer = WRITTEN;
                accepts = 1;
                {told_final, host, done} = {3{last}};
                ack = !last;
            end
        end else if (start) begin
            if (check != 0) begin
                answer = REJECTED;
                code = check;
                {told_final, done} = 2'b11;
            end else if (live && same_start) begin
                answer = DUPLICATE;
                ack = 1;
            end else if (live) begin
                answer = REJECTED;
                code = 11;
                told_final = 1;
            end else if (overlap) begin
                answer = REJECTED;
                code = 7;
                told_final = 1;
            end else if (single) begin
                answer = WRITTEN;
                {told_final, host, done} = 3'b111;
            end else if (blocked) begin
                answer = WAITS;
                waits_for_entry = no_entry;
            end else begin
                answer = WRITTEN;
                registers = 1;
                ack = 1;
                done = other_live;
            end
        end else if (arrival) begin
            answer = live ? REJECTED : WRITTEN;
            code = live ? 11 : 0;
            told_final = 1;
            {host, done} = {2{!live}};
        end else if (aborts) begin
            answer = WRITTEN;
            releases = live;
            host = live;
            {told_final, done} = 2'b11;
            code = 15;
        end
        if (answer == REJECTED && why == 0) why = code;
        if (answer == WAITS) begin
            if (replay ? expired : at_escape_quota || escape_full) begin
                answer = DROPPED;
                why = replay ? 32 : at_escape_quota ? 34 : 33;
            end
        end
    end
    wire told = tell_ack || tell_final || tell_host;

    always @* begin
        // The order of the checks.
        assert (verdict_final == (answer < WAITS));
        assert (waits == (answer == WAITS));
        if (verdict_final) assert (verdict == answer && reason == why);
        assert (register == registers && accept == accepts && release_ == releases);
        if (waits) assert (waits_full == waits_for_entry);
        assert (tell_ack == ack && tell_final == told_final && tell_host == host && done_write == done);
        // A start that supersedes tells of the other operation: its code is fixed where the done word is written.
        if (told || (done && done_write_valid && !done_superseded)) assert (status == code);
        assert (done_superseded == (registers && other_live));
        assert (done_write_valid == !(sweep && done_old));
        assert (supersede == (other_live && (registers || (start && answer == WRITTEN))));
        assert (completed == ((accepts && last) || (start && single && answer == WRITTEN)));
        assert (swept == (sweep && done_old) && timed_out == (timeout && releases) && write_error == (rewrite && done));
        assert (aborted == (aborts && answer == WRITTEN) && arrived == (arrival && answer == WRITTEN));

        // A stale packet changes no entry, and of its done word the tick alone.
        assert (stale == (packet && !unknown_source && !live && old));
        if (stale) assert (verdict_final && verdict == STALE && !waits && !write);
        if (stale) assert (!register && !accept && !release_ && !supersede && !completed && !tell_host && !tell_ack);
        if (stale && done_write) assert (done_notified_only && done_write_valid && !done_superseded);
        // One verdict or a place in the escape channel; who is expired leaves.
        assert ((verdict_final ^ waits) == packet && !(verdict_final && waits));
        if (replay && expired) assert (!waits);
        if (at_escape_quota || escape_full) assert (!(waits && !replay));
        // A payload is written, given back, or stays with its packet.
        if (packet) assert (write + slot_free + waits == payload);
        else assert (!write && !slot_free);
        assert (register + accept + release_ <= 1 && !(supersede && (accept || release_)));
        // Who tells of an end ends something, and none ends untold.
        if (tell_host) assert (tell_final && done_write);
        if (release_ || (accept && last)) assert (tell_host && done_write && live);
        if (register) assert (!live && !full || other_live);

        // What is told is that of an entry if the packet changed one; packets that wait are tried again when an operation is registered, or
        // is over, but not because its sender is told so once more.
        assert (row_ended == (releases || (accepts && last)) && from_row == (releases || accepts));
        assert (wake == (registers || (done && !sweep && answer != STALE)));

        // Not vacuous.
        cover (stale && live_behind && !done_equal);
        cover (stale && done_notified_only);
        cover (register && supersede);
        cover (register && replay && full_waiter && !supersede);
        cover (waits && waits_full && start && !replay);
        cover (verdict_final && verdict == DROPPED && replay);
        cover (verdict_final && verdict == DROPPED && reason == 34);
        cover (accept && completed);
        cover (release_ && timeout);
        cover (write_error);
    end
endmodule
