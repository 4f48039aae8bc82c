//! Latency of a scenario's commands as a picture: which part of them was complete after how long.

use super::scenario::time;
use plotters::prelude::*;
use rdma_rtl_tb::scenario::Latency;

const SIZE: (u32, u32) = (960, 540);

/// The SVG: one line for each kind of command, time on a logarithmic axis.
/// # Errors
/// The plot cannot be drawn, or no command has completed.
pub fn latencies(title: &str, lines: &[(String, &Latency)]) -> Result<String, String> {
    let all = || lines.iter().flat_map(|(_, latency)| [latency.least, latency.most]).filter(|&ns| ns > 0.0);
    let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
    if most == 0.0 {
        return Err("--svg: no command has completed, so there is no latency to draw".into());
    }
    let mut svg = String::new();
    draw(title, lines, (least * 0.8, most * 1.25), &mut svg).map_err(|e| format!("--svg: {e}"))?;
    Ok(svg)
}

fn draw(title: &str, lines: &[(String, &Latency)], (least, most): (f64, f64), svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d((least..most).log_scale(), 0.0..100.0)?;
    chart
        .configure_mesh()
        .x_desc("latency from post to completion")
        .y_desc("% of the commands complete")
        .x_label_formatter(&|ns| time(*ns))
        .light_line_style(WHITE)
        .draw()?;
    for (number, (name, latency)) in lines.iter().enumerate() {
        let colour = Palette99::pick(number).stroke_width(2);
        let share = |at: usize| at as f64 * 100.0 / latency.all.len() as f64;
        // a step up at each command
        let steps = latency.all.iter().enumerate().flat_map(|(at, &ns)| [(ns, share(at)), (ns, share(at + 1))]);
        let name = format!("{name} ({})", latency.commands);
        chart
            .draw_series(LineSeries::new(steps, colour))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
    }
    chart.configure_series_labels().position(SeriesLabelPosition::LowerRight).border_style(BLACK).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}

/// The SVG of medians over the bytes of a transfer, one line for each name; both axes are logarithmic.
/// # Errors
/// The plot cannot be drawn.
pub fn sizes(title: &str, lines: &[(String, Vec<(u32, f64)>)]) -> Result<String, String> {
    let mut svg = String::new();
    draw_sizes(title, lines, &mut svg).map_err(|e| format!("--svg: {e}"))?;
    Ok(svg)
}

fn draw_sizes(title: &str, lines: &[(String, Vec<(u32, f64)>)], svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(|(_, points)| points.iter().copied());
    let bytes = points().map(|(bytes, _)| f64::from(bytes));
    let (least, most) = (bytes.clone().fold(f64::MAX, f64::min), bytes.fold(0.0, f64::max));
    let (quick, slow) = (points().map(|p| p.1).fold(f64::MAX, f64::min), points().map(|p| p.1).fold(0.0, f64::max));
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d((least * 0.8..most * 1.25).log_scale(), (quick * 0.8..slow * 1.25).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("bytes of the transfer")
        .y_desc("median from post to completion")
        .x_label_formatter(&|bytes| format!("{bytes}"))
        .y_label_formatter(&|ns| time(*ns))
        .light_line_style(WHITE)
        .draw()?;
    for (number, (name, points)) in lines.iter().enumerate() {
        let colour = Palette99::pick(number).stroke_width(2);
        chart
            .draw_series(LineSeries::new(points.iter().map(|&(bytes, ns)| (f64::from(bytes), ns)), colour))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
    }
    chart.configure_series_labels().position(SeriesLabelPosition::UpperLeft).border_style(BLACK).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}

/// The SVG of what several schemes reach over the loss, or over the jitter of the network: Gb/s, or nanoseconds on a logarithmic axis. A
/// loss of 0 stands at the left end of the logarithmic axis.
/// # Errors
/// The plot cannot be drawn.
pub fn schemes(title: &str, jitter: bool, times: bool, lines: &[(String, Vec<(f64, f64)>)]) -> Result<String, String> {
    let mut svg = String::new();
    draw_schemes(title, jitter, times, lines, &mut svg).map_err(|e| format!("--svg: {e}"))?;
    Ok(svg)
}

fn draw_schemes(
    title: &str,
    jitter: bool,
    times: bool,
    lines: &[(String, Vec<(f64, f64)>)],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || lines.iter().flat_map(|(_, points)| points.iter().copied());
    let least = all().map(|at| at.0).filter(|&x| x > 0.0).fold(f64::MAX, f64::min).min(1e6);
    let most = all().map(|at| at.0).fold(least, f64::max);
    let zero = least / 10.0;
    let place = |x: f64| if x > 0.0 { x } else { zero };
    let (low, high) = (all().map(|at| at.1).fold(f64::MAX, f64::min), all().map(|at| at.1).fold(0.0, f64::max));
    // a logarithmic axis in both cases: schemes are orders of magnitude apart
    let (low, high) = (low.max(1e-3) * 0.7, high.max(1e-3) * 1.4);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d((zero * 0.8..most * 1.25).log_scale(), (low..high).log_scale())?;
    chart
        .configure_mesh()
        .x_desc(if jitter { "most that a packet is late by" } else { "part of the packets that is lost, both ways" })
        .y_desc(if times { "time of a flow, 99 %" } else { "goodput, Gb/s" })
        .x_label_formatter(&|&x| match (x <= zero * 1.01, jitter) {
            (true, _) => "0".into(),
            (false, true) => time(x),
            (false, false) => format!("{x}"),
        })
        .y_label_formatter(&|&y| if times { time(y) } else { format!("{y}") })
        .light_line_style(WHITE)
        .draw()?;
    for (number, (name, points)) in lines.iter().enumerate() {
        // The first is the widest: lines that lie upon each other are all seen.
        let colour = Palette99::pick(number).stroke_width(2 * (lines.len() - number) as u32);
        chart
            .draw_series(LineSeries::new(points.iter().map(|&(x, y)| (place(x), y)), colour).point_size(4))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
    }
    let corner = if times { SeriesLabelPosition::UpperLeft } else { SeriesLabelPosition::LowerLeft };
    chart.configure_series_labels().position(corner).border_style(BLACK).background_style(WHITE).draw()?;
    root.present()?;
    Ok(())
}
