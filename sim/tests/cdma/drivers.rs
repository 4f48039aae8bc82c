//! Register accesses of three public drivers, as tables of our own, replayed against the model: each reaches what its driver waits for.

use crate::bench::{Bench, Piece, SOURCE, TARGET, inside, pieces};
use rdma_rtl_sim::cdma::Options;
use rdma_rtl_sim::cdma::registers::*;

/// One access.
#[derive(Clone, Copy, Debug)]
enum Access {
    Write(u64, u32),
    /// changes the bits of the mask, keeps the others
    Modify(u64, u32, u32),
    /// reads until the bits of the mask are these
    Poll(u64, u32, u32),
    /// the bits of the mask are these
    Expect(u64, u32, u32),
}

use Access::*;

fn replay(bench: &mut Bench, name: &str, trace: &[Access]) {
    for (i, access) in trace.iter().enumerate() {
        match *access {
            Write(offset, value) => bench.write(offset, value),
            Modify(offset, mask, value) => {
                let old = bench.read(offset);
                bench.write(offset, old & !mask | value);
            }
            Poll(offset, mask, value) => {
                let mut reads = 0;
                while bench.read(offset) & mask != value {
                    reads += 1;
                    assert!(reads < 5000, "{name}: access {i}, {access:x?}");
                }
            }
            Expect(offset, mask, value) => {
                let found = bench.read(offset) & mask;
                assert_eq!(found, value, "{name}: access {i}, {access:x?}");
            }
        }
    }
    assert!(bench.cdma.complaints().is_empty(), "{name}: {:?}", bench.cdma.complaints());
}

/// Reset, then wait for it, then enable what interrupts.
const LINUX_PROBE: &[Access] = &[Modify(CDMACR, RESET, RESET), Poll(CDMACR, RESET, 0), Modify(CDMACR, IRQ_ALL, IRQ_ALL)];

/// As Linux does for each batch: threshold as many as are pending, mode off and on, first descriptor, last descriptor.
fn linux_start(first: u32, last: u32, pending: u32) -> Vec<Access> {
    vec![
        Expect(CDMASR, IDLE, IDLE),
        Modify(CDMACR, 0xff << 16, pending << 16),
        Modify(CDMACR, SG_MODE, 0),
        Modify(CDMACR, SG_MODE, SG_MODE),
        Write(CURDESC, first),
        Write(TAILDESC, last),
    ]
}

#[test]
fn linux_scatter_gather() {
    let mut bench = Bench::new(inside());
    let all = pieces(8);
    for (i, piece) in all.iter().enumerate() {
        bench.descriptor(i as u64, 8, *piece);
    }
    replay(&mut bench, "probe", LINUX_PROBE);
    for batch in 0..2u32 {
        let first = 0x8000 + 256 * batch;
        replay(&mut bench, "start", &linux_start(first, first + 192, 4));
        // The handler reads and clears, once for the whole batch.
        replay(
            &mut bench,
            "interrupt",
            &[Poll(CDMASR, IRQ_ALL, IRQ_COMPLETE), Write(CDMASR, IRQ_ALL), Expect(CDMASR, IRQ_ALL | ERRORS, 0)],
        );
    }
    assert_eq!(bench.cdma.completed(), 8);
    assert!(all.iter().all(|piece| bench.moved(*piece)));
}

#[test]
fn linux_simple_and_wide() {
    for wide in [false, true] {
        let mut bench = Bench::new(Options { address_bits: if wide { 40 } else { 32 }, scatter_gather: false, ..inside() });
        replay(&mut bench, "probe", LINUX_PROBE);
        let piece = Piece { source: SOURCE + 64, target: TARGET, bytes: 1000 };
        let mut trace = vec![Modify(CDMACR, SG_MODE, 0)];
        for (offset, value) in [(SA, piece.source), (DA, piece.target)] {
            trace.push(Write(offset, value as u32));
            if wide {
                trace.push(Write(offset + 4, 0));
            }
        }
        trace.extend([Write(BTT, piece.bytes), Poll(CDMASR, IRQ_ALL, IRQ_COMPLETE), Write(CDMASR, IRQ_ALL)]);
        replay(&mut bench, "simple", &trace);
        assert!(bench.moved(piece));
    }
}

#[test]
fn embeddedsw_simple() {
    let mut bench = Bench::new(inside());
    let piece = pieces(1)[0];
    let trace = [
        Write(CDMACR, RESET),
        Poll(CDMACR, RESET, 0),
        Expect(CDMASR, SG_INCLUDED, SG_INCLUDED),
        Modify(CDMACR, IRQ_ALL, 0),
        // Not busy, mode to simple, both addresses, then the length.
        Expect(CDMASR, IDLE, IDLE),
        Modify(CDMACR, SG_MODE, 0),
        Write(SA, piece.source as u32),
        Write(DA, piece.target as u32),
        Write(BTT, piece.bytes),
        Poll(CDMASR, IDLE, IDLE),
        Expect(CDMASR, 0x770, 0),
    ];
    replay(&mut bench, "embeddedsw simple", &trace);
    assert!(bench.moved(piece));
}

#[test]
fn embeddedsw_scatter_gather() {
    for wide in [false, true] {
        let mut bench = Bench::new(Options { address_bits: if wide { 64 } else { 32 }, ..inside() });
        for (i, piece) in pieces(6).iter().enumerate() {
            bench.descriptor(i as u64, 6, *piece);
        }
        let with_upper = |offset: u64, value: u32| {
            let upper = wide.then_some(Write(offset + 4, 0));
            std::iter::once(Write(offset, value)).chain(upper)
        };
        let mut trace = vec![Write(CDMACR, RESET), Poll(CDMACR, RESET, 0)];
        // Coalescing, interrupts, then a first batch: mode off and on, first descriptor, tail.
        trace.extend([Modify(CDMACR, 0xffff_0000, 0xff02_0000), Modify(CDMACR, IRQ_ALL, IRQ_ALL)]);
        trace.extend([Expect(CDMASR, IDLE, IDLE), Modify(CDMACR, SG_MODE, 0), Modify(CDMACR, SG_MODE, SG_MODE)]);
        trace.extend(with_upper(CURDESC, 0x8000));
        trace.extend(with_upper(TAILDESC, 0x8080));
        trace.extend([Poll(CDMASR, IRQ_COMPLETE, IRQ_COMPLETE), Write(CDMASR, IRQ_COMPLETE)]);
        // More work only moves the tail.
        trace.extend(with_upper(TAILDESC, 0x8140));
        trace.extend([Poll(CDMASR, IDLE, IDLE), Expect(CDMASR, 0x770, 0)]);
        replay(&mut bench, "embeddedsw scatter-gather", &trace);
        assert_eq!(bench.cdma.completed(), 6);
    }
}

#[test]
fn mlir_air() {
    let mut bench = Bench::new(inside());
    for (i, piece) in pieces(3).iter().enumerate() {
        bench.descriptor(i as u64, 3, *piece);
    }
    let trace = [
        Write(CDMACR, 1 << 2),
        Poll(CDMACR, 1 << 2, 0),
        Write(CDMACR, 0),
        Write(CDMACR, 1 << 3),
        Write(CURDESC, 0x8000),
        Write(TAILDESC, 0x8080),
        Poll(CDMASR, 1 << 1, 1 << 1),
    ];
    replay(&mut bench, "mlir-air", &trace);
    assert_eq!(bench.cdma.completed(), 3);
}
