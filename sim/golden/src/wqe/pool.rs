//! Pages for packets whose place is not known yet.

/// Fixed pages and the list of those that are free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pool {
    /// last one first
    free: Vec<u32>,
    /// made when first used
    pages: Vec<Vec<u8>>,
    page_bytes: usize,
}

impl Pool {
    pub fn new(pages: u32, page_bytes: u32) -> Pool {
        Pool { free: (0..pages).rev().collect(), pages: vec![Vec::new(); pages as usize], page_bytes: page_bytes as usize }
    }

    pub fn page_bytes(&self) -> u32 {
        self.page_bytes as u32
    }

    pub fn free(&self) -> u32 {
        self.free.len() as u32
    }

    /// `count` pages, or none at all. What was in them before is still there.
    pub fn take(&mut self, count: u32) -> Option<Vec<u32>> {
        let left = self.free.len().checked_sub(count as usize)?;
        let taken: Vec<u32> = self.free.drain(left..).rev().collect();
        for &page in &taken {
            self.pages[page as usize].resize(self.page_bytes, 0);
        }
        Some(taken)
    }

    pub fn give(&mut self, page: u32) {
        self.free.push(page);
    }

    /// Bytes of a page from `offset` on.
    pub fn store(&mut self, page: u32, offset: usize, bytes: &[u8]) {
        self.pages[page as usize][offset..offset + bytes.len()].copy_from_slice(bytes);
    }

    pub fn read(&self, page: u32, offset: usize, bytes: usize) -> &[u8] {
        &self.pages[page as usize][offset..offset + bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_none_and_each_page_once() {
        let mut pool = Pool::new(3, 256);
        assert_eq!(pool.take(4), None);
        assert_eq!(pool.take(0), Some(vec![]));
        let two = pool.take(2).unwrap();
        assert_eq!((two.clone(), pool.free()), (vec![0, 1], 1));
        assert_eq!(pool.take(2), None);
        pool.store(two[1], 250, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(pool.read(two[1], 253, 3), [4, 5, 6]);
        two.into_iter().for_each(|page| pool.give(page));
        let mut all = pool.take(3).unwrap();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
    }
}
