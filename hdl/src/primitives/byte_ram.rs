use crate::describe::{BlockDescription, Described, Field, MemoryStyle, Node, Role};
use crate::ports::Wire;
use rust_hdl::prelude::*;

/// Block RAM of a buffer with a write enable for each byte: `2^ADDRESS_BITS` words of `WIDTH` bits, `BYTES` = `WIDTH / 8` bytes.
///
/// As with `QueueRam`, what `read_data` is after a read that met a write of the same word is up to the part; the models return the old
/// word.
/// Latency: 1 clock. Throughput: one read and one write per clock.
#[derive(Clone, Debug, LogicBlock)]
pub struct ByteRam<const WIDTH: usize, const BYTES: usize, const ADDRESS_BITS: usize> {
    /// clock, rising edge
    pub clk: Signal<In, Clock>,
    /// write enable of each byte
    pub write_enable: Signal<In, Bits<BYTES>>,
    /// word to write
    pub write_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// new value of `write`
    pub write_data: Signal<In, Bits<WIDTH>>,
    /// word to read
    pub read_address: Signal<In, Bits<ADDRESS_BITS>>,
    /// the word, one clock later
    pub read_data: Signal<Out, Bits<WIDTH>>,
    _words: Vec<u32>,
}

impl<const WIDTH: usize, const BYTES: usize, const ADDRESS_BITS: usize> Default for ByteRam<WIDTH, BYTES, ADDRESS_BITS> {
    fn default() -> Self {
        assert!(WIDTH.is_multiple_of(32), "ByteRam: WIDTH = {WIDTH}, allowed are multiples of 32");
        assert!(BYTES == WIDTH / 8, "ByteRam: BYTES = {BYTES} with WIDTH = {WIDTH}, must be {}", WIDTH / 8);
        assert!((1..=24).contains(&ADDRESS_BITS), "ByteRam: ADDRESS_BITS = {ADDRESS_BITS}, allowed are 1 to 24 address bits");
        Self {
            clk: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            _words: vec![0; (WIDTH / 32) << ADDRESS_BITS],
        }
    }
}

impl<const WIDTH: usize, const BYTES: usize, const ADDRESS_BITS: usize> Logic for ByteRam<WIDTH, BYTES, ADDRESS_BITS> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            let at = |address: Bits<ADDRESS_BITS>| address.index() * (WIDTH / 32)..(address.index() + 1) * (WIDTH / 32);
            self.read_data.next = Bits::from_words(&self._words[at(self.read_address.val())]);
            let enable = self.write_enable.val();
            if enable.any() {
                let mut data = vec![0; WIDTH / 32];
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

impl<const WIDTH: usize, const BYTES: usize, const ADDRESS_BITS: usize> Described for ByteRam<WIDTH, BYTES, ADDRESS_BITS> {
    fn describe(&self) -> Node {
        Node::Block(Box::new(BlockDescription {
            type_name: "ByteRam",
            params: vec![("WIDTH", WIDTH as u64), ("BYTES", BYTES as u64), ("ADDRESS_BITS", ADDRESS_BITS as u64)],
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

crate::ports::ports!(
    ByteRam<WIDTH, BYTES, ADDRESS_BITS>,
    [0 clk, 1 write_enable, 2 write_address, 3 write_data, 4 read_address, 5 read_data]
);

crate::settle::leaf!(
    [const WIDTH: usize, const BYTES: usize, const ADDRESS_BITS: usize] ByteRam<WIDTH, BYTES, ADDRESS_BITS>,
    clk write_enable write_address write_data read_address => read_data
);

crate::wiring::memory!([const WIDTH: usize, const BYTES: usize, const ADDRESS_BITS: usize] ByteRam<WIDTH, BYTES, ADDRESS_BITS>);
