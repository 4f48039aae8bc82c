//! The model beside hardware: what it accepts, and what it finds wrong.

use super::*;

fn model(config: Config) -> Registry {
    Registry::new(Params::WORKED, config)
}

fn complains<T: std::fmt::Debug>(result: Result<T, Mismatch>, words: &str) {
    let text = result.unwrap_err().to_string();
    assert!(text.contains(words), "{text}");
}

/// Commits the header of `frame` and takes its write under the frame's number as tag.
fn commit(model: &mut Registry, frame: u64, header: Header) -> Commit {
    let commit = model.header(frame, frame as u32, &header, Seen::default()).unwrap();
    if let Some(write) = model.write_due() {
        model.write(frame as u16, write).unwrap();
    }
    commit
}

fn ack(op: u32, mask: u64) -> Notify {
    Notify { kind: 0xc3, src: 1, op, index: 0, status: 0, mask, packets: 0 }
}

#[test]
fn nothing_is_told_before_its_write_and_all_before_are_answered() {
    let mut model = model(config());
    commit(&mut model, 0, start(1, 0x1000, 2048));
    commit(&mut model, 1, body(1, 0x1200));
    commit(&mut model, 2, body(1, 0x1200));
    model.write_done(1, true).unwrap();
    complains(model.clone().notify(&ack(1, 1)), "nothing is due");
    model.write_done(0, true).unwrap();
    complains(model.clone().notify(&ack(1, 2)), "but due is");
    for mask in [1, 2, 2] {
        model.notify(&ack(1, mask)).unwrap();
    }
    complains(model.notify(&ack(1, 2)), "nothing is due");
    complains(model.finish(), "verdict missing");
}

#[test]
fn acknowledgements_merge_only_if_they_may() {
    let run = |config: Config| {
        let mut model = model(config);
        commit(&mut model, 0, start(1, 0x1000, 2048));
        commit(&mut model, 1, body(1, 0x1200));
        commit(&mut model, 2, body(1, 0x1200));
        commit(&mut model, 3, body(1, 0x1400));
        for tag in [0, 1, 3] {
            model.write_done(tag, true).unwrap();
        }
        model
    };
    complains(run(config()).notify(&ack(1, 3)), "but due is");
    let merging = Config { ack_wait: 5, ..config() };
    // the second acknowledgement of packet 1 may be in the first message, in the second, or alone
    for masks in [&[7][..], &[3, 4], &[3, 6], &[3, 2, 4], &[1, 6], &[1, 2, 6], &[1, 2, 2, 4], &[3, 7], &[1, 3, 3, 7], &[1, 3, 7]] {
        let mut model = run(merging);
        for &mask in masks {
            model.notify(&ack(1, mask)).unwrap();
        }
        assert!(model.told.settled(), "{masks:?}");
    }
    for masks in [&[3, 2, 2, 4][..], &[4], &[15], &[3, 1], &[1, 2, 7], &[3, 15], &[7, 7]] {
        let mut model = run(merging);
        assert!(masks.iter().any(|&mask| model.notify(&ack(1, mask)).is_err()), "{masks:?}");
    }
    let mut half = run(merging);
    half.notify(&ack(1, 3)).unwrap();
    assert!(!half.told.settled());
    complains(half.told.finish(), "message to the sender missing");
}

#[test]
fn a_completion_takes_the_place_of_acknowledgements_that_may_wait() {
    let run = |config: Config| {
        let mut model = model(config);
        commit(&mut model, 0, start(1, 0x1000, 1536));
        commit(&mut model, 1, body(1, 0x1200));
        commit(&mut model, 2, body(1, 0x1400));
        for tag in 0..3 {
            model.write_done(tag, true).unwrap();
        }
        model
    };
    let end = Notify { kind: 0xc1, status: 0, mask: 0, packets: 3, ..ack(1, 0) };
    complains(run(config()).notify(&end), "but due is");
    let merging = Config { ack_wait: 5, ..config() };
    for masks in [&[][..], &[1], &[3], &[1, 2]] {
        let mut model = run(merging);
        masks.iter().for_each(|&mask| model.notify(&ack(1, mask)).unwrap());
        model.notify(&end).unwrap();
        assert_eq!(model.notify_due(), None, "{masks:?}");
    }
    // Not those of another operation, and not with a status.
    let mut other = run(merging);
    complains(other.notify(&Notify { op: 2, ..end }), "but due is");
    complains(other.notify(&Notify { status: 13, ..end }), "but due is");
}

#[test]
fn a_failed_write_is_not_acknowledged_and_turns_the_end() {
    let mut model = model(config());
    commit(&mut model, 0, start(1, 0x1000, 1536));
    commit(&mut model, 1, body(1, 0x1200));
    commit(&mut model, 2, body(1, 0x1400));
    for (tag, ok) in [(2, true), (1, false), (0, true)] {
        model.write_done(tag, ok).unwrap();
    }
    model.notify(&ack(1, 1)).unwrap();
    model.notify(&Notify { kind: 0xc1, status: 13, mask: 0, packets: 3, ..ack(1, 0) }).unwrap();
    assert_eq!(model.complete_due().map(|complete| complete.status), Some(13));
    assert_eq!(model.done_status(1, 1), Some(Status::Done));
    complains(model.rewrite(1, 2), "not due");
    assert_eq!(model.rewrite(1, 1).unwrap().events, [Event::WriteError]);
    assert_eq!(model.done_status(1, 1), Some(Status::WriteError));
    complains(model.rewrite(1, 1), "not due");
}

#[test]
fn a_failed_write_of_an_operation_that_ends_otherwise_leaves_its_status() {
    let mut model = model(config());
    commit(&mut model, 0, start(1, 0x1000, 1536));
    commit(&mut model, 1, control(Kind::Abort, 1));
    model.write_done(0, false).unwrap();
    assert_eq!(model.notify_due().map(|notify| notify.status), Some(15));
    // the mark is gone with the operation
    commit(&mut model, 2, start(0x101, 0x1000, 512));
    model.write_done(2, true).unwrap();
    model.notify(&Notify { kind: 0xc1, status: 15, mask: 0, ..ack(1, 0) }).unwrap();
    assert_eq!(model.notify_due().map(|notify| (notify.op, notify.status)), Some((0x101, 0)));
    assert_eq!(model.rewrite_due(), None);
}

#[test]
fn timers_fire_neither_early_nor_late() {
    let mut model = model(config());
    commit(&mut model, 0, start(1, 0x1000, 1024));
    commit(&mut model, 1, body(2, 0));
    let expired = Seen { expired: Some(true), ..Seen::default() };
    model.advance(980, false);
    complains(model.replay(1, 1, 2, expired), "but it waits only since");
    model.advance(20, false);
    model.clone().replay(1, 1, 2, expired).unwrap();
    model.advance(5000, false);
    complains(model.overdue(), "escape time-out of frame 1");
    model.replay(1, 1, 2, expired).unwrap();
    model.overdue().unwrap();
    complains(model.op_timeout(1, 1), "but it made progress");
    complains(model.op_timeout(1, 3), "not live");
    model.advance(4000, false);
    model.clone().op_timeout(1, 1).unwrap();
    // clocks in which a consumer held the block up excuse it
    model.advance(50_000, true);
    model.overdue().unwrap();
    model.advance(5000, false);
    complains(model.overdue(), "op time-out of src 1");
}

#[test]
fn a_wake_up_must_not_be_lost() {
    let mut model = model(Config { escape_timeout: 100_000, op_timeout: 1_000_000, ..config() });
    commit(&mut model, 0, body(1, 0x1200));
    commit(&mut model, 1, start(1, 0x1000, 1536));
    model.write_done(1, true).unwrap();
    model.advance(200, false);
    assert_eq!(model.overdue(), Ok(()).map(|()| model.notify(&ack(1, 1)).unwrap()));
    model.advance(3000, false);
    complains(model.overdue(), "replay of frame 0");
    complains(model.replay(7, 1, 1, Seen::default()), "no such packet");
    assert_eq!(model.replay(0, 1, 1, Seen::default()).unwrap().trace, Trace::Replay);
}

#[test]
fn a_repeated_completion_may_come_a_tick_early_or_late_but_no_more() {
    let mut model = model(config());
    commit(&mut model, 0, start(1, 0x1000, 512));
    model.write_done(0, true).unwrap();
    let says = |model: &Registry, renotified| {
        let seen = Seen { renotified: Some(renotified), ..Seen::default() };
        model.clone().header(1, 1, &start(1, 0x1000, 512), seen).map(|_| ())
    };
    model.advance(190, false);
    complains(says(&model, true), "too soon");
    says(&model, false).unwrap();
    model.advance(15, false);
    says(&model, true).unwrap();
    says(&model, false).unwrap();
    model.advance(15, false);
    says(&model, true).unwrap();
    complains(says(&model, false), "was not sent again");
}

#[test]
fn a_word_must_be_swept_when_there_is_time_for_it() {
    let mut model = model(config());
    commit(&mut model, 0, start(1, 0x1000, 512));
    model.write_done(0, true).unwrap();
    model.advance(50_010, false);
    model.overdue_sweep().unwrap();
    model.clone().sweep(1, 1).unwrap();
    model.advance(3 * 64 * 4096 + 1, false);
    complains(model.overdue_sweep(), "should have been swept");
}

#[test]
fn a_replayed_start_passes_an_older_one_only_on_its_way() {
    let config = Config { escape_timeout: 100_000, op_timeout: 1_000_000, ..config() };
    let mut model = Registry::new(Params { entries: 4, ..Params::WORKED }, config);
    for op in 0..4 {
        commit(&mut model, op.into(), start(op, u64::from(op) * 0x1000, 1024));
    }
    commit(&mut model, 4, start(4, 0x4000, 1024));
    commit(&mut model, 5, start(5, 0x5000, 1024));
    commit(&mut model, 6, body(0, 0x200));
    let seen = Seen { registered: Some(true), ..Seen::default() };
    assert_eq!(model.clone().replay(5, 1, 5, Seen::default()).unwrap().trace, Trace::Stays);
    assert_eq!(model.clone().replay(5, 1, 5, seen).unwrap().trace, Trace::Replay);
    model.advance(200, false);
    assert_eq!(model.replay(5, 1, 5, seen).unwrap().trace, Trace::Stays);
    assert_eq!(model.replay(4, 1, 4, seen).unwrap().trace, Trace::Replay);
}

#[test]
fn wrong_outputs_are_named() {
    let mut model = model(config());
    let header = start(1, 0x1000, 512);
    model.header(0, 4, &header, Seen::default()).unwrap();
    complains(model.clone().write(0, Write { slot: 5, addr: 0x1000, bytes: 512 }), "is due");
    model.write(0, Write { slot: 4, addr: 0x1000, bytes: 512 }).unwrap();
    complains(model.clone().write(1, Write { slot: 4, addr: 0x1000, bytes: 512 }), "no write is due");
    complains(model.clone().write_done(3, true), "not under way");
    complains(model.slot_free(4), "slot 4");
    complains(model.clone().verdict(VerdictBeat { tag: 0, verdict: Verdict::Duplicate, escaped: false }), "is due");
    model.verdict(VerdictBeat { tag: 0, verdict: Verdict::Written, escaped: false }).unwrap();
    complains(model.finish(), "before the memory answered");
    model.write_done(0, true).unwrap();
    complains(model.finish(), "message to the host missing");
    complains(model.sweep(1, 1), "written at clock 0");
    complains(model.sweep(1, 2), "there is none");
}
