//! A model's ports by name, with values of any width as words.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::{Direction, Model};

/// Little-endian 32-bit words, as [`Model::poke`] takes them.
pub type Words = Vec<u32>;

/// A model driven by port names. Every output that is checked goes through [`check`](Pins::check), so that a failure names the
/// cycle, the port and both values.
pub struct Pins<'a> {
    model: &'a mut dyn Model,
}

impl<'a> Pins<'a> {
    /// Sets every input to zero.
    pub fn new(model: &'a mut dyn Model) -> Self {
        for port in 0..model.ports().len() {
            if model.ports()[port].direction == Direction::Input {
                let zero = vec![0; model.ports()[port].words()];
                model.poke(port, &zero);
            }
        }
        Self { model }
    }

    /// Leaves every input as it is.
    pub fn over(model: &'a mut dyn Model) -> Self {
        Self { model }
    }

    /// Clocks since the model was made.
    pub fn cycle(&self) -> u64 {
        self.model.cycle()
    }

    /// What the model itself has found wrong.
    pub fn failure(&self) -> Option<String> {
        self.model.failure().map(|reason| reason.to_string())
    }

    fn port(&self, name: &str) -> usize {
        self.model.port(name).unwrap_or_else(|| {
            let names: Vec<_> = self.model.ports().iter().map(|p| p.name.as_str()).collect();
            panic!("the bench drives port `{name}`, the design has {names:?}")
        })
    }

    /// The design has a port of this name.
    pub fn has(&self, name: &str) -> bool {
        self.model.port(name).is_some()
    }

    /// Width in bits.
    pub fn width(&self, name: &str) -> usize {
        self.model.ports()[self.port(name)].width
    }

    /// Sets an input of at most 64 bits.
    pub fn set(&mut self, name: &str, value: u64) {
        let port = self.port(name);
        self.model.poke_u64(port, value);
    }

    /// Sets an input of any width.
    pub fn set_words(&mut self, name: &str, value: &[u32]) {
        let port = self.port(name);
        self.model.poke(port, value);
    }

    /// Reads a port of at most 64 bits.
    pub fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.port(name))
    }

    /// Reads a port of any width.
    pub fn get_words(&self, name: &str) -> Words {
        let port = self.port(name);
        let mut words = vec![0; self.model.ports()[port].words()];
        self.model.peek(port, &mut words);
        words
    }

    /// Settles the combinational logic.
    pub fn eval(&mut self) {
        self.model.eval();
    }

    /// One clock.
    pub fn clock(&mut self) {
        self.model.clock();
    }

    /// `clocks` clocks with `rst`, then settled without it.
    pub fn reset(&mut self, clocks: usize) {
        self.set("rst", 1);
        for _ in 0..clocks {
            self.clock();
        }
        self.set("rst", 0);
        self.eval();
    }

    /// Waits until `ready` is high, as it is once the tables of a block are clear.
    /// # Errors
    /// It takes more than `within` clocks.
    pub fn until_ready(&mut self, within: u64) -> Result<(), String> {
        let began = self.cycle();
        while self.get("ready") == 0 {
            self.clock();
            self.eval();
            if self.cycle() > began + within {
                return Err(format!("the tables are not clear after {within} clocks"));
            }
        }
        Ok(())
    }

    /// A difference as an error text.
    pub fn check(&self, name: &str, expected: u64) -> Result<(), String> {
        let found = self.get(name);
        if found == expected {
            Ok(())
        } else {
            Err(format!("cycle {}: `{name}` is {found:#x}, expected {expected:#x}", self.model.cycle()))
        }
    }

    /// The same for any width.
    pub fn check_words(&self, name: &str, expected: &[u32]) -> Result<(), String> {
        let found = self.get_words(name);
        if found == expected {
            Ok(())
        } else {
            Err(format!("cycle {}: `{name}` is {}, expected {}", self.model.cycle(), hex(&found), hex(expected)))
        }
    }
}

fn hex(words: &[u32]) -> String {
    let digits: String = words.iter().rev().map(|w| format!("{w:08x}")).collect();
    format!("0x{digits}")
}

/// A random value of `width` bits.
pub fn random(rng: &mut ChaCha8Rng, width: usize) -> Words {
    let mut words: Words = (0..width.div_ceil(32)).map(|_| rng.random()).collect();
    trim(&mut words, width);
    words
}

/// Clears the bits from `width` up.
pub fn trim(words: &mut Words, width: usize) {
    words.resize(width.div_ceil(32), 0);
    if !width.is_multiple_of(32) {
        let last = words.len() - 1;
        words[last] &= (1 << (width % 32)) - 1;
    }
}

/// Bit `index`, false beyond the end.
pub fn bit(words: &[u32], index: usize) -> bool {
    words.get(index / 32).is_some_and(|w| w >> (index % 32) & 1 == 1)
}

/// The value whose bit `i` is `f(i)`.
pub fn from_bits(width: usize, f: impl Fn(usize) -> bool) -> Words {
    let mut words = vec![0; width.div_ceil(32)];
    for i in (0..width).filter(|&i| f(i)) {
        words[i / 32] |= 1 << (i % 32);
    }
    words
}

/// True `percent` times in a hundred.
pub fn chance(rng: &mut ChaCha8Rng, percent: u32) -> bool {
    rng.random_range(0..100) < percent
}
