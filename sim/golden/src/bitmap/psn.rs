//! Packet sequence numbers: serial arithmetic modulo 2^24.

/// Packet sequence numbers there are.
pub const SPACE: u32 = 1 << 24;

/// Half of them: what is this far ahead is neither before nor after.
pub const HALF: u32 = 1 << 23;

/// How far `to` is ahead of `from`.
pub fn ahead(from: u32, to: u32) -> u32 {
    to.wrapping_sub(from) % SPACE
}

/// `count` packets on.
pub fn add(psn: u32, count: u32) -> u32 {
    psn.wrapping_add(count) % SPACE
}

/// `count` packets back.
pub fn sub(psn: u32, count: u32) -> u32 {
    psn.wrapping_sub(count) % SPACE
}

/// `a` is before `b`.
pub fn before(a: u32, b: u32) -> bool {
    (1..HALF).contains(&ahead(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_space_apart_neither_is_before_the_other() {
        assert!(before(SPACE - 1, 0) && !before(0, SPACE - 1));
        assert!(!before(5, 5));
        assert!(before(5, 5 + HALF - 1) && !before(5, 5 + HALF) && !before(5 + HALF, 5));
        assert_eq!((add(SPACE - 1, 2), sub(0, 1), ahead(SPACE - 1, 1)), (1, SPACE - 1, 2));
    }
}
