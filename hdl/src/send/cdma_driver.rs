use super::{AxiLiteAccess, CdmaControl, DescriptorRing, DescriptorWriter, StatusReader};
use crate::bus::{CdmaBus, DescriptorBus};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Drives a Xilinx AXI CDMA in scatter-gather mode: loads in, their answers out, in the order of the loads.
///
/// ```text
///  load ─▶ writer ─▶ ring ◀──▶ SG port of the CDMA
///                     │ status
///  loaded ◀─ reader ◀─┘
///              ▲ │ error
///              │ ▼
///            control ─▶ register access ─▶ register port of the CDMA
/// ```
///
/// A load is up to four pieces of memory that come to lie one behind the other at its destination; each is one descriptor. At most
/// `2^DESCRIPTOR_BITS - 1` are out. The tail moves only to a descriptor that is completely written, with a status of zero, and none is
/// written again before it has left the ring. After an error what has completed is told, what failed fails, and the others are done (see
/// `CdmaControl`); when the engine is given up, `status_dead` is high, and every load is answered so until a reset. A load that is refused
/// is answered out of turn.
///
/// A transfer that never ends is an error when its descriptor has been the oldest for `cfg_load_timeout` ticks. Configuration must not
/// change while a load is under way. `status_config_error` is high for one that cannot be: a threshold above 1 without a delay (1 is then
/// taken), a ring that is not aligned to its size, a ring above 4 GB without `cfg_wide`, no time for a reset.
/// Latency: 10 clocks from a load to its descriptor, 1 more to the access of the tail; 2 from a status write to the answer. Throughput: 8
/// clocks per descriptor and 2 per load.
/// Reset: empty; the CDMA is reset before it is started again. Its descriptor port must be at rest.
/// Spec: send path, "Xilinx AXI CDMA in scatter-gather mode".
#[derive(Default, Described, LogicBlock)]
pub struct CdmaDriver {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// tick of the timers
    pub tick: Signal<In, Bit>,
    /// bytes are to be fetched
    pub load_valid: Signal<In, Bit>,
    /// the load is taken
    pub load_ready: Signal<Out, Bit>,
    /// comes back with its answer
    pub load_tag: Signal<In, Bits<TAG_BITS>>,
    /// addresses of up to four pieces, 64 bits each, first one lowest
    pub load_sources: Signal<In, Bits<256>>,
    /// their bytes, 32 bits each; 0: there is none
    pub load_lengths: Signal<In, Bits<128>>,
    /// where the first byte goes
    pub load_destination: Signal<In, Bits<64>>,
    /// a load has ended
    pub loaded_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `loaded_valid` is high too
    pub loaded_ready: Signal<In, Bit>,
    /// tag of `loaded`
    pub loaded_tag: Signal<Out, Bits<TAG_BITS>>,
    /// 0 done, 33 engine dead, 34 error of the engine, 35 refused: no bytes, too many, or out of reach
    pub loaded_status: Signal<Out, Bits<8>>,
    /// address of the ring as the CDMA sees it, a multiple of its size
    pub cfg_ring_base: Signal<In, Bits<64>>,
    /// the CDMA has addresses of more than 32 bits
    pub cfg_wide: Signal<In, Bit>,
    /// descriptors that interrupt
    pub cfg_irq_threshold: Signal<In, Bits<8>>,
    /// units of 125 clocks after which fewer do; 0: never
    pub cfg_irq_delay: Signal<In, Bits<8>>,
    /// ticks that a reset or a register access may take
    pub cfg_reset_timeout: Signal<In, Bits<32>>,
    /// ticks that a descriptor may take from when it is the oldest, more than the longest takes; 0: any number
    pub cfg_load_timeout: Signal<In, Bits<32>>,
    /// errors in a row, without a descriptor completed, that end it
    pub cfg_cdma_error_limit: Signal<In, Bits<8>>,
    /// the configuration cannot be
    pub status_config_error: Signal<Out, Bit>,
    /// the engine is given up
    pub status_dead: Signal<Out, Bit>,
    /// descriptors that are out
    pub status_outstanding: Signal<Out, Bits<DESCRIPTOR_BITS>>,
    /// counts descriptors completed
    pub evt_descriptors: Signal<Out, Bit>,
    /// counts errors of the engine
    pub evt_cdma_errors: Signal<Out, Bit>,
    /// counts soft resets, the one before the first start included
    pub evt_cdma_resets: Signal<Out, Bit>,
    /// counts loads refused
    pub evt_refused_loads: Signal<Out, Bit>,
    /// the engine has told its coalesced interrupt
    pub set_interrupt_status_loaded: Signal<Out, Bit>,
    /// no load is inside, and the engine is not being seen to
    pub idle: Signal<Out, Bit>,
    /// descriptor ring
    pub s_axi_sg: DescriptorBus<DESCRIPTOR_BYTE_BITS>,
    pub m_axi_lite: CdmaBus<6>,

    writer: DescriptorWriter,
    ring: DescriptorRing<DESCRIPTOR_BITS, DESCRIPTOR_WORD_BITS, DESCRIPTOR_BYTE_BITS>,
    reader: StatusReader<DESCRIPTOR_BITS, TAG_BITS, TAG_COUNT_BITS>,
    control: CdmaControl<DESCRIPTOR_BITS, DESCRIPTOR_BYTE_BITS>,
    access: AxiLiteAccess<6>,
    config_error: Reg<Bit>,
    outstanding: State<Bits<DESCRIPTOR_BITS>>,
    refuses: Signal<Local, Bit>,
}

impl CdmaDriver {
    /// A new one.
    pub fn new() -> Self {
        Self { writer: DescriptorWriter::new(), ring: DescriptorRing::new(), reader: StatusReader::new(), ..Default::default() }
    }
}

impl Logic for CdmaDriver {
    #[kernel]
    fn update(&mut self) {
        self.writer.load_valid.next = self.load_valid.val();
        self.writer.load_tag.next = self.load_tag.val();
        self.writer.load_sources.next = self.load_sources.val();
        self.writer.load_lengths.next = self.load_lengths.val();
        self.writer.load_destination.next = self.load_destination.val();
        self.writer.cfg_ring_base.next = self.cfg_ring_base.val();
        self.writer.cfg_wide.next = self.cfg_wide.val();
        self.writer.head.next = self.reader.head.val();
        self.writer.clear.next = self.control.clear.val();
        self.writer.put_ready.next = self.ring.put_ready.val();
        self.writer.refused_ready.next = self.reader.refused_ready.val();

        self.ring.put_valid.next = self.writer.put_valid.val();
        self.ring.put_word.next = self.writer.put_word.val();
        self.ring.put_data.next = self.writer.put_data.val();
        DescriptorBus::link(&mut self.s_axi_sg, &mut self.ring.s_axi_sg);

        self.reader.status_valid.next = self.ring.status_valid.val();
        self.reader.status_index.next = self.ring.status_index.val();
        self.reader.status_code.next = self.ring.status_code.val();
        self.reader.entry_valid.next = self.writer.entry_valid.val();
        self.reader.entry_tag.next = self.writer.entry_tag.val();
        self.reader.entry_last.next = self.writer.entry_last.val();
        self.reader.fill.next = self.writer.fill.val();
        self.reader.refused_valid.next = self.writer.refused_valid.val();
        self.reader.refused_tag.next = self.writer.refused_tag.val();
        self.reader.fail.next = self.control.fail.val();
        self.reader.dead.next = self.control.dead.val();
        self.reader.loaded_ready.next = self.loaded_ready.val();

        self.control.tick.next = self.tick.val();
        self.control.cfg_ring_base.next = self.cfg_ring_base.val();
        self.control.cfg_wide.next = self.cfg_wide.val();
        self.control.cfg_irq_threshold.next = self.cfg_irq_threshold.val();
        self.control.cfg_irq_delay.next = self.cfg_irq_delay.val();
        self.control.cfg_reset_timeout.next = self.cfg_reset_timeout.val();
        self.control.cfg_load_timeout.next = self.cfg_load_timeout.val();
        self.control.cfg_error_limit.next = self.cfg_cdma_error_limit.val();
        self.control.head.next = self.reader.head.val();
        self.control.out.next = self.reader.out.val();
        self.control.head_ok.next = self.reader.head_ok.val();
        self.control.head_error.next = self.reader.head_error.val();
        self.control.reaped.next = self.reader.reaped.val();
        self.control.completed.next = self.reader.completed.val();
        self.control.fill.next = self.writer.fill.val();
        self.control.clearing.next = self.writer.clearing.val();
        self.control.quiet.next = self.ring.quiet.val();
        self.control.access_ready.next = self.access.access_ready.val();
        self.control.answer_valid.next = self.access.answer_valid.val();
        self.control.answer_data.next = self.access.answer_data.val();
        self.control.answer_error.next = self.access.answer_error.val();

        self.access.access_valid.next = self.control.access_valid.val();
        self.access.access_write.next = self.control.access_write.val();
        self.access.access_offset.next = self.control.access_offset.val();
        self.access.access_data.next = self.control.access_data.val();
        CdmaBus::link(&mut self.m_axi_lite, &mut self.access.m_axi_lite);

        self.load_ready.next = self.writer.load_ready.val();
        self.loaded_valid.next = self.reader.loaded_valid.val();
        self.loaded_tag.next = self.reader.loaded_tag.val();
        self.loaded_status.next = self.reader.loaded_status.val();
        self.config_error.d.next = (self.cfg_irq_threshold.val() > bits::<8>(1) && !self.cfg_irq_delay.val().any())
            || self.cfg_ring_base.val().get_bits::<DESCRIPTOR_BYTE_BITS>(0).any()
            || (self.cfg_ring_base.val().get_bits::<32>(32).any() && !self.cfg_wide.val())
            || !self.cfg_reset_timeout.val().any();
        self.status_config_error.next = self.config_error.q.val();
        self.outstanding.d.next = self.writer.fill.val() - self.reader.head.val();
        self.status_outstanding.next = self.outstanding.q.val();
        self.status_dead.next = self.control.dead.val();
        self.evt_descriptors.next = self.reader.completed.val();
        self.evt_cdma_errors.next = self.control.error.val();
        self.evt_cdma_resets.next = self.control.reset.val();
        self.refuses.next = self.writer.refused_valid.val() && self.reader.refused_ready.val();
        self.evt_refused_loads.next = self.refuses.val();
        self.set_interrupt_status_loaded.next = self.control.interrupted.val();
        self.idle.next = self.writer.idle.val()
            && !self.reader.out.val()
            && !self.reader.loaded_valid.val()
            && (self.control.at_rest.val() || self.control.dead.val());
    }
}
