//! Tops with the ports of ours and next to nothing inside, written as the emitter writes, so that this crate needs no hardware to be
//! tested.
#![allow(dead_code)]

pub mod crossing;
pub mod faults;
pub mod ip_faults;
pub mod mac_faults;

use rdma_rtl_gen::ir::{Design, Module, Origin, Signal};
use rdma_rtl_gen::vendor::{About, files};
use rdma_rtl_project::{Board, Bridge, File, Kind, Netlist, Report, Request, board, check, project, tclsh, write};
use std::path::{Path, PathBuf};

const STREAM: &str = "tvalid> tready< tdata>W tkeep>K tlast>";
const WRITE: &str = "awvalid> awready< awaddr>A awlen>8 awsize>3 awburst>2 wvalid> wready< wdata>W wstrb>K wlast> bvalid< bready> bresp<2";
const READ: &str = "arvalid> arready< araddr>A arlen>8 arsize>3 arburst>2 rvalid< rready> rdata<W rresp<2 rlast<";
const LITE: &str =
    "awvalid> awready< awaddr>A wvalid> wready< wdata>W bvalid< bready> bresp<2 arvalid> arready< araddr>A rvalid< rready> rdata<W rresp<2";

/// Name, signals, data width, address width; a slave's directions are the other way round.
fn buses(top: &str, width: usize) -> Vec<(&'static str, String, usize, usize)> {
    let mut found = vec![
        ("s_axis_rx", format!("{STREAM} tuser>2"), width, 0),
        ("m_axis_tx", STREAM.to_string(), width, 0),
        ("m_axi", WRITE.to_string(), width, 64),
        ("s_axi_ctrl", LITE.to_string(), 32, 12),
    ];
    if top != "receive_endpoint" {
        found.extend([
            ("s_axis_command", "tvalid> tready< tdata>W".to_string(), 608, 0),
            ("s_axi_sg", format!("{WRITE} {READ}"), 32, 12),
            ("m_axi_cdma", LITE.to_string(), 32, 6),
            ("s_axi_buffer", format!("{WRITE} {READ}"), width, 64),
        ]);
    }
    found
}

/// Verilog of a top, and of one block in it.
pub fn verilog(top: &str, width: usize) -> Vec<(String, String)> {
    let buses = buses(top, width);
    let names: Vec<&str> = buses.iter().map(|b| b.0).collect();
    let mut text = format!(
        "// {top}: a top.\n\n`default_nettype none\n\nmodule {top} (\n    (* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 aclk CLK\" *)\n    (* X_INTERFACE_PARAMETER = \"ASSOCIATED_BUSIF {}, ASSOCIATED_RESET aresetn\" *)\n    input  wire aclk,  // clock\n    (* X_INTERFACE_INFO = \"xilinx.com:signal:reset:1.0 aresetn RST\" *)\n    (* X_INTERFACE_PARAMETER = \"POLARITY ACTIVE_LOW\" *)\n    input  wire aresetn,\n",
        names.join(":")
    );
    for (bus, signals, data, address) in &buses {
        text += &format!("\n    // {bus}\n");
        let kind = if bus.contains("axis") { "axis" } else { "aximm" };
        for signal in signals.split(' ') {
            let at = signal.find(['<', '>']).unwrap();
            let (name, out) = (&signal[..at], (&signal[at..=at] == ">") == bus.starts_with('m'));
            let width = match &signal[at + 1..] {
                "" => 1,
                "W" => *data,
                "K" => data / 8,
                "A" => *address,
                bits => bits.parse().unwrap(),
            };
            let range = if width > 1 { format!("[{}:0] ", width - 1) } else { String::new() };
            let direction = if out { "output" } else { "input " };
            text += &format!("    (* X_INTERFACE_INFO = \"xilinx.com:interface:{kind}:1.0 {bus} {}\" *)\n", name.to_uppercase());
            text += &format!("    {direction} wire {range}{bus}_{name},  // a comment, with a comma\n");
        }
    }
    text += "\n    (* X_INTERFACE_INFO = \"xilinx.com:signal:interrupt:1.0 irq INTERRUPT\" *)\n    output wire irq  // interrupt\n);\n\n    reg        reset;\n    reg  [5:0] quiet;\n    wire [3:0] unused = quiet[3:0];\n\n    bus_drain_count_bits10 drain (\n        .clk  (aclk),\n        .rst  (reset),\n        .done (irq)\n    );\n\n    always @(posedge aclk) begin\n        reset <= !aresetn;\n        quiet[5:3] <= 3'd0;\n    end\n\nendmodule\n\n`default_nettype wire\n";
    let drain = "// bus_drain_count_bits10: brings buses to rest.\n\n`default_nettype none\n\nmodule bus_drain_count_bits10 (\n    input  wire clk,\n    input  wire rst,\n    output reg  done  // at rest\n);\n\n    reg [9:0] count;\n\n    always @(posedge clk) begin\n        if (rst)\n            count <= 10'd0;\n        done <= (count <= 10'd3);\n    end\n\nendmodule\n\n`default_nettype wire\n";
    let list = format!("bus_drain_count_bits10.v\n{top}.v\n");
    vec![(format!("{top}.v"), text), ("bus_drain_count_bits10.v".into(), drain.into()), (format!("{top}.f"), list)]
}

/// What the generator writes beside it: the description of the IP and its packaging, a black box that nothing may read as the top, pages.
fn beside(top: &str, verilog: &[(String, String)]) -> Vec<(String, String)> {
    let sources: Vec<&(String, String)> = verilog.iter().filter(|(name, _)| name.ends_with(".v")).collect();
    let netlist = Netlist::read(sources.iter().map(|(name, text)| (name.as_str(), text.as_str()))).unwrap();
    let signal = |port: &rdma_rtl_project::Port| Signal {
        name: port.name.clone(),
        rust: vec![port.name.clone()],
        width: port.width,
        kind: if port.input { rdma_rtl_gen::ir::Kind::Input } else { rdma_rtl_gen::ir::Kind::Output },
        clock: port.clock,
        crossing: false,
        doc: String::new(),
    };
    let origin = Origin { type_name: "Top".into(), params: Vec::new(), doc: String::new(), file: "top.rs".into(), line: 1 };
    let signals = netlist.modules[top].ports.iter().map(signal).collect();
    let module = Module { name: top.into(), origin, signals, constants: vec![], processes: vec![], instances: vec![], memory: None };
    let about = About {
        profile: "default",
        about: "A top.",
        latency: "",
        throughput: "",
        parameters: &[],
        version: "0.1.0",
        slave_bytes: &[("s_axi_buffer", 16 * 32 * 512)],
    };
    let design = Design { modules: vec![module], top: top.into() };
    let list = verilog.iter().find(|(name, _)| *name == format!("{top}.f")).unwrap();
    let names: Vec<String> = list.1.lines().map(str::to_string).collect();
    files(&design, &about, &names, None).into_iter().map(|f| (f.name, f.text)).collect()
}

pub fn request(top: &str, width: usize, kind: Kind) -> Request {
    let parameters = [("slots", 16), ("mask_bits", 32), ("packet_size", 512), ("dma_width", 512), ("realign", 1), ("ring", 64)];
    let names = "id version control state scratch prescale timeout threshold segment buffer_base sg_base ring_base ring_size_log2 ring_consumer local_mac local_ip_3 \
         source_node node_index node_mac node_ip_3 node_qp node command_id command_target command_node command_options command_source_0 command_bytes_0 command \
         send_state count_retransmissions count_frames";
    let mut sources = verilog(top, width);
    sources.extend(beside(top, &sources));
    Request {
        top: top.into(),
        profile: "default".into(),
        sources,
        parameters: parameters.iter().map(|(k, v)| (k.to_string(), *v)).collect(),
        registers: names.split_whitespace().enumerate().map(|(i, n)| (n.to_string(), 8 * i as u64)).collect(),
        kind,
    }
}

pub fn system(name: &str) -> Kind {
    on(board(name).unwrap())
}

pub fn on(board: Board) -> Kind {
    Kind::System { board: Box::new(board), clock_mhz: 100.0, bridge: None }
}

/// The board with its MAC behind an endpoint of `width` bits.
pub fn with_mac(board: Board, width: usize) -> Kind {
    let mac_width = board.mac.as_ref().unwrap().kind.width() as usize;
    let mut sources = crossing::bridge(width, mac_width);
    sources.extend(beside("line_mac_bridge", &sources));
    // As the generator writes them: by the names of the modules.
    for (module, file) in [("line_fifo_async", "fifo_async"), ("line_level", "synchronizer")] {
        let path = format!("{}/../../constraints/{file}.xdc", env!("CARGO_MANIFEST_DIR"));
        sources.push((format!("{module}.xdc"), std::fs::read_to_string(path).unwrap()));
    }
    let bridge = Some(Box::new(Bridge { top: "line_mac_bridge".into(), sources }));
    Kind::System { board: Box::new(board), clock_mhz: 250.0, bridge }
}

/// A project on disk.
pub struct Project {
    _folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl Project {
    pub fn new(request: &Request) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p");
        let (files, about) = project(request).unwrap();
        write(&path, &files, &about).unwrap();
        Project { _folder: folder, path }
    }

    /// Replaces what stands in a file; it must stand there.
    pub fn change(&self, file: &str, from: &str, to: &str) {
        let path = self.path.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no `{from}`");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    }

    pub fn check(&self) -> Report {
        check(&self.path, &tclsh().unwrap()).unwrap()
    }
}

/// Whether there is a Tcl shell; without one a test says so and does nothing.
pub fn has_tclsh() -> bool {
    let found = tclsh();
    if let Err(e) = &found {
        println!("skipped: {e}");
    }
    found.is_ok()
}

pub fn file<'a>(files: &'a [File], path: &str) -> &'a str {
    &files.iter().find(|f| f.path == path).unwrap_or_else(|| panic!("no {path}")).text
}

pub fn exists(path: &Path) -> bool {
    path.exists()
}
