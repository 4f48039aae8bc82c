use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Token bucket for packets of one size, new ones and those that are sent again.
///
/// `cfg_rate` bytes come in with each tick; a packet costs `cfg_packet` bytes, and `cfg_burst` packets' worth is what may be saved up: what
/// comes in beyond it is lost. Bytes become packets at one per clock, so a rate of more than a packet per clock is as none. An operation
/// reserves what it may need, and says later how much of it it has used. Without `cfg_limit` there is always a token.
/// Latency: a tick's first packet is there 3 clocks later. Throughput: one packet per clock. Reset: full.
/// Spec: bitmap loss detection, "Retransmission coordinator".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct TokenBucket {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a tick
    pub tick: Signal<In, Bit>,
    /// there is a limit at all
    pub cfg_limit: Signal<In, Bit>,
    /// bytes per tick
    pub cfg_rate: Signal<In, Bits<24>>,
    /// packets that may be saved up, from 1
    pub cfg_burst: Signal<In, Bits<16>>,
    /// bytes of a packet, from 1
    pub cfg_packet: Signal<In, Bits<16>>,
    /// packets that may be sent
    pub available: Signal<Out, Bits<16>>,
    /// one may be taken
    pub token: Signal<Out, Bit>,
    /// one is taken
    pub take: Signal<In, Bit>,
    /// so many are reserved; not with `take`
    pub reserve: Signal<In, Bit>,
    /// how many
    pub reserve_count: Signal<In, Bits<16>>,
    /// the reservation ends
    pub settle: Signal<In, Bit>,
    /// so many of it are used
    pub settle_count: Signal<In, Bits<16>>,
    token1: Reg<Bit>,
    free: Reg<Bits<16>>,
    // With those that are reserved.
    level: Reg<Bits<16>>,
    reserved: Reg<Bits<16>>,
    used1: Reg<Bits<16>>,
    back1: Reg<Bits<16>>,
    settle1: Reg<Bit>,
    filling: Reg<Bit>,
    // Bytes, and packets that they may become before the bucket is full.
    bytes: Reg<Bits<26>>,
    room: Reg<Bits<16>>,
    wide_packet: Signal<Local, Bits<26>>,
    wide_rate: Signal<Local, Bits<26>>,
    convert: Signal<Local, Bit>,
    step: Signal<Local, Bits<16>>,
    lent: Signal<Local, Bits<16>>,
    spent: Signal<Local, Bits<16>>,
}

impl Logic for TokenBucket {
    #[kernel]
    fn update(&mut self) {
        self.available.next = self.free.q.val();
        if !self.cfg_limit.val() {
            self.available.next = !bits::<16>(0);
        }
        // What is there after this clock, short of what comes in; a reservation ends it.
        self.token.next = self.token1.q.val();
        self.token1.d.next = self.free.q.val().get_bits::<15>(1).any() || (self.free.q.val().get_bit(0) && !self.take.val());
        if self.reserve.val() {
            self.token1.d.next = false;
        }
        if !self.cfg_limit.val() {
            self.token1.d.next = true;
        }
        self.wide_packet.next = bit_cast::<26, 16>(self.cfg_packet.val());
        self.wide_rate.next = bit_cast::<26, 24>(self.cfg_rate.val());
        self.convert.next = !self.tick.val() && self.room.q.val().any() && !(self.bytes.q.val() < self.wide_packet.val());
        if self.tick.val() {
            // What would not fit is lost now, not when the packets before it have been made.
            self.room.d.next = self.cfg_burst.val() - self.level.q.val();
            self.bytes.d.next = self.bytes.q.val() + self.wide_rate.val();
            if self.bytes.q.val().get_bit(25) {
                self.bytes.d.next = self.bytes.q.val();
            }
            if self.cfg_burst.val() < self.level.q.val() {
                self.room.d.next = bits::<16>(0);
            }
        } else if self.convert.val() {
            self.room.d.next = self.room.q.val() - 1;
            self.bytes.d.next = self.bytes.q.val() - self.wide_packet.val();
        } else if !self.room.q.val().any() {
            self.bytes.d.next = bits::<26>(0);
        }

        self.settle1.d.next = self.settle.val();
        self.used1.d.next = self.settle_count.val();
        self.back1.d.next = self.reserved.q.val() - self.settle_count.val();
        self.step.next = bits::<16>(0);
        if self.convert.val() && !self.take.val() {
            self.step.next = bits::<16>(1);
        } else if self.take.val() && !self.convert.val() {
            self.step.next = !bits::<16>(0);
        }
        self.lent.next = bits::<16>(0);
        self.spent.next = bits::<16>(0);
        if self.reserve.val() {
            self.lent.next = bits::<16>(0) - self.reserve_count.val();
            self.reserved.d.next = self.reserve_count.val();
        } else if self.settle1.q.val() {
            self.lent.next = self.back1.q.val();
            self.spent.next = self.used1.q.val();
        }
        self.free.d.next = (self.free.q.val() + self.step.val()) + self.lent.val();
        self.level.d.next = (self.level.q.val() + self.step.val()) - self.spent.val();
        if self.filling.q.val() {
            self.free.d.next = self.cfg_burst.val();
            self.level.d.next = self.cfg_burst.val();
            // A tick of this clock finds the level from before the reset.
            self.bytes.d.next = bits::<26>(0);
            self.room.d.next = bits::<16>(0);
            self.filling.d.next = false;
        }
        if self.rst.val() || !self.cfg_limit.val() {
            self.filling.d.next = true;
            self.reserved.d.next = bits::<16>(0);
            self.settle1.d.next = false;
            self.bytes.d.next = bits::<26>(0);
            self.room.d.next = bits::<16>(0);
        }
    }
}
