//! What the parser must say of a good frame, from the golden model's reading of it.

use rdma_rtl_golden::registry::Kind;
use rdma_rtl_golden::wire::{Frame, Ip};

/// Value of one port as 32-bit words, the lowest first.
pub type Expected = (&'static str, Vec<u32>);

/// Bytes as a number whose highest byte is the first, cut to whole words from the top: `width` bits.
fn big_endian(bytes: &[u8], width: usize) -> Vec<u32> {
    let mut padded = bytes.to_vec();
    padded.resize(width / 8, 0);
    padded.rchunks(4).map(|word| word.iter().fold(0, |value, &byte| value << 8 | u32::from(byte))).collect()
}

fn number(value: impl Into<u64>, words: usize) -> Vec<u32> {
    let value = value.into();
    [value as u32, (value >> 32) as u32][..words].to_vec()
}

/// The header ports that mean something for this frame, with their values.
pub fn header(frame: &Frame) -> Vec<Expected> {
    let bth = &frame.bth;
    let one = |value: u64| number(value, 1);
    let mut ports = vec![
        ("header_bytes", one(frame.payload.len() as u64)),
        ("header_opcode", one(bth.opcode.0.into())),
        ("header_solicited", one(bth.solicited.into())),
        ("header_migration", one(bth.migration.into())),
        ("header_pad", one(bth.pad.into())),
        ("header_partition_key", one(bth.partition_key.into())),
        ("header_fecn", one(bth.fecn.into())),
        ("header_becn", one(bth.becn.into())),
        ("header_reserved6", one(bth.reserved6.into())),
        ("header_dest_qp", one(bth.destination_qp.into())),
        ("header_ack_request", one(bth.ack_request.into())),
        ("header_reserved7", one(bth.reserved7.into())),
        ("header_psn", one(bth.psn.into())),
        ("header_traffic_class", one(frame.traffic_class.into())),
        ("header_imm_valid", one(frame.imm.is_some().into())),
    ];
    if let Some(imm) = frame.imm {
        ports.push(("header_imm", one(imm.into())));
    }
    // Behind FETH the fields of RETH stand elsewhere: `header_body` has them.
    if let Some(reth) = frame.reth.filter(|_| frame.feth.is_none()) {
        ports.extend([
            ("header_addr", number(reth.address, 2)),
            ("header_rkey", one(reth.rkey.into())),
            ("header_op_bytes", one(reth.length.into())),
        ]);
    }
    if let Some(eth) = frame.op_eth {
        ports.push(("header_flags", one(eth.flags.into())));
    }
    let registry = frame.header();
    ports.push(("header_registry", one(registry.is_some().into())));
    if let Some(header) = registry {
        let kind = match header.kind {
            Kind::Body => 0,
            Kind::Start => 1,
            Kind::Arrival => 2,
            Kind::Abort => 3,
        };
        ports.extend([
            ("header_kind", one(kind)),
            ("header_src", one(header.src.into())),
            ("header_op", one(header.op.into())),
            ("header_addr", number(header.addr, 2)),
            ("header_op_bytes", one(header.op_bytes.into())),
            ("header_count", one(header.count.into())),
        ]);
    }
    let zero = [0; 12];
    let three = |fields: [u32; 3]| fields.map(u32::to_be_bytes).concat();
    let wqe = frame.wqe_eth.map_or(zero.to_vec(), |eth| three([eth.sequence, eth.offset, eth.total]));
    let lr2 = frame.lr2_eth.map_or(zero.to_vec(), |eth| three([eth.gap_start, eth.gap_length, eth.expected]));
    // Of a frame that does not have them these ports say nothing, as the other fields do.
    if frame.wqe_eth.is_some() {
        ports.push(("header_wqe", big_endian(&wqe, 96)));
    }
    if frame.lr2_eth.is_some() {
        ports.push(("header_lr2", big_endian(&lr2, 96)));
    }
    ports
}

/// Ports of which only the first bytes count: port, its width, the bytes.
pub fn leading(frame: &Frame, bytes: &[u8]) -> Vec<(&'static str, usize, Vec<u8>)> {
    let ip = match frame.ip {
        Ip::V4 { .. } => 20 + frame.ip_options.len(),
        Ip::V6 { .. } => 40,
    };
    let body = 14 + 4 * usize::from(frame.vlan.is_some()) + ip + 8 + 12;
    let end = frame.to_bytes().len() - 4 - usize::from(frame.bth.pad) - frame.payload.len();
    let mut ports = vec![("header_body", 224, bytes[body..end.min(body + 28)].to_vec())];
    if let Some(ceth) = &frame.ceth {
        ports.push(("header_ceth", 128, ceth.0.clone()));
    }
    ports
}

/// Whether the value of a port of `width` bits begins with `bytes`, the first in its highest bits.
pub fn begins_with(words: &[u32], width: usize, bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(i, &byte)| {
        let low = width - 8 - 8 * i;
        (words[low / 32] >> (low % 32)) as u8 == byte
    })
}
