use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Descriptors back from the DMA engine, in the order of the ring, and the answers of their loads.
///
/// A descriptor leaves the ring when its status says completed without an error, or with `fail` as one that failed, or with `dead` whatever
/// it says. The answer of a load comes with its last descriptor: 0 if all completed, 34 if one failed, 33 if the engine was given up; 35 if
/// the load was refused, which is told between the others.
/// Latency: 2 clocks from the write of a status to the answer. Throughput: one descriptor per clock. Reset: empty.
/// Spec: send path, "Xilinx AXI CDMA in scatter-gather mode".
///
/// Parameters: `DESCRIPTOR_BITS` bits of a place in the ring, `TAG_BITS` of a tag, `TAG_COUNT_BITS` = `TAG_BITS + 1`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct StatusReader<const DESCRIPTOR_BITS: usize, const TAG_BITS: usize, const TAG_COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a status word is written
    pub status_valid: Signal<In, Bit>,
    /// of which descriptor
    pub status_index: Signal<In, Bits<DESCRIPTOR_BITS>>,
    /// completed, decode error, slave error, internal error
    pub status_code: Signal<In, Bits<4>>,
    /// descriptor `fill` is complete
    pub entry_valid: Signal<In, Bit>,
    /// whose it is
    pub entry_tag: Signal<In, Bits<TAG_BITS>>,
    /// its load has no further one
    pub entry_last: Signal<In, Bit>,
    /// behind the newest descriptor
    pub fill: Signal<In, Bits<DESCRIPTOR_BITS>>,
    /// oldest descriptor that is out
    pub head: Signal<Out, Bits<DESCRIPTOR_BITS>>,
    /// there is one
    pub out: Signal<Out, Bit>,
    /// its status says completed and no error
    pub head_ok: Signal<Out, Bit>,
    /// the status of `head` says an error
    pub head_error: Signal<Out, Bit>,
    /// it has failed: held until `reaped`
    pub fail: Signal<In, Bit>,
    /// all fail from now on
    pub dead: Signal<In, Bit>,
    /// the oldest descriptor leaves
    pub reaped: Signal<Out, Bit>,
    /// and it has completed
    pub completed: Signal<Out, Bit>,
    /// a load was refused
    pub refused_valid: Signal<In, Bit>,
    /// it is told
    pub refused_ready: Signal<Out, Bit>,
    /// tag of `refused`
    pub refused_tag: Signal<In, Bits<TAG_BITS>>,
    /// a load has ended
    pub loaded_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `loaded_valid` is high too
    pub loaded_ready: Signal<In, Bit>,
    /// tag of `loaded`
    pub loaded_tag: Signal<Out, Bits<TAG_BITS>>,
    /// 0 done, 33 engine dead, 34 error of the engine, 35 refused
    pub loaded_status: Signal<Out, Bits<8>>,

    statuses: LutRam<4, DESCRIPTOR_BITS>,
    entries: LutRam<TAG_COUNT_BITS, DESCRIPTOR_BITS>,
    first: State<Bits<DESCRIPTOR_BITS>>,
    is_out: Signal<Local, Bit>,
    ok: Signal<Local, Bit>,
    error: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    failed: State<Bit>,
    fails: Signal<Local, Bit>,
    valid: State<Bit>,
    tag: Reg<Bits<TAG_BITS>>,
    status: Reg<Bits<8>>,
}

impl<const DESCRIPTOR_BITS: usize, const TAG_BITS: usize, const TAG_COUNT_BITS: usize>
    StatusReader<DESCRIPTOR_BITS, TAG_BITS, TAG_COUNT_BITS>
{
    /// A new one.
    /// # Panics
    /// A parameter that does not follow from the others.
    pub fn new() -> Self {
        assert!(
            TAG_COUNT_BITS == TAG_BITS + 1,
            "StatusReader: TAG_COUNT_BITS = {TAG_COUNT_BITS} with TAG_BITS = {TAG_BITS}, must be TAG_BITS + 1"
        );
        Self::default()
    }
}

impl<const DESCRIPTOR_BITS: usize, const TAG_BITS: usize, const TAG_COUNT_BITS: usize> Logic
    for StatusReader<DESCRIPTOR_BITS, TAG_BITS, TAG_COUNT_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.statuses.write_enable.next = self.status_valid.val();
        self.statuses.write_address.next = self.status_index.val();
        self.statuses.write_data.next = self.status_code.val();
        self.statuses.read_address.next = self.first.q.val();
        self.entries.write_enable.next = self.entry_valid.val();
        self.entries.write_address.next = self.fill.val();
        self.entries.write_data.next = bit_cast::<TAG_COUNT_BITS, TAG_BITS>(self.entry_tag.val())
            | (bit_cast::<TAG_COUNT_BITS, 1>(self.entry_last.val().into()) << TAG_BITS.to_bits::<6>());
        self.entries.read_address.next = self.first.q.val();

        self.is_out.next = self.first.q.val() != self.fill.val();
        self.error.next = self.is_out.val() && self.statuses.read_data.val().get_bits::<3>(0).any();
        self.ok.next =
            self.is_out.val() && self.statuses.read_data.val().get_bit(3) && !self.statuses.read_data.val().get_bits::<3>(0).any();
        self.last.next = self.entries.read_data.val().get_bit(TAG_BITS);
        self.room.next = !self.valid.q.val() || self.loaded_ready.val();
        self.leaves.next =
            self.is_out.val() && (self.ok.val() || self.fail.val() || self.dead.val()) && (self.room.val() || !self.last.val());
        self.fails.next = self.failed.q.val() || !self.ok.val();
        if self.loaded_ready.val() {
            self.valid.d.next = false;
        }
        self.refused_ready.next = self.room.val() && !self.leaves.val();
        if self.room.val() && !self.leaves.val() && self.refused_valid.val() {
            self.valid.d.next = true;
            self.tag.d.next = self.refused_tag.val();
            self.status.d.next = bits::<8>(35);
        }
        if self.leaves.val() {
            self.first.d.next = self.first.q.val() + 1;
            self.failed.d.next = self.fails.val() && !self.last.val();
            if self.last.val() {
                self.valid.d.next = true;
                self.tag.d.next = self.entries.read_data.val().get_bits::<TAG_BITS>(0);
                self.status.d.next = bits::<8>(0);
                if self.fails.val() {
                    self.status.d.next = bits::<8>(34);
                    if self.dead.val() {
                        self.status.d.next = bits::<8>(33);
                    }
                }
            }
        }
        self.head.next = self.first.q.val();
        self.out.next = self.is_out.val();
        self.head_ok.next = self.ok.val();
        self.head_error.next = self.error.val();
        self.reaped.next = self.leaves.val();
        self.completed.next = self.leaves.val() && self.ok.val();
        self.loaded_valid.next = self.valid.q.val();
        self.loaded_tag.next = self.tag.q.val();
        self.loaded_status.next = self.status.q.val();
    }
}
