//! Queues that nobody asks for room: a word that such a one refuses is lost without a trace. Under Verilator it stops the model.
//!
//! That they are never full is an argument of each block, or a proof; the list is in `docs/src/never_full.md`. Here every run of every bench looks.

use rdma_rtl_sim::verilated::{Design, Source};

/// What a queue is called in the emitted text.
const QUEUES: [&str; 3] = ["fifo_lut_", "fifo_block_", "skid_buffer_"];

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

/// The queues of a module whose `in_ready` is not needed in it, as the emitter says.
fn unasked(text: &str) -> Vec<Queue<'_>> {
    let mut queues = Vec::new();
    let module = text.lines().find_map(|line| line.strip_prefix("module ")).unwrap_or("");
    let may_refuse = |name: &str| MAY_REFUSE.iter().any(|&(of, queue)| module.starts_with(of) && name.starts_with(queue));
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((of, rest)) = line.trim().split_once(' ') else { continue };
        let (Some(name), true) = (rest.strip_suffix(" ("), QUEUES.iter().any(|queue| of.starts_with(queue))) else { continue };
        let ports: Vec<(&str, &str)> = lines
            .by_ref()
            .take_while(|line| line.trim() != ");")
            .filter_map(|line| {
                let (port, value) = line.trim().strip_prefix('.')?.split_once('(')?;
                Some((port.trim(), value.trim_end_matches(',').strip_suffix(')')?))
            })
            .collect();
        let of = |port: &str| ports.iter().find(|(name, _)| *name == port).map_or("", |&(_, value)| value);
        let queue = Queue { name, clk: of("clk"), rst: of("rst"), in_valid: of("in_valid"), in_ready: of("in_ready") };
        if text.contains(&format!("wire unused_{} =", queue.in_ready)) && !may_refuse(name) {
            queues.push(queue);
        }
    }
    queues
}

/// The design with a check at each of these queues.
pub fn guarded(design: Design) -> Design {
    let sources = design.sources.into_iter().map(|source| {
        let checks: String = unasked(&source.text)
            .iter()
            .map(|Queue { name, clk, rst, in_valid, in_ready }| {
                format!(
                    "    always @(posedge {clk}) if (!({rst}) && ({in_valid}) && !{in_ready}) begin\n        \
                     $display(\"%m.{name}: a word comes while it is full\");\n        $fatal;\n    end\n"
                )
            })
            .collect();
        let text = source.text.replacen("endmodule", &format!("{checks}endmodule"), usize::from(!checks.is_empty()));
        Source::new(source.name, text)
    });
    Design { sources: sources.collect(), ..design }
}
