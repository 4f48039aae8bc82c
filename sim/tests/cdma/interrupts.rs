//! Threshold, delay, flags and the line.

use crate::bench::{Bench, Piece, SOURCE, TARGET, inside, pieces};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::cdma::registers::*;
use rdma_rtl_sim::cdma::{Data, Options};

fn line(bench: &Bench) -> bool {
    bench.cdma.peek_u64(bench.cdma.port("cdma_introut").unwrap()) == 1
}

fn ring(bench: &mut Bench, count: u64) {
    for (i, piece) in pieces(count).iter().enumerate() {
        bench.descriptor(i as u64, count, *piece);
    }
}

#[test]
fn an_interrupt_needs_its_enable_and_goes_when_it_is_cleared() {
    for enable in [0, IRQ_COMPLETE] {
        let mut bench = Bench::new(inside());
        bench.write(CDMACR, enable);
        bench.write(SA, SOURCE as u32);
        bench.write(DA, TARGET as u32);
        bench.write(BTT, 4);
        bench.until_idle();
        bench.clock();
        assert_eq!(line(&bench), enable != 0);
        assert_eq!(bench.read(CDMASR) & IRQ_ALL, IRQ_COMPLETE);
        bench.write(CDMASR, IRQ_DELAY | IRQ_ERROR);
        assert_eq!(line(&bench), enable != 0);
        bench.write(CDMASR, IRQ_COMPLETE);
        bench.clock();
        assert!(!line(&bench));
    }
}

#[test]
fn every_so_many_descriptors() {
    let mut bench = Bench::new(inside());
    ring(&mut bench, 8);
    bench.write(CDMACR, SG_MODE);
    bench.write(CURDESC, 0x8000);
    bench.write(CDMACR, SG_MODE | IRQ_COMPLETE | 3 << 16);
    let mut seen = Vec::new();
    for i in 0..8 {
        bench.tail(i);
        bench.until_idle();
        let status = bench.read(CDMASR);
        seen.push((status & IRQ_COMPLETE != 0, status >> 16 & 0xff));
        bench.write(CDMASR, IRQ_COMPLETE);
    }
    let expected = [(false, 2), (false, 1), (true, 3), (false, 2), (false, 1), (true, 3), (false, 2), (false, 1)];
    assert_eq!(seen, expected);
    // A write of the threshold begins to count anew.
    bench.write(CDMACR, SG_MODE | IRQ_COMPLETE | 3 << 16);
    assert_eq!(bench.read(CDMASR) >> 16 & 0xff, 3);
}

#[test]
fn a_delay_counts_while_the_engine_is_idle() {
    let mut bench = Bench::new(inside());
    ring(&mut bench, 4);
    bench.write(CDMACR, SG_MODE);
    bench.write(CURDESC, 0x8000);
    bench.write(CDMACR, SG_MODE | IRQ_DELAY | 9 << 16 | 2 << 24);
    // No session has been: nothing to be told.
    bench.clocks(1000);
    assert!(!line(&bench));
    bench.tail(0);
    bench.until_idle();
    let mut waited = 0;
    while !line(&bench) {
        bench.clock();
        waited += 1;
        assert!(waited < 300);
    }
    assert!((249..=251).contains(&waited), "{waited}");
    assert_eq!(bench.read(CDMASR) & (IRQ_ALL | 0xff << 16), IRQ_DELAY | 9 << 16);
    bench.write(CDMASR, IRQ_DELAY);
    bench.clocks(1000);
    assert!(!line(&bench));
    // Work stops it and sets it back.
    bench.tail(1);
    bench.until_idle();
    bench.clocks(200);
    bench.tail(2);
    bench.until_idle();
    bench.clocks(200);
    assert!(!line(&bench));
    bench.clocks(60);
    assert!(line(&bench));
    // SGMode off takes the flag away.
    bench.write(CDMACR, 0);
    assert_eq!(bench.read(CDMASR) & IRQ_DELAY, 0);
}

#[test]
fn errors_interrupt() {
    let mut bench = Bench::new(Options { data: Data::Inside { latency: 1, rate: 1 }, ..inside() });
    bench.write(CDMACR, IRQ_ERROR);
    bench.descriptor(0, 1, Piece { source: 0x10, target: TARGET, bytes: 4 });
    bench.write(CDMACR, SG_MODE | IRQ_ERROR);
    bench.write(CURDESC, 0x8000);
    bench.tail(0);
    bench.until_idle();
    bench.clock();
    assert!(line(&bench));
    assert_eq!(bench.read(CDMASR) & (ERRORS | IRQ_ALL), DMA_DECODE | IRQ_ERROR);
    // The flag can be written away, the reason cannot.
    bench.write(CDMASR, 0xffff_ffff);
    assert_eq!(bench.read(CDMASR) & (ERRORS | IRQ_ALL), DMA_DECODE);
    bench.reset();
    assert_eq!(bench.read(CDMASR), 0x0001_000a);
}
