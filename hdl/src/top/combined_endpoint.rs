use crate::csr::CombinedEndpointRegisters as Registers;
use crate::receive::CombinedReceivePath as ReceiveSide;
use crate::send::CombinedSendPath as SendSide;

super::endpoint! {
    /// Endpoint in the transport profile *combined*, both directions: as [`Endpoint`](super::Endpoint), commands and frames in, frames,
    /// memory and completions out.
    ///
    /// ```text
    ///  s_axis_rx ─▶ gate ─▶ parser ─▶ receive path ─▶ memory writes ──┐
    ///                          └─▶ what receivers tell   │ │          ├─ merge ─▶ m_axi
    ///                                  ▼                 │ └▶ queue ──┘
    ///  s_axis_command ─▶ intake ─▶ send path ─▶ completions ──▲
    ///                          ⇄ m_axi_cdma, s_axi_sg, s_axi_buffer    control packets, data ─▶ m_axis_tx
    ///  s_axi_ctrl ─▶ registers, irq
    /// ```
    ///
    /// `CombinedReceiveEndpoint` and `CombinedSendEndpoint` in one, with one parser, one set of registers, one ring of completions and one
    /// way out: what they say of their ports, of queue pairs and of reset holds here. Remote completions, acknowledgements, range
    /// acknowledgements and feedback messages go to the send side, everything else to the receive side, and neither waits for the other; of
    /// the frames that go out, control packets and data take turns, frame by frame. A command of `connection` opens or closes queue pair
    /// `k` both ways: the side that is sent by node `k` first, then the one that sends to it, both from the same sequence number; it is
    /// busy until both are done.
    /// Latency and throughput: those of the two paths.
    /// Spec: overview, "Who acknowledges what", profile combined; receive registry; send path; bitmap loss detection; wire format.
    pub struct CombinedEndpoint: RECEIVES SENDS REGISTRY NUMBERS
}

impl CombinedEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self::with_pool(0)
    }

    /// One with windows of variable length from a pool of so many segments, a power of two; 0: of one length.
    pub fn with_pool(pool: usize) -> Self {
        Self {
            registers: Registers::new(registers(Top::CombinedEndpoint, &Self::parameters(pool))),
            parser: FrameParser::new(),
            receive: ReceiveSide::with_pool(pool),
            _fixed: usize::from(pool == 0),
            _pools: usize::from(pool != 0),
            send: SendSide::new(),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }
}
