//! Boards as data: what is shipped, and what a file of the user's may not say.

mod common;

use common::{on, request};
use rdma_rtl_project::{Error, board, boards, parse_board, project};

const GOOD: &str = "title = \"Mine\"\npart = \"xcvu9p-flga2104-2L-e\"\n[[clock]]\nname = \"c\"\nmhz = 156.25\np = \"AY24\"\nn = \"AY23\"\niostandard = \"LVDS\"\n";

#[test]
fn the_shipped_ones_are_the_seven_of_the_documentation() {
    let names: Vec<&str> = boards().iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["u250", "u280", "u55c", "u50", "vcu118", "zcu102", "kcu1500"]);
    let book = include_str!("../../../docs/src/bitstream.md");
    for board in boards() {
        for fact in [&board.name, &board.title, &board.part, &board.clock[0].p] {
            assert!(book.contains(fact.as_str()), "{}: `{fact}` is not in docs/src/bitstream.md", board.name);
        }
    }
    // Cards with HBM switch themselves off unless this pin is driven.
    for name in ["u280", "u55c", "u50"] {
        assert_eq!(board(name).unwrap().tie.iter().map(|t| (t.port.as_str(), t.value)).collect::<Vec<_>>(), [("hbm_cattrip", 0)]);
    }
}

#[test]
fn an_unknown_board_lists_the_known() {
    let text = board("u999").unwrap_err().to_string();
    assert!(text.contains("unknown board `u999`") && text.contains("u250, u280, u55c, u50, vcu118, zcu102, kcu1500"), "{text}");
    assert!(board("no/such.toml").unwrap_err().to_string().contains("no/such.toml: cannot be read"));
    assert!(board("u999").unwrap_err().is_call());
}

#[test]
fn a_board_of_the_users_own() {
    let board = parse_board("boards/mine.toml", GOOD).unwrap();
    assert_eq!((board.name.as_str(), board.clock[0].mhz), ("mine", 156.25));
    let (files, _) = project(&request("endpoint", 512, on(board))).unwrap();
    assert!(common::file(&files, "constraints/board.xdc").contains("-period 6.400 -name sysclk"));
    assert!(common::file(&files, "settings.tcl").contains("set part xcvu9p-flga2104-2L-e\n"));
}

#[test]
fn what_a_board_may_not_say() {
    let cases: &[(&str, &str, &str)] = &[
        ("title = \"Mine\"\n", "", "missing field `title`"),
        ("part = \"xcvu9p-flga2104-2L-e\"", "part = \"ep4ce22\"", "is none of AMD's"),
        ("part = \"xcvu9p-flga2104-2L-e\"", "part = \"xc; exec rm\"", "letters, digits"),
        ("part = \"xcvu9p-flga2104-2L-e\"", "part = \"\"", "not empty"),
        ("part = \"xcvu9p-flga2104-2L-e\"", "part = 7", "line 2: invalid type"),
        ("title", "titel", "unknown field `titel`"),
        ("mhz = 156.25", "mhz = 0", "allowed is 10 to 800"),
        ("mhz = 156.25", "mhz = nan", "allowed is 10 to 800"),
        ("mhz = 156.25", "mhz = -5", "allowed is 10 to 800"),
        ("p = \"AY24\"", "p = \"[exec ls]\"", "is no package pin"),
        ("p = \"AY24\"", "p = \"AY\"", "is no package pin"),
        ("p = \"AY24\"", "p = \"AY23\"", "used twice"),
        ("iostandard = \"LVDS\"", "iostandard = \"LVDS]\"", "letters, digits"),
        ("title = \"Mine\"", "title = \"Mi\\nexit\"", "without control characters"),
        ("[[clock]]", "[clock]", "invalid type"),
        ("[[clock]]", "[[note]]\ntext = \"a\"\n[[clock]", "line 5"),
    ];
    for (from, to, says) in cases {
        assert!(GOOD.contains(from));
        let text = parse_board("mine.toml", &GOOD.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(text.starts_with("mine.toml: ") && text.contains(says) && !text.contains('\n'), "`{to}`: {text}");
    }
    assert!(parse_board("mine.toml", "").is_err());
    let none = "title = \"a\"\npart = \"xc1\"\nclock = []\n";
    assert!(parse_board("mine.toml", none).unwrap_err().to_string().contains("no [[clock]]"));
    for cut in 1..GOOD.len() {
        let _ = parse_board("mine.toml", &GOOD[..cut]);
    }
}

#[test]
fn a_request_that_cannot_be() {
    let say = |r: Result<_, Error>| match r {
        Ok(_) => panic!("it was taken"),
        Err(e) => (e.is_call(), e.to_string()),
    };
    let mut wide = request("endpoint", 2048, common::system("u250"));
    let (call, text) = say(project(&wide).map(|_| ()));
    assert!(call && text.contains("beats of 2048 bits"), "{text}");
    wide = request("endpoint", 512, common::system("u250"));
    wide.parameters.retain(|(k, _)| k != "slots");
    assert!(say(project(&wide).map(|_| ())).1.contains("no `slots`"));
    let mut no_top = request("endpoint", 512, common::system("u250"));
    for name in ["bus_drain_count_bits10", "nothing"] {
        no_top.sources.push((format!("{name}.f"), "bus_drain_count_bits10.v\n".into()));
    }
    no_top.top = "bus_drain_count_bits10".into();
    assert!(
        say(project(&no_top).map(|_| ()))
            .1
            .contains("`bus_drain_count_bits10` has no `aclk` and is no top; for a board take receive_endpoint")
    );
    no_top.top = "nothing".into();
    assert!(say(project(&no_top).map(|_| ())).1.contains("no module of that name"));
    no_top.sources.retain(|(name, _)| name != "nothing.f");
    assert!(say(project(&no_top).map(|_| ())).1.contains("has no file list"));
    for mhz in [0.0, 9.9, 501.0, f64::NAN, f64::INFINITY, -1.0] {
        let kind = rdma_rtl_project::Kind::System { board: Box::new(board("u50").unwrap()), clock_mhz: mhz };
        assert!(say(project(&request("endpoint", 512, kind)).map(|_| ())).1.contains("--clock-mhz is "), "{mhz}");
    }
    for (part, period) in [("xcku3p", 0.0), ("xcku3p", f64::NAN), ("", 3.0), ("xc 1", 3.0), ("xc[exit]", 3.0), ("ep4", 3.0)] {
        let kind = rdma_rtl_project::Kind::OutOfContext { part: part.into(), period };
        assert!(say(project(&request("endpoint", 512, kind)).map(|_| ())).0, "{part} {period}");
    }
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    let make = || project(&request("endpoint", 512, common::system("u280"))).unwrap();
    assert_eq!(make(), make());
}
