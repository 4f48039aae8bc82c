//! Faults of the endpoint as IP: of its description, and of the script that packages it anew.

use super::faults::Broken;

pub const COMPONENT: &str = "rtl/endpoint/component.xml";
pub const PACKAGE: &str = "rtl/endpoint/package_ip.tcl";

pub const FAULTS: &[Broken] = &[
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
    Broken(PACKAGE, "    bus_drain_count_bits10.v\n", "", PACKAGE, "the module bus_drain_count_bits10 was not read"),
    Broken(
        PACKAGE,
        "    bus_drain_count_bits10.v\n",
        "    bus_drain_count_bits11.v\n",
        PACKAGE,
        "bus_drain_count_bits11.v is missing; write the folder anew with rdma-rtl gen",
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
];
