//! Ports of a design as its driver sees them.

/// Which way a port points, seen from the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Driven by the bench.
    Input,
    /// Driven by the design.
    Output,
}

/// One port of a top module. `width` is in bits and at least 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Name in the design's text.
    pub name: String,
    /// Width in bits.
    pub width: usize,
    /// Seen from the design.
    pub direction: Direction,
}

impl Port {
    /// An input of `width` bits.
    pub fn input(name: impl Into<String>, width: usize) -> Self {
        Port { name: name.into(), width, direction: Direction::Input }
    }

    /// An output of `width` bits.
    pub fn output(name: impl Into<String>, width: usize) -> Self {
        Port { name: name.into(), width, direction: Direction::Output }
    }

    /// 32-bit words that hold a value of this port.
    pub fn words(&self) -> usize {
        self.width.div_ceil(32)
    }
}
