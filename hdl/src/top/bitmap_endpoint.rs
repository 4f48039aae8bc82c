use crate::csr::BitmapEndpointRegisters as Registers;
use crate::receive::BitmapReceivePath as ReceiveSide;
use crate::send::CombinedSendPath as SendSide;

super::endpoint! {
    /// Endpoint in the transport profile *bitmap*, both directions: as [`Endpoint`](super::Endpoint), commands and frames in, frames,
    /// memory and completions out, with any RoCEv2 peer.
    ///
    /// ```text
    ///  s_axis_rx ─▶ gate ─▶ parser ─▶ receive path ─▶ memory writes ──┐
    ///                          └─▶ what receivers tell   │ │          ├─ merge ─▶ m_axi
    ///                                  ▼                 │ └▶ queue ──┘
    ///  s_axis_command ─▶ intake ─▶ send path ─▶ completions ──▲
    ///                          ⇄ m_axi_cdma, s_axi_sg, s_axi_buffer    acknowledgements, data ─▶ m_axis_tx
    ///  s_axi_ctrl ─▶ registers, irq
    /// ```
    ///
    /// `BitmapReceiveEndpoint` and `CombinedSendEndpoint::plain` in one, with one parser, one set of registers, one ring of completions and
    /// one way out: what they say of their ports, of packets, of queue pairs and of reset holds here. Acknowledgements, range
    /// acknowledgements and feedback messages go to the send side, everything else to the receive side, and neither waits for the other;
    /// `data_qp` and `feedback_qp` may be equal, as they are for a peer whose queue pairs send and receive. Of the frames that go out,
    /// those of either side take turns, frame by frame. A command of `connection` opens or closes queue pair `k` both ways: the side that
    /// is sent to by node `k` first, then the one that sends to it, both from the same sequence number; it is busy until both are done. A
    /// write that fails closes the receiving side of its queue pair alone, a retry limit that is reached fails the sending side alone:
    /// `connection_failed` tells of both, `write_failed` of the first.
    /// Latency and throughput: those of the two paths.
    /// Spec: overview, "Who acknowledges what", profile bitmap; send path; bitmap loss detection; wire format.
    pub struct BitmapEndpoint: RECEIVES SENDS NUMBERS
}

impl BitmapEndpoint {
    /// A new one; every size follows from the generics.
    pub fn new() -> Self {
        Self::with_pool(0)
    }

    /// One with windows of variable length from a pool of so many segments, a power of two; 0: of one length.
    pub fn with_pool(pool: usize) -> Self {
        Self {
            registers: Registers::new(registers(Top::BitmapEndpoint, &Self::parameters(pool))),
            parser: FrameParser::new(),
            receive: ReceiveSide::with_pool(pool),
            _fixed: usize::from(pool == 0),
            _pools: usize::from(pool != 0),
            send: SendSide::plain(),
            merge: AxiWriteMerge::new(),
            ..Default::default()
        }
    }
}
