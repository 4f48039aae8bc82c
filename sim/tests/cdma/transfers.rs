//! Simple and scatter-gather transfers, with data on the ports and inside.

use crate::bench::{Bench, Piece, SOURCE, TARGET, inside, pieces};
use rdma_rtl_sim::bus::Stalls;
use rdma_rtl_sim::cdma::registers::*;
use rdma_rtl_sim::cdma::{Data, Options};

fn builds() -> Vec<Options> {
    let ports = Options::default();
    vec![
        inside(),
        ports.clone(),
        Options { data_width: 512, burst: 64, prefetch: 3, ..ports.clone() },
        Options { data_width: 64, burst: 2, stalls: Stalls::all(40), fetch_beats: 1, ..ports.clone() },
        Options { address_bits: 64, fetch_beats: 4, stalls: Stalls { idle: 0, backpressure: 70 }, prefetch: 2, ..ports.clone() },
        Options { data_width: 1024, burst: 32, stalls: Stalls { idle: 60, backpressure: 0 }, ..ports },
    ]
}

#[test]
fn simple_transfers() {
    for options in builds() {
        let wide = options.address_bits > 32;
        let mut bench = Bench::new(options);
        for piece in pieces(5) {
            bench.write(SA, piece.source as u32);
            bench.write(DA, piece.target as u32);
            if wide {
                bench.write(SA_MSB, 0);
                bench.write(DA_MSB, 0);
            }
            bench.write(BTT, piece.bytes);
            bench.until_idle();
            assert!(bench.moved(piece), "{piece:x?}");
            assert_eq!(bench.read(CDMASR) & (ERRORS | IRQ_ALL | IDLE), IRQ_COMPLETE | IDLE);
            bench.write(CDMASR, IRQ_COMPLETE);
            assert_eq!(bench.read(CDMASR) & IRQ_ALL, 0);
        }
        assert!(bench.cdma.complaints().is_empty(), "{:?}", bench.cdma.complaints());
        assert!(bench.data.damaged().is_empty());
    }
}

#[test]
fn a_ring_to_its_tail_and_on() {
    for options in builds() {
        let base = if options.address_bits > 32 { 0xab_cd00_0000_8000 } else { 0x8000 };
        let mut bench = Bench::at(options, base);
        let all = pieces(12);
        for (i, piece) in all[..4].iter().enumerate() {
            bench.descriptor(i as u64, 4, *piece);
        }
        bench.start(0, 1);
        bench.until_idle();
        assert_eq!([0, 1, 2].map(|i| bench.status(i)), [COMPLETED, COMPLETED, 0]);
        assert_eq!(bench.cdma.completed(), 2);
        // On from the pause, then around, while it is not idle too.
        bench.tail(3);
        for i in 4..12 {
            let mut waited = 0;
            // One place stays free: a tail at the descriptor that was read last is where it stops.
            while bench.status(i % 4) == 0 || bench.status((i + 1) % 4) == 0 {
                bench.clock();
                waited += 1;
                assert!(waited < 20_000, "descriptor {i}");
            }
            bench.descriptor(i % 4, 4, all[i as usize]);
            bench.tail(i % 4);
        }
        bench.until_idle();
        assert_eq!([0, 1, 2, 3].map(|i| bench.status(i)), [COMPLETED; 4]);
        assert_eq!((bench.cdma.begun(), bench.cdma.completed()), (12, 12));
        for piece in &all {
            assert!(bench.moved(*piece), "{piece:x?}");
        }
        assert!(bench.cdma.complaints().is_empty(), "{:?}", bench.cdma.complaints());
        assert!(bench.data.damaged().is_empty() && bench.descriptors.damaged().is_empty());
    }
}

#[test]
fn the_lower_half_of_the_tail_starts_nothing_in_a_wide_build() {
    let mut bench = Bench::new(Options { address_bits: 64, ..inside() });
    bench.descriptor(0, 1, Piece { source: SOURCE, target: TARGET, bytes: 4 });
    bench.write(CDMACR, SG_MODE);
    bench.write(CURDESC, 0x8000);
    bench.write(TAILDESC, 0x8000);
    bench.clocks(200);
    assert_eq!((bench.cdma.begun(), bench.read(CDMASR) & IDLE), (0, IDLE));
    bench.write(TAILDESC_MSB, 0);
    bench.until_idle();
    assert_eq!(bench.cdma.completed(), 1);
}

#[test]
fn a_new_first_descriptor_needs_the_mode_to_go_off_and_on() {
    let mut bench = Bench::new(inside());
    for (i, piece) in pieces(4).iter().enumerate() {
        bench.descriptor(i as u64, 4, *piece);
    }
    bench.start(0, 0);
    bench.until_idle();
    // Written, but the engine goes on where it stopped.
    bench.write(CURDESC, 0x80c0);
    bench.tail(1);
    bench.until_idle();
    assert_eq!([0, 1, 2, 3].map(|i| bench.status(i)), [COMPLETED, COMPLETED, 0, 0]);
    bench.start(3, 3);
    bench.until_idle();
    assert_eq!([0, 1, 2, 3].map(|i| bench.status(i)), [COMPLETED, COMPLETED, 0, COMPLETED]);
}

#[test]
fn registers_that_must_be_left_alone_while_it_runs() {
    let mut bench = Bench::new(Options { data: Data::Inside { latency: 500, rate: 1 }, ..inside() });
    bench.descriptor(0, 1, Piece { source: SOURCE, target: TARGET, bytes: 4 });
    bench.start(0, 0);
    let (current, complaints) = (bench.read(CURDESC), bench.cdma.complaints().len());
    bench.write(CURDESC, 0x9000);
    assert_eq!(bench.read(CURDESC), current);
    bench.write(BTT, 4);
    bench.write(CDMACR, 0);
    assert_eq!(bench.cdma.complaints().len(), complaints + 3, "{:?}", bench.cdma.complaints());
}

#[test]
fn cyclic_mode_does_not_stop() {
    let mut bench = Bench::new(inside());
    for (i, piece) in pieces(3).iter().enumerate() {
        bench.descriptor(i as u64, 3, *piece);
    }
    bench.write(CDMACR, SG_MODE | CYCLIC);
    bench.write(CURDESC, 0x8000);
    bench.write(TAILDESC, 0x50);
    bench.clocks(3000);
    assert!(bench.cdma.completed() > 9, "{}", bench.cdma.completed());
    assert_eq!(bench.read(CDMASR) & (ERRORS | IDLE), 0);
    bench.reset();
    assert_eq!(bench.read(CDMASR) & IDLE, IDLE);
}

#[test]
fn without_realignment_both_ends_lie_alike() {
    let mut bench = Bench::new(Options { realign: false, ..Options::default() });
    bench.write(SA, (SOURCE + 6) as u32);
    bench.write(DA, (TARGET + 2) as u32);
    bench.write(BTT, 9);
    bench.until_idle();
    assert_eq!(bench.read(CDMASR) & ERRORS, 0);
    bench.write(DA, (TARGET + 3) as u32);
    bench.write(BTT, 9);
    bench.until_idle();
    assert_eq!(bench.read(CDMASR) & ERRORS, DMA_INTERNAL);
    assert_eq!(bench.cdma.complaints().len(), 1);
}

#[test]
fn a_key_hole_is_refused() {
    let mut bench = Bench::new(inside());
    bench.write(CDMACR, KEY_HOLE_READ);
    bench.write(BTT, 4);
    bench.until_idle();
    assert_eq!(bench.read(CDMASR) & ERRORS, DMA_INTERNAL);
    assert_eq!(bench.cdma.complaints().len(), 1);
}
