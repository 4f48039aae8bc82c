use super::*;
use crate::congestion::degree::{Degree, DegreeConfig, Telemetry};
use crate::congestion::receiver::{Answer, Arrival, Receiver, ReceiverConfig};
use crate::congestion::{Level, Notice, Scene};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub const ALL: &[(&str, Trace)] = &[
    ("share of marks", share),
    ("acknowledgement of several packets", merged),
    ("telemetry", telemetry),
    ("scenes", scenes),
    ("gap between notifications", gap),
];

fn receiver(fault: Option<Fault>, gap: u64) -> Result<Receiver, String> {
    Receiver::new(ReceiverConfig { degree: DegreeConfig { fault, ..DegreeConfig::default() }, gap })
}

fn message(marked: bool) -> Arrival {
    Arrival { scene: Scene::Message, marked, telemetry: None }
}

/// The window counted anew at each packet.
fn share(fault: Option<Fault>) -> Result<(), String> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for (arrivals, idle) in [(64, 0), (64, 500), (1, 0), (1024, 0)] {
        let marks = [1, (arrivals as u16).div_ceil(4), (arrivals as u16).div_ceil(2)];
        let mut degree = Degree::new(DegreeConfig { arrivals, marks, idle, fault, ..DegreeConfig::default() })?;
        let (mut all, mut now, mut seen) = (Vec::new(), 1, [0; 4]);
        for number in 0..20_000 {
            let since = if random.random_bool(0.01) { 3000 } else { random.random_range(1..20) };
            now += since;
            if idle != 0 && since >= idle {
                all.clear();
            }
            // phases of few marks and of many
            let marked = random.random_bool([0.0, 0.05, 0.4, 0.9][number / (4 * arrivals) % 4]);
            all.push(marked);
            degree.arrive(now, marked);
            let count = all.iter().rev().take(arrivals).filter(|&&marked| marked).count() as u16;
            let level = Level::ALL[marks.iter().filter(|&&least| count >= least).count()];
            same!(degree.level(now), level);
            seen[level as usize] += 1;
            if idle != 0 && number % 1000 == 999 {
                same!(degree.level(now + idle), Level::None);
                all.clear();
            }
        }
        if arrivals > 1 && seen.contains(&0) {
            return Err(format!("a level never came: {seen:?}"));
        }
    }
    Ok(())
}

fn merged(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault, 0)?;
    let light = Some(Notice { level: Level::Light, scene: Scene::Message, ..Notice::default() });
    same!(receiver.arrive(1, &message(false)), Answer::None);
    same!(receiver.acknowledge(2), None);
    // the mark asks for an acknowledgement; one that comes later tells it all the same, once
    same!(receiver.arrive(3, &message(true)), Answer::Acknowledge);
    same!(receiver.arrive(4, &message(false)), Answer::None);
    same!(receiver.arrive(5, &message(false)), Answer::None);
    same!(receiver.acknowledge(6), light);
    same!(receiver.acknowledge(7), None);
    same!(receiver.arrive(8, &message(false)), Answer::None);
    same!(receiver.acknowledge(9), None);
    for now in 10..25 {
        same!(receiver.arrive(now, &message(true)), Answer::Acknowledge);
    }
    same!(receiver.acknowledge(26).map(|notice| notice.level), Some(Level::Medium));
    // no scene: told by the next acknowledgement, and asks for none
    same!(receiver.arrive(27, &Arrival { marked: true, ..Arrival::default() }), Answer::None);
    same!(receiver.acknowledge(28).map(|notice| notice.scene), Some(Scene::None));
    Ok(())
}

fn telemetry(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault, 0)?;
    let clear = Telemetry { level: Level::None, delay: 1000, depth: 0, occupancy: 0, point: 7 };
    let cases = [
        (clear, Level::None),
        (Telemetry { depth: 390, ..clear }, Level::Light),
        (Telemetry { depth: 389, occupancy: 64, ..clear }, Level::Medium),
        (Telemetry { depth: 1562, occupancy: 31, ..clear }, Level::Heavy),
        (Telemetry { depth: 781, occupancy: 128, ..clear }, Level::Heavy),
        (Telemetry { level: Level::Medium, ..clear }, Level::Medium),
        // an absent depth is no deep queue
        (Telemetry { depth: u16::MAX, point: u16::MAX, delay: u32::MAX, ..clear }, Level::None),
    ];
    for (number, (telemetry, level)) in cases.into_iter().enumerate() {
        let now = 10 * number as u64;
        let arrival = Arrival { telemetry: Some(telemetry), ..message(true) };
        same!(receiver.arrive(now, &arrival), Answer::Acknowledge);
        let notice = receiver.acknowledge(now + 1).ok_or("a mark was not told")?;
        same!(notice.level, level);
        same!(notice.depth, Some(telemetry.depth).filter(|&depth| depth != u16::MAX));
        same!(notice.point, Some(telemetry.point).filter(|&point| point != u16::MAX));
        same!(notice.delay, Some(telemetry.delay).filter(|&delay| delay != u32::MAX));
        same!(notice.enhanced, telemetry.point == 7);
    }
    // of several packets the worst is told, with its own fields; of equals the latest
    let depths = [400, 1600, 1700, 500];
    for depth in depths {
        receiver.arrive(100, &Arrival { telemetry: Some(Telemetry { depth, ..clear }), ..message(depth == 400) });
    }
    same!(receiver.acknowledge(101).map(|notice| (notice.level, notice.depth)), Some((Level::Heavy, Some(1700))));
    Ok(())
}

fn scenes(fault: Option<Fault>) -> Result<(), String> {
    for scene in [Scene::Response, Scene::Datagram] {
        let mut receiver = receiver(fault, 0)?;
        let notice = Notice { level: Level::Light, scene, ..Notice::default() };
        same!(receiver.arrive(1, &Arrival { scene, marked: true, telemetry: None }), Answer::Notify(notice));
        same!(receiver.arrive(2, &Arrival { scene, marked: false, telemetry: None }), Answer::None);
        // what the CNP told is nothing for an acknowledgement, and the other way round
        same!(receiver.acknowledge(3), None);
        same!(receiver.arrive(4, &message(true)), Answer::Acknowledge);
        same!(receiver.arrive(5, &Arrival { scene, marked: false, telemetry: None }), Answer::None);
        same!(receiver.acknowledge(6).map(|notice| notice.scene), Some(Scene::Message));
    }
    Ok(())
}

fn gap(fault: Option<Fault>) -> Result<(), String> {
    let mut receiver = receiver(fault, 100)?;
    let mut sent = Vec::new();
    for now in 0..400 {
        let arrival = Arrival { scene: Scene::Response, marked: now < 150, telemetry: None };
        let answer = if now % 10 == 0 { receiver.arrive(now, &arrival) } else { receiver.tick(now) };
        if answer != Answer::None {
            sent.push(now);
        }
    }
    same!(sent, vec![0, 100, 200]);
    same!(receiver.wake(), None);
    Ok(())
}

#[test]
fn a_window_that_is_no_power_of_two_is_refused() {
    for arrivals in [0, 3, 63, 1 << 16] {
        let refused = Degree::new(DegreeConfig { arrivals, ..DegreeConfig::default() }).err();
        assert_eq!(refused, Some(format!("congestion window of {arrivals} arrivals: it is a power of two from 1 to 32768")));
    }
}
