use crate::primitives::{BlockRam, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What one path has delivered to each queue pair: the highest 4 of its numbers, and when it last delivered.
///
/// That is all that the path's bitmap is asked for: `overtake` packets behind a gap have arrived over the path when the `overtake`th
/// highest of its numbers lies behind the gap. A number is kept with 16 bits, and forgotten when the highest of the queue pair is 2^14
/// ahead, which is a window or more. Every packet of the queue pair reads and writes the word; what the three in front have made of it is
/// taken from them.
/// Latency: clock 3. Throughput: one packet per clock. No reset: cleared when a queue pair begins.
#[derive(Default, Described, LogicBlock)]
pub struct PathArrivals {
    /// clock
    pub clk: Signal<In, Clock>,
    /// clock 0: queue pair
    pub read_qp: Signal<In, Bits<NODE_BITS>>,
    /// clock 2: the packet in front is of the same queue pair
    pub same3: Signal<In, Bit>,
    /// clock 2: the one before that is
    pub same4: Signal<In, Bit>,
    /// clock 2: the one before that is
    pub same5: Signal<In, Bit>,
    /// clock 2: the packet came over this path
    pub mine2: Signal<In, Bit>,
    /// clock 2: its number
    pub psn2: Signal<In, Bits<16>>,
    /// clock 2: highest number of the queue pair with it
    pub max2: Signal<In, Bits<16>>,
    /// clock 2: time of the verdict
    pub now2: Signal<In, Bits<32>>,
    /// clock 2: who had not delivered since was not active then
    pub edge2: Signal<In, Bits<32>>,
    /// who has not delivered since is not active now
    pub idle_edge: Signal<In, Bits<32>>,
    /// clock 3: the word is written
    pub write: Signal<In, Bit>,
    /// clock 3: it is cleared
    pub clears: Signal<In, Bit>,
    /// clock 3: queue pair
    pub write_qp: Signal<In, Bits<NODE_BITS>>,
    /// clock 3: the path is active
    pub active3: Signal<Out, Bit>,
    /// later packets that a path must have delivered, 1 to 4
    pub overtake: Signal<In, Bits<3>>,
    /// queue pair that is looked at
    pub live_qp: Signal<In, Bits<NODE_BITS>>,
    /// so many packets have come over the path, 2 clocks later
    pub live_delivered: Signal<Out, Bit>,
    /// the lowest of them
    pub live_edge: Signal<Out, Bits<16>>,
    /// the path is active
    pub live_active: Signal<Out, Bit>,

    // The highest four with a bit each that says that there are so many, time of the last 32, active 1.
    memory: BlockRam<101, NODE_BITS, 1>,
    // The one that counts with its bit, time, active.
    live: BlockRam<50, NODE_BITS, 1>,
    word2: Signal<Local, Bits<101>>,
    value2: [Signal<Local, Bits<16>>; 4],
    distance2: [Signal<Local, Bits<16>>; 4],
    order2: [Signal<Local, Bits<16>>; 4],
    valid2: Signal<Local, Bits<4>>,
    after2: Signal<Local, Bits<4>>,
    elapsed2: Signal<Local, Bits<32>>,
    value: [Reg<Bits<16>>; 4],
    valid: Reg<Bits<4>>,
    last: Reg<Bits<32>>,
    active: Reg<Bit>,
    word3: Signal<Local, Bits<101>>,
    word4: Reg<Bits<101>>,
    word5: Reg<Bits<101>>,
    edge3: Signal<Local, Bits<17>>,
    live_elapsed: Signal<Local, Bits<32>>,
}

impl Logic for PathArrivals {
    #[kernel]
    fn update(&mut self) {
        self.memory.read_address.next = self.read_qp.val();

        // Clock 2.
        self.word2.next = self.memory.read_data.val();
        if self.same3.val() {
            self.word2.next = self.word3.val();
        } else if self.same4.val() {
            self.word2.next = self.word4.q.val();
        } else if self.same5.val() {
            self.word2.next = self.word5.q.val();
        }
        self.valid2.next = bits::<4>(0);
        self.after2.next = bits::<4>(0);
        for i in 0..4 {
            self.value2[i].next = self.word2.val().get_bits::<16>(16 * i);
            self.distance2[i].next = self.max2.val() - self.value2[i].val();
            self.order2[i].next = self.value2[i].val() - self.psn2.val();
            self.valid2.next =
                self.valid2.val().replace_bit(i, self.word2.val().get_bit(64 + i) && !self.distance2[i].val().get_bits::<2>(14).any());
        }
        for i in 0..4 {
            self.after2.next = self.after2.val().replace_bit(i, !self.valid2.val().get_bit(i) || self.order2[i].val().get_bit(15));
        }
        // In order: the packet takes its place, and what lies before it goes down.
        self.valid.d.next = self.valid2.val();
        for i in 0..4 {
            self.value[i].d.next = self.value2[i].val();
            if self.mine2.val() && self.after2.val().get_bit(i) {
                self.value[i].d.next = self.psn2.val();
            }
        }
        for i in 0..3 {
            if self.mine2.val() && self.after2.val().get_bit(i) {
                self.value[i + 1].d.next = self.value2[i].val();
            }
        }
        if self.mine2.val() {
            self.valid.d.next = (self.valid2.val() << 1) | 1;
        }
        self.elapsed2.next = self.word2.val().get_bits::<32>(68) - self.edge2.val();
        self.last.d.next = self.word2.val().get_bits::<32>(68);
        self.active.d.next = self.word2.val().get_bit(100) && !self.elapsed2.val().get_bit(31);
        if self.mine2.val() {
            self.last.d.next = self.now2.val();
            self.active.d.next = true;
        }

        // Clock 3.
        self.word3.next = bit_cast::<101, 16>(self.value[0].q.val())
            | (bit_cast::<101, 16>(self.value[1].q.val()) << 16)
            | (bit_cast::<101, 16>(self.value[2].q.val()) << 32)
            | (bit_cast::<101, 16>(self.value[3].q.val()) << 48)
            | (bit_cast::<101, 4>(self.valid.q.val()) << 64)
            | (bit_cast::<101, 32>(self.last.q.val()) << 68)
            | (bit_cast::<101, 1>(self.active.q.val().into()) << 100);
        self.word4.d.next = self.word3.val();
        self.word5.d.next = self.word4.q.val();
        self.active3.next = self.active.q.val();
        self.edge3.next = bit_cast::<17, 16>(self.value[0].q.val()) | (bit_cast::<17, 1>(self.valid.q.val().get_bit(0).into()) << 16);
        if self.overtake.val() == bits::<3>(2) {
            self.edge3.next = bit_cast::<17, 16>(self.value[1].q.val()) | (bit_cast::<17, 1>(self.valid.q.val().get_bit(1).into()) << 16);
        }
        if self.overtake.val() == bits::<3>(3) {
            self.edge3.next = bit_cast::<17, 16>(self.value[2].q.val()) | (bit_cast::<17, 1>(self.valid.q.val().get_bit(2).into()) << 16);
        }
        if self.overtake.val().get_bit(2) {
            self.edge3.next = bit_cast::<17, 16>(self.value[3].q.val()) | (bit_cast::<17, 1>(self.valid.q.val().get_bit(3).into()) << 16);
        }
        self.memory.write_enable.next = self.write.val();
        self.memory.write_address.next = self.write_qp.val();
        self.memory.write_data.next = self.word3.val();
        self.live.write_enable.next = self.write.val();
        self.live.write_address.next = self.write_qp.val();
        self.live.write_data.next = bit_cast::<50, 17>(self.edge3.val())
            | (bit_cast::<50, 32>(self.last.q.val()) << 17)
            | (bit_cast::<50, 1>(self.active.q.val().into()) << 49);
        if self.clears.val() {
            self.memory.write_data.next = bits::<101>(0);
            self.live.write_data.next = bits::<50>(0);
        }

        self.live.read_address.next = self.live_qp.val();
        self.live_edge.next = self.live.read_data.val().get_bits::<16>(0);
        self.live_delivered.next = self.live.read_data.val().get_bit(16);
        self.live_elapsed.next = self.live.read_data.val().get_bits::<32>(17) - self.idle_edge.val();
        self.live_active.next = self.live.read_data.val().get_bit(49) && !self.live_elapsed.val().get_bit(31);
    }
}
