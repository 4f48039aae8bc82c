use crate::csr::BitmapReceiveEndpointRegisters as Registers;
use crate::receive::BitmapReceivePath as ReceiveSide;

super::endpoint! {
    /// Receive endpoint in the transport profile *bitmap*: RDMA WRITE ONLY of any RoCEv2 peer in, payload in memory, immediates in a ring,
    /// acknowledgements and feedback messages out, registers.
    ///
    /// ```text
    ///  s_axis_rx ─▶ gate ─▶ parser ─▶ packet buffer ─▶ arrival gate ─▶ memory writer ─┐
    ///                                    ▲  slots ───────┴─────────────┘              ├─ merge ─▶ m_axi
    ///  s_axi_ctrl ─▶ registers           immediate list ─▶ completion queue ──────────┘
    ///  irq ◀────────────┘                verdicts, answers ─▶ feedback path ─▶ m_axis_tx
    /// ```
    ///
    /// What becomes of a packet is `BitmapReceivePath`'s. Queue pair `k` is that of node `k`: its packets come to number `data_qp` and `k`,
    /// what is told of them goes to the queue pair that the node table has for the node. Software opens it with its first sequence number
    /// (`connection`) before its sender sends, and anew after a soft reset. Every other request, SEND and READ among them, and an RDMA
    /// WRITE of more than one packet, has a number as well, so that it is no gap and nobody is told that it was lost; but it is not served.
    /// It counts in `frame_foreign`, and its queue pair is closed as by a write that fails: acknowledged it would be lost. What is for no
    /// queue pair of ours is thrown away and counts there too. Without a registry there are no memory regions: every address is allowed.
    ///
    /// A packet is acknowledged only when the memory has answered its write. If the answer is an error, or the request cannot be served,
    /// its queue pair is closed, `connection_failed` interrupts, and its sender hears nothing more. Frames pass once software has set
    /// `control.enable`; without it they are taken and thrown away. `control.soft_reset` lets bursts and the frame that is going out come
    /// to their end, then resets all but the registers and counters. `aresetn` resets everything at once: the interconnect with it.
    ///
    /// `s_axis_rx_tuser` is zero for a frame that is sound; a MAC side without ICRC check ties bit 1 low.
    /// Latency: that of its blocks. Throughput: one beat of a frame per clock, one packet per clock.
    /// Spec: overview, "Who acknowledges what", profile bitmap; bitmap loss detection, "Receiver"; wire format.
    pub struct BitmapReceiveEndpoint: RECEIVES NUMBERS
}

impl BitmapReceiveEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self::with_pool(0)
    }

    /// One with windows of variable length from a pool of so many segments, a power of two; 0: of one length.
    pub fn with_pool(pool: usize) -> Self {
        Self {
            registers: Registers::new(registers(Top::BitmapReceiveEndpoint, &Self::parameters(pool))),
            parser: FrameParser::new(),
            receive: ReceiveSide::with_pool(pool),
            _fixed: usize::from(pool == 0),
            _pools: usize::from(pool != 0),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }
}
