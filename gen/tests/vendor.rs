//! What is written beside the Verilog, of a design of ports alone: every port in every text, hostile comments, equal runs, no date and no
//! path.

use rdma_rtl_gen::SourceFile;
use rdma_rtl_gen::ir::{Design, Kind, Module, Origin, Signal};
use rdma_rtl_gen::vendor::{About, Parameter, files};
use rdma_rtl_hdl::csr::{Access, Field, RegisterMap};

/// A comment that ends whatever it stands in, if it is not escaped.
const HOSTILE: &str = "a <b>&amp; \"c\" ]]> --> | `x|<y>` ${HOME} [exit 1] {open */ \u{7} \\";

/// Name, bits, whether it is an input.
type Ports<'a> = &'a [(&'a str, usize, bool)];

const TOP: Ports = &[
    ("aclk", 1, true),
    ("aresetn", 1, true),
    ("s_axis_rx_tvalid", 1, true),
    ("s_axis_rx_tready", 1, false),
    ("s_axis_rx_tdata", 64, true),
    ("s_axis_rx_tkeep", 8, true),
    ("s_axis_rx_tlast", 1, true),
    ("m_axi_awvalid", 1, false),
    ("m_axi_awready", 1, true),
    ("m_axi_awid", 3, false),
    ("m_axi_awaddr", 64, false),
    ("m_axi_awlen", 8, false),
    ("m_axi_wvalid", 1, false),
    ("m_axi_wready", 1, true),
    ("m_axi_wdata", 64, false),
    ("m_axi_bvalid", 1, true),
    ("m_axi_bready", 1, false),
    ("m_axi_arvalid", 1, false),
    ("m_axi_arready", 1, true),
    ("m_axi_araddr", 64, false),
    ("m_axi_arlen", 8, false),
    ("m_axi_rvalid", 1, true),
    ("m_axi_rready", 1, false),
    ("m_axi_rdata", 64, true),
    ("m_axi_rlast", 1, true),
    ("s_axi_ctrl_awvalid", 1, true),
    ("s_axi_ctrl_awready", 1, false),
    ("s_axi_ctrl_awaddr", 8, true),
    ("s_axi_ctrl_wvalid", 1, true),
    ("s_axi_ctrl_wready", 1, false),
    ("s_axi_ctrl_wdata", 32, true),
    ("s_axi_ctrl_bvalid", 1, false),
    ("s_axi_ctrl_bready", 1, true),
    ("s_axi_ctrl_arvalid", 1, true),
    ("s_axi_ctrl_arready", 1, false),
    ("s_axi_ctrl_araddr", 8, true),
    ("s_axi_ctrl_rvalid", 1, false),
    ("s_axi_ctrl_rready", 1, true),
    ("s_axi_ctrl_rdata", 32, false),
    ("irq", 1, false),
    ("header_valid", 1, true),
    ("header_op_", 16, true),
    ("evt_taken", 1, false),
    ("level", 5, false),
];

fn design(ports: Ports, doc: &str) -> Design {
    let origin = Origin { type_name: "Top".into(), params: Vec::new(), doc: doc.into(), file: "top.rs".into(), line: 1 };
    let signal = |(name, width, input): &(&str, usize, bool)| Signal {
        name: name.to_string(),
        rust: vec![name.to_string()],
        width: *width,
        kind: if *input { Kind::Input } else { Kind::Output },
        clock: ["aclk", "clk"].contains(name),
        crossing: false,
        doc: doc.to_string(),
    };
    let signals = ports.iter().map(signal).collect();
    let top = Module { name: "top".into(), origin, signals, constants: vec![], processes: vec![], instances: vec![], memory: None };
    Design { modules: vec![top], top: "top".into() }
}

fn map(doc: &str) -> RegisterMap {
    let mut map = RegisterMap::new("top", doc, 8);
    map.constant("id", 0x1234_5678, doc);
    let start = Field::new("start", 31, 1, Access::Pulse, 0, doc);
    map.register("control", doc, vec![Field::new("level", 4, 12, Access::ReadWrite, 0xabc, doc), start]);
    map.register("events", doc, vec![Field::new("done", 0, 1, Access::WriteOneToClear, 0, doc)]);
    map.register("enabled", doc, vec![Field::new("done", 0, 1, Access::ReadWrite, 0, doc)]);
    map.read_write("address", 64, 0x1_0000_0002, doc);
    map.interrupt = Some(("events".into(), "enabled".into()));
    map
}

fn written(ports: Ports, doc: &str) -> Vec<SourceFile> {
    let parameters = [Parameter { name: "width".into(), value: 64, about: doc.into() }];
    let about = About {
        profile: "default",
        about: doc,
        latency: doc,
        throughput: doc,
        parameters: &parameters,
        version: "1.2.3",
        slave_bytes: &[],
    };
    files(&design(ports, doc), &about, &["part.v".into(), "top.v".into()], Some(&map(doc)))
}

fn text<'a>(files: &'a [SourceFile], name: &str) -> &'a str {
    let names = || files.iter().map(|f| f.name.as_str()).collect::<Vec<_>>();
    files.iter().find(|f| f.name == name).map(|f| f.text.as_str()).unwrap_or_else(|| panic!("{name} is not among {:?}", names()))
}

/// Lines that have the port's name as a word of its own, in what is left of them by `of`.
fn lines<'a>(text: &'a str, port: &str, of: fn(&str) -> &str) -> Vec<&'a str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.lines().filter(|l| of(l).split(|c| !word(c)).any(|w| w == port)).collect()
}

fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn all(line: &str) -> &str {
    line
}

/// What is wrong with a text that should have each port once with its width; nothing, if all is well.
fn faults(name: &str, text: &str, ports: Ports) -> Vec<String> {
    let mut faults = Vec::new();
    for (port, width, input) in ports {
        let high = width - 1;
        let (found, wanted): (Vec<&str>, String) = match name {
            "doc/block_diagram.svg" => {
                let range = if *width > 1 { format!("[{high}:0]") } else { String::new() };
                let pins = text.lines().filter(|l| l.starts_with("<text") && !l.contains("<tspan"));
                let pin = |l: &&str| l.contains(&format!(">{port}<")) || l.contains(&format!(">{port}["));
                (pins.filter(pin).collect(), format!(">{port}{range}<"))
            }
            "doc/top.md" => {
                let direction = if *input { "in" } else { "out" };
                (
                    lines(text, port, all).into_iter().filter(|l| l.starts_with("| `")).collect(),
                    format!("| `{port}` | {direction} | {width} |"),
                )
            }
            "stub/top.v" => {
                let range = if *width > 1 { format!("[{high}:0]") } else { String::new() };
                let found = lines(text, port, code).into_iter().filter(|l| !l.trim_start().starts_with("(*")).collect();
                (found, format!("{} wire {range}", if *input { "input " } else { "output" }))
            }
            "top.veo" => {
                let range = if *width > 1 { format!(" [{high}:0]") } else { String::new() };
                (lines(text, port, code), format!("// {}{range}", if *input { "input " } else { "output" }))
            }
            "top.vho" => {
                let ty = if *width > 1 { format!("std_logic_vector({high} downto 0)") } else { "std_logic".into() };
                let found = lines(text, port, all).into_iter().filter(|l| l.contains(" : in ") || l.contains(" : out ")).collect();
                (found, format!(": {} {ty}", if *input { "in " } else { "out" }))
            }
            _ => {
                // Port by port; what follows the name up to the next port is its own.
                let begin = format!("<spirit:port>\n        <spirit:name>{port}</spirit:name>");
                let own: Vec<&str> =
                    text.split(&begin).skip(1).map(|rest| rest.split("</spirit:port>").next().unwrap_or_default()).collect();
                let wanted =
                    if *width > 1 { format!("long\">{high}</spirit:left>") } else { "<spirit:typeName>std_logic</spirit:typeName>".into() };
                (own, wanted)
            }
        };
        match found.as_slice() {
            [one] if one.contains(wanted.trim_end()) => {}
            other => faults.push(format!("{name}: {port} of {width} bits, `{wanted}`: {other:?}")),
        }
    }
    faults
}

const WITH_PORTS: [&str; 6] = ["doc/block_diagram.svg", "doc/top.md", "stub/top.v", "top.veo", "top.vho", "component.xml"];

#[test]
fn every_port_is_in_every_text_once_with_its_width() {
    let files = written(TOP, "a port");
    for name in WITH_PORTS {
        assert_eq!(faults(name, text(&files, name), TOP), Vec::<String>::new());
    }
}

#[test]
fn a_port_too_many_too_few_or_too_wide_is_found() {
    let mut fewer = TOP.to_vec();
    fewer.remove(4);
    let mut wider = TOP.to_vec();
    wider[4].1 = 65;
    for name in WITH_PORTS {
        assert_eq!(faults(name, text(&written(&fewer, "a port"), name), TOP).len(), 1, "{name}: one port is missing");
        assert_eq!(faults(name, text(&written(&wider, "a port"), name), TOP).len(), 1, "{name}: one port is wider");
    }
}

#[test]
fn the_same_bytes_twice_without_date_or_path() {
    let (once, again) = (written(TOP, "a port"), written(TOP, "a port"));
    assert_eq!(once, again);
    let here = env!("CARGO_MANIFEST_DIR");
    for file in &once {
        assert!(!file.text.contains(here) && !file.text.contains("/tmp") && !file.name.starts_with('/'), "{} has a path", file.name);
        let dates = ["202", "Date", "date:"].iter().filter(|d| file.text.contains(*d)).count();
        assert_eq!(dates, 0, "{} has a date", file.name);
    }
}

/// The text inside of an XML document that is well formed: tags closed in order, no bare `&` or `<`. Panics with what is wrong.
fn well_formed(name: &str, text: &str) {
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        entities(name, &rest[..at]);
        let end = rest[at..].find('>').unwrap_or_else(|| panic!("{name}: a tag without end")) + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('?') {
            continue;
        }
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{name}: <{tag}>");
        entities(name, tag);
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop().as_deref(), Some(closed), "{name}: </{closed}>"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap_or_default().to_string()),
        }
    }
    assert!(open.is_empty() && text.chars().all(|c| !c.is_control() || c == '\n'), "{name}: open {open:?}");
}

fn entities(name: &str, text: &str) {
    for after in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#160;"].iter().any(|e| after.starts_with(e));
        assert!(known, "{name}: &{}", after.chars().take(20).collect::<String>());
    }
}

#[test]
fn xml_is_well_formed_whatever_the_comments_say() {
    for doc in ["a port", HOSTILE, "", "<", "&", "]]>", "\n\n\u{0}"] {
        let files = written(TOP, doc);
        let xml: Vec<&SourceFile> = files.iter().filter(|f| f.name.ends_with(".svg") || f.name.ends_with(".xml")).collect();
        assert!(xml.len() >= 5);
        xml.iter().for_each(|f| well_formed(&f.name, &f.text));
    }
}

#[test]
fn what_is_not_well_formed_is_found() {
    for broken in ["<a><b></a></b>", "<a>&</a>", "<a", "<a x=\"y>\"</a>", "<a>\u{7}</a>"] {
        assert!(std::panic::catch_unwind(|| well_formed("broken", broken)).is_err(), "{broken}");
    }
}

#[test]
fn hostile_comments_stay_comments() {
    let files = written(TOP, &format!("{HOSTILE}\nsecond line"));
    let page = text(&files, "doc/top.md");
    let rows: Vec<&str> = page.lines().filter(|l| l.starts_with("| `")).collect();
    // A cell's text cannot end the cell: every row of ports has four, separated by bars that no backslash precedes.
    for row in rows.iter().filter(|r| r.contains("| in |") || r.contains("| out |")) {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
    }
    assert!(!page.contains("<b>"), "HTML in the page");
    assert_eq!(faults("stub/top.v", text(&files, "stub/top.v"), TOP), Vec::<String>::new());
    let core = text(&files, "top.core");
    assert!(core.lines().any(|l| l.starts_with("description: \"a <b>&amp; \\\"c\\\"")), "{core}");
    for name in ["top.veo", "stub/top.v", "top.vho", "package_ip.tcl", "top_ooc.xdc", "top.xdc"] {
        let begins: Vec<&str> = text(&files, name).lines().filter(|l| l.starts_with("second line")).collect();
        assert!(begins.is_empty(), "{name}: {begins:?}");
    }
}

#[test]
fn bus_interfaces_know_their_clock_and_range() {
    let files = written(TOP, "a port");
    let xml = text(&files, "component.xml");
    for part in [
        "ASSOCIATED_BUSIF\">s_axis_rx:m_axi:s_axi_ctrl<",
        "ASSOCIATED_RESET\">aresetn<",
        "ARESETN.POLARITY\">ACTIVE_LOW<",
        "IRQ.SENSITIVITY\">LEVEL_HIGH<",
        "M_AXI.PROTOCOL\">AXI4<",
        "M_AXI.ID_WIDTH\">3<",
        "S_AXI_CTRL.PROTOCOL\">AXI4LITE<",
        "S_AXIS_RX.TDATA_NUM_BYTES\">8<",
        "<spirit:range>16E</spirit:range>",
        "<spirit:range spirit:format=\"long\">256</spirit:range>",
        "<spirit:name>address_high</spirit:name>",
        "<spirit:modifiedWriteValue>oneToClear</spirit:modifiedWriteValue>",
        "<spirit:userFileType>USED_IN_out_of_context</spirit:userFileType>",
        "<spirit:version>1.2</spirit:version>",
        "<xilinx:coreRevision>3</xilinx:coreRevision>",
    ] {
        assert!(xml.contains(part), "{part} is not in component.xml");
    }
    // No signal of the block that is no bus is declared as one.
    assert!(!xml.contains("BUSIFPARAM_VALUE.HEADER") && !xml.contains("<spirit:modelParameter"));
}

#[test]
fn a_block_without_aclk_is_no_ip() {
    let ports: Ports = &[("clk", 1, true), ("in_valid", 1, true), ("in_ready", 1, false), ("in_data", 8, true)];
    let files = written(ports, "a port");
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    assert!(!names.contains(&"component.xml") && !names.contains(&"package_ip.tcl"), "{names:?}");
    assert!(names.contains(&"doc/wave_in.svg") && names.contains(&"stub/top.v"), "{names:?}");
    assert!(!text(&files, "stub/top.v").contains("X_INTERFACE"));
    assert!(text(&files, "top_ooc.xdc").contains("create_clock -period 3.103 -name clk [get_ports clk]"));
}

#[test]
fn a_block_without_clock_has_its_delay_constrained() {
    let files = written(&[("value", 8, true), ("first", 3, false)], "a port");
    let xdc = text(&files, "top_ooc.xdc");
    assert!(xdc.contains("set_max_delay 3.103") && !xdc.contains("create_clock"), "{xdc}");
    assert!(text(&files, "top.xdc").contains("no clock"));
}

#[test]
fn a_block_without_ports_breaks_nothing() {
    let files = written(&[], "nothing");
    assert!(text(&files, "stub/top.v").contains("module top ();"));
    well_formed("diagram", text(&files, "doc/block_diagram.svg"));
}
