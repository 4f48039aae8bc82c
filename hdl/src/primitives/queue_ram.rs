use crate::describe::{BlockDescription, Described, Field, MemoryStyle, Node, Role};
use rust_hdl::prelude::*;

/// Block RAM of a queue: one write port and one read port, both on `clk`, `2^ADDRESS_BITS` words of `WIDTH` bits.
///
/// `BlockRam` without a promise: what `read_data` is after a read that met a write of the same word is up to the part. A queue never uses
/// such a word, and need not pay for it: parts whose memory leaves it open get multiplexers and registers around a `BlockRam`. The
/// models return the old word.
/// Latency: 1 clock. Throughput: one read and one write per clock.
#[derive(Clone, Debug, LogicBlock)]
pub struct QueueRam<const WIDTH: usize, const ADDRESS_BITS: usize> {
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
    /// the word, one clock later
    pub read_data: Signal<Out, Bits<WIDTH>>,
    _words: Vec<Bits<WIDTH>>,
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize> Default for QueueRam<WIDTH, ADDRESS_BITS> {
    fn default() -> Self {
        assert!((1..=24).contains(&ADDRESS_BITS), "QueueRam: ADDRESS_BITS = {ADDRESS_BITS}, allowed are 1 to 24 address bits");
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

impl<const WIDTH: usize, const ADDRESS_BITS: usize> Logic for QueueRam<WIDTH, ADDRESS_BITS> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            self.read_data.next = self._words[self.read_address.val().index()];
            if self.write_enable.val() {
                self._words[self.write_address.val().index()] = self.write_data.val();
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize> Described for QueueRam<WIDTH, ADDRESS_BITS> {
    fn describe(&self) -> Node {
        Node::Block(Box::new(BlockDescription {
            type_name: "QueueRam",
            params: vec![("WIDTH", WIDTH as u64), ("ADDRESS_BITS", ADDRESS_BITS as u64)],
            variants: Vec::new(),
            suffix: None,
            doc: "Block RAM: one write port, one read port. A read that meets a write may return anything.",
            file: file!(),
            line: line!(),
            role: Role::Memory(MemoryStyle::Queue),
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

crate::ports::ports!(QueueRam<WIDTH, ADDRESS_BITS>, [0 clk, 1 write_enable, 2 write_address, 3 write_data, 4 read_address, 5 read_data]);

crate::settle::leaf!(
    [const WIDTH: usize, const ADDRESS_BITS: usize] QueueRam<WIDTH, ADDRESS_BITS>,
    clk write_enable write_address write_data read_address => read_data
);

crate::wiring::memory!([const WIDTH: usize, const ADDRESS_BITS: usize] QueueRam<WIDTH, ADDRESS_BITS>);
