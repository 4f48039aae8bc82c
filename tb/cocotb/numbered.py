"""Tops that send and receive, whose packets have sequence numbers: a queue pair is opened, and one write goes each way at the same time. Of either a packet is missing, and goes again when it is asked for."""

import random
from dataclasses import dataclass

import cocotb

from bench import Bench
from checks import Wrong, same, same_bytes
from frames import OPCODE, PSNS, WRITE_ONLY, WRITE_ONLY_IMMEDIATE, Above, Arrived, Completed, End, Missing, Operation, Write, arrived, complete, control, missing
from software import ENTRY, Completion

# Our queue pair for a node has its number more than this.
QP, NODE, OUR_NODE = 0x40, 1, 3
US = End(mac="02:00:00:00:00:02", ip="10.0.0.2", qp=QP + NODE)
THEM = End(mac="02:00:00:00:01:01", ip="10.0.1.1", qp=0x101)
# Numbers begin anew on the way.
FIRST = PSNS - 2
PACKETS, LATE = 5, 3
SOURCE, TARGET, BUFFER = 0x12_0000_0FC0, 0x55_0000_1000, 0x66_0000_1000
SEND_BUFFER, DESCRIPTORS = 0x80_0000_0000, 0x81_0000_0000
RING, RING_LOG2 = 0x7_0000_1000, 2
COMMAND, KEY, IMMEDIATE, OTHER_IMMEDIATE = 0x4711, 0xDEAD_BEEF, 0xFEED_F00D, 0x0BAD_CAFE
GUARD, FILL = 256, 0xA5
# No timer runs out but that of a gap.
TICK, NEVER, WAIT = 4, 1 << 20, 50
TIMERS = ("timeout", "timeout_floor", "backoff_cap", "rto", "rto_cap", "renotify", "refeedback", "escape_timeout", "op_timeout", "t_life", "stall")
# Clocks in which anything else has to happen.
SOON = 2_500
# Why a gap is told: its age.
AGE = 1


@dataclass
class Deviation:
    """What is done otherwise than the checks believe. Nothing, unless told."""

    closed: bool = False  # the queue pair is not opened
    flipped: bool = False  # a byte of the payload that comes is another one
    moved: bool = False  # the CDMA moves another byte than there is
    prompt: bool = False  # the packet that is to be missing comes at once
    other_qp: int = 0  # what is told is for another queue pair
    short: int = 0  # packets that it does not acknowledge


def number(index):
    return (FIRST + index) % PSNS


class Numbered(Bench):
    """The endpoint, what its software does, and its frames: data, and what is told."""

    def __init__(self, dut, pauses, deviation):
        super().__init__(dut, pauses, (lambda piece: bytes([piece[0] ^ 1]) + piece[1:]) if deviation.moved else None)
        self.data, self.told = [], []

    async def set_up(self, segment, closed):
        regs = self.registers
        await self.ready()
        await self.write({name: NEVER for name in TIMERS if name in regs.registers})
        await self.write({"prescale": TICK, "wait": WAIT, "threshold": segment, "segment": segment, "source_node": OUR_NODE})
        await self.write({"buffer_base": SEND_BUFFER, "sg_base": DESCRIPTORS, "feedback_qp": QP})
        if "data_qp" in regs.registers:
            await regs.write("data_qp", QP)
        await self.introduce(US, NODE, THEM)
        await self.ring(RING, RING_LOG2)
        await self.write({"connection_index": NODE, "connection_psn": FIRST})
        if not closed:
            await regs.write("connection", open=1)

        async def opened():
            return not (await regs.fields("connection_state"))["busy"]

        await self.until("open", opened)
        await regs.write("interrupt_status", 0xFFFF_FFFF)
        await regs.write("interrupt_enable", completion=1)
        await regs.write("control", enable=1, clear_counters=1)

    async def collect(self, what, data, told):
        """Waits for so many data frames, and so many messages besides, from the first one on."""

        async def enough():
            for frame in self.left():
                if frame[OPCODE] in (WRITE_ONLY, WRITE_ONLY_IMMEDIATE):
                    self.data.append(frame)
                else:
                    self.told.append(control(frame, US, THEM))
            return len(self.data) >= data and len(self.told) >= told

        await self.until(what, enough, SOON)

    async def completion(self, place):
        """The next entry of the ring, as software takes it."""
        await self.interrupted(SOON)
        same("ring_producer", await self.registers.read("ring_producer"), place + 1)
        found = Completion.parse(self.memory.read(RING + place * ENTRY, ENTRY))
        await self.registers.write("ring_consumer", place + 1)
        await self.registers.write("interrupt_status", completion=1)
        same("interrupt after", self.interrupt(), 0)
        return found


async def both_ways(dut, registry, pauses=False, deviation=None):
    """One write each way. With a `registry` operations are known at both ends, and told of. Raises `Wrong`."""
    deviation = deviation or Deviation()
    bench = Numbered(dut, pauses, deviation)
    regs, memory = bench.registers, bench.memory
    await bench.reset()
    packet_size = (await regs.fields("capability_source"))["packet_size"]
    mask_bits = (await regs.fields("capability_operation"))["mask_bits"]
    await bench.set_up(packet_size * mask_bits // 2, deviation.closed)
    rng = random.Random(cocotb.RANDOM_SEED)
    ours, theirs = (rng.randbytes((PACKETS - 1) * packet_size + packet_size // 3) for _ in range(2))
    kind = Operation if registry else Write
    written = kind(NODE, 0x123, BUFFER, theirs, packet_size, OTHER_IMMEDIATE, first=FIRST)
    bench.cdma.put(SOURCE, ours)
    memory.write(BUFFER - GUARD, bytes([FILL]) * (PACKETS * packet_size + 2 * GUARD))
    memory.write(RING - GUARD, bytes([FILL]) * ((ENTRY << RING_LOG2) + 2 * GUARD))

    # Their packets but one, while ours go.
    await bench.post({"id": COMMAND, "node": NODE, "qp": THEM.qp, "rkey": KEY, "target": TARGET, "imm": IMMEDIATE}, [(SOURCE, len(ours))], imm_valid=1)
    payload = bytearray(written.payload(0))
    payload[17] ^= 0x10 * deviation.flipped
    await bench.arrive(written.frame(THEM, US, 0, bytes(payload)))
    for index in range(1, PACKETS):
        if index != LATE or deviation.prompt:
            await bench.arrive(written.frame(THEM, US, index))
    await bench.collect("frames", PACKETS, 0)
    op = int.from_bytes(bench.data[0][OPCODE + 12 + 16 + 2 :][:2], "big")
    posted = kind(OUR_NODE, op, TARGET, ours, packet_size, IMMEDIATE, KEY, FIRST)
    for index, frame in enumerate(bench.data):
        same_bytes(f"frame {index}", frame, posted.frame(US, THEM, index, icrc=bytes(4)))

    # What is missing is told, and comes; then the host hears of it.
    def latest():
        return max((one.messages, one.psn) for one in bench.told if isinstance(one, Arrived))

    gap = Missing(number(LATE), 1, number(PACKETS - 1), number(LATE), AGE)

    async def reported():
        await bench.collect("feedback", PACKETS, 0)
        return any(isinstance(one, Missing) for one in bench.told)

    await bench.until("feedback", reported, 2 * TICK * WAIT)
    same("feedback", [one for one in bench.told if isinstance(one, Missing)], [gap])
    above = Above(number(LATE), number(LATE + 1), PACKETS - 1 - LATE)
    same("above the gap", {one for one in bench.told if isinstance(one, Above)}, {above})
    same("acknowledged before", latest(), (LATE, number(LATE - 1)))
    same("interrupt before", bench.interrupt(), 0)
    await bench.arrive(written.frame(THEM, US, LATE, again=True))
    last = written.payload(PACKETS - 1)
    told = dict(target=BUFFER, bytes=len(theirs), op=0x123, packets=PACKETS, mask=(1 << mask_bits) - 1)
    if not registry:
        # Of the packet with the immediate, which is a message of its own.
        told = dict(target=BUFFER + (PACKETS - 1) * packet_size, bytes=len(last), op=0, packets=1, mask=0)
    same("completion of theirs", await bench.completion(0), Completion(
        **told, immediate=OTHER_IMMEDIATE, source=NODE, status=0, arrival=False, command=False, has_immediate=True, number=0, phase=1,
    ))  # fmt: skip
    same_bytes("memory", memory.read(BUFFER, len(theirs)), theirs)
    same_bytes("before the buffer", memory.read(BUFFER - GUARD, GUARD), bytes([FILL]) * GUARD)
    same_bytes("behind the buffer", memory.read(BUFFER + len(theirs), GUARD), bytes([FILL]) * GUARD)

    # The same the other way: one of ours is asked for, and no other one.
    receiver = End(US.mac, US.ip, US.qp ^ deviation.other_qp)
    await bench.arrive(arrived(THEM, receiver, number(LATE - 1)))
    await bench.arrive(missing(THEM, receiver, number(LATE), number(PACKETS - 1)))
    await bench.collect("retransmission", PACKETS + 1, 0)
    same_bytes("retransmission", bench.data[PACKETS], posted.frame(US, THEM, LATE, icrc=bytes(4), again=True))
    await bench.arrive(arrived(THEM, receiver, number(PACKETS - 1 - deviation.short)))
    if registry:
        await bench.arrive(complete(THEM, US, op, 0, PACKETS))
    same("completion of ours", await bench.completion(1), Completion(
        target=0, bytes=len(ours), immediate=0, source=OUR_NODE, op=COMMAND, packets=0, status=0,
        arrival=False, command=True, has_immediate=False, mask=0, number=1, phase=1,
    ))  # fmt: skip

    await bench.idle()
    await bench.collect("the rest", PACKETS + 1, 0)
    same("frames in all", len(bench.data), PACKETS + 1)
    same("acknowledged", latest(), (PACKETS, number(PACKETS - 1)))
    # The network may lose a remote completion, so it is told twice.
    same("completed", [one for one in bench.told if isinstance(one, Completed)], [Completed(0x123, 0, PACKETS)] * 2 * registry)
    same_bytes("before the ring", memory.read(RING - GUARD, GUARD), bytes([FILL]) * GUARD)
    same_bytes("ring behind the entries", memory.read(RING + 2 * ENTRY, GUARD), bytes([FILL]) * GUARD)
    # What goes again by its number is none of `packets`.
    acknowledged, above = (sum(isinstance(one, kind) for one in bench.told) for kind in (Arrived, Above))
    counted = {
        "frames": PACKETS + 3, "accepted": PACKETS, "memory_bursts": PACKETS, "completions": 2, "commands": 1, "segments": 1, "descriptors": 1,
        "packets": PACKETS, "data_frames": PACKETS + 1, "acks": 1, "cdma_resets": 1, "psn_new": PACKETS, "psn_gap": 1, "psn_report": 1,
        "psn_ffm": 1, "psn_ack": acknowledged, "psn_range": above, "number_ack": 2, "number_ffm": 1, "selective_retransmissions": 1,
    }  # fmt: skip
    if registry:
        counted |= {"frames": PACKETS + 4, "registered": 1, "completed": 1, "control_frames": 2}
    same("counters", await regs.counters(), counted)


# What is done otherwise, and the check that has to see it.
WRONGS = {
    "closed": (Deviation(closed=True), "frames"),
    "flipped": (Deviation(flipped=True), "memory"),
    "moved": (Deviation(moved=True), "frame 0"),
    "prompt": (Deviation(prompt=True), "feedback"),
    "other_qp": (Deviation(other_qp=2), "retransmission"),
}


async def notices(dut, registry, deviation, check):
    try:
        await both_ways(dut, registry, deviation=deviation)
    except Wrong as found:
        assert found.what == check, f"{deviation}: seen by another check: {found}"
        dut._log.info("seen: %s", found)
    else:
        raise AssertionError(f"{deviation}, and every check passes")
