//! Clock, reset and hold that no kernel writes, and the ways in which a kernel or a type says otherwise.

use rdma_rtl_gen::{Options, elaborate, emit};
use rdma_rtl_hdl::primitives::{Reg, Register, State};
use rdma_rtl_hdl::{Described, kernel};
use rust_hdl::prelude::*;

#[derive(Default, Described, LogicBlock)]
struct Owner {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    flush: Signal<In, Bit>,
    take: Signal<In, Bit>,
    d: Signal<In, Bits<4>>,
    q: Signal<Out, Bits<4>>,
    usual: Register<4>,
    flushed: Register<4>,
    kept: Reg<Bits<4>>,
    cleared: [State<Bits<4>>; 2],
    preset: State<Bits<4>>,
}

impl Logic for Owner {
    #[kernel]
    fn update(&mut self) {
        self.usual.enable.next = self.take.val();
        self.usual.d.next = self.d.val();
        self.flushed.rst.next = self.flush.val();
        self.flushed.enable.next = self.take.val();
        self.flushed.d.next = self.usual.q.val();
        if self.take.val() {
            self.kept.d.next = self.d.val();
            self.preset.d.next = self.d.val();
        }
        for i in 0..2 {
            self.cleared[i].d.next = self.kept.q.val();
        }
        self.q.next = self.flushed.q.val() ^ self.cleared[0].q.val() ^ self.cleared[1].q.val() ^ self.preset.q.val();
    }
}

#[derive(Default, Described, LogicBlock)]
#[described(reset = "restart")]
struct Top {
    aclk: Signal<In, Clock>,
    aresetn: Signal<In, Bit>,
    d: Signal<In, Bits<4>>,
    q: Signal<Out, Bits<4>>,
    restart: Signal<Local, Bit>,
    inner: Register<4>,
}

impl Logic for Top {
    #[kernel]
    fn update(&mut self) {
        self.restart.next = !self.aresetn.val();
        self.inner.enable.next = true;
        self.inner.d.next = self.d.val();
        self.q.next = self.inner.q.val();
    }
}

/// The text of a block's own module, a space between words.
fn text(mut block: impl Block + rdma_rtl_hdl::describe::Described, file: &str) -> String {
    block.connect_all();
    let design = elaborate(&block.describe(), &Options::default()).unwrap();
    let files = emit(&design);
    let text = &files.iter().find(|f| f.name == file).unwrap().text;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn parts_have_clock_and_reset_of_their_owner_and_a_kernel_says_otherwise() {
    let text = text(Owner::default(), "owner.v");
    let usual = &text[text.find(" usual (").unwrap()..];
    let flushed = &text[text.find(" flushed (").unwrap()..];
    assert!(usual.starts_with(" usual ( .clk (clk), .rst (rst),"), "{text}");
    assert!(flushed.starts_with(" flushed ( .clk (clk), .rst (flush),"), "{text}");
}

#[test]
fn a_register_holds_and_a_state_is_cleared() {
    let text = text(Owner::default(), "owner.v");
    assert!(text.contains("always @(posedge clk) begin if (take) kept <= d; end"), "{text}");
    assert!(text.contains("if (rst) preset <= 4'd0; else if (take) preset <= d;"), "{text}");
    for i in 0..2 {
        assert!(text.contains(&format!("cleared_{i} <= 4'd0;")), "{text}");
    }
}

#[test]
fn a_type_names_another_reset() {
    let text = text(Top::default(), "top.v");
    let inner = &text[text.find(" inner (").unwrap()..];
    assert!(inner.starts_with(" inner ( .clk (aclk), .rst (restart),"), "{text}");
}

// `Owner` with its kernel in parts: what one part says of a register, another need not.
#[derive(Default, Described, LogicBlock)]
struct Parted {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    flush: Signal<In, Bit>,
    take: Signal<In, Bit>,
    d: Signal<In, Bits<4>>,
    q: Signal<Out, Bits<4>>,
    usual: Register<4>,
    flushed: Register<4>,
    kept: Reg<Bits<4>>,
    cleared: [State<Bits<4>>; 2],
    preset: State<Bits<4>>,
}

impl Logic for Parted {
    #[kernel]
    fn update(&mut self) {
        self.usual.enable.next = self.take.val();
        self.usual.d.next = self.d.val();
        self.passes();
        self.q.next = self.flushed.q.val() ^ self.cleared[0].q.val() ^ self.cleared[1].q.val() ^ self.preset.q.val();
    }
}

impl Parted {
    /// A part that has one itself.
    #[kernel]
    fn passes(&mut self) {
        self.flushed.rst.next = self.flush.val();
        self.flushed.enable.next = self.take.val();
        self.flushed.d.next = self.usual.q.val();
        self.keeps();
        for i in 0..ROWS {
            self.cleared[i].d.next = self.kept.q.val();
        }
    }

    #[kernel]
    fn keeps(&mut self) {
        if self.take.val() {
            self.kept.d.next = self.d.val();
            self.preset.d.next = self.d.val();
        }
    }
}

/// A constant that only a part names.
const ROWS: usize = 2;

#[test]
fn a_kernel_in_parts_is_the_same_as_in_one() {
    assert_eq!(text(Parted::default(), "parted.v").replace("parted", "owner"), text(Owner::default(), "owner.v"));
}

#[test]
fn a_part_runs_where_it_is_called() {
    let mut block = Parted::default();
    block.connect_all();
    block.take.next = true;
    block.d.next = bits::<4>(9);
    for high in [false, true] {
        block.clk.next = Clock { clk: high };
        simulate(&mut block, 10);
    }
    assert_eq!((block.kept.q.val(), block.preset.q.val()), (bits::<4>(9), bits::<4>(9)));
}
