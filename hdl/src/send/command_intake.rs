use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Commands from two sides in turn: what software has written into registers and posted, and a stream.
///
/// A post is the values at `post_*` from the clock with `post` until `busy` falls: software may write them again then. A post while `busy`
/// is high is dropped and counted. The stream's beat is one command, first field in the lowest bits:
///
/// | bit | bits | field |
/// | --- | --- | --- |
/// | 0 | 16 | number of the command, comes back with its completion |
/// | 16 | 16 | node that it is for |
/// | 32 | 24 | queue pair there, 8 bits unused above |
/// | 64 | 32 | remote key |
/// | 96 | 64 | target address |
/// | 160 | 32 | immediate |
/// | 192 | 32 | options: bit 0 the immediate counts, bit 1 a data arrival follows, bits 10:8 source blocks, 1 to 4 |
/// | 224 | 256 | addresses of the source blocks, 64 bits each |
/// | 480 | 128 | their bytes, 32 bits each |
///
/// Latency: 0 clocks for the stream, 1 for a post. Throughput: one command per clock. Reset: no post waits.
/// Spec: send path, "Commands and the splitter".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CommandIntake {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// one clock: the values at `post_*` are a command
    pub post: Signal<In, Bit>,
    /// a post has not been taken
    pub busy: Signal<Out, Bit>,
    /// a command of software, as a beat of the stream
    pub post_data: Signal<In, Bits<608>>,
    /// counts posts that found another one waiting
    pub evt_posts_dropped: Signal<Out, Bit>,
    /// a command comes
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the command
    pub in_data: Signal<In, Bits<608>>,
    /// a command is there
    pub command_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<In, Bit>,
    /// number of `command`
    pub command_id: Signal<Out, Bits<16>>,
    /// target address
    pub command_target: Signal<Out, Bits<64>>,
    /// the node that it is for
    pub command_node: Signal<Out, Bits<16>>,
    /// queue pair there
    pub command_qp: Signal<Out, Bits<24>>,
    /// remote key
    pub command_rkey: Signal<Out, Bits<32>>,
    /// the immediate counts
    pub command_imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub command_imm: Signal<Out, Bits<32>>,
    /// the receiver's host is told when all of it has arrived
    pub command_arrival: Signal<Out, Bit>,
    /// addresses of the source blocks
    pub command_sources: Signal<Out, Bits<256>>,
    /// their bytes
    pub command_lengths: Signal<Out, Bits<128>>,
    /// how many there are
    pub command_blocks: Signal<Out, Bits<3>>,

    waits: State<Bit>,
    // The stream's turn if both come.
    turn: State<Bit>,
    // What is offered stays: whose it is.
    held: State<Bit>,
    streams: Reg<Bit>,
    dropped: State<Bit>,
    stream: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<608>>,
}

impl Logic for CommandIntake {
    #[kernel]
    fn update(&mut self) {
        self.stream.next = self.in_valid.val() && (self.turn.q.val() || !self.waits.q.val());
        if self.held.q.val() {
            self.stream.next = self.streams.q.val();
        }
        self.valid.next = self.in_valid.val() || self.waits.q.val();
        self.held.d.next = self.valid.val() && !self.command_ready.val();
        self.streams.d.next = self.stream.val();
        if self.valid.val() && self.command_ready.val() {
            self.turn.d.next = !self.stream.val();
        }
        if self.waits.q.val() && !self.stream.val() && self.command_ready.val() {
            self.waits.d.next = false;
        }
        self.dropped.d.next = self.post.val() && self.waits.q.val();
        if self.post.val() && !self.waits.q.val() {
            self.waits.d.next = true;
        }
        self.busy.next = self.waits.q.val();
        self.evt_posts_dropped.next = self.dropped.q.val();
        self.in_ready.next = self.command_ready.val() && self.stream.val();
        self.command_valid.next = self.valid.val();
        self.chosen.next = self.post_data.val();
        if self.stream.val() {
            self.chosen.next = self.in_data.val();
        }
        self.command_id.next = self.chosen.val().get_bits::<16>(0);
        self.command_node.next = self.chosen.val().get_bits::<16>(16);
        self.command_qp.next = self.chosen.val().get_bits::<24>(32);
        self.command_rkey.next = self.chosen.val().get_bits::<32>(64);
        self.command_target.next = self.chosen.val().get_bits::<64>(96);
        self.command_imm.next = self.chosen.val().get_bits::<32>(160);
        self.command_imm_valid.next = self.chosen.val().get_bit(192);
        self.command_arrival.next = self.chosen.val().get_bit(193);
        self.command_blocks.next = self.chosen.val().get_bits::<3>(200);
        self.command_sources.next = self.chosen.val().get_bits::<256>(224);
        self.command_lengths.next = self.chosen.val().get_bits::<128>(480);
    }
}
