//! The folder that `gen` writes, in the hands of the tools that it is for: the schema of IP-XACT, FuseSoC, Verilator, Icarus, Yosys and
//! Tcl. A tool that is not here is passed over with a line that says so.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Writes a block at `small` into a folder of its own; what `--json` says of it.
fn written(block: &str, root: &Path) -> (PathBuf, serde_json::Value) {
    let mut rtl = Command::new(env!("CARGO_BIN_EXE_rdma-rtl"));
    let output = rtl.args(["gen", "--block", block, "--profile", "small", "--json", "--out"]).arg(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (root.join(block), serde_json::from_slice(&output.stdout).unwrap())
}

/// The program that `scripts/tools.sh NAME` installs, else the one on PATH.
fn tool(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = std::env::var_os("RDMA_RTL_TOOLS").map_or(root.join(".tools"), PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = vec![tools.join(name).join("bin"), tools.join("bin")];
    places.extend(std::env::split_paths(&path));
    let found = places.into_iter().map(|p| p.join(name)).find(|p| p.is_file());
    if found.is_none() {
        eprintln!("no {name} (scripts/tools.sh, or the system's package): not tried");
    }
    found
}

fn run(program: &Path, arguments: &[&str], folder: &Path) -> Output {
    // FuseSoC keeps a configuration in the user's home otherwise.
    Command::new(program).args(arguments).current_dir(folder).env("XDG_CONFIG_HOME", folder).env("XDG_DATA_HOME", folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn succeeds(program: &Path, arguments: &[&str], folder: &Path) -> String {
    let output = run(program, arguments, folder);
    assert!(output.status.success(), "{} {arguments:?}: {}", program.display(), said(&output));
    said(&output)
}

fn files_in(folder: &Path, root: &Path) -> BTreeSet<String> {
    let paths = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let name = |p: &Path| p.strip_prefix(root).unwrap().to_str().unwrap().to_string();
    paths.flat_map(|p| if p.is_dir() { files_in(&p, root) } else { BTreeSet::from([name(&p)]) }).collect()
}

#[test]
fn a_folder_is_complete() {
    let root = tempfile::tempdir().unwrap();
    for block in ["receive_endpoint", "receive_registry", "mask_unit"] {
        let (folder, json) = written(block, root.path());
        let there = files_in(&folder, &folder);
        let listed: BTreeSet<String> = json[0]["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().to_string()).collect();
        assert_eq!(there, listed);
        let expected = ["{}.v", "{}.f", "names.json", "{}_ooc.xdc", "{}.xdc", "stub/{}.v", "{}.veo", "{}.vho", "{}.core", "doc/{}.md"];
        for name in expected.map(|n| n.replace("{}", block)) {
            assert!(there.contains(&name), "{block}: no {name}");
        }
        let ip = ["component.xml", "package_ip.tcl", "xgui/receive_endpoint_v0_1.tcl", "receive_endpoint_registers.h"];
        for name in ip {
            assert_eq!(there.contains(name), block == "receive_endpoint", "{block}: {name}");
        }
        // Every file that a file names is there.
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let page = text(&format!("doc/{block}.md"));
        let links = page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        let mut named: Vec<String> = links.map(|l| l.strip_prefix("../").map_or(format!("doc/{l}"), str::to_string)).collect();
        named.extend(text(&format!("{block}.f")).lines().map(str::to_string));
        named.extend(
            text(&format!("{block}.core")).lines().filter_map(|l| Some(l.trim().strip_prefix("- \"")?.strip_suffix('"')?.to_string())),
        );
        if block == "receive_endpoint" {
            let xml = text("component.xml");
            let files =
                xml.split("<spirit:file>").skip(1).map(|rest| rest.split("<spirit:name>").nth(1).unwrap().split('<').next().unwrap());
            named.extend(files.map(str::to_string));
        }
        assert!(named.len() > 10, "{named:?}");
        for name in named {
            assert!(there.contains(&name), "{block}: {name} is named and is not there");
        }
    }
}

#[test]
fn a_block_between_two_clocks_brings_its_constraints() {
    let root = tempfile::tempdir().unwrap();
    let text = |block: &str, name: &str| std::fs::read_to_string(written(block, root.path()).0.join(name)).unwrap();
    let fifo = text("fifo_async", "fifo_async.xdc");
    assert_eq!(fifo, std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("constraints/fifo_async.xdc")).unwrap());
    assert!(text("synchronizer", "synchronizer.xdc").contains("set_false_path -to [get_pins {stage_0_reg*/D}]"));
    let alone = text("fifo_async", "fifo_async_ooc.xdc");
    for clock in ["write_clk", "read_clk"] {
        assert!(alone.contains(&format!("create_clock -period 3.103 -name {clock} [get_ports {clock}]")), "{alone}");
    }
    // The synchronizers in it are the FIFO's, and have no file of their own.
    let (folder, _) = written("fifo_async", root.path());
    let files = files_in(&folder, &folder);
    assert!(!files.iter().any(|f| f.ends_with(".xdc") && f.starts_with("synchronizer")), "{files:?}");
    // What comes out goes by the clock of who reads.
    assert!(text("fifo_async", "doc/wave_out.json").contains("read_clk") && text("fifo_async", "doc/wave_in.json").contains("write_clk"));
    assert!(text("fifo_lut", "fifo_lut.xdc").contains("no constraint is needed"));
}

#[test]
fn component_xml_holds_to_the_schema() {
    let Some(ipxact) = tool("ipxact") else { return };
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = written("receive_endpoint", root.path());
    assert_eq!(succeeds(&ipxact, &["component.xml"], &folder), "");
    // The check can fail.
    let whole = std::fs::read_to_string(folder.join("component.xml")).unwrap();
    let broken = [
        ("cut.xml", whole[..whole.len() / 2].to_string()),
        ("no_version.xml", whole.replacen("  <spirit:version>0.1</spirit:version>\n", "", 1)),
        ("no_number.xml", whole.replacen("<spirit:left spirit:format=\"long\">", "<spirit:left spirit:format=\"long\">x", 1)),
        ("twice.xml", whole.replacen("<spirit:name>s_axi_ctrl</spirit:name>", "<spirit:name>m_axi</spirit:name>", 1)),
        ("direction.xml", whole.replacen("<spirit:direction>in<", "<spirit:direction>input<", 1)),
    ];
    for (name, text) in broken {
        assert_ne!(text, whole, "{name}");
        std::fs::write(folder.join(name), text).unwrap();
        let output = run(&ipxact, &[name], &folder);
        assert!(output.status.code() == Some(1) && said(&output).contains(name), "{name}: {}", said(&output));
    }
}

#[test]
fn fusesoc_takes_the_core() {
    let Some(fusesoc) = tool("fusesoc") else { return };
    let root = tempfile::tempdir().unwrap();
    for block in ["receive_endpoint", "mask_unit"] {
        let (folder, _) = written(block, root.path());
        let core = format!("rdma-rtl:small:{block}:{}", env!("CARGO_PKG_VERSION"));
        let roots = format!("--cores-root={}", folder.display());
        let shown = succeeds(&fusesoc, &[&roots, "core", "show", &core], root.path());
        assert!(shown.contains(&core) && shown.contains("lint"), "{shown}");
        if tool("verilator").is_none() {
            continue;
        }
        let lint = [roots.as_str(), "run", "--target", "lint", &core];
        succeeds(&fusesoc, &lint, root.path());
        if block == "receive_endpoint" {
            continue;
        }
        // The check can fail: an output that nothing drives.
        let top = folder.join(format!("{block}.v"));
        let text = std::fs::read_to_string(&top).unwrap();
        std::fs::write(&top, text.replacen(");\n", ",\n    output wire nothing\n);\n", 1)).unwrap();
        let output = run(&fusesoc, &lint, root.path());
        assert!(!output.status.success() && said(&output).contains("nothing"), "{}", said(&output));
    }
}

/// `rdma-rtl` with these arguments; what it says on standard output.
fn rtl(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rdma-rtl")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    said(&output)
}

/// A file list with the folder before each name.
fn listed(list: &Path) -> Vec<String> {
    let folder = list.parent().unwrap();
    std::fs::read_to_string(list).unwrap().lines().map(|name| folder.join(name).to_str().unwrap().to_string()).collect()
}

/// Each module that is written for two blocks is the same file, and tools read both folders together, in whatever order.
#[test]
fn two_blocks_can_be_read_together() {
    let root = tempfile::tempdir().unwrap();
    let pairs = [
        ["send_endpoint", "receive_endpoint"],
        ["bitmap_endpoint", "combined_endpoint"],
        ["bitmap_send_endpoint", "combined_send_endpoint"],
    ];
    for pair in pairs {
        for block in pair {
            rtl(&["gen", "--block", block, "--profile", "small", "--out", root.path().to_str().unwrap()]);
        }
        let [first, second] = pair.map(|block| listed(&root.path().join(block).join(format!("{block}.f"))));
        let mut shared = 0;
        for file in &first {
            let other = Path::new(file).file_name().map(|name| root.path().join(pair[1]).join(name)).filter(|p| p.is_file());
            let Some(other) = other else { continue };
            assert!(std::fs::read(file).unwrap() == std::fs::read(&other).unwrap(), "{file} and {} differ", other.display());
            shared += 1;
        }
        assert!(shared > 10, "{pair:?} share {shared} modules");
        for together in [[&first[..], &second].concat(), [&second[..], &first].concat()] {
            let names: Vec<&str> = together.iter().map(String::as_str).collect();
            if let Some(iverilog) = tool("iverilog") {
                let tops = ["-s", pair[0], "-s", pair[1]];
                let arguments = [&["-g2005", "-Wall", "-Wno-timescale", "-o", "out.vvp"][..], &tops, &names].concat();
                assert_eq!(succeeds(&iverilog, &arguments, root.path()), "");
            }
            if let Some(verilator) = tool("verilator") {
                // Two tops at once, so a warning about their number is no fault.
                succeeds(&verilator, &[&["--lint-only", "-Wall", "-Wno-MULTITOP"][..], &names].concat(), root.path());
            }
        }
    }
    // Another content of the same name is an error, and not the first one that came.
    let Some(iverilog) = tool("iverilog") else { return };
    let text = std::fs::read_to_string(root.path().join("send_endpoint/send_endpoint.v")).unwrap();
    let guard = text.lines().find_map(|l| l.strip_prefix("`ifndef ")).unwrap();
    std::fs::write(root.path().join("other.v"), text.replace(guard, "SEND_ENDPOINT_00000000")).unwrap();
    let mut names = listed(&root.path().join("send_endpoint/send_endpoint.f"));
    names.push(root.path().join("other.v").to_str().unwrap().into());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = run(&iverilog, &[&["-g2005", "-o", "out.vvp"][..], &names].concat(), root.path());
    assert!(!output.status.success() && said(&output).contains("already been declared"), "{}", said(&output));
}

/// Several blocks of one call have a list of all their modules besides the one of each.
#[test]
fn several_blocks_have_one_list() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().to_str().unwrap();
    let said = rtl(&["gen", "--block", "send_endpoint,receive_endpoint", "--profile", "small", "--out", out]);
    assert!(said.contains("modules of them all in"), "{said}");
    let files = listed(&root.path().join("modules.f"));
    let modules: BTreeSet<&std::ffi::OsStr> = files.iter().map(|f| Path::new(f).file_name().unwrap()).collect();
    assert_eq!(modules.len(), files.len());
    let each = ["send_endpoint", "receive_endpoint"].map(|block| listed(&root.path().join(block).join(format!("{block}.f"))));
    assert!(files.len() < each[0].len() + each[1].len() && files.len() > each[0].len().max(each[1].len()));
    if let Some(verilator) = tool("verilator") {
        succeeds(&verilator, &["--lint-only", "-Wall", "-Wno-MULTITOP", "-f", "modules.f"], root.path());
    }
    let refused = |arguments: &[&str], part: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_rdma-rtl")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", self::said(&output));
        assert!(self::said(&output).contains(part), "{}", self::said(&output));
    };
    refused(&["gen", "--block", "mask_unit,mask_unit", "--out", out], "`mask_unit` is given twice");
    refused(&["gen", "--block", "mask_unit,nothing", "--out", out], "unknown block `nothing`");
    refused(&["gen", "--block", "mask_unit", "--prefix", "9", "--out", out], "--prefix `9`: a prefix is a letter");
}

/// Two profiles of one block in one design: the prefix keeps them apart, in every file that names a module.
#[test]
fn two_profiles_can_be_read_together() {
    let root = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for profile in ["small", "default"] {
        let out = root.path().to_str().unwrap();
        rtl(&["gen", "--block", "receive_endpoint", "--profile", profile, "--prefix", profile, "--out", out]);
        let top = format!("{profile}_receive_endpoint");
        let folder = root.path().join(&top);
        let text = |name: String| std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(text(format!("{top}.core")).contains(&format!("toplevel: \"{top}\"")));
        assert!(text(format!("{top}.vho")).contains(&format!("component {top}\n")));
        assert!(text(format!("stub/{top}.v")).contains(&format!("module {top} (")));
        let files = listed(&folder.join(format!("{top}.f")));
        assert!(files.iter().all(|f| Path::new(f).file_name().unwrap().to_str().unwrap().starts_with(&format!("{profile}_"))), "{files:?}");
        names.extend(files);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let Some(verilator) = tool("verilator") {
        succeeds(&verilator, &[&["--lint-only", "-Wall", "-Wno-MULTITOP"][..], &names].concat(), root.path());
    }
}

/// A core that depends on two of ours, as a project of a user has it.
#[test]
fn fusesoc_takes_two_blocks_into_one_core() {
    let Some(fusesoc) = tool("fusesoc") else { return };
    if tool("verilator").is_none() {
        return;
    }
    let root = tempfile::tempdir().unwrap();
    rtl(&["gen", "--block", "send_endpoint,receive_endpoint", "--profile", "small", "--out", root.path().to_str().unwrap()]);
    let version = env!("CARGO_PKG_VERSION");
    std::fs::write(
        root.path().join("both.v"),
        "`default_nettype none\nmodule both (input wire a, output wire b);\n    assign b = a;\nendmodule\n",
    )
    .unwrap();
    let core = format!(
        "CAPI=2:\nname: \"user:test:both:1.0.0\"\nfilesets:\n  rtl:\n    files:\n      - both.v\n    file_type: verilogSource\n    depend:\n      - \
         \"rdma-rtl:small:send_endpoint:{version}\"\n      - \"rdma-rtl:small:receive_endpoint:{version}\"\ntargets:\n  lint:\n    filesets: [rtl]\n    \
         toplevel: both\n    flow: lint\n    flow_options:\n      tool: verilator\n      verilator_options: [\"-Wall\", \"-Wno-MULTITOP\"]\n"
    );
    std::fs::write(root.path().join("both.core"), core).unwrap();
    let text = succeeds(&fusesoc, &["--cores-root", ".", "run", "--target", "lint", "user:test:both:1.0.0"], root.path());
    assert!(!text.contains("MODDUP"), "{text}");
}

/// Every template of every block is VHDL, whatever Verilog calls its modules and ports.
#[test]
fn a_vhdl_parser_reads_every_template() {
    let Some(ghdl) = tool("ghdl") else { return };
    let root = tempfile::tempdir().unwrap();
    rtl(&["gen", "--all", "--profile", "small", "--out", root.path().to_str().unwrap()]);
    let parses = |name: &str, template: &str| {
        // The component is a declaration, the instance a statement: each where a person would put it.
        let (component, instance) = template.split_once("end component;\n").unwrap_or_else(|| panic!("{name}: no component\n{template}"));
        let instance = instance.split_once(" : ").map(|_| instance).unwrap();
        let ports = component.lines().filter_map(|l| l.trim().split_once(" : "));
        let signals: String = ports
            .map(|(port, kind)| {
                format!(
                    "  signal {} : {};\n",
                    port.trim(),
                    kind.trim().trim_start_matches("in ").trim_start_matches("out ").trim_end_matches(';')
                )
            })
            .collect();
        let text = format!(
            "library ieee;\nuse ieee.std_logic_1164.all;\nentity around is end;\narchitecture a of around is\n{component}end component;\n{signals}begin\n{instance}end;\n"
        );
        std::fs::write(root.path().join("around.vhd"), text).unwrap();
        run(&ghdl, &["-a", "--std=08", "around.vhd"], root.path())
    };
    let mut tried = 0;
    for folder in std::fs::read_dir(root.path()).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()) {
        let block = folder.file_name().unwrap().to_str().unwrap().to_string();
        let template = std::fs::read_to_string(folder.join(format!("{block}.vho"))).unwrap();
        let output = parses(&block, &template);
        assert!(output.status.success(), "{block}.vho: {}", said(&output));
        tried += 1;
    }
    assert!(tried > 70, "{tried} templates");
    // The check can fail.
    let register = std::fs::read_to_string(root.path().join("register/register.vho")).unwrap();
    assert!(register.contains("component \\register\\\n") && register.contains("register_0 : \\register\\"), "{register}");
    assert!(!parses("register", &register.replace("\\register\\", "register")).status.success());
}

#[test]
fn the_file_list_works_as_it_is() {
    let root = tempfile::tempdir().unwrap();
    for block in ["receive_endpoint", "mask_unit"] {
        let (folder, _) = written(block, root.path());
        let list = format!("{block}.f");
        if let Some(verilator) = tool("verilator") {
            succeeds(&verilator, &["--lint-only", "-Wall", "--top-module", block, "-f", &list], &folder);
        }
        if let Some(iverilog) = tool("iverilog") {
            assert_eq!(succeeds(&iverilog, &["-g2005", "-Wall", "-Wno-timescale", "-s", block, "-o", "out.vvp", "-c", &list], &folder), "");
        }
    }
}

#[test]
fn the_black_box_is_lint_clean_and_fits_the_module() {
    let root = tempfile::tempdir().unwrap();
    for block in ["receive_endpoint", "receive_registry", "mask_unit"] {
        let (folder, _) = written(block, root.path());
        let stub = format!("stub/{block}.v");
        if let Some(verilator) = tool("verilator") {
            // Newer ones add a report of themselves on standard output; warnings are on the other.
            let output = run(&verilator, &["--lint-only", "-Wall", &stub], &folder);
            assert!(output.status.success() && output.stderr.is_empty(), "{}", said(&output));
        }
        if let Some(yosys) = tool("yosys") {
            // The template's instance on the black box, with the wires that its comments ask for.
            let template = std::fs::read_to_string(folder.join(format!("{block}.veo"))).unwrap();
            let wire = |line: &str| {
                let name = line.trim().strip_prefix('.')?.split_whitespace().next()?.to_string();
                let range = line.split("put").nth(1)?.trim().to_string();
                Some(format!("    wire {range} {name};\n"))
            };
            let wires: String = template.lines().filter_map(wire).collect();
            assert!(wires.lines().count() > 5, "{template}");
            std::fs::write(folder.join("user.v"), format!("module user;\n{wires}{template}endmodule\n")).unwrap();
            let script = format!("read_verilog {stub} user.v; hierarchy -check -top user");
            assert_eq!(succeeds(&yosys, &["-q", "-p", &script], &folder), "");
            // The check can fail.
            let user = std::fs::read_to_string(folder.join("user.v")).unwrap();
            let port = user.lines().find(|l| l.trim_start().starts_with('.')).unwrap();
            std::fs::write(folder.join("user.v"), user.replacen(port, &port.replacen('.', ".no_", 1), 1)).unwrap();
            assert!(!run(&yosys, &["-q", "-p", &script], &folder).status.success());
        }
    }
}

/// Commands of Vivado that note their call, and refuse what Vivado would: files that are not there, names that no interface has.
const VIVADO: &str = r#"
set log [open calls.txt w]
proc note {args} { puts $::log $args; flush $::log }
foreach name {create_project set_property update_compile_order close_project current_fileset ipx::package_project ipx::create_xgui_files
              ipx::update_checksums ipx::check_integrity ipx::save_core} {
    namespace eval ipx {}
    proc $name {args} "note $name {*}\$args; return {}"
}
proc add_files {args} {
    note add_files {*}$args
    foreach file [lindex $args end] { if {![file isfile $file]} { error "add_files: no $file" } }
}
proc get_files {args} {
    foreach file [lindex $args end] { if {![file isfile $file]} { error "get_files: no $file" } }
    return [lindex $args end]
}
proc ipx::current_core {} { return core }
proc ipx::get_bus_interfaces {name args} { if {$name in $::interfaces} { return $name }; return {} }
proc ipx::get_memory_maps {name args} { return $name }
proc ipx::get_address_blocks {args} { return "[lindex $args end]/reg0" }
proc create_clock {args} { note create_clock {*}$args }
proc set_max_delay {args} { note set_max_delay {*}$args }
proc get_ports {name} { if {$name ni $::ports} { error "get_ports: no $name" }; return $name }
"#;

#[test]
fn the_tcl_does_what_vivado_needs() {
    let Some(tclsh) = tool("tclsh") else { return };
    let root = tempfile::tempdir().unwrap();
    // A path with a space is one word to Tcl and two names in a list of files.
    let (folder, _) = written("receive_endpoint", &root.path().join("two words"));
    let interfaces = "aclk aresetn s_axis_rx m_axis_tx m_axi s_axi_ctrl irq";
    let script = |interfaces: &str, rest: &str| {
        let text = format!("{VIVADO}\nset interfaces {{{interfaces}}}\nset ports {{aclk aresetn}}\n{rest}\n");
        std::fs::write(folder.join("run.tcl"), text).unwrap();
        let output = run(&tclsh, &["run.tcl"], &folder);
        (output.status.success(), said(&output), std::fs::read_to_string(folder.join("calls.txt")).unwrap_or_default())
    };
    let (good, text, calls) = script(interfaces, "source package_ip.tcl");
    assert!(good, "{text}");
    for part in [
        "ipx::package_project -root_dir",
        "-vendor rdma-rtl -library small",
        "set_property USED_IN {synthesis out_of_context}",
        "set_property range 4096 s_axi_ctrl",
        "set_property version 0.1 core",
        "ipx::save_core core",
    ] {
        assert!(calls.contains(part), "`{part}` is not in {calls}");
    }
    assert_eq!(calls.matches("ipx::save_core").count(), 1);
    let saved = calls.find("ipx::save_core");
    assert!(calls.find("ipx::check_integrity") < saved && saved < calls.find("close_project"), "{calls}");
    for (interfaces, rest, message) in [
        ("aclk aresetn s_axis_rx m_axis_tx m_axi irq", "source package_ip.tcl", "has not found the interface s_axi_ctrl"),
        (interfaces, "set argv {a b}; source package_ip.tcl", "2 arguments; at most one folder is allowed"),
        (interfaces, "set argv {.}; source package_ip.tcl", "has a component.xml already; name an empty folder"),
    ] {
        let (good, text, _) = script(interfaces, rest);
        assert!(!good && text.contains(message), "`{message}` is not in {text}");
    }
    let page = "foreach name {ipgui::add_param ipgui::add_page} { namespace eval ipgui {}; proc $name args {} }\nsource xgui/receive_endpoint_v0_1.tcl\ninit_gui inst";
    assert!(script(interfaces, page).0);
    let (good, text, calls) = script(interfaces, "source receive_endpoint_ooc.xdc; source receive_endpoint.xdc");
    assert!(good && calls.trim() == "create_clock -period 3.103 -name aclk aclk", "{text} {calls}");
    std::fs::remove_file(folder.join("receive_endpoint.v")).unwrap();
    let (good, text, _) = script(interfaces, "source package_ip.tcl");
    assert!(!good && text.contains("receive_endpoint.v is missing; write the folder anew"), "{text}");
}
