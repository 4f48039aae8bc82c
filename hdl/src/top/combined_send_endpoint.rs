use crate::csr::CombinedSendEndpointRegisters as Registers;
use crate::send::CombinedSendPath as SendSide;

super::endpoint! {
    /// Send endpoint in the transport profile *combined*: as [`SendEndpoint`](super::SendEndpoint), commands in, payload through an AXI
    /// CDMA, Ethernet frames out, acknowledgements in, completions in a ring.
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
    /// A send bitmap gives each packet its sequence number and decides what is sent again: `CombinedSendPath`. Queue pair `k` is that of
    /// node `k`; what receivers tell is for our queue pair `feedback_qp` and `k`. Software opens it with its first sequence number
    /// (`connection`) before the first command for its node, and anew after a soft reset. A queue pair whose retry limit is reached
    /// interrupts; when its operations have ended, it may be opened again.
    ///
    /// With `plain` the transport profile is *bitmap*, and the receiver may be any RoCEv2 peer that tells what has arrived by its number.
    ///
    /// Only what a receive endpoint of this profile tells is looked at among the frames that come in; op acknowledgements (0xc3) change
    /// nothing, the others count as foreign. A completion has the number of its command in `op`, our own node in `src`, its bytes and its
    /// status.
    /// Latency and throughput: those of `CombinedSendPath`.
    /// Spec: send path; overview, "Who acknowledges what", profile combined.
    pub struct CombinedSendEndpoint: SENDS REGISTRY NUMBERS
}

impl CombinedSendEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self::with(false)
    }

    /// As `new`, in the transport profile *bitmap*: see `CombinedSendPath`.
    pub fn plain() -> Self {
        Self::with(true)
    }

    fn with(plain: bool) -> Self {
        Self {
            registers: Registers::new(registers(
                if plain { Top::BitmapSendEndpoint } else { Top::CombinedSendEndpoint },
                &Self::parameters(0),
            )),
            parser: FrameParser::new(),
            send: if plain { SendSide::plain() } else { SendSide::new() },
            ..Default::default()
        }
    }
}
