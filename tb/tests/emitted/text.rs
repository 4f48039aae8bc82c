//! The text of blocks whose sizes are constants, for a person to review.

use rdma_rtl_gen::{Options, elaborate, emit};
use rdma_rtl_hdl::describe::Node;
use rdma_rtl_tb::under_test::sized;

/// The text of the block itself.
fn last(node: &Node) -> String {
    let design = elaborate(node, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    emit(&design).pop().unwrap().text
}

#[test]
fn acknowledged_packets_of_operations() {
    let sizes = [("OP_INDEX_BITS", 1), ("OP_BITS", 3), ("COMMAND_BITS", 1), ("MASK_WORD_BITS", 4), ("MASK_WORDS", 2)];
    insta::assert_snapshot!(last(&sized("send::AckMask", "new()", &sizes)));
}

#[test]
fn frames_whose_icrc_does_not_hold() {
    insta::assert_snapshot!(last(&sized("wire::IcrcCheck", "new()", &[("DATA_WIDTH", 64)])));
}

#[test]
fn frames_that_get_their_icrc() {
    insta::assert_snapshot!(last(&sized("wire::IcrcInsert", "new()", &[("DATA_WIDTH", 64)])));
}

#[test]
fn packets_that_the_scan_found() {
    let sizes = [("OP_BITS", 16), ("POSITION_BITS", 5)];
    insta::assert_snapshot!(last(&sized("send::ScanHits", "default()", &sizes)));
}

#[test]
fn the_packet_of_a_node_that_is_timed() {
    insta::assert_snapshot!(last(&sized("send::RoundTrip", "default()", &[("NODES", 4)])));
}

#[test]
fn the_estimate_of_a_round_trip() {
    insta::assert_snapshot!(last(&sized("send::RoundTripEstimate", "default()", &[("NODES", 4)])));
}
