//! Commands from a seed: when each comes, how large it is, where its bytes lie.

use super::file::{Distribution, Group, Process, Scenario, Transport};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::splitter::{Block, Command};
use std::ops::Range;

/// Addresses of the sender's memory that commands read.
pub const SOURCES: Range<u64> = 0x40_0000_0000..0x40_0400_0000;

/// Queue pair that commands name where there is one.
const QP: u32 = 0x11;

/// The receiver's queue pair 0 with so many of them, where each is known by its number: its low bits are zero.
pub fn data_qp(queue_pairs: u16) -> u32 {
    if queue_pairs > 1 { 0x40 } else { 0x10 }
}

/// What is in the sender's memory at an address.
pub fn source(address: u64) -> u8 {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// A command that the host will post. Its target is not known before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// index of its kind
    pub group: usize,
    /// first clock at which it may be posted
    pub at: u64,
    pub bytes: u32,
    /// packets by which its target is moved within its place
    pub shift: u64,
    /// among those between the two ends
    pub pair: usize,
    pub command: Command,
}

/// Part of the way from 0 to 1, exclusive.
fn part(rng: &mut ChaCha8Rng) -> f64 {
    rng.random_range(0..1u64 << 53) as f64 / (1u64 << 53) as f64
}

fn size(group: &Group, rng: &mut ChaCha8Rng) -> u32 {
    let Group { least, most, .. } = *group;
    match group.distribution {
        Distribution::Uniform => rng.random_range(least..=most),
        Distribution::LogUniform => {
            let exponent = rng.random_range(least.ilog2()..=most.ilog2());
            rng.random_range(least.max(1 << exponent)..=most.min((2 << exponent) - 1))
        }
    }
}

/// Cuts `bytes` into up to `most` blocks, none empty, each somewhere in the sources.
fn blocks(bytes: u32, most: usize, rng: &mut ChaCha8Rng) -> Vec<Block> {
    let mut left = bytes;
    let mut blocks = Vec::new();
    for after in (0..rng.random_range(1..=most)).rev() {
        let size = if after == 0 || left == 1 { left } else { rng.random_range(1..left) };
        let source = rng.random_range(SOURCES.start..=SOURCES.end - u64::from(size));
        blocks.push(Block { source, bytes: size });
        left -= size;
        if left == 0 {
            break;
        }
    }
    blocks
}

/// Every command of a scenario, in the order of its kinds and of its time.
pub fn posts(scenario: &Scenario, node: u16) -> Vec<Post> {
    let mut posts = Vec::new();
    for (number, group) in scenario.commands.iter().enumerate() {
        // one kind does not change the others
        let mut rng = ChaCha8Rng::seed_from_u64(scenario.seed);
        rng.set_stream(number as u64);
        let mut nanoseconds = group.start_ns;
        for turn in 0..group.count {
            let pair = (turn % u64::from(scenario.queue_pairs)) as u16;
            let id = posts.len() as u16;
            let bytes = size(group, &mut rng);
            let command = Command {
                id,
                target: 0,
                node: if scenario.queue_pairs > 1 { pair } else { node },
                qp: if scenario.queue_pairs > 1 && scenario.transport == Transport::Bitmap {
                    data_qp(scenario.queue_pairs) + u32::from(pair)
                } else {
                    QP
                },
                rkey: 0,
                imm: rng.random_bool(group.immediates).then(|| rng.random()),
                arrival: rng.random_bool(group.arrivals),
                blocks: blocks(bytes, group.blocks, &mut rng),
            };
            let at = (nanoseconds * 1000.0 / scenario.clock() as f64) as u64;
            posts.push(Post { group: number, at, bytes, shift: rng.random_range(0..8), pair: pair.into(), command });
            nanoseconds += match group.process {
                Process::AtOnce => 0.0,
                Process::Periodic => group.interval_ns,
                Process::Poisson => -(1.0 - part(&mut rng)).ln() * group.interval_ns,
            };
        }
    }
    posts
}
