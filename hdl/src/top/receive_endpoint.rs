use crate::csr::ReceiveEndpointRegisters as Registers;
use crate::receive::ReceivePath as ReceiveSide;

super::endpoint! {
    /// Receive endpoint in the registry transport profile: Ethernet frames in, payload in memory, completions in a ring, control packets
    /// out, registers.
    ///
    /// ```text
    ///  s_axis_rx ─▶ gate ─▶ parser ─▶ packet buffer ─▶ registry ─▶ memory writer ─┐
    ///                                    ▲  slots ───────┴─────────────┘          ├─ merge ─▶ m_axi
    ///  s_axi_ctrl ─▶ registers           registry ─▶ completion queue ────────────┘
    ///  irq ◀────────────┘                registry ─▶ control builder ─▶ m_axis_tx
    /// ```
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
    /// Spec: overview, "Who acknowledges what", profile registry; receive registry; wire format.
    pub struct ReceiveEndpoint: RECEIVES REGISTRY
}

impl ReceiveEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self {
            registers: Registers::new(registers(Top::ReceiveEndpoint, &Self::parameters(0))),
            parser: FrameParser::new(),
            receive: ReceiveSide::new(),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }
}
