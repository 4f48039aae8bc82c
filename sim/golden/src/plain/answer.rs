//! The acknowledgement header: syndromes, and what an answer says to a requester.

use crate::bitmap::psn;
use crate::wire::{Aeth, Bth, Frame, Opcode};

/// Credits of a responder that gives none: as many requests as the requester likes.
pub const UNLIMITED: u8 = 0x1f;

/// Why a responder refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NakCode {
    /// a packet before it is missing
    SequenceError = 0,
    InvalidRequest = 1,
    RemoteAccess = 2,
    RemoteOperational = 3,
}

impl NakCode {
    /// All codes of a reliable connection.
    pub const ALL: [NakCode; 4] = [NakCode::SequenceError, NakCode::InvalidRequest, NakCode::RemoteAccess, NakCode::RemoteOperational];
}

/// AETH syndrome: bits 7:5 say what it is, bits 4:0 how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syndrome {
    /// 000
    Ack { credits: u8 },
    /// 001: receiver not ready, with the code of the time to wait
    NotReady { timer: u8 },
    /// 011
    Nak(NakCode),
    /// 010, 1xx, and NAK codes beyond those of a reliable connection: no meaning, so no effect
    Reserved(u8),
}

impl Syndrome {
    /// What the byte says.
    pub fn read(byte: u8) -> Syndrome {
        let low = byte & 0x1f;
        match byte >> 5 {
            0 => Syndrome::Ack { credits: low },
            1 => Syndrome::NotReady { timer: low },
            3 => NakCode::ALL.get(usize::from(low)).map_or(Syndrome::Reserved(byte), |&code| Syndrome::Nak(code)),
            _ => Syndrome::Reserved(byte),
        }
    }

    /// The byte that says it.
    pub fn byte(self) -> u8 {
        match self {
            Syndrome::Ack { credits } => credits & 0x1f,
            Syndrome::NotReady { timer } => 0x20 | timer & 0x1f,
            Syndrome::Nak(code) => 0x60 | code as u8,
            Syndrome::Reserved(byte) => byte,
        }
    }
}

/// Time that an RNR NAK asks for, in units of 10 microseconds; `timer` is its code, bits 4:0.
///
/// The steps alternate between 4/3 and 3/2; code 0 is the longest time.
pub fn rnr_wait(timer: u8) -> u32 {
    match u32::from(timer & 0x1f) {
        0 => 65536,
        1 => 1,
        code if code % 2 == 0 => 1 << (code / 2),
        code => 3 << (code / 2 - 1),
    }
}

/// What a frame says to a requester.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// everything up to `psn` has arrived
    Ack { psn: u32 },
    /// everything before `psn` has arrived, `psn` is asked for
    Nak { psn: u32 },
    /// everything before `psn` has arrived; `psn` is to be sent again after a time in units of 10 microseconds
    NotReady { psn: u32, wait: u32 },
    /// everything before `psn` has arrived, `psn` is refused
    Refused { psn: u32, code: NakCode },
    /// a syndrome without meaning
    Reserved,
    /// no acknowledgement
    Other,
}

impl Answer {
    /// What `frame` says. Credits are not read: they count receives, which an RDMA WRITE does not take, and an RNR NAK tells of those that
    /// lack.
    pub fn of(frame: &Frame) -> Answer {
        let (Opcode::ACKNOWLEDGE, Some(aeth)) = (frame.bth.opcode, frame.aeth) else { return Answer::Other };
        let psn = frame.bth.psn;
        match Syndrome::read(aeth.syndrome) {
            Syndrome::Ack { .. } => Answer::Ack { psn },
            Syndrome::NotReady { timer } => Answer::NotReady { psn, wait: rnr_wait(timer) },
            Syndrome::Nak(NakCode::SequenceError) => Answer::Nak { psn },
            Syndrome::Nak(code) => Answer::Refused { psn, code },
            Syndrome::Reserved(_) => Answer::Reserved,
        }
    }
}

/// The acknowledgement frame to queue pair `to`, with no bit set beyond the standard's.
pub(super) fn acknowledgement(to: u32, number: u32, syndrome: Syndrome, msn: u32) -> Frame {
    let mut frame = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, to, number % psn::SPACE));
    frame.aeth = Some(Aeth { syndrome: syndrome.byte(), msn: msn % psn::SPACE });
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_one_syndrome_and_the_other_way_round() {
        for byte in 0..=255u8 {
            let syndrome = Syndrome::read(byte);
            assert_eq!(syndrome.byte(), byte);
            let reserved = matches!(byte >> 5, 2 | 4..) || (0x64..0x80).contains(&byte);
            assert_eq!(matches!(syndrome, Syndrome::Reserved(_)), reserved, "{byte:#x}");
        }
        assert_eq!(Syndrome::read(0x2c), Syndrome::NotReady { timer: 12 });
        assert_eq!(Syndrome::read(0x62), Syndrome::Nak(NakCode::RemoteAccess));
    }

    /// The table of the specification, in units of 10 microseconds.
    #[test]
    fn times_of_rnr_naks_are_those_of_the_table() {
        let table = [
            65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192,
            12288, 16384, 24576, 32768, 49152,
        ];
        for (code, want) in (0..32).zip(table) {
            assert_eq!(rnr_wait(code), want, "code {code}");
        }
    }
}
