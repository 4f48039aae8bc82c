//! What both tests of the send endpoint run it with.

use rdma_rtl_golden::send::op_table::Config as Timers;
use rdma_rtl_golden::send::splitter::{Config as Cut, Params};
use rdma_rtl_sim::Model;
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::send_endpoint::peer::Mix;
use rdma_rtl_tb::send_endpoint::traffic::Plan;
use rdma_rtl_tb::send_endpoint::{Endpoint, Pace};
use rdma_rtl_tb::under_test::seed;

pub fn find(profile: &str) -> Design {
    catalogue::find("send_endpoint", profile).unwrap_or_else(|e| panic!("{e}"))
}

pub fn parameter(design: &Design, name: &str) -> u32 {
    design.parameter(name).unwrap_or_else(|| panic!("no parameter {name}")) as u32
}

pub fn plan(design: &Design, commands: usize, mix: Mix) -> Plan {
    let [packet_size, mask_bits] = ["packet_size", "mask_bits"].map(|name| parameter(design, name));
    let splitter = Params {
        packet_size,
        mask_bits,
        commands: parameter(design, "commands") as usize,
        sgl: 4,
        btt_width: parameter(design, "btt_bits"),
        alignment: if parameter(design, "realign") == 1 { 1 } else { parameter(design, "dma_width") / 8 },
        queue_depth: 16,
    };
    Plan {
        seed: seed(),
        commands,
        live: 12,
        largest: 3 * packet_size * mask_bits / 2,
        nodes: parameter(design, "nodes").min(5) as u16,
        index_bits: parameter(design, "ops").ilog2(),
        splitter,
        cut: Cut { threshold: packet_size * mask_bits / 2, segment: packet_size * mask_bits / 4 },
        timers: Timers { prescale: 4, timeout: 500, backoff_cap: 900, retry_limit: 7, t_life: 1 << 26 },
        mix,
        patience: 400_000,
    }
}

pub fn endpoint<'a>(model: &'a mut dyn Model, design: &Design, pace: Pace) -> Endpoint<'a> {
    let map = design.register_map().unwrap().unwrap_or_else(|| panic!("no register map"));
    Endpoint::new(model, map, pace).unwrap_or_else(|e| panic!("{e}"))
}
