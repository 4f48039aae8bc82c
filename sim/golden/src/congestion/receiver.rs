//! The receiver of one queue pair: what its acknowledgements and CNPs say of congestion.
//!
//! Follows the contract, "Congestion state on the acknowledgement", "Receiver". A mark ends the wait for further packets of an
//! acknowledgement; where no new acknowledgement is due, the current one is sent again.

use super::dcqcn::NotificationPoint;
use super::degree::{Degree, DegreeConfig, Telemetry};
use super::fault::Fault;
use super::header::{Level, Notice, Scene};
use super::signal::by_notification;

/// Registers of a receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverConfig {
    pub degree: DegreeConfig,
    /// least clocks between two CNPs of the queue pair, 0: none
    pub gap: u64,
}

/// A packet that has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    pub scene: Scene,
    /// "congestion experienced" in its IP header
    pub marked: bool,
    /// `None`: the side band is not valid
    pub telemetry: Option<Telemetry>,
}

/// What the queue pair does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// nothing beyond what is due anyway
    None,
    /// An acknowledgement goes out now: a new one, or the current one again.
    Acknowledge,
    /// A CNP goes out now.
    Notify(Notice),
}

/// What has arrived and is not told.
#[derive(Clone, Copy, Debug, Default)]
struct Untold {
    marked: bool,
    /// the worst that telemetry said, the latest of equals
    telemetry: Option<(Level, Telemetry)>,
    scene: Scene,
}

/// One queue pair.
#[derive(Clone, Debug)]
pub struct Receiver {
    config: ReceiverConfig,
    degree: Degree,
    /// by acknowledgements, and by CNPs: what one tells, the other does not forget
    untold: [Untold; 2],
    limit: NotificationPoint,
}

const BY_ACKNOWLEDGEMENT: usize = 0;
const BY_NOTIFICATION: usize = 1;

impl Receiver {
    /// # Errors
    /// The window's size cannot be.
    pub fn new(config: ReceiverConfig) -> Result<Receiver, String> {
        let gap = if config.degree.fault == Some(Fault::NotificationsUnlimited) { 0 } else { config.gap };
        let limit = NotificationPoint::new(gap);
        Ok(Receiver { config, degree: Degree::new(config.degree)?, untold: [Untold::default(); 2], limit })
    }

    /// A packet arrives at clock `now`; memory has answered for it.
    ///
    /// A marked packet of no scene counts in the window and is told by the next acknowledgement, but asks for none.
    pub fn arrive(&mut self, now: u64, arrival: &Arrival) -> Answer {
        let fault = self.config.degree.fault;
        self.degree.arrive(now, arrival.marked);
        let notified = match fault {
            Some(Fault::ResponseUnnotified) => false,
            Some(Fault::MessageNotified) => true,
            _ => by_notification(arrival.scene),
        };
        let untold = &mut self.untold[usize::from(notified)];
        untold.marked = arrival.marked || (untold.marked && fault != Some(Fault::LastMarkAlone));
        if arrival.marked {
            untold.scene = arrival.scene;
        }
        if let Some(telemetry) = arrival.telemetry {
            let level = self.config.degree.of_telemetry(&telemetry);
            if untold.telemetry.is_none_or(|(known, _)| level >= known) {
                untold.telemetry = Some((level, telemetry));
            }
        }
        if notified {
            return if self.limit.arrive(now, arrival.marked) { self.notify(now) } else { Answer::None };
        }
        match arrival.scene {
            Scene::Message if arrival.marked && fault != Some(Fault::MarkWaits) => Answer::Acknowledge,
            _ => Answer::None,
        }
    }

    /// Time is `now`: a CNP that waited for its gap may go.
    pub fn tick(&mut self, now: u64) -> Answer {
        if self.limit.tick(now) { self.notify(now) } else { Answer::None }
    }

    /// When `tick` is next needed.
    pub fn wake(&self) -> Option<u64> {
        self.limit.wake()
    }

    fn notify(&mut self, now: u64) -> Answer {
        self.take(now, BY_NOTIFICATION).map_or(Answer::None, Answer::Notify)
    }

    /// An acknowledgement, positive or negative, goes out: what it says, or `None` for BECN 0.
    pub fn acknowledge(&mut self, now: u64) -> Option<Notice> {
        self.take(now, BY_ACKNOWLEDGEMENT)
    }

    fn take(&mut self, now: u64, by: usize) -> Option<Notice> {
        let fault = self.config.degree.fault;
        let untold = self.untold[by];
        if fault != Some(Fault::MarkStaysTold) {
            self.untold[by] = Untold::default();
        }
        if !untold.marked {
            return None;
        }
        let share = self.degree.level(now);
        let mut notice = Notice { level: share, scene: untold.scene, ..Notice::default() };
        if let Some((level, telemetry)) = untold.telemetry {
            notice.level = if fault == Some(Fault::ShareBeatsTelemetry) { share } else { level };
            notice.depth = Some(telemetry.depth).filter(|&depth| depth != u16::MAX);
            notice.point = Some(telemetry.point).filter(|&point| point != u16::MAX);
            notice.delay = Some(telemetry.delay).filter(|&delay| delay != u32::MAX);
            notice.enhanced = notice.depth.is_some() || notice.point.is_some() || notice.delay.is_some();
        }
        Some(notice)
    }
}
