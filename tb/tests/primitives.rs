//! Every primitive under its bench, at several sizes, native and verilated in lockstep.

use rdma_rtl_gen::{elaborate, emit};
use rdma_rtl_hdl::describe::Described;
use rdma_rtl_hdl::ports::Ports;
use rdma_rtl_hdl::primitives::{
    BarrelShifter, BarrelShifterPipelined, BlockRam, ClearedRam, FifoBlock, FifoLut, FindFirst, InitialMask, LutRam, OneHotFirst,
    PriorityEncoder, PsnAdd, PsnCompare, QueueRam, Register, RoundRobinArbiter, SkidBuffer, Subtract, ThermometerMask, TickCounter,
};
use rdma_rtl_hdl::settle::Settle;
use rdma_rtl_sim::verilated::{Design, Source};
use rdma_rtl_sim::{Lockstep, Model, Native, Verilated};
use rdma_rtl_tb::primitives::*;
use rdma_rtl_tb::under_test::{seed, soon};
use rust_hdl::prelude::Block;

/// A block as it is and as its Verilog.
type Both<B> = Lockstep<Native<B>, Verilated>;

fn native<B: Block + Ports + Settle + Default>() -> Native<B> {
    Native::new(B::default()).unwrap()
}

fn both<B: Block + Ports + Settle + Described + Default>() -> Both<B> {
    let mut block = B::default();
    block.connect_all();
    let design = elaborate(&block.describe(), &Default::default()).unwrap();
    let native = native::<B>();
    let design = Design {
        sources: emit(&design).into_iter().map(|file| Source::new(&file.name, file.text)).collect(),
        top: design.top,
        clock: B::port_names().into_iter().find(|name| name == "clk"),
        ports: native.ports().to_vec(),
    };
    let verilated = soon(&design);
    Lockstep::new(("native", native), ("verilated", verilated)).unwrap()
}

/// The bench passes, and at its end the two models still agree.
fn passes<B: Block + Ports + Settle + Described + Default>(bench: impl FnOnce(&mut dyn Model) -> Result<(), String>) {
    let mut model = both::<B>();
    let found = bench(&mut model);
    if let Some(difference) = model.failure() {
        panic!("{difference} (seed {})", seed());
    }
    if let Err(difference) = found {
        panic!("{}: {difference} (seed {})", std::any::type_name::<B>(), seed());
    }
}

/// The bench finds that this block is not what it expects.
fn notices<B: Block + Ports + Settle + Default>(bench: impl FnOnce(&mut dyn Model) -> Result<(), String>) {
    assert!(bench(&mut native::<B>()).is_err(), "{}", std::any::type_name::<B>());
}

#[test]
fn fifo_lut() {
    passes::<FifoLut<8, 1, 2>>(|m| fifo_lut::bench(m, seed(), 8000));
    passes::<FifoLut<16, 3, 4>>(|m| fifo_lut::bench(m, seed(), 8000));
    passes::<FifoLut<72, 5, 6>>(|m| fifo_lut::bench(m, seed(), 4000));
}

#[test]
fn fifo_block() {
    passes::<FifoBlock<8, 2, 3>>(|m| fifo_block::bench(m, seed(), 8000));
    passes::<FifoBlock<16, 3, 4>>(|m| fifo_block::bench(m, seed(), 8000));
    passes::<FifoBlock<72, 6, 7>>(|m| fifo_block::bench(m, seed(), 4000));
}

#[test]
fn skid_buffer() {
    passes::<SkidBuffer<1>>(|m| skid_buffer::bench(m, seed(), 4000));
    passes::<SkidBuffer<32>>(|m| skid_buffer::bench(m, seed(), 8000));
    passes::<SkidBuffer<65>>(|m| skid_buffer::bench(m, seed(), 4000));
}

#[test]
fn barrel_shifter() {
    passes::<BarrelShifter<2, 1, 0>>(|m| barrel_shifter::bench(m, false, seed(), 10));
    passes::<BarrelShifter<8, 3, 0>>(|m| barrel_shifter::bench(m, false, seed(), 100));
    passes::<BarrelShifter<8, 5, 1>>(|m| barrel_shifter::bench(m, true, seed(), 100));
    passes::<BarrelShifter<19, 5, 1>>(|m| barrel_shifter::bench(m, true, seed(), 50));
    passes::<BarrelShifter<64, 6, 0>>(|m| barrel_shifter::bench(m, false, seed(), 20));
    passes::<BarrelShifter<128, 7, 1>>(|m| barrel_shifter::bench(m, true, seed(), 5));
}

#[test]
fn barrel_shifter_pipelined() {
    passes::<BarrelShifterPipelined<8, 3, 0, 1>>(|m| barrel_shifter_pipelined::bench(m, false, 2, seed(), 3000));
    passes::<BarrelShifterPipelined<8, 3, 1, 5>>(|m| barrel_shifter_pipelined::bench(m, true, 1, seed(), 3000));
    passes::<BarrelShifterPipelined<32, 5, 1, 2>>(|m| barrel_shifter_pipelined::bench(m, true, 2, seed(), 3000));
    passes::<BarrelShifterPipelined<64, 6, 0, 1>>(|m| barrel_shifter_pipelined::bench(m, false, 3, seed(), 2000));
}

#[test]
fn thermometer_mask() {
    passes::<ThermometerMask<1, 1, 0>>(|m| thermometer_mask::bench(m));
    passes::<ThermometerMask<1, 1, 1>>(|m| thermometer_mask::bench(m));
    passes::<ThermometerMask<19, 5, 0>>(|m| thermometer_mask::bench(m));
    passes::<ThermometerMask<19, 5, 1>>(|m| thermometer_mask::bench(m));
    passes::<ThermometerMask<32, 6, 0>>(|m| thermometer_mask::bench(m));
    passes::<ThermometerMask<32, 6, 1>>(|m| thermometer_mask::bench(m));
    passes::<ThermometerMask<256, 9, 0>>(|m| thermometer_mask::bench(m));
    passes::<ThermometerMask<256, 9, 1>>(|m| thermometer_mask::bench(m));
    passes::<InitialMask<8, 4, 0>>(|m| initial_mask::bench(m));
    passes::<InitialMask<8, 4, 1>>(|m| initial_mask::bench(m));
    passes::<InitialMask<256, 9, 0>>(|m| initial_mask::bench(m));
    passes::<InitialMask<256, 9, 1>>(|m| initial_mask::bench(m));
}

#[test]
fn first_set_bit() {
    passes::<FindFirst<2, 1>>(|m| find_first::bench(m, seed(), 20));
    passes::<FindFirst<19, 5>>(|m| find_first::bench(m, seed(), 1000));
    passes::<FindFirst<64, 6>>(|m| find_first::bench(m, seed(), 1000));
    passes::<FindFirst<129, 8>>(|m| find_first::bench(m, seed(), 200));
    passes::<PriorityEncoder<3, 2>>(|m| priority_encoder::bench(m, seed(), 100));
    passes::<PriorityEncoder<19, 5>>(|m| priority_encoder::bench(m, seed(), 1000));
    passes::<PriorityEncoder<64, 6>>(|m| priority_encoder::bench(m, seed(), 1000));
    passes::<OneHotFirst<1>>(|m| one_hot_first::bench(m, seed(), 10));
    passes::<OneHotFirst<19>>(|m| one_hot_first::bench(m, seed(), 1000));
    passes::<OneHotFirst<65>>(|m| one_hot_first::bench(m, seed(), 1000));
}

#[test]
fn round_robin_arbiter() {
    passes::<RoundRobinArbiter<2, 1>>(|m| round_robin_arbiter::bench(m, seed(), 4000));
    passes::<RoundRobinArbiter<5, 3>>(|m| round_robin_arbiter::bench(m, seed(), 6000));
    passes::<RoundRobinArbiter<8, 3>>(|m| round_robin_arbiter::bench(m, seed(), 6000));
    passes::<RoundRobinArbiter<33, 6>>(|m| round_robin_arbiter::bench(m, seed(), 3000));
}

#[test]
fn packet_sequence_numbers() {
    passes::<PsnCompare>(|m| psn_compare::bench(m, seed(), 500));
    passes::<PsnAdd>(|m| psn_add::bench(m, seed(), 1000));
}

#[test]
fn differences() {
    passes::<Subtract<2, 1>>(|m| subtract::bench(m, 2, seed(), 20));
    passes::<Subtract<8, 4>>(|m| subtract::bench(m, 8, seed(), 2000));
    passes::<Subtract<32, 16>>(|m| subtract::bench(m, 32, seed(), 1000));
}

#[test]
fn registers_and_memories() {
    passes::<Register<1>>(|m| register::bench(m, seed(), 1000));
    passes::<Register<40>>(|m| register::bench(m, seed(), 1000));
    passes::<BlockRam<8, 3, 0>>(|m| block_ram::bench(m, 1, seed(), 3000));
    passes::<BlockRam<40, 4, 1>>(|m| block_ram::bench(m, 2, seed(), 3000));
    passes::<QueueRam<40, 4>>(|m| block_ram::bench(m, 1, seed(), 3000));
    passes::<LutRam<40, 4>>(|m| lut_ram::bench(m, seed(), 3000));
    passes::<ClearedRam<8, 1, 0>>(|m| cleared_ram::bench(m, 1, seed(), 1000));
    passes::<ClearedRam<40, 5, 0>>(|m| cleared_ram::bench(m, 1, seed(), 1000));
    passes::<ClearedRam<8, 4, 1>>(|m| cleared_ram::bench(m, 2, seed(), 1000));
}

#[test]
fn ticks() {
    passes::<TickCounter>(|m| tick_counter::bench(m, seed(), 30000));
}

/// A bench that accepts anything is worth nothing: each block under a bench that expects something else.
#[test]
fn benches_notice() {
    notices::<FifoLut<16, 3, 4>>(|m| queue::bench(m, 7, 1, seed(), 8000));
    notices::<FifoLut<16, 3, 4>>(|m| queue::bench(m, 8, 2, seed(), 8000));
    notices::<FifoBlock<16, 3, 4>>(|m| queue::bench(m, 8, 2, seed(), 8000));
    notices::<PriorityEncoder<19, 5>>(|m| find_first::bench(m, seed(), 10));
    notices::<FindFirst<19, 5>>(|m| priority_encoder::bench(m, seed(), 10));
    notices::<InitialMask<8, 4, 1>>(|m| thermometer_mask::bench(m));
    notices::<ThermometerMask<8, 4, 1>>(|m| initial_mask::bench(m));
    notices::<BarrelShifter<8, 3, 0>>(|m| barrel_shifter::bench(m, true, seed(), 1));
    notices::<Subtract<8, 4>>(|m| subtract::bench(m, 6, seed(), 10));
    notices::<LutRam<8, 4>>(|m| block_ram::bench(m, 1, seed(), 100));
    notices::<BlockRam<8, 4, 0>>(|m| lut_ram::bench(m, seed(), 100));
    notices::<BlockRam<8, 4, 1>>(|m| block_ram::bench(m, 1, seed(), 100));
}
