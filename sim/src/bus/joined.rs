//! Two models at each other's ports.

use super::{Agent, Violation};
use crate::{Direction, Error, Model};

/// A model with registers at all its outputs, standing at the ports of another one as an agent: what the one drives the other sees in the same clock.
pub struct Joined<M> {
    inner: M,
    /// port of the inner model, port of the outer one, words
    to_outer: Vec<(usize, usize, usize)>,
    to_inner: Vec<(usize, usize, usize)>,
}

impl<M: Model> Joined<M> {
    /// Joins the ports of `inner` that begin with a pair's first name to those of `outer` that begin with its second one. A port that the other side does not
    /// have is left alone; of two widths the narrower one counts.
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
                let words = port.words().max(outer.ports()[j].words());
                match (port.direction, outer.ports()[j].direction) {
                    (Direction::Output, Direction::Input) => to_outer.push((i, j, words)),
                    (Direction::Input, Direction::Output) => to_inner.push((i, j, words)),
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
        Ok(Joined { inner, to_outer, to_inner })
    }

    pub fn inner(&self) -> &M {
        &self.inner
    }

    pub fn inner_mut(&mut self) -> &mut M {
        &mut self.inner
    }
}

fn carry(from: &dyn Model, i: usize, to: &mut dyn Model, j: usize, words: usize) {
    let mut value = vec![0u32; words];
    let (source, target) = (from.ports()[i].words(), to.ports()[j].words());
    from.peek(i, &mut value[..source]);
    to.poke(j, &value[..target]);
}

impl<M: Model> Agent for Joined<M> {
    fn drive(&mut self, model: &mut dyn Model) {
        for (i, j, words) in &self.to_outer {
            carry(&self.inner, *i, model, *j, *words);
        }
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        for (i, j, words) in &self.to_inner {
            carry(model, *j, &mut self.inner, *i, *words);
        }
        self.inner.clock();
    }
}
