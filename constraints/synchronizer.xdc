# synchronizer: a value of another clock, in flip-flops in a row. Scoped to the module: read_xdc -ref MODULE, or SCOPED_TO_REF.
#
# The flip-flops carry ASYNC_REG in the Verilog; it is said here again for netlists that have lost attributes.
set_property ASYNC_REG TRUE [get_cells *_reg*]
# What arrives is of another clock, and may arrive at any time.
set_false_path -to [get_pins {stage_0_reg*/D}]
