//! `pourfect bench`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pourfect::bench::{self, DEFAULT_SETTINGS, Figures, Group};
use pourfect::convert::{self, Entry, Options};
use pourfect::puzzle::Level;
use pourfect::report::write_whole;

use super::generate::threads;
use super::{CliError, Exit, console, input};

#[derive(clap::Args)]
pub struct Args {
    /// Sizes, engines and bounds; without it those of configs/bench.toml
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    /// Measure the levels of this file, one a line as JSON, instead of random ones
    #[arg(long, value_name = "FILE.jsonl")]
    levels: Option<PathBuf>,
    /// Threads; more than one blurs the times
    #[arg(long, value_name = "N", value_parser = threads, default_value_t = 1)]
    threads: usize,
    /// Write all figures as CSV too
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// No words but errors
    #[arg(long)]
    quiet: bool,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let text = match &args.config {
        Some(path) => input::text(path)?,
        None => DEFAULT_SETTINGS.to_owned(),
    };
    let wrong = |error| {
        let name = args.config.as_deref().unwrap_or(Path::new("configs/bench.toml"));
        CliError::Usage(format!("{}: {error}", name.display()))
    };
    let settings = bench::read(&text).map_err(wrong)?;
    let groups = match &args.levels {
        Some(path) => file_groups(path)?,
        None => settings.groups().map_err(wrong)?,
    };
    let mut all = Vec::new();
    for group in &groups {
        for (algorithm, bound) in settings.methods() {
            let figures = console::with_threads(Some(args.threads), || {
                bench::measure(group, algorithm, bound, settings.max_states)
            })?;
            match figures {
                Ok(figures) => all.push(figures),
                Err(error) => {
                    console::note(args.quiet, format_args!("{} left out: {error}", group.size));
                }
            }
        }
    }
    print_table(&all);
    if let Some(path) = &args.out {
        write_whole(path, |out| {
            let mut rows = csv::Writer::from_writer(out);
            all.iter().try_for_each(|figures| rows.serialize(figures))?;
            rows.flush()
        })?;
    }
    Ok(Exit::Done)
}

/// The levels of a file by size: stacks, empty ones among them, and rules.
fn file_groups(path: &Path) -> Result<Vec<Group>, CliError> {
    let refuse = |error| CliError::input(path.display(), error);
    let lines = convert::format("jsonl").map_err(refuse)?;
    let file = lines.read_from(&mut input::open(path)?, &Options::default()).map_err(refuse)?;
    let mut groups: BTreeMap<(usize, usize, String), Vec<Level>> = BTreeMap::new();
    for Entry { level, .. } in file.entries {
        let stacks = level.stacks();
        let empty = stacks.iter().filter(|stack| stack.is_empty()).count();
        groups.entry((stacks.len(), empty, rules(&level))).or_default().push(level);
    }
    let group = |((stacks, empty, rules), levels)| {
        let size = format!("{} + {empty} {rules}", stacks - empty);
        Group { size, levels }
    };
    Ok(groups.into_iter().map(group).collect())
}

/// The fields of a level that are single values.
fn rules(level: &Level) -> String {
    let fields = level.fields();
    let single = fields.values().filter(|value| !value.is_array());
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    single.map(text).collect::<Vec<_>>().join(" ")
}

fn print_table(all: &[Figures]) {
    let mut table = console::table(&[
        "size",
        "engine",
        "bound",
        "solved",
        "unsolvable",
        "length",
        "nodes",
        "most",
        "ms",
        "most",
        "stored",
        "MB",
        "nodes/s",
    ]);
    for figures in all {
        table.add_row([
            figures.size.clone(),
            figures.algorithm.to_string(),
            figures.bound.clone(),
            format!("{}/{}", figures.solved, figures.levels),
            figures.unsolvable.to_string(),
            figures.mean_optimal_length.map_or(String::new(), |mean| format!("{mean:.1}")),
            figures.nodes_median.to_string(),
            figures.nodes_max.to_string(),
            format!("{:.3}", figures.seconds_median * 1e3),
            format!("{:.3}", figures.seconds_max * 1e3),
            figures.stored_max.to_string(),
            format!("{:.2}", figures.bytes_max as f64 / 1e6),
            format!("{:.0}", figures.nodes_per_second),
        ]);
    }
    anstream::println!("{table}");
}
