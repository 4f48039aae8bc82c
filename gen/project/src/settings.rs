//! The files of a project.

use crate::board::{Board, MacKind};
use crate::folder::File;
use crate::verilog::Netlist;
use crate::{Error, constraints};
use serde_json::{Value, json};
use std::fmt::Write;

/// Blocks that a block design can be made around.
pub const TOPS: &str = "receive_endpoint, send_endpoint, endpoint";

/// What a project is made of.
#[derive(Clone, Debug)]
pub struct Request {
    /// Name of the top module.
    pub top: String,
    pub profile: String,
    /// What the generator wrote for the block: Verilog and all that lies beside it, `component.xml` of a packaged top among it.
    pub sources: Vec<(String, String)>,
    /// Static parameters of the block.
    pub parameters: Vec<(String, u64)>,
    /// Registers that software sees: name and byte offset.
    pub registers: Vec<(String, u64)>,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A block design for a board; MHz of the endpoint's clock; what stands between it and the board's MAC, or frames come back.
    System { board: Box<Board>, clock_mhz: f64, bridge: Option<Box<Bridge>> },
    /// The block alone; part and clock period in ns.
    OutOfContext { part: String, period: f64 },
}

/// The block between an endpoint and a MAC, with module names that no endpoint has: both are in one design.
#[derive(Clone, Debug)]
pub struct Bridge {
    /// Name of its top module.
    pub top: String,
    /// As of [`Request`].
    pub sources: Vec<(String, String)>,
}

const SCRIPTS: [(&str, &str); 6] = [
    ("mac.tcl", include_str!("../../../fpga-projects/mac.tcl")),
    ("project.tcl", include_str!("../../../fpga-projects/project.tcl")),
    ("nonproject.tcl", include_str!("../../../fpga-projects/nonproject.tcl")),
    ("system.tcl", include_str!("../../../fpga-projects/system.tcl")),
    ("selftest.tcl", include_str!("../../../fpga-projects/selftest.tcl")),
    ("axi.tcl", include_str!("../../../fpga-projects/axi.tcl")),
];
const SHARED: [(&str, &str); 4] = [
    ("Makefile", include_str!("../../../fpga-projects/Makefile")),
    ("ooc.tcl", include_str!("../../../fpga-projects/ooc.tcl")),
    ("reports.tcl", include_str!("../../../fpga-projects/reports.tcl")),
    ("sources.tcl", include_str!("../../../fpga-projects/sources.tcl")),
];

const PBLOCKS: &str = "constraints/pblock_example.xdc";
const MEMORY_BASE: u64 = 0x8000_0000;
const MEMORY_BYTES: u64 = 0x4_0000;
const CONTROL_BASE: u64 = 0x4000_0000;
const CONTROL_BYTES: u64 = 0x1000;
const MAC_BASE: u64 = 0x4001_0000;
const MAC_BYTES: u64 = 0x1000;
const BUFFER_BASE: u64 = 0xa000_0000;
const RING_BASE: u64 = 0xb000_0000;

/// The clock of a block that is built alone, ns: 322.27 MHz, that of a 100G MAC.
pub const PERIOD: f64 = 3.103;

/// Every file of the project, and what the check needs to know of it.
/// # Errors
/// A block that no board design can be made around, sizes that AXI does not have, a frequency that no clock has; Verilog that is not the
/// emitter's.
pub fn project(request: &Request) -> Result<(Vec<File>, Value), Error> {
    let netlist = netlist_of(&request.top, &request.sources)?;
    let file = |path: String, text: String| File { path, text };
    let mut files: Vec<File> =
        request.sources.iter().map(|(name, text)| file(format!("rtl/{}/{name}", request.top), text.clone())).collect();
    files.extend(SHARED.iter().map(|(name, text)| file(name.to_string(), text.to_string())));
    let (settings, mark) = match &request.kind {
        Kind::System { board, clock_mhz, bridge } => {
            let own = vlnv(&request.top, &request.sources)?;
            files.extend(SCRIPTS.iter().map(|(name, text)| file(name.to_string(), text.to_string())));
            files.push(file("constraints/board.xdc".into(), constraints::board(board, bridge.is_some())));
            files.push(file(PBLOCKS.into(), constraints::pblock_example(&request.top)));
            files.push(file(ooc_name(&request.top), constraints::out_of_context(&netlist, &request.top, PERIOD)));
            files.push(file("registers.tcl".into(), registers(request)));
            let (mut settings, mut mark) = system(request, &netlist, board, *clock_mhz)?;
            settings.push(("vlnv", own));
            match bridge {
                None => settings.extend([("mac", "none".to_string()), ("crossings", "{}".to_string())]),
                Some(bridge) => {
                    settings.extend(mac(board, bridge, &netlist, &request.top)?);
                    files.extend(bridge.sources.iter().map(|(name, text)| file(format!("rtl/{}/{name}", bridge.top), text.clone())));
                    mark["beside"] = json!([bridge.top]);
                    mark["map"].as_array_mut().into_iter().for_each(|map| map.push(json!([MAC_BASE, MAC_BYTES])));
                }
            }
            settings.push(("ties", ties(board, bridge.is_some())));
            // The clock of the loop is another one than the endpoint's, so that what crosses does cross; a MAC is brought up by it.
            let loops = if (clock_mhz - 125.0).abs() < 1.0 { "150.000" } else { "125.000" };
            settings.push(("net_mhz", if bridge.is_some() { "100.000" } else { loops }.into()));
            (settings, mark)
        }
        Kind::OutOfContext { part, period } => {
            if !(0.5..=1000.0).contains(period) {
                return Err(Error::Value { what: "--period", value: period.to_string(), allowed: "0.5 to 1000 ns" });
            }
            if !part.starts_with("xc") || !part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
                return Err(Error::Value {
                    what: "--part",
                    value: format!("`{part}`"),
                    allowed: "a part of AMD's with package and speed, like xcu250-figd2104-2-e",
                });
            }
            files.push(file(ooc_name(&request.top), constraints::out_of_context(&netlist, &request.top, *period)));
            (vec![("part", part.clone())], json!({ "kind": "ooc", "parts": [part] }))
        }
    };
    let mut settings = settings;
    settings.push(("scoped", crossings(&netlist, &request.sources)));
    files.push(file("settings.tcl".into(), settings_text(request, &settings)));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut whole = json!({ "block": request.top, "profile": request.profile });
    if let (Some(whole), Value::Object(more)) = (whole.as_object_mut(), mark) {
        whole.extend(more);
    }
    Ok((files, whole))
}

fn netlist_of(top: &str, sources: &[(String, String)]) -> Result<Netlist, Error> {
    let unsuitable = |what: &str| Error::Unsuitable { block: top.to_string(), what: what.into() };
    let list = format!("{top}.f");
    let list = sources.iter().find(|(name, _)| *name == list).map(|(_, text)| text.as_str());
    let list = list.ok_or_else(|| unsuitable("has no file list"))?;
    if let Some(missing) = list.lines().find(|line| line.ends_with(".v") && !sources.iter().any(|(name, _)| name == line)) {
        return Err(unsuitable(&format!("has a file list with {missing}, which is not there: write its Verilog anew")));
    }
    let verilog = sources.iter().filter(|(name, _)| list.lines().any(|l| l == name));
    let netlist = Netlist::read(verilog.map(|(name, text)| (name.as_str(), text.as_str())))?;
    if netlist.modules.contains_key(top) { Ok(netlist) } else { Err(unsuitable("its Verilog has no module of that name")) }
}

/// Modules that stand between clocks: the generator writes a file of constraints by the name of each.
fn crossings(netlist: &Netlist, sources: &[(String, String)]) -> String {
    let scoped = netlist.modules.keys().filter(|module| sources.iter().any(|(name, _)| *name == format!("{module}.xdc")));
    format!("{{{}}}", scoped.map(String::as_str).collect::<Vec<_>>().join(" "))
}

/// What mac.tcl goes by.
fn mac(board: &Board, bridge: &Bridge, endpoint: &Netlist, top: &str) -> Result<Settings, Error> {
    let netlist = netlist_of(&bridge.top, &bridge.sources)?;
    let no_mac = || Error::NoMac { board: board.name.clone() };
    let mac = board.mac.as_ref().ok_or_else(no_mac)?;
    let width = |netlist: &Netlist, top: &str, port: &str| netlist.port(top, port).map_or(0, |p| p.width as u64);
    for (port, wanted) in [
        ("m_axis_mac_tdata", mac.kind.width()),
        ("s_axis_tx_tdata", width(endpoint, top, "m_axis_tx_tdata")),
        ("m_axis_rx_tdata", width(endpoint, top, "s_axis_rx_tdata")),
    ] {
        let found = width(&netlist, &bridge.top, port);
        if found != wanted {
            let what = format!("its {port} has {found} bits; {wanted} stand on the other side");
            return Err(Error::Unsuitable { block: bridge.top.clone(), what });
        }
    }
    if let Some(same) = netlist.modules.keys().find(|module| endpoint.modules.contains_key(*module)) {
        return Err(Error::Unsuitable {
            block: bridge.top.clone(),
            what: format!("its module {same} is one of {top} too: give it a prefix"),
        });
    }
    // The file by the name of the top says which others are read.
    let inner: Vec<_> = bridge.sources.iter().filter(|(name, _)| *name != format!("{}.xdc", bridge.top)).cloned().collect();
    Ok(vec![
        ("mac", if mac.kind == MacKind::Cmac { "cmac" } else { "xxv" }.to_string()),
        ("mac_top", bridge.top.clone()),
        ("mac_vlnv", vlnv(&bridge.top, &bridge.sources)?),
        ("mac_core", mac.core.clone().unwrap_or_else(|| "none".into())),
        ("mac_group", mac.group().ok_or_else(no_mac)?),
        ("mac_lanes", format!("{{{}}}", mac.lanes.join(" "))),
        ("mac_gbps", mac.gbps.to_string()),
        ("mac_fec", u8::from(mac.fec).to_string()),
        ("mac_loopback", "0".into()),
        ("mac_refclk_mhz", mac.refclk_mhz.to_string()),
        ("mac_refclk_hz", format!("{:.0}", mac.refclk_mhz * 1e6)),
        ("mac_base", format!("{MAC_BASE:#x}")),
        ("crossings", crossings(&netlist, &inner)),
    ])
}

/// Ports that are held, with their values.
fn ties(board: &Board, with_mac: bool) -> String {
    let ties: Vec<String> = board.ties(with_mac).map(|tie| format!("{} {}", tie.port, tie.value)).collect();
    format!("{{{}}}", ties.join(" "))
}

/// Vendor, library, name and version by which block designs ask for the top: what its `component.xml` says first.
fn vlnv(top: &str, sources: &[(String, String)]) -> Result<String, Error> {
    let unsuitable = |what: &str| Error::Unsuitable { block: top.to_string(), what: what.into() };
    let (_, xml) =
        sources.iter().find(|(name, _)| name == "component.xml").ok_or_else(|| unsuitable("has no component.xml: it is no IP"))?;
    let part = |tag: &str| xml.split_once(&format!("<spirit:{tag}>"))?.1.split_once('<').map(|(text, _)| text);
    let parts: Option<Vec<&str>> = ["vendor", "library", "name", "version"].into_iter().map(part).collect();
    let plain = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let parts =
        parts.filter(|parts| parts.iter().all(plain)).ok_or_else(|| unsuitable("its component.xml has no name that Vivado takes"))?;
    Ok(parts.join(":"))
}

fn ooc_name(top: &str) -> String {
    format!("constraints/{top}_ooc.xdc")
}

fn settings_text(request: &Request, settings: &[(&str, String)]) -> String {
    let mut out = format!(
        "# Written by `rdma-rtl project`; what the scripts of this folder go by.\nset top {}\nset profile {}\n",
        request.top, request.profile
    );
    for (name, value) in settings {
        let _ = writeln!(out, "set {name} {value}");
    }
    out
}

type Settings = Vec<(&'static str, String)>;

fn system(request: &Request, netlist: &Netlist, board: &Board, clock_mhz: f64) -> Result<(Settings, Value), Error> {
    let top = &request.top;
    for port in ["aclk", "aresetn", "s_axis_rx_tdata", "m_axis_tx_tdata", "m_axi_wdata", "s_axi_ctrl_awaddr"] {
        if netlist.port(top, port).is_none() {
            return Err(Error::NoTop { block: top.clone(), port, tops: TOPS });
        }
    }
    if !(10.0..=500.0).contains(&clock_mhz) {
        return Err(Error::Value { what: "--clock-mhz", value: clock_mhz.to_string(), allowed: "10 to 500" });
    }
    let width = |port: &str| netlist.port(top, port).map_or(0, |p| p.width as u64);
    let data_width = width("m_axi_wdata");
    if data_width > 1024 {
        let what = format!("beats of {data_width} bits; AXI4 and Vivado's interconnect end at 1024, so take another profile (--profile)");
        return Err(Error::Unsuitable { block: top.clone(), what });
    }
    let parameter = |name: &str| request.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
    let has_cdma = netlist.port(top, "m_axi_cdma_awaddr").is_some();
    let need = |name: &'static str| {
        parameter(name).ok_or_else(|| Error::Unsuitable {
            block: top.clone(),
            what: format!("its profile has no `{name}`, by which its CDMA is built"),
        })
    };
    let mut settings: Settings = vec![
        ("board", board.name.clone()),
        ("part", board.part.clone()),
        ("input_mhz", format!("{:.3}", board.clock[0].mhz)),
        ("input_hz", format!("{:.0}", board.clock[0].mhz * 1e6)),
        ("clock_mhz", format!("{clock_mhz:.3}")),
        ("data_width", data_width.to_string()),
        ("memory_base", format!("{MEMORY_BASE:#x}")),
        ("memory_bytes", format!("{MEMORY_BYTES:#x}")),
        ("control_base", format!("{CONTROL_BASE:#x}")),
        ("jobs", "4".into()),
        ("has_cdma", u8::from(has_cdma).to_string()),
    ];
    if has_cdma {
        let (dma_width, packet_size) = (need("dma_width")?, need("packet_size")?);
        let buffer = need("slots")? * need("mask_bits")? * packet_size;
        settings.extend([
            ("cdma_width", dma_width.to_string()),
            // As long as AXI4 allows: 256 beats, and no more than 4 KB.
            ("cdma_burst", (4096 * 8 / dma_width).clamp(2, 256).to_string()),
            ("cdma_realign", need("realign")?.to_string()),
            ("buffer_base", format!("{BUFFER_BASE:#x}")),
            ("buffer_bytes", format!("{buffer:#x}")),
            ("ring_base", format!("{RING_BASE:#x}")),
            ("ring_bytes", format!("{:#x}", need("ring")? * 64)),
            ("packet_size", packet_size.to_string()),
        ]);
    }
    let mark = json!({
        "kind": "system", "board": board.name, "parts": [board.part],
        "extra": [PBLOCKS],
        "map": [[MEMORY_BASE, MEMORY_BYTES], [CONTROL_BASE, CONTROL_BYTES]],
    });
    Ok((settings, mark))
}

fn registers(request: &Request) -> String {
    let mut out = format!(
        "# Byte offsets of the registers of {}; a register of 64 bits has its high word 4 bytes on.\narray set register {{\n",
        request.top
    );
    for (name, offset) in &request.registers {
        let _ = writeln!(out, "    {name} {offset:#05x}");
    }
    out.push_str("}\n");
    out
}
