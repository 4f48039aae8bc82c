//! Queues that nobody asks for room: a word that such a one refuses is lost without a trace. Under Verilator it stops the model.
//!
//! That they are never full is an argument of each block, or a proof; the list is in `docs/src/never_full.md`. Here every run of every
//! bench looks.

use rdma_rtl_sim::verilated::{Design, Source};

/// The modules of queues.
const QUEUES: [&str; 3] = ["fifo_lut", "fifo_block", "skid_buffer"];

/// Those that may refuse a word, by module and the beginning of their names: the list says what becomes of it.
const MAY_REFUSE: [(&str, &str); 5] =
    [("gap_events", "pairs"), ("gap_events", "paths"), ("gap_events", "group"), ("trigger_check", "queue"), ("trigger_check", "values")];

/// A queue in a module: its instance, and what it is connected with.
struct Queue<'a> {
    name: &'a str,
    clk: &'a str,
    rst: &'a str,
    in_valid: &'a str,
    in_ready: &'a str,
}

/// The queues of a module whose `in_ready` is not needed in it, as the emitter says, each with the number of the line that ends its
/// instance.
fn unasked(text: &str) -> Vec<(usize, Queue<'_>)> {
    let mut queues = Vec::new();
    let module = text.lines().find_map(|line| line.strip_prefix("module ")).unwrap_or("");
    let may_refuse = |name: &str| MAY_REFUSE.iter().any(|&(of, queue)| module.starts_with(of) && name.starts_with(queue));
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(instance) = line.trim().strip_suffix(" (") else { continue };
        let (Some((of, _)), Some((_, name))) = (instance.split_once(' '), instance.rsplit_once(' ')) else { continue };
        if !QUEUES.contains(&of) {
            continue;
        }
        let mut ports: Vec<(&str, &str)> = Vec::new();
        let mut last = 0;
        for (number, line) in lines.by_ref() {
            last = number;
            if line.trim() == ");" {
                break;
            }
            let port = line.trim().strip_prefix('.').and_then(|line| line.split_once('('));
            ports.extend(port.and_then(|(port, value)| Some((port.trim(), value.trim_end_matches(',').strip_suffix(')')?))));
        }
        let of = |port: &str| ports.iter().find(|(name, _)| *name == port).map_or("", |&(_, value)| value);
        let queue = Queue { name, clk: of("clk"), rst: of("rst"), in_valid: of("in_valid"), in_ready: of("in_ready") };
        if text.contains(&format!("wire unused_{} =", queue.in_ready)) && !may_refuse(name) {
            queues.push((last, queue));
        }
    }
    queues
}

/// The design with a check at each of these queues, beside its instance: that may stand in a loop.
pub fn guarded(design: Design) -> Design {
    let sources = design.sources.into_iter().map(|source| {
        let queues = unasked(&source.text);
        let mut text = String::with_capacity(source.text.len());
        for (number, line) in source.text.lines().enumerate() {
            text += line;
            text.push('\n');
            for (_, Queue { name, clk, rst, in_valid, in_ready }) in queues.iter().filter(|(last, _)| *last == number) {
                text += &format!(
                    "    always @(posedge {clk}) if (!({rst}) && ({in_valid}) && !{in_ready}) begin\n        \
                     $display(\"%m.{name}: a word comes while it is full\");\n        $fatal;\n    end\n"
                );
            }
        }
        Source::new(source.name, text)
    });
    Design { sources: sources.collect(), ..design }
}
