use super::find_first::encoder;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

encoder! {
    /// Highest set bit of `WIDTH` bits, combinational, in a binary tree. `INDEX_BITS` is the width of its number: the least with
    /// `2^INDEX_BITS >= WIDTH`.
    ///
    /// `WIDTH` is any number from 2. The highest bit has priority; for the lowest take `FindFirst`, for a fair choice `RoundRobinArbiter`.
    /// Latency: 0 clocks, about `INDEX_BITS` levels of logic.
    PriorityEncoder: 1 before 0,
    /// number of the highest set bit; without `any` it means nothing
    index
}
