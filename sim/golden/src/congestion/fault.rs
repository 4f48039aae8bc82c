//! Deliberate faults of both ends: one mistake each, of the kind that hardware has. A check that finds none of them checks nothing.

use crate::fault::faults;

faults! {
    /// the count of marks does not fall when a marked packet leaves the window
    MarksStay,
    WindowOneShort,
    IdleNeverClears,
    ThresholdExclusive,
    /// the share counts although telemetry is valid
    ShareBeatsTelemetry,
    DepthAlone,
    /// the last packet's mark alone decides what an acknowledgement of several says
    LastMarkAlone,
    MarkStaysTold,
    MarkWaits,
    /// a READ response is told by an acknowledgement that nobody sends
    ResponseUnnotified,
    /// a WRITE is told by a CNP too
    MessageNotified,
    NotificationsUnlimited,
    AbsentPointIsFirst,
    DepthInBytes,
    DelayIndexRoundsUp,
    LevelNoneIsTableEntry,
    GreatestWins,
    /// a later notice of the window may raise the rate
    LaterRaises,
    /// notices of one window multiply each other
    NoticesCompound,
    RisesInMarkedWindow,
    RisesInSilence,
    NeverRises,
    HoldRises,
    CountsTwice,
    PlainIgnored,
    /// tokens grow beyond the burst
    TokensUnbounded,
    /// a packet goes while one token is there
    GoesIntoDebt,
    FractionLost,
    /// the new rate counts for the time before it
    RateBackdated,
    TurnNotPassed,
}
