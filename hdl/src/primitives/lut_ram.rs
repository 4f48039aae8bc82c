use crate::describe::{BlockDescription, Described, Field, MemoryStyle, Node, Role};
use rust_hdl::prelude::*;

/// Distributed RAM with one write port and one combinational read port: `2^ADDRESS_BITS` words of `WIDTH` bits.
///
/// A word written in one clock is read from the next. Contents are unknown until written. For more than 64 words, or where the
/// read can be registered, `BlockRam` is cheaper.
/// Latency: read 0 clocks, write 1 clock. Throughput: one read and one write per clock.
#[derive(Clone, Debug, LogicBlock)]
pub struct LutRam<const WIDTH: usize, const ADDRESS_BITS: usize> {
    /// clock, rising edge
    pub clk: Signal<In, Clock>,
    /// write enable
    pub write_enable: Signal<In, Bit>,
    /// word to write
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// new value of `write`
    pub write_data: Signal<In, Bits<WIDTH>>,
    /// word to read
    pub read_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// the word, same clock
    pub read_data: Signal<Out, Bits<WIDTH>>,
    _words: Vec<Bits<WIDTH>>,
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize> Default for LutRam<WIDTH, ADDRESS_BITS> {
    fn default() -> Self {
        assert!((1..=16).contains(&ADDRESS_BITS), "LutRam: ADDRESS_BITS = {ADDRESS_BITS}, allowed are 1 to 16 address bits");
        Self {
            clk: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            _words: vec![Bits::default(); 1 << ADDRESS_BITS],
        }
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize> Logic for LutRam<WIDTH, ADDRESS_BITS> {
    fn update(&mut self) {
        if self.clk.pos_edge() && self.write_enable.val() {
            self._words[self.write_address.val().index()] = self.write_data.val();
        }
        self.read_data.next = self._words[self.read_address.val().index()];
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize> Described for LutRam<WIDTH, ADDRESS_BITS> {
    fn describe(&self) -> Node {
        Node::Block(Box::new(BlockDescription {
            type_name: "LutRam",
            params: vec![("WIDTH", WIDTH as u64), ("ADDRESS_BITS", ADDRESS_BITS as u64)],
            variants: Vec::new(),
            suffix: None,
            doc: "Distributed RAM: one write port, one combinational read port.",
            file: file!(),
            line: line!(),
            role: Role::Memory(MemoryStyle::Distributed),
            fields: vec![
                Field::plain("clk", &self.clk),
                Field::plain("write_enable", &self.write_enable),
                Field::plain("write_address", &self.write_address),
                Field::plain("write_data", &self.write_data),
                Field::plain("read_address", &self.read_address),
                Field::plain("read_data", &self.read_data),
            ],
            hdl: Verilog::Empty,
        }))
    }
}

crate::ports::ports!(LutRam<WIDTH, ADDRESS_BITS>, [0 clk, 1 write_enable, 2 write_address, 3 write_data, 4 read_address, 5 read_data]);

crate::settle::leaf!(
    [const WIDTH: usize, const ADDRESS_BITS: usize] LutRam<WIDTH, ADDRESS_BITS>,
    clk write_enable write_address write_data read_address => read_data
);

crate::wiring::memory!([const WIDTH: usize, const ADDRESS_BITS: usize] LutRam<WIDTH, ADDRESS_BITS>);
