use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Bits of the key of a flow: destination queue pair 24, destination 128, source 128, version of IP.
const KEY: usize = 281;
/// Bits of its hash.
const HASH: usize = 36;
/// The numbers that the matrix is made of.
const SEED: u64 = 2;

/// A hash of the key of a flow: each bit is the sum of some of the key's, chosen once, at random.
///
/// A sum alone, so that it costs no carries. The low 16 bits of the queue pair and of both addresses, in which the keys of one network
/// differ, are each in half of the sums, the others in an eighth. Two keys that differ in the queue pair alone, or in 32 low bits of one
/// address alone, never have the same hash.
/// Latency: 0 clocks. Spec: LR2, "Flows"; the hash is *decided* here.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct Lr2Hash {
    /// queue pair, destination, source, version of IP
    pub key: Signal<In, Bits<281>>,
    /// its hash
    pub hash: Signal<Out, Bits<36>>,
    row: [Constant<Bits<281>>; HASH],
    one: [Constant<Bits<36>>; HASH],
    sums: Vec<Signal<Local, Bits<36>>>,
}

impl Default for Lr2Hash {
    fn default() -> Self {
        let columns = columns();
        let row = |bit: usize| {
            let members = (0..KEY).filter(|&of| columns[of] >> bit & 1 == 1);
            members.fold(Bits::default(), |mask: Bits<281>, of| mask.replace_bit(of, true))
        };
        Self {
            row: std::array::from_fn(|bit| Constant::new(row(bit))),
            one: std::array::from_fn(|bit| Constant::new(bits::<36>(1 << bit))),
            sums: (0..=HASH).map(|_| Default::default()).collect(),
            ..Self::blank()
        }
    }
}

impl Logic for Lr2Hash {
    #[kernel]
    fn update(&mut self) {
        self.sums[0].next = bits::<36>(0);
        for k in 0..36 {
            self.sums[k + 1].next = self.sums[k].val();
            if (self.key.val() & self.row[k].val()).xor() {
                self.sums[k + 1].next = self.sums[k].val() | self.one[k].val();
            }
        }
        self.hash.next = self.sums[36].val();
    }
}

/// Of each bit of a key the bits of the hash that it is part of.
pub fn columns() -> [u64; KEY] {
    let mut state = SEED;
    // SplitMix64.
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    std::array::from_fn(|bit| {
        let busy = [0, 24, 152].iter().any(|field| (*field..field + 16).contains(&bit));
        loop {
            let column = if busy { random() } else { random() & random() & random() } & ((1 << HASH) - 1);
            if column != 0 {
                return column;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of which none is a sum of others.
    fn independent(columns: &[u64]) -> bool {
        let mut kept: Vec<u64> = Vec::new();
        columns.iter().all(|&column| {
            let rest = kept.iter().fold(column, |rest, &other| rest.min(rest ^ other));
            kept.push(rest);
            kept.sort_by(|a, b| b.cmp(a));
            rest != 0
        })
    }

    #[test]
    fn keys_that_differ_in_one_number_differ() {
        let columns = columns();
        assert!(independent(&columns[..24]), "queue pairs");
        assert!(independent(&columns[24..56]), "destinations");
        assert!(independent(&columns[152..184]), "sources");
    }
}
