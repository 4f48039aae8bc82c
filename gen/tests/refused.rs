//! Kernels that have no meaning as hardware are refused, with file, line, block and signal.

use rdma_rtl_gen::{Options, What, elaborate};
use rdma_rtl_hdl::describe::Described as _;
use rdma_rtl_hdl::{Described, kernel, primitives::Reg};
use rust_hdl::prelude::*;

/// A block with the usual ports and one kernel, and what the emitter says to it.
macro_rules! refused {
    ($name:ident, { $($field:ident: $ty:ty),* }, { $($kernel:tt)* }, $expected:expr) => {
        #[test]
        fn $name() {
            #[derive(Clone, Debug, Default, Described, LogicBlock)]
            struct Refused {
                clk: Signal<In, Clock>,
                c: Signal<In, Bit>,
                a: Signal<In, Bits<4>>,
                b: Signal<In, Bits<8>>,
                $($field: $ty,)*
            }
            impl Logic for Refused {
                $($kernel)*
            }
            let mut block = Refused::default();
            block.connect_all();
            let error = elaborate(&block.describe(), &Options::default()).expect_err("a refusal");
            assert_eq!(error.what, $expected);
            let text = error.to_string();
            assert!(text.starts_with("gen/tests/refused.rs:") && text.contains(": Refused: "), "{text}");
        }
    };
}

refused!(latch, { x: Signal<Out, Bit> }, {
    #[kernel]
    fn update(&mut self) {
        if self.c.val() {
            self.x.next = self.a.val().any();
        }
    }
}, What::Latch { signal: "x".into() });

refused!(latch_of_some_bits, { x: Signal<Out, Bits<4>> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.x.val().replace_bit(0, self.c.val());
        self.x.next = self.x.val().replace_bit(2, self.c.val());
    }
}, What::Latch { signal: "x".into() });

refused!(never_assigned, { x: Signal<Out, Bit>, y: Signal<Local, Bit> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.y.val();
    }
}, What::Unassigned { signal: "y".into() });

refused!(unassigned_register, { x: Reg<Bit>, y: Signal<Out, Bit> }, {
    #[kernel]
    fn update(&mut self) {
        self.y.next = self.x.q.val();
    }
}, What::Unassigned { signal: "x.d".into() });

refused!(loop_of_one, { x: Signal<Out, Bits<4>> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.x.val() + self.a.val();
    }
}, What::Loop { signals: vec!["x".into()] });

refused!(loop_of_two, { x: Signal<Out, Bits<4>>, y: Signal<Local, Bits<4>> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.y.val() + 1;
        self.y.next = self.x.val() ^ self.a.val();
    }
}, What::Loop { signals: vec!["x".into(), "y".into()] });

refused!(read_between, { x: Signal<Local, Bits<4>>, y: Signal<Out, Bits<4>> }, {
    #[kernel]
    fn update(&mut self) {
        if self.c.val() {
            self.x.next = self.a.val();
        }
        self.y.next = self.x.val();
        self.x.next = self.a.val() + 1;
    }
}, What::EarlyRead { signal: "x".into() });

refused!(loop_variable_like_a_field, { x: Signal<Out, Bits<4>> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = bits::<4>(0);
        for a in 0..4_usize {
            self.x.next = self.x.val() + a.to_bits::<4>();
        }
    }
}, What::Shadowed { name: "a".into() });

refused!(bit_past_the_end, { x: Signal<Out, Bit> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.a.val().get_bit(4);
    }
}, What::Index { name: "get_bit(4)".into(), reason: "allowed are 0 to 3".into() });

refused!(literal_too_big, { x: Signal<Out, Bits<4>> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.a.val() + 16;
    }
}, What::TooBig { value: "16".into(), width: 4 });

refused!(pattern_too_big, { x: Signal<Out, Bits<4>> }, {
    #[kernel]
    fn update(&mut self) {
        match self.a.val().index() {
            17 => self.x.next = bits::<4>(1),
            _ => self.x.next = bits::<4>(0),
        }
    }
}, What::TooBig { value: "17".into(), width: 4 });

refused!(amount_too_wide, { w: Signal<In, Bits<65>>, x: Signal<Out, Bits<8>> }, {
    #[kernel]
    fn update(&mut self) {
        self.x.next = self.b.val() << self.w.val();
    }
}, What::WideAmount { width: 65 });

refused!(gated_clock, { x: Reg<Bit>, y: Signal<Out, Bit> }, {
    #[kernel]
    fn update(&mut self) {
        self.y.next = self.x.q.val();
        self.x.d.next = self.c.val();
        if self.c.val() {
            self.x.clock.next = self.clk.val();
        }
    }
}, What::Unsupported {
    what: "x.clock: a clock that is not wired directly".into(),
    instead: "Assign it a clock once, outside of any `if`",
});

#[test]
fn unknown_names() {
    // As a constant is called, its value would be known.
    #[allow(non_upper_case_globals)]
    const outside: usize = 2;

    #[derive(Clone, Debug, Default, Described, LogicBlock)]
    struct Refused {
        a: Signal<In, Bits<4>>,
        x: Signal<Out, Bit>,
    }
    impl Logic for Refused {
        #[kernel]
        fn update(&mut self) {
            self.x.next = self.a.val().get_bit(outside);
        }
    }
    let mut block = Refused::default();
    block.connect_all();
    let error = elaborate(&block.describe(), &Options::default()).expect_err("a refusal");
    assert_eq!(error.what, What::Unknown { name: "outside".into() });
}

#[test]
fn a_signal_is_no_design() {
    let signal = Signal::<In, Bit>::default();
    assert!(matches!(elaborate(&signal.describe(), &Options::default()), Err(e) if matches!(e.what, What::Unsupported { .. })));
}
