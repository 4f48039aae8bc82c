//! Memories: the form that Vivado, Yosys and Verilator all recognise.

use super::sizes::Sizes;
use crate::ir::Memory;
use rdma_rtl_hdl::describe::MemoryStyle;

/// The body of a memory module. The read sees the old word, because both assignments happen after the clock edge.
pub fn text(memory: &Memory, sizes: &Sizes) -> String {
    let (word, last) = (sizes.range(memory.width), sizes.last_word(memory.address));
    let word = if word.is_empty() { String::new() } else { format!("{word} ") };
    // What a read that meets a write returns is left to the tool: `rw_addr_collision` is Vivado's word for it, `no_rw_check` Yosys's.
    let attributes = match memory.style {
        MemoryStyle::Block { .. } => "ram_style = \"block\"",
        MemoryStyle::Queue | MemoryStyle::Bytes => "ram_style = \"block\", rw_addr_collision = \"no\", no_rw_check",
        MemoryStyle::Distributed => "ram_style = \"distributed\"",
    };
    let mut out = format!("    (* {attributes} *)\n    reg {word}words [0:{last}];\n");
    let write = "        if (write_enable)\n            words[write_address] <= write_data;\n";
    match memory.style {
        MemoryStyle::Block { output_register: false } | MemoryStyle::Queue => {
            out.push_str("\n    always @(posedge clk) begin\n");
            out.push_str(write);
            out.push_str("        read_data <= words[read_address];\n    end\n");
        }
        MemoryStyle::Block { output_register: true } => {
            out.push_str(&format!("    reg {word}first;\n\n    always @(posedge clk) begin\n"));
            out.push_str(write);
            out.push_str("        first     <= words[read_address];\n        read_data <= first;\n    end\n");
        }
        MemoryStyle::Bytes => {
            out.push_str("\n    always @(posedge clk) begin\n");
            for lane in 0..memory.width / 8 {
                let (low, high) = (8 * lane, 8 * lane + 7);
                out.push_str(&format!(
                    "        if (write_enable[{lane}])\n            words[write_address][{high}:{low}] <= write_data[{high}:{low}];\n"
                ));
            }
            out.push_str("        read_data <= words[read_address];\n    end\n");
        }
        MemoryStyle::Distributed => {
            out.push_str("\n    always @(posedge clk) begin\n");
            out.push_str(write);
            out.push_str("    end\n\n    assign read_data = words[read_address];\n");
        }
    }
    out
}
