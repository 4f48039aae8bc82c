//! Both ends by themselves and over a network.
