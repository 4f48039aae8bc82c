//! Lists of deliberate faults.

/// An enumeration `Fault` of mistakes that a golden model makes on purpose, with `Fault::ALL`: a check that finds none of them checks
/// nothing.
macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A mistake that a model makes on purpose.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault {
            $($(#[$doc])* $name,)*
        }

        impl Fault {
            /// All of them.
            pub const ALL: &[Fault] = &[$(Fault::$name,)*];
        }
    };
}
pub(crate) use faults;

/// What is wrong in a check, if anything is. A model that breaks down is found, too.
#[cfg(test)]
pub(crate) fn broken(check: impl FnOnce() -> Result<(), String>) -> Option<String> {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Ok(())) => None,
        Ok(Err(wrong)) => Some(wrong),
        Err(_) => Some("it breaks down".to_owned()),
    }
}
