//! The text of single blocks, what stays when another block changes, and editing a design.

mod common;

use common::{describe, design};
use rdma_rtl_gen::ir::{Direction, Expr, ExprKind, Reduce};
use rdma_rtl_gen::{Options, SourceFile, What, elaborate, emit, emit_guarded, names, names_json};
use rdma_rtl_hdl::describe::Node;
use rdma_rtl_hdl::primitives::{BlockRam, ClearedRam, FifoLut, Reg};
use rdma_rtl_hdl::receive::MaskUnit;
use rdma_rtl_hdl::send::{CommandTable, StatusReader};
use rdma_rtl_hdl::wire::QueuePairList;
use rdma_rtl_hdl::{Described, kernel};
use rust_hdl::prelude::*;

#[test]
fn mask_unit() {
    insta::assert_snapshot!(emit(&design(MaskUnit::<32>::default()))[0].text);
}

#[test]
fn status_reader() {
    insta::assert_snapshot!(emit(&design(StatusReader::<4, 8, 9>::new())).pop().unwrap().text);
}

#[test]
fn array_of_registers() {
    insta::assert_snapshot!(emit(&design(QueuePairList::<8, 3>::default()))[0].text);
}

#[test]
fn fifo_with_its_memory() {
    let files = emit(&design(FifoLut::<8, 3, 4>::default()));
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["lut_ram.v", "fifo_lut.v"]);
    insta::assert_snapshot!(files[0].text.clone() + &files[1].text);
}

#[test]
fn block_ram_with_output_register() {
    insta::assert_snapshot!(emit(&design(BlockRam::<8, 4, 1>::default()))[0].text);
}

#[test]
fn a_table_of_memories_with_forwarding() {
    insta::assert_snapshot!(emit(&design(CommandTable::<4, 8, 18, 18>::new()))[0].text);
}

#[test]
fn names_of_a_design_with_a_child() {
    let design = design(ClearedRam::<8, 4, 0>::default());
    insta::assert_snapshot!(names_json(&design));
    let registers: Vec<String> = names(&design).into_iter().filter(|n| n.register).map(|n| n.verilog).collect();
    assert_eq!(registers, ["ready", "next_word"]);
}

#[test]
fn ports_of_the_top() {
    let ports = design(MaskUnit::<8>::default()).ports();
    let found: Vec<_> = ports.iter().map(|p| (p.name.as_str(), p.width, p.direction == Direction::Input, p.clock)).collect();
    assert_eq!(
        found[..4],
        [("clk", 1, true, true), ("rst", 1, true, false), ("start_valid", 1, true, false), ("start_mask", 8, true, false)]
    );
    assert_eq!(found[8], ("mask", 8, false, false));
}

#[test]
fn the_formal_view_shows_what_is_inside() {
    let options = Options { formal_view: true, ..Options::default() };
    let design = elaborate(&describe(MaskUnit::<8>::default()), &options).unwrap_or_else(|e| panic!("{e}"));
    let text = &emit(&design)[0].text;
    assert!(text.contains("output wire [7:0] view_with_arrival") && text.contains("assign view_with_arrival = with_arrival;"), "{text}");
}

/// Two children of one type that differ in a constant alone.
#[derive(Clone, Debug, Described, LogicBlock)]
struct Offset {
    a: Signal<In, Bits<4>>,
    x: Signal<Out, Bits<4>>,
    offset: Constant<Bits<4>>,
    #[variant]
    _by: usize,
}

impl Offset {
    fn new(offset: u64, by: usize) -> Self {
        Self { a: Default::default(), x: Default::default(), offset: Constant::new(offset.into()), _by: by }
    }
}

impl Logic for Offset {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.a.val() + self.offset.val();
    }
}

#[derive(Clone, Debug, Described, LogicBlock)]
struct Offsets {
    clk: Signal<In, Clock>,
    a: Signal<In, Bits<4>>,
    x: Signal<Out, Bits<4>>,
    first: Offset,
    second: Offset,
    third: Offset,
    held: Reg<Bits<4>>,
}

impl Offsets {
    /// The word of each tells its offset, if it is `told`.
    fn node(offsets: [u64; 3], told: bool) -> Node {
        let [first, second, third] = offsets.map(|offset| Offset::new(offset, if told { offset as usize } else { 0 }));
        let (clk, a, x) = Default::default();
        describe(Self { clk, a, x, first, second, third, held: Default::default() })
    }
}

impl Logic for Offsets {
    #[kernel]
    fn update(&mut self) {
        dff_setup!(self, clk, held);
        self.first.a.next = self.a.val();
        self.second.a.next = self.first.x.val();
        self.third.a.next = self.second.x.val();
        self.held.d.next = self.third.x.val();
        self.x.next = self.held.q.val();
    }
}

#[test]
fn equal_blocks_share_a_module_and_others_do_not() {
    let design = |offsets| elaborate(&Offsets::node(offsets, true), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let files = |offsets| emit(&design(offsets)).into_iter().map(|f| f.name).collect::<Vec<_>>();
    assert_eq!(files([3, 3, 3]), ["offset_by3.v", "offsets.v"]);
    assert_eq!(files([3, 5, 3]), ["offset_by3.v", "offset_by5.v", "offsets.v"]);
}

/// A name that means one thing here and another one there is worse than none.
#[test]
fn two_contents_of_one_name_are_refused() {
    let error = elaborate(&Offsets::node([3, 5, 3], false), &Options::default()).unwrap_err();
    assert_eq!(error.what, What::SameName { name: "offset".into() });
    assert!(
        error.to_string().contains("Offset: two blocks would be the module offset") && error.to_string().contains("#[variant]"),
        "{error}"
    );
    // A child that is called like the top.
    let options = Options { top_name: Some("offset".into()), ..Options::default() };
    let error = elaborate(&Offsets::node([3, 3, 3], false), &options).unwrap_err();
    assert_eq!(error.what, What::SameName { name: "offset".into() });
}

/// What is in a block makes it another block, and its name says so; the top keeps the name that was asked for.
#[test]
fn the_words_of_children_are_in_the_names_of_their_owners() {
    let mut owner = Owner { a: Default::default(), x: Default::default(), inner: Middle::new(3) };
    let names = |owner: &Owner| {
        let design = design(owner.clone());
        design.modules.into_iter().map(|m| m.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&owner), ["offset_by3", "middle_by3", "owner"]);
    owner.inner = Middle::new(0);
    assert_eq!(names(&owner), ["offset", "middle", "owner"]);
}

#[derive(Clone, Debug, Described, LogicBlock)]
struct Middle {
    a: Signal<In, Bits<4>>,
    x: Signal<Out, Bits<4>>,
    offset: Offset,
}

impl Middle {
    fn new(by: usize) -> Self {
        Self { a: Default::default(), x: Default::default(), offset: Offset::new(by as u64, by) }
    }
}

impl Logic for Middle {
    #[kernel]
    fn update(&mut self) {
        self.offset.a.next = self.a.val();
        self.x.next = self.offset.x.val();
    }
}

#[derive(Clone, Debug, Described, LogicBlock)]
struct Owner {
    a: Signal<In, Bits<4>>,
    x: Signal<Out, Bits<4>>,
    inner: Middle,
}

impl Logic for Owner {
    #[kernel]
    fn update(&mut self) {
        self.inner.a.next = self.a.val();
        self.x.next = self.inner.x.val();
    }
}

#[test]
fn a_prefix_goes_before_every_module() {
    let mut design = elaborate(&Offsets::node([3, 5, 3], true), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    design.prefix("small").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(design.check(), Ok(()));
    let files = emit(&design);
    assert_eq!(files.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["small_offset_by3.v", "small_offset_by5.v", "small_offsets.v"]);
    assert!(
        files[2].text.contains("    small_offset_by3 first (") && files[2].text.contains("module small_offsets ("),
        "{}",
        files[2].text
    );
    for wrong in ["", "9a", "a b", "a-b", "ünder", "a_", "a__b", &"a".repeat(25)] {
        let error = design.prefix(wrong).unwrap_err();
        assert!(error.contains(&format!("`{wrong}`")) && error.contains("a letter"), "{error}");
    }
}

/// Read twice, a module is there once; another content of its name is an error of the tool that reads it, as ever.
#[test]
fn a_module_that_is_read_twice_is_there_once() {
    let texts =
        |offset| emit_guarded(&elaborate(&Offsets::node([offset; 3], false), &Options::default()).unwrap_or_else(|e| panic!("{e}")), &[]);
    let guard = |file: &SourceFile| {
        let lines: Vec<&str> = file.text.lines().collect();
        let name = lines.iter().find_map(|l| l.strip_prefix("`ifndef ")).unwrap_or_else(|| panic!("no guard:\n{}", file.text)).to_string();
        assert!(lines.contains(&format!("`define {name}").as_str()) && lines.last() == Some(&"`endif"), "{}", file.text);
        name
    };
    let (three, four) = (texts(3), texts(4));
    let guards = |files: &[SourceFile]| files.iter().map(guard).collect::<Vec<_>>();
    assert_eq!(guards(&three), guards(&texts(3)));
    assert_ne!(guards(&three)[0], guards(&four)[0]);
    assert_eq!(guards(&three)[1], guards(&four)[1]);
    assert!(guards(&three)[0].starts_with("OFFSET_") && guards(&three)[1].starts_with("OFFSETS_"));
}

#[test]
fn an_edit_of_one_block_changes_no_other_file() {
    let [before, after] = [3, 4].map(|offset| {
        elaborate(&Offsets::node([offset; 3], false), &Options::default()).map(|d| emit(&d)).unwrap_or_else(|e| panic!("{e}"))
    });
    assert_ne!(before[0], after[0]);
    assert_eq!(before[1], after[1]);
}

#[test]
fn a_design_can_be_edited_by_name() {
    let mut design = design(MaskUnit::<8>::default());
    let arrival = design.top().read("arrival_valid").expect("a port");
    let module = design.module_mut("mask_unit").expect("the top");
    let mut reduced = 0;
    for value in module.values_mut("duplicate") {
        value.walk_mut(&mut |e| {
            if let ExprKind::Reduce(op, _) = &mut e.kind {
                *op = Reduce::Xor;
                reduced += 1;
            }
        });
    }
    assert_eq!(reduced, 1);
    *module.conditions_mut("mask")[1] = arrival;
    let loads = module.values_mut("mask");
    assert_eq!(loads.len(), 3);
    design.check().unwrap_or_else(|e| panic!("{e}"));
    let text = &emit(&design)[0].text;
    assert!(text.contains("assign duplicate = ^(mask & arrival_bits);") && !text.contains("if (start_valid)"), "{text}");

    for value in design.values_mut("mask_unit", "mask") {
        *value = Expr::literal(3, 1u8);
    }
    assert!(design.check().is_err_and(|e| e.contains("3 bits are assigned to mask of 8 bits")));
    assert!(design.values_mut("mask_unit", "nothing").is_empty());
}
