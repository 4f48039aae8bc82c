//! What a bench drives: a clocked design with named ports, whichever back end runs it.

pub use rdma_rtl_verilated::{Direction, Port};

/// A clocked design.
///
/// Values are little-endian 32-bit words, `ceil(width / 32)` of them. Bits above the width are ignored by [`poke`](Model::poke) and are
/// zero after [`peek`](Model::peek). The clock is not a port: [`clock`](Model::clock) is one whole cycle of it. Every signal is two-state.
///
/// A port is named by its index in [`ports`](Model::ports), found once with [`port`](Model::port); an index that does not exist is a
/// mistake of the caller and panics with the index and the number of ports.
pub trait Model {
    /// Every port but the clock, in the order of the design's text.
    fn ports(&self) -> &[Port];

    /// Sets an input. It takes effect at the next [`eval`](Model::eval) or [`clock`](Model::clock). Poking an output does nothing lasting.
    fn poke(&mut self, port: usize, words: &[u32]);

    /// Reads a port: an input as it was poked, an output as of the last `eval` or `clock`.
    fn peek(&self, port: usize, words: &mut [u32]);

    /// Settles the combinational logic for the inputs as poked. No clock edge.
    fn eval(&mut self);

    /// One whole clock cycle: the rising edge sees the inputs as poked; outputs are settled when it returns; `cycle` is one more.
    fn clock(&mut self);

    /// Completed clock cycles since the model was made.
    fn cycle(&self) -> u64;

    /// Why the model stopped: logic that does not settle, `$fatal`, a difference between two models in lockstep. It stands still from
    /// then on; a bench that waits for something should look here.
    fn failure(&self) -> Option<&str> {
        None
    }

    /// Index of a port by its name.
    fn port(&self, name: &str) -> Option<usize> {
        self.ports().iter().position(|p| p.name == name)
    }

    /// Sets an input of at most 64 bits.
    #[inline]
    fn poke_u64(&mut self, port: usize, value: u64) {
        let words = [value as u32, (value >> 32) as u32];
        let n = self.ports()[port].words();
        assert!(n <= 2, "poke_u64 is for ports of at most 64 bits, `{}` has {}", self.ports()[port].name, self.ports()[port].width);
        self.poke(port, &words[..n]);
    }

    /// Reads a port of at most 64 bits.
    #[inline]
    fn peek_u64(&self, port: usize) -> u64 {
        let n = self.ports()[port].words();
        assert!(n <= 2, "peek_u64 is for ports of at most 64 bits, `{}` has {}", self.ports()[port].name, self.ports()[port].width);
        let mut words = [0u32; 2];
        self.peek(port, &mut words[..n]);
        u64::from(words[0]) | u64::from(words[1]) << 32
    }
}

impl<M: Model + ?Sized> Model for Box<M> {
    fn ports(&self) -> &[Port] {
        (**self).ports()
    }
    fn poke(&mut self, port: usize, words: &[u32]) {
        (**self).poke(port, words)
    }
    fn peek(&self, port: usize, words: &mut [u32]) {
        (**self).peek(port, words)
    }
    fn eval(&mut self) {
        (**self).eval()
    }
    fn clock(&mut self) {
        (**self).clock()
    }
    fn cycle(&self) -> u64 {
        (**self).cycle()
    }
    fn failure(&self) -> Option<&str> {
        (**self).failure()
    }
    fn poke_u64(&mut self, port: usize, value: u64) {
        (**self).poke_u64(port, value)
    }
    fn peek_u64(&self, port: usize) -> u64 {
        (**self).peek_u64(port)
    }
}
