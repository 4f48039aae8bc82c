//! C header, for C99 and C++11, in programs and in kernels.
//!
//! Constants are plain literals, because a kernel has no `UINT32_C`. The accessor dereferences a pointer, which a kernel forbids: there it
//! is left out.

use rdma_rtl_hdl::csr::{Access, RegisterMap};
use std::fmt::Write;

/// A comment's text cannot end the comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

fn literal(value: u64, width: u32) -> String {
    if width == 64 { format!("{value:#x}uLL") } else { format!("{value:#x}u") }
}

pub fn text(map: &RegisterMap) -> String {
    let prefix = map.name.to_uppercase();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* {doc} Registers of {name}.\n *\n\
         \x20* <REGISTER>_OFFSET is a byte address; 64-bit registers have their words at _OFFSET and _OFFSET_HIGH. Read the low word of a\n\
         \x20* counter first: it keeps the high word of the same moment. <FIELD>_SHIFT, _BITS and _MASK say where a field lies in its\n\
         \x20* register, _RESET is the register's value after reset. Access is by 32-bit words: in a kernel with what it has, ioread32(base +\n\
         \x20* <REGISTER>_OFFSET) and iowrite32. */",
        doc = comment(&map.doc),
        name = map.name
    );
    let _ = writeln!(
        out,
        "#ifndef {prefix}_REGISTERS_H\n#define {prefix}_REGISTERS_H\n\n\
         #if defined(__KERNEL__)\n#include <linux/types.h>\n#elif !defined(_KERNEL)\n#include <stdint.h>\n#endif\n"
    );
    let _ = writeln!(out, "#define {prefix}_SIZE {}", literal(map.size().into(), 32));
    for register in &map.registers {
        let name = format!("{prefix}_{}", register.name.to_uppercase());
        let _ = writeln!(out, "\n/* {} */", comment(&register.doc));
        let _ = writeln!(out, "#define {name}_OFFSET {}", literal(register.offset.into(), 32));
        if register.width == 64 {
            let _ = writeln!(out, "#define {name}_OFFSET_HIGH {}", literal(u64::from(register.offset) + 4, 32));
        }
        if register.fields.iter().any(|f| matches!(f.access, Access::ReadWrite | Access::Constant)) {
            let _ = writeln!(out, "#define {name}_RESET {}", literal(register.reset(), register.width));
        }
        for field in register.fields.iter().filter(|_| !register.is_counter()) {
            let field_name = if field.name == "value" { name.clone() } else { format!("{name}_{}", field.name.to_uppercase()) };
            if field.name != "value" {
                let _ = writeln!(out, "/* {}: {} */", field.access.short(), comment(&field.doc));
            }
            let _ = writeln!(out, "#define {field_name}_SHIFT {}", field.low);
            let _ = writeln!(out, "#define {field_name}_BITS {}", field.bits);
            let _ = writeln!(out, "#define {field_name}_MASK {}", literal(field.mask(), register.width));
        }
    }
    let _ = writeln!(
        out,
        "\n#if !defined(__KERNEL__) && !defined(_KERNEL)\n\
         /* A 64-bit counter as one value: base is the address of the register block. */\n\
         static inline uint64_t {lower}_read_counter(const volatile void *base, uint32_t offset)\n{{\n\
         #if defined(__cplusplus)\n    \
         const volatile uint32_t *words = static_cast<const volatile uint32_t *>(base);\n\
         #else\n    \
         const volatile uint32_t *words = (const volatile uint32_t *)base;\n\
         #endif\n    \
         const uint64_t low = words[offset / 4u];\n    const uint64_t high = words[(offset / 4u) + 1u];\n    return (high << 32u) | low;\n}}\n\
         #endif\n\n#endif",
        lower = map.name
    );
    out
}
