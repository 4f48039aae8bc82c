use crate::congestion::dcqcn::{Config, Dcqcn, NotificationPoint};

const MICRO: u64 = 1000;

fn card(rise: f64) -> Dcqcn {
    Dcqcn::new(Config::card(100e9, 1e9, rise))
}

#[test]
fn the_constants_are_the_published_ones() {
    let config = Config::card(100e9, 1e9, 900.0);
    assert_eq!((config.g, config.alpha_timer, config.cut_timer, config.rise_timer), (1.0 / 256.0, MICRO, 4 * MICRO, 900 * MICRO));
    assert_eq!((config.additive, config.hyper, config.least, config.fast), (50e6, 100e6, 100e6, 1));
}

#[test]
fn cuts_are_four_microseconds_apart_and_none_is_forgotten() {
    let mut control = card(900.0);
    control.notified(10 * MICRO);
    assert_eq!(control.rate(10 * MICRO), 50e9);
    control.notified(11 * MICRO);
    assert_eq!(control.rate(13 * MICRO), 50e9);
    assert_eq!(control.wake(), Some(14 * MICRO));
    let second = control.rate(14 * MICRO);
    // alpha has moved down by three steps and up by one
    assert!((25e9..25.4e9).contains(&second), "{second}");
    assert_eq!(control.rate(800 * MICRO), second);
}

#[test]
fn the_rate_rises_half_way_then_by_fifty_then_by_a_hundred_megabits() {
    let mut control = card(55.0);
    control.notified(MICRO);
    control.notified(2 * MICRO);
    let low = control.rate(5 * MICRO);
    // the second cut keeps the target: the line
    let half = control.rate(60 * MICRO);
    assert_eq!(half, (low + 100e9) / 2.0);
    let mut control = card(55.0);
    for at in 1..200 {
        control.notified(at * MICRO);
        control.rate(at * MICRO);
    }
    let low = control.rate(204 * MICRO);
    assert_eq!(low, 100e6);
    // a long congestion with a rise in it: the target follows the rate from then on
    let steps: Vec<f64> = (1..=4).map(|step| control.rate((204 + 55 * step) * MICRO)).collect();
    assert!(steps.windows(2).all(|pair| pair[1] > pair[0]), "{steps:?}");
}

#[test]
fn alpha_decays_while_nothing_is_told() {
    let mut control = card(55.0);
    control.notified(MICRO);
    let mut now = MICRO;
    while control.rate(now) < 100e9 {
        now += 55 * MICRO;
    }
    // a thousand microseconds of 255/256 each and more: a late CNP costs next to nothing
    control.notified(now + 2000 * MICRO);
    let rate = control.rate(now + 2000 * MICRO);
    assert!(rate > 99.9e9, "{rate}");
    let mut paper = Dcqcn::new(Config::published(100e9, 1e9));
    paper.notified(MICRO);
    paper.notified(MICRO + 1);
    assert!((paper.rate(2 * MICRO) - 25e9).abs() < 0.1e9, "it cuts at every CNP");
}

#[test]
fn the_notification_point_tells_at_once_and_then_once_a_gap() {
    let mut point = NotificationPoint::new(4 * MICRO);
    let sent: Vec<u64> = (0..12 * MICRO).filter(|&now| if now % 100 == 0 { point.arrive(now, true) } else { point.tick(now) }).collect();
    assert_eq!(sent, [0, 4 * MICRO, 8 * MICRO]);
    // nothing marked since: nothing to tell
    assert_eq!(point.wake(), Some(12 * MICRO));
    assert!(point.tick(12 * MICRO) && !point.tick(16 * MICRO) && !point.arrive(20 * MICRO, false));
    assert!(point.arrive(20 * MICRO, true));
    let mut each = NotificationPoint::new(0);
    assert!((0..10).all(|now| each.arrive(now, true)));
}
