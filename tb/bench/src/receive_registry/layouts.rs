//! Starts, bodies and copies of the starts of operations for which there is no entry, in every order in which they can come to wait.

use super::{Offer, Options, Params, Report, What, When};
use rdma_rtl_golden::registry::{Event, Header, Kind};

/// What waits of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// its start, or a copy of it
    Start,
    Body,
}

/// One order of arrival, and when entries become free behind it.
#[derive(Clone, Debug)]
pub struct Layout {
    /// what comes to wait, in order: number of the operation and what it is
    pieces: Vec<(u32, Piece)>,
    /// starts of another source that wait in front of it
    strangers: u32,
    /// clocks from the last of them to the first entry that becomes free, and from one to the next
    gap: u64,
}

/// Packets of an operation that waits: the start, the body that waits, one that comes at the end.
const PACKETS: u16 = 3;

/// Every order of what is left, behind what has come.
fn orders(come: &mut Vec<(u32, Piece)>, left: &mut Vec<(u32, Piece)>, all: &mut Vec<Vec<(u32, Piece)>>) {
    if left.is_empty() {
        all.push(come.clone());
    }
    let mut tried = Vec::new();
    for at in 0..left.len() {
        let piece = left.remove(at);
        if !tried.contains(&piece) {
            tried.push(piece);
            come.push(piece);
            orders(come, left, all);
            come.pop();
        }
        left.insert(at, piece);
    }
}

impl Layout {
    /// Every order of a start, its copy and a body of each of `operations`, at every one of `gaps`, alone and behind one stranger.
    pub fn all(operations: u32, gaps: std::ops::RangeInclusive<u64>) -> Vec<Layout> {
        let mut left: Vec<_> = (0..operations).flat_map(|op| [(op, Piece::Start), (op, Piece::Start), (op, Piece::Body)]).collect();
        let mut all = Vec::new();
        orders(&mut Vec::new(), &mut left, &mut all);
        let beside = |pieces: Vec<_>| {
            let gaps = gaps.clone();
            (0..2).flat_map(move |strangers| {
                let pieces = pieces.clone();
                gaps.clone().map(move |gap| Layout { pieces: pieces.clone(), strangers, gap })
            })
        };
        all.into_iter().flat_map(beside).collect()
    }

    /// Operations that wait.
    fn waiting(&self) -> u32 {
        self.pieces.iter().map(|&(op, _)| op + 1).max().unwrap_or(0)
    }

    /// As many operations as there are entries, what waits, then bodies that end the former one by one, then those that end the latter.
    pub fn offers(&self, params: &Params) -> impl Iterator<Item = Offer> {
        let (size, entries) = (params.packet_size, params.entries as u32);
        let base = |op: u32| u64::from(op) * u64::from(PACKETS) * u64::from(size);
        let start = |src, op: u32, count: u16| Header {
            kind: Kind::Start,
            src,
            op,
            addr: base(op),
            bytes: size as u16,
            op_bytes: u32::from(count) * size,
            count,
            rkey: 0,
            imm: None,
        };
        let body = |src, op: u32, position: u16| Header {
            kind: Kind::Body,
            addr: base(op) + u64::from(position) * u64::from(size),
            op_bytes: size,
            count: 0,
            ..start(src, op, 1)
        };
        let mut headers = Vec::new();
        headers.extend((0..entries).map(|op| (When::After(0), start(1, op, 2))));
        headers.extend((0..self.strangers).map(|op| (When::After(0), start(2, op, 2))));
        headers.extend(self.pieces.iter().map(|&(op, piece)| {
            let op = entries + op;
            (When::After(0), if piece == Piece::Start { start(1, op, PACKETS) } else { body(1, op, 1) })
        }));
        headers.extend((0..entries).map(|op| (When::After(self.gap), body(1, op, 1))));
        // all that waits has its entry by then
        let settled = 16 * params.escape_slots as u64;
        headers.extend((0..self.strangers).map(|op| (When::After(settled), body(2, op, 1))));
        headers.extend((0..self.waiting()).map(|op| (When::After(settled), body(1, entries + op, PACKETS - 1))));
        headers.into_iter().enumerate().map(|(frame, (when, header))| Offer { frame: frame as u64, when, what: What::Header(header) })
    }

    /// The run: nothing stalls.
    pub fn options(&self, params: &Params) -> Options {
        Options { drain: 10_000, ..Options::new(params) }
    }

    /// Whether every operation is complete and each copy was taken for one.
    /// # Errors
    /// What is missing.
    pub fn check(&self, params: &Params, report: &Report) -> Result<(), String> {
        let waiting = u64::from(self.waiting());
        let operations = params.entries as u64 + u64::from(self.strangers) + waiting;
        let due = [
            (Event::Completed, operations),
            (Event::Duplicate, waiting),
            (Event::Replayed, u64::from(self.strangers) + self.pieces.len() as u64),
        ];
        for (event, due) in due {
            if report.event(event) != due {
                return Err(format!("{self:?}: {} happened {} times, {due} are due", event.name(), report.event(event)));
            }
        }
        Ok(())
    }
}
