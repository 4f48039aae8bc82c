//! The documentation's Rust, compiled and run as doc tests.

macro_rules! pages {
    ($($name:ident $page:literal)*) => {
        $(#[doc = include_str!(concat!("../../../docs/src/", $page))]
        mod $name {})*
    };
}

pages! {
    add_a_block "add_a_block.md"
    bench "bench.md"
    decisions "decisions.md"
    emitter "emitter.md"
    first_ten_minutes "first_ten_minutes.md"
    receive_registry "receive_registry.md"
    registers "registers.md"
}
