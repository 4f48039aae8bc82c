//! What the cells of a mapped netlist are.
//!
//! Sources: UG953 and UG974 (libraries guides of 7 series and UltraScale), and the cell lists of Yosys for `xilinx` and `ecp5`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Kinds of cell that are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// LUT1 to LUT6, LUT4, and inverters, which become part of a LUT or one of their own.
    Lut,
    WideMux,
    Carry,
    LutRam,
    ShiftRegister,
    FlipFlop,
    BlockRam,
    UltraRam,
    Dsp,
    Other,
}

/// `text` is `prefix` and then digits alone, at least one.
fn numbered(text: &str, prefix: &str) -> Option<u32> {
    let digits = text.strip_prefix(prefix)?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) { None } else { digits.parse().ok() }
}

pub fn kind(cell: &str) -> Kind {
    match cell {
        "INV" => return Kind::Lut,
        "PFUMX" | "L6MUX21" => return Kind::WideMux,
        "CCU2C" | "CARRY4" | "CARRY8" => return Kind::Carry,
        "TRELLIS_DPR16X4" => return Kind::LutRam,
        "TRELLIS_FF" => return Kind::FlipFlop,
        "DP16KD" | "PDPW16KD" => return Kind::BlockRam,
        "URAM288" | "URAM288_BASE" => return Kind::UltraRam,
        "DSP48E1" | "DSP48E2" | "MULT18X18D" | "ALU54B" => return Kind::Dsp,
        _ => {}
    }
    if numbered(cell, "LUT").is_some_and(|n| (1..=6).contains(&n)) {
        Kind::Lut
    } else if numbered(cell, "MUXF").is_some_and(|n| (7..=9).contains(&n)) {
        Kind::WideMux
    } else if cell.strip_prefix("SRL").is_some_and(|rest| {
        matches!(rest.strip_prefix('C').unwrap_or(rest).strip_suffix('E').unwrap_or(rest.strip_prefix('C').unwrap_or(rest)), "16" | "32")
    }) {
        Kind::ShiftRegister
    } else if cell.strip_prefix("RAMB").is_some_and(|rest| matches!(rest, "18E1" | "18E2" | "36E1" | "36E2")) {
        Kind::BlockRam
    } else if lut_ram(cell) {
        Kind::LutRam
    } else if matches!(cell.strip_suffix("_1").unwrap_or(cell), "FDRE" | "FDSE" | "FDCE" | "FDPE") {
        Kind::FlipFlop
    } else {
        Kind::Other
    }
}

/// `RAM`, depth, `M` or `X`, width and kind: RAM32M16, RAM64X1D.
fn lut_ram(cell: &str) -> bool {
    let Some(rest) = cell.strip_prefix("RAM") else { return false };
    let depth = rest.bytes().take_while(u8::is_ascii_digit).count();
    depth > 0 && matches!(rest.as_bytes().get(depth), Some(b'M' | b'X')) && rest[depth + 1..].bytes().all(|b| b.is_ascii_alphanumeric())
}

/// LUTs that one LUT RAM cell fills.
fn lut_ram_luts(cell: &str) -> u64 {
    match cell {
        "RAM32X1S" | "RAM64X1S" => 1,
        "RAM32X1D" | "RAM64X1D" | "RAM128X1S" => 2,
        "RAM32M" | "RAM64M" | "RAM128X1D" | "RAM256X1S" => 4,
        "TRELLIS_DPR16X4" => 6,
        "RAM32M16" | "RAM64M8" | "RAM256X1D" | "RAM512X1S" => 8,
        _ => 0,
    }
}

/// Ports of a LUT RAM or shift register that its asynchronous read depends on; a write goes no further than the clock edge.
pub(crate) fn is_read_address(port: &str) -> bool {
    port.starts_with("ADDR") || port.starts_with("DPRA") || port.starts_with("RAD") || {
        port.strip_prefix('A').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
    }
}

/// Cells of one netlist, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// LUT cells and inverters, LUT RAM and shift registers not among them; two small ones are never packed into one.
    pub lut: u64,
    pub ff: u64,
    /// LUT RAM cells, and the LUTs that they fill
    pub lutram: u64,
    pub lutram_lut: u64,
    pub srl: u64,
    /// Block RAM cells of every size
    pub bram: u64,
    pub bram36: u64,
    pub bram18: u64,
    pub uram: u64,
    pub dsp: u64,
    pub carry: u64,
    pub wide_mux: u64,
    pub other: u64,
    /// By the library's name
    pub cells: BTreeMap<String, u64>,
}

impl Figures {
    pub fn of<'a>(cells: impl IntoIterator<Item = &'a str>) -> Figures {
        let mut by_type = BTreeMap::new();
        for cell in cells {
            *by_type.entry(cell.to_string()).or_insert(0) += 1;
        }
        Figures::of_counts(by_type)
    }

    pub fn of_counts(cells: BTreeMap<String, u64>) -> Figures {
        let mut f = Figures::default();
        for (cell, &n) in &cells {
            match kind(cell) {
                Kind::Lut => f.lut += n,
                Kind::WideMux => f.wide_mux += n,
                Kind::Carry => f.carry += n,
                Kind::LutRam => {
                    f.lutram += n;
                    f.lutram_lut += n * lut_ram_luts(cell);
                }
                Kind::ShiftRegister => f.srl += n,
                Kind::FlipFlop => f.ff += n,
                Kind::BlockRam => {
                    f.bram += n;
                    f.bram36 += if cell.starts_with("RAMB36") { n } else { 0 };
                    f.bram18 += if cell.starts_with("RAMB18") { n } else { 0 };
                }
                Kind::UltraRam => f.uram += n,
                Kind::Dsp => f.dsp += n,
                Kind::Other => f.other += n,
            }
        }
        f.cells = cells;
        f
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_what_the_libraries_say() {
        let all: [(Kind, &[&str]); 10] = [
            (Kind::Lut, &["LUT1", "LUT6", "LUT4", "INV"]),
            (Kind::WideMux, &["MUXF7", "MUXF9", "PFUMX", "L6MUX21"]),
            (Kind::Carry, &["CARRY4", "CARRY8", "CCU2C"]),
            (Kind::LutRam, &["RAM32M16", "RAM64M8", "RAM64X1D", "RAM512X1S", "TRELLIS_DPR16X4"]),
            (Kind::ShiftRegister, &["SRL16E", "SRLC32E", "SRLC16E", "SRL16"]),
            (Kind::FlipFlop, &["FDRE", "FDSE", "FDCE_1", "TRELLIS_FF"]),
            (Kind::BlockRam, &["RAMB18E1", "RAMB36E2", "DP16KD"]),
            (Kind::UltraRam, &["URAM288"]),
            (Kind::Dsp, &["DSP48E2", "MULT18X18D"]),
            (Kind::Other, &["LUT7", "LUT", "MUXF6", "RAMB36", "RAMS", "SRL64E", "FDXE", "BUFG", "", "lut4", "SRLE", "RAM", "RAM32"]),
        ];
        for (wanted, cells) in all {
            for cell in cells {
                assert_eq!(kind(cell), wanted, "{cell}");
            }
        }
    }

    #[test]
    fn figures_add_up() {
        let f = Figures::of(["LUT3", "LUT6", "INV", "RAM64M8", "RAM32M", "RAMB36E2", "RAMB18E2", "RAMB18E2", "FDRE", "BUFG", "MUXF7"]);
        assert_eq!((f.lut, f.lutram, f.lutram_lut, f.bram, f.bram36, f.bram18), (3, 2, 12, 3, 1, 2));
        assert_eq!((f.ff, f.other, f.wide_mux, f.cells["RAMB18E2"]), (1, 1, 1, 2));
    }

    #[test]
    fn only_reads_go_through_a_memory() {
        assert!(["ADDRA", "DPRA0", "A3", "A", "RAD"].into_iter().all(is_read_address));
        assert!(!["DIA", "WE", "WCLK", "ACLK", "WAD", "D"].into_iter().any(is_read_address));
    }
}
