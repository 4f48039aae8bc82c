"""A Xilinx AXI CDMA in scatter-gather mode, as far as a driver with 64-bit addresses sees it: registers and descriptors as PG034 describes them.

It stands at three ports of the endpoint: registers behind `m_axi_cdma`, descriptors at `s_axi_sg`, data at `s_axi_buffer`. Host memory is bytes by address.
What a driver may not do is an assertion.
"""

import struct

import cocotb
from cocotb.triggers import Event
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteSlave, AxiMaster
from cocotbext.axi.address_space import MemoryInterface

CONTROL, STATUS, CURRENT, TAIL = 0x00, 0x04, 0x08, 0x10
RESET, SCATTER_GATHER = 1 << 2, 1 << 3
IDLE, SCATTER_GATHER_INCLUDED = 1 << 1, 1 << 3
COMPLETED = 1 << 31
DEFAULTS = {CONTROL: 0x0001_0002, STATUS: 0x0001_0000 | IDLE | SCATTER_GATHER_INCLUDED}


class Cdma(MemoryInterface):
    """`change`, if given, is handed each piece and says what arrives instead."""

    def __init__(self, dut, clock, reset, change=None):
        super().__init__(0x40)
        around = (clock, reset, False)
        self.change = change or (lambda piece: piece)
        self.descriptors = AxiMaster(AxiBus.from_prefix(dut, "s_axi_sg"), *around)
        self.buffer = AxiMaster(AxiBus.from_prefix(dut, "s_axi_buffer"), *around)
        self.slave = AxiLiteSlave(AxiLiteBus.from_prefix(dut, "m_axi_cdma"), clock, reset, self, False)
        self.memory = {}
        self.registers = dict(DEFAULTS)
        self.moved = 0
        # The next descriptor, and the one that was done last.
        self.at = self.last = None
        self.go = Event()
        cocotb.start_soon(self.run())

    def put(self, address, data):
        """Host memory from `address` on."""
        self.memory[address] = bytes(data)

    def fetch(self, address, length):
        for base, data in self.memory.items():
            if base <= address and address + length <= base + len(data):
                return data[address - base :][:length]
        raise AssertionError(f"CDMA: no memory at 0x{address:x}, {length} bytes")

    async def _read(self, address, length, **_):
        assert length == 4 and address % 4 == 0, f"CDMA: a read of {length} bytes at 0x{address:x}"
        return struct.pack("<I", self.registers.get(address, 0))

    async def _write(self, address, data, **_):
        assert len(data) == 4 and address % 4 == 0, f"CDMA: a write of {len(data)} bytes at 0x{address:x}"
        (value,) = struct.unpack("<I", data)
        if address == CONTROL and value & RESET:
            self.registers = dict(DEFAULTS)
            self.at = None
        elif address == STATUS:
            # Its flags are cleared by ones; none is ever set here.
            pass
        else:
            assert address != CURRENT or self.registers[STATUS] & IDLE, "CDMA: CURDESC written while it runs"
            self.registers[address] = value
            # With addresses of more than 32 bits the upper half of the tail starts it.
            if address == TAIL + 4:
                assert self.registers[CONTROL] & SCATTER_GATHER, "CDMA: a tail outside of scatter-gather mode"
                self.go.set()

    def pointer(self, register):
        return self.registers.get(register + 4, 0) << 32 | self.registers.get(register, 0) & ~0x3F

    async def run(self):
        """From the current descriptor, or the one behind the last, to the tail, whenever a tail is written."""
        while True:
            await self.go.wait()
            self.go.clear()
            self.registers[STATUS] &= ~IDLE
            tail = None
            while tail is None or self.last != self.pointer(TAIL):
                tail = self.pointer(TAIL)
                self.at = self.pointer(CURRENT) if self.at is None else self.at
                self.last = self.at
                await self.descriptor(self.at)
            self.registers[STATUS] |= IDLE

    async def descriptor(self, address):
        # The ports have the low address bits, those of the ring.
        place = address % (1 << len(self.descriptors.write_if.aw_channel.bus.awaddr))
        words = struct.unpack("<QQQII", (await self.descriptors.read(place, 32)).data)
        following, source, destination, control, status = words
        assert status == 0, f"CDMA: the descriptor at 0x{address:x} is completed already"
        length = control & 0x3FF_FFFF
        assert length and control == length, f"CDMA: 0x{control:08x} as bytes to transfer"
        await self.buffer.write(destination, self.change(self.fetch(source, length)))
        await self.descriptors.write(place + 0x1C, struct.pack("<I", COMPLETED))
        self.moved += 1
        self.at = following & ~0x3F
