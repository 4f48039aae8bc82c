//! The bench of the send bitmaps is alive: deliberate faults in the elaborated block, each of which it must find.

use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, Version, fault, less, missed_values, more, one, ones, zero};
use rdma_rtl_tb::send_bitmap::mixture::{Mix, run};
use rdma_rtl_tb::send_bitmap::{Shape, situations};

const FAULTS: &[Fault] = &[
    fault("a number right behind another one is the same", "send_window", "write1", zero),
    fault("a full window gives out numbers", "send_window", "is_full1", zero),
    fault("sending goes on during operations", "send_window", "blocked1", zero),
    fault("closed queue pairs send", "send_window", "may1", one),
    fault("an acknowledgement of anything is taken", "feedback_check", "edge_in2", one),
    fault("the end of the window is beyond it", "feedback_check", "edge_in2", zero),
    fault("a range of any length is taken", "feedback_check", "length_in2", one),
    fault("a range beyond the window is taken", "feedback_check", "beyond", zero),
    fault("ranges that begin below the base are nothing", "feedback_check", "start_in2", zero),
    fault("the window never moves", "feedback_check", "moves3", zero),
    fault("the window moves back", "feedback_check", "moves3", one),
    fault("what the receiver has told is forgotten", "feedback_check", "new_told", zero),
    fault("the window is one packet longer", "feedback_check", "allowed1", more),
    fault("a segment's packets are all of one round", "segment_masks", "lap", zero),
    fault("the first segment is whole", "segment_masks", "is_first3", zero),
    fault("segments between the bounds are left out", "segment_masks", "after2", zero),
    fault("acknowledged edges end at a segment", "segment_masks", "below", zero),
    fault("what was sent again never grows older", "packet_states", "periods3", zero),
    fault("what was sent again is old at once", "packet_states", "periods3", ones),
    fault("ages stay in the old word", "packet_states", "wide_period", zero),
    fault("the first packet that is not acknowledged is that of the last segment", "packet_states", "is_open", zero),
    fault("what ceases to be pending is not counted", "packet_states", "ceased_count", zero),
    fault("what becomes pending is not counted", "packet_states", "begun_count", zero),
    fault("what was sent again is not counted", "packet_states", "again_count", zero),
    fault("what was suspected is not sent again", "state_change", "first", zero),
    fault("acknowledged packets are sent again", "state_change", "acknowledged", zero),
    fault("pending packets are asked for twice", "state_change", "pending", zero),
    fault("feedback asks again too soon", "state_change", "long_ago", ones),
    fault("a walk begins with the range though the base moves", "send_bitmap", "skip", one),
    fault("every walk begins with the base", "send_bitmap", "skip", zero),
    fault("timers suspect nothing", "state_change", "to_suspected", zero),
    fault("two periods are one", "state_ages", "now2", zero),
    fault("the oldest age is lost", "state_ages", "now3", zero),
    fault("periods do not pass", "dedup_periods", "period", zero),
    fault("who is pending waits for ever", "rtx_coordinator", "waited", zero),
    fault("who is pending never waits", "rtx_coordinator", "waited", one),
    fault("any number goes together", "rtx_coordinator", "stop", zero),
    fault("packets between two others end a run", "rtx_coordinator", "reach", zero),
    fault("a run is one packet longer", "rtx_coordinator", "length", more),
    fault("any number is sent again", "rtx_coordinator", "room1", ones),
    fault("runs end with the segment", "rtx_coordinator", "is_end", one),
    fault("timers run out at once", "retry_timers", "is_late", one),
    fault("timers never run out", "retry_timers", "is_late", zero),
    fault("timers of empty windows run", "retry_timers", "is_out", one),
    fault("every time is the last", "retry_timers", "fire_last", one),
    fault("no time is the last", "retry_timers", "fire_last", zero),
    fault("a timer does not double", "retry_timers", "new_patience", less),
    fault("a timer's notice is not seen", "retry_timers", "meets", zero),
    fault("what is saved up has no limit", "token_bucket", "room", ones),
    fault("packets sent again cost nothing", "token_bucket", "spent", zero),
    fault("what was reserved is not given back", "token_bucket", "back1", zero),
    fault("tokens are not kept for what is sent again", "send_bitmap", "starved", zero),
    fault("new packets go first", "send_bitmap", "hold", zero),
    fault("who is pending is queued again and again", "send_bitmap", "new_queued", zero),
    fault("who was queued is never again", "send_bitmap", "new_queued", one),
    fault("results are taken before they are there", "send_bitmap", "is_known", one),
    fault("an error is told again and again", "send_bitmap", "new_failed", zero),
    fault("the base is not told to the timer", "send_bitmap", "moved", zero),
    fault("one reason for all", "send_bitmap", "reason", zero),
];

fn hold(make: &dyn Fn() -> Version) -> Result<(), String> {
    let shape = Shape { queue_pairs: 16, window: 128, segment: 64 };
    let mut model = make();
    for (what, situation) in situations::ALL {
        situation(&mut model, shape).map_err(|difference| format!("{what}: {difference}"))?;
    }
    let clocks = situations::acknowledgements(&mut model, shape, 1)?;
    if clocks > 20 {
        return Err(format!("an acknowledgement takes {clocks} clocks"));
    }
    let clocks = situations::ranges(&mut model, shape)?;
    if clocks > 21 {
        return Err(format!("a range acknowledgement takes {clocks} clocks"));
    }
    (1..16).try_for_each(|seed| run(&mut model, shape, Mix::random(shape, 8000, seed), seed).map(|_| ()))
}

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("send_bitmap", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, hold);
    assert!(missed.is_empty(), "not found: {missed:?}");
}
