//! Rows of the tables: means over seeds.

use super::cell::{Case, Cell, Outcome};
use crate::matrix::Figure;
use serde::Serialize;

/// One rule set in one case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub name: &'static str,
    pub cell: Cell,
    pub seeds: usize,
    /// `None`: in some run it never came
    pub first_change_us: Option<Figure>,
    pub full_again_us: Option<Figure>,
    pub reverse_packets: Figure,
    pub cnps: Figure,
    pub data_packets: Figure,
    pub utilisation: Figure,
    pub utilisation_in_burst: Option<Figure>,
    pub queue_mean_kb: Figure,
    pub queue_p99_kb: Figure,
    pub overflows: Figure,
    pub resent: Figure,
    pub unfinished: usize,
    pub tail_ms: Option<Figure>,
}

/// Heading of a burst's rows.
pub const BURST_HEAD: &str = "\
| senders | rules | first mark to change us | last mark to full rate us | reverse packets | of them CNPs | data packets | utilisation \
| in the burst | queue then, mean KB | 99 % KB | dropped |
|---|---|---|---|---|---|---|---|---|---|---|---|";

/// Heading of an incast's rows.
pub const INCAST_HEAD: &str = "\
| senders | rules | last one done ms | unfinished | first mark to change us | reverse packets | of them CNPs | utilisation \
| queue mean MB | queue 99 % MB | dropped | sent again |
|---|---|---|---|---|---|---|---|---|---|---|---|";

/// A mean and half of its interval, with `digits` behind the point.
fn number(figure: &Figure, digits: usize) -> String {
    let half = figure.half.map_or(String::new(), |half| format!(" ±{half:.digits$}"));
    format!("{:.digits$}{half}", figure.mean)
}

impl Row {
    /// Of one cell with several seeds.
    pub fn new(cell: &Cell, outcomes: &[Outcome]) -> Row {
        let figure = |what: &dyn Fn(&Outcome) -> f64| Figure::of(&outcomes.iter().map(what).collect::<Vec<_>>());
        let some = |what: &dyn Fn(&Outcome) -> Option<f64>| {
            outcomes.iter().map(what).collect::<Option<Vec<_>>>().map(|values| Figure::of(&values))
        };
        Row {
            name: cell.rules.name(),
            cell: *cell,
            seeds: outcomes.len(),
            first_change_us: some(&|one| one.first_change_us),
            full_again_us: some(&|one| one.full_again_us),
            reverse_packets: figure(&|one| one.reverse_packets as f64),
            cnps: figure(&|one| one.cnps as f64),
            data_packets: figure(&|one| one.data_packets as f64),
            utilisation: figure(&|one| one.utilisation),
            utilisation_in_burst: some(&|one| one.utilisation_in_burst),
            queue_mean_kb: figure(&|one| one.queue_mean_kb),
            queue_p99_kb: figure(&|one| one.queue_p99_kb),
            overflows: figure(&|one| one.overflows as f64),
            resent: figure(&|one| one.resent as f64),
            unfinished: outcomes.iter().map(|one| one.unfinished).sum(),
            tail_ms: some(&|one| one.tail_ms),
        }
    }

    /// A line for people, under [`BURST_HEAD`] or [`INCAST_HEAD`].
    pub fn line(&self) -> String {
        let maybe = |figure: &Option<Figure>, digits| figure.as_ref().map_or("-".to_string(), |figure| number(figure, digits));
        let cells = match self.cell.case {
            Case::Burst { senders } => vec![
                senders.to_string(),
                self.name.to_string(),
                maybe(&self.first_change_us, 1),
                maybe(&self.full_again_us, 1),
                number(&self.reverse_packets, 0),
                format!("{:.0}", self.cnps.mean),
                format!("{:.0}", self.data_packets.mean),
                number(&self.utilisation, 3),
                maybe(&self.utilisation_in_burst, 3),
                number(&self.queue_mean_kb, 0),
                number(&self.queue_p99_kb, 0),
                format!("{:.0}", self.overflows.mean),
            ],
            Case::Incast { senders } => {
                let mega = |figure: &Figure| number(&Figure { mean: figure.mean / 1000.0, half: figure.half.map(|half| half / 1000.0) }, 1);
                vec![
                    senders.to_string(),
                    self.name.to_string(),
                    maybe(&self.tail_ms, 1),
                    self.unfinished.to_string(),
                    maybe(&self.first_change_us, 0),
                    number(&self.reverse_packets, 0),
                    format!("{:.0}", self.cnps.mean),
                    number(&self.utilisation, 3),
                    mega(&self.queue_mean_kb),
                    mega(&self.queue_p99_kb),
                    format!("{:.0}", self.overflows.mean),
                    format!("{:.0}", self.resent.mean),
                ]
            }
        };
        format!("| {} |", cells.join(" | "))
    }
}
