//! The call that repeats a run.

use super::Args;
use std::path::Path;

/// What a shell reads as one word.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+./:=,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_string() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The whole call but for the files that it writes, with this profile; with a seed, that one of its runs.
pub fn again(args: &Args, profile: Option<&str>, seed: Option<u64>) -> String {
    let mut words = vec!["rdma-rtl".to_string(), "cosim".to_string()];
    let mut word = |flag: &str, value: Option<String>| words.extend(value.into_iter().flat_map(|value| [flag.to_string(), value]));
    let path = |path: &Path| path.display().to_string();
    let list = |values: Vec<String>| Some(values.join(",")).filter(|text| !text.is_empty());
    word("--block", args.block.clone());
    word("--scenario", args.scenario.as_deref().map(path));
    word("--profile", profile.map(String::from).or(args.profile.clone()));
    word("--input", args.input.as_deref().map(path));
    args.qp.iter().for_each(|qp| word("--qp", Some(qp.to_string())));
    word("--packets", args.packets.map(|n| n.to_string()));
    word("--commands", args.commands.map(|n| n.to_string()));
    word("--seed", seed.or(args.seed).map(|n| n.to_string()));
    word("--runs", Some(args.runs.to_string()).filter(|_| seed.is_none() && args.runs > 1));
    word("--segments", list(args.segments.iter().map(u32::to_string).collect()));
    word("--transport", list(args.transport.iter().map(|transport| transport.name().to_string()).collect()));
    word("--queue-pairs", list(args.queue_pairs.iter().map(u16::to_string).collect()));
    word("--round-trip", list(args.round_trip.iter().map(f64::to_string).collect()));
    word("--loss", list(args.loss.iter().map(f64::to_string).collect()));
    word("--jitter", list(args.jitter.iter().map(f64::to_string).collect()));
    word("--compare", list(args.compare.iter().map(|choice| choice.0.name().to_string()).collect()));
    word("--timing", Some(args.timing.clone()).filter(|_| args.input.is_some()));
    args.set.iter().for_each(|setting| word("--set", Some(setting.clone())));
    word("--stall", args.stall.map(|n| n.to_string()));
    word("--memory-latency", args.memory_latency.map(|n| n.to_string()));
    if args.scenario.is_none() {
        let engine = clap::ValueEnum::to_possible_value(&args.engine);
        word("--engine", engine.map(|value| value.get_name().to_string()));
    }
    if args.last != super::LAST {
        word("--last", Some(args.last.to_string()));
    }
    if args.cover {
        words.push("--cover".into());
    }
    let call = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    match std::env::var("RDMA_RTL_PROFILES").ok().filter(|folder| !folder.is_empty()) {
        Some(folder) => format!("RDMA_RTL_PROFILES={} {call}", quoted(&folder)),
        None => call,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Args;
    use super::{again, quoted};
    use clap::{CommandFactory, Parser};

    #[derive(Parser)]
    struct Call {
        #[command(flatten)]
        args: Args,
    }

    /// What a call asks for, but for the files that it writes.
    fn asks(words: &str) -> (Args, String) {
        let args = Call::try_parse_from(words.split_once("rdma-rtl ").map_or("", |(_, call)| call).split(' '))
            .unwrap_or_else(|e| panic!("{words}: {e}"))
            .args;
        let bare =
            Args { wave: None, junit: None, decisions: None, svg: None, json: Default::default(), failure: "".into(), ..args.clone() };
        (args, format!("{bare:?}"))
    }

    const FILES: [&str; 6] = ["wave", "junit", "decisions", "svg", "json", "failure"];

    #[test]
    fn every_option_is_repeated() {
        let calls = [
            "rdma-rtl cosim --block receive_registry --profile small --packets 7 --seed 5 --runs 3 --cover --engine both --set a=1 --set b=0x2 --stall 9 \
             --memory-latency 4 --last 11 --wave w.vcd --json r.json",
            "rdma-rtl cosim --block receive_bitmap --profile small --input t.pcap --qp 0x11 --qp 10.9.0.2/0x12 --timing idle:4 --stall 3 --engine native",
            "rdma-rtl cosim --scenario s.toml --profile small --commands 5 --seed 9 --segments 4096,8192",
            "rdma-rtl cosim --scenario s.toml --packets 5 --loss 0.1,0.25 --jitter 100,2.5 --compare bitmap,timers --svg l.svg",
            "rdma-rtl cosim --scenario s.toml --transport bitmap,combined --round-trip 1000,20000 --loss 0.01 --queue-pairs 3",
        ];
        for call in calls {
            let (args, asked) = asks(call);
            let said = again(&args, None, None);
            assert_eq!(asks(&said).1, asked, "{said}");
            // One of several runs: its seed, and it alone.
            let one = again(&args, Some("large"), Some(77));
            let one = asks(&one).0;
            assert_eq!((one.profile.as_deref(), one.seed, one.runs), (Some("large"), Some(77), 1));
        }
        for option in Call::command().get_arguments().filter_map(|option| option.get_long()).filter(|long| !FILES.contains(long)) {
            assert!(
                calls.iter().any(|call| call.contains(&format!("--{option} ")) || call.ends_with(option)),
                "no call above has --{option}"
            );
        }
    }

    #[test]
    fn a_word_stays_one() {
        assert_eq!(quoted("tb/vectors/tour.pcap"), "tb/vectors/tour.pcap");
        assert_eq!(quoted("my file's.pcap"), r"'my file'\''s.pcap'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a;b$c"), "'a;b$c'");
    }
}
