"""`bitmap_endpoint` between the bus models of cocotbext-axi and a small model of the CDMA: plain RDMA WRITE ONLY each way.

The last test does things wrong on purpose: each time the check that is there for it has to fail.
"""

import cocotb

from numbered import WRONGS, Deviation, both_ways, notices

# Here nothing else ends a command than its last number.
MORE = WRONGS | {"short": (Deviation(short=1), "interrupt")}


@cocotb.test()
async def a_write_each_way(dut):
    await both_ways(dut, registry=False)


@cocotb.test()
async def a_write_each_way_with_pauses_on_every_bus(dut):
    await both_ways(dut, registry=False, pauses=True)


@cocotb.test()
@cocotb.parametrize(wrong=list(MORE))
async def the_bench_notices(dut, wrong):
    await notices(dut, False, *MORE[wrong])
