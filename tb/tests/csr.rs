//! Register banks: the test made from their description, on the Rust and on the Verilog, side by side.

use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_sim::bus::Stalls;
use rdma_rtl_sim::{Lockstep, Model, Verilated};
use rdma_rtl_tb::catalogue::{self, find};
use rdma_rtl_tb::csr::{Bench, bench};
use rdma_rtl_tb::under_test::{seed, soon};

/// The map at a profile of the catalogue.
fn map(profile: &str) -> RegisterMap {
    find("receive_endpoint_registers", profile).unwrap().register_map().unwrap()
}

fn verilated(profile: &str, edit: impl Fn(&mut String)) -> Verilated {
    let design = find("receive_endpoint_registers", profile).unwrap();
    let mut sources = catalogue::sources(&design.elaborate().unwrap());
    for source in &mut sources.sources {
        edit(&mut source.text);
    }
    soon(&sources)
}

#[test]
fn every_register_native_and_verilated() {
    let native = find("receive_endpoint_registers", "small").unwrap().native().unwrap();
    let mut model = Lockstep::new(("native", native), ("verilated", verilated("small", |_| {}))).unwrap();
    let found = bench(&mut model, &map("small"), seed(), 150);
    assert_eq!(model.failure(), None, "seed {}", seed());
    found.unwrap_or_else(|e| panic!("{e} (seed {})", seed()));
}

#[test]
fn every_register_at_every_profile() {
    for profile in ["default", "large"] {
        let found = bench(&mut verilated(profile, |_| {}), &map(profile), seed(), 1000);
        found.unwrap_or_else(|e| panic!("{profile}: {e} (seed {})", seed()));
    }
}

/// Verilog with `broken` in the place of `sound`, everywhere.
fn with(sound: &str, broken: &str) -> Verilated {
    let found = std::cell::Cell::new(false);
    let model = verilated("small", |text| {
        found.set(found.get() || text.contains(sound));
        *text = text.replace(sound, broken);
    });
    assert!(found.get(), "the Verilog has no `{sound}`");
    model
}

/// The bench finds what is wrong with a bank.
#[test]
fn faults_are_found() {
    let faults = [
        ("allowed_1 <= !slave_command_write", "allowed_1 <= 1'b1"),
        ("allowed_1 <= 1'b1", "allowed_1 <= !slave_command_write"),
        ("(cfg_prescale & keep[15:0]) | data_1[15:0]", "data_1[15:0]"),
        ("interrupt_status_completion | set_interrupt_status_completion", "set_interrupt_status_completion"),
        ("& !data_1[0])\n                                    | set_interrupt_status_completion", "& !data_1[0])"),
        ("do_control_soft_reset <= 1'b0", "do_control_soft_reset <= do_control_soft_reset"),
        ("16'd322", "16'd323"),
        ("!reads_open[3]", "1'b1"),
        ("!writes_open[3]", "1'b1"),
        ("fresh_0 <= 7'd1", "fresh_0 <= 7'd0"),
        ("masked = clearing || clearing_1 || clearing_2 || clearing_3", "masked = 1'b0"),
        ("cfg_interrupt_enable_ring_full)", "1'b1)"),
    ];
    for (sound, broken) in faults {
        let found = bench(&mut with(sound, broken), &map("small"), seed(), 300);
        assert!(found.is_err(), "`{broken}` for `{sound}` is not found");
    }
}

/// Counters that begin just below 2^32, read around the clock in which the high word changes.
fn carry(model: &mut dyn Model, start: u64) -> Result<u32, String> {
    let map = map("small");
    let counters: Vec<u32> = map.counters().map(|r| r.offset).collect();
    let mut bench = Bench::new(model, &map, seed(), Stalls::NONE)?;
    let mut crossed = 0;
    for round in 0..150 {
        bench.reset(2);
        let i = round % counters.len();
        bench.pins.event_percent = 100;
        while bench.pins.counts()[i] < 100 + round as u64 {
            bench.clock();
        }
        let before = start + bench.pins.counts()[i];
        let value = bench.counter(counters[i])?;
        let after = start + bench.pins.counts()[i];
        if value + 68 < before || value > after {
            return Err(format!("counter {i} reads as {value:#x}, between {before:#x} and {after:#x} had been counted"));
        }
        crossed += u32::from(before >> 32 != after >> 32);
    }
    Ok(crossed)
}

#[test]
fn the_high_word_belongs_to_the_low_word() {
    let (zero, start) = ("low_2 <= 32'd0", "low_2 <= 32'hffffff40");
    let crossed = carry(&mut with(zero, start), 0xffff_ff40).unwrap();
    assert!(crossed > 5, "the high word changed during {crossed} reads");
    let mut torn = verilated("small", |text| {
        *text = text.replace(zero, start).replace("is_high_1 ? kept : low_read", "is_high_1 ? high_read : low_read");
    });
    assert!(carry(&mut torn, 0xffff_ff40).is_err());
    let mut flat = verilated("small", |text| {
        *text = text.replace(zero, start).replace("{31'd0, low_3[32]}", "32'd0");
    });
    assert!(carry(&mut flat, 0xffff_ff40).is_err());
}
