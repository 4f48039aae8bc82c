//! The page in a real browser, as wide as a desk and as wide as a telephone, in both themes.
//!
//! The browser is Chromium, headless, without network. Where there is none the test says so and is skipped. `RDMA_RTL_SHOTS` names a folder
//! for the screenshots.

mod common;

use common::{block, report};
use rdma_rtl_report::budget::Budget;
use rdma_rtl_report::vivado::read_folder;
use rdma_rtl_report::{Report, baseline, render};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs in the page: what is cut, what overlaps, what runs out of the window. Its findings become the title, which the dump shows.
const PROBE: &str = r#"<script>
window.addEventListener('load', () => {
  const bad = [], page = document.documentElement, width = page.clientWidth;
  document.querySelectorAll('details').forEach(d => d.open = DETAILS);
  const name = e => e.tagName + '.' + (e.getAttribute('class') || '') + ' "' + (e.textContent || '').trim().slice(0, 40) + '"';
  if (page.scrollWidth > width) bad.push('the page is ' + page.scrollWidth + ' wide in ' + width);
  const shown = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
  for (const e of document.querySelectorAll('body *')) {
    if (!shown(e)) continue;
    const r = e.getBoundingClientRect(), scrolls = e.closest('.scroll');
    if (!scrolls && (r.left < -0.5 || r.right > width + 0.5)) bad.push('out of the window: ' + name(e) + ' ' + r.left + '..' + r.right);
    if (!e.closest('svg') && getComputedStyle(e).overflowX !== 'auto' && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 &&
        getComputedStyle(e).display !== 'inline' && !scrolls) bad.push('cut: ' + name(e) + ' ' + e.scrollWidth + ' in ' + e.clientWidth);
  }
  const meet = (list, what) => {
    const boxes = [...list].filter(shown).map(e => [e, e.getBoundingClientRect()]);
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
      const [a, p] = boxes[i], [b, q] = boxes[j];
      if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1)
        bad.push(what + ' overlap: ' + name(a) + ' and ' + name(b));
    }
  };
  meet(document.querySelectorAll('main > section, header'), 'sections');
  meet(document.querySelectorAll('.card, .sources'), 'cards');
  document.querySelectorAll('section').forEach(s => meet(s.querySelectorAll(':scope > h2, :scope > p, :scope > div, :scope > h3, :scope > details, :scope > ul, :scope > figure'), 'parts'));
  document.querySelectorAll('.chart').forEach(s => meet(s.querySelectorAll('.label, .value, svg'), 'labels'));
  document.querySelectorAll('tr').forEach(t => { if (innerWidth > 600) meet(t.children, 'cells'); });
  document.querySelectorAll('tbody th').forEach(e => { const w = e.getBoundingClientRect().width; if (shown(e) && w < 100) bad.push('squeezed to ' + w + ': ' + name(e)); });
  const light = c => { const v = c.match(/[\d.]+/g).slice(0, 3).map(x => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$|transparent/.test(c) && /^rgb/.test(c)) return c; } return 'rgb(255,255,255)'; };
  for (const e of document.querySelectorAll('h1,h2,h3,p,td,th,li,small,span,strong,a,code')) {
    if (!shown(e) || !e.textContent.trim()) continue;
    const a = light(getComputedStyle(e).color), b = light(ground(e)), c = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (c < 4.5) bad.push('contrast ' + c.toFixed(2) + ': ' + name(e));
  }
  const loaded = performance.getEntriesByType('resource').map(r => r.name);
  if (loaded.length) bad.push('loads ' + loaded.join(' '));
  document.title = 'PROBE ' + JSON.stringify({ width, height: page.scrollHeight, elements: document.querySelectorAll('body *').length, bad });
});
</script>"#;

fn chromium() -> Option<PathBuf> {
    let set = std::env::var_os("RDMA_RTL_CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    set.or_else(|| names.iter().find_map(|n| std::env::split_paths(&path).map(|d| d.join(n)).find(|f| f.is_file())))
}

fn full_report() -> Report {
    let mut now = report();
    now.blocks[1] = block("frame_parser", 4712, 7776, 7);
    now.blocks.push(block("a_block_with_a_name_that_is_much_longer_than_the_others_are", 1390, 1523, 6));
    now.vivado = read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")).unwrap().reports;
    let text = format!(
        "profile = \"default\"\nyosys = \"{}\"\n[xcup.receive_registry]\nlut = 10020\nlevels = 6\n[xcup.frame_parser]\nlut = 4497\nlevels = 5\n[xcup.skid_buffer]\nlut = 71\nlevels = 1\n",
        common::YOSYS
    );
    now.budget =
        Some(Budget::parse("gen/budgets/default.toml", &text, &["receive_registry", "frame_parser", "skid_buffer"]).unwrap().judge(&now));
    now.baseline = Some(baseline::growth("main.json", &report(), &now, None));
    common::judged(now)
}

/// What the browser finds wrong, as the page's title says it.
fn look(browser: &Path, folder: &Path, page: &str, width: u32, dark: bool, open: bool) -> serde_json::Value {
    let probed = page.replace("</body>", &(PROBE.replace("DETAILS", if open { "true" } else { "false" }) + "</body>"));
    std::fs::write(folder.join("page.html"), probed).unwrap();
    // A window cannot be as narrow as a telephone; a frame in it can, and media queries go by the frame.
    let frame = format!(
        "<!doctype html><title>none</title><body style=\"margin:0\"><iframe src=\"page.html\" style=\"border:0;width:{width}px;height:9000px\"></iframe>\
         <script>setInterval(() => document.title = frames[0].document.title, 50)</script>"
    );
    std::fs::write(folder.join("frame.html"), frame).unwrap();
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--allow-file-access-from-files",
    ]);
    command.args(["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--virtual-time-budget=4000", "--no-first-run"]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.arg(format!("--window-size={},1000", width.max(600)));
    if dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    let address = format!("file://{}", folder.join("frame.html").display());
    let output = command.args(["--dump-dom", &address]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let console: Vec<&str> = said.lines().filter(|l| l.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "the console has errors: {console:?}");
    let dom = String::from_utf8_lossy(&output.stdout);
    let title = dom.split_once("<title>PROBE ").and_then(|(_, rest)| rest.split_once("</title>"));
    let Some((json, _)) = title else { panic!("the page was not looked at: {}\n{said}", &dom[..dom.len().min(500)]) };
    let json = json.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&json).unwrap()
}

fn shot(browser: &Path, folder: &Path, to: &Path, width: u32, height: u64, dark: bool) {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--allow-file-access-from-files",
    ]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.args(dark.then_some("--blink-settings=preferredColorScheme=0"));
    command.arg(format!("--window-size={},{}", width.max(600), height.min(9000))).arg(format!("--screenshot={}", to.display()));
    command.arg(format!("file://{}", folder.join("frame.html").display())).output().unwrap();
}

#[test]
fn nothing_is_cut_or_overlaps_on_a_desk_and_on_a_telephone() {
    let Some(browser) = chromium() else {
        eprintln!("skipped: no Chromium (Debian: apt install chromium), so the page is not looked at");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = render::html(&full_report());
    for (width, dark, open) in [(1280, false, true), (1280, true, false), (390, false, true), (390, true, true)] {
        let found = look(&browser, folder.path(), &page, width, dark, open);
        assert_eq!(found["width"], width);
        assert!(found["elements"].as_u64().unwrap() > 500, "{found}");
        let bad = found["bad"].as_array().unwrap();
        if let Some(shots) = std::env::var_os("RDMA_RTL_SHOTS") {
            let name = format!("{width}{}{}.png", if dark { "-dark" } else { "" }, if open { "-open" } else { "" });
            shot(&browser, folder.path(), &PathBuf::from(shots).join(name), width, found["height"].as_u64().unwrap(), dark);
        }
        assert!(bad.is_empty(), "{width} wide, dark {dark}, open {open}: {bad:#?}");
    }
}

/// The probe sees what it is for: a page that is wrong in each of these ways is found.
#[test]
fn a_page_that_is_wrong_is_seen() {
    let Some(browser) = chromium() else {
        eprintln!("skipped: no Chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = render::html(&full_report());
    for (style, part) in [
        (".scroll { overflow-x: visible !important; }", "the page is"),
        (".card { width: 60px; white-space: nowrap; } .card p { overflow-wrap: normal !important; }", "cut: P"),
        ("section { margin-bottom: -60px !important; }", "sections overlap"),
        ("tbody th { min-width: 0 !important; }", "squeezed"),
        (".sub, .note { color: #bbb !important; }", "contrast"),
        (".row .value { margin-left: -200px; } .row .label { white-space: nowrap; overflow: hidden; }", "labels overlap"),
    ] {
        let broken = page.replace("</style>", &format!("{style}</style>"));
        let found = look(&browser, folder.path(), &broken, 390, false, false);
        let all = found["bad"].to_string();
        assert!(all.contains(part), "{style}: `{part}` is not in {all}");
    }
}
