//! How long a window is to be.

/// What the length of a window is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// bytes per tick
    pub bandwidth: u64,
    /// ticks
    pub rtt: u64,
    /// payload bytes of a packet
    pub mtu: u32,
    /// sixteenths
    pub headroom: u32,
    /// sixteenths
    pub load: u32,
    /// sixteenths that congestion takes away
    pub congestion: u32,
}

/// Segments of a window: the packets of one bandwidth-delay product with headroom, between `base` and `max` segments.
pub fn target_segments(demand: &Demand, segment_packets: u32, base: u32, max: u32) -> u32 {
    let packets = (u128::from(demand.bandwidth) * u128::from(demand.rtt)).div_ceil(demand.mtu.max(1).into());
    let sixteenths = |value: u128, by: u32| (value * u128::from(by)).div_ceil(16);
    let wanted = sixteenths(sixteenths(packets, demand.headroom), demand.load);
    let wanted = sixteenths(wanted, 16 - demand.congestion.min(16));
    let segments = wanted.div_ceil(segment_packets.into());
    segments.clamp(base.into(), max.max(base).into()) as u32
}

/// Credit code of an acknowledgement: `2^code` packets may be sent from the base on.
pub fn credits(open: u32) -> u8 {
    open.max(1).ilog2() as u8
}
