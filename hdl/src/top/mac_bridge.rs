use crate::bus::{Frames, FramesInSource, FramesOutSink};
use crate::primitives::{FifoAsync, FifoLut, Reg, State, Synchronizer};
use crate::sizes::*;
use crate::top::FrameGate;
use crate::wire::{FramePad, FrameWidth, IcrcCheck, IcrcInsert, MacSide};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Between an endpoint and a MAC that has no ICRC, another clock, and beats of its own width.
///
/// ```text
///              aclk                                     |         mac_aclk
///  s_axis_tx ─▶ icrc_insert ▶ width ▶ pad to 60 bytes ─ fifo ─▶ frame_store ▶ gate ─▶ m_axis_mac
///  m_axis_rx ◀─ icrc_check ◀ width ◀ gate ────────────── fifo ◀─ frame_store ◀──────── s_axis_mac
/// ```
///
/// * To the MAC a frame begins when it is whole and does not pause, so that the MAC has no underflow. Without a line (`line_up` low)
///   frames are thrown away as wholes: the endpoint does not wait for a cable.
/// * From the MAC beats come without `ready`. A frame that finds no room is lost as a whole and counted (`receive_lost`).
///   `s_axis_mac_tuser` of the last beat
///   is bit 0 of `m_axis_rx_tuser`; bit 1 says that the ICRC is wrong.
/// * `tx_enable`, `tx_send_rfi`: what a CMAC wants to be told (PG203, "Without AXI4-Lite Interface"): it sends a remote fault until its
///   receiver is aligned, and frames from then on.
///
/// Resets are for frames, not for what crosses: FIFOs between the clocks begin as the configuration leaves them and are never reset, so
/// either clock may
/// stop, and either side be in reset, at any time. `aresetn`: what is inside on the side of `aclk` is lost; a frame that had begun to
/// cross towards the MAC gets an end that throws it away there, and the rest of one that had begun to leave is thrown away. `mac_aresetn`:
/// the rest of the frame that goes to the MAC is thrown away. A frame from the MAC that meets it, or a line that is down, is thrown away.
///
/// Throughput: one beat per clock of the narrower side; what the MAC receives in bursts waits in 32 KB. Latency: 16 clocks for the ICRC
/// at 512 bits and 2
/// for width and FIFO, then those of `FifoAsync`, and 3 after the last beat; the same way back with 11 for the ICRC.
/// Spec: ready for a wire, "On the board" and "ICRC".
///
/// Parameters: `MAC_WIDTH` bits of a beat of the MAC: 512 of a CMAC, 64 of a 10G or 25G MAC.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct MacBridge {
    /// clock of the endpoint
    pub aclk: Signal<In, Clock>,
    /// synchronous to `aclk`, active low
    pub aresetn: Signal<In, Bit>,
    pub s_axis_tx: FramesOutSink<DATA_WIDTH, DATA_BYTES>,
    pub m_axis_rx: FramesInSource<DATA_WIDTH, DATA_BYTES>,
    /// clock of the MAC, both ways
    pub mac_aclk: Signal<In, Clock>,
    /// synchronous to `mac_aclk`, active low: the MAC is ready
    pub mac_aresetn: Signal<In, Bit>,
    /// a beat for the MAC; until the last one of its frame every clock has one
    pub m_axis_mac_tvalid: Signal<Out, Bit>,
    /// it is taken
    pub m_axis_mac_tready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub m_axis_mac_tdata: Signal<Out, Bits<MAC_WIDTH>>,
    /// bytes that count
    pub m_axis_mac_tkeep: Signal<Out, Bits<MAC_BYTES>>,
    /// last beat of its frame
    pub m_axis_mac_tlast: Signal<Out, Bit>,
    /// a beat from the MAC; it knows no `ready`
    pub s_axis_mac_tvalid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub s_axis_mac_tdata: Signal<In, Bits<MAC_WIDTH>>,
    /// bytes that count, with the last beat
    pub s_axis_mac_tkeep: Signal<In, Bits<MAC_BYTES>>,
    /// last beat of its frame
    pub s_axis_mac_tlast: Signal<In, Bit>,
    /// with the last beat: the MAC found the frame damaged
    pub s_axis_mac_tuser: Signal<In, Bit>,
    /// of `mac_aclk`: the MAC's receiver is aligned
    pub line_up: Signal<In, Bit>,
    /// of `mac_aclk`: the MAC may send frames
    pub tx_enable: Signal<Out, Bit>,
    /// of `mac_aclk`: the MAC sends a remote fault
    pub tx_send_rfi: Signal<Out, Bit>,
    /// frames from the MAC that found no room, since reset
    pub receive_lost: Signal<Out, Bits<32>>,
    /// bit 0: there is a line; bits 31 to 16: frames for the MAC that were longer than the store, since reset
    pub status: Signal<Out, Bits<32>>,
    insert: IcrcInsert,
    to_mac: FrameWidth<DATA_WIDTH, DATA_BYTES, MAC_WIDTH, MAC_BYTES>,
    pad: FramePad,
    transmit: FifoAsync<MAC_BEAT_BITS, 4, 5, 2>,
    side: MacSide,
    receive: FifoAsync<MAC_BEAT_BITS, 4, 5, 2>,
    gate: FrameGate,
    from_mac: FrameWidth<MAC_WIDTH, MAC_BYTES, DATA_WIDTH, DATA_BYTES>,
    check: IcrcCheck,
    // What the MAC said of the frames in `check`.
    marks: FifoLut<1, 5, 6>,
    events: FifoAsync<2, 2, 3, 2>,
    aligned: Synchronizer<1, 3>,
    reset: Reg<Bit>,
    // A frame has begun to cross and is not at its end; it is to be thrown away.
    inside: Reg<Bit>,
    cut: Reg<Bit>,
    receive_count: State<Bits<32>>,
    transmit_count: State<Bits<16>>,
    pushes: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    came: Signal<Local, Bits<MAC_BEAT_BITS>>,
    last_place: Constant<Bits<12>>,
    keep_place: Constant<Bits<12>>,
    mark_place: Constant<Bits<12>>,
}

impl Default for MacBridge {
    fn default() -> Self {
        let place = |at: usize| Constant::new(bits::<12>(at as u64));
        Self {
            keep_place: place(MAC_WIDTH),
            last_place: place(MAC_WIDTH + MAC_BYTES),
            mark_place: place(MAC_WIDTH + MAC_BYTES + 1),
            ..Self::blank()
        }
    }
}

impl MacBridge {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for MacBridge {
    #[kernel]
    fn update(&mut self) {
        self.reset.d.next = !self.aresetn.val();
        self.insert.rst.next = self.reset.q.val();
        self.to_mac.rst.next = self.reset.q.val();
        self.pad.rst.next = self.reset.q.val();
        self.from_mac.rst.next = self.reset.q.val();
        self.check.rst.next = self.reset.q.val();
        self.marks.rst.next = self.reset.q.val();

        // For the MAC.
        self.insert.frames.valid.next = self.s_axis_tx.tvalid.val() && !self.reset.q.val();
        self.insert.frames.data.next = self.s_axis_tx.tdata.val();
        self.insert.frames.keep.next = self.s_axis_tx.tkeep.val();
        self.insert.frames.last.next = self.s_axis_tx.tlast.val();
        self.s_axis_tx.tready.next = self.insert.frames.ready.val() && !self.reset.q.val();
        Frames::join(&mut self.insert.out, &mut self.to_mac.frames);
        self.to_mac.in_mark.next = false;
        Frames::join(&mut self.to_mac.out, &mut self.pad.frames);
        self.pad.out.ready.next = self.transmit.in_ready.val() && !self.cut.q.val() && !self.reset.q.val();
        self.transmit.in_valid.next = (self.pad.out.valid.val() && !self.reset.q.val()) || self.cut.q.val();
        self.pushes.next = self.transmit.in_valid.val() && self.transmit.in_ready.val();
        self.ends.next = self.pad.out.last.val() || self.cut.q.val();
        self.transmit.in_data.next = bit_cast::<MAC_BEAT_BITS, MAC_WIDTH>(self.pad.out.data.val())
            | (bit_cast::<MAC_BEAT_BITS, MAC_BYTES>(self.pad.out.keep.val()) << self.keep_place.val())
            | (bit_cast::<MAC_BEAT_BITS, 1>(self.ends.val().into()) << self.last_place.val())
            | (bit_cast::<MAC_BEAT_BITS, 1>(self.cut.q.val().into()) << self.mark_place.val());
        if self.pushes.val() {
            self.inside.d.next = !self.ends.val();
        }
        if self.cut.q.val() {
            self.cut.d.next = !self.transmit.in_ready.val();
        } else if self.reset.q.val() {
            self.cut.d.next = self.inside.q.val();
        }
        self.transmit.write_clk.next = self.aclk.val();
        self.transmit.write_rst.next = false;
        self.transmit.read_clk.next = self.mac_aclk.val();
        self.transmit.read_rst.next = false;

        // At the MAC.
        self.side.clk.next = self.mac_aclk.val();
        self.side.line_reset.next = !self.mac_aresetn.val();
        self.side.line_up.next = self.line_up.val();
        self.side.rx_valid.next = self.s_axis_mac_tvalid.val();
        self.side.rx_data.next = self.s_axis_mac_tdata.val();
        self.side.rx_keep.next = self.s_axis_mac_tkeep.val();
        self.side.rx_last.next = self.s_axis_mac_tlast.val();
        self.side.rx_damaged.next = self.s_axis_mac_tuser.val();
        self.side.in_valid.next = self.transmit.out_valid.val();
        self.side.in_word.next = self.transmit.out_data.val();
        self.transmit.out_ready.next = self.side.in_ready.val();
        self.m_axis_mac_tvalid.next = self.side.tx_valid.val();
        self.m_axis_mac_tdata.next = self.side.tx_data.val();
        self.m_axis_mac_tkeep.next = self.side.tx_keep.val();
        self.m_axis_mac_tlast.next = self.side.tx_last.val();
        self.side.tx_ready.next = self.m_axis_mac_tready.val();
        self.tx_enable.next = self.side.line.val();
        self.tx_send_rfi.next = !self.side.line.val();
        self.receive.write_clk.next = self.mac_aclk.val();
        self.receive.write_rst.next = false;
        self.receive.in_valid.next = self.side.out_valid.val();
        self.receive.in_data.next = self.side.out_word.val();
        self.side.out_ready.next = self.receive.in_ready.val();
        self.receive.read_clk.next = self.aclk.val();
        self.receive.read_rst.next = false;

        // From the MAC.
        self.came.next = self.receive.out_data.val();
        self.gate.rst.next = false;
        self.gate.enable.next = !self.reset.q.val();
        self.gate.cut.next = self.reset.q.val();
        self.gate.in_valid.next = self.receive.out_valid.val();
        self.gate.in_last.next = self.came.val().get_bit(MAC_WIDTH + MAC_BYTES);
        self.receive.out_ready.next = self.gate.in_ready.val();
        self.from_mac.frames.valid.next = self.gate.out_valid.val();
        self.gate.out_ready.next = self.from_mac.frames.ready.val();
        self.from_mac.frames.data.next = self.came.val().get_bits::<MAC_WIDTH>(0);
        self.from_mac.frames.keep.next = self.came.val().get_bits::<MAC_BYTES>(MAC_WIDTH);
        self.from_mac.frames.last.next = self.came.val().get_bit(MAC_WIDTH + MAC_BYTES);
        self.from_mac.in_mark.next = self.came.val().get_bit(MAC_WIDTH + MAC_BYTES + 1);
        Frames::join(&mut self.from_mac.out, &mut self.check.frames);
        self.check.in_user.next = false;
        self.marks.in_valid.next = self.from_mac.out.valid.val() && self.check.frames.ready.val() && self.from_mac.out.last.val();
        self.marks.in_data.next = self.from_mac.out_mark.val().into();
        self.m_axis_rx.tvalid.next = self.check.out.valid.val() && !self.reset.q.val();
        self.m_axis_rx.tdata.next = self.check.out.data.val();
        self.m_axis_rx.tkeep.next = self.check.out.keep.val();
        self.m_axis_rx.tlast.next = self.check.out.last.val();
        self.m_axis_rx.tuser.next = bit_cast::<2, 1>((self.marks.out_data.val().get_bit(0) && self.check.out.last.val()).into())
            | (bit_cast::<2, 1>(self.check.out_user.val().into()) << 1);
        self.check.out.ready.next = self.m_axis_rx.tready.val();
        self.marks.out_ready.next = self.check.out.valid.val() && self.m_axis_rx.tready.val() && self.check.out.last.val();

        // What was lost, and the line.
        self.events.write_clk.next = self.mac_aclk.val();
        self.events.write_rst.next = false;
        self.events.in_valid.next = self.side.event_valid.val();
        self.events.in_data.next = self.side.event_which.val();
        self.side.event_ready.next = self.events.in_ready.val();
        self.events.read_clk.next = self.aclk.val();
        self.events.read_rst.next = false;
        self.events.out_ready.next = true;
        if self.events.out_valid.val() && self.events.out_data.val().get_bit(0) {
            self.receive_count.d.next = self.receive_count.q.val() + 1;
        }
        if self.events.out_valid.val() && self.events.out_data.val().get_bit(1) {
            self.transmit_count.d.next = self.transmit_count.q.val() + 1;
        }
        self.receive_lost.next = self.receive_count.q.val();
        self.aligned.clk.next = self.aclk.val();
        self.aligned.d.next = self.side.line.val().into();
        self.status.next = bit_cast::<32, 1>(self.aligned.q.val()) | (bit_cast::<32, 16>(self.transmit_count.q.val()) << 16);
        if self.reset.q.val() {
            self.receive_count.d.next = bits::<32>(0);
            self.transmit_count.d.next = bits::<16>(0);
        }
    }
}
