"""`receive_endpoint` between the bus models of cocotbext-axi: one operation, its packets reordered, duplicated and one of them damaged.

The last test does things wrong on purpose: each time the check that is there for it has to fail.
"""

import random
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import ClockCycles, with_timeout

from bench import CLOCK, PATIENCE, Bench
from checks import Wrong, same, same_bytes
from frames import Acknowledged, Completed, End, Operation, control
from software import ENTRY, Completion

US = End(mac="02:00:00:00:00:02", ip="10.0.0.2", qp=0x11)
NODE = 1
THEM = End(mac="02:00:00:00:01:01", ip="10.0.1.1", qp=0x101)
# The buffer goes across a 4 KB boundary, which no burst may.
BUFFER = 0x55_0000_1000
RING, RING_LOG2 = 0x7_0000_1000, 2
GUARD, FILL = 256, 0xA5
# `renotify`: clocks in which a late copy is answered once.
TICK, RENOTIFY = 4, 100
PACKETS = 5
# Before the start (0) comes, packets wait; two of them, and the start, come twice before the operation is complete.
ORDER = [3, 1, 1, 4, 0, 3, 0, 2]


@dataclass
class Deviation:
    """What is done otherwise than the checks believe. Nothing, unless told."""

    order: list = field(default_factory=lambda: list(ORDER))
    flipped: tuple = ()  # index of a packet and byte of its payload that is another on the wire
    immediate: int = 0  # flips bits of the immediate on the wire
    damaged: int = 2  # `tuser` of the damaged frame: ICRC wrong
    stray: int = None  # byte of the memory model, relative to the buffer, that somebody else writes


class Receiver(Bench):
    """The endpoint, and what its software does."""

    async def set_up(self):
        """What software does first, as the book says, up to `control.enable`."""
        regs = self.registers
        await self.ready()
        await regs.write("scratch", 0x1234_ABCD)
        same("scratch", await regs.read("scratch"), 0x1234_ABCD)

        await self.write({"prescale": TICK, "renotify": RENOTIFY // TICK, "escape_timeout": 1 << 20, "op_timeout": 1 << 24, "t_life": 1 << 26})
        await self.introduce(US, NODE, THEM)
        await regs.write("local_udp", source_port=0xC123, hop_limit=32, traffic_class=0)
        await regs.write("local_pkey", 0xFFFF)
        await self.ring(RING, RING_LOG2)
        await regs.write("interrupt_enable", completion=1)
        # What is told again later would be told among the answers to late copies.
        await regs.write("repeat_completion", 0)

    async def settle(self):
        """Waits until nothing is under way and the counters have everything."""
        await with_timeout(self.rx.wait(), PATIENCE * CLOCK, "ns")
        await self.idle()

    def controls(self):
        return [control(frame, US, THEM) for frame in self.left()]


async def one_operation(dut, pauses=False, deviation=None):
    """The operation from its first frame to its completion, then late copies. Raises `Wrong`."""
    deviation = deviation or Deviation()
    bench = Receiver(dut, pauses)
    regs, memory = bench.registers, bench.memory
    await bench.reset()
    await bench.set_up()

    packet_size = (await regs.fields("capability_source"))["packet_size"]
    mask_bits = (await regs.fields("capability_operation"))["mask_bits"]
    data = random.Random(cocotb.RANDOM_SEED).randbytes((PACKETS - 1) * packet_size + packet_size // 3)
    operation = Operation(NODE, 0x123, BUFFER - 2 * packet_size, data, packet_size, 0xFEED_F00D ^ deviation.immediate)
    places = PACKETS * packet_size
    memory.write(operation.base - GUARD, bytes([FILL]) * (places + 2 * GUARD))
    memory.write(RING - GUARD, bytes([FILL]) * ((ENTRY << RING_LOG2) + 2 * GUARD))
    # Before `enable` frames are thrown away, uncounted.
    await bench.arrive(operation.frame(THEM, US, 0))
    await bench.settle()
    same("counters before enable", await regs.counters(), {})
    same("interrupt before", bench.interrupt(), 0)
    await regs.write("control", enable=1)

    # A copy of a packet with other bytes, of which the MAC says that its ICRC is wrong.
    other = bytes(byte ^ 0xFF for byte in operation.payload(2))
    await bench.arrive(operation.frame(THEM, US, 2, other), deviation.damaged)
    for index in deviation.order:
        payload = bytearray(operation.payload(index))
        if deviation.flipped and index == deviation.flipped[0]:
            payload[deviation.flipped[1]] ^= 0x10
        await bench.arrive(operation.frame(THEM, US, index, bytes(payload)))

    await bench.interrupted()
    # As software: what `ring_producer` says is in memory, and so is what the completion is about.
    same("ring_producer", await regs.read("ring_producer"), 1)
    same("completion", Completion.parse(memory.read(RING, ENTRY)), Completion(
        target=operation.base, bytes=len(data), immediate=0xFEED_F00D, source=NODE, op=0x123, packets=PACKETS, status=0,
        arrival=False, command=False, has_immediate=True, mask=(1 << mask_bits) - 1, number=0, phase=1,
    ))  # fmt: skip
    if deviation.stray is not None:
        memory.write(operation.base + deviation.stray, b"!")
    same_bytes("memory", memory.read(operation.base, len(data)), data)

    def untouched():
        guard = bytes([FILL]) * GUARD
        same_bytes("before the buffer", memory.read(operation.base - GUARD, GUARD), guard)
        behind = operation.base + len(data)
        same_bytes("behind the buffer", memory.read(behind, places + GUARD - len(data)), bytes([FILL]) * (places + GUARD - len(data)))
        same_bytes("before the ring", memory.read(RING - GUARD, GUARD), guard)
        free = (ENTRY << RING_LOG2) - ENTRY + GUARD
        same_bytes("ring behind the entry", memory.read(RING + ENTRY, free), bytes([FILL]) * free)

    untouched()
    await regs.write("ring_consumer", 1)
    await regs.write("interrupt_status", completion=1)
    await bench.settle()
    same("interrupt after", bench.interrupt(), 0)

    told = bench.controls()
    same("0xc1", [one for one in told if isinstance(one, Completed)], [Completed(0x123, 0, PACKETS)])
    acknowledged = [one for one in told if isinstance(one, Acknowledged)]
    same("0xc3", {(one.op, one.status) for one in acknowledged} <= {(0x123, 0)}, True)
    same("packets in 0xc3", frozenset().union(*(one.packets for one in acknowledged)) <= frozenset(range(PACKETS)), True)
    counted = {
        "frames": len(ORDER) + 1, "frame_icrc": 1, "accepted": PACKETS, "duplicate": len(ORDER) - PACKETS, "registered": 1, "completed": 1,
        "escaped": ORDER.index(0), "replayed": ORDER.index(0), "memory_bursts": PACKETS, "completions": 1, "control_frames": len(told),
    }  # fmt: skip
    same("counters", await regs.counters(), counted)

    # Late copies: answered once, counted, and nothing else.
    await ClockCycles(dut.aclk, 2 * RENOTIFY)
    for index in (0, 2):
        await bench.arrive(operation.frame(THEM, US, index, other))
    await bench.settle()
    same("answer to late copies", bench.controls(), [Completed(0x123, 0, 0)])
    same_bytes("memory after late copies", memory.read(operation.base, len(data)), data)
    untouched()
    same("ring_producer after late copies", await regs.read("ring_producer"), 1)
    counted |= {"frames": counted["frames"] + 2, "stale": 2, "renotified": 1, "control_frames": counted["control_frames"] + 1}
    same("counters after late copies", await regs.counters(), counted)


@cocotb.test()
async def an_operation(dut):
    await one_operation(dut)


@cocotb.test()
async def an_operation_with_pauses_on_every_bus(dut):
    await one_operation(dut, pauses=True)


# What is done otherwise, and the check that has to see it.
WRONGS = {
    "payload": (Deviation(flipped=(3, 17)), "memory"),
    "last_byte": (Deviation(flipped=(4, -1)), "memory"),
    "stray_byte": (Deviation(stray=-1), "before the buffer"),
    "immediate": (Deviation(immediate=1), "completion"),
    "missing": (Deviation(order=[3, 1, 1, 4, 0, 3, 0]), "interrupt"),
    "once_each": (Deviation(order=[3, 1, 4, 0, 2]), "counters"),
    "damaged": (Deviation(damaged=0), "memory"),
}


@cocotb.test()
@cocotb.parametrize(wrong=list(WRONGS))
async def the_bench_notices(dut, wrong):
    deviation, check = WRONGS[wrong]
    try:
        await one_operation(dut, deviation=deviation)
    except Wrong as found:
        assert found.what == check, f"{wrong}: seen by another check: {found}"
        dut._log.info("seen: %s", found)
    else:
        raise AssertionError(f"{wrong}, and every check passes")
