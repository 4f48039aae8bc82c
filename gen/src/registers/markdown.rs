//! Documentation for people.

use super::bits;
use rdma_rtl_hdl::csr::{Access, RegisterMap};
use std::fmt::Write;

/// A cell's text cannot end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

pub fn text(map: &RegisterMap) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# Registers of {}\n\n{}\n", map.name, map.doc);
    let _ = writeln!(
        out,
        "{} bytes of address space, accessed by 32-bit words; byte strobes count. An address where nothing is, and a write to a register of \
         which nothing can be written, is answered by SLVERR. 64-bit registers have their low word first.\n",
        map.size()
    );
    out.push_str(
        "| access | meaning |\n| --- | --- |\n\
         | const | fixed for a design |\n\
         | ro | what the hardware says now |\n\
         | rw | set by software, used by the hardware |\n\
         | w1c | set by the hardware, cleared by writing one; setting wins |\n\
         | pulse | a one written is one clock to the hardware; reads as zero |\n\
         | counter | 64 bits; reading the low word keeps the high word of the same moment for the next read of a high word |\n\n",
    );
    out.push_str("| offset | register | bits | field | access | reset | |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for register in &map.registers {
        for (i, field) in register.fields.iter().enumerate() {
            let (offset, name) = match i {
                0 => (format!("{:#05x}", register.offset), format!("`{}`", register.name)),
                _ => Default::default(),
            };
            let only = field.name == "value";
            let reset =
                if matches!(field.access, Access::ReadWrite | Access::Constant) { format!("{:#x}", field.reset) } else { String::new() };
            let (field_name, doc) = if only { (String::new(), &register.doc) } else { (format!("`{}`", field.name), &field.doc) };
            let _ = writeln!(
                out,
                "| {offset} | {name} | {} | {field_name} | {} | {reset} | {} |",
                bits(field.low, field.bits),
                field.access.short(),
                cell(doc)
            );
        }
    }
    if let Some((status, enable)) = &map.interrupt {
        let _ = writeln!(out, "\nThe interrupt is high while a bit is set in both `{status}` and `{enable}`.");
    }
    out
}
