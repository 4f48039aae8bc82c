"""`combined_endpoint` or `bitmap_endpoint` between the bus models of cocotbext-axi and a small model of the CDMA: a write each way.

The last test does things wrong on purpose: each time the check that is there for it has to fail.
"""

import cocotb

from bench import REGISTERS
from numbered import WRONGS, Deviation, both_ways, notices
from software import Registers

# With one, operations are known at both ends; without one, writes are plain RDMA WRITE ONLY.
REGISTRY = "data_qp" not in Registers(REGISTERS, None).registers
# Where there is none, nothing else ends a command than its last number.
MORE = WRONGS if REGISTRY else WRONGS | {"short": (Deviation(short=1), "interrupt")}


@cocotb.test()
async def a_write_each_way(dut):
    await both_ways(dut, REGISTRY)


@cocotb.test()
async def a_write_each_way_with_pauses_on_every_bus(dut):
    await both_ways(dut, REGISTRY, pauses=True)


@cocotb.test()
@cocotb.parametrize(wrong=list(MORE))
async def the_bench_notices(dut, wrong):
    await notices(dut, REGISTRY, *MORE[wrong])
