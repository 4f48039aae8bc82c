//! A frame as bytes, with every length and checksum made.

use super::{Control, Frame, Ip, ROCE_PORT, icrc};

impl Frame {
    /// The frame from the first byte of Ethernet to the last of the ICRC, without Ethernet padding or FCS.
    ///
    /// UDP's checksum is 0, which RoCEv2 allows on IPv4 and IPv6.
    pub fn to_bytes(&self) -> Vec<u8> {
        let transport = self.transport();
        let mut out = Vec::with_capacity(transport.len() + 80);
        out.extend(self.destination_mac);
        out.extend(self.source_mac);
        if let Some(tag) = self.vlan {
            out.extend(0x8100u16.to_be_bytes());
            out.extend(tag.to_be_bytes());
        }
        let udp_bytes = (8 + transport.len() + 4) as u16;
        let ip_start = match self.ip {
            Ip::V4 { source, destination } => {
                out.extend(0x0800u16.to_be_bytes());
                let start = out.len();
                let header = 20 + self.ip_options.len();
                out.extend([0x40 | (header / 4) as u8, self.traffic_class]);
                out.extend((header as u16 + udp_bytes).to_be_bytes());
                // identification 0, do not fragment, 64 hops, UDP
                out.extend([0, 0, 0x40, 0, 64, 17, 0, 0]);
                out.extend(source.octets());
                out.extend(destination.octets());
                out.extend(&self.ip_options);
                let sum = checksum(&out[start..]);
                out[start + 10..start + 12].copy_from_slice(&sum.to_be_bytes());
                start
            }
            Ip::V6 { source, destination } => {
                out.extend(0x86ddu16.to_be_bytes());
                let start = out.len();
                out.extend((0x6000_0000 | u32::from(self.traffic_class) << 20).to_be_bytes());
                out.extend(udp_bytes.to_be_bytes());
                out.extend([17, 64]);
                out.extend(source.octets());
                out.extend(destination.octets());
                start
            }
        };
        let udp = out.len() - ip_start;
        out.extend(self.udp_source.to_be_bytes());
        out.extend(ROCE_PORT.to_be_bytes());
        out.extend(udp_bytes.to_be_bytes());
        out.extend([0, 0]);
        out.extend(transport);
        let crc = icrc(&out[ip_start..], udp);
        out.extend(crc.to_le_bytes());
        out
    }

    /// BTH, extension headers, payload and pad.
    fn transport(&self) -> Vec<u8> {
        let bth = &self.bth;
        let mut out = vec![bth.opcode.0, u8::from(bth.solicited) << 7 | u8::from(bth.migration) << 6 | bth.pad << 4];
        out.extend(bth.partition_key.to_be_bytes());
        let flags = u32::from(bth.fecn) << 31 | u32::from(bth.becn) << 30 | u32::from(bth.reserved6) << 24;
        out.extend((flags | bth.destination_qp).to_be_bytes());
        out.extend((u32::from(bth.ack_request) << 31 | u32::from(bth.reserved7) << 24 | bth.psn).to_be_bytes());
        if let Some(feth) = self.feth {
            out.extend((feth.reserved << 6 | u32::from(feth.selectivity) << 4 | u32::from(feth.placement)).to_be_bytes());
        }
        if let Some(reth) = self.reth {
            out.extend(reth.address.to_be_bytes());
            out.extend(reth.rkey.to_be_bytes());
            out.extend(reth.length.to_be_bytes());
        }
        if let Some(aeth) = self.aeth {
            out.extend((u32::from(aeth.syndrome) << 24 | aeth.msn).to_be_bytes());
        }
        if let Some(atomic) = self.atomic {
            out.extend(atomic.address.to_be_bytes());
            out.extend(atomic.rkey.to_be_bytes());
            out.extend(atomic.swap_or_add.to_be_bytes());
            out.extend(atomic.compare.to_be_bytes());
        }
        if let Some(original) = self.atomic_ack {
            out.extend(original.to_be_bytes());
        }
        if let Some(imm) = self.imm {
            out.extend(imm.to_be_bytes());
        }
        if let Some(rkey) = self.ieth {
            out.extend(rkey.to_be_bytes());
        }
        if let Some(op) = self.op_eth {
            out.push(op.flags);
            out.extend(&op.op.to_be_bytes()[1..]);
            for field in [op.count, op.src] {
                out.extend(field.to_be_bytes());
            }
        }
        if let Some(wqe) = self.wqe_eth {
            for field in [wqe.sequence, wqe.offset, wqe.total] {
                out.extend(field.to_be_bytes());
            }
        }
        if let Some(lr2) = self.lr2_eth {
            for field in [lr2.gap_start, lr2.gap_length, lr2.expected] {
                out.extend(field.to_be_bytes());
            }
        }
        match &self.control {
            Some(Control::Completion { op, status, packets }) => {
                out.extend(&op.to_be_bytes()[1..]);
                out.push(*status);
                out.extend(packets.to_be_bytes());
            }
            Some(Control::OpAck { op, index, status, mask }) => {
                out.extend(&op.to_be_bytes()[1..]);
                out.push(*status);
                out.extend(index.to_be_bytes());
                out.extend([0; 2]);
                out.extend(mask.to_be_bytes());
            }
            Some(Control::DataArrival { op, src, status, address, bytes }) => {
                out.extend(&op.to_be_bytes()[1..]);
                out.push(*status);
                out.extend(src.to_be_bytes());
                out.extend([0; 2]);
                out.extend(address.to_be_bytes());
                out.extend(bytes.to_be_bytes());
            }
            Some(Control::Feedback { start, length, edge, base, timestamp, path, status, depth, repeat, misjudged }) => {
                for field in [start, length, edge, base, timestamp] {
                    out.extend(field.to_be_bytes());
                }
                out.extend([*path, *status]);
                out.extend(depth.to_be_bytes());
                out.extend((u32::from(*repeat) << 24 | misjudged).to_be_bytes());
            }
            Some(Control::Retransmission { sequence, first, missing }) => {
                out.extend(sequence.to_be_bytes());
                out.extend(first.to_be_bytes());
                out.extend(missing.to_be_bytes());
            }
            Some(Control::RangeAck { base, start, length }) => {
                for field in [base, start, length] {
                    out.extend(field.to_be_bytes());
                }
            }
            Some(Control::Other(bytes)) => out.extend(bytes),
            None => {}
        }
        if let Some(ceth) = &self.ceth {
            out.extend(&ceth.0);
        }
        out.extend(&self.payload);
        out.extend(std::iter::repeat_n(0, bth.pad.into()));
        out
    }
}

/// Internet checksum of a header whose own field is zero.
fn checksum(header: &[u8]) -> u16 {
    let sum: u32 = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair.get(1).copied().unwrap_or(0))).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    !((folded & 0xffff) + (folded >> 16)) as u16
}
