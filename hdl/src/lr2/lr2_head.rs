use super::{Lr2HeadJudge, Lr2HeadRead, Lr2Heads};
use crate::bus::{Frames, FramesSink};
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::wire::{FrameIntake, HeaderWindow, IpUdpCheck};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the boxes of a long haul read of the frames of a stream: one head for each, in their order. The frames themselves pass unchanged.
///
/// Ethernet with one VLAN tag, IPv4 with options or IPv6, UDP port 4791, BTH; RETH, AETH and LR2ETH where they decide. A frame that is bad,
/// ends before its headers do, or has lengths, versions or numbers that cannot be, is `LR2_ELSE`, as is every packet that the boxes do
/// not act on. Numbers that cannot be: PSNs of more than 24 bits in LR2ETH or a probe, and a READ of more than 2^31 bytes. The cards'
/// packets have standard headers alone: what the profile says of OpETH and WqeETH does not count here.
///
/// ```text
///  in ──┬──────────────────────────────────────────────────────▶ out
///       └─▶ intake ─┬─▶ window ─▶ IP, UDP ─▶ read ─┐
///                   └─▶ ends of frames, 8 clocks ──┴─▶ judge ─▶ FIFO ─▶ head
/// ```
///
/// A head follows the last beat of its frame, for a frame is acted on only when all of it has proved sound. Frames may be taken from `out`
/// before their heads. The parameter `DATA_WIDTH` costs registers: the window has `HEADER_BEATS` beats.
///
/// Latency: frames 0 clocks; 11 from the last beat of a frame to its head. Throughput: one beat per clock, and of frames of one beat one
/// head per clock; `in_ready` falls when `out` stalls or 16 heads wait. Reset: empty; the next beat begins a frame.
/// Spec: LR2, "Flows", "On the wire"; wire format, "Reading frames".
#[derive(Default, Described, LogicBlock)]
pub struct Lr2Head {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    #[port = "in"]
    pub frames: FramesSink<DATA_WIDTH, DATA_BYTES>,
    /// with the last beat: the frame is bad
    pub in_bad: Signal<In, Bit>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// with the last beat: the frame is bad
    pub out_bad: Signal<Out, Bit>,
    pub head: Lr2Heads,

    intake: FrameIntake,
    window: HeaderWindow,
    network: IpUdpCheck,
    read: Lr2HeadRead,
    judge: Lr2HeadJudge,
    heads: FifoLut<LR2_HEAD_BITS, 5, 6>,
    room: State<Bit>,
    // A beat that was shown at `out` stays there.
    shown: State<Bit>,
    may: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    ends: [State<Bit>; LR2_HEAD_CLOCKS],
    lengths: [Reg<Bits<18>>; LR2_HEAD_CLOCKS],
    sounds: [Reg<Bit>; LR2_HEAD_CLOCKS],
    front: Signal<Local, Bits<LR2_HEAD_BITS>>,
}

impl Logic for Lr2Head {
    #[kernel]
    fn update(&mut self) {
        self.room.d.next = !self.heads.count.val().get_bits::<2>(4).any();
        self.may.next = self.room.q.val() || self.shown.q.val();
        self.take.next = self.frames.valid.val() && self.out.ready.val() && self.may.val();
        self.shown.d.next = self.frames.valid.val() && self.may.val() && !self.out.ready.val();
        self.frames.ready.next = self.out.ready.val() && self.may.val();
        self.out.valid.next = self.frames.valid.val() && self.may.val();
        self.out.data.next = self.frames.data.val();
        self.out.keep.next = self.frames.keep.val();
        self.out.last.next = self.frames.last.val();
        self.out_bad.next = self.in_bad.val();

        self.intake.in_valid.next = self.take.val();
        self.intake.in_data.next = self.frames.data.val();
        self.intake.in_keep.next = self.frames.keep.val();
        self.intake.in_last.next = self.frames.last.val();
        self.intake.in_crc_ok.next = !self.in_bad.val();
        self.window.in_valid.next = self.intake.out_valid.val();
        self.window.in_data.next = self.intake.out_data.val();
        self.window.in_last.next = self.intake.out_last.val();
        self.window.in_index.next = self.intake.out_index.val();
        self.window.in_length.next = self.intake.out_length.val();
        self.network.in_valid.next = self.window.out_valid.val();
        self.network.in_window.next = self.window.out_window.val();
        self.network.in_tagged.next = self.window.out_tagged.val();
        self.network.in_seen.next = self.window.out_seen.val();
        self.read.in_window.next = self.window.out_window.val();
        self.read.in_tagged.next = self.window.out_tagged.val();
        self.read.in_valid.next = self.network.out_valid.val();
        self.read.in_transport.next = self.network.out_transport.val();
        self.read.in_ip_good.next =
            !self.network.out_not_rocev2.val() && !self.network.out_truncated.val() && !self.network.out_more_fragments.val();
        self.read.in_bytes.next = self.network.out_bytes.val();
        self.read.in_offset.next = self.network.out_offset.val();

        // What was read of a frame stays until the next one's is there, and that is behind the end of the frame: it is there 8 clocks after
        // the end has come, and the next one's is not.
        self.ends[0].d.next = self.intake.out_valid.val() && self.intake.out_last.val();
        self.lengths[0].d.next = self.intake.out_length.val();
        self.sounds[0].d.next = self.intake.out_crc_ok.val();
        for k in 1..LR2_HEAD_CLOCKS {
            self.ends[k].d.next = self.ends[k - 1].q.val();
            self.lengths[k].d.next = self.lengths[k - 1].q.val();
            self.sounds[k].d.next = self.sounds[k - 1].q.val();
        }
        self.judge.in_valid.next = self.ends[LR2_HEAD_CLOCKS - 1].q.val();
        self.judge.in_length.next = self.lengths[LR2_HEAD_CLOCKS - 1].q.val();
        self.judge.in_sound.next = self.sounds[LR2_HEAD_CLOCKS - 1].q.val();
        self.judge.in_good.next = self.read.out_good.val();
        self.judge.in_end.next = self.read.out_end.val();
        self.judge.in_head.next = self.read.out_head.val();

        // At most 11 heads are on their way while 15 wait.
        self.heads.in_valid.next = self.judge.out_valid.val();
        self.heads.in_data.next = self.judge.out_head.val();
        self.heads.out_ready.next = self.head.ready.val();
        self.front.next = self.heads.out_data.val();
        self.head.valid.next = self.heads.out_valid.val();
        self.head.bad.next = self.front.val().get_bit(LR2_HEAD_BITS - 1);
        self.head.kind.next = self.front.val().get_bits::<4>(0);
        self.head.origin.next = self.front.val().get_bits::<2>(4);
        self.head.six.next = self.front.val().get_bit(6);
        self.head.asks.next = self.front.val().get_bit(7);
        self.head.credits.next = self.front.val().get_bits::<5>(8);
        self.head.offset.next = self.front.val().get_bits::<7>(13);
        self.head.psn.next = self.front.val().get_bits::<24>(20);
        self.head.qp.next = self.front.val().get_bits::<24>(44);
        self.head.msn.next = self.front.val().get_bits::<24>(68);
        self.head.read.next = self.front.val().get_bits::<32>(92);
        self.head.gap_border.next = self.front.val().get_bits::<24>(124);
        self.head.gap_length.next = self.front.val().get_bits::<24>(148);
        self.head.gap_start.next = self.front.val().get_bits::<24>(172);
        self.head.destination.next = self.front.val().get_bits::<128>(196);
        self.head.source.next = self.front.val().get_bits::<128>(324);
    }
}
