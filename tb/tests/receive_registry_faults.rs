//! The checker is alive: deliberate faults in the elaborated registry, each of which the bench must find.

use rdma_rtl_gen::ir::{Binary, Connected, Design, Expr};
use rdma_rtl_sim::verilated::{Library, Optimize, Options as Build};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::receive_registry::{Bench, Failure, Options, Params, Random, random_options, scenario};

/// A value that is assigned to a signal, and what replaces it.
struct Fault {
    about: &'static str,
    /// prefix of the module's name: parameters follow
    module: &'static str,
    signal: &'static str,
    change: fn(&Expr) -> Expr,
}

const fn fault(about: &'static str, module: &'static str, signal: &'static str, change: fn(&Expr) -> Expr) -> Fault {
    Fault { about, module, signal, change }
}

fn zero(value: &Expr) -> Expr {
    Expr::literal(value.width, 0u32)
}

fn one(value: &Expr) -> Expr {
    Expr::literal(value.width, 1u32)
}

fn not(value: &Expr) -> Expr {
    value.clone().complement()
}

const FAULTS: &[Fault] = &[
    fault("a duplicate passes for new", "registry_table", "duplicate", zero),
    fault("every packet is the last", "registry_table", "last", one),
    fault("no packet is the last", "registry_table", "last", zero),
    fault("bits are lost", "mask_unit", "with_arrival", zero),
    fault("the range has no end", "position_check", "fits", one),
    fault("lengths are not looked at", "position_check", "length_ok", one),
    fault("positions are off by one", "position_check", "position", |v| Expr::binary(Binary::Add, v.clone(), one(v))),
    fault("generations are not compared", "registry_table", "generation_equal", one),
    fault("sources are not compared", "registry_row", "src_equal", one),
    fault("overlap is not seen", "registry_table", "overlap", zero),
    fault("the packet in front is not seen to register", "registry_table", "registered", zero),
    fault("the packet before the one in front is not seen to register", "registry_table", "take_2", zero),
    fault("a copy right behind its original passes for new", "registry_table", "b_block", zero),
    fault("the registry is never full", "registry_table", "full", zero),
    fault("no entry quota", "commit_logic", "at_quota", zero),
    fault("the done word is not written", "done_table", "w1", zero),
    fault("a word just written is not seen", "done_table", "q3_meets_1", zero),
    fault("the sender may be notified any time", "done_table", "renotify_due", one),
    fault("entries never time out", "entry_timer", "found", zero),
    fault("waiting packets are not woken", "escape_queue", "wake", zero),
    fault("a packet that was replayed and stays is forgotten", "escape_queue", "settle_stays", zero),
    fault("nobody's turn comes", "escape_queue", "taken_turn", zero),
    fault("waiting packets never time out", "escape_channel", "overdue", zero),
    fault("waiting packets time out at once", "escape_channel", "overdue", one),
    fault("the escape quota is not kept", "commit_logic", "at_escape_quota", zero),
    fault("a completion does not wait for its writes", "told_ring", "answered", one),
    fault("a failed write is not told", "told_ring", "out_error", zero),
    fault("a check of starts is skipped", "start_check", "q_oversize", zero),
    fault("alignment is not looked at", "receive_registry", "misaligned2", zero),
    fault("unknown sources are let in", "receive_registry", "unknown2", zero),
    fault("a verdict is given the wrong tag", "receive_registry", "verdict_tag", |v| Expr::binary(Binary::Add, v.clone(), one(v))),
    fault("acknowledgements name the wrong packet", "ack_merge", "bit_", not),
];

fn broken(fault: &Fault) -> Design {
    let mut design = catalogue::find("receive_registry", "small").unwrap().elaborate().unwrap();
    let mut changed = 0;
    for module in design.modules.iter_mut().filter(|m| m.name.starts_with(fault.module)) {
        for value in module.values_mut(fault.signal) {
            *value = (fault.change)(value);
            changed += 1;
        }
    }
    // an input is changed where its owner drives it
    if changed == 0 {
        for module in &mut design.modules {
            for instance in &mut module.instances {
                if !instance.module.starts_with(fault.module) {
                    continue;
                }
                for connection in instance.connections.iter_mut().filter(|c| c.port == fault.signal) {
                    if let Connected::Input(value) = &mut connection.value {
                        *value = (fault.change)(value);
                        changed += 1;
                    }
                }
            }
        }
    }
    assert!(changed > 0, "{}: {} has no value for `{}`", fault.about, fault.module, fault.signal);
    design
}

fn find(fault: &Fault) -> Option<Failure> {
    let build = Build { optimize: Optimize::None, ..Build::default() };
    let library = Library::build(&catalogue::sources(&broken(fault)), &build).unwrap();
    let params = Params::SMALL;
    for scenario in scenario::all(&params).iter().filter(|s| s.params(&params) == params) {
        match Bench::run(&mut library.instance().unwrap(), &params, scenario.options(&params), &mut scenario.offers()) {
            Err(failure) => return Some(failure),
            Ok(report) if scenario.check(|event| report.event(event)).is_err() => {
                return Some(Failure {
                    cycle: report.cycles,
                    text: format!("{}: counters", scenario.name),
                    recent: vec![],
                    replay: String::new(),
                });
            }
            Ok(_) => {}
        }
    }
    (0..4).find_map(|seed| {
        let options: Options = random_options(&params, seed);
        let mut offers = Random::new(&params, &options, 4_000, seed);
        Bench::run(&mut library.instance().unwrap(), &params, options, &mut offers).err()
    })
}

#[test]
fn every_fault_is_found() {
    let missed: Vec<&str> = FAULTS
        .iter()
        .filter_map(|fault| match find(fault) {
            Some(failure) => {
                println!("{}: clock {}: {}", fault.about, failure.cycle, failure.text);
                None
            }
            None => Some(fault.about),
        })
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
