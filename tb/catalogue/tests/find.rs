//! What the catalogue has, and what it says of what it has not.

use rdma_rtl_catalogue::{SCHEMA, find};

#[test]
fn every_shipped_profile_has_every_block() {
    for block in &SCHEMA.blocks {
        for profile in ["small", "default", "large"] {
            find(&block.name, profile).unwrap();
        }
    }
}

#[test]
fn what_does_not_exist_is_named_with_what_does() {
    assert!(find("receive_registri", "small").err().unwrap().starts_with("unknown block `receive_registri`; blocks are axi_lite_slave, "));
    let text = find("receive_registry", "tiny").err().unwrap();
    assert!(text.starts_with("block `receive_registry` has no profile `tiny`; profiles are default, "), "{text}");
}
