//! One channel: `valid`, `ready` and what goes with them.

use super::{Dice, Violation};
use crate::{Direction, Error, Model};

/// The ports of one channel, found by their prefix: `s_axi_aw`, `m_axis_frames_t`.
#[derive(Clone, Debug)]
pub struct Channel {
    pub prefix: String,
    valid: usize,
    ready: usize,
    /// name without the prefix, port, width
    payload: Vec<(String, usize, usize)>,
    /// the model drives `valid`
    pub from_model: bool,
}

impl Channel {
    /// Every port whose name begins with `prefix`.
    /// # Errors
    /// There is no `valid` or no `ready`, or both have the same direction.
    pub fn find(model: &dyn Model, prefix: &str) -> Result<Self, Error> {
        let port = |name: &str| {
            model.port(&format!("{prefix}{name}")).ok_or_else(|| Error::Bus {
                bus: prefix.to_string(),
                detail: format!(
                    "there is no port `{prefix}{name}`; ports are {}",
                    model.ports().iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ")
                ),
            })
        };
        let (valid, ready) = (port("valid")?, port("ready")?);
        let direction = |i: usize| model.ports()[i].direction;
        if direction(valid) == direction(ready) {
            let detail = format!("`{prefix}valid` and `{prefix}ready` have the same direction");
            return Err(Error::Bus { bus: prefix.to_string(), detail });
        }
        let payload = model.ports().iter().enumerate().filter_map(|(i, p)| {
            let name = p.name.strip_prefix(prefix)?;
            // The reset of a bus begins like its read address channel.
            (i != valid && i != ready && name != "esetn").then(|| (name.to_string(), i, p.width))
        });
        let payload = payload.filter(|(_, i, _)| direction(*i) == direction(valid)).collect();
        Ok(Channel { prefix: prefix.to_string(), valid, ready, payload, from_model: direction(valid) == Direction::Output })
    }

    /// A port of the payload and its width.
    pub fn field(&self, name: &str) -> Option<(usize, usize)> {
        self.payload.iter().find(|(n, _, _)| n == name).map(|(_, port, width)| (*port, *width))
    }

    pub fn valid(&self, model: &dyn Model) -> bool {
        model.peek_u64(self.valid) == 1
    }

    pub fn ready(&self, model: &dyn Model) -> bool {
        model.peek_u64(self.ready) == 1
    }

    /// Something passes at the coming edge.
    pub fn fires(&self, model: &dyn Model) -> bool {
        self.valid(model) && self.ready(model)
    }

    pub fn set_valid(&self, model: &mut dyn Model, valid: bool) {
        model.poke_u64(self.valid, u64::from(valid));
    }

    pub fn set_ready(&self, model: &mut dyn Model, ready: bool) {
        model.poke_u64(self.ready, u64::from(ready));
    }

    /// A field of at most 64 bits; `None` if the bus does not have it.
    pub fn get(&self, model: &dyn Model, name: &str) -> Option<u64> {
        self.field(name).map(|(port, _)| model.peek_u64(port))
    }

    /// A field of any width, as bytes.
    pub fn get_bytes(&self, model: &dyn Model, name: &str) -> Option<Vec<u8>> {
        self.field(name).map(|(port, width)| {
            let mut words = vec![0u32; width.div_ceil(32)];
            model.peek(port, &mut words);
            let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            bytes.truncate(width.div_ceil(8));
            bytes
        })
    }

    /// Sets the low 64 bits of a field, if the bus has it; the others become zero.
    pub fn set(&self, model: &mut dyn Model, name: &str, value: u64) {
        match self.field(name) {
            Some((port, width)) if width <= 64 => model.poke_u64(port, value),
            _ => self.set_bytes(model, name, &value.to_le_bytes()),
        }
    }

    /// Sets a field of any width from bytes; missing ones are zero.
    pub fn set_bytes(&self, model: &mut dyn Model, name: &str, bytes: &[u8]) {
        if let Some((port, width)) = self.field(name) {
            let mut words = vec![0u32; width.div_ceil(32)];
            for (i, byte) in bytes.iter().enumerate().take(4 * words.len()) {
                words[i / 4] |= u32::from(*byte) << (8 * (i % 4));
            }
            model.poke(port, &words);
        }
    }

    /// All of the payload is anything: what is not valid must not matter.
    pub(crate) fn garble(&self, model: &mut dyn Model, dice: &mut Dice) {
        // beats of up to 2048 bits without an allocation
        let mut short = [0; 64];
        for (_, port, width) in &self.payload {
            match short.get_mut(..width.div_ceil(32)) {
                Some(words) => {
                    dice.fill(words);
                    model.poke(*port, words);
                }
                None => model.poke(*port, &dice.words(width.div_ceil(32))),
            }
        }
    }

    fn snapshot(&self, model: &dyn Model, words: &mut Vec<u32>) {
        words.clear();
        for (_, port, width) in &self.payload {
            let at = words.len();
            words.resize(at + width.div_ceil(32), 0);
            model.peek(*port, &mut words[at..]);
        }
    }

    fn field_of_word(&self, word: usize) -> &str {
        let mut at = 0;
        for (name, _, width) in &self.payload {
            at += width.div_ceil(32);
            if word < at {
                return name;
            }
        }
        ""
    }
}

/// The reset of a model: `rst`, active high, or `aresetn` or `s_axi_lite_aresetn`, active low.
#[derive(Clone, Copy, Debug)]
pub struct Reset {
    port: Option<(usize, u64)>,
    clocks: u32,
}

impl Reset {
    pub fn find(model: &dyn Model) -> Self {
        let high = model.port("rst").map(|p| (p, 1));
        let low = || model.port("aresetn").or_else(|| model.port("s_axi_lite_aresetn")).map(|p| (p, 0));
        Reset { port: high.or_else(low), clocks: 0 }
    }

    /// It is on.
    pub fn active(&self, model: &dyn Model) -> bool {
        self.port.is_some_and(|(port, active)| model.peek_u64(port) == active)
    }

    /// Clocks for which reset has been on, this one included; 0 without reset. Call once per clock.
    pub fn clocks(&mut self, model: &dyn Model) -> u32 {
        self.clocks = if self.active(model) { self.clocks.saturating_add(1) } else { 0 };
        self.clocks
    }
}

/// What holds for every channel: what is offered stays, unchanged, until it is taken; nothing is offered in reset.
#[derive(Clone, Debug)]
pub struct ChannelCheck {
    channel: Channel,
    reset: Reset,
    waiting: bool,
    /// what waits, and a place for what is there now: kept, since this is looked at in every clock
    before: Vec<u32>,
    now: Vec<u32>,
}

impl ChannelCheck {
    pub fn new(model: &dyn Model, channel: Channel) -> Self {
        ChannelCheck { channel, reset: Reset::find(model), waiting: false, before: Vec::new(), now: Vec::new() }
    }

    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// Sees one clock. True if something passes.
    pub fn observe(&mut self, model: &dyn Model, violations: &mut Vec<Violation>) -> bool {
        let mut broken = |rule: &'static str, detail: String| {
            violations.push(Violation { cycle: model.cycle(), bus: self.channel.prefix.clone(), rule, detail });
        };
        let valid = self.channel.valid(model);
        let reset = self.reset.clocks(model);
        if reset > 0 {
            self.waiting = false;
            // A register has been reset after the first edge.
            if valid && reset > 1 && self.channel.from_model {
                broken("valid in reset", format!("`{}valid` is high in clock {reset} of the reset", self.channel.prefix));
            }
            return false;
        }
        let ready = self.channel.ready(model);
        let stays = valid && !ready;
        if self.waiting || stays {
            self.channel.snapshot(model, &mut self.now);
        }
        if self.waiting {
            let (before, now) = (&self.before, &self.now);
            if !valid {
                broken("valid dropped", format!("`{}valid` fell before `{0}ready` came", self.channel.prefix));
            } else if let Some(word) = (0..now.len()).find(|&i| now[i] != before[i]) {
                let field = self.channel.field_of_word(word);
                let detail = format!("`{}{field}` went from {:#x} to {:#x} while it waited", self.channel.prefix, before[word], now[word]);
                broken("payload changed", detail);
            }
        }
        if stays {
            std::mem::swap(&mut self.before, &mut self.now);
        }
        self.waiting = stays;
        valid && ready
    }
}
