use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Path of a packet that both ends know from its number: each path has `2^stripe` numbers in turn.
///
/// Latency: 0 clocks. Paths are a power of two, so that the turn goes on where the numbers begin anew.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct StripePath {
    /// packet sequence number
    pub number: Signal<In, Bits<24>>,
    /// 2 to the power of this are the numbers of a path in turn
    pub stripe: Signal<In, Bits<4>>,
    /// the path
    pub path: Signal<Out, Bits<4>>,
    turn: Signal<Local, Bits<24>>,
    mask: Constant<Bits<4>>,
}

impl StripePath {
    /// For as many paths.
    pub fn with_paths(paths: usize) -> Self {
        Self { mask: Constant::new(bits::<4>(paths as LiteralType - 1)), ..Self::blank() }
    }
}

impl Default for StripePath {
    /// For as many paths as a number of 4 bits tells apart.
    fn default() -> Self {
        Self::with_paths(16)
    }
}

impl Logic for StripePath {
    #[kernel]
    fn update(&mut self) {
        self.turn.next = self.number.val() >> bit_cast::<24, 4>(self.stripe.val());
        self.path.next = self.turn.val().get_bits::<4>(0) & self.mask.val();
    }
}
