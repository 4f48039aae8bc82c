//! Every block at every profile: what the command line and the benches choose from.
//!
//! The build script makes it from `hdl/parameters.toml` and the profiles, those of the folder in `RDMA_RTL_PROFILES` included.

pub mod native;
mod sized;

pub use sized::describe_at;

use rdma_rtl_gen::ir;
use rdma_rtl_golden::registry::Params;
use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_hdl::describe::{Names, Node, named, of};
use rdma_rtl_profile::{Block as Schematic, Profile, Schema, parse_profile, parse_schema};
use rdma_rtl_sim::verilated::{Design as Sources, Source};
use rdma_rtl_sim::{Direction, Error, Model, Port};
use rust_hdl::prelude::clog2;
use std::path::Path;
use std::sync::LazyLock;

/// One block at one profile.
#[derive(Clone, Copy)]
pub struct Design {
    pub block: &'static str,
    pub profile: &'static str,
    /// static parameters, in the order of the schema
    pub parameters: &'static [(&'static str, u64)],
    /// none: its sizes are constants, and it is compiled when it is asked for
    describe: Option<fn() -> Node>,
    register_map: fn() -> Option<RegisterMap>,
}

macro_rules! describe {
    (compiled $module:ident) => {
        Some(|| named(of($module::make()), &Names { sized: &[], sizes: &[] }))
    };
    (sized $module:ident) => {
        None
    };
}

macro_rules! designs {
    ($($kind:ident $module:ident { $block:literal, $profile:literal, [$($parameter:tt),*] })*) => {
        static DESIGNS: &[Design] = &[$(Design {
            block: $block,
            profile: $profile,
            parameters: &[$($parameter),*],
            describe: describe!($kind $module),
            register_map: $module::register_map,
        }),*];
    };
}

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// The schema that the catalogue was made from.
pub static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let text = include_str!("../../../hdl/parameters.toml");
    parse_schema("hdl/parameters.toml", text).expect("the build script has read the same text")
});

/// The profiles that a user's own may have as their base.
pub static BASES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let files = [
        ("small", include_str!("../../../gen/profiles/small.toml")),
        ("default", include_str!("../../../gen/profiles/default.toml")),
        ("large", include_str!("../../../gen/profiles/large.toml")),
        ("longhaul", include_str!("../../../gen/profiles/longhaul.toml")),
    ];
    let mut read: Vec<Profile> = Vec::new();
    for (name, text) in files {
        let profile = parse_profile(name, &format!("gen/profiles/{name}.toml"), text, &SCHEMA, &read);
        read.push(profile.expect("the build script has read the same text"));
    }
    read
});

/// Every block at every profile.
pub fn designs() -> &'static [Design] {
    DESIGNS
}

/// The block at the profile.
/// # Errors
/// An unknown block or profile, or a profile that does not have the block; the text names what there is.
pub fn find(block: &str, profile: &str) -> Result<Design, String> {
    if let Some(design) = DESIGNS.iter().find(|d| d.block == block && d.profile == profile) {
        return Ok(*design);
    }
    let unique = |mut names: Vec<&str>| {
        names.dedup();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    };
    if !DESIGNS.iter().any(|d| d.block == block) {
        return Err(format!("unknown block `{block}`; blocks are {}", unique(DESIGNS.iter().map(|d| d.block).collect())));
    }
    let known = unique(DESIGNS.iter().filter(|d| d.block == block).map(|d| d.profile).collect());
    Err(format!("block `{block}` has no profile `{profile}`; profiles are {known} (RDMA_RTL_PROFILES names a folder of your own)"))
}

impl Design {
    /// What the schema says of the block.
    pub fn schematic(&self) -> &'static Schematic {
        SCHEMA.block(self.block).expect("the catalogue is made from the schema")
    }

    /// The same block with another value of some parameters, allowed or not: for a test at a size that no profile has.
    /// # Panics
    /// The block has no such parameter, or const generics.
    #[must_use]
    pub fn with(mut self, values: &[(&str, u64)]) -> Design {
        assert!(self.describe.is_none(), "{} has const generics and is compiled at its profiles alone", self.block);
        let mut parameters = self.parameters.to_vec();
        for (name, value) in values {
            let own = parameters.iter_mut().find(|(known, _)| known == name);
            own.unwrap_or_else(|| panic!("{} has no parameter `{name}`", self.block)).1 = *value;
        }
        self.parameters = parameters.leak();
        self.profile = "test";
        self
    }

    /// A static parameter.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        self.parameters.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// What the block says of itself: the emitter's only input.
    /// # Errors
    /// A block whose sizes are constants is compiled when it is asked for: the sources or cargo are not there, or they do not compile.
    pub fn describe(&self) -> Result<Node, Error> {
        match self.describe {
            Some(describe) => Ok(describe()),
            None => sized::describe(self),
        }
    }

    /// The registers that software sees, if the block has them.
    /// # Errors
    /// Those of [`describe`](Design::describe).
    pub fn register_map(&self) -> Result<Option<RegisterMap>, Error> {
        match self.describe {
            None if self.schematic().register_map.is_some() => sized::registers(self).map(Some),
            _ => Ok((self.register_map)()),
        }
    }

    /// Static parameters of a receive registry, as bench and golden model take them.
    pub fn registry_params(&self) -> Option<Params> {
        Some(Params {
            entries: self.parameter("entries")? as usize,
            mask_bits: self.parameter("mask_bits")? as usize,
            packet_size: self.parameter("packet_size")? as u32,
            sources: self.parameter("sources")? as usize,
            index_bits: self.parameter("index_bits")? as u32,
            escape_slots: self.parameter("escape_slots")? as usize,
            writes: self.parameter("writes")? as usize,
            regions: self.parameter("regions")? as usize,
        })
    }

    /// The elaborated design.
    /// # Errors
    /// Those of [`describe`](Design::describe); a kernel that has no meaning as hardware.
    pub fn elaborate(&self) -> Result<ir::Design, Error> {
        // Its own name, where blocks share a type.
        let options = rdma_rtl_gen::Options { top_name: Some(self.block.into()), ..Default::default() };
        Ok(rdma_rtl_gen::elaborate(&self.describe()?, &options)?)
    }

    /// The rust-hdl block under the native driver, compiled when it is asked for the first time.
    /// # Errors
    /// See [`Native::new`](rdma_rtl_sim::Native::new); a program whose sources are not there to compile it from.
    pub fn native(&self) -> Result<Box<dyn Model>, Error> {
        match self.describe {
            Some(_) => native::make(self.block, self.profile, self.parameters, None),
            None => sized::make(self, None),
        }
    }

    /// As [`native`](Design::native), with every signal in a VCD file.
    /// # Errors
    /// The file cannot be written.
    pub fn native_with_wave(&self, path: &Path) -> Result<Box<dyn Model>, Error> {
        match self.describe {
            Some(_) => native::make(self.block, self.profile, self.parameters, Some(path)),
            None => sized::make(self, Some(path)),
        }
    }
}

/// The emitted text of a design, as Verilator's library takes it.
pub fn sources(design: &ir::Design) -> Sources {
    let direction = |d| match d {
        ir::Direction::Input => Direction::Input,
        ir::Direction::Output => Direction::Output,
    };
    let ports = design.ports();
    Sources {
        sources: rdma_rtl_gen::emit(design).into_iter().map(|f| Source::new(f.name, f.text)).collect(),
        top: design.top.clone(),
        clock: ports.iter().find(|p| p.clock).map(|p| p.name.clone()),
        ports: ports
            .iter()
            .filter(|p| !p.clock)
            .map(|p| Port { name: p.name.clone(), width: p.width, direction: direction(p.direction) })
            .collect(),
    }
}
