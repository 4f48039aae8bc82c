# Reads and writes over the JTAG-to-AXI master, in words of 32 bits. Sourced behind settings.tcl and registers.tcl.

proc axi_write {address value} {
    create_hw_axi_txn -force -type write -address [format %08x $address] -data [format %08x $value] axi_write [get_hw_axis]
    run_hw_axi [get_hw_axi_txns axi_write]
}

proc axi_read {address} {
    create_hw_axi_txn -force -type read -address [format %08x $address] axi_read [get_hw_axis]
    run_hw_axi [get_hw_axi_txns axi_read]
    scan [get_property DATA [get_hw_axi_txns axi_read]] %x value
    return $value
}

proc address_of {name} {
    global register control_base
    if {![info exists register($name)]} { error "no register `$name`" }
    return [expr {$control_base + $register($name)}]
}

proc set_register {name value} { axi_write [address_of $name] $value }
proc get_register {name} { return [axi_read [address_of $name]] }

# A register of 64 bits, low word first.
proc set_register_64 {name value} {
    axi_write [address_of $name] [expr {$value & 0xffffffff}]
    axi_write [expr {[address_of $name] + 4}] [expr {$value >> 32}]
}
