use crate::describe::{BlockDescription, Described, Field, MemoryStyle, Node, Role};
use rust_hdl::prelude::*;

/// Block RAM with one write port and one read port, both on `clk`: `2^ADDRESS_BITS` words of `WIDTH` bits.
///
/// `read_data` is the word at the `read_address` of the clock before; a write to the same address in that clock is not seen
/// (old data). With `OUTPUT_REGISTER` = 1 a second register follows: one clock more, and the memory's slow output has the whole next clock.
/// Contents are unknown until written: wrap it in `ClearedRam` where zero matters. `LutRam` is for small or combinational reads.
/// Latency: 1 clock (2 with `OUTPUT_REGISTER` = 1). Throughput: one read and one write per clock.
#[derive(Clone, Debug, LogicBlock)]
pub struct BlockRam<const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize> {
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
    /// the word, after the latency
    pub read_data: Signal<Out, Bits<WIDTH>>,
    _words: Vec<Bits<WIDTH>>,
    _first: Bits<WIDTH>,
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize> Default
    for BlockRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>
{
    fn default() -> Self {
        assert!(OUTPUT_REGISTER <= 1, "BlockRam: OUTPUT_REGISTER = {OUTPUT_REGISTER}, allowed are 0 and 1");
        assert!((1..=24).contains(&ADDRESS_BITS), "BlockRam: ADDRESS_BITS = {ADDRESS_BITS}, allowed are 1 to 24 address bits");
        Self {
            clk: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            _words: vec![Bits::default(); 1 << ADDRESS_BITS],
            _first: Bits::default(),
        }
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize> Logic for BlockRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            let read = self._words[self.read_address.val().index()];
            self.read_data.next = if OUTPUT_REGISTER == 1 { self._first } else { read };
            self._first = read;
            if self.write_enable.val() {
                self._words[self.write_address.val().index()] = self.write_data.val();
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }
}

impl<const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize> Described
    for BlockRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>
{
    fn describe(&self) -> Node {
        Node::Block(Box::new(BlockDescription {
            type_name: "BlockRam",
            params: vec![("WIDTH", WIDTH as u64), ("ADDRESS_BITS", ADDRESS_BITS as u64), ("OUTPUT_REGISTER", OUTPUT_REGISTER as u64)],
            variants: Vec::new(),
            suffix: None,
            doc: "Block RAM: one write port, one read port. A read returns the old word when it meets a write.",
            file: file!(),
            line: line!(),
            role: Role::Memory(MemoryStyle::Block { output_register: OUTPUT_REGISTER == 1 }),
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

crate::ports::ports!(
    BlockRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>,
    [0 clk, 1 write_enable, 2 write_address, 3 write_data, 4 read_address, 5 read_data]
);

crate::settle::leaf!(
    [const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize] BlockRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>,
    clk write_enable write_address write_data read_address => read_data
);

crate::wiring::memory!(
    [const WIDTH: usize, const ADDRESS_BITS: usize, const OUTPUT_REGISTER: usize]
    BlockRam<WIDTH, ADDRESS_BITS, OUTPUT_REGISTER>
);
