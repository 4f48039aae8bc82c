//! Reading and driving the ports of a block by number: what a simulation needs and rust-hdl's `Signal` hides behind its type.
//!
//! `#[derive(Described)]` implements [`Ports`] for every block, from its `Signal<In, _>` and `Signal<Out, _>` fields.

use rust_hdl::prelude::*;

/// A value as little-endian 32-bit words.
pub trait Wire: Synth {
    /// Bits above the width are ignored, missing words are zero.
    fn from_words(words: &[u32]) -> Self;
    /// Words beyond the width are set to zero.
    fn to_words(self, words: &mut [u32]);
}

impl<const WIDTH: usize> Wire for Bits<WIDTH> {
    #[inline]
    fn from_words(words: &[u32]) -> Self {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        if WIDTH <= 32 {
            let mask = if WIDTH == 32 { u32::MAX } else { (1u32 << WIDTH) - 1 };
            return u64::from(word(0) & mask).into();
        }
        let mut bits = [false; WIDTH];
        for (i, chunk) in bits.chunks_mut(32).enumerate() {
            let word = word(i);
            for (b, bit) in chunk.iter_mut().enumerate() {
                *bit = word >> b & 1 == 1;
            }
        }
        Bits::Long(bits.into())
    }

    #[inline]
    fn to_words(self, words: &mut [u32]) {
        words.fill(0);
        match self {
            Bits::Short(short) => {
                if let Some(first) = words.first_mut() {
                    *first = short.short();
                }
            }
            Bits::Long(long) => {
                for (i, word) in words.iter_mut().enumerate() {
                    for b in 0..32.min(WIDTH.saturating_sub(32 * i)) {
                        *word |= u32::from(long.get_bit(32 * i + b)) << b;
                    }
                }
            }
        }
    }
}

impl<const WIDTH: usize> Wire for Signed<WIDTH> {
    fn from_words(words: &[u32]) -> Self {
        signed_cast(Bits::<WIDTH>::from_words(words))
    }
    fn to_words(self, words: &mut [u32]) {
        self.inner().to_words(words);
    }
}

impl Wire for bool {
    #[inline]
    fn from_words(words: &[u32]) -> Self {
        words.first().is_some_and(|w| w & 1 == 1)
    }
    #[inline]
    fn to_words(self, words: &mut [u32]) {
        words.fill(0);
        if let Some(first) = words.first_mut() {
            *first = u32::from(self);
        }
    }
}

impl Wire for Clock {
    fn from_words(words: &[u32]) -> Self {
        Clock { clk: bool::from_words(words) }
    }
    fn to_words(self, words: &mut [u32]) {
        self.clk.to_words(words);
    }
}

/// One port of a block.
pub trait PortAccess {
    /// Bits.
    fn width(&self) -> usize;
    /// True for an input.
    fn is_input(&self) -> bool;
    /// True for a clock.
    fn is_clock(&self) -> bool;
    /// Drives an input; true if that changes it. An output stays as it is.
    fn set(&mut self, words: &[u32]) -> bool;
    /// An input as it was driven, an output as of the last update.
    fn get(&self, words: &mut [u32]);
}

fn is_clock<T: Synth>() -> bool {
    T::descriptor().name == "clock"
}

impl<T: Wire> PortAccess for Signal<In, T> {
    fn width(&self) -> usize {
        T::BITS
    }
    fn is_input(&self) -> bool {
        true
    }
    fn is_clock(&self) -> bool {
        is_clock::<T>()
    }
    #[inline]
    fn set(&mut self, words: &[u32]) -> bool {
        let value = T::from_words(words);
        let changes = self.next != value;
        self.next = value;
        changes
    }
    #[inline]
    fn get(&self, words: &mut [u32]) {
        self.next.to_words(words);
    }
}

impl<T: Wire> PortAccess for Signal<Out, T> {
    fn width(&self) -> usize {
        T::BITS
    }
    fn is_input(&self) -> bool {
        false
    }
    fn is_clock(&self) -> bool {
        is_clock::<T>()
    }
    fn set(&mut self, _: &[u32]) -> bool {
        false
    }
    #[inline]
    fn get(&self, words: &mut [u32]) {
        self.val().to_words(words);
    }
}

/// The ports of a block: its own signals in the order of its fields, not those of its children.
pub trait Ports {
    /// Their names. A port whose type is not a `Bits`, `Signed`, `Bit`, `bool` or `Clock` cannot be driven and is not among them.
    fn port_names() -> Vec<String>
    where
        Self: Sized;
    /// The port with this position in `port_names`, if there is one.
    fn port(&self, index: usize) -> Option<&dyn PortAccess>;
    /// The same, to drive it.
    fn port_mut(&mut self, index: usize) -> Option<&mut dyn PortAccess>;
}

/// `Ports` of a block that writes its `Described` by hand: the type with its const generics, then its ports.
macro_rules! ports {
    ($block:ident<$($param:ident),*>, [$($index:literal $port:ident),*]) => {
        impl<$(const $param: usize),*> $crate::ports::Ports for $block<$($param),*> {
            fn port_names() -> Vec<String> {
                vec![$(stringify!($port).into()),*]
            }
            fn port(&self, index: usize) -> Option<&dyn $crate::ports::PortAccess> {
                match index {
                    $($index => Some(&self.$port),)*
                    _ => None,
                }
            }
            fn port_mut(&mut self, index: usize) -> Option<&mut dyn $crate::ports::PortAccess> {
                match index {
                    $($index => Some(&mut self.$port),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use ports;
