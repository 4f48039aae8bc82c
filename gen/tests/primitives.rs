//! Memories, queues and buffers: one module with parameters for all sizes, and the same hardware as a module of each size.

mod common;

use common::{design, folder, run, write};
use rdma_rtl_gen::ir::{Connected, Connection, Design, Expr, Instance, Kind, Module, SignalId};
use rdma_rtl_gen::{SourceFile, emit, emit_beside};
use rdma_rtl_hdl::describe::Described;
use rdma_rtl_hdl::memory::SlotPool;
use rdma_rtl_hdl::primitives::{BlockRam, ClearedRam, FifoBlock, FifoLut, LutRam, QueueRam, Register, SkidBuffer};
use rust_hdl::prelude::Block;

/// The block as the only child of a top that passes its ports on: a primitive is one where it is a child.
fn in_a_top<B: Block + Described>(block: B) -> Design {
    let mut design = design(block);
    let mut child = design.modules.pop().expect("a module");
    child.name = child.origin.params.iter().fold(child.name, |name, (n, v)| format!("{name}_{}{v}", n.to_lowercase()));
    let signals: Vec<_> = child.signals.iter().filter(|s| s.kind != Kind::Net).cloned().collect();
    let connection = |(i, s): (usize, &rdma_rtl_gen::ir::Signal)| {
        let value = match s.kind {
            Kind::Input => Connected::Input(Expr::signal(SignalId(i), s.width)),
            _ => Connected::Output(SignalId(i)),
        };
        Connection { port: s.name.clone(), value }
    };
    let connections = signals.iter().enumerate().map(connection).collect();
    let inner = Instance { name: "inner".into(), rust: "inner".into(), module: child.name.clone(), doc: String::new(), connections };
    let top = Module {
        name: "holder".into(),
        signals,
        constants: Vec::new(),
        processes: Vec::new(),
        instances: vec![inner],
        memory: None,
        ..child.clone()
    };
    design.modules.extend([child, top]);
    design.top = "holder".into();
    design.check().unwrap_or_else(|e| panic!("{e}"));
    design
}

fn names(files: &[SourceFile]) -> Vec<&str> {
    files.iter().map(|f| f.name.as_str()).collect()
}

#[test]
fn a_child_is_the_module_with_its_sizes() {
    let files = emit(&in_a_top(FifoLut::<8, 3, 4>::default()));
    assert_eq!(names(&files), ["lut_ram.v", "fifo_lut.v", "holder.v"]);
    assert!(files[2].text.contains("    fifo_lut #(.WIDTH(8), .ADDRESS_BITS(3)) inner ("), "{}", files[2].text);
    insta::assert_snapshot!(files[0].text.clone() + &files[1].text);
    // What other sizes the design has is not to be seen in it.
    assert_eq!(emit(&in_a_top(FifoLut::<577, 5, 6>::default()))[..2], files[..2]);
}

#[test]
fn structure_is_in_the_name() {
    let of = |design: Design| names(&emit(&design))[0].to_string();
    assert_eq!(of(in_a_top(BlockRam::<8, 3, 0>::default())), "block_ram.v");
    assert_eq!(of(in_a_top(BlockRam::<8, 3, 1>::default())), "block_ram_registered.v");
}

/// A block that is not what the module is at its sizes stays what it is.
#[test]
fn an_edited_block_keeps_a_module_of_its_own() {
    let mut design = in_a_top(FifoLut::<8, 3, 4>::default());
    for value in design.values_mut("fifo_lut_width8_address_bits3_count_bits4", "step") {
        *value = Expr::literal(4, 1u8);
    }
    let files = emit(&design);
    assert_eq!(names(&files), ["lut_ram.v", "fifo_lut_width8_address_bits3_count_bits4.v", "holder.v"]);
    assert!(files[2].text.contains("    fifo_lut_width8_address_bits3_count_bits4 inner ("), "{}", files[2].text);
    let mut wider = in_a_top(SkidBuffer::<8>::default());
    wider.modules[0].signals[0].doc.push('!');
    assert_eq!(names(&emit(&wider)), ["skid_buffer_width8.v", "holder.v"]);
}

#[test]
fn a_top_has_the_sizes_that_were_asked_for_and_the_plain_name() {
    let top = emit(&design(FifoLut::<8, 3, 4>::default()));
    assert_eq!(names(&top), ["lut_ram.v", "fifo_lut.v"]);
    assert!(top[1].text.contains("module fifo_lut (\n") && top[1].text.contains("[7:0] in_data"), "{}", top[1].text);
    let beside = emit_beside(&in_a_top(FifoLut::<8, 3, 4>::default()), &["fifo_lut".into()]);
    assert_eq!(names(&beside), ["lut_ram.v", "fifo_lut_sized.v", "holder.v"]);
    let mut prefixed = in_a_top(FifoLut::<8, 3, 4>::default());
    prefixed.prefix("small").unwrap_or_else(|e| panic!("{e}"));
    let files = emit(&prefixed);
    assert_eq!(names(&files), ["small_lut_ram.v", "small_fifo_lut.v", "small_holder.v"]);
    assert!(files[1].text.contains("    small_lut_ram #(.WIDTH(WIDTH), .ADDRESS_BITS(ADDRESS_BITS)) memory ("), "{}", files[1].text);
}

/// Yosys proves the module with parameters equal to the one that has the sizes written out, memories as flip-flops.
fn equal<B: Block + Described>(make: impl Fn() -> B) {
    let (own, held) = (design(make()), emit(&in_a_top(make())));
    let label = own.top().origin.params.iter().fold(own.top.clone(), |label, (n, v)| format!("{label}_{}{v}", n.to_lowercase()));
    let folder = folder(&format!("primitives_{label}"));
    let (holder, parts) = held.split_last().expect("a top");
    // `fifo_lut #(.WIDTH(8), .ADDRESS_BITS(3)) inner (`
    let used = holder.text.lines().find_map(|l| l.trim().strip_suffix(")) inner (")?.split_once(" #("));
    let (module, values) = used.unwrap_or_else(|| panic!("{label} has no parameters:\n{}", holder.text));
    let set = values.replace("), .", " -set ").replace('(', " ").replacen('.', "-set ", 1);
    let gold: Vec<_> = emit(&own).into_iter().map(|f| SourceFile { name: format!("gold_{}", f.name), ..f }).collect();
    let read = |files: &[SourceFile]| {
        write(&folder, files);
        format!("read_verilog {}", files.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(" "))
    };
    let flat = |top: &str, name: &str| {
        format!("hierarchy -check -top {top}; proc; flatten; memory; opt -full; rename -top {name}; design -stash {name}")
    };
    let script = format!(
        "{}; {}; {}; chparam {set} {module}; {}; design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; \
         equiv_make gold gate equiv; hierarchy -top equiv; equiv_simple; equiv_induct; equiv_status -assert",
        read(&gold),
        flat(&own.top, "gold"),
        read(parts),
        flat(module, "gate"),
    );
    if let Err(said) = run("yosys", &["-p", &script], &folder) {
        panic!("{label}: {}", said.lines().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn each_size_is_the_hardware_of_a_module_of_its_own() {
    equal(LutRam::<1, 2>::default);
    equal(LutRam::<9, 3>::default);
    equal(BlockRam::<1, 2, 0>::default);
    equal(BlockRam::<9, 3, 0>::default);
    equal(BlockRam::<5, 2, 1>::default);
    equal(QueueRam::<1, 2>::default);
    equal(QueueRam::<9, 3>::default);
    equal(FifoLut::<1, 2, 3>::default);
    equal(FifoLut::<5, 3, 4>::default);
    equal(FifoBlock::<5, 2, 3>::default);
    equal(FifoBlock::<1, 3, 4>::default);
    equal(ClearedRam::<1, 2, 0>::default);
    equal(ClearedRam::<5, 3, 1>::default);
    equal(Register::<1>::default);
    equal(Register::<577>::default);
    equal(SkidBuffer::<1>::default);
    equal(SkidBuffer::<577>::default);
    equal(SlotPool::<8, 3, 4>::default);
}
