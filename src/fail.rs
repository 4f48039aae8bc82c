//! How a verb ends when it does not succeed.

use rdma_rtl_sim::verilated::Tools;
use std::fmt;

/// What went wrong, and whose fault it is.
#[derive(Debug)]
pub enum Fail {
    /// The call was wrong: exit code 2.
    Call(String),
    /// The call was sound and there was nothing to test: exit code 2, and no result is green.
    Nothing(String),
    /// A check failed: exit code 1.
    Check(String),
    /// A tool is missing or failed, or a file cannot be written: exit code 3.
    Tool(String),
}

impl Fail {
    pub fn code(&self) -> u8 {
        match self {
            Fail::Check(_) => 1,
            Fail::Call(_) | Fail::Nothing(_) => 2,
            Fail::Tool(_) => 3,
        }
    }

    pub fn call(error: impl fmt::Display) -> Fail {
        Fail::Call(error.to_string())
    }

    pub fn tool(error: impl fmt::Display) -> Fail {
        Fail::Tool(error.to_string())
    }
}

impl fmt::Display for Fail {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fail::Call(text) | Fail::Check(text) | Fail::Tool(text) => f.write_str(text.trim_end()),
            Fail::Nothing(text) => write!(f, "nothing was tested: {}", text.trim_end()),
        }
    }
}

/// The tools that every verilated run needs.
pub fn tools() -> Result<std::sync::Arc<Tools>, Fail> {
    Tools::find(None, None).map_err(Fail::tool)
}
