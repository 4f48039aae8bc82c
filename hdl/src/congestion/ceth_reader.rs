use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What an acknowledgement or a CNP says of congestion, from the bytes behind it and from reserved bits of BTH.
///
/// A CETH is there if at least 4 bytes are left and BECN is 1, in a CNP if the version is not 0: a standard peer's begins with zeros. One
/// that cannot be is dropped, and the acknowledgement counts as one with BECN alone; so does one of version 0, one of a version that is not
/// ours, which is skipped by its length, and one that the form of the queue pair does not expect. A CNP has its header in bytes also with
/// form 2. A header that is plain says the level alone, whatever its length.
/// Latency: 1 clock. Throughput: one per clock. Reset: nothing comes.
/// Spec: congestion state on the acknowledgement, "CETH"; wire format, "Extension headers", "Reserved bits we use". Decided here: the order
/// of the reasons: length, end of the packet, length of version 0, reserved bits.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CethReader {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an acknowledgement or a CNP comes
    pub in_valid: Signal<In, Bit>,
    /// 0 none, 1 extension, 2 compact: a setting of the queue pair
    pub in_form: Signal<In, Bits<2>>,
    /// it acknowledges; else it is a CNP
    pub in_acknowledges: Signal<In, Bit>,
    /// BTH byte 4, bit 6
    pub in_becn: Signal<In, Bit>,
    /// BTH byte 4, bits 5 and 4
    pub in_level: Signal<In, Bits<2>>,
    /// BTH byte 4, bit 3
    pub in_kind: Signal<In, Bit>,
    /// BTH byte 8, bits 6 to 4
    pub in_scene: Signal<In, Bits<3>>,
    /// bytes between what is known of the packet and its pad
    pub in_room: Signal<In, Bits<16>>,
    /// the first of them in the highest bits
    pub in_ceth: Signal<In, Bits<128>>,
    /// what it says
    pub out_valid: Signal<Out, Bit>,
    /// 0 the way is clear, 1 it is congested and no more is known, 2 the following count
    pub out_word: Signal<Out, Bits<2>>,
    /// 0 none to 3 heavy
    pub out_level: Signal<Out, Bits<2>>,
    /// of the marked packet
    pub out_scene: Signal<Out, Bits<4>>,
    /// the kind bit: fields may follow
    pub out_enhanced: Signal<Out, Bit>,
    /// queue depth, units of 256 bytes; all ones: absent
    pub out_depth: Signal<Out, Bits<16>>,
    /// congestion point; all ones: absent
    pub out_point: Signal<Out, Bits<16>>,
    /// nanoseconds; all ones: absent
    pub out_delay: Signal<Out, Bits<32>>,
    /// bytes of the header, 0: there is none
    pub out_length: Signal<Out, Bits<5>>,
    /// a header that cannot be was dropped
    pub evt_dropped: Signal<Out, Bit>,
    /// why: 0 length 0 or over 4, 1 past the end of the packet, 2 version 0 with another length than 1, 3 reserved bits
    pub evt_reason: Signal<Out, Bits<2>>,
    /// a header of a version that is not ours was skipped
    pub evt_unknown: Signal<Out, Bit>,
    /// bytes behind the header of an acknowledgement were skipped
    pub evt_skipped: Signal<Out, Bit>,

    valid: State<Bit>,
    word: Reg<Bits<2>>,
    level: Reg<Bits<2>>,
    scene: Reg<Bits<4>>,
    enhanced: Reg<Bit>,
    depth: Reg<Bits<16>>,
    point: Reg<Bits<16>>,
    delay: Reg<Bits<32>>,
    length: Reg<Bits<5>>,
    dropped: State<Bit>,
    reason: Reg<Bits<2>>,
    unknown: State<Bit>,
    skipped: State<Bit>,
    version: Signal<Local, Bits<4>>,
    words: Signal<Local, Bits<4>>,
    bytes: Signal<Local, Bits<16>>,
    told: Signal<Local, Bit>,
    bad_length: Signal<Local, Bit>,
    past: Signal<Local, Bit>,
    bad_plain: Signal<Local, Bit>,
    bad_reserved: Signal<Local, Bit>,
    sound: Signal<Local, Bit>,
    ours: Signal<Local, Bit>,
    compact: Signal<Local, Bit>,
    notice: Signal<Local, Bit>,
}

impl Logic for CethReader {
    #[kernel]
    fn update(&mut self) {
        // Byte k of the header ends at bit 120 - 8k.
        self.version.next = self.in_ceth.val().get_bits::<4>(124);
        self.words.next = self.in_ceth.val().get_bits::<4>(120);
        self.bytes.next = bit_cast::<16, 4>(self.words.val()) << 2;
        self.told.next = self.in_valid.val()
            && (self.in_room.val() >= bits::<16>(4))
            && ((self.in_acknowledges.val() && self.in_becn.val()) || (!self.in_acknowledges.val() && self.version.val().any()));
        self.bad_length.next = !self.words.val().any() || (self.words.val() > bits::<4>(4));
        self.past.next = self.in_room.val() < self.bytes.val();
        self.bad_plain.next = !self.version.val().any() && (self.words.val() != bits::<4>(1));
        self.bad_reserved.next = (self.version.val() == bits::<4>(1)) && self.in_ceth.val().get_bits::<17>(96).any();
        self.sound.next =
            self.told.val() && !self.bad_length.val() && !self.past.val() && !self.bad_plain.val() && !self.bad_reserved.val();
        self.dropped.d.next = self.told.val() && !self.sound.val();
        self.reason.d.next = bits::<2>(3);
        if self.bad_length.val() {
            self.reason.d.next = bits::<2>(0);
        } else if self.past.val() {
            self.reason.d.next = bits::<2>(1);
        } else if self.bad_plain.val() {
            self.reason.d.next = bits::<2>(2);
        }
        self.ours.next = self.sound.val() && (self.version.val() == bits::<4>(1));
        self.unknown.d.next = self.sound.val() && self.version.val().any() && (self.version.val() != bits::<4>(1));
        self.skipped.d.next = self.sound.val() && self.in_acknowledges.val() && (self.in_room.val() != self.bytes.val());
        self.length.d.next = bits::<5>(0);
        if self.sound.val() {
            self.length.d.next = self.bytes.val().get_bits::<5>(0);
        }

        self.compact.next = (self.in_form.val() == bits::<2>(2)) && self.in_acknowledges.val();
        self.notice.next = self.ours.val()
            && ((self.in_form.val() == bits::<2>(1)) || ((self.in_form.val() == bits::<2>(2)) && !self.in_acknowledges.val()));
        self.valid.d.next = self.in_valid.val();
        self.word.d.next = bits::<2>(1);
        if self.in_acknowledges.val() && !self.in_becn.val() {
            self.word.d.next = bits::<2>(0);
        } else if self.compact.val() || self.notice.val() {
            self.word.d.next = bits::<2>(2);
        }
        self.level.d.next = self.in_ceth.val().get_bits::<2>(118);
        self.enhanced.d.next = self.in_ceth.val().get_bit(117);
        self.scene.d.next = self.in_ceth.val().get_bits::<4>(113);
        self.depth.d.next = !bits::<16>(0);
        self.point.d.next = !bits::<16>(0);
        self.delay.d.next = !bits::<32>(0);
        if self.compact.val() {
            self.level.d.next = self.in_level.val();
            self.enhanced.d.next = self.in_kind.val();
            self.scene.d.next = bit_cast::<4, 3>(self.in_scene.val());
        } else if self.in_ceth.val().get_bit(117) {
            if self.words.val() > bits::<4>(1) {
                self.depth.d.next = self.in_ceth.val().get_bits::<16>(80);
                self.point.d.next = self.in_ceth.val().get_bits::<16>(64);
            }
            if self.words.val() > bits::<4>(2) {
                self.delay.d.next = self.in_ceth.val().get_bits::<32>(32);
            }
        }
        self.out_valid.next = self.valid.q.val();
        self.out_word.next = self.word.q.val();
        self.out_level.next = self.level.q.val();
        self.out_scene.next = self.scene.q.val();
        self.out_enhanced.next = self.enhanced.q.val();
        self.out_depth.next = self.depth.q.val();
        self.out_point.next = self.point.q.val();
        self.out_delay.next = self.delay.q.val();
        self.out_length.next = self.length.q.val();
        self.evt_dropped.next = self.dropped.q.val();
        self.evt_reason.next = self.reason.q.val();
        self.evt_unknown.next = self.unknown.q.val();
        self.evt_skipped.next = self.skipped.q.val();
    }
}
