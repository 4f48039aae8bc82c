//! DCQCN, the rate control of RoCEv2 cards that is publicly described: the notification point at the receiver, the reaction point at the
//! sender.
//!
//! Two descriptions exist, and a [`Config`] is one of them.
//! - [`Config::published`]: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015. The reaction point cuts its
//!   rate by `alpha / 2` at each CNP, `alpha` moves by `g` = 1/256 and decays every 55 us without one. The rate rises by a timer (55 us)
//!   and a byte counter (10 MB): five steps half way back to the target, then additively (40 Mb/s), then faster. CNPs are 50 us apart. The
//!   paper leaves the step of the fastest phase and the least rate open: 100 Mb/s both, as in the configuration that the ns-3 simulator of
//!   HPCC is published with.
//! - [`Config::card`]: what that simulator has as the cards' own version, with the configuration that it is published with. `alpha` moves
//!   by `g` = 1/256 every 1 us, up if a CNP came since. The rate is cut at most every 4 us. Both times are the defaults that NVIDIA
//!   documents for its adapters. The rate rises by a timer alone: one step half way back, one by 50 Mb/s, then by 100 Mb/s. A cut that
//!   follows a cut keeps the target. The first CNP cuts at once, where the simulator waits for the first 4 us to end.

/// Constants. Rates are in bits a second, times in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    pub line: f64,
    pub least: f64,
    pub g: f64,
    pub alpha_timer: u64,
    /// `alpha` moves at its timer alone; else it rises with each CNP, which restarts the timer
    pub alpha_at_timer: bool,
    /// least time between two cuts; a CNP within it cuts when it is over
    pub cut_timer: u64,
    /// a cut without a rise since the last one keeps the target
    pub keeps_target: bool,
    pub rise_timer: u64,
    /// 0: the timer alone
    pub rise_bytes: u64,
    pub fast: u32,
    pub additive: f64,
    pub hyper: f64,
}

impl Config {
    /// The constants of the paper, for a clock of `ticks` a second.
    pub fn published(line: f64, ticks: f64) -> Config {
        let micro = |n: f64| (n * ticks / 1e6) as u64;
        Config {
            line,
            least: 100e6_f64.min(line),
            g: 1.0 / 256.0,
            alpha_timer: micro(55.0),
            alpha_at_timer: false,
            cut_timer: 0,
            keeps_target: false,
            rise_timer: micro(55.0),
            rise_bytes: 10_000_000,
            fast: 5,
            additive: 40e6,
            hyper: 100e6,
        }
    }

    /// The constants of the cards, with a rise every `rise` microseconds: 900 is the published configuration's, 55 the paper's.
    pub fn card(line: f64, ticks: f64, rise: f64) -> Config {
        let micro = |n: f64| (n * ticks / 1e6) as u64;
        Config {
            alpha_timer: micro(1.0),
            alpha_at_timer: true,
            cut_timer: micro(4.0),
            keeps_target: true,
            rise_timer: micro(rise),
            rise_bytes: 0,
            fast: 1,
            additive: 50e6,
            ..Config::published(line, ticks)
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
    /// a CNP came since `alpha` last moved
    told: bool,
    /// a CNP came since the last cut
    pending: bool,
    cut_at: u64,
}

impl Dcqcn {
    /// It starts at line rate.
    pub fn new(config: Config) -> Dcqcn {
        let Config { line, .. } = config;
        Dcqcn {
            config,
            rate: line,
            target: line,
            alpha: 1.0,
            alpha_at: 0,
            rise_at: 0,
            timers: 0,
            counters: 0,
            bytes: 0,
            told: false,
            pending: false,
            cut_at: 0,
        }
    }

    fn rise(&mut self) {
        let Config { fast, additive, hyper, .. } = self.config;
        let (least, most) = (self.timers.min(self.counters), self.timers.max(self.counters));
        if most > fast {
            let beyond = if self.config.rise_bytes == 0 { most > fast + 1 } else { least > fast };
            self.target += if beyond { hyper } else { additive };
        }
        self.target = self.target.min(self.config.line);
        self.rate = (self.rate + self.target) / 2.0;
        // half way for ever: at the line it is there
        if self.config.line - self.rate < self.config.line * 1e-4 {
            self.rate = self.config.line;
        }
    }

    fn advance(&mut self, now: u64) {
        if self.config.alpha_at_timer {
            self.advance_alpha(now);
        }
        if self.pending && self.cut_at <= now {
            self.cut(self.cut_at);
        }
        if self.rate >= self.config.line {
            return;
        }
        if !self.config.alpha_at_timer {
            while self.alpha_at <= now {
                self.alpha *= 1.0 - self.config.g;
                self.alpha_at += self.config.alpha_timer;
            }
        }
        while self.rise_at <= now && self.rate < self.config.line {
            self.timers += 1;
            self.rise_at += self.config.rise_timer;
            self.rise();
        }
    }

    /// Moves `alpha` at each step of its timer that has passed.
    fn advance_alpha(&mut self, now: u64) {
        if self.alpha_at == 0 || self.alpha_at > now {
            return;
        }
        let Config { g, alpha_timer, .. } = self.config;
        let steps = (now - self.alpha_at) / alpha_timer.max(1) + 1;
        self.alpha = (1.0 - g) * self.alpha + if std::mem::take(&mut self.told) { g } else { 0.0 };
        self.alpha *= (1.0 - g).powi((steps - 1).min(1 << 20) as i32);
        self.alpha_at += steps * alpha_timer.max(1);
    }

    /// The rate at `now`, bits a second.
    pub fn rate(&mut self, now: u64) -> f64 {
        self.advance(now);
        self.rate
    }

    /// When the rate may next change by itself; `None` at line rate.
    pub fn wake(&self) -> Option<u64> {
        let cut = self.pending.then_some(self.cut_at);
        let rise = (self.rate < self.config.line).then_some(self.rise_at);
        cut.into_iter().chain(rise).min()
    }

    pub fn sent(&mut self, now: u64, bytes: u32) {
        self.advance(now);
        if self.config.rise_bytes == 0 {
            return;
        }
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
        if self.config.alpha_at_timer {
            self.advance(now);
            self.told = true;
            if self.alpha_at == 0 {
                self.alpha_at = now + self.config.alpha_timer.max(1);
            }
            self.pending = true;
            if self.cut_at <= now {
                self.cut(now);
            }
            return;
        }
        if self.rate >= self.config.line {
            // while it ran at line rate alpha has decayed too
            while self.alpha_at <= now && self.alpha_at != 0 {
                self.alpha *= 1.0 - self.config.g;
                self.alpha_at += self.config.alpha_timer;
            }
        }
        self.advance(now);
        self.cut(now);
        self.alpha = (1.0 - self.config.g) * self.alpha + self.config.g;
        self.alpha_at = now + self.config.alpha_timer;
    }

    fn cut(&mut self, at: u64) {
        let risen = self.timers != 0 || self.counters != 0 || self.rate >= self.config.line;
        if risen || !self.config.keeps_target {
            self.target = self.rate;
        }
        self.rate = (self.rate * (1.0 - self.alpha / 2.0)).max(self.config.least);
        (self.timers, self.counters, self.bytes) = (0, 0, 0);
        self.rise_at = at + self.config.rise_timer;
        self.cut_at = at + self.config.cut_timer;
        self.pending = false;
    }
}

/// The notification point of one queue pair: the first mark is told at once, further ones by one CNP each `gap`.
#[derive(Clone, Copy, Debug)]
pub struct NotificationPoint {
    gap: u64,
    open_at: u64,
    marked: bool,
}

impl NotificationPoint {
    /// `gap`: least time between two CNPs, 0: every marked packet has one.
    pub fn new(gap: u64) -> NotificationPoint {
        NotificationPoint { gap, open_at: 0, marked: false }
    }

    /// No CNP goes before `at`: a card's limit that other queue pairs have used.
    pub fn hold_until(&mut self, at: u64) {
        self.open_at = self.open_at.max(at);
    }

    /// A packet arrives; whether a CNP goes out now.
    pub fn arrive(&mut self, now: u64, marked: bool) -> bool {
        self.marked |= marked;
        self.tick(now)
    }

    /// Time is `now`; whether a CNP that waited goes out.
    pub fn tick(&mut self, now: u64) -> bool {
        let goes = self.marked && self.open_at <= now;
        if goes {
            (self.marked, self.open_at) = (false, now + self.gap);
        }
        goes
    }

    /// When a CNP that waits goes out.
    pub fn wake(&self) -> Option<u64> {
        self.marked.then_some(self.open_at)
    }
}
