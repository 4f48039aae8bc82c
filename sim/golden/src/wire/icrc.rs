//! Invariant CRC.

/// ICRC of a frame: `ip` holds the bytes from the first of the IP header to the last before the ICRC.
///
/// Fields that change on the way are taken as ones, as the standard has it. `udp` is the offset of the UDP header in `ip`.
/// The result goes on the wire least significant byte first.
pub fn icrc(ip: &[u8], udp: usize) -> u32 {
    let bth = udp + 8;
    let mut head = ip[..(bth + 12).min(ip.len())].to_vec();
    let mut mask = |range: std::ops::Range<usize>| head[range].fill(0xff);
    if ip[0] >> 4 == 4 {
        mask(1..2);
        mask(8..9);
        mask(10..12);
    } else {
        mask(1..4);
        mask(7..8);
    }
    mask(udp + 6..udp + 8);
    mask(bth + 4..bth + 5);
    if ip[0] >> 4 == 6 {
        // the traffic class begins in the low half of the version byte
        head[0] |= 0x0f;
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[0xff; 8]);
    hasher.update(&head);
    hasher.update(&ip[head.len()..]);
    hasher.finalize()
}
