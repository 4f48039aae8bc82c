//! What every packaged top is made of. A top is a set of facts, and has what they leave of what stands here, and in `frames`, `receiving`,
//! `sending` and `telling`:
//!
//! | fact | with it |
//! | --- | --- |
//! | `RECEIVES` | payload comes to our memory |
//! | `SENDS` | commands move memory to other nodes |
//! | `REGISTRY` | operations are entries of a receive registry and of an op table: transports *registry* and *combined* |
//! | `NUMBERS` | packets are acknowledged and sent again by sequence number: transports *combined* and *bitmap* |
//!
//! A field that not every top has is marked `#[given(...)]`, statements stand below an `if` with facts: `given!` resolves both before
//! anything else looks at the block. The file of a top has its doc comment, its facts, its parts and what they are made with.

macro_rules! endpoint {
    ($(#[$doc:meta])* pub struct $name:ident: $($fact:ident)*) => {
        #[allow(unused_imports)]
        use crate::memory::{AxiWriteMerge, CompletionMerge, CompletionQueue};
        #[allow(unused_imports)]
        use crate::primitives::{Reg, SkidBuffer, State};
        #[allow(unused_imports)]
        use crate::send::CommandIntake;
        use crate::top::{BusDrain, FrameGate};
        #[allow(unused_imports)]
        use crate::wire::{FrameMerge, FrameParser};
        #[allow(unused_imports)]
        use crate::{bus::*, csr::bundles::*, sizes::*};
        use crate::Described;
        use crate::csr::{Parameters, RegisterMap, Top, registers};
        use rust_hdl::prelude::*;

        impl $name {
            /// The registers that software sees.
            pub fn map(&self) -> &RegisterMap {
                self.registers.map()
            }

            /// What they tell of sizes, and their reset values follow from; `pool`: segments of all windows together, 0: windows have one
            /// length.
            fn parameters(pool: usize) -> Parameters {
                Parameters {
                    entries: ENTRIES as u32,
                    mask_bits: MASK_BITS as u32,
                    packet_size: 1 << PACKET_BITS,
                    nodes: NODES as u32,
                    escape_slots: ESCAPE_SLOTS as u32,
                    writes: WRITES as u32,
                    data_width: DATA_WIDTH as u32,
                    regions: REGIONS as u32,
                    queue_pairs: QUEUE_PAIRS as u32,
                    completion_stream: 0,
                    commands: COMMANDS as u32,
                    ops: 1 << OP_INDEX_BITS,
                    slots: SLOTS as u32,
                    ring: 1 << DESCRIPTOR_BITS,
                    length_bits: BTT_BITS as u32,
                    dma_width: 8 << DMA_LANE_BITS,
                    realign: REALIGN as u32,
                    window: 1 << WINDOW_BITS,
                    records: RECORDS as u32,
                    pool: pool as u32,
                    round_trip_us: ROUND_TRIP_US as u32,
                }
            }
        }

        $crate::top::frames! {
            [$($fact)*] of [RECEIVES SENDS REGISTRY NUMBERS]
            {
                $(#[$doc])*
                #[derive(Default, Described, LogicBlock)]
                #[described(reset = "drain.restart")]
                pub struct $name
            }
            {
                /// clock of everything
                pub aclk: Signal<In, Clock>,
                /// synchronous reset, active low, 4 clocks at least
                pub aresetn: Signal<In, Bit>,
                /// frames from the MAC
                pub s_axis_rx: FramesIn<DATA_WIDTH, DATA_BYTES>,
                /// frames for the MAC
                pub m_axis_tx: FramesOut<DATA_WIDTH, DATA_BYTES>,
                /// commands
                #[given(SENDS)]
                pub s_axis_command: CommandsIn<608>,
                /// descriptor ring
                #[given(SENDS)]
                pub s_axi_sg: DescriptorBus<DESCRIPTOR_BYTE_BITS>,
                /// not looked at: beats are as wide as the bus
                #[given(SENDS)]
                pub s_axi_sg_arsize: Signal<In, Bits<3>>,
                /// not looked at: bursts are INCR
                #[given(SENDS)]
                pub s_axi_sg_arburst: Signal<In, Bits<2>>,
                /// not looked at: writes have one beat
                #[given(SENDS)]
                pub s_axi_sg_awlen: Signal<In, Bits<8>>,
                /// not looked at: beats are as wide as the bus
                #[given(SENDS)]
                pub s_axi_sg_awsize: Signal<In, Bits<3>>,
                /// not looked at: bursts are INCR
                #[given(SENDS)]
                pub s_axi_sg_awburst: Signal<In, Bits<2>>,
                /// registers of the CDMA
                #[given(SENDS)]
                pub m_axi_cdma: CdmaBus<6>,
                /// send buffer
                #[given(SENDS)]
                pub s_axi_buffer: BufferBus<DATA_WIDTH, DATA_BYTES>,
                /// not looked at: reads are refused
                #[given(SENDS)]
                pub s_axi_buffer_araddr: Signal<In, Bits<64>>,
                /// not looked at: beats are as wide as the bus
                #[given(SENDS)]
                pub s_axi_buffer_arsize: Signal<In, Bits<3>>,
                /// not looked at: bursts are INCR
                #[given(SENDS)]
                pub s_axi_buffer_arburst: Signal<In, Bits<2>>,
                /// writes to memory
                #[given(RECEIVES)]
                pub m_axi: TaggedWrites<WRITE_COUNT_BITS, DATA_WIDTH, DATA_BYTES>,
                /// writes to memory
                #[given(!RECEIVES)]
                pub m_axi: Writes<DATA_WIDTH, DATA_BYTES>,
                /// log2 of the bytes of a beat
                pub m_axi_awsize: Signal<Out, Bits<3>>,
                /// 1: INCR
                pub m_axi_awburst: Signal<Out, Bits<2>>,
                /// 3: normal memory, not cached, bufferable
                pub m_axi_awcache: Signal<Out, Bits<4>>,
                /// 0: data, secure, unprivileged
                pub m_axi_awprot: Signal<Out, Bits<3>>,
                /// registers
                pub s_axi_ctrl: RegisterBus<12>,
                /// level: a bit is set in both interrupt registers
                pub irq: Signal<Out, Bit>,

                reset: Reg<Bit>,
                #[given(!RECEIVES)]
                begun: Signal<Local, Bit>,
                #[given(!RECEIVES)]
                seen: State<Bit>,
                #[given(!RECEIVES)]
                flows: Signal<Local, Bit>,
                gate: FrameGate,
                drain: BusDrain<10>,
                registers: Registers,
                parser: FrameParser,
                #[given(RECEIVES)]
                receive: ReceiveSide,
                #[given(RECEIVES && NUMBERS)]
                _fixed: usize,
                #[given(RECEIVES && NUMBERS)]
                _pools: usize,
                #[given(SENDS)]
                intake: CommandIntake,
                #[given(SENDS)]
                send: SendSide,
                #[given(SENDS)]
                commands: SkidBuffer<56>,
                #[given(RECEIVES && SENDS)]
                merged: CompletionMerge<COMPLETION_MASK_BITS>,
                queue: CompletionQueue,
                #[given(RECEIVES)]
                merge: AxiWriteMerge,
                #[given(RECEIVES && SENDS)]
                frames: FrameMerge<DATA_WIDTH, DATA_BYTES>,
                // Clocks without anything under way but writes.
                #[given(RECEIVES)]
                quiet: Reg<Bits<6>>,
                #[given(RECEIVES)]
                up: Reg<Bit>,
                #[given(RECEIVES)]
                busy: Signal<Local, Bit>,
                #[given(SENDS)]
                opens: Signal<Local, Bit>,
                #[given(SENDS && REGISTRY)]
                ack: Signal<Local, Bit>,
                #[given(SENDS)]
                remote: Signal<Local, Bit>,
                #[given(RECEIVES && SENDS && REGISTRY)]
                acknowledges: Signal<Local, Bit>,
                #[given(RECEIVES && !REGISTRY)]
                fits: Signal<Local, Bit>,
                #[given(RECEIVES && !REGISTRY)]
                request: Signal<Local, Bit>,
                // An open or close is under way, and has not been taken by the one side, by the other.
                #[given(NUMBERS)]
                known: Signal<Local, Bit>,
                #[given(NUMBERS)]
                commanded: Reg<Bit>,
                #[given(RECEIVES && NUMBERS)]
                refused: Reg<Bit>,
                #[given(RECEIVES && NUMBERS)]
                receive_offered: Reg<Bit>,
                #[given(SENDS && NUMBERS)]
                send_offered: Reg<Bit>,
                #[given(NUMBERS)]
                opening: Reg<Bit>,
                #[given(NUMBERS && (SENDS || !REGISTRY))]
                failed: Reg<Bits<8>>,
                #[given(RECEIVES && SENDS && !REGISTRY)]
                write_failed: Reg<Bits<8>>,
            }
        }
    };
}

pub(crate) use endpoint;
