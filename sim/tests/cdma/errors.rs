//! Every error, from the buses and on demand, at every place of a ring.

use crate::bench::{Bench, Piece, SOURCE, TARGET, inside, pieces};
use rdma_rtl_sim::bus::Stalls;
use rdma_rtl_sim::cdma::registers::*;
use rdma_rtl_sim::cdma::{Data, Fault, Options};

const RING: u64 = 4;

fn expected(fault: Fault) -> u32 {
    match fault {
        Fault::DataInternal => DMA_INTERNAL,
        Fault::DataSlave => DMA_SLAVE,
        Fault::DataDecode => DMA_DECODE,
        Fault::Stale => SG_INTERNAL,
        Fault::FetchSlave | Fault::StatusSlave { .. } => SG_SLAVE,
        Fault::FetchDecode | Fault::StatusDecode { .. } => SG_DECODE,
        Fault::Hang => 0,
    }
}

#[test]
fn on_demand_at_every_descriptor() {
    for options in
        [inside(), Options::default(), Options { prefetch: 3, stalls: Stalls::all(30), error_completes: true, ..Options::default() }]
    {
        for fault in Fault::ERRORS {
            for place in 0..RING {
                let mut bench = Bench::new(options.clone());
                for (i, piece) in pieces(RING).iter().enumerate() {
                    bench.descriptor(i as u64, RING, *piece);
                }
                bench.cdma.inject(place, fault);
                bench.start(0, RING - 1);
                bench.until_idle();
                assert_eq!(bench.read(CDMASR) & ERRORS, expected(fault), "{fault:?} at {place}");
                assert_eq!(bench.read(CURDESC), 0x8000 + 64 * place as u32, "{fault:?} at {place}");
                for i in 0..RING {
                    let bits = if options.error_completes { COMPLETED } else { 0 };
                    let own = match fault {
                        _ if fault.in_status() => expected(fault) << 24 | bits,
                        Fault::StatusSlave { written: true } | Fault::StatusDecode { written: true } => COMPLETED,
                        _ => 0,
                    };
                    let status = if i < place {
                        COMPLETED
                    } else if i == place {
                        own
                    } else {
                        0
                    };
                    assert_eq!(bench.status(i), status, "{fault:?} at {place}, descriptor {i}");
                }
                // It is halted until a reset.
                let begun = bench.cdma.begun();
                bench.tail(RING - 1);
                bench.clocks(300);
                assert_eq!((bench.cdma.begun(), bench.cdma.ignored_tails()), (begun, 1));
                bench.reset();
                for (i, piece) in pieces(RING).iter().enumerate() {
                    bench.descriptor(i as u64, RING, *piece);
                }
                bench.start(place, RING - 1);
                bench.until_idle();
                assert_eq!(bench.read(CDMASR) & ERRORS, 0);
                assert_eq!(bench.status(RING - 1), COMPLETED);
            }
        }
    }
}

#[test]
fn a_completed_descriptor_is_stale() {
    let mut bench = Bench::new(inside());
    for (i, piece) in pieces(2).iter().enumerate() {
        bench.descriptor(i as u64, 2, *piece);
    }
    bench.start(0, 1);
    bench.until_idle();
    bench.tail(0);
    bench.until_idle();
    assert_eq!(bench.read(CDMASR) & ERRORS, SG_INTERNAL);
    assert_eq!(bench.cdma.completed(), 2);
}

#[test]
fn buses_that_answer_with_errors() {
    for (source, target, error) in [
        (0x100, TARGET, DMA_DECODE),
        (SOURCE, 0x100, DMA_DECODE),
        (SOURCE + 0x8000, TARGET, DMA_SLAVE),
        (SOURCE, TARGET + 0x8000, DMA_SLAVE),
    ] {
        for options in [inside(), Options::default()] {
            let ports = options.data == Data::Ports;
            let mut bench = Bench::new(options);
            for at in [SOURCE + 0x8000, TARGET + 0x8000] {
                bench.data.fail(at..at + 4);
                bench.cdma.memory().fail(at..at + 4, false);
            }
            if ports && error == DMA_DECODE {
                // The memory model calls it a violation of the bench.
                continue;
            }
            bench.descriptor(0, 1, Piece { source, target, bytes: 64 });
            bench.start(0, 0);
            bench.until_idle();
            assert_eq!(bench.read(CDMASR) & ERRORS, error, "{source:#x} to {target:#x}");
            assert_eq!(bench.status(0), error << 24);
        }
    }
}

#[test]
fn a_descriptor_port_that_answers_with_an_error() {
    let mut bench = Bench::new(inside());
    bench.descriptor(0, 2, pieces(2)[0]);
    bench.descriptor(1, 2, pieces(2)[1]);
    bench.descriptors.fail(0x8040..0x8044);
    bench.start(0, 1);
    bench.until_idle();
    assert_eq!((bench.read(CDMASR) & ERRORS, bench.read(CURDESC), bench.status(0)), (SG_SLAVE, 0x8040, COMPLETED));
}

#[test]
fn a_transfer_that_hangs_is_ended_by_a_reset() {
    let mut bench = Bench::new(inside());
    bench.descriptor(0, 1, pieces(1)[0]);
    bench.cdma.inject(0, Fault::Hang);
    bench.start(0, 0);
    bench.clocks(5000);
    assert_eq!(bench.read(CDMASR) & IDLE, 0);
    bench.reset();
    bench.start(0, 0);
    bench.until_idle();
    assert_eq!(bench.status(0), COMPLETED);
}

#[test]
fn a_soft_reset_lets_the_buses_come_to_rest() {
    for after in 0..120 {
        let mut bench = Bench::new(Options { data_width: 64, ..Options::default() });
        for (i, piece) in pieces(4).iter().enumerate() {
            bench.descriptor(i as u64, 4, *piece);
        }
        bench.start(0, 3);
        bench.clocks(5 * after);
        bench.reset();
        assert!(bench.data.idle() && bench.descriptors.idle());
        assert_eq!(bench.read(CDMASR), 0x0001_000a);
    }
}

#[test]
fn a_bus_that_answers_no_more() {
    let mut bench = Bench::new(inside());
    bench.cdma.respond(2);
    bench.master.write(SA, 5);
    bench.clocks(20);
    assert_eq!(bench.master.answers()[0].response, 2);
    bench.cdma.respond(0);
    assert_eq!(bench.read(SA), 0);
    bench.cdma.deafen(true);
    bench.master.read(SA);
    bench.clocks(1000);
    assert!(!bench.master.idle());
}
