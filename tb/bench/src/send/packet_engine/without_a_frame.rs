//! Operations whose packets go without a frame from some packet on.

use super::Params;
use crate::pins::Pins;
use crate::wire::control_builder::configure;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;

/// Packets of each operation.
const PACKETS: u64 = 8;

/// Clocks in which the frames of an operation leave many times over.
const ENOUGH: u64 = 2_000;

/// Operations of eight packets, of which the first `frames` have a frame, for every number of them: so many frames leave, and so many
/// packets are told as sent. Then each packet is asked for again: every one leaves if all had a frame, else none does, and each counts as
/// stale.
/// # Errors
/// The operation that differs, and how many frames it had.
pub fn without_a_frame(model: &mut dyn Model, params: &Params, seed: u64) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Pins::new(model).reset(1);
    let (_, nodes) = configure(model, &mut rng);
    let node = nodes.iter().position(Option::is_some).unwrap_or(0) as u64;
    let mut pins = Pins::over(model);
    pins.set("first_go", 1);
    pins.set("out_ready", 1);
    pins.set("read_ready", 1);
    pins.set("payload_valid", 1);
    for _ in 0..(1 << params.index_bits) + 4 {
        pins.clock();
    }
    for frames in 0..=PACKETS {
        pins.set("op_valid", 1);
        for (name, value) in [
            ("op_op", frames),
            ("op_slot", 0),
            ("op_count", PACKETS),
            ("op_bytes", PACKETS * params.packet_size as u64),
            ("op_target", 0x1_0000),
            ("op_node", node),
            ("op_imm_valid", 0),
            ("op_kind", 0),
        ] {
            pins.set(name, value);
        }
        let (mut left, mut told, mut given) = (0, 0, false);
        for _ in 0..ENOUGH {
            pins.set("op_valid", (!given).into());
            pins.eval();
            pins.set("first_void", (pins.get("first_packet") >= frames).into());
            pins.eval();
            given |= pins.get("op_ready") == 1;
            left += pins.get("evt_frame");
            told += pins.get("sent_valid");
            pins.clock();
        }
        if (left, told) != (frames, frames) {
            return Err(format!("operation {frames}: {left} frames left and {told} packets are told as sent, {frames} have a frame"));
        }
        pins.set("op_valid", 0);
        pins.set("retransmit_op", frames);
        pins.set("retransmit_try", 1);
        let (mut packet, mut left, mut stale) = (0, 0, 0);
        for _ in 0..ENOUGH {
            pins.set("retransmit_valid", (packet < PACKETS).into());
            pins.set("retransmit_packet", packet.min(PACKETS - 1));
            pins.eval();
            packet += pins.get("retransmit_valid") & pins.get("retransmit_ready");
            left += pins.get("evt_frame");
            stale += pins.get("evt_stale");
            pins.clock();
        }
        let expected = if frames == PACKETS { (PACKETS, 0) } else { (0, PACKETS) };
        if (packet, (left, stale)) != (PACKETS, expected) {
            return Err(format!(
                "operation {frames}: of {packet} packets asked for again {left} left and {stale} count as stale, expected are {expected:?}"
            ));
        }
    }
    Ok(())
}
