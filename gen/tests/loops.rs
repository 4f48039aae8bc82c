//! Arrays as `generate` loops: what becomes one, what does not, and that nothing else has changed.

mod common;

use common::{describe, design, folder, run, write};
use rdma_rtl_gen::ir::{Design, Expr};
use rdma_rtl_gen::{Options, SourceFile, elaborate, emit, names};
use rdma_rtl_hdl::csr::CounterBank;
use rdma_rtl_hdl::primitives::Reg;
use rdma_rtl_hdl::wire::QueuePairList;
use rdma_rtl_hdl::{Described, kernel};
use rust_hdl::prelude::*;

/// A child that stands in an array.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
struct Cell {
    clk: Signal<In, Clock>,
    load: Signal<In, Bit>,
    word: Signal<In, Bits<4>>,
    kept: Signal<Out, Bits<4>>,
    value: Reg<Bits<4>>,
}

impl Logic for Cell {
    #[kernel]
    fn update(&mut self) {
        dff_setup!(self, clk, value);
        if self.load.val() {
            self.value.d.next = self.word.val();
        }
        self.kept.next = self.value.q.val();
    }
}

/// Five cells in a row: each is loaded by its number; a ripple runs from one to the next; a sum is made of all.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
struct Cells {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    load: Signal<In, Bit>,
    number: Signal<In, Bits<3>>,
    words: Signal<In, Bits<20>>,
    sum: Signal<Out, Bits<4>>,
    odd: Signal<Out, Bits<5>>,
    ripple: Signal<Out, Bit>,
    cell: [Cell; 5],
    hit: [Signal<Local, Bit>; 5],
    seen: [Reg<Bit>; 5],
    last: [Reg<Bits<4>>; 5],
    carry: [Signal<Local, Bit>; 6],
}

impl Logic for Cells {
    #[kernel]
    fn update(&mut self) {
        for i in 0..5 {
            self.cell[i].clk.next = self.clk.val();
            self.seen[i].clock.next = self.clk.val();
            self.last[i].clock.next = self.clk.val();
            self.hit[i].next = self.load.val() && (self.number.val() == i.to_bits::<3>());
            self.cell[i].load.next = self.hit[i].val();
            self.cell[i].word.next = self.words.val().get_bits::<4>(4 * i);
            self.seen[i].d.next = self.seen[i].q.val() || self.hit[i].val();
            self.last[i].d.next = self.last[i].q.val();
            if self.hit[i].val() {
                self.last[i].d.next = self.cell[i].kept.val();
            }
            if self.rst.val() {
                self.seen[i].d.next = false;
            }
        }
        self.carry[0].next = self.load.val();
        for i in 0..5 {
            self.carry[i + 1].next = self.carry[i].val() && self.seen[i].q.val();
        }
        self.ripple.next = self.carry[5].val();
        self.odd.next = bits::<5>(0);
        for i in 0..5 {
            self.odd.next = self.odd.val().replace_bit(i, self.last[i].q.val().get_bit(0));
        }
        self.sum.next = self.cell[0].kept.val() + self.cell[1].kept.val() + self.last[2].q.val() + self.cell[3].kept.val();
    }
}

fn text(design: &Design) -> String {
    emit(design).pop().expect("a top").text
}

#[test]
fn what_is_alike_is_a_loop() {
    insta::assert_snapshot!(text(&design(Cells::default())));
}

/// What a vector would make depend on itself stays as it is: a simulator that orders nets would find a loop there.
#[test]
fn a_ripple_is_no_vector() {
    let text = text(&design(Cells::default()));
    assert!(text.contains("wire carry_1 = carry_0 &&") && !text.contains("carry["), "{text}");
}

#[test]
fn names_lead_into_loops() {
    let found: Vec<(String, Vec<String>)> = names(&design(Cells::default())).into_iter().map(|n| (n.verilog, n.rust)).collect();
    let place = |rust: &str| found.iter().find(|(_, r)| r.iter().any(|r| r == rust)).map_or("", |(verilog, _)| verilog.as_str());
    assert_eq!(place("hit[3]"), "each[3].hit");
    assert_eq!(place("last[3].q"), "last[15:12]");
    assert_eq!(place("seen[2].q"), "seen[2]");
    assert_eq!(place("cell[4].value.q"), "each[4].cell_.kept");
}

/// An element that differs takes its array out of the loop, and nothing but that.
#[test]
fn an_element_that_differs_is_written_out() {
    let mut design = design(Cells::default());
    for value in design.values_mut("cells", "hit_3") {
        *value = Expr::bit(false);
    }
    let text = text(&design);
    assert!(text.contains("wire hit_3 = 1'b0;") && text.contains("wire hit_2 ="), "{text}");
    unlike(&design, "differs");
}

/// The design with the fields of its signals forgotten: nothing in it is an array any more.
fn written_out(design: &Design) -> Design {
    let mut flat = design.clone();
    flat.modules.iter_mut().flat_map(|m| &mut m.signals).for_each(|s| s.rust.clear());
    flat.modules.iter_mut().flat_map(|m| &mut m.instances).for_each(|i| i.rust.clear());
    flat
}

/// Yosys on the loops and on what they stand for: each signal of one has its value in the other.
fn compared(design: &Design, name: &str) -> Result<String, String> {
    let folder = folder(&format!("loops_{name}"));
    let files = |prefix: &str, design: &Design| -> Vec<SourceFile> {
        emit(design).into_iter().map(|f| SourceFile { name: format!("{prefix}_{}", f.name), ..f }).collect()
    };
    let gold = files("gold", &written_out(design));
    let mut gate = files("gate", design);
    assert_ne!(gold.last().map(|f| &f.text), gate.last().map(|f| &f.text), "{name} has no loop");
    // The names that the elements have where they are written out, for the prover to start from.
    let mut also = String::new();
    for (signal, place) in design.top().signals.iter().zip(places(design)) {
        if place != signal.name {
            also += &format!("    wire [{}:0] {} = {place};\n", signal.width - 1, signal.name);
        }
    }
    let top = gate.last_mut().expect("a top");
    top.text = top.text.replace("\nendmodule\n", &format!("\n{also}\nendmodule\n"));
    let read = |files: &[SourceFile]| {
        write(&folder, files);
        format!("read_verilog {}", files.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(" "))
    };
    let flat = |name: &str| {
        format!("hierarchy -check -top {}; proc -norom; flatten; memory; opt -full; rename -top {name}; design -stash {name}", design.top)
    };
    let script = format!(
        "{}; {}; {}; {}; design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; equiv_make gold gate equiv; \
         hierarchy -top equiv; equiv_struct; equiv_simple; equiv_induct; equiv_status -assert",
        read(&gold),
        flat("gold"),
        read(&gate),
        flat("gate"),
    );
    run("yosys", &["-p", &script], &folder)
}

/// What the text calls each signal of the top.
fn places(design: &Design) -> Vec<String> {
    let names = names(design);
    let place = |signal: &rdma_rtl_gen::ir::Signal| {
        let path = signal.rust.first();
        names.iter().find(|n| n.rust.first() == path && path.is_some()).map_or(signal.name.clone(), |n| n.verilog.clone())
    };
    design.top().signals.iter().map(place).collect()
}

fn alike(design: &Design, name: &str) {
    let said = compared(design, name);
    let proven = said.as_ref().is_ok_and(|text| text.contains("Equivalence successfully proven!"));
    assert!(proven, "{name}: {}", tail(&said.unwrap_or_else(|e| e)));
}

/// The prover does see a difference: the loops of `design` against what `Cells` is.
fn unlike(design: &Design, name: &str) {
    alike(design, name);
    let folder = folder(&format!("loops_{name}_unlike"));
    let mut files: Vec<SourceFile> = emit(&written_out(&self::design(Cells::default())))
        .into_iter()
        .map(|f| SourceFile { name: format!("gold_{}", f.name), ..f })
        .collect();
    files.extend(emit(design).into_iter().map(|f| SourceFile { name: format!("gate_{}", f.name), ..f }));
    write(&folder, &files);
    let flat = |name: &str| {
        format!("read_verilog {name}_*.v; hierarchy -check -top cells; proc; flatten; opt -full; rename -top {name}; design -stash {name}")
    };
    let script = format!(
        "{}; {}; design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; equiv_make gold gate equiv; \
         hierarchy -top equiv; equiv_struct; equiv_simple; equiv_induct; equiv_status -assert",
        flat("gold"),
        flat("gate")
    );
    assert!(run("yosys", &["-p", &script], &folder).is_err_and(|e| e.contains("unproven")), "{name} is the same as without its fault");
}

fn tail(text: &str) -> String {
    text.lines().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n")
}

#[test]
fn loops_are_what_they_stand_for() {
    alike(&design(Cells::default()), "cells");
    alike(&design(QueuePairList::<8, 3>::default()), "queue_pair_list");
    alike(&design(CounterBank::<4, 2, 3, 3>::default()), "counter_bank");
}

/// Signals that a view makes ports of are read outside of the loop.
#[test]
fn a_view_sees_into_loops() {
    let options = Options { formal_view: true, ..Options::default() };
    let design = elaborate(&describe(QueuePairList::<8, 3>::default()), &options).unwrap_or_else(|e| panic!("{e}"));
    let text = text(&design);
    assert!(text.contains("assign view_numbers_3 = numbers[95:72];"), "{text}");
}
