//! `CethBuilder` held to the golden sender of notices.

use super::ceth_reader::FORMS;
use crate::pins::Pins;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::{Level, Notice, Scene, tell};
use rdma_rtl_golden::wire::{Bth, Frame, Opcode};
use rdma_rtl_sim::Model;

/// What was built: by words, 0: nothing followed.
pub type Seen = [u64; 4];

fn notice(rng: &mut ChaCha8Rng) -> Notice {
    let field = |rng: &mut ChaCha8Rng| if rng.random_bool(0.6) { None } else { Some(rng.random_range(0..u16::MAX)) };
    let (depth, point) = (field(rng), field(rng));
    // All ones but for one bit is there.
    let delay = [None, Some(rng.random_range(0..u32::MAX)), Some(0), Some(u32::MAX - 1)][rng.random_range(0..4)];
    Notice { level: Level::of(rng.random()), scene: Scene::of(rng.random()), enhanced: false, depth, point, delay }
}

fn drive(pins: &mut Pins, becn: bool, notice: &Notice, form: usize) {
    pins.set("in_form", form as u64);
    pins.set("in_becn", becn.into());
    pins.set("in_level", notice.level as u64);
    pins.set("in_scene", notice.scene.code().into());
    pins.set("in_depth", notice.depth.unwrap_or(u16::MAX).into());
    pins.set("in_point", notice.point.unwrap_or(u16::MAX).into());
    pins.set("in_delay", notice.delay.unwrap_or(u32::MAX).into());
}

/// `count` acknowledgements of every form; `pause` percent of the clocks are without one.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, pause: u32, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    pins.reset(2);
    let mut seen = Seen::default();
    for _ in 0..count {
        while rng.random_range(0..100) < pause {
            pins.set("in_valid", 0);
            pins.clock();
            pins.check("out_valid", 0)?;
        }
        let (becn, form, notice) = (rng.random_bool(0.8), rng.random_range(0..FORMS.len()), notice(&mut rng));
        let mut frame = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, 9, 4));
        tell(&mut frame, becn.then_some(&notice), FORMS[form]);
        pins.set("in_valid", 1);
        drive(&mut pins, becn, &notice, form);
        pins.clock();
        pins.check("out_valid", 1)?;
        pins.check("out_becn", frame.bth.becn.into())?;
        let mut bytes = frame.ceth.map_or(Vec::new(), |ceth| ceth.0);
        pins.check("out_words", bytes.len() as u64 / 4)?;
        seen[bytes.len() / 4] += 1;
        bytes.resize(12, 0);
        let words: Vec<u32> = bytes.rchunks(4).map(|word| word.iter().fold(0, |value, &byte| value << 8 | u32::from(byte))).collect();
        pins.check_words("out_ceth", &words)?;
        pins.check("out_level", (frame.bth.reserved6 >> 4).into())?;
        pins.check("out_scene", (frame.bth.reserved7 >> 4).into())?;
    }
    pins.failure().map_or(Ok(seen), Err)
}
