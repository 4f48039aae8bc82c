use crate::Bundle;
use crate::sizes::*;
use rust_hdl::prelude::*;

/// What a Depot keeps of a flow, as whoever reads it sees it. A time counts only where its flag is set, and a PSN of a replay only within
/// one.
///
/// Spec: LR2, "Depot"; "No NAK made in the network may acknowledge what the card has not".
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "DepotStateWriter"]
#[mirror]
pub struct DepotState {
    /// the registers have values; else the next packet sets them
    pub begun: Signal<In, Bit>,
    /// `una` is known, and not only the first packet that was seen
    pub sure: Signal<In, Bit>,
    /// packets pass untouched until the entry is written anew
    pub bypass: Signal<In, Bit>,
    /// the last packet was too far away
    pub strange: Signal<In, Bit>,
    /// what is held begins at `expected`, and waits for its turn
    pub drains: Signal<In, Bit>,
    /// copies from `replay_next` to `replay_end` are sent again
    pub replaying: Signal<In, Bit>,
    /// the acknowledgement of what is before `retry_end` is awaited
    pub retry: Signal<In, Bit>,
    /// something is missing, and the time since counts until it is asked for again
    pub renack: Signal<In, Bit>,
    /// a packet below `una` was answered so short a time ago that the next one is not
    pub reacked: Signal<In, Bit>,
    /// credits of the last acknowledgement
    pub credits: Signal<In, Bits<5>>,
    /// replays without progress
    pub retries: Signal<In, Bits<8>>,
    /// first PSN that the receiving card has not acknowledged
    pub una: Signal<In, Bits<24>>,
    /// `ePSN`: first PSN that has not been let on
    pub expected: Signal<In, Bits<24>>,
    /// `ePSN_D`: the PSN behind the highest one that is known of
    pub border: Signal<In, Bits<24>>,
    /// the PSN behind the highest one that was ever let on
    pub top: Signal<In, Bits<24>>,
    /// message sequence number of the last acknowledgement
    pub msn: Signal<In, Bits<24>>,
    /// PSN of the copy that is sent again next
    pub replay_next: Signal<In, Bits<24>>,
    /// where that ends
    pub replay_end: Signal<In, Bits<24>>,
    /// where it began: a NAK of this PSN asks for nothing new
    pub replay_from: Signal<In, Bits<24>>,
    /// the PSN behind the last one whose acknowledgement was asked for
    pub retry_end: Signal<In, Bits<24>>,
    /// tick from which `T_out` counts
    pub retry_since: Signal<In, Bits<32>>,
    /// tick from which `renack` counts
    pub renack_since: Signal<In, Bits<32>>,
    /// tick of the last answer to a packet below `una`
    pub reacked_since: Signal<In, Bits<32>>,
    /// tick of the last packet of the sending card
    pub seen: Signal<In, Bits<32>>,
}

/// The registers of a Depot that its steps read. Times are in ticks and below 2^31, 0 switches what has a time off.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "DepotConfigWriter"]
#[mirror]
pub struct DepotConfig {
    /// time after which what is missing is asked for again
    pub renack: Signal<In, Bits<32>>,
    /// `T_out`: time after which what the receiving card has not acknowledged is sent again
    pub retry: Signal<In, Bits<32>>,
    /// `depot_retries`: such replays without progress, until everything from `una` on has to come again
    pub retries: Signal<In, Bits<8>>,
    /// least time between two answers to packets below `una`
    pub reack: Signal<In, Bits<32>>,
    /// time without a packet after which a flow is flushed
    pub idle: Signal<In, Bits<32>>,
}

/// Where the PSNs of an event lie among the registers of its flow, as whoever decides by it sees it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "DepotPlacesWriter"]
#[mirror]
pub struct DepotPlaces {
    /// PSN of the packet; first PSN that an answer does not acknowledge; PSN of a visit
    pub number: Signal<In, Bits<24>>,
    /// the PSN behind the packet
    pub end: Signal<In, Bits<24>>,
    /// `number` is before `expected`
    pub before_expected: Signal<In, Bit>,
    /// it is `expected`
    pub at_expected: Signal<In, Bit>,
    /// it is behind `expected`
    pub past_expected: Signal<In, Bit>,
    /// it is one of the `REACH` from `expected`
    pub in_reach: Signal<In, Bit>,
    /// and so are all PSNs of the packet
    pub fits: Signal<In, Bit>,
    /// it is not before `border`, and more than `REACH` past it
    pub far_ahead: Signal<In, Bit>,
    /// it is before `una`
    pub before_una: Signal<In, Bit>,
    /// it is `una`
    pub at_una: Signal<In, Bit>,
    /// it is before `una` by more than `REACH`
    pub far_behind: Signal<In, Bit>,
    /// it is further from `una` than `top` is
    pub overtakes: Signal<In, Bit>,
    /// it is one of the `REACH` from `una`
    pub copy_fits: Signal<In, Bit>,
    /// it is behind `border`
    pub past_border: Signal<In, Bit>,
    /// it is `border`
    pub at_border: Signal<In, Bit>,
    /// from `border` to `number`
    pub border_number: Signal<In, Bits<24>>,
    /// from `number` to `expected`
    pub number_expected: Signal<In, Bits<24>>,
    /// it is before `retry_end`
    pub before_retry_end: Signal<In, Bit>,
    /// it is before `replay_end`
    pub before_replay_end: Signal<In, Bit>,
    /// it is behind `replay_next`
    pub past_next: Signal<In, Bit>,
    /// it is `replay_from`
    pub at_replay_from: Signal<In, Bit>,
    /// `end` is one of the `REACH` from `expected`
    pub end_in_reach: Signal<In, Bit>,
    /// it is behind `expected`
    pub end_past_expected: Signal<In, Bit>,
    /// it is behind `border`
    pub end_past_border: Signal<In, Bit>,
    /// it is `border`
    pub end_at_border: Signal<In, Bit>,
    /// it is behind `top`
    pub end_past_top: Signal<In, Bit>,
    /// it is before `replay_end`
    pub end_before_replay_end: Signal<In, Bit>,
    /// `expected` is not `border`
    pub open: Signal<In, Bit>,
    /// from `expected` to `end`, `REACH` at most
    pub held_end: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// from `expected` to `number`, `REACH` at most
    pub held_number: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// from `number` to `expected`, `REACH` at most
    pub back: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// from `una` to `number`, `REACH` at most
    pub acked: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// from `number` to `una`, `REACH` at most
    pub lowered: Signal<In, Bits<REACH_COUNT_BITS>>,
}

/// What kind of step an event is for its flow, as whoever acts on it sees it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "DepotCaseWriter"]
#[mirror]
pub struct DepotCase {
    /// the packet is so far away that the next such one begins a new life
    pub odd: Signal<In, Bit>,
    /// it sets the flow's registers, and goes on
    pub restart: Signal<In, Bit>,
    /// it begins a new life
    pub life: Signal<In, Bit>,
    /// a packet goes on in its order
    pub passes: Signal<In, Bit>,
    /// a request from before `expected` ends behind it
    pub pushes: Signal<In, Bit>,
    /// a packet from before `expected` goes on
    pub below: Signal<In, Bit>,
    /// a packet is below `una`, and answered if `answers`
    pub reacks: Signal<In, Bit>,
    /// the source is told again what has been acknowledged
    pub answers: Signal<In, Bit>,
    /// the packet is held, or a copy of it is
    pub twice: Signal<In, Bit>,
    /// it is held
    pub holds: Signal<In, Bit>,
    /// there is no room for it
    pub full: Signal<In, Bit>,
    /// there will be room, when this flow has let something go
    pub waits: Signal<In, Bit>,
    /// what is before it has to be asked for
    pub gap: Signal<In, Bit>,
    /// a Sentry has let on more than has arrived
    pub probe: Signal<In, Bit>,
    /// what the receiving card says can be
    pub known: Signal<In, Bit>,
    /// it moves `una`
    pub moved: Signal<In, Bit>,
    /// it is the first that it says of the flow
    pub learns: Signal<In, Bit>,
    /// it moves `expected`
    pub advances: Signal<In, Bit>,
    /// what was acknowledged has never been let on
    pub lost: Signal<In, Bit>,
    /// its MSN and credits are the last ones
    pub ack: Signal<In, Bit>,
    /// something is lost behind the Depot: the frame becomes an acknowledgement
    pub nak: Signal<In, Bit>,
    /// a sequence error of a PSN that is acknowledged, or never was let on
    pub stale: Signal<In, Bit>,
    /// one more NAK of the PSN where the replay began
    pub again: Signal<In, Bit>,
    /// a replay begins
    pub replays: Signal<In, Bit>,
    /// everything from `number` on has to come again
    pub reopens: Signal<In, Bit>,
    /// the receiving card was not ready
    pub rnr: Signal<In, Bit>,
    /// it ends the flow
    pub refusal: Signal<In, Bit>,
    /// an idle flow
    pub flush: Signal<In, Bit>,
    /// what is missing is asked for again
    pub renack: Signal<In, Bit>,
    /// what is not acknowledged is sent again
    pub timeout: Signal<In, Bit>,
    /// and counts as a replay without progress
    pub try_more: Signal<In, Bit>,
    /// `T_out` has run out
    pub late: Signal<In, Bit>,
    /// a copy goes on
    pub copies: Signal<In, Bit>,
}

/// What a step of a Depot makes, as whoever does it sees it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "DepotOrdersWriter"]
#[mirror]
pub struct DepotOrders {
    /// `DEPOT_UNTOUCHED` to `DEPOT_WAITS`
    pub verdict: Signal<In, Bits<4>>,
    /// the packet goes on, or leaves the pool; else it is held or dropped
    pub forward: Signal<In, Bit>,
    /// it is a NAK, and goes on as an acknowledgement of what is before its PSN, with the credits of the state
    pub intercepted: Signal<In, Bit>,
    /// places of the reordering pool become free
    pub free: Signal<In, Bit>,
    /// those of the packets that begin from this PSN on
    pub free_start: Signal<In, Bits<24>>,
    /// in so many PSNs, `REACH` at most
    pub free_length: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// copies become free
    pub drop: Signal<In, Bit>,
    /// from this PSN on
    pub drop_start: Signal<In, Bits<24>>,
    /// in so many PSNs, `REACH` at most
    pub drop_length: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// the packet is held
    pub hold: Signal<In, Bit>,
    /// whatever it reaches into becomes free before, the whole of each packet
    pub hold_clears: Signal<In, Bit>,
    /// a copy of the packet is wanted, if the backup pool has a place
    pub copy: Signal<In, Bit>,
    /// every run of absent PSNs is asked for, `renack_max` at most
    pub walk: Signal<In, Bit>,
    /// from this PSN on
    pub walk_start: Signal<In, Bits<24>>,
    /// up to the one before this
    pub walk_end: Signal<In, Bits<24>>,
    /// MSN of these NACKs
    pub walk_msn: Signal<In, Bits<24>>,
    /// an acknowledgement of everything before `una` goes to the sending card, with MSN and credits of the state
    pub reack: Signal<In, Bit>,
    /// a Depot-NACK goes to the Sentry
    pub nack: Signal<In, Bit>,
    /// its PSN
    pub nack_psn: Signal<In, Bits<24>>,
    /// first PSN of its gap
    pub gap_start: Signal<In, Bits<24>>,
    /// length of the gap
    pub gap_length: Signal<In, Bits<24>>,
    /// a new life of the queue pair
    pub evt_life: Signal<In, Bit>,
    /// an idle flow was flushed
    pub evt_flushed: Signal<In, Bit>,
    /// `T_out` has run out
    pub evt_timeout: Signal<In, Bit>,
    /// `ePSN` went back
    pub evt_reopened: Signal<In, Bit>,
    /// a NAK of a loss that a replay is under way for
    pub evt_again: Signal<In, Bit>,
}
