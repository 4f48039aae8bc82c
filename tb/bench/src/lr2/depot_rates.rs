//! How fast `DepotFlows` is: clocks of what the contract has bounds for, and of what fills its pools.

use crate::pins::Pins;
use rdma_rtl_sim::Model;

const DATA: u64 = 0;
const ACK: u64 = 2;
const RELEASE: u64 = 9;

/// Events of each rate.
pub const EVENTS: u64 = 512;

/// Clocks, measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// for [`EVENTS`] events of all flows that change nothing
    pub unchanged: u64,
    /// the same of one flow
    pub alone: u64,
    /// for [`EVENTS`] packets of all flows that go on, each with a copy
    pub copied: u64,
    /// from a packet behind a gap to its Depot-NACK
    pub gap: u64,
    /// from the packet that fills a hole to the first one that is let go, and to the next
    pub hole: [u64; 2],
}

struct Run<'m> {
    pins: Pins<'m>,
    /// the last step: clock, kind, a Depot-NACK
    step: Option<(u64, u64, bool)>,
}

impl Run<'_> {
    fn clock(&mut self) -> Result<(), String> {
        self.pins.clock();
        self.pins.eval();
        if self.pins.get("done") == 1 {
            self.step = Some((self.pins.cycle(), self.pins.get("done_kind"), self.pins.get("orders_nack") == 1));
        }
        self.pins.failure().map_or(Ok(()), Err)
    }

    /// Offers something until it is taken. Returns the clock of that.
    fn offer(&mut self, name: &str, values: &[(&str, u64)]) -> Result<u64, String> {
        for (field, value) in values {
            self.pins.set(&format!("{name}_{field}"), *value);
        }
        self.pins.set(&format!("{name}_valid"), 1);
        self.pins.eval();
        let ready = format!("{name}_ready");
        let began = self.pins.cycle();
        while self.pins.get(&ready) == 0 {
            if self.pins.cycle() > began + 10_000 {
                return Err(format!("cycle {}: `{ready}` does not come", self.pins.cycle()));
            }
            self.clock()?;
        }
        let taken = self.pins.cycle();
        self.clock()?;
        self.pins.set(&format!("{name}_valid"), 0);
        Ok(taken)
    }

    fn event(&mut self, flow: u64, kind: u64, psn: u64) -> Result<u64, String> {
        self.offer("event", &[("flow", flow), ("kind", kind), ("psn", psn), ("span", 1)])
    }

    /// [`EVENTS`] of them, one after the other: clocks of the whole.
    fn events(&mut self, mut of: impl FnMut(u64) -> (u64, u64, u64)) -> Result<u64, String> {
        let began = self.pins.cycle();
        for number in 0..EVENTS {
            let (flow, kind, psn) = of(number);
            self.event(flow, kind, psn)?;
        }
        let clocks = self.pins.cycle() - began;
        self.rest()?;
        Ok(clocks)
    }

    /// Until nothing is under way but visits.
    fn rest(&mut self) -> Result<(), String> {
        (0..200).try_for_each(|_| self.clock())
    }

    /// The clock of the next step of that kind.
    fn next(&mut self, kind: u64) -> Result<(u64, bool), String> {
        let began = self.pins.cycle();
        loop {
            match self.step.take() {
                Some((clock, of, nack)) if of == kind => return Ok((clock, nack)),
                _ if self.pins.cycle() > began + 1000 => return Err(format!("cycle {}: no step of kind {kind}", self.pins.cycle())),
                _ => self.clock()?,
            }
        }
    }
}

/// Measures a Depot of at least 8 flows, and of places for [`EVENTS`] copies.
/// # Errors
/// Something is never taken, or never leaves.
pub fn rates(model: &mut dyn Model) -> Result<Rates, String> {
    let pins = Pins::new(model);
    let flows = 1u64 << pins.width("event_flow");
    let mut run = Run { pins, step: None };
    run.pins.set("walk_most", 8);
    run.pins.set("nack_ready", 1);
    run.pins.reset(2);
    for flow in 0..flows {
        run.offer("open", &[("flow", flow), ("set", 1), ("psn", 0)])?;
    }
    run.rest()?;
    let mut rates = Rates {
        unchanged: run.events(|number| (number % flows, ACK, 0xff_ffff))?,
        alone: run.events(|_| (0, ACK, 0xff_ffff))?,
        copied: run.events(|number| (number % flows, DATA, number / flows))?,
        ..Rates::default()
    };
    let next = EVENTS / flows;
    run.step = None;
    let taken = run.event(1, DATA, next + 1)?;
    let (clock, nack) = run.next(DATA)?;
    if !nack {
        return Err(format!("cycle {clock}: no Depot-NACK of a gap"));
    }
    rates.gap = clock - taken;
    run.event(1, DATA, next + 2)?;
    run.rest()?;
    run.step = None;
    let filled = run.event(1, DATA, next)?;
    run.next(DATA)?;
    for clocks in &mut rates.hole {
        run.offer("release", &[("flow", 1)])?;
        *clocks = run.next(RELEASE)?.0 - filled;
    }
    Ok(rates)
}
