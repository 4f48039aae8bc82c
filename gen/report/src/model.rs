//! A report: what was measured, with which tool, and how it stands against a budget and an earlier report.

use crate::baseline::Growth;
use crate::budget::Judged;
use crate::by_module::ByModule;
use crate::ecp5::Ecp5;
use crate::flow::{Family, Hierarchy, Mapped};
use crate::tools::Tool;
use crate::verdict::Verdict;
use crate::vivado::{Other, Refused, Vivado};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// First key of the JSON. A reader takes no other.
pub const SCHEMA: &str = "rdma-rtl-report/1";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub schema: String,
    pub profile: String,
    /// Yosys, nextpnr; none that was not used
    pub tools: Vec<Tool>,
    pub blocks: Vec<Block>,
    /// Vivado's files, apart from everything that open tools say
    #[serde(default)]
    pub vivado: Vec<Vivado>,
    /// Reports of Vivado that are of other commands, and not read
    #[serde(default)]
    pub vivado_left: Vec<Other>,
    /// Files of Vivado that cannot be read
    #[serde(default)]
    pub vivado_refused: Vec<Refused>,
    pub budget: Option<Judged>,
    pub baseline: Option<Growth>,
    /// How it ends, once that is known: exit code, text, JSON, JUnit and page all say this.
    #[serde(default)]
    pub verdict: Verdict,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    pub block: String,
    pub top: String,
    pub families: BTreeMap<Family, Mapped>,
    pub hierarchy: Option<(Family, Hierarchy)>,
    pub ecp5: Option<Ecp5>,
    #[serde(default)]
    pub by_module: Option<ByModule>,
}

impl Report {
    pub fn new(profile: &str) -> Report {
        Report { schema: SCHEMA.to_string(), profile: profile.to_string(), ..Report::default() }
    }

    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|t| t.name == name)
    }

    /// Families in which something was measured.
    pub fn families(&self) -> Vec<Family> {
        Family::ALL.into_iter().filter(|f| self.blocks.iter().any(|b| b.families.contains_key(f))).collect()
    }

    /// Blocks and flows whose figures are of the older mapper, because this Yosys did not finish with the newer one.
    pub fn without_abc9(&self) -> Option<String> {
        let of = |b: &Block| {
            let families = b.families.iter().filter(|(_, m)| !m.abc9).map(|(family, _)| family.name());
            let ecp5 = b.ecp5.iter().filter(|e| !e.abc9).map(|_| "ecp5");
            let sums = b.by_module.iter().filter(|m| !m.abc9).map(|m| m.family.name());
            families.chain(ecp5).chain(sums).map(|flow| format!("{} on {flow}", b.block)).collect::<Vec<_>>()
        };
        let all: Vec<String> = self.blocks.iter().flat_map(of).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}
