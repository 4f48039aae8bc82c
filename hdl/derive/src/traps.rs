//! The source check of hdl's build script finds what rust-hdl's macro takes for something else, and nothing more.
//!
//! Tested here, because a test beside it would link the parser of Rust into a program, and Cargo builds what a program links another
//! way than what only the compiler's helpers link: `cargo build` and `cargo test` would then have no dependency in common.

#[path = "../../build/kernel_check.rs"]
mod kernel_check;

use kernel_check::{CALL, GUARD, INCLUSIVE, in_folder, in_source};
use std::path::Path;

const SAMPLE: &str = "
impl Logic for Sample {
    #[hdl_gen]
    fn update(&mut self) {
        match self.a.val().index() {
            0 if self.b.val() => self.x.next = true,
            _ => self.x.next = false,
        }
        for i in 0..=3 {
            self.y[i].next = bits_reversed(self.a.val());
        }
        for i in 0..4 {
            self.z[i].next = bit_cast::<4, 4>(bits::<4>(1));
        }
    }
}
impl Other {
    fn simulate(&mut self) {
        for i in 0..=3 {
            match i {
                0 if self.b.val() => bits_reversed(i),
                _ => i,
            };
        }
    }
}
";

#[test]
fn traps_are_found_with_file_and_line() {
    let file = Path::new("src/sample.rs");
    let found = in_source(file, SAMPLE);
    let expected = [(6, GUARD), (9, INCLUSIVE), (10, CALL)];
    assert_eq!(found.iter().map(|t| (t.line, t.what)).collect::<Vec<_>>(), expected);
    assert_eq!(found[0].to_string(), format!("src/sample.rs:6: {GUARD}"));
}

#[test]
fn the_blocks_have_none() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    assert_eq!(in_folder(&source).expect("a source folder"), []);
}
