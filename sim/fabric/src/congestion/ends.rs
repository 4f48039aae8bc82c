//! Both ends of a queue pair, with what they do about congestion.

use super::{CLOCK, HERTZ};
use crate::link::Carried;
use rdma_rtl_golden::bitmap::psn::sub;
use rdma_rtl_golden::congestion::bucket::Bucket;
use rdma_rtl_golden::congestion::dcqcn::{self, Dcqcn, NotificationPoint};
use rdma_rtl_golden::congestion::degree::Telemetry;
use rdma_rtl_golden::congestion::rate::Rate;
use rdma_rtl_golden::congestion::receiver::{Answer, Arrival, Receiver, ReceiverConfig};
use rdma_rtl_golden::congestion::sender::{Sender, Settings};
use rdma_rtl_golden::congestion::{Notice, Scene, Signal, Word};
use rdma_rtl_golden::lr2::card::{Config, Requester, Responder};
use rdma_rtl_golden::lr2::packet::{BTH, FRAME, Key, Kind, Packet};
use rdma_rtl_golden::lr2::table::turned;

/// A frame on its way.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    pub packet: Packet,
    /// when it was sent, picoseconds
    pub sent: u64,
    /// of the bottleneck
    pub telemetry: Option<Telemetry>,
    /// CETH of an acknowledgement
    pub notice: Option<Notice>,
}

impl Carried for Crossing {
    fn bytes(&self) -> u32 {
        self.packet.bytes
    }
}

impl Crossing {
    pub fn new(packet: Packet, sent: u64) -> Crossing {
        Crossing { packet, sent, telemetry: None, notice: None }
    }
}

/// What a queue pair does about congestion.
#[derive(Clone, Copy, Debug)]
pub enum Scheme {
    /// nothing: it keeps its full rate
    None,
    /// congestion state on the acknowledgement
    Ceth { settings: Settings, receiver: ReceiverConfig },
    /// `gap`: least time between two CNPs, picoseconds
    Dcqcn { config: dcqcn::Config, gap: u64 },
}

#[derive(Clone, Debug)]
enum Control {
    None,
    Ceth(Box<(Sender, Receiver)>),
    Dcqcn(Dcqcn, NotificationPoint),
}

/// A queue pair, both ends of it. Times are in picoseconds.
#[derive(Clone, Debug)]
pub struct Pair {
    pub requester: Requester,
    pub responder: Responder,
    control: Control,
    bucket: Bucket,
    full: Rate,
    reverse: Key,
    frame: u32,
    pub packets: u64,
    pub start: u64,
    pub received: Option<u64>,
    pub cnps: u64,
    /// events that are due
    pub send_at: Option<u64>,
    pub timer_at: Option<u64>,
    pub rate_at: Option<u64>,
    pub notify_at: Option<u64>,
}

/// Packets that a bucket holds.
const BURST: u32 = 2;

fn clock(now: u64) -> u64 {
    now / CLOCK
}

impl Pair {
    /// Number `number`: `bits` a second are its full rate, from `start` on it sends `packets`.
    /// # Errors
    /// A setting that cannot be.
    pub fn new(number: usize, card: Config, scheme: Scheme, bits: u64, (packets, start): (u64, u64)) -> Result<Pair, String> {
        let qp = number as u32;
        let key = Key { source: qp, destination: u32::MAX, qp };
        let reverse = turned(&key, qp);
        let mut requester = Requester::new(key, 0, card);
        requester.write(u32::try_from(packets).map_err(|_| format!("{packets} packets of one message: they have 32 bits"))?);
        let full = Rate::from_bits(bits, HERTZ);
        let control = match scheme {
            Scheme::None => Control::None,
            Scheme::Ceth { settings, receiver } => Control::Ceth(Box::new((Sender::new(settings, clock(start)), Receiver::new(receiver)?))),
            Scheme::Dcqcn { config, gap } => Control::Dcqcn(Dcqcn::new(config), NotificationPoint::new(gap)),
        };
        let frame = FRAME + BTH + card.payload;
        Ok(Pair {
            requester,
            responder: Responder::new(reverse, qp, 0, card),
            control,
            bucket: Bucket::new(full, BURST * frame, clock(start), None),
            full,
            reverse,
            frame,
            packets,
            start,
            received: None,
            cnps: 0,
            send_at: None,
            timer_at: None,
            rate_at: None,
            notify_at: None,
        })
    }

    /// Sets the bucket to the present rate; whether it is below the full one, and whether it has fallen.
    pub fn update(&mut self, now: u64) -> (bool, bool) {
        let rate = match &mut self.control {
            Control::None => self.full,
            Control::Ceth(ends) => ends.0.rate(clock(now)),
            Control::Dcqcn(control, _) => Rate::from_bits(control.rate(now) as u64, HERTZ),
        };
        let before = self.bucket.rate();
        if rate != before {
            self.bucket.set_rate(clock(now), rate);
        }
        // a percent below is full: DCQCN never quite arrives
        (u64::from(rate.steps()) * 100 < u64::from(self.full.steps()) * 99, rate < before)
    }

    /// When the rate may next change by itself.
    pub fn rate_wake(&self) -> Option<u64> {
        match &self.control {
            Control::None => None,
            Control::Ceth(ends) => (self.bucket.rate() < self.full).then(|| ends.0.window_end() * CLOCK),
            Control::Dcqcn(control, _) => control.wake(),
        }
    }

    /// When the next packet may go by its bucket; `None`: there is none.
    pub fn ready(&mut self, now: u64) -> Option<u64> {
        let at = self.requester.ready()?.max(now);
        let ready = self.bucket.ready(clock(at), self.frame)?;
        Some(at.max(ready * CLOCK))
    }

    pub fn take(&mut self, now: u64) -> Option<Packet> {
        let packet = self.requester.take(now)?;
        self.bucket.take(clock(now), packet.bytes);
        match &mut self.control {
            Control::Ceth(ends) => ends.0.sent(clock(now)),
            Control::Dcqcn(control, _) => control.sent(now, packet.bytes),
            Control::None => {}
        }
        Some(packet)
    }

    /// A data packet arrives at the receiver; what it answers goes to `out`.
    pub fn arrive(&mut self, now: u64, crossing: &Crossing, out: &mut Vec<Crossing>) {
        let mut answers = Vec::new();
        self.responder.receive(now, &crossing.packet, &mut answers);
        if self.received.is_none() && self.responder.progress().1 == self.packets {
            self.received = Some(now);
        }
        let mut notify = false;
        match &mut self.control {
            Control::Ceth(ends) => {
                let delay = u32::try_from((now - crossing.sent) / 1000).unwrap_or(u32::MAX - 1);
                let telemetry = crossing.telemetry.map(|telemetry| Telemetry { delay, ..telemetry });
                let arrival = Arrival { scene: Scene::Message, marked: crossing.packet.marked, telemetry };
                let answer = ends.1.arrive(clock(now), &arrival);
                if answer == Answer::Acknowledge && answers.is_empty() {
                    // the current one again, if nothing new is in order
                    answers.push(Packet::ack(self.reverse, sub(self.responder.progress().0, 1), 0));
                }
            }
            Control::Dcqcn(_, point) => notify = point.arrive(now, crossing.packet.marked),
            Control::None => {}
        }
        for packet in answers {
            out.push(self.acknowledgement(now, packet));
        }
        if notify {
            out.push(self.notification(now));
        }
    }

    fn acknowledgement(&mut self, now: u64, mut packet: Packet) -> Crossing {
        let notice = match &mut self.control {
            Control::Ceth(ends) => ends.1.acknowledge(clock(now)),
            _ => None,
        };
        packet.echo = notice.is_some();
        packet.bytes += notice.map_or(0, |notice| notice.to_bytes().len() as u32);
        Crossing { notice, ..Crossing::new(packet, now) }
    }

    fn notification(&mut self, now: u64) -> Crossing {
        self.cnps += 1;
        Crossing::new(Packet::cnp(self.reverse), now)
    }

    /// A CNP that waited for its gap.
    pub fn notify(&mut self, now: u64) -> Option<Crossing> {
        let goes = match &mut self.control {
            Control::Dcqcn(_, point) => point.tick(now),
            _ => false,
        };
        goes.then(|| self.notification(now))
    }

    pub fn notify_wake(&self) -> Option<u64> {
        match &self.control {
            Control::Dcqcn(_, point) => point.wake(),
            _ => None,
        }
    }

    /// An acknowledgement or a CNP arrives at the sender.
    pub fn heard(&mut self, now: u64, crossing: &Crossing) {
        let cnp = crossing.packet.kind == Kind::Cnp;
        match &mut self.control {
            Control::Ceth(ends) => {
                let word = crossing.notice.map_or(Word::Clear, Word::Notice);
                ends.0.heard(clock(now), &Signal { word, acknowledges: true });
            }
            Control::Dcqcn(control, _) if cnp => control.notified(now),
            _ => {}
        }
        if !cnp {
            self.requester.receive(now, &crossing.packet);
        }
    }
}
