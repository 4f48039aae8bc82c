//! Register banks: the test made from their description, on the Rust and on the Verilog, side by side.

use rdma_rtl_hdl::csr::{Access, Register, RegisterMap};
use rdma_rtl_sim::bus::Stalls;
use rdma_rtl_sim::verilated::Design;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, find};
use rdma_rtl_tb::csr::{Bench, bench};
use rdma_rtl_tb::faults::missed;
use rdma_rtl_tb::under_test::{seed, soon};

/// Every bank that is made from a description.
const BANKS: [&str; 8] = [
    "receive_endpoint_registers",
    "send_endpoint_registers",
    "endpoint_registers",
    "combined_receive_endpoint_registers",
    "combined_send_endpoint_registers",
    "combined_endpoint_registers",
    "bitmap_receive_endpoint_registers",
    "bitmap_endpoint_registers",
];

/// The map at a profile of the catalogue.
fn map(bank: &str, profile: &str) -> RegisterMap {
    find(bank, profile).unwrap().register_map().unwrap().unwrap()
}

fn sources(bank: &str, profile: &str) -> Design {
    catalogue::sources(&find(bank, profile).unwrap().elaborate().unwrap())
}

fn native_and_verilated(bank: &str) {
    let native = find(bank, "small").unwrap().native().unwrap();
    let mut model = Lockstep::new(("native", native), ("verilated", soon(&sources(bank, "small")))).unwrap();
    let found = bench(&mut model, &map(bank, "small"), seed(), 150);
    assert_eq!(model.failure(), None, "{bank}, seed {}", seed());
    found.unwrap_or_else(|e| panic!("{bank}: {e} (seed {})", seed()));
}

#[test]
fn every_register_of_the_receive_endpoint_native_and_verilated() {
    native_and_verilated(BANKS[0]);
}

#[test]
fn every_register_of_the_send_endpoint_native_and_verilated() {
    native_and_verilated(BANKS[1]);
}

#[test]
fn every_register_of_the_endpoint_native_and_verilated() {
    native_and_verilated(BANKS[2]);
}

#[test]
fn every_register_of_the_other_profiles_native_and_verilated() {
    native_and_verilated(BANKS[3]);
    native_and_verilated(BANKS[4]);
    native_and_verilated(BANKS[5]);
    native_and_verilated(BANKS[6]);
    native_and_verilated(BANKS[7]);
}

/// A driver of the one runs on the other.
#[test]
fn the_other_profiles_have_the_registers_of_the_first_and_the_endpoints_those_of_both_halves() {
    for (bank, more) in [(0, 3), (1, 4), (2, 5), (3, 5), (4, 5), (1, 7), (4, 7), (6, 7)] {
        let (bank, more) = (BANKS[bank], BANKS[more]);
        let (map, more_map) = (map(bank, "default"), map(more, "default"));
        for register in &map.registers {
            let other = more_map.find(&register.name).unwrap_or_else(|| panic!("{more} has no `{}`", register.name));
            let ((offset, width, fields), others) = (place(register), place(other));
            let kept = fields.iter().all(|field| others.2.contains(field));
            assert!((offset, width) == (others.0, others.1) && kept, "{more}: `{}`", register.name);
        }
    }
}

#[test]
fn every_register_at_every_profile() {
    for bank in BANKS {
        for profile in ["default", "large"] {
            let found = bench(&mut soon(&sources(bank, profile)), &map(bank, profile), seed(), 1000);
            found.unwrap_or_else(|e| panic!("{bank}, {profile}: {e} (seed {})", seed()));
        }
    }
}

/// Where a register is: offset, width, and of every field name, place and access. Constants and reset values are a design's own.
fn place(register: &Register) -> (u32, u32, Vec<Place<'_>>) {
    (register.offset, register.width, register.fields.iter().map(|f| (f.name.as_str(), f.low, f.bits, f.access)).collect())
}

/// Name, lowest bit, bits and access of a field.
type Place<'m> = (&'m str, u32, u32, Access);

/// A driver of one half runs on the endpoint: what a half has, the endpoint has at the same place.
#[test]
fn the_same_register_is_at_the_same_place_in_every_map() {
    let both = map("endpoint_registers", "default");
    for bank in ["receive_endpoint_registers", "send_endpoint_registers"] {
        for register in &map(bank, "default").registers {
            let other = both.find(&register.name).unwrap_or_else(|| panic!("the endpoint lacks `{}` of {bank}", register.name));
            if register.name.starts_with("interrupt_") {
                assert_eq!((register.offset, register.width), (other.offset, other.width), "{bank}");
                for field in &register.fields {
                    let same = other.fields.iter().find(|f| f.name == field.name).map(|f| (f.low, f.bits, f.access));
                    assert_eq!(same, Some((field.low, field.bits, field.access)), "{bank}: {}.{}", register.name, field.name);
                }
            } else {
                assert_eq!(place(register), place(other), "{bank}: {}", register.name);
            }
        }
    }
    for register in &both.registers {
        let found = BANKS[..2].iter().any(|bank| map(bank, "default").find(&register.name).is_some());
        assert!(found, "no half has `{}`", register.name);
    }
}

/// What `capability_host` says is what there is.
#[test]
fn the_number_of_counters_is_told() {
    for bank in BANKS {
        let map = map(bank, "default");
        let told = map.find("capability_host").unwrap().fields.iter().find(|f| f.name == "counters").unwrap().reset;
        assert_eq!(told, map.counters().count() as u64, "{bank}");
    }
}

/// The bench finds what is wrong with a bank.
#[test]
fn faults_are_found() {
    let faults = [
        ("", "allowed_1 <= !slave_command_write", "allowed_1 <= 1'b1"),
        ("", "allowed_1 <= 1'b1", "allowed_1 <= !slave_command_write"),
        ("", "(cfg_prescale & keep[15:0]) | data_1[15:0]", "data_1[15:0]"),
        ("", "interrupt_status_completion | set_interrupt_status_completion", "set_interrupt_status_completion"),
        ("", "& !data_1[0])\n                                    | set_interrupt_status_completion", "& !data_1[0])"),
        ("", "do_control_soft_reset <= 1'b0", "do_control_soft_reset <= do_control_soft_reset"),
        ("", "16'd322", "16'd323"),
        ("", "!reads_open[3]", "1'b1"),
        ("", "!writes_open[3]", "1'b1"),
        ("", "fresh[7 * i +: 7] <= 7'd1", "fresh[7 * i +: 7] <= 7'd0"),
        ("", "masked = clearing || clearing_1 || clearing_2 || clearing_3", "masked = 1'b0"),
        ("", "cfg_interrupt_enable_ring_full)", "1'b1)"),
    ];
    let counters = [
        ("", "counter_number = 7'd63", "counter_number = 7'd62"),
        ("", "9'd129:", "9'd511:"),
        ("", "do_command_post <= 1'b0", "do_command_post <= do_command_post"),
        ("", "cfg_interrupt_enable_post_dropped)", "1'b1)"),
    ];
    for (bank, faults) in [(BANKS[0], &faults[..]), (BANKS[2], &counters)] {
        let missed = missed(&sources(bank, "small"), faults, |model| bench(model, &map(bank, "small"), seed(), 300));
        assert!(missed.is_empty(), "{bank}: not found: {missed:#?}");
    }
}

/// Counters that begin just below 2^32, read around the clock in which the high word changes.
fn carry(bank: &str, model: &mut dyn Model, start: u64) -> Result<u32, String> {
    let map = map(bank, "small");
    let counters: Vec<u32> = map.counters().map(|r| r.offset).collect();
    let late = (counters.len() as u64).next_power_of_two() + 4;
    let mut bench = Bench::new(model, &map, seed(), Stalls::NONE)?;
    let mut crossed = 0;
    for round in 0..150 {
        bench.reset(2);
        let i = round % counters.len();
        bench.pins.event_percent = 100;
        while bench.pins.counts()[i] < late + 32 + round as u64 {
            bench.clock();
        }
        let before = start + bench.pins.counts()[i];
        let value = bench.counter(counters[i])?;
        let after = start + bench.pins.counts()[i];
        if value + late < before || value > after {
            return Err(format!("counter {i} reads as {value:#x}, between {before:#x} and {after:#x} had been counted"));
        }
        crossed += u32::from(before >> 32 != after >> 32);
    }
    Ok(crossed)
}

#[test]
fn the_high_word_belongs_to_the_low_word() {
    let start = 0xffff_ff40;
    let faults = [("", "is_high_1 ? kept : low_read", "is_high_1 ? high_read : low_read"), ("", "{31'd0, low_3[32]}", "32'd0")];
    for bank in BANKS {
        let mut begun = sources(bank, "small");
        let bank_of_counters = begun.sources.iter_mut().find(|s| s.text.contains("low_2 <= 32'd0")).expect("counters begin at 0");
        bank_of_counters.text = bank_of_counters.text.replace("low_2 <= 32'd0", &format!("low_2 <= 32'h{start:x}"));
        let faults = if bank == BANKS[0] { &faults[..] } else { &[] };
        let missed = missed(&begun, faults, |model| match carry(bank, model, start)? {
            crossed if crossed > 5 => Ok(()),
            crossed => Err(format!("the high word changed during {crossed} reads")),
        });
        assert!(missed.is_empty(), "{bank}: not found: {missed:#?}");
    }
}
