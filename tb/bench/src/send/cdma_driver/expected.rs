//! What the specification says becomes of each load, from the faults alone: without a clock.

use super::{Run, is_refused};
use rdma_rtl_sim::cdma::Fault;

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// by load: 0, 33, 34, 35
    pub statuses: Vec<u64>,
    /// errors of the engine
    pub errors: u64,
    /// descriptors completed
    pub descriptors: u64,
    pub dead: bool,
}

/// The loads in order, their descriptors one by one: one that fails with its data fails at once, one without a status at the second time in
/// a row, one whose status was written is done whatever comes after; `error_limit` errors in a row end it all.
pub fn expect(run: &Run) -> Expected {
    let mask = (1u64 << run.cdma.length_bits) - 1;
    let mut result = Expected::default();
    let (mut begun, mut row) = (0, 0);
    for load in &run.loads {
        if is_refused(load, mask, run.wide) {
            result.statuses.push(35);
            continue;
        }
        let mut status = 0;
        for _ in 0..load.descriptors() {
            let (mut tries, mut over) = (0, false);
            while !over && !result.dead {
                let fault = run.faults.iter().find(|(at, _)| *at == begun).map(|f| f.1);
                begun += 1;
                tries += 1;
                let completes = matches!(fault, None | Some(Fault::StatusSlave { written: true } | Fault::StatusDecode { written: true }));
                if completes {
                    result.descriptors += 1;
                    row = 0;
                }
                let Some(fault) = fault else {
                    over = true;
                    continue;
                };
                result.errors += 1;
                row += 1;
                let fails = !completes && (fault.in_status() || tries == 2);
                if fails {
                    status = 34;
                }
                over = completes || fails;
                // The one that failed has failed; what is behind it meets a dead engine.
                result.dead = row >= run.error_limit.max(1);
            }
            if !over {
                status = 33;
            }
        }
        result.statuses.push(status);
    }
    result
}
