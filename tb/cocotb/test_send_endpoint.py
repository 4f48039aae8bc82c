"""`send_endpoint` between the bus models of cocotbext-axi and a small model of the CDMA: one command by registers, its packets, one of them acknowledged late.

The last test does things wrong on purpose: each time the check that is there for it has to fail.
"""

import random
from dataclasses import dataclass

import cocotb

from bench import Bench
from checks import Wrong, same, same_bytes
from frames import END, NOTIFICATION, OPCODE, WRITE_ONLY_IMMEDIATE, End, Operation, acknowledge, complete
from software import ENTRY, Completion

US = End(mac="02:00:00:00:00:02", ip="10.0.0.2", qp=0x11)
OUR_NODE, NODE = 3, 1
THEM = End(mac="02:00:00:00:01:01", ip="10.0.1.1", qp=0x101)
TARGET = 0x55_0000_1000
# Two blocks, in pages that do not follow one another.
SOURCES = (0x12_0000_0FC0, 0x34_0000_2000)
SEND_BUFFER, DESCRIPTORS = 0x80_0000_0000, 0x81_0000_0000
RING, RING_LOG2 = 0x7_0000_1000, 2
COMMAND, KEY, IMMEDIATE = 0x4711, 0xDEAD_BEEF, 0xFEED_F00D
GUARD, FILL = 256, 0xA5
TICK, TIMEOUT = 4, 300
PACKETS = 5
# Its acknowledgement comes when it was sent again only.
LATE = 2
# Tries after the first, and the status of a command that they did not help.
RETRIES, RETRY_LIMIT = 2, 32


@dataclass
class Deviation:
    """What is done otherwise than the checks believe. Nothing, unless told."""

    flipped: bool = False  # a byte that the CDMA moves is another one
    other_op: bool = False  # the completion of another operation comes
    rejected: int = 0  # the receiver's status
    hasty: bool = False  # the late packet is acknowledged at once


def flip(piece):
    return bytes([piece[0] ^ 1]) + piece[1:]


class Sender(Bench):
    """The endpoint, and what its software does."""

    async def set_up(self, segment):
        """What software does first, as the book says, up to `control.enable`."""
        regs = self.registers
        await self.ready()
        await self.write({"prescale": TICK, "timeout": TIMEOUT, "timeout_floor": TIMEOUT, "ack_delay": 0, "backoff_cap": 4 * TIMEOUT, "t_life": 1 << 26})
        await self.write({"threshold": segment, "segment": segment, "buffer_base": SEND_BUFFER, "sg_base": DESCRIPTORS, "source_node": OUR_NODE})
        same("send_state", await regs.read("send_state"), 0)
        await self.introduce(US, NODE, THEM)
        await self.ring(RING, RING_LOG2)
        # What a wrong configuration has set before it was mended.
        await regs.write("interrupt_status", 0xFFFF_FFFF)
        await regs.write("interrupt_enable", completion=1)
        await regs.write("control", enable=1, clear_counters=1)

    async def post_blocks(self, blocks):
        command = {"id": COMMAND, "node": NODE, "qp": THEM.qp, "rkey": KEY, "target": TARGET, "imm": IMMEDIATE}
        await self.post(command, blocks, imm_valid=1)


async def one_command(dut, pauses=False, deviation=None):
    """The command from its registers to its completion. Raises `Wrong`."""
    deviation = deviation or Deviation()
    bench = Sender(dut, pauses, flip if deviation.flipped else None)
    regs, memory = bench.registers, bench.memory
    await bench.reset()
    packet_size = (await regs.fields("capability_source"))["packet_size"]
    mask_bits = (await regs.fields("capability_operation"))["mask_bits"]
    await bench.set_up(packet_size * mask_bits // 2)
    data = random.Random(cocotb.RANDOM_SEED).randbytes((PACKETS - 1) * packet_size + packet_size // 3)
    # The first block ends in the middle of a packet.
    cut = packet_size + packet_size // 2
    for source, piece in zip(SOURCES, (data[:cut], data[cut:])):
        bench.cdma.put(source, piece)
    memory.write(RING - GUARD, bytes([FILL]) * ((ENTRY << RING_LOG2) + 2 * GUARD))
    await bench.post_blocks([(SOURCES[0], cut), (SOURCES[1], len(data) - cut)])

    found = await bench.sent(PACKETS)
    number = int.from_bytes(found[0][END - 6 : END - 4], "big")
    operation = Operation(OUR_NODE, number, TARGET, data, packet_size, IMMEDIATE, KEY)
    same("frames", len(found), PACKETS)
    for index, frame in enumerate(found):
        same_bytes(f"frame {index}", frame, operation.frame(US, THEM, index, icrc=bytes(4)))

    async def again():
        return not bench.tx.empty()

    mask = (1 << PACKETS) - 1
    first = mask if deviation.hasty else mask & ~(1 << LATE)
    await bench.arrive(acknowledge(THEM, US, number, first))
    await bench.until("retransmission", again, 3 * TICK * TIMEOUT)
    (frame,) = await bench.sent(1)
    same_bytes("retransmission", frame, operation.frame(US, THEM, LATE, icrc=bytes(4), again=True))
    same("interrupt before", bench.interrupt(), 0)
    told = number ^ 1 if deviation.other_op else number
    await bench.arrive(complete(THEM, US, told, deviation.rejected, PACKETS))
    await bench.interrupted(TICK * TIMEOUT // 2)
    same("ring_producer", await regs.read("ring_producer"), 1)
    same("completion", Completion.parse(memory.read(RING, ENTRY)), Completion(
        target=0, bytes=len(data), immediate=0, source=OUR_NODE, op=COMMAND, packets=0, status=0,
        arrival=False, command=True, has_immediate=False, mask=0, number=0, phase=1,
    ))  # fmt: skip
    untouched = bytes([FILL]) * GUARD
    same_bytes("before the ring", memory.read(RING - GUARD, GUARD), untouched)
    same_bytes("ring behind the entry", memory.read(RING + ENTRY, GUARD), untouched)
    await bench.idle()
    same("descriptors that the CDMA has done", bench.cdma.moved, 2)
    same("counters", await regs.counters(), {
        "frames": 2, "commands": 1, "segments": 1, "descriptors": 2, "packets": PACKETS + 1, "data_frames": PACKETS + 1, "timeouts": 1,
        "retransmissions": 1, "acks": 2, "completions": 1, "cdma_resets": 1,
    })  # fmt: skip


@cocotb.test()
async def a_command(dut):
    await one_command(dut)


@cocotb.test()
async def a_command_with_pauses_on_every_bus(dut):
    await one_command(dut, pauses=True)


@cocotb.test()
async def a_command_that_nobody_answers(dut):
    """Its packet is tried as often as software says; then the receiver is sent an abort, and the host is told."""
    bench = Sender(dut, False)
    regs = bench.registers
    await bench.reset()
    packet_size = (await regs.fields("capability_source"))["packet_size"]
    await bench.set_up(packet_size)
    await regs.write("retry_limit", RETRIES)
    data = bytes(range(100))
    bench.cdma.put(SOURCES[0], data)
    await bench.post_blocks([(SOURCES[0], len(data))])
    await bench.interrupted(4 * (RETRIES + 1) * TICK * TIMEOUT)
    found = Completion.parse(bench.memory.read(RING, ENTRY))
    same("completion", (found.op, found.status, found.command), (COMMAND, RETRY_LIMIT, True))
    await bench.idle()
    same("opcodes", [frame[OPCODE] for frame in await bench.sent(RETRIES + 2)], [WRITE_ONLY_IMMEDIATE] * (RETRIES + 1) + [NOTIFICATION])
    counted = await regs.counters()
    same("counters", {name: counted.get(name) for name in ("retransmissions", "failures", "aborts")}, {
        "retransmissions": RETRIES, "failures": 1, "aborts": 1,
    })  # fmt: skip


# What is done otherwise, and the check that has to see it.
WRONGS = {
    "byte": (Deviation(flipped=True), "frame 0"),
    "other_op": (Deviation(other_op=True), "interrupt"),
    "rejected": (Deviation(rejected=3), "completion"),
    "hasty": (Deviation(hasty=True), "retransmission"),
}


@cocotb.test()
@cocotb.parametrize(wrong=list(WRONGS))
async def the_bench_notices(dut, wrong):
    deviation, check = WRONGS[wrong]
    try:
        await one_command(dut, deviation=deviation)
    except Wrong as found:
        assert found.what == check, f"{wrong}: seen by another check: {found}"
        dut._log.info("seen: %s", found)
    else:
        raise AssertionError(f"{wrong}, and every check passes")
