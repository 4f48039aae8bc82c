use rdma_rtl_fabric::cell::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let delay: u64 = args[1].parse().unwrap();
    let loss: f64 = args[2].parse().unwrap();
    let load: f64 = args[3].parse().unwrap();
    let flows: usize = args[4].parse().unwrap();
    let mut gbn = 0.0;
    let mut ideal = 0.0;
    let extra: u32 = args[5].parse().unwrap();
    let slots: usize = args[6].parse().unwrap();
    for v in Variant::ALL.into_iter().take(5) {
        let cell = Cell { flows, extra, slots, ..Cell::core(v, delay, loss, load) };
        let t = std::time::Instant::now();
        match cell.run(1) {
            Ok(o) => {
                let f: Vec<f64> = o.received.iter().flatten().copied().collect();
                let m = f.iter().sum::<f64>() / f.len() as f64;
                if v == Variant::GoBackN {
                    gbn = m
                }
                if v == Variant::Ideal {
                    ideal = m
                }
                println!(
                    "{:24} fct {:10.1} red {:6.3} share {:6.3} eff {:.4} util {:.3} unf {} to {} naks {} resent {} ovf {} marks {} | {:.2} s {:.2} Mev/s simsec {:.2} slots {}",
                    v.name(),
                    m,
                    1.0 - m / gbn,
                    (gbn - m) / (gbn - ideal),
                    o.efficiency,
                    o.utilisation,
                    o.unfinished,
                    o.timeouts,
                    o.card_naks,
                    o.resent,
                    o.overflows,
                    o.marks,
                    t.elapsed().as_secs_f64(),
                    o.events as f64 / 1e6 / t.elapsed().as_secs_f64(),
                    o.seconds,
                    cell.slots
                );
                println!("   near {:?}", o.near.iter().filter(|(_, v)| **v > 0).collect::<Vec<_>>());
                println!("   far {:?}", o.far.iter().filter(|(_, v)| **v > 0).collect::<Vec<_>>());
            }
            Err(e) => println!("{v:?} ERR {e}"),
        }
    }
}
