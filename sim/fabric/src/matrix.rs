//! The matrix: which cells there are, what their figures are, and what must hold of them.

use super::cell::{Cell, Outcome, Variant};
use super::stats::{interval, quantile};
use serde::Serialize;

/// Which cells are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// one way of the long haul, microseconds
    pub delays: Vec<u64>,
    pub losses: Vec<f64>,
    pub loads: Vec<f64>,
    /// flows of a job
    pub flows: usize,
    /// seeds are 1 to this one
    pub seeds: u64,
}

/// Cells with the same network and the same arrivals, Go-Back-N and ideal selective repeat first.
pub type Group = Vec<(&'static str, Cell)>;

impl Plan {
    /// All variants at 400 us and a loss of 1e-2, those of the core elsewhere.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        for &load in &self.loads {
            for &delay in &self.delays {
                for &loss in &self.losses {
                    let all = delay == 400 && loss == 0.01;
                    let count = if all { Variant::ALL.len() } else { 5 };
                    let cell = |variant| Cell { flows: self.flows, ..Cell::core(variant, delay, loss, load) };
                    let mut group: Group = Variant::ALL[..count].iter().map(|&variant| (variant.name(), cell(variant))).collect();
                    if all {
                        group.push(("LR2 literal", Cell { literal: true, ..cell(Variant::Lr2) }));
                    }
                    groups.push(group);
                }
            }
        }
        groups
    }
}

/// A mean over seeds and half of its 95 % interval, which one seed does not have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    pub mean: f64,
    pub half: Option<f64>,
}

impl Figure {
    pub fn of(values: &[f64]) -> Figure {
        let (mean, half) = interval(values);
        Figure { mean, half }
    }
}

/// Where a figure lies beside the source's band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Band {
    Below,
    Inside,
    Above,
}

impl Band {
    fn of(value: f64, low: f64, high: f64) -> Band {
        match value {
            value if value < low => Band::Below,
            value if value > high => Band::Above,
            _ => Band::Inside,
        }
    }
}

/// The figures of one cell. Times are of flows that have finished, at the receiver.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub name: &'static str,
    pub cell: Cell,
    pub seeds: usize,
    pub mean_us: Figure,
    pub p50_us: f64,
    pub p99_us: f64,
    pub p999_us: f64,
    /// by how much the mean is lower than Go-Back-N's
    pub reduction: Figure,
    /// that of flows above 500 KB
    pub long_reduction: Figure,
    /// that of the 99th percentile
    pub tail_reduction: Figure,
    /// the reduction as a share of ideal selective repeat's
    pub share_of_ideal: Option<Figure>,
    /// the source's 40 to 70 % and 36 to 74 %, where it measured
    pub band: Option<Band>,
    pub tail_band: Option<Band>,
    /// bytes of packets that arrived, each once, per byte on the long haul
    pub efficiency: Figure,
    pub utilisation: Figure,
    pub unfinished: u64,
    pub failed: u64,
    pub timeouts: u64,
    /// packets beyond a gap, and NAKs, of the receiving cards
    pub card_beyond: u64,
    pub card_naks: u64,
    pub packets: u64,
    pub peak_pool_bytes: Option<u64>,
    pub peak_backup_bytes: Option<u64>,
    /// more is offered than Go-Back-N can carry
    pub saturated: bool,
}

fn mean(outcome: &Outcome, least: u64) -> f64 {
    let times = outcome.received.iter().zip(&outcome.bytes).filter(|(_, bytes)| **bytes >= least);
    let known: Vec<f64> = times.filter_map(|(time, _)| *time).collect();
    known.iter().sum::<f64>() / known.len() as f64
}

fn tail(outcome: &Outcome) -> f64 {
    quantile(&mut outcome.received.iter().flatten().copied().collect::<Vec<_>>(), 0.99)
}

impl Row {
    /// Of a cell, of Go-Back-N and of ideal selective repeat with the same seeds.
    pub fn new(name: &'static str, cell: &Cell, outcomes: &[Outcome], base: &[Outcome], ideal: &[Outcome]) -> Row {
        let lower = |what: &dyn Fn(&Outcome) -> f64| {
            Figure::of(&outcomes.iter().zip(base).map(|(one, base)| 1.0 - what(one) / what(base)).collect::<Vec<_>>())
        };
        let shares: Vec<f64> = outcomes
            .iter()
            .zip(base)
            .zip(ideal)
            .map(|((one, base), ideal)| (mean(base, 0) - mean(one, 0)) / (mean(base, 0) - mean(ideal, 0)))
            .collect();
        let figure = |what: &dyn Fn(&Outcome) -> f64| Figure::of(&outcomes.iter().map(what).collect::<Vec<_>>());
        let sum = |what: &dyn Fn(&Outcome) -> u64| outcomes.iter().map(what).sum::<u64>();
        let peak = |name: &str| outcomes.iter().filter_map(|one| one.far.get(name).copied()).max();
        let mut times: Vec<f64> = outcomes.iter().flat_map(|one| one.received.iter().flatten().copied()).collect();
        let (reduction, tail_reduction) = (lower(&|one| mean(one, 0)), lower(&tail));
        let boxes = !matches!(cell.variant, Variant::GoBackN | Variant::Ideal | Variant::Code);
        let measured = boxes && cell.loss >= 1e-3 && (400..=800).contains(&cell.delay);
        let base_efficiency = interval(&base.iter().map(|one| one.efficiency).collect::<Vec<_>>()).0;
        Row {
            name,
            cell: *cell,
            seeds: outcomes.len(),
            mean_us: figure(&|one| mean(one, 0)),
            p50_us: quantile(&mut times, 0.5),
            p99_us: quantile(&mut times, 0.99),
            p999_us: quantile(&mut times, 0.999),
            reduction,
            long_reduction: lower(&|one| mean(one, 500_000)),
            tail_reduction,
            share_of_ideal: (cell.loss > 0.0).then(|| Figure::of(&shares)),
            band: measured.then(|| Band::of(reduction.mean, 0.4, 0.7)),
            tail_band: measured.then(|| Band::of(tail_reduction.mean, 0.36, 0.74)),
            efficiency: figure(&|one| one.efficiency),
            utilisation: figure(&|one| one.utilisation),
            unfinished: sum(&|one| one.unfinished),
            failed: sum(&|one| one.failed),
            timeouts: sum(&|one| one.timeouts),
            card_beyond: sum(&|one| one.card_beyond),
            card_naks: sum(&|one| one.card_naks),
            packets: sum(&|one| one.packets),
            peak_pool_bytes: peak("peak_bytes"),
            peak_backup_bytes: peak("peak_backup_bytes"),
            saturated: cell.load / base_efficiency > 0.95,
        }
    }

    /// A line for people, under [`HEAD`].
    pub fn line(&self) -> String {
        let percent = |figure: &Figure| {
            let half = figure.half.map_or(String::new(), |half| format!(" ±{:.1}", 100.0 * half));
            format!("{:.1}{half}", 100.0 * figure.mean)
        };
        let band = |band: Option<Band>| band.map_or("", |band| [" below", " inside", " above"][band as usize]);
        format!(
            "| {} | {} | {} | {} | {} | {:.2} | {:.2} | {}{} | {}{} | {} | {:.3} | {} | {} | {} | {} |{}",
            self.name,
            self.cell.delay,
            self.cell.loss,
            self.cell.load,
            self.seeds,
            self.mean_us.mean / 1000.0,
            self.p99_us / 1000.0,
            percent(&self.reduction),
            band(self.band),
            percent(&self.tail_reduction),
            band(self.tail_band),
            self.share_of_ideal.map_or(String::new(), |share| format!("{:.2}", share.mean)),
            self.efficiency.mean,
            self.unfinished,
            self.timeouts,
            self.card_naks,
            self.peak_pool_bytes.map_or(String::new(), |bytes| (bytes / 1000).to_string()),
            if self.saturated { " saturated" } else { "" }
        )
    }
}

/// Heading of the table for people.
pub const HEAD: &str = "\
| variant | delay us | loss | load | seeds | mean ms | p99 ms | mean lower by % | p99 lower by % | of ideal | efficiency | unfinished | time-outs \
| card NAKs | pool KB |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// Something that must hold, and whether it does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    pub what: String,
    pub value: f64,
    pub bound: f64,
    /// `None`: one seed has no interval to judge by
    pub holds: Option<bool>,
}

/// What must hold of ours with cards as they are, and where said, with aware ones: the contract's figures.
pub fn checks(rows: &[Row]) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut check = |what: String, value: f64, bound: f64, holds: Option<bool>| checks.push(Check { what, value, bound, holds });
    let place = |cell: &Cell| format!("{} us, loss {}, load {}", cell.delay, cell.loss, cell.load);
    for row in rows.iter().filter(|row| matches!(row.name, "LR2 standard" | "LR2 aware")) {
        let at = format!("{}, {}", row.name, place(&row.cell));
        check(format!("flows that have not finished, {at}"), row.unfinished as f64, 0.0, Some(row.unfinished == 0));
        if row.cell.local_loss == 0.0 {
            let beyond = row.card_beyond as f64;
            check(format!("packets beyond a gap at the receiving card, {at}"), beyond, 0.0, Some(row.card_beyond == 0));
        }
        if row.cell.variant != Variant::Lr2 {
            continue;
        }
        if row.cell.loss <= 0.01 {
            check(format!("efficiency of the long haul, {at}"), row.efficiency.mean, 0.9, Some(row.efficiency.mean >= 0.9));
        }
        let worst = row.reduction.half.map(|half| row.reduction.mean + half >= 0.0);
        check(format!("reduction of completion time beside Go-Back-N, {at}"), row.reduction.mean, 0.0, worst);
        let bound = [(1e-3, 0.4), (3e-3, 0.6), (1e-2, 0.75)].into_iter().find(|(loss, _)| *loss == row.cell.loss);
        if let (Some((_, bound)), Some(share), 400) = (bound, row.share_of_ideal, row.cell.delay) {
            check(format!("share of ideal selective repeat's reduction, {at}"), share.mean, bound, Some(share.mean >= bound));
        }
        // the next higher loss of the same place
        let same = |other: &&Row| other.name == row.name && other.cell.delay == row.cell.delay && other.cell.load == row.cell.load;
        let higher = rows.iter().filter(same).filter(|other| other.cell.loss > row.cell.loss);
        if let Some(higher) = higher.min_by(|one, other| one.cell.loss.total_cmp(&other.cell.loss)) {
            let (value, bound) = (higher.reduction.mean, row.reduction.mean);
            check(format!("advantage at loss {} beside that at less, {at}", higher.cell.loss), value, bound, Some(value >= bound));
        }
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(loss: f64, reduction: f64) -> Row {
        let plan = Plan { delays: vec![600], losses: vec![loss], loads: vec![0.3], flows: 30, seeds: 1 };
        let groups = plan.groups();
        let run = |at: usize| vec![groups[0][at].1.run(3).expect("a cell runs")];
        let mut row = Row::new(groups[0][2].0, &Cell { delay: 400, ..groups[0][2].1 }, &run(2), &run(0), &run(1));
        row.reduction = Figure { mean: reduction, half: Some(0.01) };
        row.share_of_ideal = Some(Figure { mean: 0.9, half: None });
        row.efficiency.mean = 0.95;
        row
    }

    fn failed(rows: &[Row]) -> usize {
        checks(rows).iter().filter(|check| check.holds == Some(false)).count()
    }

    #[test]
    fn each_check_fails_when_its_figure_is_wrong() {
        let good = [row(1e-3, 0.3), row(1e-2, 0.6)];
        assert_eq!((checks(&good).len(), failed(&good)), (11, 0), "{:?}", checks(&good));
        let spoilt: [fn(&mut Row); 6] = [
            |row| row.unfinished = 1,
            |row| row.card_beyond = 1,
            |row| row.efficiency.mean = 0.89,
            |row| row.reduction.mean = -0.02,
            |row| row.share_of_ideal = Some(Figure { mean: 0.39, half: None }),
            |row| row.reduction.mean = 0.61,
        ];
        for (number, spoil) in spoilt.iter().enumerate() {
            let mut rows = good.clone();
            spoil(&mut rows[0]);
            assert_eq!(failed(&rows), 1, "{number}");
        }
        // one seed says nothing of an interval
        let mut alone = good.clone();
        alone[0].reduction = Figure { mean: -0.5, half: None };
        assert!(checks(&alone).iter().any(|check| check.holds.is_none()) && failed(&alone) == 0);
    }

    #[test]
    fn the_core_has_its_cells_and_every_cell_its_line() {
        let plan = Plan { delays: vec![400, 600, 800], losses: vec![0.0, 1e-3, 3e-3, 1e-2], loads: vec![0.3, 0.5], flows: 30, seeds: 1 };
        let groups = plan.groups();
        assert_eq!((groups.len(), groups.iter().map(Vec::len).sum::<usize>()), (24, 22 * 5 + 2 * 12));
        let columns = |line: &str| line.matches('|').count();
        assert_eq!(columns(&row(1e-3, 0.3).line()), columns(HEAD.lines().next().unwrap_or_default()));
    }
}
