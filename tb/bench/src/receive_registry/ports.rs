//! The block's ports by name, and whole beats at once.

use rdma_rtl_golden::registry::{Complete, Config, Event, Header, Notify, Region, Write};
use rdma_rtl_sim::Model;

macro_rules! ports {
    ($($name:ident)*) => {
        /// Index of every port.
        #[derive(Clone, Debug)]
        pub(super) struct Ports {
            $(pub $name: usize,)*
            /// in the order of `Event::ALL`
            pub events: Vec<usize>,
            /// `cfg_region_` write, index, rkey, base, length; only with memory regions
            pub region: Option<[usize; 5]>,
            pub mask_words: usize,
        }

        impl Ports {
            /// # Errors
            /// The name of the first port that the model does not have.
            pub fn find(model: &dyn Model, regions: bool) -> Result<Ports, String> {
                let find = |name: &str| model.port(name).ok_or_else(|| {
                    format!("the model has no port `{name}`: it is no receive_registry, or one of another version of this bench")
                });
                let events = Event::ALL.iter().map(|event| find(&format!("evt_{}", event.name()))).collect::<Result<_, _>>()?;
                let region = if regions {
                    Some([
                        find("cfg_region_write")?, find("cfg_region_index")?, find("cfg_region_rkey")?,
                        find("cfg_region_base")?, find("cfg_region_length")?,
                    ])
                } else {
                    None
                };
                let mask_words = model.ports()[find("complete_mask")?].width.div_ceil(32);
                Ok(Ports { $($name: find(stringify!($name))?,)* events, region, mask_words })
            }
        }
    };
}

ports! {
    rst
    header_valid header_ready header_kind header_src header_op header_addr header_bytes header_op_bytes header_count header_rkey
    header_imm_valid header_imm header_slot header_tag
    write_valid write_ready write_tag write_slot write_addr write_bytes
    write_done_valid write_done_tag write_done_ok
    slot_free_valid slot_free_ready slot_free_slot
    complete_valid complete_ready complete_kind complete_src complete_op complete_base complete_bytes complete_packets
    complete_status complete_imm_valid complete_imm complete_mask
    notify_valid notify_ready notify_kind notify_src notify_op notify_index notify_status notify_mask notify_packets
    verdict_valid verdict_ready verdict_tag verdict_code verdict_reason verdict_escaped
    trace_valid trace_kind trace_src trace_op trace_tag
    cfg_prescale cfg_op_timeout cfg_escape_timeout cfg_t_life cfg_renotify cfg_ack_wait cfg_entry_quota cfg_escape_quota
    high_water_entries high_water_escape entries_live escape_used idle
}

/// A trace beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TraceBeat {
    pub kind: u8,
    pub src: u16,
    pub op: u32,
    pub tag: u16,
}

/// A verdict beat as it stands on the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawVerdict {
    pub tag: u16,
    pub code: u8,
    pub reason: u8,
    pub escaped: bool,
}

impl Ports {
    pub fn set_config(&self, model: &mut dyn Model, config: &Config) {
        let registers = [
            (self.cfg_prescale, u64::from(config.prescale)),
            (self.cfg_op_timeout, config.op_timeout.into()),
            (self.cfg_escape_timeout, config.escape_timeout.into()),
            (self.cfg_t_life, config.t_life.into()),
            (self.cfg_renotify, config.renotify.into()),
            (self.cfg_ack_wait, config.ack_wait.into()),
            (self.cfg_entry_quota, config.entry_quota.into()),
            (self.cfg_escape_quota, config.escape_quota.into()),
        ];
        for (port, value) in registers {
            model.poke_u64(port, value);
        }
    }

    /// Puts one region on the configuration ports, or takes the write away.
    pub fn set_region(&self, model: &mut dyn Model, region: Option<(usize, &Region)>) {
        let Some([write, index, rkey, base, length]) = self.region else { return };
        model.poke_u64(write, region.is_some().into());
        if let Some((at, region)) = region {
            model.poke_u64(index, at as u64);
            model.poke_u64(rkey, region.rkey.into());
            model.poke_u64(base, region.base);
            model.poke_u64(length, region.length);
        }
    }

    pub fn set_header(&self, model: &mut dyn Model, header: &Header, slot: u32, tag: u16) {
        let fields = [
            (self.header_kind, header.kind as u64),
            (self.header_src, header.src.into()),
            (self.header_op, header.op.into()),
            (self.header_addr, header.addr),
            (self.header_bytes, header.bytes.into()),
            (self.header_op_bytes, header.op_bytes.into()),
            (self.header_count, header.count.into()),
            (self.header_rkey, header.rkey.into()),
            (self.header_imm_valid, header.imm.is_some().into()),
            (self.header_imm, header.imm.unwrap_or(0).into()),
            (self.header_slot, slot.into()),
            (self.header_tag, tag.into()),
        ];
        for (port, value) in fields {
            model.poke_u64(port, value);
        }
    }

    pub fn write(&self, model: &dyn Model) -> (u16, Write) {
        let write = Write {
            slot: model.peek_u64(self.write_slot) as u32,
            addr: model.peek_u64(self.write_addr),
            bytes: model.peek_u64(self.write_bytes) as u16,
        };
        (model.peek_u64(self.write_tag) as u16, write)
    }

    pub fn complete(&self, model: &dyn Model) -> Complete {
        let mut words = vec![0; self.mask_words];
        model.peek(self.complete_mask, &mut words);
        let pair = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
        let imm = model.peek_u64(self.complete_imm) as u32;
        Complete {
            arrival: model.peek_u64(self.complete_kind) == 1,
            src: model.peek_u64(self.complete_src) as u16,
            op: model.peek_u64(self.complete_op) as u32,
            base: model.peek_u64(self.complete_base),
            bytes: model.peek_u64(self.complete_bytes) as u32,
            packets: model.peek_u64(self.complete_packets) as u16,
            status: model.peek_u64(self.complete_status) as u8,
            imm: (model.peek_u64(self.complete_imm_valid) == 1).then_some(imm),
            mask: words.chunks(2).map(pair).collect(),
        }
    }

    pub fn notify(&self, model: &dyn Model) -> Notify {
        Notify {
            kind: model.peek_u64(self.notify_kind) as u8,
            src: model.peek_u64(self.notify_src) as u16,
            op: model.peek_u64(self.notify_op) as u32,
            index: model.peek_u64(self.notify_index) as u16,
            status: model.peek_u64(self.notify_status) as u8,
            mask: model.peek_u64(self.notify_mask),
            packets: model.peek_u64(self.notify_packets) as u16,
        }
    }

    pub fn verdict(&self, model: &dyn Model) -> RawVerdict {
        RawVerdict {
            tag: model.peek_u64(self.verdict_tag) as u16,
            code: model.peek_u64(self.verdict_code) as u8,
            reason: model.peek_u64(self.verdict_reason) as u8,
            escaped: model.peek_u64(self.verdict_escaped) == 1,
        }
    }

    pub fn trace(&self, model: &dyn Model) -> TraceBeat {
        TraceBeat {
            kind: model.peek_u64(self.trace_kind) as u8,
            src: model.peek_u64(self.trace_src) as u16,
            op: model.peek_u64(self.trace_op) as u32,
            tag: model.peek_u64(self.trace_tag) as u16,
        }
    }

    /// The events of this clock, sorted.
    pub fn events(&self, model: &dyn Model) -> Vec<Event> {
        let pulses = Event::ALL.iter().zip(&self.events);
        pulses.filter(|&(_, &port)| model.peek_u64(port) == 1).map(|(&event, _)| event).collect()
    }
}
