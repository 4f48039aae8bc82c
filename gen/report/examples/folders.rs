//! A report on folders of Verilog, without the hardware: `folders OUT PROFILE [--seeds 1,2] [--vivado DIR] FOLDER...`.

use rdma_rtl_report::*;
use std::path::Path;

fn main() -> Result<(), Error> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |key: &str| args.iter().position(|a| a == key).map(|i| args.drain(i..i + 2).nth(1).unwrap_or_default());
    let seeds = take("--seeds").map(|s| s.split(',').filter_map(|n| n.parse().ok()).collect()).unwrap_or_default();
    let vivado = take("--vivado");
    let baseline = take("--baseline");
    let budget = take("--budget");
    let mut inputs = Vec::new();
    for folder in &args[2..] {
        let name = Path::new(folder).file_name().and_then(|n| n.to_str()).unwrap_or_default();
        inputs.push(Input::read(name, name, Path::new(folder))?);
    }
    let options = Options { families: Family::ALL.to_vec(), hierarchy: Some(Family::Xcup), seeds, cache: cache::Cache::find() };
    let mut report = measure(&args[1], &inputs, &options, &|p| eprintln!("{}/{} {} {}", p.done, p.steps, p.block, p.what))?;
    if let Some(dir) = vivado {
        report.vivado = vivado::read_folder(Path::new(&dir))?.0;
    }
    if let Some(file) = baseline {
        report.baseline = Some(baseline::growth(&file, &baseline::read(Path::new(&file), &args[1])?, &report));
    }
    if let Some(file) = budget {
        let names: Vec<&str> = inputs.iter().map(|i| i.block.as_str()).collect();
        report.budget = Some(budget::Budget::read(Path::new(&file), &names)?.judge(&report));
    }
    let out = |ext: &str, text: String| std::fs::write(format!("{}.{ext}", args[0]), text).unwrap();
    out("html", render::html(&report));
    out("json", render::json(&report));
    out("xml", render::junit(&report, &[]));
    out("toml", budget::written(&report, 5.0));
    print!("{}", render::text(&report));
    Ok(())
}
