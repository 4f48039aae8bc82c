use crate::describe::{BlockDescription, Described, Field, MemoryStyle, Node, Role};
use crate::ports::Wire;
use rust_hdl::prelude::*;

/// Block RAM of a buffer with a write enable for each byte: `2^A` words of `W` bits, `KB` = `W / 8` bytes.
///
/// As with `QueueRam`, what `read_data` is after a read that met a write of the same word is up to the part; the models return the old word.
/// Latency: 1 clock. Throughput: one read and one write per clock.
#[derive(Clone, Debug, LogicBlock)]
pub struct ByteRam<const W: usize, const KB: usize, const A: usize> {
    /// clock, rising edge
    pub clk: Signal<In, Clock>,
    /// write enable of each byte
    pub write_enable: Signal<In, Bits<KB>>,
    /// word to write
    pub write_address: Signal<In, Bits<A>>,
    /// new value of `write`
    pub write_data: Signal<In, Bits<W>>,
    /// word to read
    pub read_address: Signal<In, Bits<A>>,
    /// the word, one clock later
    pub read_data: Signal<Out, Bits<W>>,
    _words: Vec<u32>,
}

impl<const W: usize, const KB: usize, const A: usize> Default for ByteRam<W, KB, A> {
    fn default() -> Self {
        assert!(W.is_multiple_of(32), "ByteRam: W = {W}, allowed are multiples of 32");
        assert!(KB == W / 8, "ByteRam: KB = {KB} with W = {W}, must be {}", W / 8);
        assert!((1..=24).contains(&A), "ByteRam: A = {A}, allowed are 1 to 24 address bits");
        Self {
            clk: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            _words: vec![0; (W / 32) << A],
        }
    }
}

impl<const W: usize, const KB: usize, const A: usize> Logic for ByteRam<W, KB, A> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            let at = |address: Bits<A>| address.index() * (W / 32)..(address.index() + 1) * (W / 32);
            self.read_data.next = Bits::from_words(&self._words[at(self.read_address.val())]);
            let enable = self.write_enable.val();
            if enable.any() {
                let mut data = vec![0; W / 32];
                self.write_data.val().to_words(&mut data);
                for (i, word) in self._words[at(self.write_address.val())].iter_mut().enumerate() {
                    let lanes = (0..4).filter(|lane| enable.get_bit(4 * i + lane));
                    let mask = lanes.fold(0u32, |mask, lane| mask | 0xff << (8 * lane));
                    *word = *word & !mask | data[i] & mask;
                }
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }
}

impl<const W: usize, const KB: usize, const A: usize> Described for ByteRam<W, KB, A> {
    fn describe(&self) -> Node {
        Node::Block(Box::new(BlockDescription {
            type_name: "ByteRam",
            params: vec![("W", W as u64), ("KB", KB as u64), ("A", A as u64)],
            variants: Vec::new(),
            suffix: None,
            doc: "Block RAM: one write port with an enable for each byte, one read port. A read that meets a write may return anything.",
            file: file!(),
            line: line!(),
            role: Role::Memory(MemoryStyle::Bytes),
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

crate::ports::ports!(ByteRam<W, KB, A>, [0 clk, 1 write_enable, 2 write_address, 3 write_data, 4 read_address, 5 read_data]);

crate::settle::leaf!([const W: usize, const KB: usize, const A: usize] ByteRam<W, KB, A>, clk write_enable write_address write_data read_address => read_data);

crate::wiring::memory!([const W: usize, const KB: usize, const A: usize] ByteRam<W, KB, A>);
