//! What is fixed when the blocks are made, and what is set at run time.

use super::psn::HALF;

/// Static parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// queue pairs at a time
    pub queue_pairs: usize,
    /// bits of the window with the base length, `L`
    pub bits: u32,
    /// bits of a segment, `S`
    pub segment: u32,
    /// packets that one bit stands for, `G`
    pub granularity: u32,
    /// paths, 1 to 16
    pub paths: u8,
    /// gap records per queue pair
    pub records: usize,
    /// segments of all queue pairs together
    pub pool: u32,
}

impl Params {
    /// `queue_pairs` with windows of `bits` bits, everything else as the spec gives it.
    pub fn new(queue_pairs: usize, bits: u32) -> Params {
        let segment = 64;
        Params { queue_pairs, bits, segment, granularity: 1, paths: 1, records: 8, pool: queue_pairs as u32 * (bits / segment) }
    }

    /// Packets of the window with the base length.
    pub fn packets(&self) -> u32 {
        self.bits * self.granularity
    }

    /// Packets of one segment.
    pub fn segment_packets(&self) -> u32 {
        self.segment * self.granularity
    }

    /// Segments of the base length.
    pub fn segments(&self) -> u32 {
        self.bits / self.segment
    }

    /// A reported gap needs no record: of its missing packets only their numbers are told again. With several paths a message names the
    /// path too, and with groups it ends where a group does, which the bitmap does not say.
    pub fn tells(&self) -> bool {
        self.paths == 1 && self.granularity == 1
    }

    /// # Errors
    /// What is not possible, with what is.
    pub fn check(&self) -> Result<(), String> {
        if self.segment == 0 || self.bits == 0 || !self.bits.is_multiple_of(self.segment) {
            return Err(format!("bits {} is not a multiple of segment {}", self.bits, self.segment));
        }
        if !(1..=16).contains(&self.paths) || !self.granularity.is_power_of_two() || self.records == 0 {
            return Err(format!("paths {}, granularity {}, records {}", self.paths, self.granularity, self.records));
        }
        if u64::from(self.bits) * u64::from(self.granularity) >= HALF.into() {
            return Err(format!("a window of {} x {} packets; less than {HALF} is possible", self.bits, self.granularity));
        }
        Ok(())
    }
}

/// How the depth of a gap is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthMode {
    /// highest PSN received - start of the gap
    #[default]
    Distance,
    /// later packets that have arrived since the gap was seen, the one that showed it included
    Arrivals,
}

/// How the path of a packet is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathMode {
    #[default]
    Off,
    /// by its PSN, at both ends
    Striped,
    /// by what it says itself, once it has arrived
    Tagged,
}

/// Runtime registers. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    pub depth: u32,
    pub depth_mode: DepthMode,
    pub wait: u32,
    pub stall: u32,
    /// 0: packets do not count
    pub stall_packets: u32,
    /// PSNs of a path before the next path has its turn
    pub stripe: u32,
    /// factor of depth, age and stall of a gap that is crossed; 0: its depth is not tested, age and stall are as they are
    pub relax: u32,
    pub overtake: u32,
    pub path_idle: u32,
    pub feedback_threshold: u32,
    pub feedback_wait: u32,
    pub refeedback: u32,
    /// the window's start moves in multiples of it; a power of two and multiple of `G`, at most a segment's packets
    pub slide_step: u32,
    /// most segments of one queue pair, 0: no limit
    pub qp_segments: u32,
    /// most gap records of one queue pair, 0: all there are
    pub qp_records: usize,
    pub range_ack: bool,
    /// ticks that hardware holds acknowledgements for the next packets of their queue pairs; this model never does
    pub ack_hold: u32,
    /// peers are told the window in the credits
    pub advertise: bool,
}

impl Config {
    /// The defaults of the spec for a granularity of `granularity`.
    pub fn defaults(granularity: u32) -> Config {
        Config {
            depth: 8,
            depth_mode: DepthMode::Distance,
            wait: 50,
            stall: 80,
            stall_packets: 0,
            stripe: 1,
            relax: 4,
            overtake: 3,
            path_idle: 100,
            feedback_threshold: 1,
            feedback_wait: 1,
            refeedback: 100,
            slide_step: granularity,
            qp_segments: 0,
            qp_records: 0,
            range_ack: true,
            ack_hold: 0,
            advertise: false,
        }
    }

    /// # Errors
    /// The register that has a value that it cannot have.
    pub fn check(&self, params: &Params) -> Result<(), String> {
        let most = params.segment_packets();
        if !self.slide_step.is_power_of_two() || !(params.granularity..=most).contains(&self.slide_step) {
            let step = self.slide_step;
            return Err(format!("slide_step {step}; powers of two from {} up to {most} are possible", params.granularity));
        }
        if self.relax > 16 || self.stripe == 0 || self.feedback_threshold == 0 {
            let Config { relax, stripe, feedback_threshold, .. } = self;
            return Err(format!("relax {relax} (0 to 16), stripe {stripe} (from 1), feedback_threshold {feedback_threshold} (from 1)"));
        }
        Ok(())
    }
}
