//! Every script of every board and top passes the harness, and the harness sees what is wrong with a script.

mod common;

use common::*;
use rdma_rtl_project::{Kind, boards, check_with, tclsh};

const TOPS: [&str; 3] = ["receive_endpoint", "send_endpoint", "endpoint"];

#[test]
fn every_board_with_every_top_passes() {
    if !has_tclsh() {
        return;
    }
    for board in boards() {
        for top in TOPS {
            let report = Project::new(&request(top, 512, on(board.clone()))).check();
            assert!(report.ok(), "{top} on {}: {:#?}", board.name, report.faults());
            assert_eq!(report.runs.len(), 9);
            for run in &report.runs {
                assert!(run.done.contains("commands"), "{}: {}", run.script, run.done);
            }
            assert!(report.runs.iter().filter(|r| r.done.ends_with("bitstream")).count() == 2, "{:#?}", report.runs);
        }
    }
}

#[test]
fn other_widths_pass() {
    if !has_tclsh() {
        return;
    }
    for width in [64, 128, 256, 1024] {
        let mut request = request("endpoint", width, system("vcu118"));
        request.parameters.iter_mut().filter(|(k, _)| k == "dma_width").for_each(|(_, v)| *v = width as u64);
        let report = Project::new(&request).check();
        assert!(report.ok(), "{width}: {:#?}", report.faults());
    }
}

#[test]
fn a_block_alone_passes_with_its_clock_or_without_one() {
    if !has_tclsh() {
        return;
    }
    let kind = || Kind::OutOfContext { part: "xcku3p-ffva676-2-e".into(), period: 3.103 };
    let report = Project::new(&request("endpoint", 512, kind())).check();
    assert!(report.ok(), "{:#?}", report.faults());
    assert_eq!(report.runs[1].done.split(", ").last(), Some("routed"));
    let mut wires = request("endpoint", 512, kind());
    wires.top = "byte_reverse_w16_s1".into();
    wires.sources = vec![(
        "byte_reverse_w16_s1.v".into(),
        "module byte_reverse_w16_s1 (\n    input  wire [15:0] word,\n    output wire [15:0] out\n);\n    assign out = {word[7:0], word[15:8]};\nendmodule\n".into(),
    )];
    wires.sources.push(("byte_reverse_w16_s1.f".into(), "byte_reverse_w16_s1.v\n".into()));
    let report = Project::new(&wires).check();
    assert!(report.ok(), "{:#?}", report.faults());
}

/// A fault that is put into a project, and what the harness has to say of it: file, and words of its message.
struct Broken(&'static str, &'static str, &'static str, &'static str, &'static str);

const COMPONENT: &str = "rtl/endpoint/component.xml";
const PACKAGE: &str = "rtl/endpoint/package_ip.tcl";

const FAULTS: &[Broken] = &[
    // Files
    Broken("project.tcl", "constraints board.xdc", "constraints bord.xdc", "project.tcl", "no such file: constraints/bord.xdc"),
    Broken(
        "project.tcl",
        "source [file join $root reports.tcl]",
        "source [file join $root report.tcl]",
        "project.tcl",
        "no such file: report.tcl",
    ),
    Broken("ooc.tcl", "rtl $top] $top", "src $top] $top", "ooc.tcl", "no such file: src/endpoint/endpoint.f"),
    Broken(
        "ooc.tcl",
        "[verilog_of [file join $root rtl $top] $top]",
        "[glob [file join $root src *.v]]",
        "ooc.tcl",
        "no file matches src/*.v",
    ),
    Broken("rtl/endpoint/endpoint.f", "bus_drain_c10.v\n", "", "ooc.tcl", "the module bus_drain_c10 was not read"),
    Broken(
        "nonproject.tcl",
        "write_checkpoint -force [file join $folder post_route.dcp]",
        "write_checkpoint -force [file join $folder x post_route.dcp]",
        "nonproject.tcl",
        "its folder does not exist",
    ),
    Broken("project.tcl", "build system.bit]", "build system.bin]", "project.tcl", "does not end in .bit"),
    // Commands and their arguments
    Broken("nonproject.tcl", "opt_design\n", "optimize_design\n", "nonproject.tcl", "unknown command `optimize_design`"),
    Broken("nonproject.tcl", "-flatten_hierarchy rebuilt", "-flatten rebuilt", "nonproject.tcl", "synth_design has no option `-flatten`"),
    Broken(
        "nonproject.tcl",
        "-flatten_hierarchy rebuilt",
        "-flatten_hierarchy rebuild",
        "nonproject.tcl",
        "`rebuild`; allowed are rebuilt, full, none",
    ),
    Broken("nonproject.tcl", "place_design\n", "", "nonproject.tcl", "it must be placed"),
    Broken("nonproject.tcl", "route_design\n", "", "nonproject.tcl", "it must be routed"),
    Broken("reports.tcl", "-hierarchical_depth 8", "-hierarchical_depth", "project.tcl", "report_utilization wants 0 arguments"),
    Broken("project.tcl", "    run impl_1\n", "    run impl_2\n", "project.tcl", "no run `impl_2`; near it: impl_1"),
    Broken("project.tcl", "        wait_on_run $name\n", "", "project.tcl", "failed"),
    Broken("project.tcl", "    update_ip_catalog\n", "", "system.tcl", "update_ip_catalog was not called"),
    Broken(
        "project.tcl",
        "    set_property top system_wrapper",
        "    set_property top system_wraper",
        "project.tcl",
        "top `system_wraper` is in no source; near it: system_wrapper",
    ),
    Broken(
        "project.tcl",
        "set_property target_language Verilog",
        "set_property TARGET_LANGUAGE Verilog",
        "project.tcl",
        "is spelled target_language",
    ),
    // Part
    Broken(
        "settings.tcl",
        "set part xcu280-fsvh2892-2L-e",
        "set part xcu280-fsvh2892-2-e",
        "project.tcl",
        "is not the board's; it is xcu280-fsvh2892-2L-e",
    ),
    Broken(
        "nonproject.tcl",
        "synth_design -top system_wrapper -part $part",
        "synth_design -top system_wrapper -part xcu50-fsvh2104-2-e",
        "nonproject.tcl",
        "is not the board's",
    ),
    // Cores
    Broken(
        "system.tcl",
        "xilinx.com:ip:axi_cdma:4.1",
        "xilinx.com:ip:axi_cdma:4.0",
        "system.tcl",
        "unknown VLNV `xilinx.com:ip:axi_cdma:4.0`; near it: xilinx.com:ip:axi_cdma:4.1",
    ),
    // The endpoint as IP: its description
    Broken(
        COMPONENT,
        "<spirit:version>0.1<",
        "<spirit:version>0.2<",
        "system.tcl",
        "unknown VLNV `rdma-rtl:default:endpoint:0.1`; near it: rdma-rtl:default:endpoint:0.2",
    ),
    Broken(COMPONENT, "<spirit:library>default<", "<spirit:library>de:fault<", "project.tcl", "has no sound spirit:library"),
    Broken(COMPONENT, "</spirit:component>", "", "project.tcl", "component.xml: it ends before </spirit:component>"),
    Broken(
        COMPONENT,
        "<spirit:name>endpoint.v<",
        "<spirit:name>endpint.v<",
        "project.tcl",
        "names endpint.v, which is not there; near it: endpoint.v",
    ),
    Broken(COMPONENT, "<spirit:modelName>endpoint<", "<spirit:modelName>endpoint2<", "project.tcl", "the top of a view is endpoint2"),
    Broken(
        COMPONENT,
        "<spirit:port>\n        <spirit:name>s_axi_ctrl_wdata<",
        "<spirit:port>\n        <spirit:name>s_axi_ctrl_wdatum<",
        "project.tcl",
        "endpoint has no port `s_axi_ctrl_wdatum`; near it: s_axi_ctrl_wdata",
    ),
    Broken(COMPONENT, ">607<", ">606<", "project.tcl", "port s_axis_command_tdata has 607 bits, in the Verilog 608"),
    Broken(COMPONENT, "<spirit:direction>in<", "<spirit:direction>out<", "project.tcl", "port aclk is `out`, in the Verilog `in`"),
    Broken(
        COMPONENT,
        "<spirit:busInterface>\n      <spirit:name>m_axi_cdma<",
        "<spirit:busInterface>\n      <spirit:name>m_axi_dma<",
        "project.tcl",
        "no attribute in endpoint.v says `m_axi_dma`; near it: m_axi_cdma",
    ),
    Broken(
        COMPONENT,
        "<spirit:name>TVALID<",
        "<spirit:name>TREADY<",
        "project.tcl",
        "s_axis_rx_tvalid is s_axis_rx TREADY, which its attribute does not say",
    ),
    Broken(
        COMPONENT,
        "<spirit:memoryMap>\n      <spirit:name>s_axi_sg<",
        "<spirit:memoryMap>\n      <spirit:name>s_axi_s<",
        "system.tcl",
        "component.xml has no memory map for the slave s_axi_sg",
    ),
    Broken(
        "rtl/endpoint/endpoint.v",
        "m_axis_tx TKEEP",
        "m_axis_tx TKEPT",
        "project.tcl",
        "m_axis_tx_tkeep is m_axis_tx TKEEP, which its attribute does not say",
    ),
    Broken(
        "settings.tcl",
        "set vlnv rdma-rtl:default",
        "set vlnv rdma-rtl:user",
        "system.tcl",
        "unknown VLNV `rdma-rtl:user:endpoint:0.1`",
    ),
    Broken(
        "project.tcl",
        "[list [ip_repository $root]]",
        "[list [file join $root constraints]]",
        "project.tcl",
        "constraints has no component.xml",
    ),
    // And its packaging
    Broken(
        PACKAGE,
        "-library \"default\"",
        "-library \"user\"",
        PACKAGE,
        "this is rdma-rtl:user:endpoint:0.1, and component.xml says rdma-rtl:default:endpoint:0.1",
    ),
    Broken(PACKAGE, "set_property version \"0.1\"", "set_property version \"0.2\"", PACKAGE, "this is rdma-rtl:default:endpoint:0.2"),
    Broken(PACKAGE, "set_property version", "set_property Version", PACKAGE, "property `Version` is spelled version"),
    Broken(PACKAGE, "    bus_drain_c10.v\n", "", PACKAGE, "the module bus_drain_c10 was not read"),
    Broken(
        PACKAGE,
        "    bus_drain_c10.v\n",
        "    bus_drain_c11.v\n",
        PACKAGE,
        "bus_drain_c11.v is missing; write the folder anew with rdma-rtl gen",
    ),
    Broken(
        PACKAGE,
        "set_property top endpoint [",
        "set_property top endpont [",
        PACKAGE,
        "top `endpont` is in no source; near it: endpoint",
    ),
    Broken(PACKAGE, "set_property top endpoint [current_fileset]\n", "", PACKAGE, "the top is not set"),
    Broken(PACKAGE, "-taxonomy", "-taxonmy", PACKAGE, "ipx::package_project has no option `-taxonmy`"),
    Broken(PACKAGE, "{aclk aresetn s_axis_rx", "{aclk aresetn s_axis_rxx", PACKAGE, "this Vivado has not found the interface s_axis_rxx"),
    Broken(PACKAGE, "s_axi_ctrl 4096", "s_axi_ctrl 8192", PACKAGE, "range 8192 of s_axi_ctrl/reg0 is more than its 12 address bits reach"),
    Broken(PACKAGE, "s_axi_ctrl 4096", "s_axi_ctrl 4000", PACKAGE, "range `4000` of s_axi_ctrl/reg0 is no power of two"),
    Broken(PACKAGE, "s_axi_ctrl 4096", "s_axi_control 4096", PACKAGE, "no memory map `s_axi_control`; near it: s_axi_ctrl"),
    Broken(PACKAGE, "ipx::save_core $core\n", "", PACKAGE, "the core endpoint was packaged and never saved"),
    Broken(PACKAGE, "ipx::update_checksums $core", "ipx::update_checksums endpoint", PACKAGE, "`endpoint` is no object"),
    Broken(PACKAGE, "-fileset constrs_1 ", "", PACKAGE, "endpoint_ooc.xdc is for -fileset constrs_1"),
    Broken(
        "system.tcl",
        "CONFIG.C_INCLUDE_SG 1",
        "CONFIG.C_INCLUDE_SGE 1",
        "system.tcl",
        "has no property `CONFIG.C_INCLUDE_SGE`; near it: C_INCLUDE_SG",
    ),
    Broken("system.tcl", "CONFIG.C_INCLUDE_SG 1", "CONFIG.C_INCLUDE_SG 0", "system.tcl", "no interface `axi_cdma_0/M_AXI_SG`"),
    Broken("system.tcl", "CONFIG.C_ADDR_WIDTH 64", "CONFIG.C_ADDR_WIDTH 65", "system.tcl", "65 is not in 32 to 64"),
    Broken("system.tcl", "CONFIG.DATA_WIDTH $data_width", "DATA_WIDTH $data_width", "system.tcl", "begins with CONFIG."),
    // Clocks and resets
    Broken("system.tcl", "wire clk_wiz_0/clk_out1 $endpoint/aclk\n", "", "system.tcl", "clock endpoint_0/aclk is not connected"),
    Broken(
        "system.tcl",
        "wire reset_0/peripheral_aresetn $endpoint/aresetn\n",
        "",
        "system.tcl",
        "reset endpoint_0/aresetn is not connected",
    ),
    Broken(
        "system.tcl",
        "wire reset_0/peripheral_aresetn $endpoint/aresetn\n",
        "wire net_reset_0/peripheral_aresetn $endpoint/aresetn\n",
        "system.tcl",
        "is of the clock clk_wiz_0/clk_out2, the pin is of clk_wiz_0/clk_out1",
    ),
    Broken(
        "system.tcl",
        "wire reset_0/peripheral_aresetn $endpoint/aresetn\n",
        "wire reset_0/peripheral_reset $endpoint/aresetn\n",
        "system.tcl",
        "which is no reset",
    ),
    Broken(
        "system.tcl",
        "wire clk_wiz_0/clk_out1 jtag_axi_0/aclk",
        "wire clk_wiz_0/clk_out2 jtag_axi_0/aclk",
        "system.tcl",
        "reset jtag_axi_0/aresetn is of the clock",
    ),
    Broken(
        "system.tcl",
        "wire clk_wiz_0/clk_out1 $endpoint/aclk\n",
        "wire clk_wiz_0/clk_out3 $endpoint/aclk\n",
        "system.tcl",
        "no pin `clk_wiz_0/clk_out3`",
    ),
    Broken(
        "system.tcl",
        "    wire clk_wiz_0/$to $fifo/m_axis_aclk\n",
        "    wire clk_wiz_0/$from $fifo/m_axis_aclk\n",
        "system.tcl",
        "tx_fifo/M_AXIS is of the clock clk_wiz_0/clk_out1, rx_fifo/S_AXIS of clk_wiz_0/clk_out2",
    ),
    Broken(
        "system.tcl",
        "CONFIG.PRIM_IN_FREQ $input_mhz",
        "CONFIG.PRIM_IN_FREQ 200",
        "system.tcl",
        "CONFIG.PRIM_IN_FREQ is 200 MHz, and sysclk has 100.0 MHz",
    ),
    // Interfaces
    Broken(
        "system.tcl",
        "bus rx_fifo/M_AXIS $endpoint/s_axis_rx\n",
        "bus rx_fifo/M_AXIS $endpoint/s_axis_rx\nbus rx_fifo/M_AXIS $endpoint/s_axis_command\n",
        "system.tcl",
        "rx_fifo/M_AXIS is connected to endpoint_0/s_axis_rx already",
    ),
    Broken(
        "system.tcl",
        "bus rx_fifo/M_AXIS $endpoint/s_axis_rx\n",
        "bus rx_fifo/M_AXIS $endpoint/s_axis_rxx\n",
        "system.tcl",
        "no interface `endpoint_0/s_axis_rxx`; near it: endpoint_0/s_axis_rx",
    ),
    Broken(
        "system.tcl",
        "bus rx_fifo/M_AXIS $endpoint/s_axis_rx\n",
        "",
        "system.tcl",
        "is not connected; where that is meant, say `# left open: ",
    ),
    Broken(
        "system.tcl",
        "bus rx_fifo/M_AXIS $endpoint/s_axis_rx\n",
        "bus rx_fifo/M_AXIS $endpoint/m_axis_tx\n",
        "system.tcl",
        "connected to tx_fifo/S_AXIS already",
    ),
    Broken(
        "system.tcl",
        "bus $endpoint/m_axis_tx tx_fifo/S_AXIS\n",
        "bus $endpoint/m_axis_tx tx_fifo/M_AXIS\n",
        "system.tcl",
        "are both masters",
    ),
    Broken(
        "system.tcl",
        "bus axi_cdma_0/M_AXI_SG $endpoint/s_axi_sg",
        "bus axi_cdma_0/M_AXI_SG $endpoint/s_axis_command",
        "system.tcl",
        "is aximm, endpoint_0/s_axis_command is axis",
    ),
    Broken(
        "system.tcl",
        "{$data_width / 8}",
        "{$data_width / 16}",
        "system.tcl",
        "endpoint_0/m_axis_tx has 512 data bits, tx_fifo/S_AXIS has 256",
    ),
    Broken(
        "system.tcl",
        "foreach signal {awvalid awaddr wvalid",
        "foreach signal {awvalid wvalid",
        "system.tcl",
        "interface axi_cdma_0/S_AXI_LITE is not connected",
    ),
    Broken(
        "system.tcl",
        "wire $endpoint/m_axi_cdma_$signal axi_cdma_0/s_axi_lite_$signal",
        "wire $endpoint/m_axi_cdma_awaddr axi_cdma_0/s_axi_lite_$signal",
        "system.tcl",
        "has 6 bits, axi_cdma_0/s_axi_lite_awvalid has 1",
    ),
    Broken(
        "system.tcl",
        "    # left open: endpoint_0/s_axis_command send_endpoint_0/s_axis_command\n",
        "",
        "system.tcl",
        "endpoint_0/s_axis_command is not connected",
    ),
    Broken(
        "system.tcl",
        "    connect_bd_net [get_bd_pins ${port}_tie/dout] [get_bd_ports $port]\n",
        "",
        "system.tcl",
        "port hbm_cattrip is not connected",
    ),
    Broken(
        "system.tcl",
        "connect_bd_net [get_bd_pins $driver] [get_bd_pins $sink]",
        "connect_bd_net $driver $sink",
        "system.tcl",
        "`clk_wiz_0/clk_out1` is no object",
    ),
    // Addresses
    Broken(
        "system.tcl",
        "place jtag_axi_0/Data $endpoint/s_axi_ctrl/* $control_base 0x1000\n",
        "",
        "system.tcl",
        "endpoint_0/s_axi_ctrl/mem0 is not assigned in jtag_axi_0/Data",
    ),
    Broken(
        "system.tcl",
        "place jtag_axi_0/Data $endpoint/s_axi_ctrl/* $control_base 0x1000\n",
        "place jtag_axi_0/Data $endpoint/s_axi_ctrl/* $control_base 0x2000\n",
        "system.tcl",
        "range 0x2000 is more than the 12 address bits of endpoint_0/s_axi_ctrl/mem0",
    ),
    Broken("system.tcl", "$buffer_base $buffer_bytes", "0xa0001000 $buffer_bytes", "system.tcl", "is no multiple of its range"),
    Broken(
        "system.tcl",
        "$buffer_base $buffer_bytes",
        "$memory_base $buffer_bytes",
        "system.tcl",
        "overlaps memory_ctrl/S_AXI/Mem0 in axi_cdma_0/Data",
    ),
    Broken("system.tcl", "$buffer_base $buffer_bytes", "$buffer_base 0x3000", "system.tcl", "is no power of two"),
    Broken(
        "system.tcl",
        "place jtag_axi_0/Data memory_ctrl/S_AXI/Mem0 $memory_base",
        "place jtag_axi_0/Data memory_ctrl/S_AXI/Mem0 0x180000000",
        "system.tcl",
        "is beyond the 32 address bits of jtag_axi_0/Data",
    ),
    Broken(
        "system.tcl",
        "place $endpoint/m_axi memory_ctrl/S_AXI/Mem0 $memory_base",
        "place $endpoint/m_axi memory_ctrl/S_AXI/Mem0 0x90000000",
        "system.tcl",
        "and elsewhere for another master",
    ),
    Broken(
        "system.tcl",
        "place axi_cdma_0/Data_SG $endpoint/s_axi_sg/*",
        "place axi_cdma_0/Data $endpoint/s_axi_sg/*",
        "system.tcl",
        "axi_cdma_0/Data does not reach endpoint_0/s_axi_sg/mem0",
    ),
    Broken("system.tcl", "validate_bd_design\n", "", "project.tcl", "was not validated since its last change"),
    // Constraints of the board
    Broken(
        "constraints/board.xdc",
        "[get_ports sysclk_clk_n]",
        "[get_ports sysclk_clk_m]",
        "constraints/board.xdc",
        "no port `sysclk_clk_m`; near it: sysclk_clk_p, sysclk_clk_n",
    ),
    Broken(
        "constraints/board.xdc",
        "create_clock -period 10.000 -name sysclk [get_ports sysclk_clk_p]\n",
        "",
        "project.tcl",
        "port sysclk_clk_p is a clock, and no create_clock is for it",
    ),
    Broken("constraints/board.xdc", "-period 10.000", "-period 3.333", "project.tcl", "has a period of 3.333 ns, and sysclk has 100.0 MHz"),
    Broken("constraints/board.xdc", "-period 10.000", "-period 0", "constraints/board.xdc", "0 must be more than 0"),
    Broken(
        "constraints/board.xdc",
        "PACKAGE_PIN BJ44",
        "PACKAGE_PIN BJ43",
        "constraints/board.xdc",
        "pin BJ43 is given to sysclk_clk_p and to sysclk_clk_n",
    ),
    Broken("constraints/board.xdc", " IOSTANDARD LVCMOS18", "", "project.tcl", "port hbm_cattrip has no IOSTANDARD"),
    Broken(
        "constraints/board.xdc",
        "IOSTANDARD LVCMOS18",
        "IO_STANDARD LVCMOS18",
        "constraints/board.xdc",
        "no property `IO_STANDARD`; near it: IOSTANDARD",
    ),
    Broken(
        "constraints/board.xdc",
        "set_false_path -to [get_ports hbm_cattrip]\n",
        "",
        "project.tcl",
        "port hbm_cattrip is not constrained",
    ),
    Broken("constraints/board.xdc", "CONFIG_VOLTAGE 1.8", "CONFIG_VOLTAGE 1.9", "constraints/board.xdc", "`1.9`; allowed are"),
    Broken(
        "constraints/pblock_example.xdc",
        "system_i/endpoint_0",
        "system_i/endpoint_1",
        "constraints/pblock_example.xdc",
        "no cell `system_i/endpoint_1`; near it: endpoint_0",
    ),
    Broken("constraints/pblock_example.xdc", "-add {SLR0}", "-add {SLR}", "constraints/pblock_example.xdc", "`SLR` is no range"),
    // Constraints of the block alone
    Broken("constraints/endpoint_ooc.xdc", "[get_ports aclk]", "[get_ports clk]", "constraints/endpoint_ooc.xdc", "no port `clk`"),
    Broken(
        "constraints/endpoint_ooc.xdc",
        "aresetn, ",
        "",
        "ooc.tcl",
        "port aresetn is not constrained, and no line `# not constrained: aresetn; why` says so",
    ),
    Broken("constraints/endpoint_ooc.xdc", "aresetn, ", "aresetm, ", "ooc.tcl", "`# not constrained: aresetm`: there is no such port"),
    Broken(
        "constraints/endpoint_ooc.xdc",
        "\n# Where",
        "set_false_path -from [get_cells drain/count_reg[3]] -to [get_cells gone/count_reg[3]]\n# Where",
        "constraints/endpoint_ooc.xdc",
        "no cell `gone/count_reg[3]`",
    ),
    Broken(
        "constraints/endpoint_ooc.xdc",
        "\n# Where",
        "set_false_path -from [get_pins drain/count_reg[10]/C]\n# Where",
        "constraints/endpoint_ooc.xdc",
        "no pin `drain/count_reg[10]/C`",
    ),
    Broken(
        "constraints/endpoint_ooc.xdc",
        "\n# Where",
        "set_input_delay -clock aclkk 1.0 [get_ports aresetn]\n# Where",
        "constraints/endpoint_ooc.xdc",
        "no clock `aclkk`; near it: aclk",
    ),
    Broken(
        "constraints/endpoint_ooc.xdc",
        "\n# Where",
        "set_max_delay -datapath_only -to [get_cells reset_reg] 3\n# Where",
        "constraints/endpoint_ooc.xdc",
        "-datapath_only needs -from",
    ),
    // A cell that was renamed in the Verilog, which the constraints still name
    Broken(
        "rtl/endpoint/endpoint.v",
        "bus_drain_c10 drain (",
        "bus_drain_c10 drainage (",
        "constraints/endpoint_ooc.xdc",
        "no cell `drain/count_reg[3]`; near it: drainage",
    ),
    // A module that is not there
    Broken("rtl/endpoint/endpoint.v", "bus_drain_c10 drain (", "bus_drain_c11 drain (", "ooc.tcl", "the module bus_drain_c11 was not read"),
    Broken("rtl/endpoint/endpoint.v", "s_axi_ctrl:", "", "system.tcl", "interface s_axi_ctrl is associated with no clock"),
    // On the board
    Broken("selftest.tcl", "set_register prescale", "set_register prescaler", "selftest.tcl", "no register `prescaler`"),
    Broken("selftest.tcl", "program_hw_devices $device\n", "", "selftest.tcl", "no device is programmed"),
    Broken("selftest.tcl", "build system.bit]", "build top.bit]", "selftest.tcl", "build/top.bit is not what project.tcl writes"),
    Broken("settings.tcl", "set memory_base 0x80000000", "set memory_base 0x90000000", "selftest.tcl", "where nothing is"),
    Broken("selftest.tcl", "set_register control 1\n", "", "selftest.tcl", "a command is posted before control.enable"),
    // Against the machine
    Broken("project.tcl", "set stages {", "exec ls\nset stages {", "project.tcl", "unknown command `exec`"),
    Broken("project.tcl", "set stages {", "set f [open x.txt w]\nset stages {", "project.tcl", "may not open `x.txt` for writing"),
    Broken(
        "project.tcl",
        "set stages {",
        "file delete -force -- rtl\nfile copy a b\nset stages {",
        "project.tcl",
        "file copy: not for a script",
    ),
    Broken("project.tcl", "set stages {", "while {1} { set x 1 }\nset stages {", "project.tcl", "limit exceeded"),
    Broken("project.tcl", "set stages {", "if {1} {\nset stages {", "project.tcl", "missing close-brace"),
];

#[test]
fn the_harness_notices() {
    if !has_tclsh() {
        return;
    }
    let mut missed = Vec::new();
    for Broken(file, from, to, at, says) in FAULTS {
        let project = Project::new(&request("endpoint", 512, system("u280")));
        if *says == "no cell `drain/count_reg[3]`; near it: drainage" {
            project.change("constraints/endpoint_ooc.xdc", "\n# Where", "set_false_path -from [get_cells drain/count_reg[3]]\n# Where");
        }
        project.change(file, from, to);
        let script: &[&str] = match *at {
            "ooc.tcl" | "constraints/endpoint_ooc.xdc" => &["ooc.tcl", "impl"],
            "nonproject.tcl" => &["nonproject.tcl", "bit"],
            "selftest.tcl" => &["selftest.tcl"],
            PACKAGE => &[PACKAGE, "build/ip"],
            _ => &["project.tcl", "bit"],
        };
        let report = check_with(&project.path, &tclsh().unwrap(), &[script]).unwrap();
        if !report.faults().iter().any(|f| f.file == *at && f.text.contains(says) && (f.line > 0)) {
            missed.push(format!("{file}: `{from}` -> `{to}`: wanted {at}: {says}\n   got {:?}", report.faults()));
        }
    }
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), FAULTS.len(), missed.join("\n"));
}

#[test]
fn constraints_are_read_to_their_end() {
    if !has_tclsh() {
        return;
    }
    let project = Project::new(&request("endpoint", 512, system("u280")));
    project.change("constraints/board.xdc", "[get_ports sysclk_clk_n]", "[get_ports a]");
    project.change("constraints/board.xdc", "set_false_path -to [get_ports hbm_cattrip]", "set_false_path -to [get_ports b]");
    let report = project.check();
    let lines: Vec<(usize, &str)> =
        report.faults().iter().filter(|f| f.file == "constraints/board.xdc").map(|f| (f.line, f.text.as_str())).collect();
    assert!(
        lines.iter().any(|(l, t)| *l == 5 && t.contains("`a`")) && lines.iter().any(|(l, t)| *l == 11 && t.contains("`b`")),
        "{lines:?}"
    );
}
