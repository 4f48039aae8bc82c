# fifo_async: positions cross as Gray codes, words through distributed RAM. Scoped to the module: read_xdc -ref MODULE, or SCOPED_TO_REF.

set write_period [get_property PERIOD [get_clocks -of_objects [get_ports write_clk]]]
set read_period [get_property PERIOD [get_clocks -of_objects [get_ports read_clk]]]

# A position is looked at whole: its bits may differ in delay by less than a clock of who counts, or two steps would be seen as one.
set_max_delay -datapath_only -from [get_cells {write_gray_reg[*]}] -to [get_cells {write_seen/stage_0_reg[*]}] $write_period
set_bus_skew -from [get_cells {write_gray_reg[*]}] -to [get_cells {write_seen/stage_0_reg[*]}] $write_period
set_max_delay -datapath_only -from [get_cells {read_gray_reg[*]}] -to [get_cells {read_seen/stage_0_reg[*]}] $read_period
set_bus_skew -from [get_cells {read_gray_reg[*]}] -to [get_cells {read_seen/stage_0_reg[*]}] $read_period

# A word stands in the memory for two clocks of the reader, at least, before its position has crossed.
set_max_delay -datapath_only -from [get_cells memory/words_reg*] -to [get_cells {out_data_reg[*]}] $read_period

# Said in the Verilog too; here for netlists that have lost attributes.
set_property ASYNC_REG TRUE [get_cells {write_seen/*_reg* read_seen/*_reg*}]
