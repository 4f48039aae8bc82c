//! Benches of the primitives, one per block with the block's name.
//!
//! Each is a function of a model, a seed and a length that ends with the first difference as text: the tests run it on every back
//! end, and on designs broken on purpose to see that it notices.

pub mod barrel_shifter;
pub mod barrel_shifter_pipelined;
pub mod block_ram;
pub mod cleared_ram;
pub mod fifo_block;
pub mod fifo_lut;
pub mod find_first;
pub mod initial_mask;
pub mod lut_ram;
pub mod one_hot_first;
pub mod priority_encoder;
pub mod psn_add;
pub mod psn_compare;
pub mod queue;
pub mod register;
pub mod round_robin_arbiter;
pub mod skid_buffer;
pub mod subtract;
pub mod thermometer_mask;
pub mod tick_counter;
