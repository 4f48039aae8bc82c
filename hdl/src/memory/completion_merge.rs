use crate::primitives::State;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Completions of the receive side and of the commands of this host as one stream, in turn.
///
/// What has been offered stays until it is taken. A command's completion has our own node as its source and neither address nor mask.
/// Latency: 0 clocks. Throughput: one per clock. Reset: nothing is offered.
///
/// Parameter: `M` bits of a mask.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CompletionMerge<const M: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the receive side has a completion
    pub receive_valid: Signal<In, Bit>,
    /// it is taken
    pub receive_ready: Signal<Out, Bit>,
    /// 0: an operation ended, 1: data arrival
    pub receive_kind: Signal<In, Bits<2>>,
    /// sending node
    pub receive_src: Signal<In, Bits<16>>,
    /// op number
    pub receive_op: Signal<In, Bits<16>>,
    /// target address
    pub receive_base: Signal<In, Bits<64>>,
    /// bytes
    pub receive_bytes: Signal<In, Bits<32>>,
    /// packets
    pub receive_packets: Signal<In, Bits<16>>,
    /// status code
    pub receive_status: Signal<In, Bits<8>>,
    /// an immediate came
    pub receive_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub receive_imm: Signal<In, Bits<32>>,
    /// arrival mask at the end
    pub receive_mask: Signal<In, Bits<M>>,
    /// a command has ended
    pub command_valid: Signal<In, Bit>,
    /// it is taken
    pub command_ready: Signal<Out, Bit>,
    /// its number
    pub command_id: Signal<In, Bits<16>>,
    /// status code
    pub command_status: Signal<In, Bits<8>>,
    /// its bytes
    pub command_bytes: Signal<In, Bits<32>>,
    /// our own node number
    pub cfg_source_node: Signal<In, Bits<16>>,
    /// the host is to be told
    pub complete_valid: Signal<Out, Bit>,
    /// it is taken
    pub complete_ready: Signal<In, Bit>,
    /// 0: an operation ended, 1: data arrival, 2: a command of this host ended
    pub complete_kind: Signal<Out, Bits<2>>,
    /// sending node
    pub complete_src: Signal<Out, Bits<16>>,
    /// op number, or number of the command
    pub complete_op: Signal<Out, Bits<16>>,
    /// target address
    pub complete_base: Signal<Out, Bits<64>>,
    /// bytes
    pub complete_bytes: Signal<Out, Bits<32>>,
    /// packets
    pub complete_packets: Signal<Out, Bits<16>>,
    /// status code
    pub complete_status: Signal<Out, Bits<8>>,
    /// an immediate came
    pub complete_imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub complete_imm: Signal<Out, Bits<32>>,
    /// arrival mask at the end
    pub complete_mask: Signal<Out, Bits<M>>,
    // Something is offered and not taken: whose it is. Else: who was last.
    held: State<Bit>,
    commands: State<Bit>,
    command: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
}

impl<const M: usize> Logic for CompletionMerge<M> {
    #[kernel]
    fn update(&mut self) {
        self.command.next = self.commands.q.val();
        if !self.held.q.val() {
            self.command.next = self.command_valid.val() && !(self.receive_valid.val() && self.commands.q.val());
        }
        self.valid.next = self.receive_valid.val() || self.command_valid.val();
        self.complete_valid.next = self.valid.val();
        self.held.d.next = self.valid.val() && !self.complete_ready.val();
        if self.valid.val() {
            self.commands.d.next = self.command.val();
        }
        self.receive_ready.next = self.complete_ready.val() && !self.command.val();
        self.command_ready.next = self.complete_ready.val() && self.command.val();
        self.complete_kind.next = self.receive_kind.val();
        self.complete_src.next = self.receive_src.val();
        self.complete_op.next = self.receive_op.val();
        self.complete_base.next = self.receive_base.val();
        self.complete_bytes.next = self.receive_bytes.val();
        self.complete_packets.next = self.receive_packets.val();
        self.complete_status.next = self.receive_status.val();
        self.complete_imm_valid.next = self.receive_imm_valid.val();
        self.complete_imm.next = self.receive_imm.val();
        self.complete_mask.next = self.receive_mask.val();
        if self.command.val() {
            self.complete_kind.next = bits::<2>(2);
            self.complete_src.next = self.cfg_source_node.val();
            self.complete_op.next = self.command_id.val();
            self.complete_base.next = bits::<64>(0);
            self.complete_bytes.next = self.command_bytes.val();
            self.complete_packets.next = bits::<16>(0);
            self.complete_status.next = self.command_status.val();
            self.complete_imm_valid.next = false;
            self.complete_imm.next = bits::<32>(0);
            self.complete_mask.next = bits::<M>(0);
        }
    }
}
