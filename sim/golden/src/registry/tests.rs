use super::escape::Need;
use super::*;

/// A model with its outputs taken and its writes answered at once.
struct Run {
    model: Registry,
    frame: u64,
    told: Vec<Notify>,
    host: Vec<Complete>,
}

fn config() -> Config {
    Config { prescale: 10, op_timeout: 1000, escape_timeout: 100, renotify: 20, t_life: 5000, ..Config::defaults(&Params::WORKED) }
}

fn start(op: u32, addr: u64, op_bytes: u32) -> Header {
    let count = op_bytes.div_ceil(512) as u16;
    Header { kind: Kind::Start, src: 1, op, addr, bytes: op_bytes.min(512) as u16, op_bytes, count, rkey: 0, imm: None }
}

fn body(op: u32, addr: u64) -> Header {
    Header { kind: Kind::Body, src: 1, op, addr, bytes: 512, op_bytes: 512, count: 0, rkey: 0, imm: None }
}

fn control(kind: Kind, op: u32) -> Header {
    Header { kind, src: 1, op, addr: 0x9000, bytes: 0, op_bytes: 77, count: 0, rkey: 0, imm: None }
}

impl Run {
    fn new() -> Run {
        Run::with(Params::WORKED, config())
    }

    fn with(params: Params, config: Config) -> Run {
        Run { model: Registry::new(params, config), frame: 0, told: Vec::new(), host: Vec::new() }
    }

    /// Takes everything that is due.
    fn drain(&mut self) {
        while let Some(write) = self.model.write_due() {
            self.model.write(0, write).unwrap();
            self.model.write_done(0, true).unwrap();
        }
        while let Some(complete) = self.model.complete_due().cloned() {
            self.model.complete(&complete).unwrap();
            self.host.push(complete);
        }
        while let Some(notify) = self.model.notify_due() {
            self.model.notify(&notify).unwrap();
            self.told.push(notify);
        }
        while let Some(beat) = self.model.verdict_due() {
            self.model.verdict(beat).unwrap();
        }
        while let Some(slot) = self.model.slot_due() {
            self.model.slot_free(slot).unwrap();
        }
    }

    /// The verdict of a header, `None` if it waits.
    fn header(&mut self, header: Header) -> Option<Verdict> {
        self.frame += 1;
        let commit = self.model.header(self.frame, self.frame as u32, &header, Seen::default()).unwrap();
        self.drain();
        commit.verdict.map(|beat| beat.verdict)
    }

    /// Lets `clocks` pass and everything happen that is due; verdicts of what was replayed.
    fn pass(&mut self, clocks: u64) -> Vec<(u64, Verdict)> {
        let mut verdicts = Vec::new();
        let end = self.model.now().clock + clocks;
        while let Some((at, due)) = self.model.due().filter(|&(at, _)| at <= end) {
            self.model.advance(at - self.model.now().clock, false);
            let commit = self.model.perform(due).unwrap();
            verdicts.extend(commit.verdict.map(|beat| (commit.frame, beat.verdict)));
            self.drain();
        }
        self.model.advance(end - self.model.now().clock, false);
        self.model.overdue().unwrap();
        verdicts
    }

    fn statuses(&mut self) -> Vec<(u8, u32, u8)> {
        std::mem::take(&mut self.told).iter().map(|told| (told.kind, told.op, told.status)).collect()
    }
}

fn text(mask: &BitSlice<u64>) -> String {
    mask.iter().rev().map(|bit| if *bit { '1' } else { '0' }).collect()
}

const W: Option<Verdict> = Some(Verdict::Written);
const D: Option<Verdict> = Some(Verdict::Duplicate);
const S: Option<Verdict> = Some(Verdict::Stale);
fn rejected(status: Status) -> Option<Verdict> {
    Some(Verdict::Rejected(status))
}

#[test]
fn the_worked_example_of_the_source() {
    // packets of 512 bytes, largest operation 16 KB: 32 bits; an operation of 4 KB has 8 packets
    assert_eq!(text(&initial_mask(32, 8)), "11111111111111111111111100000001");
    assert_eq!(text(&initial_mask(32, 32)), format!("{}1", "0".repeat(31)));
    assert_eq!(text(&initial_mask(32, 1)), "1".repeat(32));
    let mut run = Run::new();
    assert_eq!(run.header(start(1, 0x1000, 4096)), W);
    assert_eq!(text(run.model.mask(1, 1).unwrap()), "11111111111111111111111100000001");
    assert_eq!(run.header(body(1, 0x1000 + 7 * 512)), W);
    assert_eq!(text(run.model.mask(1, 1).unwrap()), "11111111111111111111111110000001");
}

#[test]
fn an_operation_completes_once_in_any_order() {
    let mut run = Run::new();
    assert_eq!(run.header(start(1, 0x1000, 2048)), W);
    assert_eq!(run.header(body(1, 0x1600)), W);
    assert_eq!(run.header(body(1, 0x1600)), D);
    assert_eq!(run.header(start(1, 0x1000, 2048)), D);
    assert_eq!(run.header(body(1, 0x1200)), W);
    assert_eq!(run.header(Header { imm: Some(5), ..body(1, 0x1400) }), W);
    assert_eq!(
        run.told.iter().map(|told| (told.kind, told.mask, told.packets)).collect::<Vec<_>>(),
        [(0xc3, 1, 0), (0xc3, 8, 0), (0xc3, 8, 0), (0xc3, 1, 0), (0xc3, 2, 0), (0xc1, 0, 4),]
    );
    assert_eq!(run.host.len(), 1);
    let Complete { base, bytes, packets, status, imm, ref mask, .. } = run.host[0];
    assert_eq!((base, bytes, packets, status, imm, mask.as_slice()), (0x1000, 2048, 4, 0, Some(5), &[0xffff_ffff][..]));
    assert_eq!(run.header(start(1, 0x1000, 2048)), S);
    assert_eq!(run.header(body(1, 0x1400)), S);
    assert_eq!((run.model.entries_live(), run.host.len()), (0, 1));
}

#[test]
fn a_count_of_all_mask_bits_is_legal_and_one_more_is_not() {
    let mut run = Run::new();
    assert_eq!(run.header(start(1, 0, 32 * 512)), W);
    for at in 1..32 {
        assert_eq!(run.header(body(1, at * 512)), W);
    }
    assert_eq!(run.host.len(), 1);
    assert_eq!(run.header(start(2, 0, 33 * 512)), rejected(Status::Oversize));
}

#[test]
fn one_packet_needs_no_entry_even_when_all_are_taken() {
    let mut run = Run::new();
    for op in 0..16 {
        assert_eq!(run.header(start(op, u64::from(op) * 0x1000, 1024)), W);
    }
    assert_eq!(run.header(start(16, 0x20000, 512)), W);
    assert_eq!(run.host.last().map(|host| (host.op, host.packets)), Some((16, 1)));
    assert_eq!(run.statuses().last(), Some(&(0xc1, 16, 0)));
    assert_eq!(run.header(start(16, 0x20000, 512)), S);
}

#[test]
fn every_start_check_has_its_reason_and_its_place_in_the_order() {
    let good = start(1, 0x1000, 1024);
    let at_end = u64::MAX - 511;
    let cases = [
        (Status::CountZero, Header { count: 0, op_bytes: 0, ..good }),
        (Status::BytesZero, Header { op_bytes: 0, ..good }),
        (Status::CountMismatch, Header { count: 33, addr: 1, ..good }),
        (Status::Oversize, Header { count: 33, op_bytes: 33 * 512, addr: 1, ..good }),
        (Status::MisalignedBase, Header { addr: at_end + 1, bytes: 1, ..good }),
        (Status::Wraps, Header { addr: at_end, bytes: 1, ..good }),
        (Status::WrongLength, Header { bytes: 511, ..good }),
    ];
    for (status, header) in cases {
        let mut run = Run::new();
        assert_eq!(run.header(header), rejected(status));
        assert_eq!(run.statuses(), [(0xc1, 1, status as u8)]);
        assert_eq!(run.model.done_status(1, 1), Some(status));
        // its copies and its bodies are stale now
        assert_eq!(run.header(header), S);
        assert_eq!(run.header(body(1, 0x1200)), S);
        assert_eq!((run.statuses(), run.model.entries_live()), (vec![], 0));
    }
    // the last byte of the address space may be written
    assert_eq!(Run::new().header(Header { addr: at_end - 512, ..good }), W);
}

#[test]
fn an_unknown_source_is_counted_only() {
    let mut run = Run::new();
    for header in [start(1, 0, 1024), body(1, 512), control(Kind::Arrival, 2), control(Kind::Abort, 3)] {
        assert_eq!(run.header(Header { src: 16, ..header }), rejected(Status::UnknownSource));
    }
    assert_eq!((run.statuses(), run.model.escape_used(), run.model.done_status(16, 1)), (vec![], 0, None));
}

#[test]
fn conflict_and_overlap_store_nothing() {
    let mut run = Run::new();
    run.header(start(1, 0x1000, 1024));
    assert_eq!(run.header(start(1, 0x1000, 1536)), rejected(Status::Conflict));
    assert_eq!(run.header(control(Kind::Arrival, 1)), rejected(Status::Conflict));
    assert_eq!(run.header(start(2, 0x1200, 1024)), rejected(Status::Overlap));
    assert_eq!(run.header(start(2, 0xe00, 1024)), rejected(Status::Overlap));
    assert_eq!(run.header(start(2, 0x1200, 512)), rejected(Status::Overlap));
    assert_eq!(run.model.done_status(1, 2), None);
    assert_eq!(run.statuses()[1..], [(0xc1, 1, 11), (0xc1, 1, 11), (0xc1, 2, 7), (0xc1, 2, 7), (0xc1, 2, 7)]);
    // neighbours, and other sources, may come
    assert_eq!(run.header(start(2, 0x1400, 1024)), W);
    assert_eq!(run.header(Header { src: 2, ..start(1, 0x1000, 1024) }), W);
    assert_eq!(run.header(body(1, 0x1200)), W);
}

#[test]
fn a_bad_start_of_a_live_operation_leaves_the_entry() {
    let mut run = Run::new();
    run.header(start(1, 0x1000, 1024));
    assert_eq!(run.header(Header { bytes: 1, ..start(1, 0x1000, 1024) }), rejected(Status::WrongLength));
    assert_eq!(run.model.done_status(1, 1), Some(Status::WrongLength));
    assert_eq!(run.header(body(1, 0x1200)), W);
    assert_eq!(run.model.done_status(1, 1), Some(Status::Done));
}

#[test]
fn a_body_that_does_not_fit_is_refused_and_the_entry_stays() {
    let mut run = Run::new();
    run.header(start(1, 0x1000, 1300));
    run.told.clear();
    assert_eq!(run.header(body(1, 0x1201)), rejected(Status::MisalignedOffset));
    assert_eq!(run.header(Header { bytes: 511, ..body(1, 0x1200) }), rejected(Status::WrongLength));
    assert_eq!(run.header(body(1, 0x1400)), rejected(Status::WrongLength));
    let told: Vec<_> = run.told.iter().map(|told| (told.kind, told.index, told.mask, told.status)).collect();
    assert_eq!(told, [(0xc3, 0, 2, 8), (0xc3, 0, 2, 9), (0xc3, 0, 4, 9)]);
    assert_eq!(text(run.model.mask(1, 1).unwrap()), format!("{}001", "1".repeat(29)));
    assert_eq!(run.header(Header { bytes: 276, ..body(1, 0x1400) }), W);
    // past its end it matches nothing
    assert_eq!(run.header(body(1, 0x1514)), None);
}

#[test]
fn acknowledgements_name_the_group_of_64() {
    let mut run = Run::with(Params { mask_bits: 256, ..Params::WORKED }, config());
    run.header(start(1, 0, 256 * 512));
    run.header(body(1, 200 * 512));
    assert_eq!(run.told.last().map(|told| (told.index, told.mask)), Some((192, 1 << 8)));
}

#[test]
fn bodies_wait_for_their_start_and_are_replayed_in_order() {
    let mut run = Run::new();
    assert_eq!(run.header(body(1, 0x1200)), None);
    assert_eq!(run.header(body(1, 0x1200)), None);
    assert_eq!(run.header(body(1, 0x1400)), None);
    assert_eq!(run.model.escape_used(), 3);
    assert_eq!(run.header(start(1, 0x1000, 1536)), W);
    assert_eq!(run.pass(1), [(1, Verdict::Written), (2, Verdict::Duplicate), (3, Verdict::Written)]);
    assert_eq!((run.host.len(), run.model.escape_used(), run.model.entries_live()), (1, 0, 0));
}

#[test]
fn a_lost_start_times_its_bodies_out() {
    let mut run = Run::new();
    run.header(body(1, 0x1200));
    assert_eq!(run.pass(1000), []);
    assert_eq!(run.pass(1), [(1, Verdict::Dropped(Drop::EscapeTimeout))]);
    assert_eq!(run.statuses(), []);
}

#[test]
fn the_escape_channel_is_bounded_in_all_and_per_source() {
    let mut run = Run::with(Params { escape_slots: 4, ..Params::WORKED }, Config { escape_quota: 3, ..config() });
    for _ in 0..3 {
        assert_eq!(run.header(body(1, 0)), None);
    }
    assert_eq!(run.header(body(2, 0)), Some(Verdict::Dropped(Drop::Quota)));
    assert_eq!(run.header(Header { src: 2, ..body(2, 0) }), None);
    assert_eq!(run.header(Header { src: 2, ..body(2, 0) }), Some(Verdict::Dropped(Drop::EscapeFull)));
    // at both bounds it is the quota
    assert_eq!(run.header(body(2, 0)), Some(Verdict::Dropped(Drop::Quota)));
}

#[test]
fn starts_wait_for_an_entry_and_nobody_overtakes() {
    let mut run = Run::with(Params { entries: 4, ..Params::WORKED }, config());
    for op in 0..4 {
        run.header(start(op, u64::from(op) * 0x1000, 1024));
    }
    assert_eq!(run.header(start(4, 0x4000, 1024)), None);
    assert_eq!(run.header(start(5, 0x5000, 1024)), None);
    // an entry is free again, but the oldest start has not been replayed yet
    assert_eq!(run.header(body(0, 0x200)), W);
    assert_eq!(run.header(Header { src: 2, ..start(6, 0x6000, 1024) }), None);
    assert_eq!(run.pass(1), [(5, Verdict::Written)]);
    run.header(body(1, 0x1200));
    run.header(body(2, 0x2200));
    assert_eq!(run.pass(1), [(6, Verdict::Written), (8, Verdict::Written)]);
}

/// A start, a body of it and a copy of the start wait for an entry; what they are replayed in, as frames from 5 on, must be the order in
/// which they came.
fn replayed_in(order: [u16; 3], until: u64) -> Result<Vec<Trace>, Mismatch> {
    let mut run = Run::with(Params { entries: 4, ..Params::WORKED }, config());
    for op in 0..4 {
        run.header(start(op, u64::from(op) * 0x1000, 1024));
    }
    run.header(start(4, 0x4000, 1536));
    run.header(body(4, 0x4200));
    run.header(start(4, 0x4000, 1536));
    run.header(body(0, 0x200));
    let replays = order.into_iter().map(|tag| {
        run.model.advance(until, false);
        let seen = Seen { registered: Some(tag == order[0]), ..Seen::default() };
        let commit = run.model.replay(tag, 1, 4, seen)?;
        run.drain();
        Ok(commit.trace)
    });
    replays.collect()
}

#[test]
fn a_copied_start_goes_behind_the_body_that_its_start_woke() {
    for until in [1, 8, 200] {
        assert_eq!(replayed_in([5, 6, 7], until), Ok(vec![Trace::Replay; 3]));
        let Err(Mismatch(text)) = replayed_in([5, 7, 6], until) else { panic!("frame 7 overtook frame 6") };
        assert!(text.contains("frame 7") && text.contains("before frame 6"), "{text}");
    }
    // the copy has no entry, whatever hardware says
    assert_eq!(replayed_in([7, 5, 6], 200), Ok(vec![Trace::Stays, Trace::Replay, Trace::Replay]));
}

#[test]
fn who_is_on_its_way_may_pass_one_that_becomes_eligible() {
    let mut run = Run::new();
    for addr in [0x1200, 0x1400, 0x1600] {
        run.header(body(1, addr));
    }
    run.model.advance(config().escape_timeout as u64 * 10 + 20, false);
    // the second is tried for its time as the start comes; once it has its verdict nobody else may go before the first
    run.header(start(1, 0x1000, 2048));
    run.model.advance(4, false);
    let verdict = run.model.replay(2, 1, 1, Seen { expired: Some(false), ..Seen::default() }).unwrap().verdict;
    assert_eq!(verdict.map(|beat| beat.verdict), W);
    run.drain();
    let Err(Mismatch(text)) = run.model.replay(3, 1, 1, Seen::default()) else { panic!("a second one passed it") };
    assert!(text.contains("before frame 1"), "{text}");
    assert_eq!(run.model.replay(1, 1, 1, Seen::default()).map(|commit| commit.trace), Ok(Trace::Replay));
}

#[test]
fn a_source_at_its_quota_holds_up_only_itself() {
    let mut run = Run::with(Params::WORKED, Config { entry_quota: 2, ..config() });
    run.header(start(0, 0, 1024));
    run.header(start(1, 0x1000, 1024));
    assert_eq!(run.header(start(2, 0x2000, 1024)), None);
    assert_eq!(run.header(Header { src: 2, ..start(2, 0x2000, 1024) }), W);
    assert_eq!(run.header(start(3, 0x3000, 1024)), None);
    run.header(body(1, 0x1200));
    assert_eq!(run.pass(1), [(3, Verdict::Written)]);
    // an operation that takes its predecessor's place needs none of its own
    assert_eq!(run.header(start(0x100, 0, 1024)), W);
    assert_eq!(run.host.last().map(|host| (host.op, host.status)), Some((0, 12)));
}

#[test]
fn behind_a_start_that_waits_for_a_full_registry_all_wait_for_the_same() {
    let mut run = Run::with(Params { entries: 4, ..Params::WORKED }, Config { entry_quota: 2, ..config() });
    for src in [1, 2] {
        for op in 0..2 {
            run.header(Header { src, ..start(op, u64::from(op) * 0x1000, 1024) });
        }
        // the first finds its quota used, the second no entry
        assert_eq!(run.header(Header { src, ..start(2, 0x2000, 1024) }), None);
    }
    run.header(body(1, 0x1200));
    // behind an older one of its source as well
    assert_eq!(run.header(start(3, 0x3000, 1024)), None);
    let needs: Vec<_> = run.model.escape.iter().map(|waiting| waiting.need).collect();
    assert_eq!(needs, [Some(Need::Quota), Some(Need::Full), Some(Need::Full)]);
}

#[test]
fn generations_compare_serially() {
    let params = Params::WORKED;
    // 16 bits of generation
    let op = |generation: u32| generation << 8 | 7;
    assert!(params.behind(op(0), op(1)) && params.behind(op(0xffff), op(0)) && params.behind(op(0x8000), op(0)));
    assert!(
        !params.behind(op(1), op(0))
            && !params.behind(op(0), op(0xffff))
            && !params.behind(op(0x7fff), op(0))
            && !params.behind(op(3), op(3))
    );
    let mut run = Run::new();
    assert_eq!(run.header(start(op(0xffff), 0x1000, 512)), W);
    run.told.clear();
    assert_eq!(run.header(start(op(0xfffe), 0x1000, 512)), S);
    assert_eq!(run.header(body(op(0xff00), 0x1000)), S);
    assert_eq!(run.header(start(op(0), 0x1000, 1024)), W);
    // the live one counts like a stored one: late copies of the old operation touch nothing of the new one
    assert_eq!(run.header(body(op(0xffff), 0x1200)), S);
    assert_eq!(run.header(start(op(0xfffe), 0x1000, 1024)), S);
    assert_eq!(text(run.model.mask(1, op(0)).unwrap()), format!("{}01", "1".repeat(30)));
    assert_eq!(run.statuses(), [(0xc3, op(0), 0)]);
    assert_eq!(run.header(start(op(1), 0x1000, 1024)), W);
    assert_eq!(run.header(body(op(0), 0x1200)), S);
}

#[test]
fn stale_packets_are_answered_once_per_interval() {
    let mut run = Run::new();
    run.header(start(1, 0x1000, 512));
    run.told.clear();
    assert_eq!((run.header(start(1, 0x1000, 512)), run.statuses()), (S, vec![]));
    run.pass(200);
    assert_eq!((run.header(start(1, 0x1000, 512)), run.statuses()), (S, vec![]));
    run.pass(1);
    assert_eq!((run.header(body(1, 0x1000)), run.statuses()), (S, vec![(0xc1, 1, 0)]));
    assert_eq!((run.header(body(1, 0x1000)), run.statuses()), (S, vec![]));
}

#[test]
fn an_operation_without_progress_times_out() {
    let mut run = Run::new();
    run.header(start(1, 0x1000, 2048));
    run.pass(9000);
    assert_eq!(run.header(body(1, 0x1200)), W);
    run.pass(9999);
    // a duplicate is no progress
    assert_eq!(run.header(body(1, 0x1200)), D);
    run.told.clear();
    run.pass(2);
    assert_eq!(run.statuses(), [(0xc1, 1, 14)]);
    assert_eq!(run.host.last().map(|host| (host.status, host.mask[0] as u32)), Some((14, 0xffff_fff3)));
    assert_eq!(run.header(body(1, 0x1400)), S);
}

#[test]
fn abort_ends_a_live_operation_and_arrival_is_told_once() {
    let mut run = Run::new();
    run.header(start(1, 0x1000, 2048));
    run.told.clear();
    assert_eq!(run.header(control(Kind::Abort, 1)), W);
    assert_eq!(run.header(control(Kind::Abort, 1)), S);
    assert_eq!(run.header(control(Kind::Abort, 2)), W);
    assert_eq!(run.header(control(Kind::Arrival, 3)), W);
    assert_eq!(run.header(control(Kind::Arrival, 3)), S);
    assert_eq!(run.statuses(), [(0xc1, 1, 15), (0xc1, 2, 15), (0xc1, 3, 0)]);
    let host: Vec<_> = run.host.iter().map(|host| (host.op, host.arrival, host.status, host.base, host.bytes)).collect();
    assert_eq!(host, [(1, false, 15, 0x1000, 2048), (3, true, 0, 0x9000, 77)]);
    assert_eq!(run.header(start(2, 0x1000, 2048)), S);
}

#[test]
fn a_done_word_dies_of_age() {
    let mut run = Run::new();
    run.header(start(1, 0x1000, 512));
    run.pass(50_000);
    assert_eq!(run.model.done_status(1, 1), Some(Status::Done));
    run.pass(1);
    assert_eq!(run.model.done_status(1, 1), None);
    assert_eq!(run.header(start(1, 0x1000, 512)), W);
}

#[test]
fn regions_guard_starts() {
    let mut run = Run::with(Params { regions: 4, ..Params::WORKED }, config());
    assert_eq!(run.header(start(1, 0x1000, 512)), rejected(Status::Access));
    run.model.set_region(3, Region { rkey: 9, base: 0x1000, length: 1024 });
    assert_eq!(run.header(Header { rkey: 9, ..start(2, 0x1000, 1024) }), W);
    assert_eq!(run.header(Header { rkey: 8, ..start(3, 0x1000, 1024) }), rejected(Status::Access));
    assert_eq!(run.header(Header { rkey: 9, ..start(4, 0x1200, 1024) }), rejected(Status::Access));
    assert_eq!(run.header(Header { rkey: 9, ..start(5, 0xe00, 1024) }), rejected(Status::Access));
}

mod beside;
