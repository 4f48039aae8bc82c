//! DCQCN, the rate control of RoCEv2 cards that is publicly described.
//!
//! Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015: the reaction point cuts its rate by `alpha / 2` at each CNP,
//! `alpha` moves by `g` = 1/256 and decays every 55 us without one; the rate rises by a timer (55 us) and a byte counter (10 MB), five steps half way back
//! to the target, then additively (40 Mb/s), then faster. CNPs are 50 us apart. The paper leaves the step of the fastest phase and the least rate open:
//! 100 Mb/s both, as in the configuration that the ns-3 simulator of HPCC is published with.

/// Constants. Rates are in bits a second, times in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    pub line: f64,
    pub least: f64,
    pub g: f64,
    pub alpha_timer: u64,
    pub rise_timer: u64,
    pub rise_bytes: u64,
    pub fast: u32,
    pub additive: f64,
    pub hyper: f64,
}

impl Config {
    /// The published constants, for a clock of `ticks` a second.
    pub fn published(line: f64, ticks: f64) -> Config {
        let micro = |n: f64| (n * ticks / 1e6) as u64;
        Config {
            line,
            least: 100e6_f64.min(line),
            g: 1.0 / 256.0,
            alpha_timer: micro(55.0),
            rise_timer: micro(55.0),
            rise_bytes: 10_000_000,
            fast: 5,
            additive: 40e6,
            hyper: 100e6,
        }
    }
}

/// The reaction point of one queue pair.
#[derive(Clone, Copy, Debug)]
pub struct Dcqcn {
    config: Config,
    rate: f64,
    target: f64,
    alpha: f64,
    alpha_at: u64,
    rise_at: u64,
    timers: u32,
    counters: u32,
    bytes: u64,
}

impl Dcqcn {
    /// It starts at line rate.
    pub fn new(config: Config) -> Dcqcn {
        let Config { line, .. } = config;
        Dcqcn { config, rate: line, target: line, alpha: 1.0, alpha_at: 0, rise_at: 0, timers: 0, counters: 0, bytes: 0 }
    }

    fn rise(&mut self) {
        let (least, most) = (self.timers.min(self.counters), self.timers.max(self.counters));
        if most > self.config.fast {
            self.target += if least > self.config.fast { self.config.hyper } else { self.config.additive };
        }
        self.target = self.target.min(self.config.line);
        self.rate = (self.rate + self.target) / 2.0;
        // half way for ever: at the line it is there
        if self.config.line - self.rate < self.config.line * 1e-4 {
            self.rate = self.config.line;
        }
    }

    fn advance(&mut self, now: u64) {
        if self.rate >= self.config.line {
            return;
        }
        while self.alpha_at <= now {
            self.alpha *= 1.0 - self.config.g;
            self.alpha_at += self.config.alpha_timer;
        }
        while self.rise_at <= now && self.rate < self.config.line {
            self.timers += 1;
            self.rise_at += self.config.rise_timer;
            self.rise();
        }
    }

    /// The rate at `now`, bits a second.
    pub fn rate(&mut self, now: u64) -> f64 {
        self.advance(now);
        self.rate
    }

    pub fn sent(&mut self, now: u64, bytes: u32) {
        self.advance(now);
        self.bytes += u64::from(bytes);
        if self.bytes >= self.config.rise_bytes {
            self.bytes -= self.config.rise_bytes;
            if self.rate < self.config.line {
                self.counters += 1;
                self.rise();
            }
        }
    }

    /// A CNP arrives.
    pub fn notified(&mut self, now: u64) {
        if self.rate >= self.config.line {
            // while it ran at line rate alpha has decayed too
            while self.alpha_at <= now && self.alpha_at != 0 {
                self.alpha *= 1.0 - self.config.g;
                self.alpha_at += self.config.alpha_timer;
            }
        }
        self.advance(now);
        self.target = self.rate;
        self.rate = (self.rate * (1.0 - self.alpha / 2.0)).max(self.config.least);
        self.alpha = (1.0 - self.config.g) * self.alpha + self.config.g;
        (self.timers, self.counters, self.bytes) = (0, 0, 0);
        (self.alpha_at, self.rise_at) = (now + self.config.alpha_timer, now + self.config.rise_timer);
    }
}
