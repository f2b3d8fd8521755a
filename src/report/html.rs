//! `report.html`: the pack as one page to look at and to play in, without any other file.

use std::io::{self, Write};

use askama::Template;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Report;
use super::charts::{Chart, charts};
use super::csv::Table;
use super::palette::{PALETTE, PaletteColor, palette_color};
use crate::config::Stretch;
use crate::generate::Method;
use crate::pack::{Edits, Pack, PackLevel, SCHEMA_VERSION};
use crate::puzzle::{AnyShape, Move, Scene};

/// The pack's page.
pub struct HtmlReport;

impl Report for HtmlReport {
    fn file_name(&self) -> &'static str {
        "report.html"
    }

    fn write(&self, pack: &Pack, out: &mut dyn Write) -> io::Result<()> {
        Page::of(pack)?.write_into(out)
    }
}

/// The page's script, in the order in which its parts build on each other.
const SCRIPT: &str = concat!(
    "'use strict';\n",
    include_str!("html/rules.js"),
    include_str!("html/search.js"),
    include_str!("html/view.js"),
    include_str!("html/player.js"),
    include_str!("html/gallery.js"),
    include_str!("html/page.js"),
);

#[derive(Template)]
#[template(path = "page.html", config = "src/report/html/askama.toml")]
struct Page<'a> {
    name: &'a str,
    facts: Vec<(&'static str, String)>,
    stretches: Vec<String>,
    command: String,
    /// Digests of the packs whose levels were kept out.
    known: &'a [String],
    charts: Vec<Chart>,
    palette: Vec<PaletteColor>,
    style: &'static str,
    script: &'static str,
    /// The script's digest, for the page's content security policy: nothing else may run.
    script_digest: String,
    data: Data<'a>,
}

/// What the script works on.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    schema_version: u32,
    columns: Vec<&'static str>,
    levels: Vec<LevelData<'a>>,
}

#[derive(Serialize)]
struct LevelData<'a> {
    id: &'a str,
    cells: Vec<String>,
    scene: Scene,
    solution: Vec<[u8; 2]>,
}

impl<'a> Page<'a> {
    fn of(pack: &'a Pack) -> io::Result<Page<'a>> {
        let table = Table::of(pack);
        let charts = charts(&table, &pack.settings.bands)?;
        let pair = |action: &Move| [action.source.0, action.target.0];
        let level = |(level, cells): (&'a PackLevel, Vec<String>)| LevelData {
            id: &level.id,
            cells,
            scene: level.level.scene(),
            solution: level.solution.iter().map(pair).collect(),
        };
        let levels = pack.levels.iter().zip(table.rows).map(level).collect();
        Ok(Page {
            name: &pack.settings.name,
            facts: facts(pack),
            stretches: stretches(pack),
            command: command(pack)?,
            known: &pack.edits.known,
            charts,
            palette: (0..PALETTE.len()).map(palette_color).collect(),
            style: include_str!("html/page.css"),
            script: SCRIPT,
            script_digest: BASE64_STANDARD.encode(Sha256::digest(SCRIPT)),
            data: Data { schema_version: SCHEMA_VERSION, columns: table.columns, levels },
        })
    }
}

/// The figures on top of the page.
fn facts(pack: &Pack) -> Vec<(&'static str, String)> {
    let mut lengths: Vec<u32> = pack.levels.iter().map(|l| l.rating.optimal_length).collect();
    lengths.sort_unstable();
    let mut facts = vec![
        ("levels", pack.levels.len().to_string()),
        ("solved, proven shortest", pack.levels.len().to_string()),
    ];
    if let (Some(least), Some(most)) = (lengths.first(), lengths.last()) {
        facts.push(("optimal moves", range(least, most)));
        facts.push(("median moves", lengths[lengths.len() / 2].to_string()));
    }
    let difficulties = || pack.levels.iter().map(|level| level.rating.difficulty);
    let (least, most) = difficulties()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), d| (low.min(d), high.max(d)));
    if least <= most {
        facts.push(("difficulty", range(format!("{least:.0}"), format!("{most:.0}"))));
    }
    facts.push(("seed", pack.seed.to_string()));
    facts.push(("generator version", pack.generator.version.to_string()));
    facts.push(("model version", pack.generator.model_version.to_string()));
    facts
}

fn range<T: PartialEq + std::fmt::Display>(least: T, most: T) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// What each stretch is made of.
fn stretches(pack: &Pack) -> Vec<String> {
    let stretch = |stretch: &Stretch| {
        let draw = |(shape, method): &(AnyShape, Method)| format!("{} by {method}", shape.code());
        let draws: Vec<String> = stretch.draws.iter().map(draw).collect();
        format!("{} × {}", stretch.common.levels, draws.join(", "))
    };
    pack.settings.stretches.iter().map(stretch).collect()
}

/// A command that makes the pack again, to be pasted into a shell. What a designer changed is read
/// from the pack itself.
fn command(pack: &Pack) -> io::Result<String> {
    let settings = toml::to_string(&pack.settings).map_err(io::Error::other)?;
    let settings = format!("seed = \"{}\"\n{settings}", pack.seed);
    let mut end = "END".to_owned();
    while settings.lines().any(|line| line == end) {
        end.push('_');
    }
    let edits = match pack.edits == Edits::default() {
        true => String::new(),
        false => format!(" --edits output/{}", pack.settings.name),
    };
    Ok(format!("pourfect generate --config -{edits} <<'{end}'\n{settings}{end}"))
}
