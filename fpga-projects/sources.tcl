# The Verilog of a block: what its file list names, and nothing else that lies beside it.
proc verilog_of {folder top} {
    set channel [open [file join $folder $top.f]]
    set names [split [string trim [read $channel]] \n]
    close $channel
    return [lmap name $names { file join $folder $name }]
}
