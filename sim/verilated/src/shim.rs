//! The C++ between Verilator's class and Rust: addresses of ports once, then one call per evaluation.

use crate::{Design, Direction, Trace};
use std::fmt::Write;

/// Part of every key: change it with the text below, or with how tools are asked and units put together.
pub(crate) const VERSION: &str = "shim 3";
/// Verilator's class; one name for every design, hidden in its library.
pub(crate) const CLASS: &str = "Vmodel";

/// The name that Verilator gives to a Verilog identifier in C++: doubled underscores are encoded.
pub(crate) fn member(name: &str) -> String {
    name.replace("__", "___05F")
}

/// Text of the shim. `members` are the C++ names of the clock, if any, and the ports.
pub(crate) fn text(design: &Design, members: &[String], trace: Trace, coverage: bool) -> String {
    let mut s = String::new();
    let header = match trace {
        Trace::None => "",
        Trace::Vcd => "#include \"verilated_vcd_c.h\"\n#define WAVE VerilatedVcdC\n",
        Trace::Fst => "#include \"verilated_fst_c.h\"\n#define WAVE VerilatedFstC\n",
    };
    let _ = write!(s, "#include \"{CLASS}.h\"\n#include \"verilated.h\"\n{header}");
    if coverage {
        s.push_str("#include \"verilated_cov.h\"\n");
    }
    s.push_str(HEAD);
    let (clock, ports) = if design.clock.is_some() { (members.first(), &members[1..]) } else { (None, members) };
    s.push_str("API uint64_t rr_port(Handle* h, uint32_t port, void** address) {\n    switch (port) {\n");
    for (i, name) in ports.iter().enumerate() {
        let _ = writeln!(s, "    case {i}: *address = &h->top.{name}; return sizeof(h->top.{name});");
    }
    s.push_str("    default: return 0;\n    }\n}\n\n");
    // Inputs change while the clock is low, so a wave shows them stable around the rising edge.
    s.push_str("static void clock(Handle* h) {\n");
    if trace != Trace::None {
        s.push_str("    if (VL_UNLIKELY(h->wave)) { h->top.eval(); h->wave->dump(h->time); }\n    h->time += 5;\n");
    }
    if let Some(clock) = clock {
        let _ = writeln!(s, "    h->top.{clock} = 1;\n    h->top.eval();");
        if trace != Trace::None {
            s.push_str("    if (VL_UNLIKELY(h->wave)) h->wave->dump(h->time);\n");
        }
        let _ = writeln!(s, "    h->top.{clock} = 0;");
    }
    s.push_str("    h->top.eval();\n");
    if trace != Trace::None {
        s.push_str("    h->time += 5;\n");
    }
    s.push_str("}\n");
    // Newer Verilators put random values into the ports too: with a clock that begins high, the first clock has no rising
    // edge and a reset of one clock is lost.
    s.push_str("\nstatic void begin(Handle* h) {\n");
    if let Some(clock) = clock {
        let _ = writeln!(s, "    h->top.{clock} = 0;");
    }
    for (_, name) in design.ports.iter().zip(ports).filter(|(port, _)| port.direction == Direction::Input) {
        let _ = writeln!(s, "    std::memset(&h->top.{name}, 0, sizeof h->top.{name});");
    }
    s.push_str("    h->top.eval();\n}\n");
    s.push_str(TAIL);
    s
}

const HEAD: &str = r#"
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#define API extern "C" __attribute__((visibility("default")))

// A design that stops itself must not end the process: the three hooks leave the evaluation, the guard keeps the message.
struct Stop { std::string message; };
static std::string at(const char* file, int line) {
    return file && *file ? std::string(file) + ":" + std::to_string(line) + ": " : std::string();
}
void vl_finish(const char* file, int line, const char*) { throw Stop{at(file, line) + "$finish"}; }
void vl_stop(const char* file, int line, const char*) { throw Stop{at(file, line) + "$stop, $error or a failed assertion"}; }
void vl_fatal(const char* file, int line, const char*, const char* message) { throw Stop{at(file, line) + message}; }

struct Handle {
    VerilatedContext context;
    Vmodel top;
    std::string message;
    uint64_t time = 0;
#ifdef WAVE
    std::unique_ptr<WAVE> wave;
#endif
    Handle(int random, int seed) : top{prepare(context, random, seed), "top"} {}
    // Before the top is made: its registers take their first values in its constructor.
    static VerilatedContext* prepare(VerilatedContext& context, int random, int seed) {
        context.randReset(random);
        context.randSeed(seed);
#ifdef WAVE
        context.traceEverOn(true);
#endif
        return &context;
    }
};

template <typename F> static int guard(std::string& message, F&& body) {
    try {
        body();
        return 0;
    } catch (const Stop& stop) {
        message = stop.message;
    } catch (const std::exception& error) {
        message = error.what();
    } catch (...) {
        message = "unknown C++ exception";
    }
    return 1;
}

"#;

const TAIL: &str = r#"
static std::string creation;
API const char* rr_creation_message() { return creation.c_str(); }
// Called under a lock of the caller.
API Handle* rr_new(int random, int seed) {
    Handle* h = nullptr;
    if (guard(creation, [&] { h = new Handle(random, seed); begin(h); })) { delete h; return nullptr; }
    return h;
}
API void rr_delete(Handle* h) {
    std::string ignored;
    guard(ignored, [&] {
#ifdef WAVE
        if (h->wave) h->wave->close();
#endif
        h->top.final();
    });
    delete h;
}
API const char* rr_message(Handle* h) { return h->message.c_str(); }
API int rr_eval(Handle* h) { return guard(h->message, [&] { h->top.eval(); }); }
API int rr_clock(Handle* h) { return guard(h->message, [&] { clock(h); }); }
API int rr_clocks(Handle* h, uint64_t n) { return guard(h->message, [&] { for (uint64_t i = 0; i < n; ++i) clock(h); }); }

#ifdef WAVE
API int rr_wave_open(Handle* h, const char* path) {
    return guard(h->message, [&] {
        h->wave.reset(new WAVE);
        h->top.trace(h->wave.get(), 99);
        h->wave->open(path);
        if (!h->wave->isOpen()) { h->wave.reset(); throw Stop{"the file cannot be created"}; }
    });
}
API int rr_wave_close(Handle* h) {
    return guard(h->message, [&] {
        if (!h->wave) return;
        h->top.eval();
        h->wave->dump(h->time);
        h->wave->close();
        h->wave.reset();
    });
}
#endif
#if VM_COVERAGE
API int rr_coverage(Handle* h, const char* path) {
    return guard(h->message, [&] { h->context.coveragep()->write(path); });
}
#endif
"#;
