//! Tcl for Vivado: packaging with Vivado's own packager, and the page of the customisation dialog.

use super::About;
use super::bundle::{Interface, Shape};
use super::escape::{comment, tcl};
use super::ip_xact::{FAMILIES, TAXONOMY, display_name, ip_version, slave_range};
use std::fmt::Write;

/// The page that Vivado shows when the block is placed: sizes are fixed in the Verilog, so there is nothing but its name to choose.
pub fn page(top: &str) -> String {
    format!(
        "# {top}: its sizes are those of a profile and fixed in the Verilog. Another profile is another folder.\n\
         proc init_gui {{ IPINST }} {{\n  ipgui::add_param $IPINST -name \"Component_Name\"\n  ipgui::add_page $IPINST -name \"Page 0\"\n}}\n"
    )
}

/// `package_ip.tcl`.
pub fn script(top: &str, about: &About, sources: &[String], interfaces: &[Interface]) -> String {
    let mut out = format!(
        "# Packages {top} anew with the packager of the Vivado that runs this.\n\
         #\n\
         # The folder is an IP repository as it is: component.xml lies beside this file, and needs no packaging. This is for a release of Vivado\n\
         # that wants a description of its own, and to see what its packager makes of the Verilog.\n\
         #\n\
         #   vivado -mode batch -source package_ip.tcl\n\
         #   vivado -mode batch -source package_ip.tcl -tclargs FOLDER\n\
         #\n\
         # FOLDER, `packaged` beside this file unless told, becomes the IP repository. {about}.\n\n\
         set here [file dirname [file normalize [info script]]]\n\
         set folder [file join $here packaged]\n\
         if {{[info exists argv] && [llength $argv] > 1}} {{\n    \
             error \"package_ip.tcl: [llength $argv] arguments; at most one folder is allowed\"\n}}\n\
         if {{[info exists argv] && [llength $argv] == 1}} {{\n    set folder [file normalize [lindex $argv 0]]\n}}\n\
         if {{[file exists [file join $folder component.xml]]}} {{\n    \
             error \"package_ip.tcl: $folder has a component.xml already; name an empty folder\"\n}}\n\n\
         set sources {{}}\n\
         foreach name {{\n",
        about = comment(about.about).trim_end_matches('.')
    );
    for file in sources {
        let _ = writeln!(out, "    {file}");
    }
    let _ = write!(
        out,
        "}} {{\n    set file [file join $here $name]\n    \
             if {{![file isfile $file]}} {{ error \"package_ip.tcl: $file is missing; write the folder anew with rdma-rtl gen\" }}\n    \
             lappend sources $file\n}}\n\
         # Vivado's commands take lists of files: a path with a space in it is one of a list.\n\
         set constraints [list [file join $here {top}_ooc.xdc]]\n\n\
         create_project -force package_{top} [file join $folder project]\n\
         add_files -norecurse $sources\n\
         set_property top {top} [current_fileset]\n\
         add_files -fileset constrs_1 -norecurse $constraints\n\
         set_property USED_IN {{synthesis out_of_context}} [get_files $constraints]\n\
         update_compile_order -fileset sources_1\n\n\
         # Buses, clock and reset come from the attributes in the Verilog.\n\
         ipx::package_project -root_dir $folder -vendor {} -library {} -taxonomy {} -import_files -set_current true\n\
         set core [ipx::current_core]\n",
        tcl(super::VENDOR),
        tcl(about.profile),
        tcl(TAXONOMY)
    );
    for (property, value) in [
        ("name", tcl(top)),
        ("version", tcl(&ip_version(about.version))),
        ("display_name", tcl(&display_name(top, about))),
        ("description", tcl(&comment(about.about))),
        ("supported_families", format!("{{{}}}", FAMILIES.map(|f| format!("{f} Pre-Production")).join(" "))),
    ] {
        let _ = writeln!(out, "set_property {property} {value} $core");
    }
    let buses: Vec<&str> =
        interfaces.iter().filter(|i| i.shape != Shape::Loose && i.shape != Shape::Handshake).map(|i| i.name.as_str()).collect();
    let _ = write!(
        out,
        "\nforeach name {{{}}} {{\n    \
             if {{[llength [ipx::get_bus_interfaces $name -of_objects $core]] != 1}} {{\n        \
                 error \"package_ip.tcl: this Vivado has not found the interface $name; use the component.xml beside this file\"\n    }}\n}}\n",
        buses.join(" ")
    );
    let slaves: Vec<(&str, u64)> = interfaces
        .iter()
        .filter(|i| matches!(i.shape, Shape::Axi { .. }) && !i.master)
        .map(|i| (i.name.as_str(), slave_range(i, about)))
        .collect();
    if !slaves.is_empty() {
        let list: Vec<String> = slaves.iter().map(|(name, bytes)| format!("{name} {bytes}")).collect();
        let _ = write!(
            out,
            "# What each slave answers to, in bytes.\n\
             foreach {{name bytes}} {{{}}} {{\n    \
                 foreach block [ipx::get_address_blocks -of_objects [ipx::get_memory_maps $name -of_objects $core]] {{\n        \
                     set_property range $bytes $block\n    }}\n}}\n",
            list.join(" ")
        );
    }
    out.push_str(
        "\nipx::create_xgui_files $core\nipx::update_checksums $core\nipx::check_integrity $core\nipx::save_core $core\nclose_project -delete\n\
         puts \"packaged into $folder\"\n",
    );
    out
}
