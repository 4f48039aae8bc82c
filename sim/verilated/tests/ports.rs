//! Every storage type of a port, and what a model does with them.

mod common;

use common::{WIDTHS, counter, echo};
use rdma_rtl_verilated::{Design, Error, Initial, Library, Options, Port, Source, Trace};
use std::time::Instant;

#[test]
fn every_width_goes_through() {
    let library = Library::build(&echo(), &Options::default()).unwrap();
    let mut model = library.instance().unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32
    };
    let mut last: Vec<Vec<u32>> = WIDTHS.iter().map(|w| vec![0; w.div_ceil(32)]).collect();
    for round in 0..200 {
        for (i, &width) in WIDTHS.iter().enumerate() {
            let words: Vec<u32> = (0..width.div_ceil(32)).map(|_| if round == 0 { u32::MAX } else { random() }).collect();
            model.poke(3 * i, &words);
            let top = if width % 32 == 0 { u32::MAX } else { (1 << (width % 32)) - 1 };
            let mut expected = words.clone();
            *expected.last_mut().unwrap() &= top;
            let mut seen = vec![0; words.len()];
            model.peek(3 * i, &mut seen);
            assert_eq!(seen, expected, "poked input of {width} bits");
            model.eval();
            model.peek(3 * i + 1, &mut seen);
            assert_eq!(seen, expected, "combinational output of {width} bits");
            model.peek(3 * i + 2, &mut seen);
            assert_eq!(seen, last[i], "registered output of {width} bits before the clock");
            assert_eq!(model.peek_u64(3 * i + 1), u64::from(expected[0]) | u64::from(expected.get(1).copied().unwrap_or(0)) << 32);
            last[i] = expected;
        }
        model.clock();
        for (i, &width) in WIDTHS.iter().enumerate() {
            let mut seen = vec![0; width.div_ceil(32)];
            model.peek(3 * i + 2, &mut seen);
            assert_eq!(seen, last[i], "registered output of {width} bits after the clock");
        }
    }
    assert_eq!(model.cycle(), 200);
}

#[test]
fn rising_edge_sees_what_was_poked() {
    let mut model = Library::build(&counter(0), &Options::default()).unwrap().instance().unwrap();
    model.poke_u64(1, 1);
    model.eval();
    assert_eq!(model.peek_u64(2), 0, "no edge yet");
    model.clock();
    assert_eq!(model.peek_u64(2), 1);
    model.clocks(255);
    assert_eq!((model.peek_u64(2), model.cycle()), (0, 256));
    model.clock();
    model.poke_u64(0, 1);
    model.clock();
    assert_eq!(model.peek_u64(2), 0);
}

#[test]
fn models_do_not_share_state() {
    let library = Library::build(&counter(0), &Options::default()).unwrap();
    let mut models: Vec<_> = (0..4).map(|_| library.instance().unwrap()).collect();
    std::thread::scope(|scope| {
        for (i, model) in models.iter_mut().enumerate() {
            scope.spawn(move || {
                model.poke_u64(1, 1);
                (0..1000 + i).for_each(|_| model.clock());
            });
        }
    });
    let counts: Vec<_> = models.iter().map(|m| m.peek_u64(2)).collect();
    assert_eq!(counts, [232, 233, 234, 235]);
}

#[test]
fn contents_before_reset_are_chosen() {
    let library = Library::build(&counter(0), &Options::default()).unwrap();
    let start = |i| library.instance_with(i).unwrap().peek_u64(2);
    assert_eq!(start(Initial::Zero), 0);
    assert_eq!(start(Initial::Random(7)), start(Initial::Random(7)));
    let values: Vec<_> = (1..9).map(|s| start(Initial::Random(s))).collect();
    assert!(values.iter().any(|v| *v != values[0]), "eight seeds gave only {values:?}");
}

/// Newer Verilators give inputs random values too, the clock among them: its first edge would be missing, and with it a reset of one clock.
#[test]
fn whatever_the_contents_inputs_are_low_and_the_first_clock_counts() {
    let library = Library::build(&counter(0), &Options::default()).unwrap();
    let echoes = Library::build(&echo(), &Options::default()).unwrap();
    for seed in 1..17 {
        let mut model = library.instance_with(Initial::Random(seed)).unwrap();
        model.poke_u64(0, 1);
        model.clock();
        assert_eq!(model.peek_u64(2), 0, "reset with seed {seed}");
        let model = echoes.instance_with(Initial::Random(seed)).unwrap();
        for (i, width) in WIDTHS.iter().enumerate() {
            let mut seen = vec![0; width.div_ceil(32)];
            model.peek(3 * i + 1, &mut seen);
            assert!(seen.iter().all(|word| *word == 0), "an input of {width} bits with seed {seed}: {seen:x?}");
        }
    }
}

#[test]
fn names_that_cpp_does_not_like() {
    let text = "module odd (input wire a__b, input wire delete, output wire int8__, output wire template);\n\
                assign int8__ = a__b; assign template = delete; endmodule\n";
    let ports = vec![Port::input("a__b", 1), Port::input("delete", 1), Port::output("int8__", 1), Port::output("template", 1)];
    let design = Design { sources: vec![Source::new("odd.v", text)], top: "odd".into(), clock: None, ports };
    let mut model = Library::build(&design, &Options::default()).unwrap().instance().unwrap();
    for v in 0..4 {
        model.poke_u64(0, v & 1);
        model.poke_u64(1, v >> 1);
        model.clock();
        assert_eq!((model.peek_u64(2), model.peek_u64(3)), (v & 1, v >> 1));
    }
}

#[test]
fn wrong_port_lists_are_refused() {
    let options = Options::default();
    let refuse = |change: &dyn Fn(&mut Design)| {
        let mut design = counter(0);
        change(&mut design);
        Library::build(&design, &options).err().expect("refused").to_string()
    };
    assert_eq!(refuse(&|d| d.ports[2].width = 9), "port `count` of `counter` is 8 bits wide in the Verilog, 9 were declared");
    assert_eq!(refuse(&|d| d.ports[1].name = "go".into()), "`counter` has no port `go`; it has clk, count, enable, rst");
    let wrong_way = refuse(&|d| d.ports[0] = Port::output("rst", 1));
    assert_eq!(wrong_way, "port `rst` of `counter` is an input in the Verilog, declared as output");
    assert!(refuse(&|d| d.top = "counter; rm".into()).contains("`counter; rm` cannot be"));
    assert!(refuse(&|d| d.sources[0].name = "../counter.v".into()).contains("not a plain file name"));
    assert!(refuse(&|d| d.sources[0].name = "-version".into()).contains("not a plain file name"));
}

#[test]
fn a_design_that_stops_itself_is_reported() {
    for (text, expected) in [
        ("always @(posedge clk) if (go) $finish;\nassign o = go;", "$finish"),
        ("always @(posedge clk) if (go) $stop;\nassign o = go;", "$stop"),
        ("wire a;\nassign a = ~(a & go);\nassign o = a;", "converge"),
    ] {
        let text = format!("module s (input wire clk, input wire go, output wire o);\n{text}\nendmodule\n");
        let ports = vec![Port::input("go", 1), Port::output("o", 1)];
        let design = Design { sources: vec![Source::new("s.v", text)], top: "s".into(), clock: Some("clk".into()), ports };
        let mut model = Library::build(&design, &Options::default()).unwrap().instance().unwrap();
        model.clock();
        assert_eq!(model.failure(), None);
        model.poke_u64(0, 1);
        model.clock();
        let failure = model.failure().unwrap_or_default().to_string();
        assert!(failure.contains(expected), "expected `{expected}`, got `{failure}`");
        let cycle = model.cycle();
        model.clock();
        assert_eq!(model.cycle(), cycle, "it stands still");
    }
}

#[test]
fn waves_and_coverage_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { trace: Trace::Vcd, coverage: true, ..Options::default() };
    let mut model = Library::build(&counter(0), &options).unwrap().instance().unwrap();
    model.poke_u64(1, 1);
    model.clock();
    for file in ["one.vcd", "two.vcd"] {
        model.open_wave(&directory.path().join(file)).unwrap();
        model.clock();
        model.clock();
        model.close_wave().unwrap();
    }
    model.clock();
    let text = std::fs::read_to_string(directory.path().join("one.vcd")).unwrap();
    assert!(text.contains("$var") && text.contains("count") && text.contains("b00000011"), "{text}");
    assert!(!text.contains("b00000100"), "closed waves get no more");
    let text = std::fs::read_to_string(directory.path().join("two.vcd")).unwrap();
    assert!(text.contains("b00000101"), "{text}");
    model.write_coverage(&directory.path().join("coverage.dat")).unwrap();
    assert!(std::fs::read_to_string(directory.path().join("coverage.dat")).unwrap().contains("counter.v"));
    let error = model.open_wave(&directory.path().join("none/x.vcd")).unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");

    let mut plain = Library::build(&counter(0), &Options::default()).unwrap().instance().unwrap();
    assert!(matches!(plain.open_wave(&directory.path().join("x.vcd")), Err(Error::NoTrace { .. })));
    assert!(matches!(plain.write_coverage(&directory.path().join("x.dat")), Err(Error::NoCoverage { .. })));
}

#[test]
fn fst_is_written_or_named_as_missing() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { trace: Trace::Fst, ..Options::default() };
    match Library::build(&counter(0), &options) {
        Ok(library) => {
            let path = directory.path().join("w.fst");
            let mut model = library.instance().unwrap();
            model.open_wave(&path).unwrap();
            (0..100).for_each(|_| model.clock());
            drop(model);
            // The format begins with a header block: type 0, length 329.
            assert_eq!(std::fs::read(&path).unwrap()[..9], [0, 0, 0, 0, 0, 0, 0, 1, 73]);
        }
        Err(Error::NoFst { missing }) => assert!(missing.ends_with("lib.h") || missing == "lz4.h", "{missing}"),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn second_build_of_an_unchanged_design_is_instant() {
    Library::build(&echo(), &Options::default()).unwrap();
    let start = Instant::now();
    let library = Library::build(&echo(), &Options::default()).unwrap();
    library.instance().unwrap();
    assert!(library.was_cached());
    assert!(start.elapsed().as_secs_f64() < 0.1, "{:?}", start.elapsed());
}
