use super::*;
use crate::congestion::bucket::Bucket;
use crate::congestion::meter::Meter;
use crate::congestion::rate::Rate;
use crate::congestion::shaper::Shaper;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub const ALL: &[(&str, Trace)] = &[("bounds of 16", |fault| run(16, 40_000, fault)), ("change of rate", change), ("turns", turns)];

const HERTZ: u64 = 322_270_000;
const BURST: u32 = 4096;

/// `packets` packets of `count` queue pairs, half of the time all of which have something to send. Sizes and rates differ.
fn run(count: usize, packets: u64, fault: Option<Fault>) -> Result<(), String> {
    let mut random = ChaCha8Rng::seed_from_u64(count as u64);
    let mut shaper = Shaper::new(count, Rate::default(), BURST, 4096, fault)?;
    let mut meters = vec![Meter::new(Rate::default()); count];
    // together below what the port can send: a packet a clock
    let share = 300e9 / count as f64;
    for (number, meter) in meters.iter_mut().enumerate() {
        let rate = Rate::from_bits((share * random.random_range(0.2..1.0)) as u64, HERTZ);
        shaper.set_rate(0, number, rate);
        *meter = Meter::new(rate);
    }
    let (mut now, mut sent) = (0, 0);
    let size = |random: &mut ChaCha8Rng| if random.random_bool(0.2) { 4096 } else { random.random_range(64..=4096) };
    for number in 0..count {
        shaper.offer(now, number, size(&mut random))?;
    }
    let mut idle_until = vec![0; count];
    // clocks without a packet to send
    let mut paused = vec![0; count];
    while sent < packets {
        while let Some((number, bytes)) = shaper.serve(now) {
            meters[number].sent(now, bytes);
            sent += 1;
            // now and then a queue pair pauses and then sends from a full bucket
            let pause = random.random_bool(0.01);
            if pause {
                idle_until[number] = now + 20_000;
                paused[number] += 20_000;
            } else {
                shaper.offer(now, number, size(&mut random))?;
            }
            now += 1;
        }
        let back = idle_until.iter().copied().filter(|&until| until != 0).min();
        let next = [shaper.wake(now), back].into_iter().flatten().min().ok_or("nothing will ever go")?;
        now = next.max(now + 1);
        for (number, until) in idle_until.iter_mut().enumerate().filter(|(_, until)| **until != 0 && **until <= now) {
            *until = 0;
            shaper.offer(now, number, size(&mut random))?;
        }
    }
    for (number, meter) in meters.iter().enumerate() {
        if meter.worst > i128::from(BURST) << 20 {
            let bytes = meter.worst >> 20;
            return Err(format!(
                "{count} queue pairs: a window of queue pair {number} exceeds its rate by {bytes} bytes, the burst is {BURST}"
            ));
        }
        // it sends again after the time that a full packet takes, a turn of the others, and a pause
        let most = ((4096_i128 << 20) / meter.rate) as u64 + 20_000 + 2 * count as u64;
        if meter.packets == 0 || meter.longest > most {
            return Err(format!("{count} queue pairs: queue pair {number} waited {} clocks, {most} are due", meter.longest));
        }
        // what it may send it does send
        let due = (meter.rate * i128::from(now.saturating_sub(paused[number]))) >> 20;
        if meter.bytes >> 20 < due * 99 / 100 - i128::from(2 * BURST) {
            return Err(format!("{count} queue pairs: queue pair {number} sent {} of {due} bytes", meter.bytes >> 20));
        }
    }
    Ok(())
}

/// A rate that rises counts from then on and not before; fractions of bytes are kept.
fn change(fault: Option<Fault>) -> Result<(), String> {
    let mut bucket = Bucket::new(Rate::from_bits(1_000_000, HERTZ), BURST, 0, fault);
    same!(bucket.take(0, 4096), true);
    bucket.set_rate(100_000, Rate::from_bits(100_000_000_000, HERTZ));
    same!(bucket.take(100_000, 64), false);
    same!(bucket.ready(100_000, 64), Some(100_001));
    let mut slow = Bucket::new(Rate::from_bits(1_000_000, HERTZ), BURST, 0, fault);
    same!(slow.take(0, 4096), true);
    // a look at every clock changes nothing
    let mut looked = slow.clone();
    let at = slow.ready(0, 64).ok_or("it has a rate")?;
    for now in 0..at {
        same!(looked.take(now, 64), false);
    }
    same!(looked.take(at, 64), true);
    // 64 bytes at 1 Mb/s and 322.27 MHz
    same!((164_000..166_000).contains(&at), true);
    same!(Bucket::new(Rate::default(), 10, 0, fault).ready(5, 11), Some(5));
    let mut stopped = Bucket::new(Rate::default(), 10, 0, fault);
    same!((stopped.take(5, 11), stopped.ready(6, 1)), (true, None));
    Ok(())
}

/// Those that have tokens share the port.
fn turns(fault: Option<Fault>) -> Result<(), String> {
    let mut shaper = Shaper::new(3, Rate::MOST, 1 << 24, 64, fault)?;
    for number in [0, 1, 2] {
        for _ in 0..100 {
            shaper.offer(0, number, 64)?;
        }
    }
    let order: Vec<usize> = (0..9).filter_map(|now| shaper.serve(now).map(|(number, _)| number)).collect();
    same!(order, vec![0, 1, 2, 0, 1, 2, 0, 1, 2]);
    same!(shaper.queued(1), 97);
    Ok(())
}

#[test]
fn no_window_of_a_million_packets_exceeds_rate_and_burst_and_none_starves() {
    for count in [1, 16, 256, 1024] {
        run(count, 1_000_000, None).unwrap();
    }
}

#[test]
fn a_queue_pair_that_always_has_a_packet_keeps_its_rate_within_one_packet() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for bits in [1_000_000, 1_000_000_000, 100_000_000_000, 400_000_000_000] {
        let rate = Rate::from_bits(bits, HERTZ);
        let clock = rate.steps().div_ceil(1 << 20);
        let mut bucket = Bucket::new(rate, 4096 + clock, 0, None);
        let (mut now, mut sent) = (0, 0_i128);
        // bytes less rate x time, in 2^-20 byte, at the beginning and at the end of every packet: the ends of the worst window are among
        // them
        let (mut least, mut most) = (i128::MAX, i128::MIN);
        for number in 0..20_000 {
            let bytes = if number % 2 == 0 { 4096 } else { random.random_range(64..=4096) };
            now = bucket.ready(now, bytes).unwrap();
            assert!(bucket.take(now, bytes));
            let before = sent - i128::from(rate.steps()) * i128::from(now);
            sent += i128::from(bytes) << 20;
            (least, most) = (least.min(before), most.max(before + (i128::from(bytes) << 20)));
        }
        assert!(most - least <= i128::from(4096 + clock) << 20, "{bits}: {} bytes", (most - least) >> 20);
    }
}

#[test]
fn steps_of_a_rate_are_at_most_one_percent_from_a_megabit_to_400_gigabits() {
    let mut bits = 1_000_000.0_f64;
    while bits <= 400e9 {
        let rate = Rate::from_bits(bits as u64, HERTZ);
        let next = Rate::from_steps(u64::from(rate.steps()) + 1);
        assert!(rate < Rate::MOST && next.bits(HERTZ) / rate.bits(HERTZ) <= 1.01, "{bits}");
        assert!((rate.bits(HERTZ) / bits - 1.0).abs() <= 0.005, "{bits}: {}", rate.bits(HERTZ));
        bits *= 1.003;
    }
    assert_eq!(Rate::from_bits(u64::MAX, 1), Rate::MOST);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |count, burst| Shaper::new(count, Rate::MOST, burst, 4096, None).err();
    assert_eq!(refused(0, 4096), Some("a shaper of 0 queue pairs: name at least 1".to_string()));
    let small = "a burst of 4095 bytes is below the largest packet, 4096 bytes; make it at least as large";
    assert_eq!(refused(1, 4095), Some(small.to_string()));
    let mut shaper = Shaper::new(2, Rate::MOST, 4096, 4096, None).unwrap();
    assert_eq!(shaper.offer(0, 2, 64), Err("queue pair 2 of 2: there is none".to_string()));
    shaper.set_rate(0, 2, Rate::MOST);
    assert_eq!(shaper.wake(7), None);
}
