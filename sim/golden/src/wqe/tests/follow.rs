//! The model follows something else that chooses its own moments, within their bounds.

use super::rig::{FIRST, MTU, QP, Rig, number, wqe};
use super::*;

/// A model that others tell when, beside what they do.
fn followed(change: impl Fn(&mut SenderConfig, &mut ReceiverParams, &mut ReceiverConfig)) -> (Rig, Rig) {
    let rig = || Rig::with(None, |sender, params, config| change(sender, params, config)).unwrap();
    (rig(), rig())
}

/// Both have these packets but some.
fn both(rigs: [&mut Rig; 2], lost: &[usize]) {
    for rig in rigs {
        (0..4).for_each(|id| {
            rig.write(id, 4 * MTU, None, false).unwrap();
        });
        let packets = rig.packets();
        rig.deliver_but(&packets, lost).unwrap();
    }
}

#[test]
fn an_indication_falls_between_its_bounds() {
    // Hardware that looks at its timers every so often is within them, whenever it begins.
    for scan in [1, 5, 16] {
        let (mut hardware, mut model) = followed(|_, params, _| params.scan = scan);
        both([&mut hardware, &mut model], &[2, 4, 5, 6, 7, 15]);
        let mut told = 0;
        for now in 1..1000 {
            hardware.wait(1);
            model.receiver.pass(now);
            for indication in hardware.indications() {
                model.receiver.indicated(&indication).unwrap();
                told += 1;
            }
            model.receiver.overdue().unwrap();
        }
        // What is missing of a WQE, a WQE that is lost whole, the end of the last: every 200 ticks.
        assert!(told >= 3 * 4, "{told}");
    }
}

#[test]
fn what_is_early_late_or_wrong_is_found() {
    let fresh = || {
        let (mut hardware, mut model) = followed(|_, params, _| params.scan = 4);
        both([&mut hardware, &mut model], &[2, 4, 5, 6, 7, 15]);
        model.receiver
    };
    let good = Indication { qp: QP, wqe: Some(wqe(0)), first: number(2), missing: 1 };
    let lost = Indication { qp: QP, wqe: None, first: number(4), missing: 0xf };
    let tail = Indication { qp: QP, wqe: Some(wqe(3)), first: number(15), missing: 1 };
    let all = [good, lost, tail];
    for indication in all {
        let mut early = fresh();
        early.pass(99);
        assert!(early.indicated(&indication).is_err(), "{indication:?}");
        early.pass(100);
        early.indicated(&indication).unwrap();
        // The round before has just begun.
        early.pass(299);
        assert!(early.indicated(&indication).is_err(), "{indication:?}");
        early.pass(300);
        early.indicated(&indication).unwrap();
    }
    for skipped in 0..3 {
        let mut late = fresh();
        late.pass(105);
        all.iter().enumerate().filter(|(at, _)| *at != skipped).for_each(|(_, indication)| late.indicated(indication).unwrap());
        late.overdue().unwrap();
        late.pass(106);
        assert!(late.overdue().is_err(), "{skipped}");
    }
    let wrong = [
        Indication { wqe: Some(wqe(1)), ..good },
        Indication { wqe: Some(wqe(900)), ..good },
        Indication { wqe: None, ..good },
        Indication { first: number(3), ..good },
        Indication { missing: 3, ..good },
        Indication { missing: 0, ..good },
        Indication { qp: QP + 1, ..good },
        Indication { wqe: Some(wqe(0)), ..lost },
        Indication { missing: 0x1f, ..lost },
        Indication { missing: 3, ..tail },
    ];
    for indication in wrong {
        let mut model = fresh();
        model.pass(150);
        assert!(model.indicated(&indication).is_err(), "{indication:?}");
    }
}

#[test]
fn pages_are_idle_between_their_bounds() {
    let rig = || Rig::with(None, |_, params, config| (params.scan, config.wqe_idle) = (8, 500)).unwrap();
    let mut model = rig();
    model.write(0, 4 * MTU, None, false).unwrap();
    let packets = model.packets();
    model.deliver(&packets[1]).unwrap();
    let mut early = model.receiver.clone();
    early.pass(499);
    assert!(early.idled(QP, FIRST.1).is_err());
    early.pass(500);
    assert!(early.idled(QP, wqe(1)).is_err(), "another WQE");
    early.idled(QP, FIRST.1).unwrap();
    assert_eq!(early.free_pages(), ReceiverParams::default().pages);
    assert!(early.idled(QP, FIRST.1).is_err(), "it has none any more");
    let mut late = model.receiver.clone();
    // What is asked for meanwhile is another matter.
    late.config.t_fail = u32::MAX;
    late.pass(509);
    late.overdue().unwrap();
    late.pass(510);
    assert!(late.overdue().is_err());
}

#[test]
fn a_timer_expires_between_its_bounds() {
    let mut rig = Rig::with(None, |sender, _, _| (sender.rto, sender.rto_cap, sender.retry_limit) = (100, 150, 2)).unwrap();
    assert!(rig.sender.expired(QP).is_err(), "it does not run");
    rig.write(0, MTU, None, false).unwrap();
    rig.packets();
    let mut begun = 0;
    for ticks in [100, 150] {
        rig.sender.pass(begun + ticks - 1);
        assert!(rig.sender.expired(QP).is_err());
        let mut late = rig.sender.clone();
        late.pass(begun + ticks + 1 + 10);
        late.overdue(10).unwrap();
        late.pass(begun + ticks + 1 + 11);
        assert!(late.overdue(10).is_err());
        begun += ticks;
        rig.sender.pass(begun);
        rig.sender.expired(QP).unwrap();
        assert_eq!(rig.packets().len(), 1);
    }
    rig.sender.pass(begun + 150);
    rig.sender.expired(QP).unwrap();
    assert_eq!(rig.done(), [(0, Outcome::RetryLimit)]);
    rig.sender.overdue(0).unwrap();
}
