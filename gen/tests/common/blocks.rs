//! Every block type at small parameters.
#![allow(dead_code)]

use super::describe;
use ::rust_hdl::prelude::*;
use rdma_rtl_hdl::csr::{AxiLiteSlave, CounterBank, ReceiveEndpointRegisters};
use rdma_rtl_hdl::describe::{Described, Node, Role};
use rdma_rtl_hdl::memory::*;
use rdma_rtl_hdl::primitives::*;
use rdma_rtl_hdl::receive::*;
use rdma_rtl_hdl::wire::*;

/// A block to be emitted.
pub struct Sample {
    /// Says the variant where a type occurs more than once.
    pub name: &'static str,
    pub node: Node,
}

fn sample<B: Block + Described>(name: &'static str, block: B) -> Sample {
    Sample { name, node: describe(block) }
}

pub fn all() -> Vec<Sample> {
    let mut blocks = primitives();
    blocks.extend(registers());
    blocks.extend(receive());
    blocks.extend(wire());
    blocks.extend(memory());
    blocks
}

fn primitives() -> Vec<Sample> {
    vec![
        sample("barrel_shifter_right", BarrelShifter::<8, 3, 0>::default()),
        sample("barrel_shifter_left", BarrelShifter::<8, 3, 1>::default()),
        sample("barrel_shifter_pipelined", BarrelShifterPipelined::<8, 3, 1, 2>::default()),
        sample("block_ram", BlockRam::<8, 3, 0>::default()),
        sample("block_ram_registered", BlockRam::<8, 3, 1>::default()),
        sample("byte_reverse", ByteReverse::<32, 2>::default()),
        sample("cleared_ram", ClearedRam::<8, 3, 0>::default()),
        sample("fifo_block", FifoBlock::<8, 3, 4>::default()),
        sample("fifo_lut", FifoLut::<8, 3, 4>::default()),
        sample("find_first", FindFirst::<5, 3>::default()),
        sample("initial_mask_shift", InitialMask::<8, 4, 0>::default()),
        sample("initial_mask_thermometer", InitialMask::<8, 4, 1>::default()),
        sample("lut_ram", LutRam::<8, 3>::default()),
        sample("one_hot_first", OneHotFirst::<8>::default()),
        sample("pop_count", PopCount::<8, 4, 16>::default()),
        sample("priority_encoder", PriorityEncoder::<5, 3>::default()),
        sample("psn_add", PsnAdd::default()),
        sample("psn_compare", PsnCompare::default()),
        sample("queue_ram", QueueRam::<8, 3>::default()),
        sample("register", Register::<8>::default()),
        sample("round_robin_arbiter", RoundRobinArbiter::<4, 2>::default()),
        sample("skid_buffer", SkidBuffer::<8>::default()),
        sample("subtract", Subtract::<8, 4>::default()),
        sample("thermometer_mask", ThermometerMask::<8, 4, 0>::default()),
        sample("tick_counter", TickCounter::default()),
    ]
}

fn registers() -> Vec<Sample> {
    vec![
        sample("axi_lite_slave", AxiLiteSlave::<6, 4>::default()),
        sample("counter_bank", CounterBank::<3, 2, 3, 3>::default()),
        sample("receive_endpoint_registers", ReceiveEndpointRegisters::new(&Default::default())),
    ]
}

/// The registry, and every block in it as a top of its own.
fn receive() -> Vec<Sample> {
    let registry = sample("ReceiveRegistry", Registry::new(4));
    let mut found = vec![sample("ack_merge", AckMerge::default())];
    visit(&registry.node, &mut Vec::new(), &mut found);
    found
}

type Registry =
    ReceiveRegistry<2, 2, 14, 4, 84, 14, 4, 8, 123, 3, 4, 32, 5, 6, 12, 20, 13, 47, 4, 2, 3, 4, 5, 16, 8, 252, 238, 241, 196, 28, 92, 2, 0>;

type Parser64 = FrameParser<64, 128, 8, 3, 4, 14, 18, 1152, 1, 32, 1, 1, 2, 6, 7, 98, 74, 224, 403, 344, 1, 0, 0, 0, 4, 2>;
type Parser512 = FrameParser<512, 1024, 64, 6, 7, 11, 3, 1536, 0, 96, 4, 2, 4, 5, 6, 543, 578, 320, 499, 440, 1, 1, 1, 1, 16, 4>;

/// The frame parser at two widths, and every block in it as a top of its own.
fn wire() -> Vec<Sample> {
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    visit(&sample("frame_parser", Parser64::new()).node, &mut seen, &mut found);
    visit(&sample("frame_parser", Parser512::new()).node, &mut seen, &mut found);
    visit(&sample("control_builder", ControlBuilder::<64, 8, 3, 4, 2, 4>::new()).node, &mut seen, &mut found);
    visit(&sample("control_builder", ControlBuilder::<2048, 256, 8, 9, 4, 16>::new()).node, &mut seen, &mut found);
    found
}

type Writer64 = MemoryWriter<64, 8, 3, 4, 7, 2, 4, 3, 8, 10, 53, 5, 5, 4, 5, 3, 4, 73, 22, 73>;
type Writer512 = MemoryWriter<512, 64, 6, 7, 10, 3, 6, 4, 6, 7, 52, 7, 3, 6, 7, 6, 7, 72, 30, 577>;

/// The memory side at two widths, and every block in it as a top of its own.
fn memory() -> Vec<Sample> {
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    visit(&sample("packet_buffer", PacketBuffer::<64, 32, 5, 6, 5, 5, 6, 10, 6>::new()).node, &mut seen, &mut found);
    visit(&sample("packet_buffer", PacketBuffer::<512, 80, 7, 8, 3, 3, 4, 10, 8>::new()).node, &mut seen, &mut found);
    visit(&sample("memory_writer", Writer64::new()).node, &mut seen, &mut found);
    visit(&sample("memory_writer", Writer512::new()).node, &mut seen, &mut found);
    visit(&sample("completion_queue", CompletionQueue::<64, 8, 512, 1, 32>::default()).node, &mut seen, &mut found);
    visit(&sample("completion_queue", CompletionQueue::<1024, 128, 1024, 2, 256>::default()).node, &mut seen, &mut found);
    visit(&sample("completion_stream", CompletionStream::<64>::new()).node, &mut seen, &mut found);
    visit(&sample("axi_write_merge", AxiWriteMerge::<64, 8, 4, 5, 73, 77>::new()).node, &mut seen, &mut found);
    found
}

type Seen = Vec<(&'static str, Vec<u64>)>;

fn visit(node: &Node, seen: &mut Seen, found: &mut Vec<Sample>) {
    match node {
        Node::Signal(_) => {}
        Node::Array(elements) => elements.iter().for_each(|e| visit(e, seen, found)),
        Node::Block(block) => {
            let key = (block.type_name, block.params.iter().map(|p| p.1).collect());
            if block.role == Role::Block && !seen.contains(&key) {
                seen.push(key);
                found.push(Sample { name: block.type_name, node: node.clone() });
            }
            block.fields.iter().for_each(|f| visit(&f.node, seen, found));
        }
    }
}
