use crate::csr::SendEndpointRegisters as Registers;
use crate::send::SendPath as SendSide;

super::endpoint! {
    /// Send endpoint in the registry transport profile: commands in, payload through an AXI CDMA, Ethernet frames out, acknowledgements in,
    /// completions in a ring.
    ///
    /// ```text
    ///  s_axis_command, registers ─▶ intake ─▶ send path ─▶ m_axis_tx
    ///  s_axis_rx ─▶ gate ─▶ parser ─▶ (acks) ───▲ │ ⇄ m_axi_cdma, s_axi_sg, s_axi_buffer
    ///  s_axi_ctrl ─▶ registers                    └─▶ completion queue ─▶ m_axi
    /// ```
    ///
    /// The CDMA reads host memory and writes the send buffer at `buffer_base` through `s_axi_buffer`; it reads its descriptors at `sg_base`
    /// through `s_axi_sg`; its registers are at `m_axi_cdma`. Commands are taken once software has set `control.enable`.
    /// `control.soft_reset` lets the CDMA finish what it was told, and bursts and the frame that is going out come to their end, then
    /// resets all but the registers and counters. `aresetn` resets everything at once: the CDMA and the interconnect with it.
    ///
    /// Only the acknowledgements of a receive endpoint are looked at among the frames that come in; the others count as foreign. A
    /// completion has the number of its command in `op`, our own node in `src`, its bytes and its status.
    /// Latency and throughput: those of `SendPath`.
    /// Spec: send path; overview, "Who acknowledges what", profile registry.
    pub struct SendEndpoint: SENDS REGISTRY
}

impl SendEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self {
            registers: Registers::new(registers(Top::SendEndpoint, &Self::parameters(0))),
            parser: FrameParser::new(),
            send: SendSide::new(),
            ..Default::default()
        }
    }
}
