use rdma_rtl_hdl::primitives::*;
use rust_hdl::prelude::*;
use std::collections::VecDeque;

macro_rules! tick {
    ($u:expr) => {{
        $u.clk.next = true.into();
        assert!(simulate(&mut $u, 100));
        $u.clk.next = false.into();
        assert!(simulate(&mut $u, 100));
    }};
}
struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545F4914F6CDD1D) >> 16
    }
    fn chance(&mut self, p: u64) -> bool {
        self.next() % 100 < p
    }
}

#[test]
fn find_first() {
    let mut u = FindFirst::<19, 5>::default();
    u.connect_all();
    let mut r = Rng(5);
    for n in 0..20000 {
        let x = if n < 20 { (1u64 << n) & 0x7ffff } else { r.next() & r.next() & r.next() & 0x7ffff };
        u.request.next = x.into();
        assert!(simulate(&mut u, 50));
        assert_eq!(u.any.val(), x != 0);
        if x != 0 {
            assert_eq!(u.index.val().to_u64(), u64::from(x.trailing_zeros()));
        }
    }
}

#[test]
fn fifo_lut() {
    let mut u = FifoLut::<16, 3, 4>::default();
    u.connect_all();
    let mut r = Rng(7);
    u.rst.next = true;
    tick!(u);
    u.rst.next = false;
    let mut q = VecDeque::new();
    for n in 0..20000 {
        let (pi, po) = [(90, 10), (50, 50), (10, 90), (100, 100)][n / 100 % 4];
        let iv = r.chance(pi);
        let or = r.chance(po);
        let d = r.next() & 0xffff;
        u.in_valid.next = iv;
        u.out_ready.next = or;
        u.in_data.next = d.into();
        assert!(simulate(&mut u, 50));
        assert_eq!(u.count.val().to_u64(), q.len() as u64);
        assert_eq!(u.in_ready.val(), q.len() < 8);
        assert_eq!(u.out_valid.val(), !q.is_empty());
        if let Some(&f) = q.front() {
            assert_eq!(u.out_data.val().to_u64(), f);
        }
        let push = iv && q.len() < 8;
        if or {
            q.pop_front();
        }
        if push {
            q.push_back(d);
        }
        tick!(u);
    }
}

#[test]
fn ticks() {
    for p in [0u64, 1, 2, 7, 300] {
        let mut u = TickCounter::default();
        u.connect_all();
        u.prescale.next = p.into();
        u.rst.next = true;
        tick!(u);
        u.rst.next = false;
        for c in 1..2000u64 {
            tick!(u);
            assert_eq!(u.now.val().to_u64(), c / p.max(1));
            assert_eq!(u.tick.val(), c % p.max(1) == 0);
        }
    }
}

#[test]
fn cleared() {
    let mut u = ClearedRam::<8, 4, 0>::default();
    u.connect_all();
    for round in 0..3 {
        if round > 0 {
            u.rst.next = true;
            tick!(u);
            u.rst.next = false;
            assert!(simulate(&mut u, 50));
        }
        u.write_enable.next = true;
        u.write_data.next = 0xffu64.into();
        for _ in 0..16 {
            assert!(!u.ready.val());
            tick!(u);
        }
        assert!(u.ready.val());
        u.write_enable.next = false;
        for a in 0..16u64 {
            u.read_address.next = a.into();
            tick!(u);
            assert_eq!(u.read_data.val().to_u64(), 0);
        }
        u.write_enable.next = true;
        u.write_data.next = 0x55u64.into();
        for a in 0..16u64 {
            u.write_address.next = a.into();
            tick!(u);
        }
        for a in 0..16u64 {
            u.read_address.next = a.into();
            tick!(u);
            assert_eq!(u.read_data.val().to_u64(), 0x55);
        }
    }
}
