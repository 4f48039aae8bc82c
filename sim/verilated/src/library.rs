//! A design as loaded code.

use crate::compile::{Compilation, compiler_flags, verilator_flags};
use crate::instance::Instance;
use crate::{Design, Error, Initial, Options, Port, Tools, Trace, cache, shim};
use libloading::os::unix;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A built and loaded design: makes any number of [`Instance`]s. Cheap to clone.
#[derive(Clone)]
pub struct Library {
    inner: Arc<Loaded>,
}

pub(crate) type Unary = unsafe extern "C" fn(*mut c_void) -> c_int;
pub(crate) type WithPath = unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int;

/// Entry points of the shim. They stay valid as long as `_library` is open.
pub(crate) struct Loaded {
    pub new: unsafe extern "C" fn(c_int, c_int) -> *mut c_void,
    pub creation_message: unsafe extern "C" fn() -> *const c_char,
    pub delete: unsafe extern "C" fn(*mut c_void),
    pub port: unsafe extern "C" fn(*mut c_void, u32, *mut *mut c_void) -> u64,
    pub message: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    pub eval: Unary,
    pub clock: Unary,
    pub clocks: unsafe extern "C" fn(*mut c_void, u64) -> c_int,
    pub wave: Option<(WithPath, Unary)>,
    pub coverage: Option<WithPath>,
    pub top: String,
    pub ports: Vec<Port>,
    path: PathBuf,
    was_cached: bool,
    _library: unix::Library,
}

impl Library {
    /// Builds a design, or takes it from the cache, and loads it.
    ///
    /// Errors: everything in [`Error`]; nothing half-built is left behind.
    pub fn build(design: &Design, options: &Options) -> Result<Library, Error> {
        check_names(design)?;
        let tools = Tools::find(options.verilator.as_deref(), options.cache.as_deref())?;
        if options.trace == Trace::Fst
            && let Err(missing) = &tools.fst
        {
            return Err(Error::NoFst { missing: missing.clone() });
        }
        let directory = cache::directory(options.cache.as_deref())?;
        let key = key_of(design, options, &tools);
        if let Some(path) = cache::lookup(&directory, &key)
            && let Ok(library) = Library::load(&path, design, options, true)
        {
            return Ok(library);
        }
        let _lock = cache::lock(&directory, &key[..2]);
        // Someone else may have built it while this call waited.
        if let Some(path) = cache::lookup(&directory, &key) {
            return Library::load(&path, design, options, true);
        }
        let work = cache::workspace(&directory)?;
        Compilation { tools: &tools, design, options, cache: &directory }.build(work.path())?;
        let path = cache::publish(&directory, &key, work)?;
        Library::load(&path, design, options, false)
    }

    fn load(path: &Path, design: &Design, options: &Options, was_cached: bool) -> Result<Library, Error> {
        let failed = |e: libloading::Error| Error::Load { path: path.to_path_buf(), reason: e.to_string() };
        // SAFETY: the file was made by `compile` from the shim, and its checksum was compared. Its initialisers only set up Verilator's
        // runtime. The function types are those of the shim's text; `_library` keeps them valid.
        unsafe {
            let library = unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_LOCAL).map_err(failed)?;
            macro_rules! symbol {
                ($name:literal) => {
                    *library.get($name).map_err(failed)?
                };
            }
            let wave = if options.trace == Trace::None { None } else { Some((symbol!(b"rr_wave_open\0"), symbol!(b"rr_wave_close\0"))) };
            let coverage = if options.coverage { Some(symbol!(b"rr_coverage\0")) } else { None };
            let inner = Loaded {
                new: symbol!(b"rr_new\0"),
                creation_message: symbol!(b"rr_creation_message\0"),
                delete: symbol!(b"rr_delete\0"),
                port: symbol!(b"rr_port\0"),
                message: symbol!(b"rr_message\0"),
                eval: symbol!(b"rr_eval\0"),
                clock: symbol!(b"rr_clock\0"),
                clocks: symbol!(b"rr_clocks\0"),
                wave,
                coverage,
                top: design.top.clone(),
                ports: design.ports.clone(),
                path: path.to_path_buf(),
                was_cached,
                _library: library,
            };
            Ok(Library { inner: Arc::new(inner) })
        }
    }

    /// A new model, everything zero.
    pub fn instance(&self) -> Result<Instance, Error> {
        self.instance_with(Initial::Zero)
    }

    /// A new model with chosen contents of registers and memories, its inputs low.
    pub fn instance_with(&self, initial: Initial) -> Result<Instance, Error> {
        // The message of a failed creation is one per library, and Verilator numbers its models.
        static CREATING: Mutex<()> = Mutex::new(());
        let _guard = CREATING.lock().unwrap_or_else(|e| e.into_inner());
        let (random, seed) = match initial {
            Initial::Zero => (0, 1),
            Initial::Random(seed) => (2, (seed & 0x7fff_ffff).max(1) as c_int),
        };
        // SAFETY: symbols of the loaded shim; the message is a C string that lives until the next creation.
        unsafe {
            let handle = (self.inner.new)(random, seed);
            if handle.is_null() {
                let reason = CStr::from_ptr((self.inner.creation_message)()).to_string_lossy().into_owned();
                return Err(Error::Load { path: self.inner.path.clone(), reason });
            }
            Ok(Instance::new(self.inner.clone(), handle))
        }
    }

    /// The declared ports, without the clock.
    pub fn ports(&self) -> &[Port] {
        &self.inner.ports
    }

    /// The loaded file; its directory also holds the Verilog (`src/`) and `verilator.log`.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Whether it came from the cache.
    pub fn was_cached(&self) -> bool {
        self.inner.was_cached
    }
}

fn check_names(design: &Design) -> Result<(), Error> {
    for source in &design.sources {
        let name = &source.name;
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        if !plain || name.is_empty() || name.starts_with(['.', '-']) {
            return Err(Error::SourceName { name: name.clone() });
        }
    }
    for name in std::iter::once(&design.top).chain(&design.clock).chain(design.ports.iter().map(|p| &p.name)) {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Error::Identifier { name: name.clone() });
        }
    }
    Ok(())
}

/// Everything that decides what the library does.
fn key_of(design: &Design, options: &Options, tools: &Tools) -> String {
    let identity = tools.identity();
    let flags = [verilator_flags(design, options), compiler_flags(tools, options)].concat().join("\n");
    let ports = format!("{:?} {:?}", design.clock, design.ports);
    let mut parts: Vec<&[u8]> = vec![shim::VERSION.as_bytes(), identity.as_bytes(), flags.as_bytes(), ports.as_bytes()];
    for source in &design.sources {
        parts.push(source.name.as_bytes());
        parts.push(source.text.as_bytes());
    }
    cache::key(&parts)
}
