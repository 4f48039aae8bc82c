//! The table of flows: verilated, in lockstep with the Rust, full, with keys of one hash, and with faults.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed, missed_values, one, zero};
use rdma_rtl_tb::lr2::lr2_flow_table::{Address, Entry, Mix, Seen, Write, alike, any_key, bench, network, places};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

const FULL: Mix = Mix { onward: 100, back: 100, write: 100 };
const MIXES: [Mix; 4] = [Mix { write: 5, ..FULL }, Mix { onward: 50, back: 80, write: 20 }, FULL, Mix { onward: 10, back: 10, write: 60 }];

fn run(model: &mut dyn Model, writes: &[Write], pool: &[Entry], clocks: u64, mix: Mix, seed: u64) -> Seen {
    bench(model, writes, pool, clocks, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

/// All entries of `pool`, one flow after the other.
fn in_turn(pool: &[Entry], flows: usize) -> Vec<Write> {
    pool.iter().enumerate().map(|(i, &entry)| Write { flow: i % flows, entry: Some(entry) }).collect()
}

#[test]
fn keys_are_found_while_entries_come_and_go() {
    for flows in [4, 64] {
        let mut model = verilated(&design_at("lr2_flow_table", &[("flows", flows)]));
        for (which, (seed, mix)) in (seed()..).zip(MIXES).enumerate() {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let pool = network(&mut rng, [5, 0, 3, 2][which], flows as usize * 3 / 2);
            let seen = run(&mut model, &[], &pool, 8000, mix, seed);
            println!("{flows} flows: {seen:?}");
            assert!(seen.known > 200 && seen.missed > 200 && seen.written > 50 && seen.cleared > 20 && seen.refused > 10, "{seen:?}");
            assert!(flows == 4 || mix.onward < 100 || seen.largest_span == 1 << 23, "{seen:?}");
        }
    }
}

/// Every entry has its place when all are written, whatever network the keys are of.
#[test]
fn a_full_table() {
    for (flows, rounds) in [(4, 40), (64, 10), (1024, 2)] {
        let mut model = verilated(&design_at("lr2_flow_table", &[("flows", flows)]));
        for round in 0..rounds {
            for which in 0..6 {
                let mut rng = ChaCha8Rng::seed_from_u64(seed() + round);
                let pool = network(&mut rng, which, flows as usize);
                let writes = in_turn(&pool, flows as usize);
                let mix = Mix { onward: 30, back: 30, write: 100 };
                let seen = run(&mut model, &writes, &pool, 0, mix, seed());
                assert_eq!((seen.written, seen.refused), (flows, 0), "{flows} flows, network {which}, round {round}");
            }
        }
    }
}

/// Keys whose hash is the same: the second is refused, and is not taken for the first.
fn of_one_hash(rng: &mut ChaCha8Rng, mask: u64, count: usize) -> Vec<Address> {
    let sets = alike(mask);
    let first = Address { six: true, ..any_key(rng) };
    let mut keys = vec![first];
    while keys.len() < count {
        let set = &sets[rng.random_range(0..sets.len())];
        let base = keys[rng.random_range(0..keys.len())];
        let key = set.iter().fold(base, |key, &bit| key.flipped(bit));
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// Entries with these keys in one direction, and any in the other.
fn with_keys(rng: &mut ChaCha8Rng, keys: &[Address], back: bool) -> Vec<Entry> {
    keys.iter()
        .map(|key| {
            let other = rng.random_range(0..1 << 24);
            match back {
                false => Entry::of(rng, *key, other),
                true => {
                    let onward = Address { six: key.six, source: key.destination, destination: key.source, qp: other };
                    Entry::of(rng, onward, key.qp)
                }
            }
        })
        .collect()
}

#[test]
fn keys_of_one_hash_are_not_mixed_up() {
    for flows in [4, 64] {
        let mut model = verilated(&design_at("lr2_flow_table", &[("flows", flows)]));
        for back in [false, true] {
            let mut rng = ChaCha8Rng::seed_from_u64(seed());
            let keys = of_one_hash(&mut rng, (1 << 36) - 1, 3);
            let pool = with_keys(&mut rng, &keys, back);
            let seen = run(&mut model, &in_turn(&pool, 4), &pool, 0, FULL, seed());
            assert_eq!((seen.written, seen.refused), (1, 2));
            let seen = run(&mut model, &[], &pool, 3000, MIXES[0], seed());
            assert!(seen.known > 100 && seen.refused > 10, "{seen:?}");
        }
    }
}

#[test]
fn the_fifth_key_of_four_places_is_refused() {
    let mut model = verilated(&design_at("lr2_flow_table", &[("flows", 64)]));
    for back in [false, true] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed());
        let keys = of_one_hash(&mut rng, places(64), 6);
        let pool = with_keys(&mut rng, &keys, back);
        let mut writes = in_turn(&pool[..5], 64);
        let seen = run(&mut model, &writes, &pool, 0, FULL, seed());
        assert_eq!((seen.written, seen.refused), (4, 1));
        // Each of them finds the place that another one leaves.
        writes.extend(
            [1, 3, 0, 2].map(|flow| [Write { flow, entry: None }, Write { flow: 9 + flow, entry: Some(pool[(flow + 4) % 6]) }]).concat(),
        );
        run(&mut model, &writes, &pool, 3000, MIXES[1], seed());
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let table = catalogue::find("lr2_flow_table", "small").unwrap();
    let mut model = Lockstep::new(("native", table.native().unwrap()), ("verilated", verilated(&table.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        let pool = network(&mut ChaCha8Rng::seed_from_u64(seed), 5, 6);
        run(&mut model, &[], &pool, 300, mix, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("nothing is waited for after a reset", "lr2_flow_table", "ready", one),
    fault("no room is needed", "lr2_flow_table", "room", one),
    fault("a hash may be there twice", "lr2_flow_table", "clash", zero),
    fault("an entry is not stored", "lr2_flow_table", "stores", zero),
    fault("keys come while a place is looked for", "lr2_flow_table", "onward_ready", one),
    fault("nobody looks for a place", "lr2_flow_table", "probe", zero),
    fault("who is refused is not told", "lr2_flow_table", "write_refused", zero),
    fault("nothing is left of a READ", "lr2_flow_table", "rest", zero),
    fault("something is always left of a READ", "lr2_flow_table", "rest", one),
    fault("what reads nothing has no PSN", "lr2_flow_table", "one", zero),
    fault("an old entry stays", "lr2_key_side", "erases", zero),
    fault("the old place is the first way's", "lr2_key_side", "own_way", zero),
    fault("the old place is the first", "lr2_key_side", "own_slot", zero),
    fault("always the first way", "lr2_key_side", "chosen", zero),
    fault("always the first place", "lr2_key_side", "chosen_slot", zero),
    fault("the place does not depend on the hash", "lr2_key_side", "low", zero),
    fault("a place says nothing of the rest of the hash", "lr2_key_side", "tag2", zero),
    fault("no way but the first answers", "lr2_key_side", "found", zero),
    fault("keys are not compared", "lr2_key_side", "differ", zero),
    fault("a key without a place is known", "lr2_key_side", "hit5", one),
    fault("the path MTU is not known", "lr2_key_side", "mtu", zero),
    fault("an answer comes for what asks for a place", "lr2_key_side", "probe", zero),
];

/// A way is free that is taken. (A part of a key that is not compared is no fault: no two keys of one hash differ in 16 bits alone.)
const EDITS: &[(&str, &str, &str)] = &[
    ("lr2_key_side", "frees_0 <= !", "frees_0 <= "),
    // A key that is asked for while an entry is cleared is found there.
    ("lr2_flow_table", "wire onward_store = stores && write_set", "wire onward_store = stores"),
    ("lr2_flow_table", "wire back_store = stores && write_set", "wire back_store = stores"),
];

#[test]
fn every_fault_is_found() {
    let good = design_at("lr2_flow_table", &[("flows", 64)]);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let pool = network(&mut rng, 5, 80);
    let one = with_keys(&mut rng, &of_one_hash(&mut ChaCha8Rng::seed_from_u64(7), (1 << 36) - 1, 3), false);
    let four = with_keys(&mut rng, &of_one_hash(&mut ChaCha8Rng::seed_from_u64(8), places(64), 6), true);
    // One of two keys of a hash is cleared again and again.
    let clears = |pool: &[Entry]| [Write { flow: 0, entry: Some(pool[0]) }, Write { flow: 0, entry: None }].repeat(60);
    let back = with_keys(&mut rng, &of_one_hash(&mut ChaCha8Rng::seed_from_u64(9), (1 << 36) - 1, 2), true);
    let hold = |model: &mut dyn Model| {
        bench(model, &clears(&one), &one, 0, FULL, 4)?;
        bench(model, &clears(&back), &back, 0, FULL, 5)?;
        bench(model, &[], &pool, 3000, MIXES[1], 1)?;
        bench(model, &in_turn(&one, 4), &one, 600, MIXES[0], 2)?;
        bench(model, &in_turn(&four, 64), &four, 600, MIXES[0], 3).map(|_| ())
    };
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    let edits = missed(&catalogue::sources(&good), EDITS, |version| hold(version));
    assert!(values.is_empty() && edits.is_empty(), "not found: {values:?} {edits:?}");
}
