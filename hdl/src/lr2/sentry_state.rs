use crate::Bundle;
use rust_hdl::prelude::*;

/// What a Sentry keeps of a flow, as whoever reads it sees it. A time counts only where its flag is set, and a PSN of an episode only
/// within one.
///
/// Spec: LR2, "Sentry"; "No NAK made in the network may acknowledge what the card has not".
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "SentryStateWriter"]
#[mirror]
pub struct SentryState {
    /// the registers have values; else the next packet sets them
    pub begun: Signal<In, Bit>,
    /// `una` is known, and not only the first packet that was seen
    pub sure: Signal<In, Bit>,
    /// packets pass untouched until the entry is written anew
    pub bypass: Signal<In, Bit>,
    /// the last packet was too far away
    pub strange: Signal<In, Bit>,
    /// a replay that no NACK of the network asks for: 0 none, 1 expected, 2 under way
    pub excuse: Signal<In, Bits<2>>,
    /// first PSN that the receiving card has not acknowledged
    pub una: Signal<In, Bits<24>>,
    /// `ePSN_s`
    pub expected: Signal<In, Bits<24>>,
    /// the PSN behind the card's most recent packet
    pub last: Signal<In, Bits<24>>,
    /// message sequence number of the last acknowledgement
    pub msn: Signal<In, Bits<24>>,
    /// bits may be set, all of them before `marks_end`
    pub marked: Signal<In, Bit>,
    /// where they end
    pub marks_end: Signal<In, Bits<24>>,
    /// an episode is open: `[from, until)` of a replay is filtered
    pub episode: Signal<In, Bit>,
    /// its first PSN
    pub from: Signal<In, Bits<24>>,
    /// the PSN behind its last one
    pub until: Signal<In, Bits<24>>,
    /// tick from which `t_filter` counts
    pub since: Signal<In, Bits<32>>,
    /// the card has gone back in it
    pub answered: Signal<In, Bit>,
    /// NACKs to which it has not gone back yet, 255 at most
    pub owed: Signal<In, Bits<8>>,
    /// the last NACK waits for its answer
    pub pending: Signal<In, Bit>,
    /// it was so short a time ago that a card would count the same again as a try
    pub told: Signal<In, Bit>,
    /// what the last NACK said
    pub told_psn: Signal<In, Bits<24>>,
    /// and when
    pub told_since: Signal<In, Bits<32>>,
    /// a Sentry-NACK for the loss at `expected` was sent
    pub nacked: Signal<In, Bit>,
    /// when
    pub nacked_since: Signal<In, Bits<32>>,
    /// a mark was told to the card
    pub notified: Signal<In, Bit>,
    /// when
    pub notified_since: Signal<In, Bits<32>>,
    /// tick of the last packet of the sending card
    pub seen: Signal<In, Bits<32>>,
}

/// The registers of a Sentry, as it reads them. Times are in ticks and below 2^31, 0 switches what has a time off.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "SentryConfigWriter"]
#[mirror]
pub struct SentryConfig {
    /// `t_local`: how long a NACK that was passed on keeps others back
    pub local: Signal<In, Bits<32>>,
    /// `t_filter`: how long an episode lasts
    pub filter: Signal<In, Bits<32>>,
    /// `renack_s`: least time between two Sentry-NACKs for one loss
    pub renack: Signal<In, Bits<32>>,
    /// least time between two NACKs to a standard card that say the same
    pub spare: Signal<In, Bits<32>>,
    /// least time between two CNPs for packets that are dropped with a mark; 0: none
    pub cnp: Signal<In, Bits<32>>,
    /// time without a packet after which a flow is flushed
    pub idle: Signal<In, Bits<32>>,
    /// time without a packet after which the Depot is told of `ePSN_s`
    pub probe: Signal<In, Bits<32>>,
    /// an episode follows the card
    pub follow: Signal<In, Bit>,
    /// replays pass whole
    pub unfiltered: Signal<In, Bit>,
}

/// Where the PSNs of an event lie among the registers of its flow, as whoever decides by it sees it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "SentryPlacesWriter"]
#[mirror]
pub struct SentryPlaces {
    /// PSN of a packet of the sending card; first PSN that an answer does not acknowledge
    pub number: Signal<In, Bits<24>>,
    /// `number` is before `expected`
    pub before_expected: Signal<In, Bit>,
    /// it is `expected`
    pub at_expected: Signal<In, Bit>,
    /// it is not before `expected`, and more than `FILTER_BITS` past it
    pub far_ahead: Signal<In, Bit>,
    /// it is before `una`
    pub before_una: Signal<In, Bit>,
    /// and by more than `FILTER_BITS`
    pub far_behind: Signal<In, Bit>,
    /// it is one of the `FILTER_BITS` from `una`
    pub within: Signal<In, Bit>,
    /// it is further from `una` than `expected` is
    pub overtakes: Signal<In, Bit>,
    /// it is before `marks_end`
    pub before_edge: Signal<In, Bit>,
    /// `una` is before `expected`
    pub open: Signal<In, Bit>,
    /// from `una` to `number`
    pub acked: Signal<In, Bits<24>>,
    /// from `una` to `marks_end`
    pub marks: Signal<In, Bits<24>>,
    /// the gap begins before `expected`
    pub gap_open: Signal<In, Bit>,
    /// it ends behind `expected`
    pub gap_past: Signal<In, Bit>,
    /// from `una` to the start of the gap
    pub una_start: Signal<In, Bits<24>>,
    /// from `una` to its end
    pub una_end: Signal<In, Bits<24>>,
    /// from `una` to `expected`
    pub una_expected: Signal<In, Bits<24>>,
    /// from `number` to the start of the gap
    pub number_start: Signal<In, Bits<24>>,
    /// from `number` to its end
    pub number_end: Signal<In, Bits<24>>,
    /// from `number` to `expected`
    pub number_expected: Signal<In, Bits<24>>,
    /// from the start of the gap to `expected`
    pub start_expected: Signal<In, Bits<24>>,
}
