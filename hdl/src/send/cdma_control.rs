use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the driver is at.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ControlState {
    Off,
    Reset,
    ResetPoll,
    Clear,
    Clearing,
    ModeOff,
    ModeOn,
    Current,
    CurrentMsb,
    Control,
    Tail,
    TailMsb,
    Run,
    Status,
    Acknowledge,
    Failing,
    Drain,
    Judge,
    Fail,
    Count,
    Dead,
}

/// Registers of the AXI CDMA: starts it, moves its tail, looks after it, and brings it back after an error.
///
/// The engine is reset before its first start. Then: SGMode 0, SGMode 1, CURDESC, control, TAILDESC, of the pointers the MSB last with
/// `cfg_wide`. The tail moves to the newest descriptor that is completely written. Every 64 clocks CDMASR is read; a flag of an interrupt
/// is cleared and told by `interrupted`.
///
/// An error is seen in the status of the oldest descriptor or in CDMASR; a descriptor that has been the oldest for `cfg_load_timeout` ticks
/// and has no status counts as one too, for the engine tells of no transfer that hangs. Then (1) everything completed leaves the ring; (2)
/// the descriptor that has error bits fails; else the one in CURDESC, if it is the oldest and neither completed nor failed, is left for
/// another try, and fails at the second time; (3) soft reset, at most `cfg_reset_timeout` ticks; (4) the statuses of those behind are
/// cleared and the engine is started at the oldest; (5) `cfg_error_limit` errors without a descriptor completed between them end it. `dead`
/// is for ever: after (5), a reset that takes too long, a register that is answered with an error or not within `cfg_reset_timeout` ticks.
/// Latency: 1 clock from a descriptor to the first access of its tail; 64 clocks and a read to see an error that no status tells. Reset:
/// off.
/// Spec: send path, "Xilinx AXI CDMA in scatter-gather mode".
///
/// Parameters: `DESCRIPTOR_BITS` bits of a place in the ring, `DESCRIPTOR_BYTE_BITS` = `DESCRIPTOR_BITS + 6`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CdmaControl<const DESCRIPTOR_BITS: usize, const DESCRIPTOR_BYTE_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// tick of the timers
    pub tick: Signal<In, Bit>,
    /// address of the ring
    pub cfg_ring_base: Signal<In, Bits<64>>,
    /// the DMA engine has addresses of more than 32 bits
    pub cfg_wide: Signal<In, Bit>,
    /// descriptors that interrupt
    pub cfg_irq_threshold: Signal<In, Bits<8>>,
    /// units of 125 clocks after which fewer do; 0: never
    pub cfg_irq_delay: Signal<In, Bits<8>>,
    /// ticks that a reset may take
    pub cfg_reset_timeout: Signal<In, Bits<32>>,
    /// ticks that a descriptor may take from when it is the oldest; 0: any number
    pub cfg_load_timeout: Signal<In, Bits<32>>,
    /// errors in a row that end it
    pub cfg_error_limit: Signal<In, Bits<8>>,
    /// oldest descriptor that is out
    pub head: Signal<In, Bits<DESCRIPTOR_BITS>>,
    /// behind the newest
    pub fill: Signal<In, Bits<DESCRIPTOR_BITS>>,
    /// there is one
    pub out: Signal<In, Bit>,
    /// the oldest has completed
    pub head_ok: Signal<In, Bit>,
    /// it has failed
    pub head_error: Signal<In, Bit>,
    /// it leaves
    pub reaped: Signal<In, Bit>,
    /// completed
    pub completed: Signal<In, Bit>,
    /// no status is being written
    pub quiet: Signal<In, Bit>,
    /// statuses are being cleared
    pub clearing: Signal<In, Bit>,
    /// clear them, one clock
    pub clear: Signal<Out, Bit>,
    /// the oldest descriptor has failed
    pub fail: Signal<Out, Bit>,
    /// the engine is given up
    pub dead: Signal<Out, Bit>,
    /// a register access
    pub access_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `access_valid` is high too
    pub access_ready: Signal<In, Bit>,
    /// write, else read
    pub access_write: Signal<Out, Bit>,
    /// which register
    pub access_offset: Signal<Out, Bits<6>>,
    /// value
    pub access_data: Signal<Out, Bits<32>>,
    /// the access is done
    pub answer_valid: Signal<In, Bit>,
    /// value
    pub answer_data: Signal<In, Bits<32>>,
    /// it was answered with an error
    pub answer_error: Signal<In, Bit>,
    /// the engine has told an interrupt
    pub interrupted: Signal<Out, Bit>,
    /// an error is dealt with
    pub error: Signal<Out, Bit>,
    /// a soft reset begins
    pub reset: Signal<Out, Bit>,
    /// the engine is not being started, and no error is being dealt with
    pub at_rest: Signal<Out, Bit>,

    state: State<ControlState>,
    asked: State<Bit>,
    // The engine has been reset before its first start.
    fresh: State<Bit>,
    told: Reg<Bits<DESCRIPTOR_BITS>>,
    target: Reg<Bits<DESCRIPTOR_BITS>>,
    poll: State<Bits<6>>,
    due: State<Bit>,
    flags: Reg<Bits<3>>,
    // Where CURDESC pointed at the error, if it was in the ring.
    is_current: Reg<Bit>,
    current: Reg<Bits<DESCRIPTOR_BITS>>,
    retried: State<Bit>,
    row: State<Bits<8>>,
    at_limit: Reg<Bit>,
    timer: Reg<Bits<32>>,
    expired: State<Bit>,
    // The engine works, and how long the oldest descriptor may still take.
    works: Signal<Local, Bit>,
    patience: Reg<Bits<32>>,
    hangs: State<Bit>,
    accesses: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    base: Signal<Local, Bits<32>>,
    newest: Signal<Local, Bits<DESCRIPTOR_BITS>>,
    coalesces: Signal<Local, Bit>,
    setting: Signal<Local, Bits<32>>,
}

impl<const DESCRIPTOR_BITS: usize, const DESCRIPTOR_BYTE_BITS: usize> Logic for CdmaControl<DESCRIPTOR_BITS, DESCRIPTOR_BYTE_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.base.next =
            self.cfg_ring_base.val().get_bits::<32>(0) & !bit_cast::<32, DESCRIPTOR_BYTE_BITS>(!bits::<DESCRIPTOR_BYTE_BITS>(0));
        self.newest.next = self.target.q.val() - 1;
        // A threshold above 1 without a delay would keep the last descriptors to itself.
        self.coalesces.next = self.cfg_irq_delay.val().any() && self.cfg_irq_threshold.val().any();
        self.setting.next = (bit_cast::<32, 8>(self.cfg_irq_delay.val()) << 24) | bits::<32>(0x1_7008);
        if self.coalesces.val() {
            self.setting.next = (bit_cast::<32, 8>(self.cfg_irq_delay.val()) << 24)
                | (bit_cast::<32, 8>(self.cfg_irq_threshold.val()) << 16)
                | bits::<32>(0x7008);
        }

        self.done.next = self.answer_valid.val() && self.asked.q.val();
        self.accesses.next = true;
        self.access_write.next = true;
        self.access_offset.next = bits::<6>(0);
        self.access_data.next = bits::<32>(0);
        self.clear.next = false;
        self.fail.next = false;
        self.dead.next = false;
        self.error.next = false;
        self.interrupted.next = false;
        self.at_rest.next = false;
        self.works.next = false;
        self.poll.d.next = self.poll.q.val() + 1;
        if self.poll.q.val().all() {
            self.due.d.next = true;
        }
        if self.completed.val() {
            self.row.d.next = bits::<8>(0);
        }
        if self.reaped.val() {
            self.retried.d.next = false;
        }
        self.at_limit.d.next = self.row.q.val() >= self.cfg_error_limit.val();
        match self.state.q.val() {
            ControlState::Off => {
                self.accesses.next = false;
                self.at_rest.next = true;
                if self.out.val() && self.fresh.q.val() {
                    self.state.d.next = ControlState::ModeOff;
                }
                if self.out.val() && !self.fresh.q.val() {
                    self.state.d.next = ControlState::Reset;
                }
            }
            ControlState::Reset => {
                self.access_data.next = bits::<32>(4);
                if self.done.val() {
                    self.state.d.next = ControlState::ResetPoll;
                }
            }
            ControlState::ResetPoll => {
                self.access_write.next = false;
                if self.done.val() && !self.answer_data.val().get_bit(2) {
                    self.fresh.d.next = true;
                    self.state.d.next = ControlState::Clear;
                }
            }
            ControlState::Clear => {
                self.accesses.next = false;
                self.clear.next = true;
                self.state.d.next = ControlState::Clearing;
            }
            ControlState::Clearing => {
                self.accesses.next = false;
                if !self.clearing.val() {
                    self.state.d.next = ControlState::Off;
                }
            }
            ControlState::ModeOff => {
                if self.done.val() {
                    self.state.d.next = ControlState::ModeOn;
                }
            }
            ControlState::ModeOn => {
                self.access_data.next = bits::<32>(8);
                if self.done.val() {
                    self.state.d.next = ControlState::Current;
                }
            }
            ControlState::Current => {
                self.access_offset.next = bits::<6>(8);
                self.access_data.next = self.base.val() | (bit_cast::<32, DESCRIPTOR_BITS>(self.head.val()) << 6);
                if self.done.val() {
                    self.state.d.next = ControlState::Control;
                    if self.cfg_wide.val() {
                        self.state.d.next = ControlState::CurrentMsb;
                    }
                }
            }
            ControlState::CurrentMsb => {
                self.access_offset.next = bits::<6>(12);
                self.access_data.next = self.cfg_ring_base.val().get_bits::<32>(32);
                if self.done.val() {
                    self.state.d.next = ControlState::Control;
                }
            }
            ControlState::Control => {
                self.access_data.next = self.setting.val();
                self.target.d.next = self.fill.val();
                if self.done.val() {
                    self.state.d.next = ControlState::Tail;
                }
            }
            ControlState::Tail => {
                self.works.next = true;
                self.access_offset.next = bits::<6>(16);
                self.access_data.next = self.base.val() | (bit_cast::<32, DESCRIPTOR_BITS>(self.newest.val()) << 6);
                self.told.d.next = self.target.q.val();
                if self.done.val() {
                    self.state.d.next = ControlState::Run;
                    if self.cfg_wide.val() {
                        self.state.d.next = ControlState::TailMsb;
                    }
                }
            }
            ControlState::TailMsb => {
                self.works.next = true;
                self.access_offset.next = bits::<6>(20);
                self.access_data.next = self.cfg_ring_base.val().get_bits::<32>(32);
                if self.done.val() {
                    self.state.d.next = ControlState::Run;
                }
            }
            ControlState::Run => {
                self.accesses.next = false;
                self.at_rest.next = true;
                self.works.next = true;
                self.target.d.next = self.fill.val();
                if self.due.q.val() {
                    self.due.d.next = false;
                    self.state.d.next = ControlState::Status;
                } else if self.told.q.val() != self.fill.val() {
                    self.state.d.next = ControlState::Tail;
                }
                if self.hangs.q.val() {
                    self.state.d.next = ControlState::Failing;
                }
                if self.head_error.val() {
                    self.is_current.d.next = false;
                    self.state.d.next = ControlState::Drain;
                }
            }
            ControlState::Status => {
                self.works.next = true;
                self.access_write.next = false;
                self.access_offset.next = bits::<6>(4);
                if self.done.val() {
                    self.flags.d.next = self.answer_data.val().get_bits::<3>(12);
                    self.state.d.next = ControlState::Run;
                    if self.answer_data.val().get_bits::<2>(12).any() {
                        self.interrupted.next = true;
                        self.state.d.next = ControlState::Acknowledge;
                    }
                    if (self.answer_data.val() & bits::<32>(0x770)).any() {
                        self.state.d.next = ControlState::Failing;
                    }
                }
            }
            ControlState::Acknowledge => {
                self.works.next = true;
                self.access_offset.next = bits::<6>(4);
                self.access_data.next = bit_cast::<32, 3>(self.flags.q.val()) << 12;
                if self.done.val() {
                    self.state.d.next = ControlState::Run;
                }
            }
            ControlState::Failing => {
                self.access_write.next = false;
                self.access_offset.next = bits::<6>(8);
                if self.done.val() {
                    self.is_current.d.next = (self.answer_data.val()
                        & !bit_cast::<32, DESCRIPTOR_BYTE_BITS>(!bits::<DESCRIPTOR_BYTE_BITS>(0)))
                        == self.base.val();
                    self.current.d.next = self.answer_data.val().get_bits::<DESCRIPTOR_BITS>(6);
                    self.state.d.next = ControlState::Drain;
                }
            }
            ControlState::Drain => {
                self.accesses.next = false;
                if self.quiet.val() && !self.head_ok.val() {
                    self.state.d.next = ControlState::Judge;
                }
            }
            ControlState::Judge => {
                self.accesses.next = false;
                self.error.next = true;
                if !self.row.q.val().all() {
                    self.row.d.next = self.row.q.val() + 1;
                }
                self.state.d.next = ControlState::Count;
                if self.head_error.val() {
                    self.state.d.next = ControlState::Fail;
                } else if self.out.val() && self.is_current.q.val() && self.current.q.val() == self.head.val() {
                    self.retried.d.next = true;
                    if self.retried.q.val() {
                        self.state.d.next = ControlState::Fail;
                    }
                }
            }
            ControlState::Fail => {
                self.accesses.next = false;
                self.fail.next = true;
                if self.reaped.val() {
                    self.state.d.next = ControlState::Count;
                }
            }
            ControlState::Count => {
                // One clock for `at_limit`, which is a register.
                self.accesses.next = false;
                self.asked.d.next = true;
                if self.asked.q.val() {
                    self.asked.d.next = false;
                    self.state.d.next = ControlState::Reset;
                    if self.at_limit.q.val() {
                        self.state.d.next = ControlState::Dead;
                    }
                }
            }
            ControlState::Dead => {
                self.accesses.next = false;
                self.dead.next = true;
            }
        }

        self.access_valid.next = self.accesses.val() && !self.asked.q.val();
        self.begins.next = self.accesses.val() && !self.asked.q.val() && self.access_ready.val();
        self.reset.next = self.begins.val() && self.state.q.val() == ControlState::Reset;
        if self.begins.val() {
            self.asked.d.next = true;
        }
        if self.done.val() && self.accesses.val() {
            self.asked.d.next = false;
        }
        // Every descriptor has its time from when the one before it has left. What a restart takes is not counted, nor how long an answer
        // waits.
        self.hangs.d.next = false;
        if !self.works.val() || !self.out.val() || self.head_ok.val() {
            self.patience.d.next = self.cfg_load_timeout.val();
        } else {
            self.hangs.d.next = self.cfg_load_timeout.val().any() && !self.patience.q.val().any();
            if self.tick.val() && self.patience.q.val().any() {
                self.patience.d.next = self.patience.q.val() - 1;
            }
        }
        // All the reads that wait for the end of a reset have the time together, any other access has it alone.
        self.expired.d.next = false;
        if self.accesses.val() {
            self.expired.d.next = !self.timer.q.val().any();
            if self.tick.val() && self.timer.q.val().any() {
                self.timer.d.next = self.timer.q.val() - 1;
            }
        }
        if (!self.accesses.val() || self.done.val()) && self.state.q.val() != ControlState::ResetPoll {
            self.expired.d.next = false;
            self.timer.d.next = self.cfg_reset_timeout.val();
        }
        if self.accesses.val() && (self.expired.q.val() || (self.done.val() && self.answer_error.val())) {
            self.state.d.next = ControlState::Dead;
        }
    }
}
