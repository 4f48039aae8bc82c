"""`combined_endpoint` between the bus models of cocotbext-axi and a small model of the CDMA: an operation each way.

The last test does things wrong on purpose: each time the check that is there for it has to fail.
"""

import cocotb

from numbered import WRONGS, both_ways, notices


@cocotb.test()
async def a_write_each_way(dut):
    await both_ways(dut, registry=True)


@cocotb.test()
async def a_write_each_way_with_pauses_on_every_bus(dut):
    await both_ways(dut, registry=True, pauses=True)


@cocotb.test()
@cocotb.parametrize(wrong=list(WRONGS))
async def the_bench_notices(dut, wrong):
    await notices(dut, True, *WRONGS[wrong])
