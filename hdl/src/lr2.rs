//! Selective repeat between data centres, for cards that can only go back: the parts of Sentry and Depot.
