//! What passes between the parts of a receive bitmap, and out of it.

use crate::Bundle;
use rust_hdl::prelude::*;

/// What the gap records have to know of a packet.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "GapEventSink"]
#[mirror]
pub struct GapEvent<const INDEX_BITS: usize> {
    /// an event is there
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// 0 judge, 1 gap, 2 fill, 3 clear, 4 rebuild, 5 look
    pub kind: Signal<Out, Bits<3>>,
    /// queue pair
    pub qp: Signal<Out, Bits<INDEX_BITS>>,
    /// the packet; of a clear the first
    pub psn: Signal<Out, Bits<24>>,
    /// highest number before
    pub before: Signal<Out, Bits<24>>,
    /// accepted packets, this one included
    pub count: Signal<Out, Bits<24>>,
    /// it has been sent before
    pub retransmission: Signal<Out, Bit>,
}

/// What the engine asks of who lags behind.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "LagLookSink"]
#[mirror]
pub struct LagLook<const INDEX_BITS: usize> {
    /// a queue pair is to be looked at
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// the queue pair lags
    pub lag: Signal<Out, Bit>,
    /// or a trigger came too late
    pub late: Signal<Out, Bit>,
    /// index of the queue pair
    pub qp: Signal<Out, Bits<INDEX_BITS>>,
    /// its accepted packets
    pub count: Signal<Out, Bits<24>>,
}

/// Depth at which the records of a queue pair are to be judged.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "TriggerWriteSink"]
#[mirror]
pub struct TriggerWrite<const INDEX_BITS: usize> {
    /// the trigger of a queue pair is written
    pub write: Signal<Out, Bit>,
    /// index of the queue pair
    pub qp: Signal<Out, Bits<INDEX_BITS>>,
    /// a gap waits
    pub any: Signal<Out, Bit>,
    /// first number of the gap, or its reference
    pub value: Signal<Out, Bits<24>>,
}

/// Highest number and arrivals of a queue pair, read by its index.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "GapLevelsSink"]
#[mirror]
pub struct GapLevels<const INDEX_BITS: usize> {
    /// queue pair whose state is read
    pub qp: Signal<Out, Bits<INDEX_BITS>>,
    /// its highest number, 2 clocks later
    pub max: Signal<In, Bits<24>>,
    /// its accepted packets
    pub count: Signal<In, Bits<24>>,
}

/// Whether a queue pair lags behind, read as its records are scanned.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "ScanLagSink"]
#[mirror]
pub struct ScanLag<const INDEX_BITS: usize> {
    /// queue pair that is looked at
    pub qp: Signal<Out, Bits<INDEX_BITS>>,
    /// it lags, and no rebuild of it has been asked for, same clock
    pub lags: Signal<In, Bit>,
    /// the look at it begins
    pub begins: Signal<Out, Bit>,
}

/// Feedback messages: what is lost.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "LossMessagesSink"]
#[mirror]
pub struct LossMessages<const INDEX_BITS: usize> {
    /// a feedback message
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// index of the queue pair
    pub qp: Signal<Out, Bits<INDEX_BITS>>,
    /// first packet of the gap
    pub start: Signal<Out, Bits<24>>,
    /// packets of the gap
    pub length: Signal<Out, Bits<24>>,
    /// highest number received
    #[port = "edge"]
    pub highest: Signal<Out, Bits<24>>,
    /// first packet that is missing
    pub base: Signal<Out, Bits<24>>,
    /// ticks
    pub timestamp: Signal<Out, Bits<32>>,
    /// 0 depth, 1 age, 2 stall, 4 repeated
    pub status: Signal<Out, Bits<3>>,
    /// depth of the gap, 65535 if it is more
    pub depth: Signal<Out, Bits<16>>,
    /// messages about it after the first
    pub repeat: Signal<Out, Bits<8>>,
    /// misjudgements of the queue pair
    pub misjudged: Signal<Out, Bits<24>>,
}

/// Range acknowledgements.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "RangeMessagesSink"]
#[mirror]
pub struct RangeMessages<const INDEX_BITS: usize> {
    /// a range acknowledgement
    #[gated]
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    #[gated]
    pub ready: Signal<In, Bit>,
    /// index of the queue pair
    pub qp: Signal<Out, Bits<INDEX_BITS>>,
    /// first packet that is missing
    pub base: Signal<Out, Bits<24>>,
    /// first packet of the range, all of which has arrived
    pub start: Signal<Out, Bits<24>>,
    /// packets of the range
    pub length: Signal<Out, Bits<24>>,
}
