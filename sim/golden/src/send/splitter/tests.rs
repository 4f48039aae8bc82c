mod beside;

use super::*;

const P: u32 = 512;
const CONFIG: Config = Config { threshold: 4096, segment: 2048 };

fn block(source: u64, bytes: u32) -> Block {
    Block { source, bytes }
}

fn command(id: u16, bytes: u32) -> Command {
    Command { id, target: 0x10_0000, node: 3, qp: 17, rkey: 9, imm: None, arrival: false, blocks: vec![block(0x9000, bytes)] }
}

fn wrong<T: std::fmt::Debug>(result: Result<T, Mismatch>, text: &str) {
    let Mismatch(said) = result.unwrap_err();
    assert!(said.contains(text), "{said}");
}

/// A model that does what it says comes next.
struct Run {
    model: Splitter,
    host: Vec<Completion>,
}

impl Run {
    fn new() -> Run {
        Run::with(Params::WORKED)
    }

    fn with(params: Params) -> Run {
        Run { model: Splitter::new(params, CONFIG), host: Vec::new() }
    }

    fn post(&mut self, command: &Command) -> Option<Refusal> {
        self.model.advance(IN_FLIGHT + 1, false);
        self.model.command(command).unwrap()
    }

    fn cut(&mut self) -> Segment {
        let segment = self.model.next_segment().unwrap();
        self.model.segment(&segment).unwrap();
        segment
    }

    fn cut_all(&mut self) -> Vec<Segment> {
        std::iter::from_fn(|| self.model.next_segment().map(|_| self.cut())).collect()
    }

    fn end(&mut self, segment: &Segment, status: u8) {
        self.model.ended(segment.command, segment.kind, status).unwrap();
        while let Some(completion) = self.model.next_completion() {
            self.model.completion(completion).unwrap();
            self.host.push(completion);
        }
    }
}

#[test]
fn sizes_at_every_border() {
    let n = CONFIG.segment;
    let [large, regular] = [true, false];
    for (bytes, queue, segments) in [
        (1, regular, vec![(1, 1)]),
        (P - 1, regular, vec![(P - 1, 1)]),
        (P, regular, vec![(P, 1)]),
        (P + 1, regular, vec![(P + 1, 2)]),
        (CONFIG.threshold - 1, regular, vec![(CONFIG.threshold - 1, 8)]),
        // exceeds is strict
        (CONFIG.threshold, regular, vec![(CONFIG.threshold, 8)]),
        (CONFIG.threshold + 1, large, vec![(n, 4), (n, 4), (1, 1)]),
        (3 * n - 1, large, vec![(n, 4), (n, 4), (n - 1, 4)]),
        (3 * n, large, vec![(n, 4); 3]),
        (3 * n + P + 1, large, vec![(n, 4), (n, 4), (n, 4), (P + 1, 2)]),
    ] {
        let mut run = Run::new();
        assert_eq!(run.post(&Command { imm: Some(7), ..command(1, bytes) }), None);
        let cut = run.cut_all();
        let seen: Vec<(u32, u16)> = cut.iter().map(|segment| (segment.bytes, segment.count)).collect();
        assert_eq!(seen, segments, "{bytes}");
        let mut at = 0;
        for (number, segment) in cut.iter().enumerate() {
            let last = number + 1 == cut.len();
            assert_eq!((segment.large, segment.last, segment.imm.is_some()), (queue, last, last));
            assert_eq!((segment.target, segment.node, segment.qp, segment.rkey), (0x10_0000 + at, 3, 17, 9));
            assert_eq!(segment.pieces, [block(0x9000 + at, segment.bytes)]);
            at += u64::from(segment.bytes);
            assert!(run.host.is_empty());
            run.end(segment, 0);
        }
        assert_eq!(run.host, [Completion { id: 1, status: 0, bytes }]);
        run.model.finish().unwrap();
    }
}

#[test]
fn a_segment_takes_what_it_needs_of_each_block() {
    let blocks = [block(0x1000, 100), block(0x2000, 2048 - 100), block(0x3000, 1), block(0x4000, 5000)];
    assert_eq!(pieces(&blocks, 0, 2048), [block(0x1000, 100), block(0x2000, 1948)]);
    assert_eq!(pieces(&blocks, 2048, 2048), [block(0x3000, 1), block(0x4000, 2047)]);
    assert_eq!(pieces(&blocks, 4096, 2048), [block(0x47ff, 2048)]);
    assert_eq!(pieces(&blocks, 99, 2), [block(0x1063, 1), block(0x2000, 1)]);
    assert_eq!(pieces(&blocks, 2047, 2), [block(0x2000 + 1947, 1), block(0x3000, 1)]);
    assert_eq!(pieces(&[block(u64::MAX, 1)], 0, 1), [block(u64::MAX, 1)]);
    let mut run = Run::new();
    run.post(&Command { blocks: blocks.to_vec(), ..command(1, 0) });
    let cut = run.cut_all();
    assert_eq!(cut.iter().map(|segment| segment.pieces.len()).collect::<Vec<_>>(), [2, 2, 1, 1]);
    // all of the bytes, once and in order
    let taken: Vec<u64> = cut.iter().flat_map(|s| &s.pieces).flat_map(|p| p.source..p.source + u64::from(p.bytes)).collect();
    let given: Vec<u64> = blocks.iter().flat_map(|p| p.source..p.source + u64::from(p.bytes)).collect();
    assert_eq!(taken, given);
}

#[test]
fn refusals_and_their_order() {
    let params = Params { alignment: 64, btt_width: 11, ..Params::WORKED };
    let bad = Config { segment: 2049, ..CONFIG };
    let refusal = |command: &Command, config: &Config| Refusal::of(command, &params, config);
    let good = command(1, 100);
    assert_eq!(refusal(&good, &CONFIG), None);
    // each is fixed in turn
    let mut worst = Command { target: u64::MAX, blocks: vec![block(1, 0), block(u64::MAX, 4096), block(0, 64)], ..good.clone() };
    assert_eq!(refusal(&worst, &bad), Some(Refusal::BytesZero));
    worst.blocks[0].bytes = 63;
    assert_eq!(refusal(&worst, &bad), Some(Refusal::MisalignedTarget));
    worst.target = u64::MAX - 511;
    assert_eq!(refusal(&worst, &bad), Some(Refusal::Wraps));
    worst.target = 512;
    assert_eq!(refusal(&worst, &bad), Some(Refusal::Wraps));
    worst.blocks[1].source = 64;
    assert_eq!(refusal(&worst, &bad), Some(Refusal::MisalignedSource));
    worst.blocks[0].source = 64;
    assert_eq!(refusal(&worst, &bad), Some(Refusal::MisalignedSource));
    worst.blocks[0].bytes = 64;
    assert_eq!(refusal(&worst, &bad), Some(Refusal::BadConfiguration));
    assert_eq!(refusal(&worst, &CONFIG), Some(Refusal::TooLong));
    // the last block may have any length
    assert_eq!(refusal(&Command { blocks: vec![block(0, 64), block(0, 1)], ..good.clone() }, &CONFIG), None);
    assert_eq!(refusal(&Command { blocks: Vec::new(), ..good.clone() }, &CONFIG), Some(Refusal::BytesZero));
    // a regular command is one segment, a large one is cut into small ones
    assert_eq!(refusal(&command(1, 2047), &CONFIG), None);
    assert_eq!(refusal(&command(1, 2048), &CONFIG), Some(Refusal::TooLong));
    assert_eq!(refusal(&command(1, 4097), &Config { segment: 1536, ..CONFIG }), None);
    // ranges up to the very end
    let at_end = Command { target: u64::MAX - 511, ..command(1, 512) };
    assert_eq!(refusal(&at_end, &CONFIG), None);
    assert_eq!(refusal(&Command { blocks: vec![block(u64::MAX - 63, 64)], ..good.clone() }, &CONFIG), None);
    assert_eq!(refusal(&Command { blocks: vec![block(u64::MAX - 63, 65)], ..good.clone() }, &CONFIG), Some(Refusal::Wraps));
    let most = Config { segment: 512, ..CONFIG };
    assert_eq!(refusal(&command(1, u32::MAX), &most), None);
    assert_eq!(refusal(&Command { blocks: vec![block(0, 1 << 31); 2], ..good }, &most), Some(Refusal::Wraps));
}

#[test]
fn impossible_configurations() {
    let params = Params::WORKED;
    assert!(!Config::DEFAULT.is_bad(&Params::DEFAULT));
    for (threshold, segment, is_bad) in [
        (0, 512, false),
        (16384, 16384, false),
        (16385, 4096, true),
        (4096, 511, true),
        (4096, 0, true),
        (4096, 513, true),
        (4096, 16384 + 512, true),
    ] {
        assert_eq!(Config { threshold, segment }.is_bad(&params), is_bad, "{threshold} {segment}");
    }
}

#[test]
fn a_refused_command_is_told_once_and_leaves_nothing() {
    let mut run = Run::new();
    assert_eq!(run.post(&command(5, 0)), Some(Refusal::BytesZero));
    let refused = Completion { id: 5, status: 48, bytes: 0 };
    assert_eq!((run.model.next_completion(), run.model.next_segment(), run.model.live()), (Some(refused), None, 0));
    wrong(run.model.finish(), "refusal missing");
    let mut idle = run.model.clone();
    idle.advance(LATENCY + 1, false);
    wrong(idle.overdue(), "overdue");
    wrong(run.model.clone().completion(Completion { status: 49, ..refused }), "no command 0x0005 is in flight");
    run.model.completion(refused).unwrap();
    wrong(run.model.completion(refused), "no command 0x0005 is in flight");
    assert_eq!(run.model.counters().refused, [1, 0, 0, 0, 0, 0]);
    run.model.finish().unwrap();
}

#[test]
fn queues_take_turns() {
    let mut run = Run::new();
    run.post(&command(1, 8192));
    run.post(&command(2, 8192));
    for id in 10..13 {
        run.post(&command(id, 512));
    }
    run.model.advance(IN_FLIGHT + 1, false);
    let first = run.cut();
    assert!(first.large);
    // the small command's turn has come
    let again = Segment { target: 0x10_0000 + 2048, pieces: vec![block(0x9800, 2048)], ..first.clone() };
    wrong(run.model.clone().segment(&again), "it is the turn of command 0x000a");
    let order: Vec<(bool, u16)> = run.cut_all().iter().map(|segment| (segment.large, segment.command)).collect();
    let [l, r] = [true, false];
    assert_eq!(order, [(r, 1), (l, 0), (r, 2), (l, 0), (r, 3), (l, 0), (l, 4), (l, 4), (l, 4), (l, 4)]);
}

#[test]
fn a_command_that_has_just_come_may_miss_its_turn_by_what_is_on_its_way() {
    let mut run = Run::new();
    run.post(&command(1, 8192));
    let first = run.cut();
    run.model.command(&command(2, 512)).unwrap();
    let next = Segment { target: 0x10_0000 + 2048, pieces: vec![block(0x9800, 2048)], ..first };
    run.model.clone().segment(&next).unwrap();
    // stalled clocks move nothing
    run.model.advance(1000, true);
    run.model.clone().segment(&next).unwrap();
    run.model.advance(IN_FLIGHT + 1, false);
    wrong(run.model.segment(&next), "it is the turn of");
}

#[test]
fn a_queue_whose_head_failed_may_miss_its_turn_by_what_is_on_its_way() {
    let mut run = Run::new();
    run.post(&command(1, 8192));
    run.post(&Command { target: 0x20_0000, ..command(2, 8192) });
    for id in 10..13 {
        run.post(&command(id, 512));
    }
    run.model.advance(LATENCY + EACH, false);
    wrong(run.model.overdue(), "command 0x000a, taken at clock");
    let first = run.cut();
    run.cut();
    // something moves
    run.model.overdue().unwrap();
    let next = Segment { command: 2, ..run.model.clone().segment_of(false) };
    wrong(run.model.clone().segment(&next), "it is the turn of command 0x0001");
    run.model.advance(LATENCY + EACH, false);
    run.model.ended(first.command, first.kind, 16).unwrap();
    run.model.clone().segment(&next).unwrap();
    // what was on its way is to be waited for
    let mut late = run.model.clone();
    late.segment(&Segment { command: 0, ..first.clone() }).unwrap_err();
    late.segment(&Segment { target: first.target + 2048, pieces: vec![block(0x9800, 2048)], ..first }).unwrap();
    assert_eq!((run.model.next_completion().map(|told| told.status), late.next_completion()), (Some(16), None));
    run.model.advance(IN_FLIGHT + 1, false);
    wrong(run.model.segment(&next), "it is the turn of command 0x0002");
}

#[test]
fn a_new_head_has_its_time() {
    let mut run = Run::new();
    run.post(&command(1, 8192));
    run.post(&command(2, 8192));
    let first = run.cut();
    run.model.advance(LATENCY + 2 * EACH, false);
    wrong(run.model.overdue(), "command 0x0001");
    run.model.ended(first.command, first.kind, 16).unwrap();
    run.model.overdue().unwrap();
    run.model.advance(LATENCY + EACH, false);
    wrong(run.model.clone().overdue(), "completion 16");
    let told = run.model.next_completion().unwrap();
    run.model.completion(told).unwrap();
    run.model.advance(EACH, false);
    wrong(run.model.overdue(), "command 0x0002");
}

impl Splitter {
    /// What the head of a queue would give, whoever's turn it is.
    fn segment_of(mut self, large: bool) -> Segment {
        self.served = self.served.map(|(_, since)| (!large, since));
        self.next_segment().unwrap()
    }
}

#[test]
fn segments_are_what_they_must_be() {
    let mut run = Run::new();
    run.post(&Command { imm: Some(3), ..command(1, 8192) });
    let good = run.model.next_segment().unwrap();
    for bad in [
        Segment { last: true, ..good.clone() },
        Segment { target: good.target + 512, ..good.clone() },
        Segment { node: 4, ..good.clone() },
        Segment { qp: 4, ..good.clone() },
        Segment { rkey: 4, ..good.clone() },
        Segment { imm: Some(3), ..good.clone() },
        Segment { bytes: 2047, ..good.clone() },
        Segment { count: 3, ..good.clone() },
        Segment { pieces: vec![block(0x9000, 2047)], ..good.clone() },
        Segment { pieces: vec![block(0x9001, 2048)], ..good.clone() },
    ] {
        wrong(run.model.clone().segment(&bad), "but the next of command 0x0001 is");
    }
    wrong(run.model.clone().segment(&Segment { large: false, ..good.clone() }), "no such command is to be cut");
    wrong(run.model.clone().segment(&Segment { kind: OpKind::Arrival, ..good.clone() }), "no such command");
    wrong(run.model.clone().segment(&Segment { command: 64, ..good.clone() }), "index 64 is not free");
    // any free index will do, and stays
    run.model.segment(&Segment { command: 9, ..good.clone() }).unwrap();
    wrong(run.model.clone().segment(&good), "but the next of command 0x0001 is");
    assert_eq!(run.cut_all().iter().map(|segment| segment.command).collect::<Vec<_>>(), [9, 9, 9]);
    wrong(run.model.segment(&good), "no such command is to be cut");
    wrong(run.model.ended(8, OpKind::Data, 0), "no such command");
    wrong(run.model.ended(9, OpKind::Arrival, 0), "none is under way");
    run.post(&command(2, 512));
    let second = run.model.next_segment().unwrap();
    wrong(run.model.segment(&Segment { command: 9, ..second }), "index 9 is not free");
}

#[test]
fn a_command_completes_once_when_all_segments_have_ended_in_any_order() {
    let mut run = Run::new();
    run.post(&command(1, 8192));
    let mut cut: Vec<Segment> = (0..3).map(|_| run.cut()).collect();
    cut.drain(..).for_each(|segment| run.end(&segment, 0));
    // nothing is under way, but it is not cut to the end
    assert_eq!(run.host, []);
    let done = Completion { id: 1, status: 0, bytes: 8192 };
    wrong(run.model.clone().completion(done), "6144 of 8192 bytes are cut and 0 segments");
    let last = run.cut();
    wrong(run.model.clone().completion(done), "8192 of 8192 bytes are cut and 1 segments");
    run.model.ended(last.command, last.kind, 0).unwrap();
    wrong(run.model.clone().completion(Completion { bytes: 8191, ..done }), "the command has 8192 bytes");
    wrong(run.model.clone().completion(Completion { status: 1, ..done }), "its status is 0");
    let mut idle = run.model.clone();
    idle.advance(LATENCY + 1, false);
    wrong(idle.overdue(), "completion 0 of command 0x0001 is overdue");
    run.model.completion(done).unwrap();
    wrong(run.model.completion(done), "no command 0x0001 is in flight");
    run.model.finish().unwrap();
}

#[test]
fn the_receiver_is_told_after_the_data_and_the_host_does_not_wait_for_it() {
    let mut run = Run::new();
    run.post(&Command { arrival: true, imm: Some(1), ..command(1, 6000) });
    let cut: Vec<Segment> = (0..3).map(|_| run.cut()).collect();
    assert_eq!(run.model.next_segment(), None);
    let early = Segment { kind: OpKind::Arrival, ..cut[0].clone() };
    wrong(run.model.clone().segment(&early), "is not to be announced now");
    cut.iter().for_each(|segment| run.end(segment, 0));
    assert_eq!(run.host, [Completion { id: 1, status: 0, bytes: 6000 }]);
    wrong(run.model.clone().completion(run.host[0]), "no command 0x0001 is in flight");
    // its entry is still held
    wrong(run.model.finish(), "told");
    let mut idle = run.model.clone();
    idle.advance(LATENCY + 5, false);
    wrong(idle.overdue(), "the arrival segment of command 0x0001 is overdue");
    let due = run.model.next_segment().unwrap();
    wrong(run.model.clone().segment(&Segment { count: 2, ..due.clone() }), "but due is");
    let arrival = run.cut();
    let Segment { kind, target, bytes, count, imm, pieces, command, .. } = arrival.clone();
    assert_eq!((kind, target, bytes, count, imm, pieces, command), (OpKind::Arrival, 0x10_0000, 6000, 1, None, vec![], cut[0].command));
    wrong(run.model.clone().segment(&arrival), "is not to be announced now");
    assert_eq!(run.model.live(), 1);
    // a failure of it is no second completion
    run.end(&arrival, status::RETRY_LIMIT);
    assert_eq!((run.host.len(), run.model.counters().arrivals_failed), (1, 1));
    run.model.finish().unwrap();
}

#[test]
fn a_failure_discards_the_rest_and_is_told_when_nothing_is_under_way() {
    let mut run = Run::new();
    run.post(&Command { arrival: true, ..command(1, 20_000) });
    run.post(&command(2, 9000));
    let cut: Vec<Segment> = (0..3).map(|_| run.cut()).collect();
    let on_its_way = run.model.next_segment().unwrap();
    run.end(&cut[1], 16);
    // the next command of the queue is at its head
    assert_eq!(run.model.next_segment().unwrap().target, 0x10_0000);
    let mut hardware = run.model.clone();
    hardware.segment(&on_its_way).unwrap();
    hardware.advance(IN_FLIGHT + 1, false);
    wrong(hardware.segment(&Segment { target: on_its_way.target + 2048, ..on_its_way.clone() }), "index 0 is not free");
    run.end(&cut[0], 0);
    assert!(run.host.is_empty());
    // the first failure names the status
    run.end(&cut[2], status::RETRY_LIMIT);
    assert_eq!(run.host, [Completion { id: 1, status: 16, bytes: 0 }]);
    assert_eq!((run.model.live(), run.model.counters().failed), (1, 1));
    // hardware that had one more on its way waits for it too
    hardware.ended(0, OpKind::Data, 0).unwrap();
    hardware.ended(0, OpKind::Data, 32).unwrap();
    assert_eq!(hardware.next_completion(), None);
    hardware.ended(0, OpKind::Data, 0).unwrap();
    assert_eq!(hardware.next_completion(), Some(run.host[0]));
    // no announcement, and the other command goes on
    let rest = run.cut_all();
    assert!(rest.len() == 5 && rest.iter().all(|segment| segment.kind == OpKind::Data));
    rest.iter().for_each(|segment| run.end(segment, 0));
    run.model.finish().unwrap();
}

#[test]
fn a_failure_of_the_last_segment_leaves_no_announcement() {
    let mut run = Run::new();
    run.post(&Command { arrival: true, ..command(1, 1) });
    let only = run.cut();
    run.model.ended(only.command, only.kind, 34).unwrap();
    assert_eq!(run.model.next_segment(), None);
    while let Some(completion) = run.model.next_completion() {
        run.model.completion(completion).unwrap();
        run.host.push(completion);
    }
    assert_eq!((run.host.as_slice(), run.model.next_segment()), (&[Completion { id: 1, status: 34, bytes: 0 }][..], None));
    run.model.finish().unwrap();
}

#[test]
fn the_table_holds_so_many_and_the_rest_waits() {
    let mut run = Run::with(Params { commands: 2, ..Params::WORKED });
    run.post(&command(1, 1));
    run.post(&command(2, 1));
    let since = run.model.now();
    wrong(run.model.clone().command(&command(3, 1)), "2 are in flight already");
    // a refusal needs no room
    assert_eq!(run.model.clone().command(&command(3, 0)).unwrap(), Some(Refusal::BytesZero));
    run.model.advance(LATENCY + 1, false);
    run.model.overdue_command(since).unwrap();
    wrong(run.model.overdue(), "command 0x0001, taken at clock");
    let first = run.cut();
    run.model.overdue().unwrap();
    run.end(&first, 0);
    wrong(run.model.overdue_command(since), "a command waits since clock");
    assert_eq!(run.post(&command(3, 1)), None);
    assert_eq!(run.model.counters().high_water, 2);
    // the queue of one command is full, with room in the table
    let mut queue = Run::with(Params { queue_depth: 1, ..Params::WORKED });
    queue.post(&command(1, 1));
    queue.model.advance(LATENCY + 1, false);
    queue.model.overdue_command(Moment::default()).unwrap();
}
