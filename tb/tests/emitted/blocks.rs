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

/// Where a block has more than one form: narrow and wide buses, with memory regions and without, one path and several, packets one by one and in groups,
/// windows of one length and of many.
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

/// Blocks that have a form of their own inside of this one, at the same parameters.
const FORMS: [(&str, &[&str]); 2] = [
    ("bitmap_send_endpoint", &["CombinedSendEndpoint", "CombinedSendPath", "PacketEngine", "PacketHeaders", "FrameJoin", "SentPackets"]),
    ("bitmap_receive_endpoint", &["FeedbackPath"]),
];

/// A block's type, its form if there are several, and its parameters.
type Key = (&'static str, &'static str, Vec<u64>);

pub fn all() -> Vec<Sample> {
    let small = designs().iter().filter(|d| d.profile == "small").copied();
    let others = OTHERS.map(|(block, profile)| find(block, profile).expect("a block of the catalogue"));
    let (mut seen, mut found) = (Vec::new(), Vec::new());
    for design in small.chain(others) {
        let forms = FORMS.into_iter().find(|(block, _)| *block == design.block);
        visit(&design.describe(), design.profile, forms.unwrap_or_default(), &mut seen, &mut found);
    }
    found
}

fn visit(node: &Node, profile: &'static str, forms: (&'static str, &[&str]), seen: &mut Vec<Key>, found: &mut Vec<Sample>) {
    match node {
        Node::Signal(_) => {}
        Node::Array(elements) => elements.iter().for_each(|e| visit(e, profile, forms, seen, found)),
        Node::Block(block) => {
            let form = if forms.1.contains(&block.type_name) { forms.0 } else { "" };
            let key = (block.type_name, form, block.params.iter().map(|p| p.1).collect());
            if block.role == Role::Block && !seen.contains(&key) {
                seen.push(key);
                found.push(Sample { name: block.type_name, profile, node: node.clone() });
            }
            block.fields.iter().for_each(|f| visit(&f.node, profile, forms, seen, found));
        }
    }
}
