//! The bench of the op table is alive: deliberate faults in the elaborated table, each of which it must find.

use rdma_rtl_golden::send::op_table::Params;
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, Version, fault, less, missed_values, one, ones, zero};
use rdma_rtl_tb::send::op_table::directed;
use rdma_rtl_tb::send::op_table::mixture::{Mix, run};

const FAULTS: &[Fault] = &[
    fault("generations are not compared", "ack_facts", "current5", one),
    fault("packets that were not sent count", "ack_facts", "bits5", ones),
    fault("a remote completion counts before all is sent", "ack_facts", "s6_all_sent", one),
    fault("what has ended is live", "ack_mask", "live", one),
    fault("an acknowledgement right behind another one of the op does not see it", "ack_mask", "same7", zero),
    fault("nor one two clocks behind", "ack_mask", "same8", zero),
    fault("nor one three clocks behind", "ack_mask", "word_same9", zero),
    fault("any bit is the last", "ack_mask", "word_full", one),
    fault("a failure does not ask whether its packet is acknowledged", "ack_mask", "any_fresh", one),
    fault("failures wait for a clock without an acknowledgement", "ack_intake", "waited", zero),
    fault("timers run out at once", "deadline_scan", "expired4", ones),
    fault("timers never run out", "deadline_scan", "expired4", zero),
    fault("timers of packets that were not sent run", "deadline_scan", "sent_eighth3", ones),
    fault("a packet is asked for again and again", "deadline_scan", "fired_bits", zero),
    fault("a word is visited while it is under way", "deadline_scan", "meets", zero),
    fault("deadlines lie a tick too early", "deadline_writer", "deadline2", less),
    fault("a timer is not started again", "deadline_writer", "epoch2", zero),
    fault("packets of an earlier op of the index count as sent", "deadline_writer", "phase2", one),
    fault("negative acknowledgements are forgotten", "nack_queue", "wants", zero),
    fault("the number of a try stands still", "scan_hits", "attempt", zero),
    fault("retransmissions are not checked when they are taken out", "retry_queue", "good", one),
    fault("an op ends while it is to be sent again", "op_ends", "clear_of_retry", one),
    fault("end and release in one clock lose the index", "op_ends", "same", zero),
    fault("aborts are not told", "op_ends", "abort_valid", zero),
];

/// What only many generations show.
const USES: &[Fault] = &[
    fault("an index may be used at any time", "op_allocator", "may3", one),
    fault("an index that had to wait never goes", "op_allocator", "aged", zero),
];

fn hold(make: &dyn Fn() -> Version) -> Result<(), String> {
    let params = Params::SMALL;
    let mut model = make();
    for (what, situation) in directed::ALL {
        situation(&mut model, params).map_err(|difference| format!("{what}: {difference}"))?;
    }
    (1..40).try_for_each(|seed| run(&mut model, params, Mix::random(params, 600, seed), seed).map(|_| ()))
}

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("op_table", "small").unwrap().elaborate().unwrap();
    let mut missed = missed_values(&good, FAULTS, hold);
    let good = catalogue::find("op_table", "large").unwrap().elaborate().unwrap();
    missed.extend(missed_values(&good, USES, |make| directed::too_often(&mut make(), Params::LARGE)));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
