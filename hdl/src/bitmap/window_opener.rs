use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a command is at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum OpenerState {
    /// no command
    Idle,
    /// the queue pair is closed
    Close,
    /// what was under way for it passes
    Drain,
    /// its segments are cleared
    Sweep,
    /// the last of them passes
    Settle,
    /// the engine's base is written
    Base,
    /// the queue pair is open
    Open,
}

/// Opens and closes queue pairs.
///
/// A queue pair is closed first in any case, and what is under way for it is waited for, here and while `hold` is high. To open it, one
/// word per segment passes the pipeline in clocks without a header and clears that segment, the one of the initial number last; then its
/// base and highest number are there, and it is open.
/// Latency: 15 clocks to close; `2^WINDOW_SEGMENTS_BITS` clocks without a header and 31 to open. Reset: no command is under way.
///
/// `SEGMENT_BITS` is the width of a position in a segment, `SEGMENT_REST_BITS` = `24 - SEGMENT_BITS`, `WINDOW_SEGMENTS_BITS` the width of a
/// segment's number in the window.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct WindowOpener<
    const NODE_BITS: usize,
    const SEGMENT_BITS: usize,
    const SEGMENT_REST_BITS: usize,
    const WINDOW_SEGMENTS_BITS: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a command is offered
    pub command_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<Out, Bit>,
    /// open, else close
    pub command_open: Signal<In, Bit>,
    /// queue pair
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// first number of `command`
    pub command_psn: Signal<In, Bits<24>>,
    /// the command that was taken has been carried out
    pub command_done: Signal<Out, Bit>,
    /// a command is under way
    pub busy: Signal<Out, Bit>,
    /// its queue pair
    pub qp: Signal<Out, Bits<NODE_BITS>>,
    /// first number
    pub first: Signal<Out, Bits<24>>,
    /// the one before
    pub below: Signal<Out, Bits<24>>,
    /// a segment is to be cleared
    pub begin_valid: Signal<Out, Bit>,
    /// it passes the pipeline
    pub begin_ready: Signal<In, Bit>,
    /// a number in it, from which on it belongs to the window
    pub begin_psn: Signal<Out, Bits<24>>,
    /// the queue pair is opened or closed
    pub flag_write: Signal<Out, Bit>,
    /// opened
    pub flag: Signal<Out, Bit>,
    /// nothing is under way any more for the queue pair, which is closed
    pub drained: Signal<Out, Bit>,
    /// it is to stay so
    pub hold: Signal<In, Bit>,
    /// the engine's base is to be `first`
    pub base_write: Signal<Out, Bit>,
    /// it is written
    pub base_ready: Signal<In, Bit>,
    state: State<OpenerState>,
    timer: Reg<Bits<4>>,
    opens: Reg<Bit>,
    qp_held: Reg<Bits<NODE_BITS>>,
    first_held: Reg<Bits<24>>,
    below_held: Reg<Bits<24>>,
    sweep: Reg<Bits<SEGMENT_REST_BITS>>,
    left: Reg<Bits<WINDOW_SEGMENTS_BITS>>,
    is_last: Signal<Local, Bit>,
}

impl<const NODE_BITS: usize, const SEGMENT_BITS: usize, const SEGMENT_REST_BITS: usize, const WINDOW_SEGMENTS_BITS: usize> Logic
    for WindowOpener<NODE_BITS, SEGMENT_BITS, SEGMENT_REST_BITS, WINDOW_SEGMENTS_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.command_ready.next = self.state.q.val() == OpenerState::Idle;
        self.busy.next = self.state.q.val() != OpenerState::Idle;
        self.qp.next = self.qp_held.q.val();
        self.first.next = self.first_held.q.val();
        self.below.next = self.below_held.q.val();
        self.command_done.next = false;
        self.flag_write.next = false;
        self.flag.next = false;
        self.base_write.next = false;
        self.drained.next = false;
        self.begin_valid.next = self.state.q.val() == OpenerState::Sweep;
        self.is_last.next = !self.left.q.val().any();
        self.begin_psn.next = bit_cast::<24, SEGMENT_REST_BITS>(self.sweep.q.val()) << SEGMENT_BITS.to_bits::<4>();
        if self.is_last.val() {
            self.begin_psn.next = self.first_held.q.val();
        }
        self.below_held.d.next = self.first_held.q.val() - 1;
        self.timer.d.next = self.timer.q.val() + 1;

        match self.state.q.val() {
            OpenerState::Close => {
                self.flag_write.next = true;
                self.timer.d.next = bits::<4>(4);
                self.state.d.next = OpenerState::Drain;
            }
            OpenerState::Drain => {
                self.drained.next = self.timer.q.val().all();
                if self.timer.q.val().all() {
                    self.timer.d.next = self.timer.q.val();
                }
                if self.timer.q.val().all() && !self.hold.val() {
                    self.state.d.next = OpenerState::Sweep;
                    if !self.opens.q.val() {
                        self.state.d.next = OpenerState::Idle;
                        self.command_done.next = true;
                    }
                }
            }
            OpenerState::Sweep => {
                self.timer.d.next = bits::<4>(4);
                if self.begin_ready.val() {
                    self.sweep.d.next = self.sweep.q.val() + 1;
                    self.left.d.next = self.left.q.val() - 1;
                    if self.is_last.val() {
                        self.state.d.next = OpenerState::Settle;
                    }
                }
            }
            OpenerState::Settle => {
                if self.timer.q.val().all() {
                    self.state.d.next = OpenerState::Base;
                }
            }
            OpenerState::Base => {
                self.base_write.next = true;
                if self.base_ready.val() {
                    self.state.d.next = OpenerState::Open;
                }
            }
            OpenerState::Open => {
                self.flag_write.next = true;
                self.flag.next = true;
                self.command_done.next = true;
                self.state.d.next = OpenerState::Idle;
            }
            _ => {
                self.opens.d.next = self.command_open.val();
                self.qp_held.d.next = self.command_qp.val();
                self.first_held.d.next = self.command_psn.val();
                self.sweep.d.next = self.command_psn.val().get_bits::<SEGMENT_REST_BITS>(SEGMENT_BITS) + 1;
                self.left.d.next = !bits::<WINDOW_SEGMENTS_BITS>(0);
                if self.command_valid.val() {
                    self.state.d.next = OpenerState::Close;
                }
            }
        }
    }
}
