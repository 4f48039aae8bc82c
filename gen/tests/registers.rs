//! The texts of a register map: read by a C compiler, a C++ compiler, rustc, and by PeakRDL where it is installed.

#[path = "../../hdl/build/bundles.rs"]
#[allow(dead_code)]
mod bundles;
#[path = "../../hdl/build/register_block.rs"]
mod register_block;

// Where the build script, which the block's writer belongs to, has them.
use rdma_rtl_hdl::csr::{description, sections, send_sections};

use rdma_rtl_gen::registers::texts;
use rdma_rtl_hdl::csr::{Access, Field, Parameters, RegisterMap, Top, registers};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One of everything, with texts that could end what they stand in.
fn sample() -> RegisterMap {
    let mut map = RegisterMap::new("sample", "One register of each kind.", 8);
    map.constant("id", 0x1234_5678, "what this is: \"sample\"");
    map.register(
        "control",
        "what to do | now",
        vec![
            Field::new("field", 0, 1, Access::ReadWrite, 1, "a word of SystemRDL"),
            Field::new("level", 4, 12, Access::ReadWrite, 0xabc, "how much */ of it"),
            Field::new("start", 31, 1, Access::Pulse, 0, "begin"),
        ],
    );
    map.register("events", "what was", vec![Field::new("done", 0, 1, Access::WriteOneToClear, 0, "ended")]);
    map.register("enabled", "which of it interrupts", vec![Field::new("done", 0, 1, Access::ReadWrite, 0, "ended")]);
    map.read_only("reg", 16, "what is");
    map.read_write("address", 64, 0x1_0000_0002, "where");
    map.counters_at(0x40);
    map.counter("packets", "packets");
    map.counter("bytes", "bytes");
    map.interrupt = Some(("events".into(), "enabled".into()));
    map.check().unwrap();
    map
}

fn maps() -> [RegisterMap; 4] {
    [
        sample(),
        registers(Top::ReceiveEndpoint, &Parameters::default()),
        registers(Top::SendEndpoint, &Parameters::default()),
        registers(Top::Endpoint, &Parameters::default()),
    ]
}

/// The texts in a folder of their own.
fn written(map: &RegisterMap, test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registers").join(test).join(&map.name);
    std::fs::create_dir_all(&folder).unwrap();
    for file in texts(map).unwrap() {
        std::fs::write(folder.join(&file.name), &file.text).unwrap();
    }
    folder
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Output {
    Command::new(program).args(arguments).current_dir(folder).output().unwrap_or_else(|e| panic!("{program}: {e}"))
}

fn succeeds(program: &str, arguments: &[&str], folder: &Path) {
    let output = run(program, arguments, folder);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.is_empty(), "{program} {arguments:?} in {}:\n{text}", folder.display());
}

/// What a careful project compiles with.
const STRICT: [&str; 9] =
    ["-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wsign-conversion", "-Wcast-qual", "-Wcast-align", "-Wshadow", "-Werror"];

/// C and C++ compilers: those of the system, and clang where there is one.
fn compilers() -> Vec<(String, String)> {
    let mut compilers = vec![("cc".to_string(), "c++".to_string())];
    if Command::new("clang++").arg("--version").output().is_ok_and(|output| output.status.success()) {
        compilers.push(("clang".into(), "clang++".into()));
    }
    compilers
}

/// Where every word of a map should be: name in C and byte address.
fn offsets(map: &RegisterMap) -> Vec<(String, u32)> {
    let prefix = map.name.to_uppercase();
    map.registers.iter().map(|r| (format!("{prefix}_{}_OFFSET", r.name.to_uppercase()), r.offset)).collect()
}

#[test]
fn the_sample() {
    for file in texts(&sample()).unwrap() {
        insta::assert_snapshot!(file.name.replace('.', "_"), file.text);
    }
}

#[test]
fn the_c_header_compiles_as_c_and_as_cpp() {
    for map in maps() {
        let folder = written(&map, "c");
        let header = format!("{}_registers.h", map.name);
        let mut program = format!("#include \"{header}\"\n#include \"{header}\"\nint main(void) {{\n");
        for (name, offset) in offsets(&map) {
            program.push_str(&format!("    if ({name} != {offset}u) return 1;\n"));
        }
        for register in &map.registers {
            for field in register.fields.iter().filter(|f| f.name != "value") {
                let name = format!("{}_{}_{}", map.name, register.name, field.name).to_uppercase();
                program.push_str(&format!("    if ({name}_MASK >> {name}_SHIFT != (UINT64_C(1) << {name}_BITS) - 1) return 2;\n"));
            }
        }
        program.push_str(
            &format!("    return {0}_read_counter(0, 0) == 0 ? 3 : 0;\n}}\n", map.name)
                .replace("(0, 0)", "(&(const uint32_t[2]){1, 0}, 0)"),
        );
        let cpp = program
            .replace("(&(const uint32_t[2]){1, 0}, 0)", "(words, 0)")
            .replace("int main(void) {", "int main(void) {\n    const uint32_t words[2] = {1u, 0u};");
        std::fs::write(folder.join("test.c"), &program).unwrap();
        std::fs::write(folder.join("test.cpp"), cpp).unwrap();
        for (c, cpp) in compilers() {
            for standard in ["c99", "c11", "c17"] {
                succeeds(&c, &[&[&format!("-std={standard}"), "test.c", "-o", "test_c"], &STRICT[..]].concat(), &folder);
            }
            let gnu = if cpp.contains("clang") { &[][..] } else { &["-Wuseless-cast"] };
            for standard in ["c++11", "c++14", "c++17", "c++20"] {
                let output = format!("-std={standard}");
                let flags = [&[&output, "test.cpp", "-o", "test_cpp", "-Wold-style-cast"], gnu, &STRICT[..]].concat();
                succeeds(&cpp, &flags, &folder);
            }
        }
        for program in ["./test_c", "./test_cpp"] {
            assert_eq!(run(program, &[], &folder).status.code(), Some(0), "{program} of {}", map.name);
        }
    }
}

/// As Kbuild and the BSDs compile: nothing of a C library, and of the kernel's headers the types alone.
#[test]
fn the_c_header_compiles_in_a_kernel() {
    for map in maps() {
        let folder = written(&map, "kernel");
        std::fs::create_dir_all(folder.join("include/linux")).unwrap();
        std::fs::write(folder.join("include/linux/types.h"), "typedef unsigned int u32;\ntypedef unsigned long long u64;\n").unwrap();
        let constants: String = offsets(&map).iter().map(|(name, _)| format!("    {name},\n")).collect();
        let driver = |word: &str| format!("#include \"{}_registers.h\"\n{word} offsets[] = {{\n{constants}}};\n", map.name);
        std::fs::write(folder.join("driver.c"), driver("u32")).unwrap();
        std::fs::write(folder.join("bsd.c"), driver("unsigned int")).unwrap();
        for (c, _) in compilers() {
            let bare = ["-nostdinc", "-ffreestanding", "-Wundef", "-c", "-o", "kernel.o"];
            let linux = ["-std=gnu11", "-D__KERNEL__", "-Iinclude", "driver.c"];
            succeeds(&c, &[&linux[..], &bare, &STRICT].concat(), &folder);
            succeeds(&c, &[&["-std=gnu99", "-D_KERNEL", "bsd.c"][..], &bare, &STRICT].concat(), &folder);
        }
    }
}

#[test]
fn the_rust_constants_compile() {
    for map in maps() {
        let folder = written(&map, "rust");
        let mut program =
            format!("#![deny(warnings)]\n#[allow(dead_code)]\n#[path = \"{}_registers.rs\"]\nmod registers;\nfn main() {{\n", map.name);
        for register in &map.registers {
            program.push_str(&format!("    assert_eq!(registers::{}::OFFSET, {});\n", register.name, register.offset));
        }
        program.push_str("}\n");
        std::fs::write(folder.join("test.rs"), program).unwrap();
        let rustc = std::env::var("RUSTC").unwrap_or("rustc".into());
        succeeds(&rustc, &["--edition", "2024", "test.rs", "-o", "test_rs"], &folder);
        succeeds("./test_rs", &[], &folder);
    }
}

#[test]
fn the_json_has_every_field() {
    for map in maps() {
        let folder = written(&map, "json");
        let text = std::fs::read_to_string(folder.join(format!("{}_registers.json", map.name))).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        for (i, register) in map.registers.iter().enumerate() {
            assert_eq!(json["registers"][i]["offset"], register.offset);
            for (k, field) in register.fields.iter().enumerate() {
                assert_eq!(json["registers"][i]["fields"][k]["low"], field.low);
                assert_eq!(json["registers"][i]["fields"][k]["port"].as_str().map(str::to_string), register.port(field));
            }
        }
    }
}

/// PeakRDL compiles the SystemRDL, and puts every register where we do. `RDMA_RTL_PEAKRDL` names the program; without it, and without
/// one on the path, there is nothing to compare with.
#[test]
fn peakrdl_finds_the_same_offsets() {
    let named = std::env::var("RDMA_RTL_PEAKRDL").ok().filter(|p| !p.is_empty());
    let program = named.clone().unwrap_or("peakrdl".into());
    if named.is_none() && Command::new(&program).arg("--version").output().is_err() {
        eprintln!("no peakrdl (pip install peakrdl): not compared");
        return;
    }
    for map in maps() {
        let folder = written(&map, "peakrdl");
        let rdl = format!("{}_registers.rdl", map.name);
        let output = run(&program, &["c-header", &rdl, "-o", "peakrdl.h", "--type-style", "lexical"], &folder);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let ty = format!("{}_t", map.name);
        let mut test = format!("#include <stddef.h>\n#include \"peakrdl.h\"\n#include \"{}_registers.h\"\n", map.name);
        for (register, (name, _)) in map.registers.iter().zip(offsets(&map)) {
            test.push_str(&format!("_Static_assert(offsetof({ty}, {}) == {name}, \"{name}\");\n", register.name));
        }
        std::fs::write(folder.join("test.c"), &test).unwrap();
        succeeds("cc", &["-std=c11", "-Wall", "-c", "test.c"], &folder);
        // The comparison can fail.
        let moved = test.replacen(&format!("== {}_ID_OFFSET", map.name.to_uppercase()), "== 4", 1);
        std::fs::write(folder.join("moved.c"), moved).unwrap();
        assert!(!run("cc", &["-std=c11", "-c", "moved.c"], &folder).status.success());
    }
}

#[test]
fn a_map_that_cannot_be_is_refused() {
    let refused = |change: &dyn Fn(&mut RegisterMap)| {
        let mut map = sample();
        change(&mut map);
        texts(&map).unwrap_err().to_string()
    };
    type Change<'a> = &'a dyn Fn(&mut RegisterMap);
    let cases: [(Change, &str); 10] = [
        (
            &|m| m.registers[0].name = "Id".into(),
            "register map `sample`, `Id`: a name is lower-case letters, digits and `_`, a letter first",
        ),
        (&|m| m.registers[1].name = "id".into(), "register map `sample`, `id`: there are two of this name; rename one"),
        (&|m| m.registers[1].offset = 6, "register map `sample`, `control`: 32 bits at 0x6: 32 or 64 bits at a multiple of their bytes"),
        (&|m| m.registers[1].offset = 0, "register map `sample`, `control`: at 0x0, allowed are 0x4 to 0xfc: in the order of offsets"),
        (&|m| m.registers[1].fields[1].low = 0, "register map `sample`, `control.level`: its bits belong to another field as well"),
        (&|m| m.registers[1].fields[1].bits = 40, "register map `sample`, `control.level`: bits 40 from 4 do not lie in 32"),
        (&|m| m.registers[1].fields[0].reset = 2, "register map `sample`, `control.field`: reset value 0x2 has more than 1 bits"),
        (&|m| m.registers[2].fields[0].reset = 1, "register map `sample`, `events.done`: reset value 0x1: with access w1c it is zero"),
        (
            &|m| m.read_only("late", 8, "behind"),
            "register map `sample`, `late`: at 0x50: the 64 bytes from 0x40 belong to counters, as `count_packets` is one",
        ),
        (
            &|m| m.clear_counters = Some(("control".into(), "level".into())),
            "register map `sample`, `control`: what clears the counters is a pulse of one bit, and `level` is none",
        ),
    ];
    for (change, message) in cases {
        assert_eq!(refused(change), message);
    }
}

#[test]
fn the_block_of_a_map() {
    insta::assert_snapshot!(register_block::source(&sample(), &[]));
}
