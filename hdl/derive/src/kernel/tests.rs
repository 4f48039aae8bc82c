use super::expand;

fn refused(kernel: &str) -> String {
    expand(&syn::parse_str(kernel).unwrap()).map_or_else(|e| e.to_string(), |_| "accepted".into())
}

#[test]
fn a_part_is_called_under_no_condition() {
    assert_eq!(refused("fn update(&mut self) { self.part(); }"), "accepted");
    assert_eq!(refused("fn other(&mut self) { if self.a.val() { self.b.next = true; } self.part(); }"), "accepted");
    for kernel in ["fn update(&mut self) { if self.a.val() { self.part(); } }", "fn update(&mut self) { for i in 0..2 { self.part(); } }"] {
        assert!(refused(kernel).starts_with("a part of a kernel is called under no condition"), "{kernel}");
    }
}

#[test]
fn a_call_of_anything_else_is_refused() {
    for call in ["self.part(1)", "self.inner.part()", "part()"] {
        assert_ne!(refused(&format!("fn update(&mut self) {{ {call}; }}")), "accepted", "{call}");
    }
}
