//! Every block type at small parameters.
#![allow(dead_code)]

use super::describe;
use rdma_rtl_hdl::describe::{Node, Role};
use rdma_rtl_hdl::primitives::*;
use rdma_rtl_hdl::receive::*;

/// Name and description; names say the variant where a type occurs more than once.
pub fn all() -> Vec<(&'static str, Node)> {
    let mut blocks = primitives();
    blocks.extend(receive());
    blocks
}

fn primitives() -> Vec<(&'static str, Node)> {
    vec![
        ("barrel_shifter_right", describe(BarrelShifter::<8, 3, 0>::default())),
        ("barrel_shifter_left", describe(BarrelShifter::<8, 3, 1>::default())),
        ("barrel_shifter_pipelined", describe(BarrelShifterPipelined::<8, 3, 1, 2>::default())),
        ("block_ram", describe(BlockRam::<8, 3, 0>::default())),
        ("block_ram_registered", describe(BlockRam::<8, 3, 1>::default())),
        ("cleared_ram", describe(ClearedRam::<8, 3, 0>::default())),
        ("fifo_block", describe(FifoBlock::<8, 3, 4>::default())),
        ("fifo_lut", describe(FifoLut::<8, 3, 4>::default())),
        ("find_first", describe(FindFirst::<5, 3>::default())),
        ("initial_mask_shift", describe(InitialMask::<8, 4, 0>::default())),
        ("initial_mask_thermometer", describe(InitialMask::<8, 4, 1>::default())),
        ("lut_ram", describe(LutRam::<8, 3>::default())),
        ("one_hot_first", describe(OneHotFirst::<8>::default())),
        ("pop_count", describe(PopCount::<8, 4, 16>::default())),
        ("priority_encoder", describe(PriorityEncoder::<5, 3>::default())),
        ("psn_add", describe(PsnAdd::default())),
        ("psn_compare", describe(PsnCompare::default())),
        ("queue_ram", describe(QueueRam::<8, 3>::default())),
        ("register", describe(Register::<8>::default())),
        ("round_robin_arbiter", describe(RoundRobinArbiter::<4, 2>::default())),
        ("skid_buffer", describe(SkidBuffer::<8>::default())),
        ("thermometer_mask", describe(ThermometerMask::<8, 4, 0>::default())),
        ("tick_counter", describe(TickCounter::default())),
    ]
}

/// The registry, and every block in it as a top of its own.
fn receive() -> Vec<(&'static str, Node)> {
    let registry = describe(Registry::new(4));
    let mut found = vec![("ack_merge", describe(AckMerge::default()))];
    let mut seen = Vec::new();
    visit(&registry, &mut seen, &mut found);
    found
}

type Registry =
    ReceiveRegistry<2, 2, 14, 4, 84, 14, 4, 8, 16, 3, 4, 32, 5, 6, 12, 20, 13, 47, 4, 3, 4, 4, 5, 16, 8, 252, 238, 241, 196, 28, 92, 2, 0>;

fn visit(node: &Node, seen: &mut Vec<(&'static str, Vec<u64>)>, found: &mut Vec<(&'static str, Node)>) {
    match node {
        Node::Signal(_) => {}
        Node::Array(elements) => elements.iter().for_each(|e| visit(e, seen, found)),
        Node::Block(block) => {
            let key = (block.type_name, block.params.iter().map(|p| p.1).collect());
            if block.role == Role::Block && !seen.contains(&key) {
                seen.push(key);
                found.push((block.type_name, node.clone()));
            }
            block.fields.iter().for_each(|f| visit(&f.node, seen, found));
        }
    }
}
