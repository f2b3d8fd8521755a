//! What a finished pack is like, in a few lines on the terminal.

use std::collections::BTreeMap;
use std::io::{self, Write};

use pourfect::pack::{LARGE, Pack, PackLevel};

use super::{CliError, console};

/// What a large pack goes without.
pub const LARGE_WORDS: &str = "so many levels are not searched for near-duplicates, and get no \
                               report.html";

/// Prints the bands, how near the pack comes to its targets, and its near-duplicates.
pub fn print(pack: &Pack) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", bands(pack))?;
    if let Some(deviations) = deviations(pack) {
        writeln!(out, "{deviations}")?;
    }
    let near = pack.levels.iter().filter(|level| level.near.is_some()).count();
    if pack.levels.len() as u64 > LARGE {
        writeln!(out, "{LARGE_WORDS}")?;
    } else if near > 0 {
        writeln!(out, "{near} levels are near-duplicates of an earlier one (column `near`)")?;
    }
    Ok(())
}

/// Per band: count, shortest, median and longest optimum, median nodes.
fn bands(pack: &Pack) -> comfy_table::Table {
    let mut figures: BTreeMap<&str, (Vec<u32>, Vec<u64>)> = BTreeMap::new();
    for level in &pack.levels {
        let (lengths, nodes) = figures.entry(&level.band).or_default();
        lengths.push(level.rating.optimal_length);
        nodes.push(level.rating.nodes_expanded);
    }
    let mut table =
        console::table(&["band", "levels", "shortest", "median", "longest", "median nodes"]);
    for band in &pack.settings.bands {
        let Some((lengths, nodes)) = figures.get_mut(band.name.as_str()) else { continue };
        lengths.sort_unstable();
        nodes.sort_unstable();
        let cells = [
            lengths.len().to_string(),
            lengths[0].to_string(),
            lengths[lengths.len() / 2].to_string(),
            lengths[lengths.len() - 1].to_string(),
            nodes[nodes.len() / 2].to_string(),
        ];
        table.add_row(std::iter::once(band.name.clone()).chain(cells));
    }
    table
}

/// The mean and the largest deviation from the targets, if there are any.
fn deviations(pack: &Pack) -> Option<String> {
    let deviation = |level: &PackLevel| {
        let target = level.target?;
        Some(((level.rating.difficulty - target).abs(), level.index))
    };
    let all: Vec<(f64, u64)> = pack.levels.iter().filter_map(deviation).collect();
    let &(largest, index) = all.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let mean = all.iter().map(|(deviation, _)| deviation).sum::<f64>() / all.len() as f64;
    Some(format!("off target by {mean:.2} in the mean, at most by {largest:.2} (level {index})"))
}
