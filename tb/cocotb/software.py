"""Registers by name, and the completion ring, as a driver would use them."""

import json
import struct
from dataclasses import dataclass

from cocotbext.axi import AxiResp

ENTRY = 64


class Registers:
    """The registers that a JSON file of `rdma-rtl gen` describes, behind an AXI4-Lite master."""

    def __init__(self, path, master):
        with open(path, encoding="utf-8") as file:
            self.registers = {register["name"]: register for register in json.load(file)["registers"]}
        self.master = master

    def pack(self, name, **fields):
        """Value of a register whose `fields` have these values, all others zero."""
        known = {field["name"]: field for field in self.registers[name]["fields"]}
        value = 0
        for field, content in fields.items():
            assert content >> known[field]["bits"] == 0, f"{name}.{field} has no room for 0x{content:x}"
            value |= content << known[field]["low"]
        return value

    def unpack(self, name, value):
        return {field["name"]: value >> field["low"] & (1 << field["bits"]) - 1 for field in self.registers[name]["fields"]}

    def words(self, name):
        register = self.registers[name]
        return range(register["offset"], register["offset"] + register["width"] // 8, 4)

    async def write(self, name, value=None, **fields):
        """Writes a value, or fields; a wide register word by word, low first."""
        value = self.pack(name, **fields) if value is None else value
        for shift, address in enumerate(self.words(name)):
            answer = await self.master.write(address, struct.pack("<I", value >> 32 * shift & 0xFFFF_FFFF))
            assert answer.resp == AxiResp.OKAY, f"write of {name} answered by {answer.resp}"

    async def read(self, name):
        data = b""
        for address in self.words(name):
            answer = await self.master.read(address, 4)
            assert answer.resp == AxiResp.OKAY, f"read of {name} answered by {answer.resp}"
            data += answer.data
        return int.from_bytes(data, "little")

    async def fields(self, name):
        return self.unpack(name, await self.read(name))

    async def counters(self):
        """Those that are not zero, by name without `count_`."""
        names = [name for name, register in self.registers.items() if register["fields"][0]["access"] == "counter"]
        assert names, "the description has no counters"
        values = {name.removeprefix("count_"): await self.read(name) for name in names}
        return {name: value for name, value in values.items() if value}


@dataclass(frozen=True)
class Completion:
    """An entry of the ring."""

    target: int
    bytes: int
    immediate: int
    source: int
    op: int
    packets: int
    status: int
    arrival: bool
    command: bool
    has_immediate: bool
    mask: int
    number: int
    phase: int

    @classmethod
    def parse(cls, entry):
        target, length, immediate, source, packets, op, mask, number, last = struct.unpack("<QIIHHI32sII", entry)
        mask = int.from_bytes(mask, "little")
        flags, op, status = op >> 24, op & 0xFFFFFF, last & 0xFF
        return cls(target, length, immediate, source, op, packets, status, bool(flags & 1), bool(flags & 4), bool(flags & 2), mask, number, last >> 31)
