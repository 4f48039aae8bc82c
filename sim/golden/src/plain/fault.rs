//! Deliberate faults of the plain peer and of our ends towards it: one mistake each, of the kind that cards, drivers and hardware have. A
//! check that finds none of them checks nothing.

use crate::fault::faults;

faults! {
    /// a message of one packet begins with FIRST and never ends
    MessageFirstForOnly,
    MessageImmediateLost,
    /// the DMA length is that of the packet
    MessageLengthOfPacket,
    /// from the third packet on the payload is that of the packet before
    MessageOffsetByOne,
    /// the end of a message asks for no acknowledgement
    MessageEndUnasked,
    /// a NAK for k sends back to k + 1
    RequesterNakFromNext,
    /// what is before the packet that a NAK names is sent again, too
    RequesterNakAcknowledgesNothing,
    /// an acknowledgement speaks for one packet
    RequesterAckOfOne,
    /// what was never sent is acknowledged
    RequesterAckBelieved,
    RequesterReservedAcknowledges,
    RequesterRefusalRetried,
    RequesterRnrUnheard,
    RequesterRnrCountsAsRetry,
    /// 7 RNR NAKs are survived, not all
    RequesterSevenIsSeven,
    /// a NAK for a sequence error ends the time of an RNR NAK
    RequesterNakEndsRest,
    RequesterTimeoutFromNewest,
    RequesterRetriesForEver,
    /// progress gives no tries back
    RequesterRetriesStay,
    /// work requests of a queue pair in error never end
    RequesterErrorUnsaid,
    ResponderTakesOutOfOrder,
    ResponderNaksEvery,
    /// the second gap is not asked for
    ResponderAsksOnce,
    ResponderDuplicateSilent,
    ResponderDuplicateWritten,
    /// the acknowledgement of a duplicate names the duplicate
    ResponderDuplicateOwnNumber,
    ResponderRequestIgnored,
    ResponderMsnOfPackets,
    ResponderMsnSaturates,
    ResponderRkeyUnchecked,
    ResponderRangeUnchecked,
    ResponderAccessUnchecked,
    ResponderOpcodeUnchecked,
    ResponderSequenceUnchecked,
    ResponderLengthUnchecked,
    ResponderAlwaysReady,
    /// a packet without a receive counts as taken
    ResponderNotReadyTaken,
    ResponderEmptySilent,
    ResponderErrorGoesOn,
    /// the n-th packet of a message to come is placed as its n-th
    ReceiverPlacesByArrival,
    /// the bit of a packet is set that has no place
    ReceiverUnplacedTaken,
    /// a packet that has no place shows no gap
    ReceiverUnplacedUnseen,
    /// messages ahead of the base fill the message table
    ReceiverTableTakesLast,
    ReceiverTableLeaks,
    /// the NAK names the highest packet
    ReceiverNamesHighest,
    ReceiverNaksEvery,
    ReceiverAsksOnce,
    /// what is being sent again is asked for as the base comes to it
    ReceiverCoversNothing,
    /// any packet out of order is a loss
    ReceiverImpatient,
    /// a gap with few packets behind it is never lost
    ReceiverAgeless,
    ReceiverMsnOfPackets,
    ReceiverMsnSaturates,
    /// a message is told when its last packet comes, whatever is missing
    ReceiverToldEarly,
    ReceiverDuplicateSilent,
    ReceiverAcknowledgesBase,
    ReceiverRequestIgnored,
    /// the end of a message that asks for nothing is not acknowledged
    ReceiverEndSilent,
    /// the credits tell the window, as to a peer of ours
    ReceiverAdvertises,
    /// a reserved bit of ours is set
    ReceiverReservedBits,
    ReceiverSendTaken,
    ReceiverFirstInsideTaken,
    ReceiverContradictionTaken,
    ReceiverLengthUnchecked,
    ReceiverRkeyUnchecked,
    ReceiverRangeUnchecked,
    ReceiverAccessUnchecked,
    ReceiverEmptyRefused,
    /// a packet above a hole is refused, which acknowledges the hole
    ReceiverRefusesEarly,
    ReceiverErrorGoesOn,
    ReceiverReopenKeepsTable,
    ReceiverReopenKeepsMsn,
    ReceiverReopenKeepsWindow,
    ReceiverReopenKeepsAck,
    SenderNakAcknowledgesNothing,
    /// only the packet that a NAK names is sent again, as to a peer of ours
    SenderSendsOneAgain,
    /// a second copy of a NAK sends it back once more
    SenderGoesBackTwice,
    SenderRnrUnheard,
    SenderRnrCountsAsRetry,
    SenderSevenIsSeven,
    SenderNakEndsRest,
    SenderRetriesForEver,
    SenderTimeoutSendsNewest,
    SenderTimeoutConstant,
    /// a plain peer's credits are taken for a window
    SenderCreditsAreWindow,
    /// every segment of a command carries its immediate
    SenderImmediateRepeated,
    SenderAsksAtEndAlone,
    /// the retransmission flag of ours is set
    SenderFlagsRepeats,
    SenderReopenKeepsRest,
}
