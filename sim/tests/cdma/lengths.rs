//! Around the largest length of both builds.

use crate::bench::{Bench, inside};
use rdma_rtl_sim::cdma::registers::*;
use rdma_rtl_sim::cdma::{Data, Options};

/// Bytes that a build with so many bits of length moves when it is told `bytes`, and the error it ends with.
fn told(length_bits: u32, bytes: u32, scatter_gather: bool) -> (u32, u32) {
    let data = Data::Inside { latency: 1, rate: 1 << 20 };
    let mut bench = Bench::new(Options { length_bits, data, ..inside() });
    let (source, target) = (0x1000_0000u64, 0x3000_0000u64);
    bench.cdma.memory().region(source, 1 << 27);
    bench.cdma.memory().region(target, 1 << 27);
    bench.cdma.memory().put(source, &vec![0xff; 1 << 27]);
    if scatter_gather {
        bench.descriptor(0, 1, crate::bench::Piece { source, target, bytes });
        bench.start(0, 0);
    } else {
        bench.write(SA, source as u32);
        bench.write(DA, target as u32);
        bench.write(BTT, bytes);
    }
    bench.until_idle();
    let moved = bench.cdma.memory().bytes(target, 1 << 27).unwrap();
    let count = moved.iter().position(|b| *b == 0).unwrap() as u32;
    assert!(moved[count as usize..].iter().all(|b| *b == 0));
    let errors = bench.read(CDMASR) & ERRORS;
    let complains = !bench.cdma.complaints().is_empty();
    assert_eq!(complains, bytes >> length_bits != 0, "{:?}", bench.cdma.complaints());
    (count, errors)
}

#[test]
fn a_length_is_kept_as_far_as_its_bits_go() {
    for scatter_gather in [false, true] {
        for (bits, bytes, moved) in [
            (23, (1 << 23) - 1, (1 << 23) - 1),
            (23, 1 << 23, 0),
            (23, (1 << 23) + 1, 1),
            (26, (1 << 23) - 1, (1 << 23) - 1),
            (26, 1 << 23, 1 << 23),
            (26, (1 << 23) + 1, (1 << 23) + 1),
            (26, (1 << 26) - 1, (1 << 26) - 1),
            (26, 1 << 26, 0),
            (26, (1 << 26) + 1, 1),
        ] {
            let errors = if moved == 0 { DMA_INTERNAL } else { 0 };
            assert_eq!(told(bits, bytes, scatter_gather), (moved, errors), "{bits} bits, {bytes} bytes");
        }
    }
}

#[test]
fn no_bytes_are_an_internal_error() {
    for scatter_gather in [false, true] {
        assert_eq!(told(26, 0, scatter_gather), (0, DMA_INTERNAL));
    }
}
