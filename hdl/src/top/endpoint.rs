use crate::csr::EndpointRegisters as Registers;
use crate::receive::ReceivePath as ReceiveSide;
use crate::send::SendPath as SendSide;

super::endpoint! {
    /// Endpoint in the registry transport profile, both directions: commands and frames in, frames, memory and completions out.
    ///
    /// ```text
    ///  s_axis_rx ─▶ gate ─▶ parser ─▶ receive path ─▶ memory writes ──┐
    ///                          └─▶ acknowledgements      │ │          ├─ merge ─▶ m_axi
    ///                                  ▼                 │ └▶ queue ──┘
    ///  s_axis_command ─▶ intake ─▶ send path ─▶ completions ──▲
    ///                          ⇄ m_axi_cdma, s_axi_sg, s_axi_buffer    control packets, data ─▶ m_axis_tx
    ///  s_axi_ctrl ─▶ registers, irq
    /// ```
    ///
    /// `ReceiveEndpoint` and `SendEndpoint` in one, with one parser, one set of registers, one ring of completions and one way out: what
    /// they say of their ports and of reset holds here. Acknowledgements go to the send side, everything else to the receive side, and
    /// neither waits for the other; of the frames that go out, control packets and data take turns, frame by frame.
    /// Latency and throughput: those of the two paths.
    /// Spec: overview, "Who acknowledges what", profile registry; receive registry; send path; wire format.
    pub struct Endpoint: RECEIVES SENDS REGISTRY
}

impl Endpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self {
            registers: Registers::new(registers(Top::Endpoint, &Self::parameters(0))),
            parser: FrameParser::new(),
            receive: ReceiveSide::new(),
            send: SendSide::new(),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }
}
