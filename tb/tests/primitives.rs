//! Every primitive under its bench, at several sizes.

mod native;

use rdma_rtl_hdl::primitives::{
    BarrelShifter, BarrelShifterPipelined, BlockRam, ClearedRam, FifoBlock, FifoLut, FindFirst, InitialMask, LutRam, OneHotFirst,
    PriorityEncoder, PsnAdd, PsnCompare, Register, RoundRobinArbiter, SkidBuffer, ThermometerMask, TickCounter,
};
use rdma_rtl_tb::primitives::*;

/// Seed of a run: another one with `RDMA_RTL_SEED`, which a failure names.
fn seed() -> u64 {
    std::env::var("RDMA_RTL_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

macro_rules! passes {
    ($bench:expr) => {
        if let Err(difference) = $bench {
            panic!("{difference} (seed {})", seed());
        }
    };
}

macro_rules! queue {
    ($block:ty) => {
        native!($block, [clk], [rst, in_valid, in_data, out_ready], [in_ready, out_valid, out_data, count])
    };
}

macro_rules! find {
    ($block:ty) => {
        native!($block, [], [request], [any, index])
    };
}

macro_rules! ram {
    ($block:ty) => {
        native!($block, [clk], [write_enable, write_address, write_data, read_address], [read_data])
    };
}

macro_rules! cleared {
    ($block:ty) => {
        native!($block, [clk], [rst, write_enable, write_address, write_data, read_address], [ready, read_data])
    };
}

#[test]
fn fifo_lut() {
    passes!(fifo_lut::bench(&mut queue!(FifoLut<8, 1, 2>), seed(), 8000));
    passes!(fifo_lut::bench(&mut queue!(FifoLut<16, 3, 4>), seed(), 8000));
    passes!(fifo_lut::bench(&mut queue!(FifoLut<72, 5, 6>), seed(), 4000));
}

#[test]
fn fifo_block() {
    passes!(fifo_block::bench(&mut queue!(FifoBlock<8, 2, 3>), seed(), 8000));
    passes!(fifo_block::bench(&mut queue!(FifoBlock<16, 3, 4>), seed(), 8000));
    passes!(fifo_block::bench(&mut queue!(FifoBlock<72, 6, 7>), seed(), 4000));
}

#[test]
fn skid_buffer() {
    macro_rules! skid {
        ($block:ty) => {
            native!($block, [clk], [rst, in_valid, in_data, out_ready], [in_ready, out_valid, out_data])
        };
    }
    passes!(skid_buffer::bench(&mut skid!(SkidBuffer<1>), seed(), 4000));
    passes!(skid_buffer::bench(&mut skid!(SkidBuffer<32>), seed(), 8000));
    passes!(skid_buffer::bench(&mut skid!(SkidBuffer<65>), seed(), 4000));
}

#[test]
fn barrel_shifter() {
    macro_rules! shifter {
        ($block:ty) => {
            native!($block, [], [data, amount], [shifted])
        };
    }
    passes!(barrel_shifter::bench(&mut shifter!(BarrelShifter<2, 1, 0>), false, seed(), 10));
    passes!(barrel_shifter::bench(&mut shifter!(BarrelShifter<8, 3, 0>), false, seed(), 100));
    passes!(barrel_shifter::bench(&mut shifter!(BarrelShifter<8, 5, 1>), true, seed(), 100));
    passes!(barrel_shifter::bench(&mut shifter!(BarrelShifter<19, 5, 1>), true, seed(), 50));
    passes!(barrel_shifter::bench(&mut shifter!(BarrelShifter<64, 6, 0>), false, seed(), 20));
    passes!(barrel_shifter::bench(&mut shifter!(BarrelShifter<128, 7, 1>), true, seed(), 5));
}

#[test]
fn barrel_shifter_pipelined() {
    macro_rules! shifter {
        ($block:ty) => {
            native!($block, [clk], [rst, in_valid, in_data, in_amount, out_ready], [in_ready, out_valid, out_data])
        };
    }
    passes!(barrel_shifter_pipelined::bench(&mut shifter!(BarrelShifterPipelined<8, 3, 0, 1>), false, 2, seed(), 3000));
    passes!(barrel_shifter_pipelined::bench(&mut shifter!(BarrelShifterPipelined<8, 3, 1, 5>), true, 1, seed(), 3000));
    passes!(barrel_shifter_pipelined::bench(&mut shifter!(BarrelShifterPipelined<32, 5, 1, 2>), true, 2, seed(), 3000));
    passes!(barrel_shifter_pipelined::bench(&mut shifter!(BarrelShifterPipelined<64, 6, 0, 1>), false, 3, seed(), 2000));
}

#[test]
fn thermometer_mask() {
    macro_rules! mask {
        ($block:ty) => {
            native!($block, [], [count], [mask])
        };
    }
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<1, 1, 0>)));
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<1, 1, 1>)));
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<19, 5, 0>)));
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<19, 5, 1>)));
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<32, 6, 0>)));
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<32, 6, 1>)));
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<256, 9, 0>)));
    passes!(thermometer_mask::bench(&mut mask!(ThermometerMask<256, 9, 1>)));
    passes!(initial_mask::bench(&mut mask!(InitialMask<8, 4, 0>)));
    passes!(initial_mask::bench(&mut mask!(InitialMask<8, 4, 1>)));
    passes!(initial_mask::bench(&mut mask!(InitialMask<256, 9, 0>)));
    passes!(initial_mask::bench(&mut mask!(InitialMask<256, 9, 1>)));
}

#[test]
fn first_set_bit() {
    passes!(find_first::bench(&mut find!(FindFirst<2, 1>), seed(), 20));
    passes!(find_first::bench(&mut find!(FindFirst<19, 5>), seed(), 1000));
    passes!(find_first::bench(&mut find!(FindFirst<64, 6>), seed(), 1000));
    passes!(find_first::bench(&mut find!(FindFirst<129, 8>), seed(), 200));
    passes!(priority_encoder::bench(&mut find!(PriorityEncoder<3, 2>), seed(), 100));
    passes!(priority_encoder::bench(&mut find!(PriorityEncoder<19, 5>), seed(), 1000));
    passes!(priority_encoder::bench(&mut find!(PriorityEncoder<64, 6>), seed(), 1000));
    passes!(one_hot_first::bench(&mut native!(OneHotFirst<1>, [], [request], [first]), seed(), 10));
    passes!(one_hot_first::bench(&mut native!(OneHotFirst<19>, [], [request], [first]), seed(), 1000));
    passes!(one_hot_first::bench(&mut native!(OneHotFirst<65>, [], [request], [first]), seed(), 1000));
}

#[test]
fn round_robin_arbiter() {
    macro_rules! arbiter {
        ($block:ty) => {
            native!($block, [clk], [rst, request, accept], [any, grant, index])
        };
    }
    passes!(round_robin_arbiter::bench(&mut arbiter!(RoundRobinArbiter<2, 1>), seed(), 4000));
    passes!(round_robin_arbiter::bench(&mut arbiter!(RoundRobinArbiter<5, 3>), seed(), 6000));
    passes!(round_robin_arbiter::bench(&mut arbiter!(RoundRobinArbiter<8, 3>), seed(), 6000));
    passes!(round_robin_arbiter::bench(&mut arbiter!(RoundRobinArbiter<33, 6>), seed(), 3000));
}

#[test]
fn packet_sequence_numbers() {
    passes!(psn_compare::bench(&mut native!(PsnCompare, [], [a, b], [distance, before, same, after]), seed(), 500));
    passes!(psn_add::bench(&mut native!(PsnAdd, [], [psn, packets], [sum]), seed(), 1000));
}

#[test]
fn registers_and_memories() {
    passes!(register::bench(&mut native!(Register<1>, [clk], [rst, enable, d], [q]), seed(), 1000));
    passes!(register::bench(&mut native!(Register<40>, [clk], [rst, enable, d], [q]), seed(), 1000));
    passes!(block_ram::bench(&mut ram!(BlockRam<8, 3, 0>), 1, seed(), 3000));
    passes!(block_ram::bench(&mut ram!(BlockRam<40, 4, 1>), 2, seed(), 3000));
    passes!(lut_ram::bench(&mut ram!(LutRam<40, 4>), seed(), 3000));
    passes!(cleared_ram::bench(&mut cleared!(ClearedRam<8, 1, 0>), 1, seed(), 1000));
    passes!(cleared_ram::bench(&mut cleared!(ClearedRam<40, 5, 0>), 1, seed(), 1000));
    passes!(cleared_ram::bench(&mut cleared!(ClearedRam<8, 4, 1>), 2, seed(), 1000));
}

#[test]
fn ticks() {
    passes!(tick_counter::bench(&mut native!(TickCounter, [clk], [rst, prescale], [tick, now]), seed(), 30000));
}

/// A bench that accepts anything is worth nothing: each block under a bench that expects something else.
#[test]
fn benches_notice() {
    assert!(queue::bench(&mut queue!(FifoLut<16, 3, 4>), 7, 1, seed(), 8000).is_err());
    assert!(queue::bench(&mut queue!(FifoLut<16, 3, 4>), 8, 2, seed(), 8000).is_err());
    assert!(queue::bench(&mut queue!(FifoBlock<16, 3, 4>), 8, 2, seed(), 8000).is_err());
    assert!(find_first::bench(&mut find!(PriorityEncoder<19, 5>), seed(), 10).is_err());
    assert!(priority_encoder::bench(&mut find!(FindFirst<19, 5>), seed(), 10).is_err());
    assert!(thermometer_mask::bench(&mut native!(InitialMask<8, 4, 1>, [], [count], [mask])).is_err());
    assert!(initial_mask::bench(&mut native!(ThermometerMask<8, 4, 1>, [], [count], [mask])).is_err());
    assert!(barrel_shifter::bench(&mut native!(BarrelShifter<8, 3, 0>, [], [data, amount], [shifted]), true, seed(), 1).is_err());
    assert!(block_ram::bench(&mut ram!(LutRam<8, 4>), 1, seed(), 100).is_err());
    assert!(lut_ram::bench(&mut ram!(BlockRam<8, 4, 0>), seed(), 100).is_err());
    assert!(block_ram::bench(&mut ram!(BlockRam<8, 4, 1>), 1, seed(), 100).is_err());
}
