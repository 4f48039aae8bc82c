//! Beats of the loader's streams: segments in, what the CDMA and the packet engine are given out.

use crate::memory::Ports;
use crate::pins::chance;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::splitter::{Block, Segment};
use rdma_rtl_sim::Model;

/// Segments as they come: most with payload, in one to four pieces, some data arrivals.
pub fn mixture(rng: &mut ChaCha8Rng, count: usize, arrivals: u32, largest: u32, packets: u16) -> Vec<Segment> {
    let segment = |_| {
        let arrival = chance(rng, arrivals);
        let pieces = if arrival { 0 } else { rng.random_range(1..=4) };
        let large = rng.random::<bool>();
        Segment {
            command: rng.random_range(0..16),
            kind: if arrival { OpKind::Arrival } else { OpKind::Data },
            last: true,
            large,
            target: rng.random(),
            node: rng.random(),
            qp: rng.random_range(0..1 << 24),
            rkey: rng.random(),
            imm: rng.random::<bool>().then(|| rng.random()),
            bytes: rng.random_range(1..=largest),
            count: if arrival { 1 } else { rng.random_range(1..=packets) },
            pieces: (0..pieces).map(|_| Block { source: rng.random(), bytes: rng.random_range(1..=largest) }).collect(),
        }
    };
    (0..count).map(segment).collect()
}

/// Offers a segment; what it does not have is anything.
pub(super) fn put<'a, M: std::ops::DerefMut<Target = dyn Model + 'a>>(p: &mut Ports<M>, segment: &Segment) {
    p.set("segment_command", segment.command.into());
    p.set("segment_kind", segment.kind as u64);
    p.set("segment_large", segment.large.into());
    p.set("segment_target", segment.target);
    p.set("segment_node", segment.node.into());
    p.set("segment_qp", segment.qp.into());
    p.set("segment_rkey", segment.rkey.into());
    p.set("segment_imm_valid", segment.imm.is_some().into());
    p.set("segment_imm", segment.imm.unwrap_or(0x5555_aaaa).into());
    p.set("segment_bytes", segment.bytes.into());
    p.set("segment_count", segment.count.into());
    let block = |i: usize| segment.pieces.get(i).copied().unwrap_or(Block { source: 0x1234_5678, bytes: 0 });
    let sources: Vec<u8> = (0..4).flat_map(|i| block(i).source.to_le_bytes()).collect();
    let lengths: Vec<u8> = (0..4).flat_map(|i| block(i).bytes.to_le_bytes()).collect();
    p.set_bytes("segment_sources", &sources);
    p.set_bytes("segment_lengths", &lengths);
}

/// What the CDMA is to fetch.
pub(super) fn pieces(p: &Ports<&dyn Model>) -> Vec<Block> {
    let (sources, lengths) = (p.get_bytes("load_sources"), p.get_bytes("load_lengths"));
    let block = |i: usize| Block {
        source: u64::from_le_bytes(sources[8 * i..8 * i + 8].try_into().unwrap_or_default()),
        bytes: u32::from_le_bytes(lengths[4 * i..4 * i + 4].try_into().unwrap_or_default()),
    };
    (0..4).map(block).filter(|piece| piece.bytes > 0).collect()
}

/// The op stream offers operation `op` of `segment` in `slot`.
pub(super) fn same(p: &Ports<&dyn Model>, op: u32, slot: usize, segment: &Segment) -> Result<(), String> {
    let mut fields = vec![
        ("op", u64::from(op)),
        ("slot", slot as u64),
        ("count", segment.count.into()),
        ("bytes", segment.bytes.into()),
        ("target", segment.target),
        ("node", segment.node.into()),
        ("qp", segment.qp.into()),
        ("rkey", segment.rkey.into()),
        ("imm_valid", segment.imm.is_some().into()),
        ("large", segment.large.into()),
        ("kind", segment.kind as u64),
    ];
    fields.extend(segment.imm.map(|imm| ("imm", u64::from(imm))));
    for (name, expected) in fields {
        let found = p.get(&format!("op_{name}"));
        if found != expected {
            return Err(format!("`op_{name}` is {found:#x} of op {op:#06x}, expected {expected:#x}"));
        }
    }
    Ok(())
}
