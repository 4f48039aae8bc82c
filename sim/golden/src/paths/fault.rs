//! Deliberate faults of both ends, their counters and the frames between them: one mistake each, of the kind that hardware has. A check
//! that finds none of them checks nothing.

use crate::fault::faults;

faults! {
    /// the tag is the path itself, so that path 0 is none
    SenderTagOffByOne,
    SenderTagLost,
    /// every path has the base port
    SenderPortStays,
    SenderPathStuck,
    /// the path is the PSN modulo the paths, whatever the stripe
    SenderStripeIgnored,
    SenderLeastIsMost,
    SenderNeverLeftOut,
    /// a path that is out is chosen all the same
    SenderOutIgnored,
    SenderNeverTakenIn,
    /// when all are out, path 0 carries everything
    SenderAllOutIsFirst,
    /// the history of a path survives its rest
    SenderHistoryStays,
    /// a packet goes again over the path of its last try
    SenderRepeatsOnSamePath,
    /// each packet of an operation goes over a path of its own
    SenderOperationSplit,
    SenderRepeatFlagLost,
    /// a striped packet that leaves the path of its number does not say so
    SenderStrayUntagged,
    /// a loss is put down to the path that carries the repeat
    SenderLossOnNewPath,
    /// a packet that the timer repeats counts as lost on its path
    SenderTimerIsLoss,
    /// a range acknowledgement frees nothing of a path
    SenderRangeKeepsPath,
    SenderDelayOfRepeats,
    SenderSlideIgnored,
    SenderLengthIgnored,
    /// a shorter window takes back what it has allowed
    SenderEdgeMovesBack,
    SenderShareIgnored,
    SenderAggregatesAsEver,
    SenderLoadIgnored,
    /// the state never ends
    SenderConstrainedStays,
    /// a full congestion window is no reason
    SenderFullIsFree,
    /// the tag is the path itself
    ReceiverTagOffByOne,
    ReceiverNoneIsFirst,
    /// a repeated packet moves the record of its path
    ReceiverRepeatMoves,
    /// a gap that crosses paths is still tested for depth
    ReceiverDepthTested,
    ReceiverNeverOvertaken,
    /// one path that has gone on is enough
    ReceiverOvertakenByOne,
    /// a path that has not delivered yet counts for nothing
    ReceiverStartsBlind,
    /// striped packets that leave the path of their number are not noted
    ReceiverStrayUnseen,
    /// the message has the path itself
    ReceiverMessageOffByOne,
    /// a gap has the path of the packet that showed it
    ReceiverBlamesNext,
    /// a gap keeps the path of the packet that was its first when it was seen
    ReceiverNamesOnce,
    ReceiverRepeatMisjudged,
    ReceiverMisjudgedMissed,
    ReceiverLoadIgnored,
    CountsDuplicateOnQueuePairOnly,
    CountsNoneOnFirst,
    CountsWrapAt32,
    CountsMarkedTwice,
    /// the tag stands where the compact congestion header has its scene
    FrameTagInScene,
    FramePathIsStatus,
    FrameEdgeIsBase,
}
