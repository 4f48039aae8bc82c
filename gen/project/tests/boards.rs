//! Boards as data: what is shipped, and what a file of the user's may not say.

mod common;

use common::{on, request};
use rdma_rtl_project::{Bridge, Error, Kind, board, boards, parse_board, project};

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
    // Where the MAC of a board is, and what it wants.
    for (board, mac) in boards().iter().filter_map(|b| Some((b, b.mac.as_ref()?))) {
        let row = book.lines().find(|l| l.starts_with(&format!("| `{}` |", board.name)) && l.contains(&mac.refclk_p));
        let row = row.unwrap_or_else(|| panic!("no row for the MAC of {}", board.name));
        let lanes = if mac.lanes.len() == 1 { mac.lanes[0].clone() } else { mac.group().unwrap() };
        let rate = format!("{}G", mac.gbps * mac.lanes.len() as u64);
        for fact in [&mac.cage, &lanes, &rate, &mac.refclk_mhz.to_string(), mac.core.as_ref().unwrap_or(&rate)] {
            assert!(row.contains(fact.as_str()), "{}: `{fact}` is not in `{row}`", board.name);
        }
    }
    let with_mac: Vec<&str> = boards().iter().filter(|b| b.mac.is_some()).map(|b| b.name.as_str()).collect();
    assert_eq!(with_mac, ["u250", "u280", "u55c", "u50", "vcu118", "zcu102"]);
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

const CMAC: &str = "[mac]\nkind = \"cmac\"\ncage = \"QSFP28\"\ncore = \"CMACE4_X0Y7\"\nlanes = [\"X1Y48\", \"X1Y49\", \"X1Y50\", \"X1Y51\"]\ngbps = 25\nrefclk_mhz = 156.25\nrefclk_p = \"W9\"\nrefclk_n = \"W8\"\n";
const XXV: &str =
    "[mac]\nkind = \"xxv\"\ncage = \"SFP 0\"\nlanes = [\"X1Y14\"]\ngbps = 10\nrefclk_mhz = 156.25\nrefclk_p = \"C8\"\nrefclk_n = \"C7\"\n";

#[test]
fn a_mac_of_the_users_own() {
    let mac = |text: &str| parse_board("mine.toml", &format!("{GOOD}{text}")).map(|board| board.mac.unwrap());
    assert_eq!(mac(CMAC).unwrap().group().unwrap(), "X1Y48~X1Y51");
    assert_eq!(mac(XXV).unwrap().group().unwrap(), "Quad_X1Y3");
    let cases: &[(&str, &str, &str, &str)] = &[
        (CMAC, "\"X1Y51\"", "\"X1Y52\"", "four of a quad"),
        (CMAC, "\"X1Y48\", ", "", "four of a quad"),
        (CMAC, "\"X1Y48\", \"X1Y49\", \"X1Y50\", \"X1Y51\"", "\"X1Y49\", \"X1Y50\", \"X1Y51\", \"X1Y52\"", "four of a quad"),
        (CMAC, "X1Y50", "X1Z50", "sites of transceivers"),
        (CMAC, "CMACE4_X0Y7", "CMACE_X0Y7", "the site of a CMAC"),
        (CMAC, "core = \"CMACE4_X0Y7\"\n", "", "the site of a CMAC"),
        (CMAC, "gbps = 25", "gbps = 10", "allowed are [25]"),
        (CMAC, "156.25", "100", "refclk_mhz = 100; allowed are"),
        (CMAC, "\"W8\"", "\"W9\"", "used twice"),
        (CMAC, "\"W8\"", "\"AY24\"", "used twice"),
        (CMAC, "\"cmac\"", "\"tsec\"", "unknown variant `tsec`"),
        (CMAC, "\"QSFP28\"", "\"QSFP\\n28\"", "without control characters"),
        (XXV, "[\"X1Y14\"]", "[\"X1Y14\", \"X1Y15\"]", "one lane"),
        (XXV, "[\"X1Y14\"]", "[]", "sites of transceivers"),
        (XXV, "gbps = 10", "gbps = 40", "allowed are [10, 25]"),
        (XXV, "gbps = 10", "gbps = 10\nfec = true", "no `fec`"),
    ];
    for (good, from, to, says) in cases {
        assert!(good.contains(from), "{from}");
        let text = mac(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(text.starts_with("mine.toml: ") && text.contains(says), "`{to}`: {text}");
    }
}

type Change = fn(&mut Bridge);

#[test]
fn a_bridge_that_does_not_fit() {
    let say = |width: usize, change: Change, name: &str| {
        let mut kind = common::with_mac(board("u250").unwrap(), width);
        if let Kind::System { board: of, bridge: Some(bridge), .. } = &mut kind {
            change(bridge);
            of.mac = board(name).unwrap().mac;
        }
        project(&request("endpoint", 512, kind)).map(|_| ()).map_err(|e| (e.is_call(), e.to_string()))
    };
    say(512, |_| (), "u250").unwrap();
    let cases: [(usize, Change, &str, &str); 6] = [
        (256, |_| (), "u250", "its s_axis_tx_tdata has 256 bits; 512 stand on the other side"),
        (512, |_| (), "zcu102", "its m_axis_mac_tdata has 512 bits; 64 stand on the other side"),
        (512, |_| (), "kcu1500", "kcu1500 has no [mac]"),
        (512, |b| b.sources.retain(|(name, _)| !name.ends_with(".f")), "u250", "has no file list"),
        (
            512,
            |b| {
                for (name, text) in &mut b.sources {
                    (*name, *text) =
                        (name.replace("line_level", "bus_drain_count_bits10"), text.replace("line_level", "bus_drain_count_bits10"));
                }
            },
            "u250",
            "give it a prefix",
        ),
        (512, |b| b.sources.retain(|(name, _)| name != "line_level.v"), "u250", "line_level.v, which is not there"),
    ];
    for (width, change, name, says) in cases {
        let (call, text) = say(width, change, name).unwrap_err();
        assert!(call && (text.contains(says) || (name == "kcu1500" && text.contains("has no [mac]"))), "{says}: {text}");
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
        let kind = rdma_rtl_project::Kind::System { board: Box::new(board("u50").unwrap()), clock_mhz: mhz, bridge: None };
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
