//! Deliberate faults of both ends and of the frames between them: one mistake each, of the kind that hardware has. A check that finds none
//! of them checks nothing.

use crate::fault::faults;

faults! {
    /// 2^32 - 1 is followed by itself
    SenderSequenceSaturates,
    /// a packet that is sent again has the number of the WQE before
    SenderSequenceOfPast,
    SenderOffsetInPackets,
    SenderOffsetFromOne,
    /// the total length is what is left
    SenderTotalOfRest,
    SenderFenceLost,
    SenderImmediateLost,
    /// a packet that is sent again carries the first bytes of its WQE
    SenderWrongPayload,
    SenderTooLongTaken,
    SenderReadTakesOne,
    /// everything from the first packet named
    SenderResendsAll,
    /// the packets behind those named
    SenderResendsNext,
    SenderHighBitsUnheard,
    SenderUnknownUnheard,
    /// new packets do not pause
    SenderNewGoesFirst,
    SenderNoDedup,
    SenderDedupForEver,
    SenderNoTimer,
    SenderTimerOldestOnly,
    SenderCompletesWhenSent,
    /// work requests of a queue pair in error never end
    SenderErrorUnsaid,
    ReceiverSequenceSaturates,
    /// the n-th packet to arrive is placed as the n-th packet
    ReceiverPlacesInOrder,
    ReceiverStoresByArrival,
    ReceiverDuplicateWritten,
    ReceiverDuplicateSilent,
    /// acknowledges what is in pages only
    ReceiverAcknowledgesArrived,
    ReceiverCompletesBeforeCopy,
    /// what has not arrived is copied, too
    ReceiverCopiesWholePage,
    ReceiverCopiedPageKept,
    ReceiverPagesLeak,
    /// all pages go back when the place becomes known
    ReceiverPagesFreedEarly,
    ReceiverQuotaIgnored,
    ReceiverDeferredAsked,
    /// the bit of a packet is set that is not kept
    ReceiverDeferredKept,
    ReceiverIdleKeepsBits,
    ReceiverNeverIdle,
    /// SENDs take receives in the order of their arrival
    ReceiverReceiveByArrival,
    /// an RDMA WRITE whose last packet is missing counts as one without immediate
    ReceiverWriteTakesNone,
    /// a WQE that is not open yet counts as one that takes no receive
    ReceiverLostWholeSkipped,
    ReceiverImmediateKeepsReceive,
    ReceiverShortReceiveTaken,
    ReceiverStrictIgnored,
    ReceiverFenceIgnored,
    ReceiverReadEarly,
    ReceiverReadTakesOne,
    ReceiverLostWholeNotAsked,
    /// an indication of a WQE that nobody knows names the oldest
    ReceiverUnknownUnsaid,
    /// only what a later packet has overtaken fails
    ReceiverTailNotAsked,
    ReceiverFailsAtOnce,
    ReceiverRefeedbackUnlimited,
    ReceiverAsksOnce,
    /// the bits are those of the packets that have arrived
    ReceiverIndicatesArrived,
    ReceiverIndicatesOne,
    ReceiverIndicatesNext,
    ReceiverTooLongTaken,
    ReceiverLengthUnchecked,
    ReceiverPsnUnchecked,
    ReceiverTotalUnchecked,
    ReceiverKindUnchecked,
    ReceiverNeighboursUnseen,
    ReceiverAccessUnchecked,
    ReceiverBeyondOpen,
    ReceiverBitmapUnlimited,
    /// offset and total length change places
    FrameFieldsSwapped,
    FrameOffsetLittleEndian,
    /// `fence` stands in another bit
    FrameFenceMoved,
    /// bit 0 of 0xc2 is the last packet
    FrameMaskReversed,
    /// 0xc2 never says that a WQE is unknown
    FrameUnknownLost,
    FrameFirstByOne,
}
