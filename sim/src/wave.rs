//! Value change dumps that Verilator does not write: of a rust-hdl block, and of recorded ports.

use crate::model::Port;
use rust_hdl::prelude::{Block, write_vcd_change, write_vcd_dump, write_vcd_header};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use vcd::{IdCode, TimescaleUnit, Value};

/// Puts the values of a block at a time (picoseconds) into a dump.
type Change = Box<dyn FnMut(u64, &dyn Block) + Send>;

/// rust-hdl's own dump of the whole hierarchy of a block.
pub(crate) struct BlockWave {
    change: Change,
}

impl BlockWave {
    pub(crate) fn new(file: BufWriter<File>, block: &dyn Block, time: u64) -> Self {
        // rust-hdl's functions take the writer and give it back, and its type has no public name: a closure holds it.
        let mut probe = write_vcd_header(file, block);
        let _ = probe.timestamp(time);
        let mut probe = Some(write_vcd_dump(probe, block));
        BlockWave {
            change: Box::new(move |time, block| {
                if let Some(mut p) = probe.take() {
                    let _ = p.timestamp(time);
                    probe = Some(write_vcd_change(p, block));
                }
            }),
        }
    }

    pub(crate) fn change(&mut self, time: u64, block: &dyn Block) {
        (self.change)(time, block);
    }
}

/// One scope of a dump of recorded ports.
pub(crate) struct Recorded<'a> {
    pub scope: &'a str,
    pub ports: &'a [Port],
    /// Per cycle, the words of all ports one after the other.
    pub cycles: Vec<&'a [u32]>,
}

/// Writes recorded cycles, the first of them numbered `first`, 10 ns each. Scopes stand side by side.
pub(crate) fn write_recorded(out: impl Write, first: u64, scopes: &[Recorded]) -> io::Result<()> {
    let mut writer = vcd::Writer::new(BufWriter::new(out));
    writer.timescale(1, TimescaleUnit::NS)?;
    let mut codes: Vec<Vec<IdCode>> = Vec::new();
    for scope in scopes {
        writer.add_module(scope.scope)?;
        codes.push(scope.ports.iter().map(|p| writer.add_wire(p.width as u32, &p.name)).collect::<io::Result<_>>()?);
        writer.upscope()?;
    }
    writer.enddefinitions()?;
    let length = scopes.iter().map(|s| s.cycles.len()).max().unwrap_or(0);
    for i in 0..length {
        writer.timestamp((first + i as u64) * 10)?;
        for (scope, codes) in scopes.iter().zip(&codes) {
            let Some(now) = scope.cycles.get(i) else { continue };
            let before = i.checked_sub(1).map(|b| scope.cycles[b]);
            let mut at = 0;
            for (port, &code) in scope.ports.iter().zip(codes) {
                let words = at..at + port.words();
                at = words.end;
                if before.is_none_or(|b| b[words.clone()] != now[words.clone()]) {
                    let value = &now[words];
                    let bit = |b: usize| if value[b / 32] >> (b % 32) & 1 == 1 { Value::V1 } else { Value::V0 };
                    if port.width == 1 {
                        writer.change_scalar(code, bit(0))?;
                    } else {
                        let bits: Vec<Value> = (0..port.width).rev().map(bit).collect();
                        writer.change_vector(code, &bits)?;
                    }
                }
            }
        }
    }
    writer.timestamp((first + length as u64) * 10)
}
