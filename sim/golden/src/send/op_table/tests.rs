mod beside;
mod timers;

use super::*;
use crate::OP_BITS;
use crate::send::{OpKind, status};

/// Few indices, so that each is soon used again.
const FOUR: Params = Params { ops: 4, mask_bits: 128 };
const CONFIG: Config = Config { prescale: 10, timeout: 10, backoff_cap: 35, retry_limit: 3, t_life: 1000 };

/// A table that is told what it should do at its earliest moment.
struct Run {
    table: OpTable,
    ended: Vec<(u32, u8)>,
    aborts: Vec<u32>,
    again: Vec<(u32, u16, u8)>,
}

impl Run {
    fn new() -> Run {
        Run::with(Params::DEFAULT, CONFIG)
    }

    fn with(params: Params, config: Config) -> Run {
        Run { table: OpTable::new(params, config), ended: Vec::new(), aborts: Vec::new(), again: Vec::new() }
    }

    fn allocate(&mut self, count: u16) -> u32 {
        let op = self.table.next_op().unwrap();
        self.table.allocated(Op { op, command: 5, kind: OpKind::Data, count }).unwrap();
        op
    }

    /// An operation whose packets have all been sent once.
    fn sent(&mut self, count: u16) -> u32 {
        let op = self.allocate(count);
        for packet in 0..count {
            self.table.sent(op, packet, false).unwrap();
        }
        op
    }

    fn ack(&mut self, op: u32, first: u16, mask: u64) -> Effect {
        self.table.ack(Ack::Packets { op, first, status: 0, mask })
    }

    fn done(&mut self, op: u32) -> Effect {
        self.table.ack(Ack::Completion { op, status: 0 })
    }

    /// Lets `clocks` pass; what is asked for is sent at once.
    fn pass(&mut self, clocks: u64) {
        let end = self.table.now().clock + clocks;
        while let Some((at, due)) = self.table.due().filter(|&(at, _)| at <= end) {
            self.table.advance(at - self.table.now().clock, false);
            self.table.perform(due).unwrap();
            match due {
                Due::Ended(ended) => self.ended.push((ended.op, ended.status)),
                Due::Abort(op) => self.aborts.push(op),
                Due::Retransmit(Retransmit { op, packet, tries }) => {
                    self.again.push((op, packet, tries));
                    self.table.sent(op, packet, true).unwrap();
                }
            }
        }
        self.table.advance(end - self.table.now().clock, false);
        self.table.overdue().unwrap();
    }

    /// As [`Run::pass`], and every index whose operation ended is free again.
    fn settle(&mut self) {
        let before = self.ended.len();
        self.pass(0);
        for (op, _) in &self.ended[before..] {
            self.table.release(*op).unwrap();
        }
        let counters = self.table.counters();
        assert_eq!(counters.allocated, counters.completed + counters.failures + self.table.live() as u64);
    }
}

fn acknowledged(packets: usize, completed: bool) -> Effect {
    Effect::Acknowledged { packets, completed }
}

fn wrong<T: std::fmt::Debug>(result: Result<T, Mismatch>, text: &str) {
    let Mismatch(said) = result.unwrap_err();
    assert!(said.contains(text), "{said}");
}

#[test]
fn an_operation_completes_when_all_its_packets_are_acknowledged_and_not_before() {
    let mut run = Run::new();
    let op = run.sent(3);
    assert_eq!(run.ack(op, 0, 0b101), acknowledged(2, false));
    assert_eq!(run.ack(op, 0, 0b001), Effect::Duplicate);
    assert_eq!(run.ack(op, 0, 0b111), acknowledged(1, true));
    run.settle();
    assert_eq!((run.ended.as_slice(), run.table.held()), (&[(op, 0)][..], 0));
    assert_eq!(run.ack(op, 0, 0b111), Effect::Stale);
    assert_eq!(run.done(op), Effect::Stale);
    let Counters { packets, acks, duplicate_acks, stale_acks, completed, .. } = *run.table.counters();
    assert_eq!([packets, acks, duplicate_acks, stale_acks, completed], [3, 2, 1, 2, 1]);
    run.table.finish().unwrap();
}

#[test]
fn a_remote_completion_acknowledges_all_packets() {
    let mut run = Run::new();
    let op = run.sent(32);
    assert_eq!(run.ack(op, 0, 1), acknowledged(1, false));
    assert_eq!(run.done(op), acknowledged(31, true));
    run.settle();
    assert_eq!(run.ended, [(op, 0)]);
}

#[test]
fn masks_begin_at_multiples_of_64() {
    let mut run = Run::with(FOUR, CONFIG);
    let op = run.sent(128);
    assert_eq!(run.ack(op, 63, 2), Effect::Stale);
    assert_eq!(run.ack(op, 128, 1), Effect::Stale);
    assert_eq!(run.ack(op, 0xffc0, 1), Effect::Stale);
    assert_eq!(run.ack(op, 64, u64::MAX), acknowledged(64, false));
    assert!(run.table.acknowledged(op).unwrap().iter().enumerate().all(|(at, acked)| *acked == (at >= 64)));
    assert_eq!(run.ack(op, 0, u64::MAX), acknowledged(64, true));
}

#[test]
fn forged_acknowledgements_change_nothing() {
    let mut run = Run::new();
    let op = run.allocate(4);
    assert_eq!(run.done(op), Effect::Stale);
    assert_eq!(run.table.ack(Ack::Completion { op, status: 16 }), Effect::Stale);
    assert_eq!(run.table.ack(Ack::Completion { op, status: 7 }), Effect::Stale);
    assert_eq!(run.ack(op, 0, 1), Effect::Stale);
    run.table.sent(op, 0, false).unwrap();
    run.table.sent(op, 1, false).unwrap();
    // not all packets have been sent, so nobody can have them all
    assert_eq!(run.done(op), Effect::Stale);
    assert_eq!(run.ack(op, 0, 0b1100), Effect::Stale);
    assert_eq!(run.ack(op, 0, 0), Effect::Stale);
    // packet 0 was sent, packet 3 was not
    assert_eq!(run.ack(op, 0, 0b1001), acknowledged(1, false));
    assert_eq!(run.table.acknowledged(op).unwrap(), [true, false, false, false]);
    for other in [op + 1, op + 0x100, op.wrapping_sub(0x100)] {
        assert_eq!(run.ack(other, 0, 3), Effect::Stale);
        assert_eq!(run.done(other), Effect::Stale);
    }
    assert_eq!((run.table.counters().stale_acks, run.table.live()), (13, 1));
}

#[test]
fn an_acknowledgement_of_an_earlier_use_is_stale() {
    let mut run = Run::with(FOUR, CONFIG);
    let mut first = Vec::new();
    for use_of_all in 0..3 {
        for index in 0..4 {
            let op = run.sent(2);
            assert_eq!(op, use_of_all << 2 | index);
            for &old in first.iter().filter(|&&old| old != op) {
                assert_eq!((run.ack(old, 0, 3), run.done(old)), (Effect::Stale, Effect::Stale));
            }
            first.push(op);
            assert_eq!(run.done(op), acknowledged(2, true));
            run.settle();
        }
    }
}

#[test]
fn generations_wrap() {
    for ops in [256, 1024] {
        let mut run = Run::with(Params { ops, mask_bits: 32 }, Config { t_life: 0, ..CONFIG });
        // Each index has been used but for the last two of its generations.
        let first = (1 << OP_BITS) - 2 * ops;
        for index in &mut run.table.indices {
            index.generation = Some((first / ops - 1) as u32);
        }
        for number in first..(1 << OP_BITS) + 2 * ops {
            let op = run.sent(1);
            assert_eq!(op, (number % (1 << OP_BITS)) as u32);
            run.done(op);
            run.settle();
            run.table.advance(1, false);
        }
        run.table.finish().unwrap();
    }
}

#[test]
fn the_allocator_waits_for_the_life_of_the_first_use() {
    assert_eq!((Params::DEFAULT.use_limit(), Params::LARGE.use_limit(), Params::SMALL.use_limit()), (32_767, 8191, 131_071));
    // so many indices leave 6 bits
    let params = Params { ops: 1 << 18, mask_bits: 32 };
    let mut run = Run::with(params, CONFIG);
    let limit = params.use_limit() as u64;
    // only one is free, so it is used again and again
    run.table.free.truncate(1);
    let first = run.table.now().clock;
    for _ in 0..limit {
        let op = run.sent(1);
        run.done(op);
        run.settle();
        run.table.advance(10, false);
    }
    assert_eq!(run.table.next_op(), None);
    run.table.advance(first + 1000 * 10 - 1 - run.table.now().clock, false);
    assert_eq!(run.table.next_op(), None);
    let op = Op { op: 31 << 18, command: 0, kind: OpKind::Data, count: 1 };
    wrong(run.table.clone().allocated(op), "use 32 of index 0 within t_life; 31 are allowed");
    let since = run.table.now();
    run.table.advance(1, false);
    assert_eq!(run.table.next_op(), Some(op.op));
    // one that counts in eighths of the generations and quarters of t_life may wait for the first of the last three eighths, 24 uses ago
    run.table.overdue_allocation(since).unwrap();
    run.table.clone().allocated(op).unwrap();
    run.table.advance((limit - 24) * 10 + 1260 * 10 + 10 + LATENCY - 1000 * 10 - 2, false);
    run.table.overdue_allocation(since).unwrap();
    run.table.advance(2, false);
    wrong(run.table.overdue_allocation(since), "a segment waits");
    run.table.allocated(op).unwrap();
    // the next use has to wait for the second one's life
    run.table.sent(op.op, 0, false).unwrap();
    run.done(op.op);
    run.settle();
    assert!(run.table.next_op().is_some());
}

#[test]
fn indices_are_free_in_the_order_in_which_they_became_so() {
    let mut run = Run::with(FOUR, CONFIG);
    let ops: Vec<u32> = (0..4).map(|_| run.sent(1)).collect();
    assert_eq!(run.table.next_op(), None);
    let free = |run: &mut Run, op: u32| {
        run.done(op);
        run.pass(0);
        run.table.release(op).unwrap();
    };
    free(&mut run, ops[2]);
    assert_eq!(run.table.next_op(), Some(6));
    run.table.advance(IN_FLIGHT, false);
    // freed almost at once, they may be in either order
    let mut swapped = Run { table: run.table.clone(), ended: Vec::new(), aborts: Vec::new(), again: Vec::new() };
    free(&mut swapped, ops[0]);
    swapped.table.allocated(Op { op: 4, count: 1, ..Op::default() }).unwrap();
    assert_eq!(swapped.table.next_op(), Some(6));
    run.table.advance(1, false);
    free(&mut run, ops[0]);
    wrong(run.table.clone().allocated(Op { op: 4, count: 1, ..Op::default() }), "index 2 has been free for longer");
    wrong(run.table.clone().allocated(Op { op: 2, count: 1, ..Op::default() }), "the next generation of index 2 is 0x1");
    wrong(run.table.clone().allocated(Op { op: 3, count: 1, ..Op::default() }), "index 3 is not free");
    wrong(run.table.clone().allocated(Op { op: 6, count: 0, ..Op::default() }), "allocated for 0 packets; 1 to 128");
    wrong(run.table.clone().allocated(Op { op: 6, count: 129, ..Op::default() }), "allocated for 129 packets");
    assert_eq!((run.allocate(1), run.allocate(1)), (6, 4));
}

#[test]
fn an_index_is_free_when_its_end_was_taken_and_nobody_names_it() {
    let mut run = Run::with(FOUR, CONFIG);
    let [early, late] = [run.sent(1), run.sent(1)];
    // released before it ended
    run.table.release(early).unwrap();
    wrong(run.table.clone().release(early), "was released before");
    wrong(run.table.clone().sent(early, 0, true), "was released");
    run.done(early);
    run.pass(0);
    assert_eq!(run.table.held(), 1);
    run.done(late);
    let ended = Ended { op: late, command: 5, kind: OpKind::Data, status: 0 };
    wrong(run.table.clone().ended_taken(late), "did not offer it");
    wrong(run.table.clone().ended(Ended { status: 16, ..ended }), "ends with status 0");
    wrong(run.table.clone().ended(Ended { status: 32, ..ended }), "ends with status 0");
    wrong(run.table.clone().ended(Ended { command: 4, ..ended }), "is of command 5, Data");
    run.table.ended(ended).unwrap();
    wrong(run.table.clone().ended(ended), "has ended before");
    wrong(run.table.finish(), "not released");
    run.table.release(late).unwrap();
    assert_eq!(run.table.held(), 1);
    run.table.ended_taken(late).unwrap();
    assert_eq!(run.table.held(), 0);
    wrong(run.table.ended(ended), "is free");
    run.table.finish().unwrap();
}
