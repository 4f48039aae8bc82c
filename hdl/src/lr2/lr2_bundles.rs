use crate::Bundle;
use crate::sizes::*;
use rust_hdl::prelude::*;

/// What the headers of a frame say, one transfer a frame.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "Lr2HeadsSink"]
#[mirror]
pub struct Lr2Heads {
    /// the head of the next frame is there
    pub valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `valid` is high too
    pub ready: Signal<In, Bit>,
    /// its last beat says that the frame is bad
    pub bad: Signal<Out, Bit>,
    /// `LR2_DATA`, `LR2_REQUEST`, `LR2_ACK`, `LR2_RESPONSE`, `LR2_NAK`, `LR2_REFUSAL`, `LR2_PROBE`, `LR2_RNR`, `LR2_GAP`, `LR2_CNP`, or
    /// `LR2_ELSE`: then nothing of the following counts
    pub kind: Signal<Out, Bits<4>>,
    /// of a NAK, RNR apart: 0 a card's, 1 a Sentry's, 2 a Depot's
    pub origin: Signal<Out, Bits<2>>,
    /// IPv6, else IPv4
    pub six: Signal<Out, Bit>,
    /// source; of IPv4 the low 32 bits, the others 0
    pub source: Signal<Out, Bits<128>>,
    /// destination, likewise
    pub destination: Signal<Out, Bits<128>>,
    /// destination queue pair
    pub qp: Signal<Out, Bits<24>>,
    /// PSN; of a probe `ePSN_s`
    pub psn: Signal<Out, Bits<24>>,
    /// bytes that a READ request asks for; 0 of every other packet
    pub read: Signal<Out, Bits<32>>,
    /// a SEND or WRITE that asks for an acknowledgement or is the last of its message
    pub asks: Signal<Out, Bit>,
    /// message sequence number of an acknowledgement or NAK
    pub msn: Signal<Out, Bits<24>>,
    /// low five bits of its syndrome: credits of an acknowledgement
    pub credits: Signal<Out, Bits<5>>,
    /// of `LR2_GAP`: first PSN of the gap,
    pub gap_start: Signal<Out, Bits<24>>,
    /// its length,
    pub gap_length: Signal<Out, Bits<24>>,
    /// `ePSN_D`
    pub gap_border: Signal<Out, Bits<24>>,
    /// byte of the frame at which UDP begins
    pub offset: Signal<Out, Bits<7>>,
}

/// An entry of a flow is written or cleared, as the table sees it; all of it stays until it is ready. What else is in it is `FlowEntry`.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FlowWriter"]
#[mirror]
pub struct FlowWrites {
    /// an entry is written or cleared
    pub valid: Signal<In, Bit>,
    /// it is done in this clock
    pub ready: Signal<Out, Bit>,
    /// with `ready`: it has no place
    pub refused: Signal<Out, Bit>,
    /// number of the flow
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    /// there is one; else it is cleared
    pub set: Signal<In, Bit>,
    /// path MTU: 0 of 256 bytes to 4 of 4096
    pub mtu: Signal<In, Bits<3>>,
    /// destination queue pair of the onward direction
    pub qp: Signal<In, Bits<24>>,
}

/// What a flow's frames for its sending card are made of, as whoever keeps it sees it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FlowEntryReader"]
#[mirror]
pub struct FlowEntry {
    /// IPv6, else IPv4
    pub six: Signal<In, Bit>,
    /// source of the onward direction; of IPv4 the low 32 bits, the others 0
    pub source: Signal<In, Bits<128>>,
    /// destination of the onward direction, likewise
    pub destination: Signal<In, Bits<128>>,
    /// queue pair of the sending card
    pub peer_qp: Signal<In, Bits<24>>,
    /// partition key
    pub partition_key: Signal<In, Bits<16>>,
    /// UDP source port of the back direction
    pub udp_source: Signal<In, Bits<16>>,
    /// destination MAC of the back direction, first byte in the highest bits
    pub to_mac: Signal<In, Bits<48>>,
    /// source MAC of the back direction
    pub from_mac: Signal<In, Bits<48>>,
}
