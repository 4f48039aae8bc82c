//! Runs over bad networks, and what a peer that goes back costs.

use super::harness::{Direction, Report, Scenario, mixture, run};
use super::*;

const DIRECTIONS: [Direction; 3] = [Direction::PeerToOurs, Direction::OursToPeer, Direction::PeerToPeer];

fn complete(scenario: &Scenario) -> Report {
    run(scenario).unwrap_or_else(|wrong| panic!("{:?}, seed {}, {:?}: {wrong}", scenario.direction, scenario.seed, scenario.way))
}

/// Both numbers wrap in each.
#[test]
fn every_message_arrives_once_and_in_order_whatever_the_network_does() {
    for direction in DIRECTIONS {
        for (seed, (lost, skew)) in (0..).zip([(0, 0), (10, 0), (100, 0), (500, 0), (0, 40), (100, 40), (500, 40)]) {
            let report = complete(&Scenario::new(direction, mixture(60, MTU, seed), lost, skew, seed));
            assert!(report.counters.sent > 100, "{report:?}");
        }
    }
}

/// A receiver that is slow to post receives: RNR NAKs, whichever end sends.
#[test]
fn a_receiver_that_is_not_ready_is_waited_for() {
    for direction in [Direction::OursToPeer, Direction::PeerToPeer] {
        let messages = mixture(60, MTU, 5).into_iter().map(|(bytes, _)| (bytes, Some(bytes))).collect();
        let report = complete(&Scenario { receives: 1, ..Scenario::new(direction, messages, 100, 0, 5) });
        assert!(report.rnr_naks > 5 && report.counters.rnr_naks > 0, "{report:?}");
    }
}

/// The table of the page about plain peers. Loss of 0, 0.1, 1 and 5 %, in order, 64 packets a message.
#[test]
fn what_a_peer_that_goes_back_costs() {
    let messages = vec![(64 * MTU, None); 60];
    for direction in DIRECTIONS {
        for lost in [0, 10, 100, 500] {
            let scenario = Scenario { segment: 64 * MTU, ..Scenario::new(direction, messages.clone(), lost, 0, 7) };
            let Report { ticks, lost: gone, counters, .. } = complete(&scenario);
            let Counters { sent, sent_again, go_backs, timeouts, .. } = counters;
            let each = if gone == 0 { 0.0 } else { sent_again as f64 / gone as f64 };
            println!("{direction:?} | {lost} | {ticks} | {gone} | {sent_again} | {each:.1} | {go_backs} | {timeouts}");
            assert_eq!(sent, 60 * 64);
            if lost == 0 {
                // Copies that the network makes move nobody.
                assert_eq!((gone, sent_again), (0, 0), "{counters:?}");
            } else {
                assert!(gone > 0 && each <= f64::from(scenario.window), "{counters:?}");
            }
        }
    }
}
