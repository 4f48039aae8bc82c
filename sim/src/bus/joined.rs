//! Two models at each other's ports.

use super::{Agent, Violation};
use crate::{Direction, Error, Model};

/// A model with registers at all its outputs, standing at the ports of another one as an agent: what the one drives the other sees in the
/// same clock.
pub struct Joined<M> {
    inner: M,
    to_outer: Vec<Wire>,
    to_inner: Vec<Wire>,
    /// for the value that passes, kept between clocks
    value: Vec<u32>,
}

/// One port to another.
struct Wire {
    inner: usize,
    outer: usize,
    /// words of the port that drives, and of the one that is driven
    from: usize,
    to: usize,
}

impl<M: Model> Joined<M> {
    /// Joins the ports of `inner` that begin with a pair's first name to those of `outer` that begin with its second one. A port that the
    /// other side does not have is left alone; of two widths the narrower one counts.
    /// # Errors
    /// Two ports drive each other, two inputs meet, or a pair of names joins nothing.
    pub fn new(inner: M, outer: &dyn Model, pairs: &[(&str, &str)]) -> Result<Self, Error> {
        let (mut to_outer, mut to_inner) = (Vec::new(), Vec::new());
        for (ours, theirs) in pairs {
            let before = to_outer.len() + to_inner.len();
            for (i, port) in inner.ports().iter().enumerate() {
                let Some(name) = port.name.strip_prefix(ours) else { continue };
                let name = format!("{theirs}{name}");
                let Some(j) = outer.port(&name) else { continue };
                let (ours_wide, theirs_wide) = (port.words(), outer.ports()[j].words());
                match (port.direction, outer.ports()[j].direction) {
                    (Direction::Output, Direction::Input) => to_outer.push(Wire { inner: i, outer: j, from: ours_wide, to: theirs_wide }),
                    (Direction::Input, Direction::Output) => to_inner.push(Wire { inner: i, outer: j, from: theirs_wide, to: ours_wide }),
                    _ => {
                        let detail = format!("`{}` and `{name}` have the same direction", port.name);
                        return Err(Error::Bus { bus: (*ours).to_string(), detail });
                    }
                }
            }
            if to_outer.len() + to_inner.len() == before {
                return Err(Error::Bus {
                    bus: (*ours).to_string(),
                    detail: format!("no port begins with `{ours}` here and `{theirs}` there"),
                });
            }
        }
        let widest = to_outer.iter().chain(&to_inner).map(|wire| wire.from.max(wire.to)).max().unwrap_or(0);
        Ok(Joined { inner, to_outer, to_inner, value: vec![0; widest] })
    }

    pub fn inner(&self) -> &M {
        &self.inner
    }

    pub fn inner_mut(&mut self) -> &mut M {
        &mut self.inner
    }
}

impl<M: Model> Agent for Joined<M> {
    fn drive(&mut self, model: &mut dyn Model) {
        for wire in &self.to_outer {
            self.value[wire.from.min(wire.to)..].fill(0);
            self.inner.peek(wire.inner, &mut self.value[..wire.from]);
            model.poke(wire.outer, &self.value[..wire.to]);
        }
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        for wire in &self.to_inner {
            self.value[wire.from.min(wire.to)..].fill(0);
            model.peek(wire.outer, &mut self.value[..wire.from]);
            self.inner.poke(wire.inner, &self.value[..wire.to]);
        }
        self.inner.clock();
    }
}
