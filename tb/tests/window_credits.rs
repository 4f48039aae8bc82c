//! What acknowledgements tell of their windows, beside the golden model: every width of what is open, edges that move at any time, a wire
//! that waits; and that it is noticed if it is wrong.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::{credits, psn};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, more, one, zero};
use rdma_rtl_tb::under_test::{seed, verilated};

/// Clocks from an acknowledgement to its credits, and from one reading of the edge to the next.
const LATENCY: u64 = 4;
const AGAIN: u64 = 3;
/// Readings of the edge.
const TRIES: u64 = 1024;

/// `take`: of 100 clocks, those in which the wire takes an acknowledgement.
fn run(model: &mut dyn Model, queue_pairs: u32, segment: u32, many: u32, take: u32, seed: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let ports = ["rst", "edge_valid", "edge_qp", "edge_segment", "in_valid", "in_qp", "in_psn", "out_ready"];
    let [rst, edge_valid, edge_qp, edge_segment, in_valid, in_qp, in_psn, out_ready] = ports.map(|name| model.port(name).expect(name));
    let ports = ["in_ready", "out_valid", "out_qp", "out_psn", "out_credits"];
    let [in_ready, out_valid, out_qp, out_psn, out_credits] = ports.map(|name| model.port(name).expect(name));
    for port in [edge_valid, edge_qp, edge_segment, in_valid, in_qp, in_psn, out_ready] {
        model.poke_u64(port, 0);
    }
    model.poke_u64(rst, 1);
    model.clock();
    model.poke_u64(rst, 0);
    let segments = psn::SPACE / segment;
    // Of each queue pair, newest last: from which clock on it counts.
    let mut edges: Vec<Vec<(u64, u32)>> = vec![Vec::new(); queue_pairs as usize];
    let open_at = |edges: &[Vec<(u64, u32)>], qp: u32, base: u32, clock: u64| {
        let edge = edges[qp as usize].iter().rev().find(|&&(from, _)| from <= clock).map_or(0, |&(_, edge)| edge);
        let open = psn::ahead(base, edge * segment);
        if open > psn::HALF { 0 } else { open }
    };
    // Under way: queue pair, base, the clock in which it was taken, and whether it was offered.
    let mut waiting: Option<(u32, u32, u64, bool)> = None;
    let (mut done, mut codes, mut waited, mut given_up) = (0, 0u32, 0, 0);
    while done < many {
        let now = model.cycle();
        // Mostly a little on; sometimes another window. Now and then nothing moves for long.
        let moved = rng.random_range(0..queue_pairs);
        let edge = match edges[moved as usize].last() {
            Some(&(_, edge)) if rng.random_bool(0.95) => (edge + rng.random_range(1..4)) % segments,
            _ => rng.random_range(0..segments),
        };
        let moves = (now / 8192).is_multiple_of(2) && rng.random_bool(0.3);
        model.poke_u64(edge_valid, moves.into());
        model.poke_u64(edge_qp, moved.into());
        model.poke_u64(edge_segment, edge.into());
        let qp = rng.random_range(0..queue_pairs);
        let width = rng.random_range(0..23);
        let asks = edges[qp as usize].last().filter(|_| rng.random_bool(0.8)).map(|&(_, edge)| {
            // What is open: anything, or nothing.
            let open = if rng.random_ratio(1, 200) { 0 } else { rng.random_range(0..1u32 << width) + (1 << width) };
            psn::sub(edge * segment, open)
        });
        model.poke_u64(in_valid, asks.is_some().into());
        model.poke_u64(in_qp, qp.into());
        model.poke_u64(in_psn, asks.map_or(0, |base| psn::sub(base, 1)).into());
        let takes = rng.random_range(0..100) < take;
        model.poke_u64(out_ready, takes.into());
        model.eval();
        if let Some(reason) = model.failure() {
            return Err(reason.into());
        }
        let offered = model.peek_u64(out_valid) == 1;
        let context = |what: &str| format!("clock {now}: {what}; under way {waiting:x?}");
        if (model.peek_u64(in_ready) == 1) != waiting.is_none() {
            return Err(context("in_ready"));
        }
        if let Some((qp, base, since, was_offered)) = waiting {
            // Which reading of the edge it was.
            let late = now - since - LATENCY.min(now - since);
            let open = open_at(&edges, qp, base, now - AGAIN.min(now));
            let expected =
                was_offered || (now >= since + LATENCY && late.is_multiple_of(AGAIN) && (open > 0 || late == AGAIN * (TRIES - 1)));
            if offered != expected {
                return Err(context(if offered { "an acknowledgement, too soon" } else { "no acknowledgement" }));
            }
            if offered && !was_offered {
                let found = [out_qp, out_psn, out_credits].map(|port| model.peek_u64(port));
                let expected = [qp, psn::sub(base, 1), u32::from(credits(open))].map(u64::from);
                if found != expected {
                    return Err(context(&format!("{found:x?}, {open} open")));
                }
                codes |= 1 << found[2];
                waited += u32::from(late > 0);
                given_up += u32::from(open == 0);
            }
            waiting = if offered && takes { None } else { Some((qp, base, since, offered)) };
            done += u32::from(offered && takes);
        } else if offered {
            return Err(context("an acknowledgement of nobody"));
        } else if let Some(base) = asks {
            waiting = Some((qp, base, now, false));
        }
        model.clock();
        if moves {
            edges[moved as usize].push((now + 1, edge));
        }
    }
    if codes != (1 << 23) - 1 || waited < 3 || given_up == 0 {
        return Err(format!("codes seen: {codes:#b}; {waited} had to wait, {given_up} in vain"));
    }
    Ok(())
}

fn design(profile: &str) -> (Design, u32, u32) {
    let design = catalogue::find("window_credits", profile).unwrap();
    (design, design.parameter("queue_pairs").unwrap() as u32, design.parameter("segment").unwrap() as u32)
}

#[test]
fn codes_are_those_of_the_model() {
    for profile in ["small", "worked"] {
        let (design, queue_pairs, segment) = design(profile);
        let mut model = verilated(&design.elaborate().unwrap());
        for take in [100, 80, 20] {
            run(&mut model, queue_pairs, segment, 20_000, take, seed()).unwrap();
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let (design, queue_pairs, segment) = design("small");
    let verilated = verilated(&design.elaborate().unwrap());
    let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
    run(&mut model, queue_pairs, segment, 5000, 60, seed()).unwrap();
}

const FAULTS: &[Fault] = &[
    fault("edges stay", "lut_ram", "write_enable", zero),
    fault("edges are those of all", "lut_ram", "write_address", zero),
    fault("less is open", "window_credits", "open_", less),
    fault("more is open", "window_credits", "open_", more),
    fault("more is told", "window_credits", "out_credits", more),
    fault("who has nothing open does not wait", "priority_encoder", "any", one),
    fault("whoever is closed waits for ever", "window_credits", "tries", zero),
];

#[test]
fn every_fault_is_found() {
    let (design, queue_pairs, segment) = design("small");
    let missed = missed_values(&design.elaborate().unwrap(), FAULTS, |make| run(&mut make(), queue_pairs, segment, 5000, 60, 1));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
