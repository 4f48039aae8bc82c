use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the paths say of one gap: whether its next packet may be ahead only because it took another one, and whether no path can bring it
/// any more.
///
/// Striped, the paths of a gap follow from its numbers: it is crossed if the packet behind it is not on the path of its first one, and
/// overtaken once every path that it covers has delivered later packets. Tagged, it may come over any path that is or was active: it is
/// crossed if there are several, and overtaken once all of them have.
/// Latency: 0 clocks.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct PathRule {
    /// 0 off, 1 striped, 2 tagged
    pub mode: Signal<In, Bits<2>>,
    /// paths that were active when it was seen
    pub marks: Signal<In, Bits<16>>,
    /// paths that are active
    pub active: Signal<In, Bits<16>>,
    /// paths that have delivered enough later packets
    pub passed: Signal<In, Bits<16>>,
    /// path of its first packet
    pub first_path: Signal<In, Bits<4>>,
    /// path of its last packet
    pub last_path: Signal<In, Bits<4>>,
    /// path of the packet behind it
    pub next_path: Signal<In, Bits<4>>,
    /// it has so many packets that it covers all paths
    pub wide: Signal<In, Bit>,
    /// later packets may be ahead because they took another path
    pub crossed: Signal<Out, Bit>,
    /// no path can bring it any more
    pub overtaken: Signal<Out, Bit>,
    live: Signal<Local, Bits<16>>,
    span: Signal<Local, Bits<4>>,
    place: [Signal<Local, Bits<4>>; 16],
    covers: Signal<Local, Bits<16>>,
    mask: Constant<Bits<4>>,
    exists: Constant<Bits<16>>,
}

impl PathRule {
    /// For as many paths.
    pub fn with_paths(paths: usize) -> Self {
        Self {
            mask: Constant::new(bits::<4>(paths as LiteralType - 1)),
            exists: Constant::new(bits::<16>((1 << paths) - 1)),
            ..Self::blank()
        }
    }
}

impl Logic for PathRule {
    #[kernel]
    fn update(&mut self) {
        self.live.next = (self.marks.val() | self.active.val()) & self.exists.val();
        self.span.next = (self.last_path.val() - self.first_path.val()) & self.mask.val();
        self.covers.next = self.exists.val();
        for k in 0..16 {
            self.place[k].next = (k.to_bits::<4>() - self.first_path.val()) & self.mask.val();
            if !self.wide.val() && (self.place[k].val() > self.span.val()) {
                self.covers.next = self.covers.val().replace_bit(k, false);
            }
        }
        self.crossed.next = false;
        self.overtaken.next = false;
        if self.mode.val() == bits::<2>(1) {
            self.crossed.next = self.first_path.val() != self.next_path.val();
            self.overtaken.next = !(self.covers.val() & !self.passed.val()).any();
        }
        if self.mode.val() == bits::<2>(2) {
            self.crossed.next = (self.live.val() & (self.live.val() - 1)).any();
            self.overtaken.next = self.live.val().any() && !(self.live.val() & !self.passed.val()).any();
        }
    }
}
