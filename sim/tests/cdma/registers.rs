//! Values after reset, what can be written, what is cleared.

use crate::bench::{Bench, inside};
use rdma_rtl_sim::cdma::Options;
use rdma_rtl_sim::cdma::registers::*;

#[test]
fn values_after_reset() {
    let mut bench = Bench::new(inside());
    assert_eq!((bench.read(CDMACR), bench.read(CDMASR)), (0x0001_0002, 0x0001_000a));
    for offset in (CURDESC..=BTT).step_by(4) {
        assert_eq!(bench.read(offset), 0, "{offset:#x}");
    }
    let mut simple = Bench::new(Options { scatter_gather: false, ..inside() });
    assert_eq!(simple.read(CDMASR), 2);
}

#[test]
fn bits_of_the_control_register() {
    let mut bench = Bench::new(inside());
    bench.write(CDMACR, 0xffff_fffb);
    assert_eq!(bench.read(CDMACR), 0xffff_707a);
    // A threshold of zero has no effect, TailPntrEn stays.
    bench.write(CDMACR, 0);
    assert_eq!(bench.read(CDMACR), 0x00ff_0002);
    bench.write(CDMACR, 0x0300_0000);
    assert_eq!(bench.read(CDMACR), 0x03ff_0002);
}

#[test]
fn pointers_are_aligned_and_go_with_sg_mode() {
    let mut bench = Bench::new(inside());
    bench.write(CURDESC, 0x1000);
    assert_eq!(bench.read(CURDESC), 0);
    assert_eq!(bench.cdma.complaints().len(), 1, "{:?}", bench.cdma.complaints());
    bench.write(CDMACR, SG_MODE);
    bench.write(CURDESC, 0x1040);
    bench.write(CURDESC, 0x1fff);
    assert_eq!(bench.read(CURDESC), 0x1fc0);
    assert_eq!(bench.cdma.complaints().len(), 2);
    // Addresses of 32 bits have no upper halves.
    bench.write(CURDESC_MSB, 5);
    assert_eq!(bench.read(CURDESC_MSB), 0);
    bench.write(CDMACR, 0);
    assert_eq!(bench.read(CURDESC), 0);
}

#[test]
fn upper_halves_of_a_wide_build() {
    let mut bench = Bench::new(Options { address_bits: 40, ..inside() });
    for offset in [SA_MSB, DA_MSB] {
        bench.write(offset, 0x1234_5678);
        assert_eq!(bench.read(offset), 0x78);
    }
    bench.write(CDMACR, SG_MODE);
    bench.write(CURDESC_MSB, 0xffff_ffff);
    assert_eq!(bench.read(CURDESC_MSB), 0xff);
}

#[test]
fn a_hard_reset_sets_every_register() {
    let mut bench = Bench::new(inside());
    bench.write(CDMACR, 0x0505_7000);
    bench.write(SA, 0x1234);
    bench.hard_reset(16);
    assert_eq!((bench.read(CDMACR), bench.read(CDMASR), bench.read(SA)), (0x0001_0002, 0x0001_000a, 0));
}

#[test]
fn a_soft_reset_shows_until_it_is_over() {
    let mut bench = Bench::new(Options { reset_clocks: 40, ..inside() });
    bench.write(CDMACR, 0x0505_7000);
    bench.write(CDMACR, RESET);
    assert_eq!(bench.read(CDMACR) & RESET, RESET);
    bench.clocks(40);
    assert_eq!(bench.read(CDMACR), 0x0001_0002);
    bench.cdma.hang_in_reset(true);
    bench.write(CDMACR, RESET);
    bench.clocks(1000);
    assert_eq!(bench.read(CDMACR) & RESET, RESET);
    bench.cdma.hang_in_reset(false);
    bench.clocks(2);
    assert_eq!(bench.read(CDMACR) & RESET, 0);
    assert_eq!(bench.cdma.resets(), 2);
}
