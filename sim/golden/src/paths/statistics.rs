//! What an end counts: per queue pair, per path, and of everything.
//!
//! Follows the contract, "Management and monitoring", "Count": a row of each queue pair (all paths together) and of each path (all queue
//! pairs together) with counters of 48 bits, global counters of 64. Decided here: a counter of 48 bits goes on with 0, so that a reader
//! takes differences. The row of *no* path has what no path is known of, so that the rows of paths sum up to those of queue pairs. A row of
//! a queue pair is empty when it opens.

use super::Fault;
use std::collections::BTreeMap;

/// Bits of a counter of a row.
pub const BITS: u32 = 48;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Count {
    /// sent, repeated ones among them, or arrived with any verdict
    Packets,
    Duplicates,
    Gaps,
    /// receiver: gaps that are found lost; sender: packets that are sent again because a message asked for them, on the path that lost them
    Losses,
    /// feedback messages, repeated ones among them: those that went out, or those that came
    Messages,
    /// packets that were reported as lost, and then came without having been sent again
    Misjudged,
    /// packets sent again, by the mode of their operation
    RepeatedSingle,
    RepeatedInterval,
    RepeatedAggregated,
    /// packets that feedback has named and that are not sent again for it
    Suppressed,
    TimeOuts,
    /// packets that came with a congestion mark
    Marked,
    /// records or segments that were missing
    Folded,
    Exhausted,
    /// packets with a tag that no path has
    BadTag,
}

impl Count {
    /// All of them, in the order of their counters.
    pub const ALL: [Count; 15] = [
        Count::Packets,
        Count::Duplicates,
        Count::Gaps,
        Count::Losses,
        Count::Messages,
        Count::Misjudged,
        Count::RepeatedSingle,
        Count::RepeatedInterval,
        Count::RepeatedAggregated,
        Count::Suppressed,
        Count::TimeOuts,
        Count::Marked,
        Count::Folded,
        Count::Exhausted,
        Count::BadTag,
    ];
}

/// What only the highest value is kept of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peak {
    /// packets that a late one came after
    Depth,
    /// ticks that the base stood before a gap
    Stall,
}

/// One row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    counts: [u64; Count::ALL.len()],
    /// highest reorder depth, in packets
    pub depth: u64,
    /// longest stall, in ticks
    pub stall: u64,
}

impl Row {
    pub fn get(&self, count: Count) -> u64 {
        self.counts[count as usize]
    }

    /// The sum of rows, counters of 48 bits wrapping as each of them does.
    pub fn sum<'a>(rows: impl Iterator<Item = &'a Row>) -> Row {
        rows.fold(Row::default(), |mut sum, row| {
            sum.counts.iter_mut().zip(row.counts).for_each(|(sum, count)| *sum = (*sum + count) % (1 << BITS));
            Row { depth: sum.depth.max(row.depth), stall: sum.stall.max(row.stall), ..sum }
        })
    }
}

/// The rows of one end.
#[derive(Clone, Debug)]
pub struct Statistics {
    queue_pairs: BTreeMap<u32, Row>,
    /// no path first, then each path
    paths: Vec<Row>,
    all: Row,
    fault: Option<Fault>,
}

impl Statistics {
    /// Nothing is counted of `paths` paths.
    pub fn new(paths: u8, fault: Option<Fault>) -> Statistics {
        Statistics { queue_pairs: BTreeMap::new(), paths: vec![Row::default(); usize::from(paths) + 1], all: Row::default(), fault }
    }

    /// The row of a queue pair is empty: it opens, or software resets it. Rows of paths and global counters stay.
    pub fn reset(&mut self, qp: u32) {
        self.queue_pairs.insert(qp, Row::default());
    }

    /// The row of a queue pair that is or was open.
    pub fn queue_pair(&self, qp: u32) -> Option<&Row> {
        self.queue_pairs.get(&qp)
    }

    /// The rows of all queue pairs that are or were open.
    pub fn queue_pairs(&self) -> impl Iterator<Item = &Row> {
        self.queue_pairs.values()
    }

    /// The row of a path; of no path with `None`.
    pub fn path(&self, path: Option<u8>) -> Option<&Row> {
        self.paths.get(path.map_or(0, |path| usize::from(path) + 1))
    }

    /// The rows of no path and of each path.
    pub fn paths(&self) -> &[Row] {
        &self.paths
    }

    /// The global counters, 64 bits each.
    pub fn all(&self) -> &Row {
        &self.all
    }

    /// It has happened `by` times to a queue pair, on a path or on none.
    pub fn count(&mut self, qp: u32, path: Option<u8>, count: Count, by: u64) {
        let width = if self.fault == Some(Fault::CountsWrapAt32) { 32 } else { BITS };
        let at = count as usize;
        let add = |row: &mut Row, by: u64| row.counts[at] = row.counts[at].wrapping_add(by) % (1 << width);
        let is_marked_twice = self.fault == Some(Fault::CountsMarkedTwice) && count == Count::Marked;
        if let Some(row) = self.queue_pairs.get_mut(&qp) {
            add(row, if is_marked_twice { 2 * by } else { by });
        }
        self.all.counts[at] = self.all.counts[at].wrapping_add(by);
        if self.fault == Some(Fault::CountsDuplicateOnQueuePairOnly) && count == Count::Duplicates {
            return;
        }
        if let Some(row) = self.row_of_path(path) {
            add(row, by);
        }
    }

    /// A value of a queue pair, on a path or on none, of which the highest is kept.
    pub fn peak(&mut self, qp: u32, path: Option<u8>, peak: Peak, value: u64) {
        let raise = |row: &mut Row| match peak {
            Peak::Depth => row.depth = row.depth.max(value),
            Peak::Stall => row.stall = row.stall.max(value),
        };
        if let Some(row) = self.queue_pairs.get_mut(&qp) {
            raise(row);
        }
        if let Some(row) = self.row_of_path(path) {
            raise(row);
        }
        raise(&mut self.all);
    }

    fn row_of_path(&mut self, path: Option<u8>) -> Option<&mut Row> {
        let none = usize::from(self.fault == Some(Fault::CountsNoneOnFirst));
        self.paths.get_mut(path.map_or(none, |path| usize::from(path) + 1))
    }
}
