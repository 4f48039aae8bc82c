use crate::csr::CombinedReceiveEndpointRegisters as Registers;
use crate::receive::CombinedReceivePath as ReceiveSide;

super::endpoint! {
    /// Receive endpoint in the transport profile *combined*: as [`ReceiveEndpoint`](super::ReceiveEndpoint), Ethernet frames in, payload in
    /// memory, completions in a ring, control packets out, registers.
    ///
    /// ```text
    ///  s_axis_rx ─▶ gate ─▶ parser ─▶ packet buffer ─▶ registry ─▶ memory writer ─┐
    ///                                    ▲  slots ───────┴─────────────┘          ├─ merge ─▶ m_axi
    ///  s_axi_ctrl ─▶ registers           registry ─▶ completion queue ────────────┘
    ///  irq ◀────────────┘                registry ─▶ control builder ─┬─▶ m_axis_tx
    ///                         verdicts, answers ─▶ feedback path ──────┘
    /// ```
    ///
    /// Besides, each packet with a final verdict is acknowledged by its sequence number, and what is missing is told by feedback messages:
    /// `CombinedReceivePath`. Queue pair `k` is that of node `k`; software opens it with its first sequence number (`connection`) before
    /// its sender sends, and anew after a soft reset.
    ///
    /// A packet is acknowledged, and an operation completed, only when the memory has answered the writes that it is about. Frames pass
    /// once software has set `control.enable`; without it they are taken and thrown away. `control.soft_reset` lets bursts and the frame
    /// that is going out come to their end, then resets all but the registers and counters. `aresetn` resets everything at once: the
    /// interconnect with it.
    ///
    /// `s_axis_rx_tuser` is zero for a frame that is sound; a MAC side without ICRC check ties bit 1 low. A frame that the MAC found
    /// damaged is counted as such, and by the first check that it fails, `frame_icrc` at the latest.
    /// Latency: that of its blocks, and 1 clock each before the registry, the completion queue and the builder. Throughput: one beat of a
    /// frame per clock, one packet per clock.
    /// Spec: overview, "Who acknowledges what", profile combined; receive registry; bitmap loss detection, "Receiver"; wire format.
    pub struct CombinedReceiveEndpoint: RECEIVES REGISTRY NUMBERS
}

impl CombinedReceiveEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self::with_pool(0)
    }

    /// One with windows of variable length from a pool of so many segments, a power of two; 0: of one length.
    pub fn with_pool(pool: usize) -> Self {
        Self {
            registers: Registers::new(registers(Top::CombinedReceiveEndpoint, &Self::parameters(pool))),
            parser: FrameParser::new(),
            receive: ReceiveSide::with_pool(pool),
            _fixed: usize::from(pool == 0),
            _pools: usize::from(pool != 0),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }
}
