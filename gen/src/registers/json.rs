//! For programs.

use rdma_rtl_hdl::csr::{Field, Register, RegisterMap};
use serde_json::{Value, json};

fn field(register: &Register, field: &Field) -> Value {
    json!({
        "name": field.name,
        "low": field.low,
        "bits": field.bits,
        "access": field.access.short(),
        "reset": field.reset,
        "port": register.port(field),
        "doc": field.doc,
    })
}

pub fn text(map: &RegisterMap) -> String {
    let register = |r: &Register| {
        json!({
            "name": r.name,
            "offset": r.offset,
            "width": r.width,
            "doc": r.doc,
            "fields": r.fields.iter().map(|f| field(r, f)).collect::<Vec<_>>(),
        })
    };
    let value = json!({
        "name": map.name,
        "doc": map.doc,
        "bytes": map.size(),
        "interrupt": map.interrupt.as_ref().map(|(status, enable)| json!({ "status": status, "enable": enable })),
        "registers": map.registers.iter().map(register).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}
