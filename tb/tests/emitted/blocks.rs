//! Every block type, alone and as part of what contains it.

use rdma_rtl_hdl::describe::{Node, Role};
use rdma_rtl_tb::catalogue::{designs, find};

/// A block to be emitted.
pub struct Sample {
    /// its type
    pub name: &'static str,
    /// profile of the block that it is part of
    pub profile: &'static str,
    pub node: Node,
}

/// Where a block has more than one form: narrow and wide buses, with memory regions and without, one path and several, packets one by one
/// and in groups, windows of one length and of many.
const OTHERS: [(&str, &str); 9] = [
    ("receive_registry", "e4_m256"),
    ("frame_parser", "default"),
    ("packet_buffer", "default"),
    ("memory_writer", "default"),
    ("completion_queue", "large"),
    ("control_builder", "large"),
    ("receive_bitmap", "paths4_q256"),
    ("receive_bitmap", "group8_q1"),
    ("bitmap_pipeline", "pool"),
];

/// Tops of the transport profile *bitmap*, and blocks that have a form of their own inside of them, at the same parameters.
const PLAIN_TOPS: [&str; 3] = ["bitmap_send_endpoint", "bitmap_receive_endpoint", "bitmap_endpoint"];
const PLAIN: [&str; 7] =
    ["CombinedSendEndpoint", "CombinedSendPath", "PacketEngine", "PacketHeaders", "FrameJoin", "SentPackets", "FeedbackPath"];

/// A block's type, whether it has that form, its parameters, and the widths of its signals.
type Key = (&'static str, bool, Vec<u64>, Vec<usize>);

pub fn all() -> Vec<Sample> {
    let small = designs().iter().filter(|d| d.profile == "small").copied();
    let others = OTHERS.map(|(block, profile)| find(block, profile).expect("a block of the catalogue"));
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    for design in small.chain(others) {
        visit(
            &design.describe().unwrap_or_else(|e| panic!("{e}")),
            design.profile,
            PLAIN_TOPS.contains(&design.block),
            &mut seen,
            &mut found,
        );
    }
    found
}

fn visit(node: &Node, profile: &'static str, plain: bool, seen: &mut Vec<Key>, found: &mut Vec<Sample>) {
    match node {
        Node::Signal(_) => {}
        Node::Array(elements) => elements.iter().for_each(|e| visit(e, profile, plain, seen, found)),
        Node::Block(block) => {
            let widths = block.fields.iter().filter_map(|field| match &field.node {
                Node::Signal(signal) => Some(signal.bits),
                _ => None,
            });
            let parameters = block.params.iter().map(|p| p.1).collect();
            let key = (block.type_name, plain && PLAIN.contains(&block.type_name), parameters, widths.collect());
            if block.role == Role::Block && !seen.contains(&key) {
                seen.push(key);
                found.push(Sample { name: block.type_name, profile, node: node.clone() });
            }
            block.fields.iter().for_each(|f| visit(&f.node, profile, plain, seen, found));
        }
    }
}
