//! Benches of the memory side: payload slots, writes, completions.

pub mod axi_write_merge;
pub mod completion_queue;
pub mod memory_writer;
pub mod packet_buffer;

use rdma_rtl_sim::Model;

/// A model by the names of its ports.
pub(crate) struct Ports<M>(pub(crate) M);

impl<'a, M: std::ops::Deref<Target = dyn Model + 'a>> Ports<M> {
    pub(crate) fn at(&self, name: &str) -> usize {
        self.0.port(name).unwrap_or_else(|| panic!("the bench drives port `{name}`, which the design does not have"))
    }

    pub(crate) fn get(&self, name: &str) -> u64 {
        self.0.peek_u64(self.at(name))
    }

    pub(crate) fn get_bytes(&self, name: &str) -> Vec<u8> {
        let at = self.at(name);
        let mut words = vec![0u32; self.0.ports()[at].words()];
        self.0.peek(at, &mut words);
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
}

impl<'a, M: std::ops::DerefMut<Target = dyn Model + 'a>> Ports<M> {
    pub(crate) fn set(&mut self, name: &str, value: u64) {
        let at = self.at(name);
        self.0.poke_u64(at, value);
    }

    pub(crate) fn set_bytes(&mut self, name: &str, bytes: &[u8]) {
        let at = self.at(name);
        let mut words = vec![0u32; self.0.ports()[at].words()];
        for (i, byte) in bytes.iter().enumerate().take(4 * words.len()) {
            words[i / 4] |= u32::from(*byte) << (8 * (i % 4));
        }
        self.0.poke(at, &words);
    }
}
