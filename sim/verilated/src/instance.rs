//! One running model.

use crate::library::Loaded;
use crate::{Error, Port};
use std::ffi::{CStr, CString, c_int, c_void};
use std::path::Path;
use std::sync::Arc;

/// Where a port lives in Verilator's class, and as what.
#[derive(Clone, Copy)]
struct Slot {
    address: *mut c_void,
    storage: Storage,
    /// Ones in the bits of the value; of its last word if it is `Wide`.
    mask: u64,
}

#[derive(Clone, Copy)]
enum Storage {
    Byte,
    Short,
    Word,
    Double,
    /// This many 32-bit words.
    Wide(usize),
}

/// One model of a [`Library`](crate::Library). Ports are read and written in place; each evaluation is one foreign call.
pub struct Instance {
    handle: *mut c_void,
    slots: Vec<Slot>,
    eval: crate::library::Unary,
    clock: crate::library::Unary,
    cycle: u64,
    failure: Option<String>,
    wave_open: bool,
    library: Arc<Loaded>,
}

// SAFETY: a model has its own VerilatedContext and nothing in it belongs to a thread. It is not `Sync`: one thread at a time.
unsafe impl Send for Instance {}

impl Instance {
    /// SAFETY: `handle` is a live model of `library`, owned by the caller.
    pub(crate) unsafe fn new(library: Arc<Loaded>, handle: *mut c_void) -> Self {
        let slots = library
            .ports
            .iter()
            .enumerate()
            .map(|(i, port)| {
                let mut address = std::ptr::null_mut();
                // SAFETY: `handle` is live; the shim writes one pointer.
                let size = unsafe { (library.port)(handle, i as u32, &mut address) };
                let storage = match size {
                    1 => Storage::Byte,
                    2 => Storage::Short,
                    4 => Storage::Word,
                    8 => Storage::Double,
                    n => Storage::Wide(n as usize / 4),
                };
                let ones = |n: usize| if n >= 64 { u64::MAX } else { (1 << n) - 1 };
                let mask = match storage {
                    Storage::Wide(words) => ones(port.width - 32 * (words - 1)),
                    _ => ones(port.width),
                };
                Slot { address, storage, mask }
            })
            .collect();
        let (eval, clock) = (library.eval, library.clock);
        Instance { handle, slots, eval, clock, cycle: 0, failure: None, wave_open: false, library }
    }

    /// The declared ports, without the clock.
    pub fn ports(&self) -> &[Port] {
        &self.library.ports
    }

    /// Sets an input: little-endian words; bits above the width are ignored, missing words are zero.
    #[inline]
    pub fn poke(&mut self, port: usize, words: &[u32]) {
        let Slot { address, storage, mask } = self.slots[port];
        if let Storage::Wide(n) = storage {
            let address = address.cast::<u32>();
            let given = words.len().min(n);
            // SAFETY: a wide port is `n` consecutive 32-bit words of the live model, in no memory of the caller; `n` is at least 3.
            unsafe {
                std::ptr::copy_nonoverlapping(words.as_ptr(), address, given);
                if given < n {
                    std::ptr::write_bytes(address.add(given), 0, n - given);
                }
                *address.add(n - 1) &= mask as u32;
            }
        } else {
            let value = match *words {
                [] => 0,
                [low] => u64::from(low),
                [low, high, ..] => u64::from(low) | u64::from(high) << 32,
            };
            self.poke_u64(port, value);
        }
    }

    /// Reads a port; words beyond its width are set to zero.
    #[inline]
    pub fn peek(&self, port: usize, words: &mut [u32]) {
        let Slot { address, storage, .. } = self.slots[port];
        let kept = if let Storage::Wide(n) = storage {
            let kept = words.len().min(n);
            // SAFETY: a wide port is `n` consecutive 32-bit words of the live model, in no memory of the caller.
            unsafe { std::ptr::copy_nonoverlapping(address.cast::<u32>(), words.as_mut_ptr(), kept) };
            kept
        } else {
            let value = self.peek_u64(port);
            for (word, half) in words.iter_mut().zip([value as u32, (value >> 32) as u32]) {
                *word = half;
            }
            words.len().min(2)
        };
        words[kept..].fill(0);
    }

    /// Sets an input of any width to a value of at most 64 bits; bits above the width are ignored.
    #[inline]
    pub fn poke_u64(&mut self, port: usize, value: u64) {
        let Slot { address, storage, mask } = self.slots[port];
        // SAFETY: the shim gave this address of a member of this size in the live model.
        unsafe {
            match storage {
                Storage::Byte => address.cast::<u8>().write((value & mask) as u8),
                Storage::Short => address.cast::<u16>().write((value & mask) as u16),
                Storage::Word => address.cast::<u32>().write((value & mask) as u32),
                Storage::Double => address.cast::<u64>().write(value & mask),
                Storage::Wide(_) => self.poke(port, &[value as u32, (value >> 32) as u32]),
            }
        }
    }

    /// The low 64 bits of a port.
    #[inline]
    pub fn peek_u64(&self, port: usize) -> u64 {
        let Slot { address, storage, .. } = self.slots[port];
        // SAFETY: as in `poke_u64`; a wide port has at least three words.
        unsafe {
            match storage {
                Storage::Byte => u64::from(address.cast::<u8>().read()),
                Storage::Short => u64::from(address.cast::<u16>().read()),
                Storage::Word => u64::from(address.cast::<u32>().read()),
                Storage::Double => address.cast::<u64>().read(),
                Storage::Wide(_) => {
                    let words = address.cast::<u32>();
                    u64::from(words.read()) | u64::from(words.add(1).read()) << 32
                }
            }
        }
    }

    /// Settles the combinational logic.
    #[inline]
    pub fn eval(&mut self) {
        if self.failure.is_none() {
            // SAFETY: the model is live.
            let code = unsafe { (self.eval)(self.handle) };
            self.check(code);
        }
    }

    /// One clock cycle: rising edge with the inputs as they are, falling edge, outputs settled.
    #[inline]
    pub fn clock(&mut self) {
        if self.failure.is_none() {
            // SAFETY: the model is live.
            let code = unsafe { (self.clock)(self.handle) };
            self.check(code);
            self.cycle += 1;
        }
    }

    /// `n` clock cycles with unchanged inputs, in one foreign call.
    pub fn clocks(&mut self, n: u64) {
        if self.failure.is_none() {
            // SAFETY: the model is live.
            let code = unsafe { (self.library.clocks)(self.handle, n) };
            self.check(code);
            self.cycle += n;
        }
    }

    #[inline]
    fn check(&mut self, code: c_int) {
        if code != 0 {
            self.failure = Some(self.message());
        }
    }

    #[cold]
    fn message(&self) -> String {
        // SAFETY: the message is a C string inside the live model.
        unsafe { CStr::from_ptr((self.library.message)(self.handle)) }.to_string_lossy().into_owned()
    }

    /// Completed clock cycles.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Why the design stopped itself: `$finish`, `$fatal`, a failed assertion, logic that does not settle. It stands still from then on.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Writes a wave to `path` from now on, 10 ns a cycle, in the format that the library was built for.
    pub fn open_wave(&mut self, path: &Path) -> Result<(), Error> {
        let Some((open, _)) = self.library.wave else { return Err(Error::NoTrace { top: self.library.top.clone() }) };
        self.close_wave()?;
        let text = c_path(path)?;
        // Verilator's writers do not say why a file cannot be made.
        std::fs::File::create(path).map_err(|e| Error::Write { path: path.to_path_buf(), reason: e.to_string() })?;
        // SAFETY: the model is live and the path is a C string.
        if unsafe { open(self.handle, text.as_ptr()) } != 0 {
            return Err(Error::Write { path: path.to_path_buf(), reason: self.message() });
        }
        self.wave_open = true;
        Ok(())
    }

    /// Ends the wave, if one is open. Dropping the model does the same.
    pub fn close_wave(&mut self) -> Result<(), Error> {
        if let (true, Some((_, close))) = (self.wave_open, self.library.wave) {
            self.wave_open = false;
            // SAFETY: the model is live.
            let code = unsafe { close(self.handle) };
            self.check(code);
        }
        Ok(())
    }

    /// Writes the counts so far to `path`, for `verilator_coverage`.
    pub fn write_coverage(&self, path: &Path) -> Result<(), Error> {
        let Some(write) = self.library.coverage else { return Err(Error::NoCoverage { top: self.library.top.clone() }) };
        let text = c_path(path)?;
        std::fs::File::create(path).map_err(|e| Error::Write { path: path.to_path_buf(), reason: e.to_string() })?;
        // SAFETY: the model is live and the path is a C string.
        if unsafe { write(self.handle, text.as_ptr()) } != 0 {
            return Err(Error::Write { path: path.to_path_buf(), reason: self.message() });
        }
        Ok(())
    }
}

fn c_path(path: &Path) -> Result<CString, Error> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(path.as_os_str().as_bytes()).map_err(|e| Error::Write { path: path.to_path_buf(), reason: e.to_string() })
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.close_wave();
        // SAFETY: the model is live and not used again.
        unsafe { (self.library.delete)(self.handle) }
    }
}
