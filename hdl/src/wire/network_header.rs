use crate::bus::LocalAddress;
use crate::primitives::{ByteReverse, Reg};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The beginning of a frame: Ethernet with one VLAN tag if it is on, IPv4 or IPv6, UDP, and behind them the first `TRANSPORT_BITS` bits of
/// what UDP carries.
///
/// IP length and IPv4 checksum are computed, UDP's checksum is 0. The template counts for frames that come two clocks after it was set, or
/// later.
/// Latency: 3 clocks in which `moving` is high; the VLAN tag is set in behind the last register. Throughput: one per clock. No reset:
/// nothing is kept.
/// Spec: wire format.
///
/// Parameters: `TRANSPORT_BITS` bits behind UDP, `NETWORK_BITS` = `TRANSPORT_BITS + 384` with IP and UDP.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct NetworkHeader<const TRANSPORT_BITS: usize, const NETWORK_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// all stages go on
    pub moving: Signal<In, Bit>,
    /// MAC address of the receiver
    pub mac: Signal<In, Bits<48>>,
    /// it has an IPv6 address
    pub six: Signal<In, Bit>,
    /// its IP address; IPv4 in the low 32 bits
    pub ip: Signal<In, Bits<128>>,
    /// bytes from UDP's header to the end of the ICRC
    pub udp_bytes: Signal<In, Bits<16>>,
    /// what follows UDP's header, first byte in the highest bits
    pub transport: Signal<In, Bits<TRANSPORT_BITS>>,
    /// the frame has an IPv6 header
    pub head_six: Signal<Out, Bit>,
    /// the beginning of the frame, first byte in the lowest bits
    pub head: Signal<Out, Bits<1024>>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,

    // The part of the IPv4 checksum that no frame changes.
    own_class: Signal<Local, Bits<20>>,
    own_ip: Reg<Bits<20>>,
    own: Reg<Bits<20>>,
    sum1: Reg<Bits<20>>,
    mac1: Reg<Bits<48>>,
    six1: Reg<Bit>,
    ip1: Reg<Bits<128>>,
    bytes1: Reg<Bits<16>>,
    transport1: Reg<Bits<TRANSPORT_BITS>>,
    sum2: Reg<Bits<17>>,
    mac2: Reg<Bits<48>>,
    six2: Reg<Bit>,
    ip2: Reg<Bits<128>>,
    bytes2: Reg<Bits<16>>,
    transport2: Reg<Bits<TRANSPORT_BITS>>,
    ip_bytes: Signal<Local, Bits<16>>,
    ip_length: Signal<Local, Bits<16>>,
    checksum: Signal<Local, Bits<16>>,
    udp: Signal<Local, Bits<NETWORK_BITS>>,
    network3: Reg<Bits<NETWORK_BITS>>,
    mac3: Reg<Bits<48>>,
    six3: Reg<Bit>,
    ether_type: Signal<Local, Bits<16>>,
    network: Signal<Local, Bits<1024>>,
    ether: Signal<Local, Bits<1024>>,
    reverse: ByteReverse<1024, 7>,
}

impl<const TRANSPORT_BITS: usize, const NETWORK_BITS: usize> NetworkHeader<TRANSPORT_BITS, NETWORK_BITS> {
    /// A new one.
    /// # Panics
    /// A parameter that is not allowed, or does not follow from the others.
    pub fn new() -> Self {
        assert!(TRANSPORT_BITS <= 496, "NetworkHeader: TRANSPORT_BITS = {TRANSPORT_BITS}, at most 496");
        assert!(
            NETWORK_BITS == TRANSPORT_BITS + 384,
            "NetworkHeader: NETWORK_BITS = {NETWORK_BITS} with TRANSPORT_BITS = {TRANSPORT_BITS}, must be {}",
            TRANSPORT_BITS + 384
        );
        Self::default()
    }
}

impl<const TRANSPORT_BITS: usize, const NETWORK_BITS: usize> Logic for NetworkHeader<TRANSPORT_BITS, NETWORK_BITS> {
    #[kernel]
    fn update(&mut self) {
        // The template's part of the checksum: version, class, do not fragment, hops and UDP, our address.
        self.own_class.next =
            bit_cast::<20, 8>(self.cfg_local.traffic_class.val()) | (bit_cast::<20, 8>(self.cfg_local.hop_limit.val()) << 8);
        self.own_ip.d.next = bit_cast::<20, 16>(self.cfg_local.ip4.val().get_bits::<16>(0))
            + bit_cast::<20, 16>(self.cfg_local.ip4.val().get_bits::<16>(16));
        self.own.d.next = self.own_ip.q.val() + self.own_class.val() + 0x8511;

        self.ip_bytes.next = self.bytes1.q.val() + 20;
        self.ip_length.next = self.bytes2.q.val() + 20;
        self.checksum.next = !(self.sum2.q.val().get_bits::<16>(0) + bit_cast::<16, 1>(self.sum2.q.val().get_bits::<1>(16)));
        if self.moving.val() {
            // A header whose own field is zero.
            self.sum1.d.next = self.own.q.val()
                + bit_cast::<20, 16>(self.ip.val().get_bits::<16>(0))
                + bit_cast::<20, 16>(self.ip.val().get_bits::<16>(16));
            self.mac1.d.next = self.mac.val();
            self.six1.d.next = self.six.val();
            self.ip1.d.next = self.ip.val();
            self.bytes1.d.next = self.udp_bytes.val();
            self.transport1.d.next = self.transport.val();
            self.sum2.d.next = bit_cast::<17, 16>(self.sum1.q.val().get_bits::<16>(0))
                + bit_cast::<17, 4>(self.sum1.q.val().get_bits::<4>(16))
                + bit_cast::<17, 16>(self.ip_bytes.val());
            self.mac2.d.next = self.mac1.q.val();
            self.six2.d.next = self.six1.q.val();
            self.ip2.d.next = self.ip1.q.val();
            self.bytes2.d.next = self.bytes1.q.val();
            self.transport2.d.next = self.transport1.q.val();
            self.mac3.d.next = self.mac2.q.val();
            self.six3.d.next = self.six2.q.val();
            self.network3.d.next = (bit_cast::<NETWORK_BITS, 8>(bits::<8>(0x45)) << (TRANSPORT_BITS + 376).to_bits::<10>())
                | (bit_cast::<NETWORK_BITS, 8>(self.cfg_local.traffic_class.val()) << (TRANSPORT_BITS + 368).to_bits::<10>())
                | (bit_cast::<NETWORK_BITS, 16>(self.ip_length.val()) << (TRANSPORT_BITS + 352).to_bits::<10>())
                | (bit_cast::<NETWORK_BITS, 32>(bits::<32>(0x4000_0011)) << (TRANSPORT_BITS + 304).to_bits::<10>())
                | (bit_cast::<NETWORK_BITS, 8>(self.cfg_local.hop_limit.val()) << (TRANSPORT_BITS + 312).to_bits::<10>())
                | (bit_cast::<NETWORK_BITS, 16>(self.checksum.val()) << (TRANSPORT_BITS + 288).to_bits::<10>())
                | (bit_cast::<NETWORK_BITS, 32>(self.cfg_local.ip4.val()) << (TRANSPORT_BITS + 256).to_bits::<10>())
                | (bit_cast::<NETWORK_BITS, 32>(self.ip2.q.val().get_bits::<32>(0)) << (TRANSPORT_BITS + 224).to_bits::<10>())
                | (self.udp.val() << 160);
            if self.six2.q.val() {
                self.network3.d.next = (bit_cast::<NETWORK_BITS, 4>(bits::<4>(6)) << (TRANSPORT_BITS + 380).to_bits::<10>())
                    | (bit_cast::<NETWORK_BITS, 8>(self.cfg_local.traffic_class.val()) << (TRANSPORT_BITS + 372).to_bits::<10>())
                    | (bit_cast::<NETWORK_BITS, 16>(self.bytes2.q.val()) << (TRANSPORT_BITS + 336).to_bits::<10>())
                    | (bit_cast::<NETWORK_BITS, 8>(bits::<8>(0x11)) << (TRANSPORT_BITS + 328).to_bits::<10>())
                    | (bit_cast::<NETWORK_BITS, 8>(self.cfg_local.hop_limit.val()) << (TRANSPORT_BITS + 320).to_bits::<10>())
                    | (bit_cast::<NETWORK_BITS, 128>(self.cfg_local.ip6.val()) << (TRANSPORT_BITS + 192).to_bits::<10>())
                    | (bit_cast::<NETWORK_BITS, 128>(self.ip2.q.val()) << (TRANSPORT_BITS + 64).to_bits::<10>())
                    | self.udp.val();
            }
        }
        self.udp.next = (bit_cast::<NETWORK_BITS, 16>(self.cfg_local.udp_source.val()) << (TRANSPORT_BITS + 48).to_bits::<10>())
            | (bit_cast::<NETWORK_BITS, 16>(bits::<16>(4791)) << (TRANSPORT_BITS + 32).to_bits::<10>())
            | (bit_cast::<NETWORK_BITS, 16>(self.bytes2.q.val()) << (TRANSPORT_BITS + 16).to_bits::<10>())
            | bit_cast::<NETWORK_BITS, TRANSPORT_BITS>(self.transport2.q.val());

        self.ether_type.next = bits::<16>(0x0800);
        if self.six3.q.val() {
            self.ether_type.next = bits::<16>(0x86dd);
        }
        self.network.next = bit_cast::<1024, NETWORK_BITS>(self.network3.q.val()) << (912 - NETWORK_BITS).to_bits::<10>();
        self.ether.next = (bit_cast::<1024, 48>(self.mac3.q.val()) << 976)
            | (bit_cast::<1024, 48>(self.cfg_local.mac.val()) << 928)
            | (bit_cast::<1024, 16>(self.ether_type.val()) << 912)
            | self.network.val();
        if self.cfg_local.vlan_on.val() {
            self.ether.next = (bit_cast::<1024, 48>(self.mac3.q.val()) << 976)
                | (bit_cast::<1024, 48>(self.cfg_local.mac.val()) << 928)
                | (bit_cast::<1024, 16>(bits::<16>(0x8100)) << 912)
                | (bit_cast::<1024, 16>(self.cfg_local.vlan.val()) << 896)
                | (bit_cast::<1024, 16>(self.ether_type.val()) << 880)
                | (self.network.val() >> 32);
        }
        self.reverse.data.next = self.ether.val();
        self.head.next = self.reverse.reversed.val();
        self.head_six.next = self.six3.q.val();
    }
}
