//! The bench of the CDMA driver is alive: each of these edits of the emitted text is one wrong bit or one forgotten condition, and is
//! noticed.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::Stalls;
use rdma_rtl_sim::cdma::{Data, Fault, Options};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::send::cdma_driver::{Run, Trouble, bench, hold, mixture, random_faults};
use rdma_rtl_tb::under_test::{design_at, seed};

/// Runs that have everything in them.
fn runs() -> Vec<Run> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let inside = |latency, rate| Options { data: Data::Inside { latency, rate }, ..Options::default() };
    let stalls = Options { stalls: Stalls::all(40), prefetch: 3, ..inside(2, 64) };
    let slow = Options { stalls: Stalls { idle: 80, backpressure: 70 }, error_completes: true, ..inside(40, 64) };
    let mut runs = Vec::new();
    let mut add = |rng: &mut ChaCha8Rng, change: &dyn Fn(&mut Run, &mut ChaCha8Rng)| {
        let mut run = Run { loads: mixture(rng, 40, 100, false), seed: runs.len() as u64, ..Run::default() };
        change(&mut run, rng);
        runs.push(run);
    };
    for cdma in [inside(1, 4096), stalls.clone(), slow] {
        add(&mut rng, &|run, _| run.cdma = cdma.clone());
        add(&mut rng, &|run, _| (run.cdma, run.take) = (cdma.clone(), 5));
        add(&mut rng, &|run, rng| (run.cdma, run.faults) = (cdma.clone(), random_faults(rng, 300, 150)));
        add(&mut rng, &|run, rng| (run.cdma, run.faults, run.take) = (cdma.clone(), random_faults(rng, 300, 400), 20));
    }
    add(&mut rng, &|run, rng| {
        (run.wide, run.ring_base) = (true, 0x7_6543_2000);
        run.loads = mixture(rng, 40, 100, true);
        run.faults = random_faults(rng, 300, 100);
    });
    // With errors that no status tells, twice in a row and with others between.
    for fault in [Fault::Stale, Fault::FetchDecode, Fault::StatusSlave { written: true }] {
        add(&mut rng, &|run, _| run.faults = vec![(3, fault), (4, fault), (9, fault), (11, fault), (12, Fault::DataSlave), (13, fault)]);
    }
    add(&mut rng, &|run, _| run.faults = (5..20).map(|at| (at, Fault::FetchSlave)).collect());
    // Transfers that hang, of a queue that takes longer than any one of them may.
    for load_timeout in [100, 101] {
        add(&mut rng, &|run, _| {
            run.cdma = inside(200, 64);
            (run.load_timeout, run.faults) = (load_timeout, vec![(4, Fault::Hang), (11, Fault::Hang), (12, Fault::Hang)]);
        });
    }
    add(&mut rng, &|run, rng| (run.faults, run.take) = (random_faults(rng, 300, 200), 2));
    // An error that is told long before its status.
    for place in 0..12 {
        add(&mut rng, &|run, _| {
            run.cdma = Options { early_error: 30 + 40 * (place % 4), ..inside(1, 4096) };
            run.faults = vec![(u64::from(place), Fault::DataSlave)];
        });
    }
    // Refusals at every distance from the other answers.
    for latency in 0..6 {
        add(&mut rng, &|run, rng| {
            run.loads = mixture(rng, 120, 10, false);
            run.loads.iter_mut().step_by(2).for_each(|load| load.pieces = [(0, 0); 4]);
            (run.cdma, run.offer) = (inside(latency, 4096), [100, 60][latency as usize % 2]);
        });
    }
    add(&mut rng, &|run, _| run.loads[7].pieces = [(0, 0); 4]);
    add(&mut rng, &|run, _| run.loads[7].pieces[3] = (1 << 28, 1 << 26));
    add(&mut rng, &|run, _| run.loads[7].pieces[3] = (1 << 38, 1));
    runs
}

/// Engines that are gone, each of which must be given up.
fn troubles() -> Vec<Run> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let mut runs = Vec::new();
    for (at, trouble) in [(5, Trouble::HangsInReset), (30, Trouble::HangsInReset), (200, Trouble::Deaf), (300, Trouble::Responds(2))] {
        let faults = vec![(2, Fault::DataDecode)];
        runs.push(Run { loads: mixture(&mut rng, 40, 100, false), trouble: Some((at, trouble)), faults, ..Run::default() });
    }
    // After the last write.
    runs.push(Run { loads: mixture(&mut rng, 1, 10, false), trouble: Some((350, Trouble::Responds(3))), ..Run::default() });
    runs
}

fn holds(model: &mut dyn Model) -> Result<(), String> {
    for run in runs() {
        hold(model, &run).map_err(|difference| format!("{difference}\n{run:?}"))?;
    }
    for run in troubles() {
        if !bench(model, &run)?.dead {
            return Err(format!("{:?}: the engine is not given up", run.trouble));
        }
    }
    Ok(())
}

fn noticed(edits: &[Edit]) {
    let texts = catalogue::sources(&design_at("cdma_driver", &[("ring", 16), ("tag_bits", 16), ("btt_bits", 26)]));
    let missed = missed(&texts, edits, |model| holds(model));
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

#[test]
fn faults_of_the_control() {
    noticed(&[
        // The tail is at the descriptor behind the newest, or moves once only; a new start at the wrong place; the mode is not switched.
        ("cdma_control", "target - 4'd1", "target"),
        ("cdma_control", "told != fill", "1'b0"),
        ("cdma_control", "access_data = base | {22'd0, head, 6'd0}", "access_data = base | {22'd0, newest, 6'd0}"),
        ("cdma_control", "access_data = 32'd8", "access_data = 32'd0"),
        // The upper half of a pointer is not written.
        ("cdma_control", "state <= CONTROL_STATE_TAIL_MSB", "state <= CONTROL_STATE_RUN"),
        ("cdma_control", "state <= CONTROL_STATE_CURRENT_MSB", "state <= CONTROL_STATE_CONTROL"),
        // No reset before the first start; the end of one is not waited for.
        ("cdma_control", "if (out_ && !fresh)", "if (1'b0)"),
        ("cdma_control", "if (done && !answer_data[2])", "if (done)"),
        // Errors that only CDMASR tells are not seen; a second try is not the last; a descriptor fails at the first.
        ("cdma_control", "32'h0000_0770", "32'h0000_0070"),
        ("cdma_control", "if (retried)", "if (1'b0)"),
        ("cdma_control", "if (retried)", "if (1'b1)"),
    ]);
}

#[test]
fn faults_of_the_recovery() {
    noticed(&[
        // What was tried again is not forgotten when it leaves; another descriptor than that in CURDESC is blamed.
        ("cdma_control", "if (reaped) retried <= 1'b0;", ""),
        ("cdma_control", "(current == head)", "1'b1"),
        // A completion does not end a row of errors; the limit is one too far.
        ("cdma_control", "if (completed) row <= 8'd0;", ""),
        ("cdma_control", "row >= cfg_error_limit", "row > cfg_error_limit"),
        // Nothing is ever given up, for its time or its answer.
        ("cdma_control", "expired || (done && answer_error)", "done && answer_error"),
        ("cdma_control", "expired || (done && answer_error)", "expired"),
        // What has completed has not all left when the blame is given; the statuses are not cleared, or one too few.
        ("cdma_control", "if (quiet && !head_ok)", "if (1'b1)"),
        // A transfer that hangs is waited for; what leaves gives the next one no new time; without a time it is no time.
        ("cdma_control", "if (hangs)", "if (1'b0)"),
        ("cdma_control", "!out_ || head_ok", "!out_"),
        ("cdma_control", "(|cfg_load_timeout) && !(|patience)", "!(|patience)"),
        ("descriptor_writer", "cleared != fill", "1'b0"),
        ("descriptor_writer", "cleared <= head;", "cleared <= head + 4'd1;"),
    ]);
}

#[test]
fn faults_of_the_ring() {
    noticed(&[
        // More than there is room for; a put that was not taken is gone; a status is not zero.
        ("descriptor_writer", "puts = works && used && (next_fill != head)", "puts = works && used"),
        ("descriptor_writer", "ends = puts && put_ready && (&part)", "ends = puts && (&part)"),
        ("descriptor_writer", "else if (puts && put_ready)", "else if (puts)"),
        ("descriptor_writer", "default: word = 32'd0", "default: word = 32'h8000_0000"),
        // The second piece lies over the first; too much is let in; a piece of nothing is written.
        ("descriptor_writer", "destination + {32'd0, length}", "destination"),
        ("descriptor_writer", "bad <= too_long ||", "bad <="),
        ("descriptor_writer", "|| !(|lengths)", ""),
        ("descriptor_writer", "(too_far && !cfg_wide)", "1'b0"),
        ("descriptor_writer", "skips = works && !used", "skips = 1'b0"),
        // Beats are lost; a burst ends too early; a write that has not been answered is forgotten.
        ("descriptor_ring", "room = !beats_count[2] && !(&beats_count[1:0])", "room = 1'b1"),
        ("descriptor_ring", "issued_last <= !(|left)", "issued_last <= !(|left[7:1])"),
        ("descriptor_ring", "assign put_ready = !beat", "assign put_ready = 1'b1"),
    ]);
}

#[test]
fn faults_of_the_answers() {
    noticed(&[
        // An error is a success; a load is told with its first descriptor; an earlier failure is forgotten, or stays.
        ("status_reader", "statuses_read_data[3] && !(|statuses_read_data[2:0])", "statuses_read_data[3]"),
        ("status_reader", "wire fails = failed || !ok", "wire fails = !ok"),
        ("status_reader", "failed <= fails && !last", "failed <= failed || fails"),
        ("status_reader", "assign refused_ready = room && !leaves", "assign refused_ready = room"),
        ("status_reader", "(room || !last)", "1'b1"),
        ("status_reader", "if (last) loaded_valid <= 1'b1", "loaded_valid <= 1'b1"),
        ("status_reader", "ok || fail || dead", "ok || fail"),
        // The bus: an address that does not wait, data before its answer.
        ("axi_lite_access", "if (m_axi_lite_awready)", "if (1'b1)"),
        ("axi_lite_access", "if (m_axi_lite_wready)", "if (1'b1)"),
        ("axi_lite_access", "if (m_axi_lite_arready)", "if (1'b1)"),
        ("axi_lite_access", "answer_error <= m_axi_lite_rresp[1]", "answer_error <= 1'b0"),
    ]);
}
