//! What a frame tells the sender about congestion, and a frame that tells it.
//!
//! Follows the contract, "Congestion state on the acknowledgement". A plain peer needs no setting: BECN without a header is what a CNP
//! says.

use super::header::{Header, Notice, Scene};
use crate::wire::{Bth, Ceth, Frame, Opcode};

/// Where the congestion state of a queue pair stands: a setting, because the second form cannot be recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// nowhere: BECN alone counts
    #[default]
    None,
    /// CETH behind the acknowledgement
    Extension,
    /// reserved bits of BTH
    Compact,
}

/// What it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// BECN 0: the way is clear
    Clear,
    /// BECN 1 and no more is known: what a CNP of a standard peer says
    Plain,
    Notice(Notice),
}

/// What one frame tells the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    pub word: Word,
    /// an acknowledgement; else a CNP, which acknowledges nothing
    pub acknowledges: bool,
}

/// What a listener counts. No count is a lost acknowledgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    pub clear: u64,
    pub plain: u64,
    pub notices: u64,
    /// headers that could not be and were dropped
    pub dropped: u64,
    /// headers of a version that is not ours
    pub unknown: u64,
    /// acknowledgements with more bytes behind the header: a header that is named and not defined
    pub skipped: u64,
}

/// Whether frames of this opcode carry BECN and CETH for the sender: acknowledgement, CNP, and the control messages that acknowledge.
pub fn carries(opcode: Opcode) -> bool {
    opcode == Opcode::CNP || acknowledges(opcode)
}

fn acknowledges(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::ACKNOWLEDGE | Opcode::FFM | Opcode::REMOTE_COMPLETION | Opcode::OP_ACK | Opcode::RANGE_ACK)
}

/// What `frame` tells a sender whose queue pair has `form`, or `None`: the frame says nothing about congestion.
///
/// The frame was read with the option `congestion`. A CNP is a notification whatever its BECN bit. A dropped header, one of an unknown
/// version and one that the form does not expect leave what a plain CNP says.
pub fn listen(frame: &Frame, form: Form, heard: &mut Heard) -> Option<Signal> {
    let opcode = frame.bth.opcode;
    if !carries(opcode) {
        return None;
    }
    let acknowledges = acknowledges(opcode);
    if acknowledges && !frame.bth.becn {
        heard.clear += 1;
        return Some(Signal { word: Word::Clear, acknowledges });
    }
    heard.dropped += u64::from(frame.ceth_error.is_some());
    // A CNP has 16 bytes behind BTH: what its header leaves of them is padding.
    heard.skipped += u64::from(acknowledges && frame.ceth.is_some() && !frame.payload.is_empty());
    let header = frame.ceth.as_ref().and_then(|ceth| Header::read(&ceth.0).ok());
    if let Some((Header::Unknown { .. }, _)) = header {
        heard.unknown += 1;
    }
    let word = match (form, header) {
        (Form::Extension, Some((Header::Notice(notice), _))) => Word::Notice(notice),
        // A CNP keeps its header in bytes whatever the form: its reserved bits are the standard's.
        (Form::Compact, Some((Header::Notice(notice), _))) if !acknowledges => Word::Notice(notice),
        (Form::Compact, _) if acknowledges => Word::Notice(Notice::from_compact(&frame.bth)),
        _ => Word::Plain,
    };
    match word {
        Word::Notice(_) => heard.notices += 1,
        _ => heard.plain += 1,
    }
    Some(Signal { word, acknowledges })
}

/// Puts `notice` on an acknowledgement in the given form: BECN 1 with a notice, 0 without.
pub fn tell(frame: &mut Frame, notice: Option<&Notice>, form: Form) {
    frame.bth.becn = notice.is_some();
    frame.ceth = None;
    match (notice, form) {
        (Some(notice), Form::Extension) => frame.ceth = Some(Ceth(notice.to_bytes())),
        (Some(notice), Form::Compact) => notice.write_compact(&mut frame.bth),
        (None, Form::Compact) => Notice::default().write_compact(&mut frame.bth),
        _ => {}
    }
}

/// The CNP that tells queue pair `to` about a packet that nobody acknowledges: 16 bytes behind BTH, the first of which are the header.
pub fn notification(to: u32, notice: Option<&Notice>) -> Frame {
    const BODY: usize = 16;
    let mut frame = Frame::new(Bth::new(Opcode::CNP, to, 0));
    frame.bth.becn = true;
    frame.ceth = notice.map(|notice| Ceth(notice.to_bytes()));
    let header = frame.ceth.as_ref().map_or(0, |ceth| ceth.0.len());
    frame.payload = vec![0; BODY - header];
    frame
}

/// Whether a marked packet of this scene is told by a CNP: no acknowledgement of it exists.
pub fn by_notification(scene: Scene) -> bool {
    matches!(scene, Scene::Response | Scene::Datagram)
}
