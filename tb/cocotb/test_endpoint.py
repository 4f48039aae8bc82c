"""`endpoint` between the bus models of cocotbext-axi and a small model of the CDMA: an operation comes while a command goes, over one wire and into one ring.

The last test does things wrong on purpose: each time the check that is there for it has to fail.
"""

import random
from dataclasses import dataclass

import cocotb

from checks import Wrong, same, same_bytes
from frames import OPCODE, Acknowledged, Completed, Operation, complete
from numbered import (
    BUFFER, COMMAND, DESCRIPTORS, FILL, GUARD, IMMEDIATE, KEY, NEVER, NODE, OTHER_IMMEDIATE, OUR_NODE, PACKETS, RING, RING_LOG2, SEND_BUFFER,
    SOURCE, TARGET, THEM, TICK, TIMERS, US, Numbered,
)  # fmt: skip
from software import ENTRY, Completion

# Three packets wait for the start (0).
ORDER = (3, 1, 4, 0, 2)
NUMBER = 0x123


@dataclass
class Deviation:
    """What is done otherwise than the checks believe. Nothing, unless told."""

    order: tuple = ORDER
    flipped: bool = False  # a byte of the payload that comes is another one
    moved: bool = False  # the CDMA moves another byte than there is
    other_op: bool = False  # the completion of another operation comes
    rejected: int = 0  # the receiver's status


class Both(Numbered):
    """The endpoint, and what its software does: no queue pair is opened."""

    async def set_up(self, segment):
        regs = self.registers
        await self.ready()
        await self.write({name: NEVER for name in TIMERS if name in regs.registers})
        await self.write({"prescale": TICK, "threshold": segment, "segment": segment, "source_node": OUR_NODE})
        await self.write({"buffer_base": SEND_BUFFER, "sg_base": DESCRIPTORS})
        await self.introduce(US, NODE, THEM)
        await self.ring(RING, RING_LOG2)
        await regs.write("interrupt_status", 0xFFFF_FFFF)
        await regs.write("interrupt_enable", completion=1)
        await regs.write("control", enable=1, clear_counters=1)


async def both_ways(dut, pauses=False, deviation=None):
    """One write each way. Raises `Wrong`."""
    deviation = deviation or Deviation()
    bench = Both(dut, pauses, deviation)
    regs, memory = bench.registers, bench.memory
    await bench.reset()
    packet_size = (await regs.fields("capability_source"))["packet_size"]
    mask_bits = (await regs.fields("capability_operation"))["mask_bits"]
    await bench.set_up(packet_size * mask_bits // 2)
    rng = random.Random(cocotb.RANDOM_SEED)
    ours, theirs = (rng.randbytes((PACKETS - 1) * packet_size + packet_size // 3) for _ in range(2))
    written = Operation(NODE, NUMBER, BUFFER, theirs, packet_size, OTHER_IMMEDIATE)
    bench.cdma.put(SOURCE, ours)
    memory.write(BUFFER - GUARD, bytes([FILL]) * (PACKETS * packet_size + 2 * GUARD))
    memory.write(RING - GUARD, bytes([FILL]) * ((ENTRY << RING_LOG2) + 2 * GUARD))

    await bench.post({"id": COMMAND, "node": NODE, "qp": THEM.qp, "rkey": KEY, "target": TARGET, "imm": IMMEDIATE}, [(SOURCE, len(ours))], imm_valid=1)
    for index in deviation.order:
        payload = bytearray(written.payload(index))
        payload[17] ^= 0x10 * deviation.flipped * (index == 0)
        await bench.arrive(written.frame(THEM, US, index, bytes(payload)))
    await bench.collect("frames", PACKETS, 0)
    op = int.from_bytes(bench.data[0][OPCODE + 12 + 16 + 2 :][:2], "big")
    posted = Operation(OUR_NODE, op, TARGET, ours, packet_size, IMMEDIATE, KEY)
    for index, frame in enumerate(bench.data):
        same_bytes(f"frame {index}", frame, posted.frame(US, THEM, index, icrc=bytes(4)))

    same("completion of theirs", await bench.completion(0), Completion(
        target=BUFFER, bytes=len(theirs), immediate=OTHER_IMMEDIATE, source=NODE, op=NUMBER, packets=PACKETS, status=0,
        arrival=False, command=False, has_immediate=True, mask=(1 << mask_bits) - 1, number=0, phase=1,
    ))  # fmt: skip
    same_bytes("memory", memory.read(BUFFER, len(theirs)), theirs)
    same_bytes("before the buffer", memory.read(BUFFER - GUARD, GUARD), bytes([FILL]) * GUARD)
    same_bytes("behind the buffer", memory.read(BUFFER + len(theirs), GUARD), bytes([FILL]) * GUARD)

    same("interrupt before", bench.interrupt(), 0)
    await bench.arrive(complete(THEM, US, op ^ deviation.other_op, deviation.rejected, PACKETS))
    same("completion of ours", await bench.completion(1), Completion(
        target=0, bytes=len(ours), immediate=0, source=OUR_NODE, op=COMMAND, packets=0, status=0,
        arrival=False, command=True, has_immediate=False, mask=0, number=1, phase=1,
    ))  # fmt: skip

    await bench.idle()
    await bench.collect("the rest", PACKETS, 0)
    same("frames in all", len(bench.data), PACKETS)
    # The network may lose a remote completion, so it is told twice.
    same("completed", [one for one in bench.told if isinstance(one, Completed)], [Completed(NUMBER, 0, PACKETS)] * 2)
    acknowledged = [one for one in bench.told if isinstance(one, Acknowledged)]
    same("acknowledged", {(one.op, one.status) for one in acknowledged} <= {(NUMBER, 0)}, True)
    same_bytes("before the ring", memory.read(RING - GUARD, GUARD), bytes([FILL]) * GUARD)
    same_bytes("ring behind the entries", memory.read(RING + 2 * ENTRY, GUARD), bytes([FILL]) * GUARD)
    waits = ORDER.index(0)
    same("counters", await regs.counters(), {
        "frames": PACKETS + 1, "accepted": PACKETS, "registered": 1, "completed": 1, "escaped": waits, "replayed": waits,
        "memory_bursts": PACKETS, "completions": 2, "control_frames": len(bench.told), "commands": 1, "segments": 1, "descriptors": 1,
        "packets": PACKETS, "data_frames": PACKETS, "acks": 1, "cdma_resets": 1,
    })  # fmt: skip


@cocotb.test()
async def a_write_each_way(dut):
    await both_ways(dut)


@cocotb.test()
async def a_write_each_way_with_pauses_on_every_bus(dut):
    await both_ways(dut, pauses=True)


# What is done otherwise, and the check that has to see it.
WRONGS = {
    "no_start": (Deviation(order=(3, 1, 4, 2)), "interrupt"),
    "once_more": (Deviation(order=(*ORDER, 2)), "counters"),
    "flipped": (Deviation(flipped=True), "memory"),
    "moved": (Deviation(moved=True), "frame 0"),
    "other_op": (Deviation(other_op=True), "interrupt"),
    "rejected": (Deviation(rejected=3), "completion of ours"),
}


@cocotb.test()
@cocotb.parametrize(wrong=list(WRONGS))
async def the_bench_notices(dut, wrong):
    deviation, check = WRONGS[wrong]
    try:
        await both_ways(dut, deviation=deviation)
    except Wrong as found:
        assert found.what == check, f"{wrong}: seen by another check: {found}"
        dut._log.info("seen: %s", found)
    else:
        raise AssertionError(f"{wrong}, and every check passes")
