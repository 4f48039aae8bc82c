//! One thing at a time: posts by registers, refusals, configurations that cannot be, nodes that are not there, a CDMA that is gone.
//!
//! Each function stands by itself at an endpoint that was set up, leaves it idle, and needs no answers from a network.

use super::Endpoint;
use super::traffic::Plan;
use rdma_rtl_golden::registry::Kind;
use rdma_rtl_golden::send::splitter::{Block, Command, Config, Refusal};
use rdma_rtl_golden::send::status;
use rdma_rtl_golden::wire::{Reader, parse_judged};
use std::collections::BTreeMap;

/// Where the sources lie, and bytes there.
pub const SOURCE: u64 = 0x30_0000_0000;
pub const ROOM: usize = 1 << 16;
/// Clocks until a completion must be there.
const PATIENCE: u64 = 200_000;

/// Memory for the sources; once for an endpoint.
pub fn furnish(endpoint: &mut Endpoint) {
    if let Some(cdma) = &mut endpoint.cdma {
        cdma.inner_mut().memory().region(SOURCE, ROOM);
    }
}

/// One of `bytes` in one block to `node`, with nothing special.
pub fn command(id: u16, node: u16, bytes: u32) -> Command {
    Command { id, target: 0x50_0000_0000, node, qp: 0x123, rkey: 5, blocks: vec![Block { source: SOURCE, bytes }], ..Command::default() }
}

/// Writes the fields of a command into their registers.
/// # Errors
/// As [`Endpoint::write`].
pub fn write_command(endpoint: &mut Endpoint, command: &Command) -> Result<(), String> {
    let options = u64::from(command.imm.is_some()) | u64::from(command.arrival) << 1 | (command.blocks.len() as u64) << 8;
    let fields = [
        ("command_id", command.id.into()),
        ("command_target", command.target),
        ("command_node", command.node.into()),
        ("command_qp", command.qp.into()),
        ("command_rkey", command.rkey.into()),
        ("command_imm", command.imm.unwrap_or(0x5555_aaaa).into()),
        ("command_options", options),
    ];
    for (register, value) in fields {
        endpoint.write(register, value)?;
    }
    for i in 0..4 {
        // a block that is not used may have anything in its registers
        let block = command.blocks.get(i).copied().unwrap_or(Block { source: 0x1234, bytes: 7 });
        endpoint.write(&format!("command_source_{i}"), block.source)?;
        endpoint.write(&format!("command_bytes_{i}"), block.bytes.into())?;
    }
    Ok(())
}

/// Number and status of the next completions, so many.
/// # Errors
/// They do not come.
pub fn completions(endpoint: &mut Endpoint, count: usize) -> Result<Vec<(u16, u8)>, String> {
    let limit = endpoint.now() + PATIENCE;
    let mut found = Vec::new();
    // Until the consumer index of the last of them is on its way too: entries that are not given back interrupt again.
    while found.len() < count || !endpoint.gave_back() {
        endpoint.clock();
        found.extend(endpoint.poll()?.iter().map(|e| (u16::from_le_bytes([e[20], e[21]]), e[60])));
        if endpoint.now() > limit {
            return Err(format!("{} of {count} completions after {PATIENCE} clocks: {found:?}", found.len()));
        }
    }
    Ok(found)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:x?}, expected {expected:x?}")) }
}

/// All counters that are not zero, once they say what has happened.
fn counted(endpoint: &mut Endpoint, expected: &[(&str, u64)]) -> Result<(), String> {
    endpoint.settle()?;
    let expected: BTreeMap<String, u64> = expected.iter().map(|(name, value)| (format!("count_{name}"), *value)).collect();
    let found = endpoint.counters()?;
    same("counters", found, expected)?;
    endpoint.write("control", 1 << 9 | 1)
}

/// While `enable` is off nothing is taken: a second post is dropped, and interrupts; the stream waits. Then both go in turn.
/// # Errors
/// What is not as the registers say.
pub fn posts(endpoint: &mut Endpoint) -> Result<(), String> {
    endpoint.write("control", 1 << 9)?;
    endpoint.write("interrupt_enable", 1 << 7)?;
    // they are refused, so that no answer is needed
    let wrong = |id| Command { target: 1, ..command(id, 0, 64) };
    write_command(endpoint, &wrong(7))?;
    same("busy before a post", endpoint.read("command_state")?, 0)?;
    endpoint.write("command", 1)?;
    same("busy after it", endpoint.read("command_state")?, 1)?;
    same("interrupts of one post", (endpoint.read("interrupt_status")?, endpoint.interrupt()), (0, false))?;
    endpoint.write("command", 1)?;
    same("busy after the second", endpoint.read("command_state")?, 1)?;
    same("interrupts of a dropped post", (endpoint.read("interrupt_status")?, endpoint.interrupt()), (1 << 7, true))?;
    endpoint.write("interrupt_status", 1 << 7)?;
    same("interrupts once cleared", (endpoint.read("interrupt_status")?, endpoint.interrupt()), (0, false))?;
    endpoint.command(&wrong(8));
    for _ in 0..100 {
        endpoint.clock();
    }
    same("commands of the stream that wait", endpoint.commands.as_ref().map(|stream| stream.waiting()), Some(1))?;
    same("idle", endpoint.read("state")? & 1, 0)?;
    endpoint.write("interrupt_enable", 1)?;
    endpoint.write("control", 1)?;
    let status = Refusal::MisalignedTarget as u8;
    same("completions", completions(endpoint, 2)?, vec![(7, status), (8, status)])?;
    same("busy in the end", endpoint.read("command_state")?, 0)?;
    same("interrupts of completions", (endpoint.read("interrupt_status")?, endpoint.interrupt()), (1, true))?;
    endpoint.write("interrupt_status", 1)?;
    same("interrupts in the end", (endpoint.read("interrupt_status")?, endpoint.interrupt()), (0, false))?;
    counted(endpoint, &[("posts_dropped", 1), ("refused_misaligned_target", 2), ("completions", 2)])
}

/// Each reason that a command can be refused for at these parameters, in order; the first that holds is told.
/// # Errors
/// Another status than that, or another counter.
pub fn refusals(endpoint: &mut Endpoint, plan: &Plan) -> Result<(), String> {
    let (params, good) = (&plan.splitter, plan.cut);
    let bad = Config { threshold: good.threshold, segment: good.segment + 1 };
    let sound = command(0, 0, 64);
    let with = |change: &dyn Fn(&mut Command)| {
        let mut command = sound.clone();
        change(&mut command);
        command
    };
    let top = |c: &mut Command| c.target = u64::MAX - u64::from(params.packet_size) + 1;
    let cases: Vec<(Command, Config)> = vec![
        (with(&|c| c.blocks.clear()), good),
        (with(&|c| c.blocks[0].bytes = 0), bad),
        (with(&|c| c.blocks.push(Block { source: SOURCE, bytes: 0 })), good),
        (with(&|c| c.target += 1), bad),
        (with(&|c| (top(c), c.blocks[0].bytes = params.packet_size + 1).1), good),
        (with(&|c| c.blocks[0].source = u64::MAX - 62), good),
        (with(&|c| c.blocks = vec![Block { source: 0, bytes: u32::MAX }, Block { source: 0, bytes: 1 }]), good),
        (with(&|c| c.blocks[0].source += 1), bad),
        (sound.clone(), bad),
    ];
    let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
    endpoint.write("control", 1 << 9 | 1)?;
    for (number, (mut command, config)) in cases.into_iter().enumerate() {
        command.id = 0x100 + number as u16;
        endpoint.write("threshold", config.threshold.into())?;
        endpoint.write("segment", config.segment.into())?;
        let refusal = Refusal::of(&command, params, &config).ok_or_else(|| format!("{command:x?} is sound"))?;
        endpoint.command(&command);
        same(&format!("{refusal:?}"), completions(endpoint, 1)?, vec![(command.id, refusal as u8)])?;
        let name = match refusal {
            Refusal::BytesZero => "refused_bytes_zero",
            Refusal::MisalignedTarget => "refused_misaligned_target",
            Refusal::Wraps => "refused_wraps",
            Refusal::MisalignedSource => "refused_misaligned_source",
            Refusal::BadConfiguration => "refused_bad_configuration",
            Refusal::TooLong => "refused_too_long",
        };
        *expected.entry(name).or_default() += 1;
        *expected.entry("completions").or_default() += 1;
    }
    endpoint.write("segment", good.segment.into())?;
    counted(endpoint, &expected.into_iter().collect::<Vec<_>>())
}

/// Configurations that cannot be show as levels and interrupt, and are over when they are mended.
/// # Errors
/// What is not as the registers say.
pub fn configurations(endpoint: &mut Endpoint, plan: &Plan) -> Result<(), String> {
    let largest = u64::from(plan.splitter.packet_size) * u64::from(plan.splitter.mask_bits);
    let (threshold, segment) = (u64::from(plan.cut.threshold), u64::from(plan.cut.segment));
    endpoint.write("interrupt_enable", 1 << 6)?;
    endpoint.write("interrupt_status", 1 << 6)?;
    let cases = [
        ("threshold", largest + 1, threshold, 1),
        ("segment", 0, segment, 1),
        ("segment", segment + 1, segment, 1),
        ("segment", largest + u64::from(plan.splitter.packet_size), segment, 1),
        ("irq_threshold", 2, 1, 2),
        ("sg_base", 64, endpoint.read("sg_base")?, 2),
    ];
    for (register, wrong, right, state) in cases {
        same("state of a sound configuration", (endpoint.read("send_state")?, endpoint.interrupt()), (0, false))?;
        endpoint.write(register, wrong)?;
        same(&format!("state with {register} {wrong:#x}"), (endpoint.read("send_state")?, endpoint.interrupt()), (state, true))?;
        endpoint.write(register, right)?;
        endpoint.write("interrupt_status", 1 << 6)?;
    }
    endpoint.write("irq_threshold", 2)?;
    endpoint.write("irq_delay", 1)?;
    same("state with both", endpoint.read("send_state")?, 0)?;
    endpoint.write("irq_threshold", 1)?;
    endpoint.write("irq_delay", 0)?;
    endpoint.write("interrupt_enable", 1)
}

/// A node that the table lacks, or has no place for: no frame leaves, and the command fails when it has been tried as often as it may be.
/// # Errors
/// A frame, or another end.
pub fn unknown_nodes(endpoint: &mut Endpoint, plan: &Plan) -> Result<(), String> {
    for node in [plan.nodes, 0x4000, 0xffff] {
        endpoint.write("control", 1 << 9 | 1)?;
        endpoint.transmitted();
        endpoint.command(&command(node, node, 3 * plan.splitter.packet_size));
        same("end", completions(endpoint, 1)?, vec![(node, status::RETRY_LIMIT)])?;
        endpoint.settle()?;
        same("frames", endpoint.transmitted().len(), 0)?;
        let counters = endpoint.counters()?;
        let (unknown, packets) = (counters.get("count_unknown_node"), counters.get("count_packets"));
        // the abort is told to nobody either
        if unknown.is_none() || unknown != packets.map(|n| n + 1).as_ref() || counters.contains_key("count_data_frames") {
            return Err(format!("node {node:#x}: {counters:?}"));
        }
    }
    endpoint.write("control", 1 << 9 | 1)
}

/// A packet that nobody acknowledges is sent so many times again as `retry_limit` says; then the receiver is told, and the host.
/// # Errors
/// Other frames than these, or another end.
pub fn retries(endpoint: &mut Endpoint, plan: &Plan) -> Result<(), String> {
    for limit in [0, 2] {
        endpoint.write("retry_limit", limit)?;
        endpoint.transmitted();
        endpoint.command(&command(0x30 + limit as u16, 0, 64));
        same("end", completions(endpoint, 1)?, vec![(0x30 + limit as u16, status::RETRY_LIMIT)])?;
        endpoint.settle()?;
        let frames: Vec<_> = endpoint.transmitted().iter().map(|frame| parse_judged(frame, true, &Reader::registry())).collect();
        let kinds: Vec<_> = frames.iter().map(|frame| frame.as_ref().ok().and_then(|f| f.header()).map(|header| header.kind)).collect();
        let mut expected = vec![Some(Kind::Start); 1 + limit as usize];
        expected.push(Some(Kind::Abort));
        same(&format!("frames with a limit of {limit}"), kinds, expected)?;
    }
    endpoint.write("retry_limit", plan.timers.retry_limit.into())?;
    endpoint.write("control", 1 << 9 | 1)
}

/// How a CDMA is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// no access is answered
    Deaf,
    /// every access is an error
    Refuses,
    /// a soft reset does not end
    HangsInReset,
}

/// A CDMA that is gone fails what it has and what comes, until a soft reset finds it back.
/// # Errors
/// Another end, or no recovery.
pub fn lost_cdma(endpoint: &mut Endpoint, lost: Lost) -> Result<(), String> {
    let change = |endpoint: &mut Endpoint, on: bool| {
        if let Some(cdma) = endpoint.cdma.as_mut().map(|cdma| cdma.inner_mut()) {
            match lost {
                Lost::Deaf => cdma.deafen(on),
                Lost::Refuses => cdma.respond(if on { 2 } else { 0 }),
                Lost::HangsInReset => cdma.hang_in_reset(on),
            }
            if on && lost == Lost::HangsInReset {
                cdma.inject(0, rdma_rtl_sim::cdma::Fault::DataSlave);
            }
        }
    };
    endpoint.write("control", 1 << 9 | 1)?;
    endpoint.write("interrupt_enable", 1 << 5)?;
    change(endpoint, true);
    (0..6).for_each(|id| endpoint.command(&command(id, 0, 64)));
    let mut ends = completions(endpoint, 6)?;
    ends.sort_unstable();
    // the error before the reset is that of one load
    let first = if lost == Lost::HangsInReset { status::CDMA_ERROR } else { status::CDMA_DEAD };
    same("ends", ends, (0..6).map(|id| (id, if id == 0 { first } else { status::CDMA_DEAD })).collect())?;
    same("state", (endpoint.read("send_state")?, endpoint.interrupt()), (4, true))?;
    endpoint.command(&command(6, 0, 64));
    same("end of what comes later", completions(endpoint, 1)?, vec![(6, status::CDMA_DEAD)])?;
    endpoint.settle()?;
    same("frames", endpoint.transmitted().len(), 0)?;
    for name in ["commands_live", "ops_live", "descriptors_out"] {
        same(name, endpoint.read(name)?, 0)?;
    }
    change(endpoint, false);
    endpoint.soft_reset()?;
    endpoint.write("interrupt_status", 1 << 5)?;
    same("state after the reset", (endpoint.read("send_state")?, endpoint.interrupt()), (0, false))
}
