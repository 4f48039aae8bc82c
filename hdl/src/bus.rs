//! Signals that belong together: buses, streams, and what passes between the parts of an endpoint.
//!
//! A bundle is one field of a block, and one statement connects two of them; see `docs/src/add_a_block.md`.

use crate::Bundle;
use crate::wire::OP_BITS;
use rust_hdl::prelude::*;

pub mod addresses;
pub mod headers;
pub mod sending;

pub use addresses::*;
pub use headers::*;
pub use sending::*;

/// AXI4-Lite with 32 bits of data, as the slave has it. Protection bits are not looked at.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "RegisterBusMaster"]
#[mirror]
pub struct RegisterBus<const ADDRESS_BITS: usize> {
    /// write address is there
    #[gated]
    pub awvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub awready: Signal<Out, Bit>,
    /// byte address
    pub awaddr: Signal<In, Bits<ADDRESS_BITS>>,
    /// not used
    pub awprot: Signal<In, Bits<3>>,
    /// write data is there
    #[gated]
    pub wvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub wready: Signal<Out, Bit>,
    /// value
    pub wdata: Signal<In, Bits<32>>,
    /// which bytes count
    pub wstrb: Signal<In, Bits<4>>,
    /// a write is done
    #[gated]
    pub bvalid: Signal<Out, Bit>,
    /// that is taken
    pub bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub bresp: Signal<Out, Bits<2>>,
    /// read address is there
    #[gated]
    pub arvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub arready: Signal<Out, Bit>,
    /// byte address
    pub araddr: Signal<In, Bits<ADDRESS_BITS>>,
    /// not used
    pub arprot: Signal<In, Bits<3>>,
    /// a value is there
    #[gated]
    pub rvalid: Signal<Out, Bit>,
    /// it is taken
    pub rready: Signal<In, Bit>,
    /// the value
    pub rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY, 2 SLVERR
    pub rresp: Signal<Out, Bits<2>>,
}

/// AXI4 on which the CDMA reads its descriptors, in bursts, and writes their status, in single beats; as the ring has it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "DescriptorBusMaster"]
#[mirror]
pub struct DescriptorBus<const ADDRESS_BITS: usize> {
    /// address of a read
    #[gated]
    pub arvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub arready: Signal<Out, Bit>,
    /// byte in the ring
    pub araddr: Signal<In, Bits<ADDRESS_BITS>>,
    /// beats less one
    pub arlen: Signal<In, Bits<8>>,
    /// a beat
    #[gated]
    pub rvalid: Signal<Out, Bit>,
    /// it is taken
    pub rready: Signal<In, Bit>,
    /// word of a descriptor
    pub rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY
    pub rresp: Signal<Out, Bits<2>>,
    /// last beat of its burst
    pub rlast: Signal<Out, Bit>,
    /// address of a write
    #[gated]
    pub awvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub awready: Signal<Out, Bit>,
    /// byte in the ring
    pub awaddr: Signal<In, Bits<ADDRESS_BITS>>,
    /// a beat
    #[gated]
    pub wvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub wready: Signal<Out, Bit>,
    /// value
    pub wdata: Signal<In, Bits<32>>,
    /// bytes that are written
    pub wstrb: Signal<In, Bits<4>>,
    /// last beat of its burst
    pub wlast: Signal<In, Bit>,
    /// a write is answered
    #[gated]
    pub bvalid: Signal<Out, Bit>,
    /// the answer is taken
    pub bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub bresp: Signal<Out, Bits<2>>,
}

/// AXI4-Lite to the registers of the CDMA, as the master has it: whole words alone.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "CdmaBusSlave"]
#[mirror]
pub struct CdmaBus<const ADDRESS_BITS: usize> {
    /// address of a write
    #[gated]
    pub awvalid: Signal<Out, Bit>,
    /// it is taken
    pub awready: Signal<In, Bit>,
    /// byte address
    pub awaddr: Signal<Out, Bits<ADDRESS_BITS>>,
    /// value of a write
    #[gated]
    pub wvalid: Signal<Out, Bit>,
    /// it is taken
    pub wready: Signal<In, Bit>,
    /// all four bytes of it
    pub wdata: Signal<Out, Bits<32>>,
    /// a write is answered
    #[gated]
    pub bvalid: Signal<In, Bit>,
    /// the answer is taken
    #[gated]
    pub bready: Signal<Out, Bit>,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub bresp: Signal<In, Bits<2>>,
    /// address of a read
    #[gated]
    pub arvalid: Signal<Out, Bit>,
    /// it is taken
    pub arready: Signal<In, Bit>,
    /// byte address
    pub araddr: Signal<Out, Bits<ADDRESS_BITS>>,
    /// a read is answered
    #[gated]
    pub rvalid: Signal<In, Bit>,
    /// the answer is taken
    #[gated]
    pub rready: Signal<Out, Bit>,
    /// value
    pub rdata: Signal<In, Bits<32>>,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub rresp: Signal<In, Bits<2>>,
}

/// AXI4 on which the CDMA fills the send buffer; reads are refused. As the buffer has it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "BufferBusMaster"]
#[mirror]
pub struct BufferBus<const DATA_WIDTH: usize, const DATA_BYTES: usize> {
    /// a burst is there
    #[gated]
    pub awvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub awready: Signal<Out, Bit>,
    /// its address
    pub awaddr: Signal<In, Bits<64>>,
    /// its beats but one
    pub awlen: Signal<In, Bits<8>>,
    /// log2 of the bytes of a beat
    pub awsize: Signal<In, Bits<3>>,
    /// 1 INCR
    pub awburst: Signal<In, Bits<2>>,
    /// a beat is there
    #[gated]
    pub wvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub wready: Signal<Out, Bit>,
    /// the beat
    pub wdata: Signal<In, Bits<DATA_WIDTH>>,
    /// its bytes that count
    pub wstrb: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its burst
    pub wlast: Signal<In, Bit>,
    /// a response is there
    #[gated]
    pub bvalid: Signal<Out, Bit>,
    /// it is taken
    pub bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub bresp: Signal<Out, Bits<2>>,
    /// a read is there
    #[gated]
    pub arvalid: Signal<In, Bit>,
    /// it is taken
    #[gated]
    pub arready: Signal<Out, Bit>,
    /// its beats but one
    pub arlen: Signal<In, Bits<8>>,
    /// a beat of its answer
    #[gated]
    pub rvalid: Signal<Out, Bit>,
    /// it is taken
    pub rready: Signal<In, Bit>,
    /// zero
    pub rdata: Signal<Out, Bits<DATA_WIDTH>>,
    /// 2 SLVERR
    pub rresp: Signal<Out, Bits<2>>,
    /// last beat of its answer
    pub rlast: Signal<Out, Bit>,
}

/// The write channels of AXI4 with a tag for each burst, as the master has them.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "TaggedWritesSlave"]
#[mirror]
pub struct TaggedWrites<const ID_BITS: usize, const DATA_WIDTH: usize, const DATA_BYTES: usize> {
    /// address of a burst
    #[gated]
    pub awvalid: Signal<Out, Bit>,
    /// it is taken
    pub awready: Signal<In, Bit>,
    /// tag of its write
    pub awid: Signal<Out, Bits<ID_BITS>>,
    /// of its first beat
    pub awaddr: Signal<Out, Bits<64>>,
    /// beats less one
    pub awlen: Signal<Out, Bits<8>>,
    /// a beat
    #[gated]
    pub wvalid: Signal<Out, Bit>,
    /// it is taken
    pub wready: Signal<In, Bit>,
    /// lowest address in the lowest bits
    pub wdata: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that are written
    pub wstrb: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its burst
    pub wlast: Signal<Out, Bit>,
    /// a response
    pub bvalid: Signal<In, Bit>,
    /// it is taken: always
    pub bready: Signal<Out, Bit>,
    /// ID of its burst
    pub bid: Signal<In, Bits<ID_BITS>>,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub bresp: Signal<In, Bits<2>>,
}

/// The write channels of AXI4 without tags, as the master has them.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "WritesSlave"]
#[mirror]
pub struct Writes<const DATA_WIDTH: usize, const DATA_BYTES: usize> {
    /// address of an entry
    #[gated]
    pub awvalid: Signal<Out, Bit>,
    /// it is taken
    pub awready: Signal<In, Bit>,
    /// its first byte
    pub awaddr: Signal<Out, Bits<64>>,
    /// beats less one
    pub awlen: Signal<Out, Bits<8>>,
    /// a beat
    #[gated]
    pub wvalid: Signal<Out, Bit>,
    /// it is taken
    pub wready: Signal<In, Bit>,
    /// lowest address in the lowest bits
    pub wdata: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that are written
    pub wstrb: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its burst
    pub wlast: Signal<Out, Bit>,
    /// a response
    pub bvalid: Signal<In, Bit>,
    /// it is taken: always
    pub bready: Signal<Out, Bit>,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub bresp: Signal<In, Bits<2>>,
}

/// AXI4-Stream of frames from the MAC.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FramesInSource"]
#[mirror]
pub struct FramesIn<const DATA_WIDTH: usize, const DATA_BYTES: usize> {
    /// a beat of a frame from the MAC
    pub tvalid: Signal<In, Bit>,
    /// it is taken
    pub tready: Signal<Out, Bit>,
    /// first byte in the lowest bits; a frame begins at the start of a beat
    pub tdata: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count: contiguous from bit 0; read with the last beat alone
    pub tkeep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub tlast: Signal<In, Bit>,
    /// with the last beat, bit 0: the MAC found the frame damaged; bit 1: its ICRC is wrong
    pub tuser: Signal<In, Bits<2>>,
}

/// AXI4-Stream of frames for the MAC.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FramesOutSink"]
#[mirror]
pub struct FramesOut<const DATA_WIDTH: usize, const DATA_BYTES: usize> {
    /// a beat of a frame for the MAC
    pub tvalid: Signal<Out, Bit>,
    /// it is taken
    pub tready: Signal<In, Bit>,
    /// first byte in the lowest bits; four zero bytes stand where the ICRC goes
    pub tdata: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub tkeep: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub tlast: Signal<Out, Bit>,
}

/// AXI4-Stream of commands.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "CommandsInSource"]
#[mirror]
pub struct CommandsIn<const DATA_WIDTH: usize> {
    /// a command
    pub tvalid: Signal<In, Bit>,
    /// it is taken
    pub tready: Signal<Out, Bit>,
    /// its fields, the first one in the lowest bits: see `CommandIntake`
    pub tdata: Signal<In, Bits<DATA_WIDTH>>,
}

/// A stream of frames, from the block that makes it.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "FramesSink"]
#[mirror]
pub struct Frames<const DATA_WIDTH: usize, const DATA_BYTES: usize> {
    /// a beat of a frame
    pub valid: Signal<Out, Bit>,
    /// a beat transfers in a clock in which `valid` is high too
    pub ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub data: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub keep: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub last: Signal<Out, Bit>,
}

/// What the host is told, one operation a transfer.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "CompletionsSink"]
#[mirror]
pub struct Completions<const MASK_BITS: usize> {
    /// a word is there
    pub valid: Signal<Out, Bit>,
    /// a beat transfers in a clock in which `valid` is high too
    pub ready: Signal<In, Bit>,
    /// 0: an operation ended, 1: data arrival, 2: a command of this host ended
    pub kind: Signal<Out, Bits<2>>,
    /// sending node
    pub src: Signal<Out, Bits<16>>,
    /// op number
    pub op: Signal<Out, Bits<OP_BITS>>,
    /// target address
    pub base: Signal<Out, Bits<64>>,
    /// bytes
    pub bytes: Signal<Out, Bits<32>>,
    /// packets
    pub packets: Signal<Out, Bits<16>>,
    /// status code
    pub status: Signal<Out, Bits<8>>,
    /// an immediate came
    pub imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub imm: Signal<Out, Bits<32>>,
    /// arrival mask at the end
    pub mask: Signal<Out, Bits<MASK_BITS>>,
}
