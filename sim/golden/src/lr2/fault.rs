//! Deliberate faults of both boxes: one mistake each, of the kind that hardware has. A check that finds none of them checks nothing.

use crate::fault::faults;

faults! {
    /// what is beyond a gap goes on
    DepotForwardsOutOfOrder,
    DepotGapOffByOne,
    DepotGapTooLong,
    /// `ePSN_D` stays where it was, so every packet is a gap again
    DepotEdgeNotMoved,
    /// one packet leaves a filled hole, the others are lost
    DepotDrainStops,
    DepotNoCopy,
    DepotCopiesStay,
    DepotDuplicateForwarded,
    DepotHoldsTwice,
    DepotFullKeepsEdge,
    DepotFullNacksDropped,
    DepotRenackWhole,
    DepotRenackNever,
    DepotRenackUnlimited,
    /// a NAK is not heard while a replay is under way
    DepotReplayDeaf,
    /// what a request pushes out of its slots stays counted
    DepotOverwrites,
    DepotReplaysOne,
    DepotReplayRestarts,
    DepotNakPasses,
    /// the acknowledgement is for the packet that is missing
    DepotNakAcknowledges,
    DepotNakLosesEcho,
    DepotReopenDrops,
    DepotReopenSilent,
    DepotNoTimeout,
    DepotNoReack,
    DepotReackAlways,
    DepotRnrHolds,
    DepotRefusalIgnored,
    DepotUnsound,
    DepotRequestOne,
    DepotRequestDropped,
    DepotRequestCopied,
    /// to a standard card it says what only an aware one may hear
    DepotNackAtGap,
    DepotUnpaced,
    DepotOvertakes,
    /// a full pool drops what could have waited
    DepotDropsWhileDraining,
    DepotNoTolerance,
    DepotLateStays,
    DepotNoQuota,
    DepotSegmentLeak,
    SentryForwardsGap,
    SentryNackAtGap,
    SentryNacksEvery,
    SentryNacksOnce,
    SentryPassesEvery,
    SentryPassesAhead,
    SentryPassesStale,
    SentryWaitsForever,
    SentryFiltersOutside,
    SentryBitStays,
    SentryBitsOffByOne,
    SentryUnclipped,
    SentryEpisodeEndless,
    SentryEpisodeNeverLapses,
    /// an episode that follows the card ends `t_filter` after the NACK all the same
    SentryFilterFromNack,
    SentryKeepsHeader,
    SentryRnrKeepsEpisode,
    SentryRefusalIgnored,
    SentryUnaStays,
    SentryNoPriority,
    SentryRequestFiltered,
    SentryUnsound,
}
