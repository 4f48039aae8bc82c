"""A top between the bus models of cocotbext-axi: what the tests of all tops have in common."""

import itertools
import logging
import os
import random
import warnings

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiRamWrite, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource, AxiWriteBus

from cdma import Cdma
from checks import Wrong, ip, mac, same
from software import Registers

REGISTERS = os.environ["RDMA_RTL_COCOTB_REGISTERS"]
# It supports older versions of cocotb too, by names that the newest warns of.
warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"cocotbext\.axi\.")

CLOCK = 10
PATIENCE = 10_000


class Bench:
    """The top with its surroundings: MAC, memory, software, and the CDMA of one that sends, which `change` is handed to."""

    def __init__(self, dut, pauses, change=None):
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)
        self.dut = dut
        cocotb.start_soon(Clock(dut.aclk, CLOCK, unit="ns").start())
        around = (dut.aclk, dut.aresetn, False)
        self.rx = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis_rx"), *around)
        self.tx = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis_tx"), *around)
        # The model's size has to fit Python's largest index.
        self.memory = AxiRamWrite(AxiWriteBus.from_prefix(dut, "m_axi"), *around, size=1 << 62)
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi_ctrl"), *around)
        self.registers = Registers(REGISTERS, self.master)
        memories = [self.master]
        if hasattr(dut, "s_axis_command_tvalid"):
            self.cdma = Cdma(dut, dut.aclk, dut.aresetn, change)
            dut.s_axis_command_tvalid.value = 0
            memories += [self.cdma.slave, self.cdma.descriptors, self.cdma.buffer]
        if pauses:
            rng = random.Random(cocotb.RANDOM_SEED)
            paced = [self.rx, self.tx, self.memory.aw_channel, self.memory.w_channel, self.memory.b_channel]
            for memory in memories:
                read, write = memory.read_if, memory.write_if
                paced += [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]
            for one in paced:
                pattern = [rng.random() < 0.4 for _ in range(997)]
                one.set_pause_generator(itertools.cycle(pattern))

    async def reset(self):
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.aclk, 2)
        self.dut.aresetn.value = 0
        await ClockCycles(self.dut.aclk, 8)
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.aclk, 2)

    async def until(self, what, condition, clocks=PATIENCE):
        end = get_sim_time("ns") + clocks * CLOCK
        while not await condition():
            if get_sim_time("ns") > end:
                raise Wrong(what, f"nothing in {clocks} clocks", "it to come")
            await RisingEdge(self.dut.aclk)

    async def ready(self):
        """Waits until the tables are empty, and looks whether it is the top that the description is of."""

        async def ready():
            return (await self.registers.fields("state"))["ready"]

        # The largest tables take a clock per row to be emptied.
        await self.until("ready", ready, 200_000)
        for name in ("id", "version"):
            constants = {field["name"]: field["reset"] for field in self.registers.registers[name]["fields"]}
            same(name, await self.registers.fields(name), constants)

    async def introduce(self, us, node, them):
        """Our queue pair and addresses, and those of a node."""
        regs = self.registers
        await regs.write("qp_index", 2)
        await regs.write("qp_entry", number=us.qp, valid=1)
        await regs.write("qp", load=1)
        await regs.write("node_index", node)
        await regs.write("node_mac", mac(them))
        await regs.write("node_ip_3", ip(them))
        await regs.write("node_qp", number=them.qp, valid=1)
        await regs.write("node", load=1)
        await regs.write("local_mac", mac(us))
        await regs.write("local_ip_3", ip(us))

    async def ring(self, base, log2):
        """Where completions go."""
        await self.registers.write("ring_base", base)
        await self.registers.write("ring_size_log2", log2)
        await self.registers.write("ring_consumer", 0)

    async def write(self, values):
        for name, value in values.items():
            await self.registers.write(name, value)

    async def post(self, values, blocks, **options):
        """A command by registers: its fields, and source and bytes of each of its blocks."""
        await self.write({f"command_{name}": value for name, value in values.items()})
        await self.registers.write("command_options", blocks=len(blocks), **options)
        for place, (source, length) in enumerate(blocks):
            await self.write({f"command_source_{place}": source, f"command_bytes_{place}": length})
        await self.registers.write("command", post=1)

    async def idle(self):
        """Waits until nothing is under way and the counters have everything."""

        async def idle():
            return (await self.registers.fields("state"))["idle"]

        await self.until("idle", idle)
        await ClockCycles(self.dut.aclk, 100)

    async def interrupted(self, clocks=PATIENCE):
        async def interrupted():
            return self.interrupt()

        await self.until("interrupt", interrupted, clocks)

    def interrupt(self):
        return int(self.dut.irq.value)

    async def arrive(self, frame, damaged=0):
        """A frame from the MAC, which may say that it is damaged."""
        await self.rx.send(AxiStreamFrame(frame, tuser=damaged))

    async def sent(self, count):
        """The next frames."""
        found = []

        async def enough():
            found.extend(self.left())
            return len(found) >= count

        await self.until("frames", enough)
        return found

    def left(self):
        """Frames that nobody has asked for."""
        found = []
        while not self.tx.empty():
            found.append(bytes(self.tx.recv_nowait().tdata))
        return found
