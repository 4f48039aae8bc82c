//! Bundles: names of their ports, and what `link`, `join` and `gate` connect, in the text and in the block that runs.

use rdma_rtl_gen::{Options, elaborate, emit};
use rdma_rtl_hdl::describe::Described as _;
use rdma_rtl_hdl::ports::Ports as _;
use rdma_rtl_hdl::{Bundle, Described, kernel};
use rust_hdl::prelude::*;

/// Words, from the block that takes them.
#[derive(Clone, Debug, Default, Bundle, LogicInterface)]
#[join = "WordsSource"]
#[mirror]
struct Words<const WIDTH: usize> {
    /// a word is there
    #[gated]
    valid: Signal<In, Bit>,
    /// it transfers
    #[gated]
    ready: Signal<Out, Bit>,
    /// the word
    #[port = "data"]
    word: Signal<In, Bits<WIDTH>>,
}

#[derive(Default, Described, LogicBlock)]
struct Stage {
    pub clk: Signal<In, Clock>,
    pub taken: Words<4>,
    #[port = "out"]
    pub given: WordsSource<4>,
}

impl Logic for Stage {
    #[kernel]
    fn update(&mut self) {
        self.given.valid.next = self.taken.valid.val();
        self.given.word.next = self.taken.word.val() + 1;
        self.taken.ready.next = self.given.ready.val();
    }
}

#[derive(Default, Described, LogicBlock)]
struct Pair {
    pub clk: Signal<In, Clock>,
    pub opened: Signal<In, Bit>,
    /// words from outside
    pub word: Words<4>,
    pub sum: WordsSource<4>,
    first: Stage,
    second: Stage,
}

impl Logic for Pair {
    #[kernel]
    fn update(&mut self) {
        Words::gate(&mut self.word, &mut self.first.taken, self.opened.val());
        WordsSource::join(&mut self.first.given, &mut self.second.taken);
        WordsSource::link(&mut self.sum, &mut self.second.given);
    }
}

#[test]
fn a_port_is_called_after_its_bundle_and_signal_or_as_the_fields_say() {
    assert_eq!(Stage::port_names(), ["clk", "taken_valid", "taken_ready", "taken_data", "out_valid", "out_ready", "out_data"]);
}

#[test]
fn one_statement_connects_every_signal() {
    let mut block = Pair::default();
    block.connect_all();
    let design = elaborate(&block.describe(), &Options::default()).unwrap();
    let files = emit(&design);
    let text = &files.iter().find(|f| f.name == "pair.v").unwrap().text;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // The bundle's comment stands with its first signal.
    assert!(text.contains("word_valid, // words from outside: a word is there"), "{text}");
    for expected in [
        "assign word_ready = first_taken_ready && opened;",
        "wire first_taken_valid = word_valid && opened;",
        "stage first ( .clk (clk), .taken_valid (first_taken_valid), .taken_ready (first_taken_ready), .taken_data (word_data),",
        "stage second ( .clk (clk), .taken_valid (first_out_valid), .taken_ready (second_taken_ready), .taken_data (first_out_data),",
        ".out_valid (sum_valid), .out_ready (sum_ready), .out_data (sum_data) );",
    ] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
}

#[test]
fn the_block_that_runs_does_the_same() {
    let mut block = Pair::default();
    block.connect_all();
    let names = Pair::port_names();
    let port = |name: &str| names.iter().position(|known| known == name).unwrap();
    for (open, valid, ready, word) in [(0, 1, 1, 3), (1, 1, 0, 5), (1, 0, 1, 6), (1, 1, 1, 15)] {
        for (name, value) in [("opened", open), ("word_valid", valid), ("sum_ready", ready), ("word_data", word)] {
            block.port_mut(port(name)).unwrap().set(&[value]);
        }
        simulate(&mut block, 10);
        let get = |name: &str| {
            let mut value = [0];
            block.port(port(name)).unwrap().get(&mut value);
            value[0]
        };
        assert_eq!((get("sum_valid"), get("word_ready"), get("sum_data")), (valid & open, ready & open, (word + 2) % 16));
    }
}
