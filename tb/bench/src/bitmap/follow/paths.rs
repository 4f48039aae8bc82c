//! What is known of paths: their registers, and what the hardware tells of each.

use super::super::Header;
use super::Follow;
use rdma_rtl_golden::bitmap::{PathMode, Verdict};

/// Ports that a block has for several paths.
pub(super) const PORTS: [&str; 12] = [
    "command_path_mode",
    "stripe",
    "relax",
    "overtake",
    "path_idle",
    "ffm_path",
    "evt_arrival",
    "evt_duplicate",
    "arrival_path",
    "gap_path",
    "misjudged_path",
    "path_lost",
];

impl Follow<'_> {
    pub(super) fn path_registers(&mut self) {
        let config = self.config;
        for (name, value) in [
            ("stripe", config.stripe.trailing_zeros()),
            ("relax", config.relax),
            ("overtake", config.overtake),
            ("path_idle", config.path_idle),
        ] {
            self.bench.set(name, value.into());
        }
    }

    fn many(&self) -> bool {
        self.bench.golden.params().paths > 1
    }

    /// Whose packets say over which path they came.
    pub(super) fn has_tags(&self, qp: u32) -> bool {
        self.many() && self.bench.mode(qp) == PathMode::Tagged
    }

    /// Path of the packet that had its verdict now, by what the model counts since, and whether it was a duplicate.
    pub(super) fn arrived(&mut self, verdict: Option<(Header, Verdict)>) -> Option<Option<(u8, bool)>> {
        let Some((header, verdict)) = verdict.filter(|&(_, verdict)| self.many() && verdict != Verdict::UnknownQp) else {
            return Some(None);
        };
        let now: Vec<u64> = self.bench.golden.path_statistics(header.qp).iter().map(|path| path.arrivals).collect();
        let before = self.arrivals.entry(header.qp).or_default();
        if now.iter().sum::<u64>() == 1 || before.is_empty() {
            *before = vec![0; now.len()];
        }
        let path = before.iter().zip(&now).position(|(before, now)| before != now)?;
        *before = now;
        Some(Some((path as u8, verdict == Verdict::Duplicate)))
    }

    /// What is told of paths, in the clock after the verdict.
    pub(super) fn on_path(&mut self) -> Result<(), String> {
        if !self.many() {
            return Ok(());
        }
        let told = (self.bench.get("evt_arrival") == 1).then(|| (self.get("arrival_path") as u8, self.bench.get("evt_duplicate") == 1));
        if let Some(expected) = self.delivered
            && told != expected
        {
            return Err(format!("path and duplicate of an arrival are {told:?}, the model has {expected:?}"));
        }
        if let Some((path, duplicate)) = told {
            self.on_paths[usize::from(path)].arrivals += 1;
            self.on_paths[usize::from(path)].duplicates += u64::from(duplicate);
        }
        for (event, port) in [("evt_gap", "gap_path"), ("evt_misjudged", "misjudged_path")] {
            if self.bench.get(event) == 1 {
                let path = self.bench.get(port) as usize;
                let Some(path) = self.on_paths.get_mut(path) else { return Err(format!("`{port}` is {path}")) };
                *(if event == "evt_gap" { &mut path.gaps } else { &mut path.misjudged }) += 1;
            }
        }
        let words = self.bench.words("path_lost");
        let mut sum = 0;
        for (path, told) in self.on_paths.iter_mut().enumerate() {
            let lost = (0..5).fold(0, |lost, bit| lost | u64::from(words[(5 * path + bit) / 32] >> ((5 * path + bit) % 32) & 1) << bit);
            told.losses += lost;
            sum += lost;
        }
        if sum != self.bench.get("evt_lost") {
            return Err(format!("{sum} gaps of all paths are lost, and {} together", self.bench.get("evt_lost")));
        }
        Ok(())
    }
}
