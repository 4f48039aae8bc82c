//! Names that Verilog, SystemVerilog and VHDL all take.

use std::collections::HashSet;
use std::sync::LazyLock;

/// `MaskUnit` to `mask_unit`.
pub fn snake_case(name: &str) -> String {
    let mut out = String::new();
    let mut after_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && after_lower {
            out.push('_');
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// `State::WaitIdle` to `STATE_WAIT_IDLE`.
pub fn screaming_snake_case(name: &str) -> String {
    name.split("::").map(|part| snake_case(&flat(part))).collect::<Vec<_>>().join("_").to_uppercase()
}

/// `row[3].take` to `row_3_take`.
pub fn flat(path: &str) -> String {
    path.replace('[', "_").replace(']', "").replace('.', "_")
}

/// FNV-1a: the same in every build, which the standard library's hashes do not promise.
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn words(of: &[&'static str]) -> HashSet<&'static str> {
    of.iter().flat_map(|words| words.split_whitespace()).collect()
}

/// Whether Verilog or SystemVerilog has the name as a keyword.
pub fn is_verilog_keyword(name: &str) -> bool {
    static KEYWORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| words(&[VERILOG, SYSTEM_VERILOG]));
    KEYWORDS.contains(name.to_lowercase().as_str())
}

/// Whether VHDL-2008 has the name as a reserved word, in whatever case.
pub fn is_vhdl_keyword(name: &str) -> bool {
    static KEYWORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| words(&[VHDL]));
    KEYWORDS.contains(name.to_lowercase().as_str())
}

/// The name with a `_` behind it if one of the languages has it as a keyword.
pub fn safe(name: &str) -> String {
    // VHDL allows no identifier that begins or ends with an underscore, but Verilog does, and so do the tools in between.
    if is_vhdl_keyword(name) { format!("{name}_") } else { safe_in_verilog(name) }
}

/// As `safe`, but for a name that has to stay as it is where Verilog takes it: VHDL has extended identifiers.
pub fn safe_in_verilog(name: &str) -> String {
    if is_verilog_keyword(name) { format!("{name}_") } else { name.to_string() }
}

const VERILOG: &str = "
always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default defparam design disable
edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify endtable endtask event for force forever
fork function generate genvar highz0 highz1 if ifnone incdir include initial inout input instance integer join large liblist
library localparam macromodule medium module nand negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos
posedge primitive pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat
rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table
task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0 weak1 while wire wor
xnor xor";

const SYSTEM_VERILOG: &str = "
accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break byte chandle checker class
clocking const constraint context continue cover covergroup coverpoint cross dist do endchecker endclass endclocking endgroup
endinterface endpackage endprogram endproperty endsequence enum eventually expect export extends extern final first_match foreach
forkjoin global iff ignore_bins illegal_bins implements implies import inside int interconnect interface intersect join_any
join_none let local logic longint matches modport nettype new nexttime null package packed priority program property protected
pure rand randc randcase randsequence ref reject_on restrict return s_always s_eventually s_nexttime s_until s_until_with sequence
shortint shortreal soft solve static string strong struct super sync_accept_on sync_reject_on tagged this throughout timeprecision
timeunit type typedef union unique unique0 until until_with untyped var virtual void wait_order weak wildcard with within";

/// All of them, those that Verilog has as well and those of PSL included.
const VHDL: &str = "
abs access after alias all and architecture array assert assume assume_guarantee attribute begin block body buffer bus case component
configuration constant context cover default disconnect downto else elsif end entity exit fairness file for force function generate
generic group guarded if impure in inertial inout is label library linkage literal loop map mod nand new next nor not null of on open
or others out package parameter port postponed procedure process property protected pure range record register reject release rem
report restrict restrict_guarantee return rol ror select sequence severity shared signal sla sll sra srl strong subtype then to
transport type unaffected units until use variable vmode vprop vunit wait when while with xnor xor";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases() {
        for (from, to) in [("MaskUnit", "mask_unit"), ("LutRam", "lut_ram"), ("Psn24Add", "psn24_add"), ("AXIBank", "axibank")] {
            assert_eq!(snake_case(from), to);
        }
        assert_eq!(screaming_snake_case("State::WaitIdle"), "STATE_WAIT_IDLE");
        assert_eq!(screaming_snake_case("limits[2]"), "LIMITS_2");
        assert_eq!(flat("row[3].take"), "row_3_take");
    }

    #[test]
    fn keywords_of_all_three_languages_give_way() {
        for word in ["wire", "reg", "priority", "bit", "register", "range", "label", "Signal"] {
            assert_eq!(safe(word), format!("{word}_"));
        }
        for word in ["row", "read", "accept", "mask"] {
            assert_eq!(safe(word), word);
        }
        for (word, verilog, vhdl) in [
            ("register", false, true),
            ("RANGE", false, true),
            ("logic", true, false),
            ("unique0", true, false),
            ("property", true, true),
            ("if", true, true),
            ("psn", false, false),
        ] {
            assert_eq!((is_verilog_keyword(word), is_vhdl_keyword(word)), (verilog, vhdl), "{word}");
        }
        assert_eq!((safe_in_verilog("register"), safe_in_verilog("table")), ("register".to_string(), "table_".to_string()));
    }
}
