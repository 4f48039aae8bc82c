//! Congestion: how congested a way is, what the acknowledgement says of it, and the rate of each queue pair.
