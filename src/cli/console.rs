//! Words for people: progress, notes, tables. Data goes to stdout, words to stderr.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};

use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use pourfect::pipeline::Progress;

use super::{CliError, interrupt};

/// Progress of a run: a bar on a terminal, plain lines otherwise, nothing when quiet.
pub struct Meter {
    unit: &'static str,
    total: u64,
    done: AtomicU64,
    show: Show,
}

enum Show {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Meter {
    pub fn new(unit: &'static str, total: u64, quiet: bool) -> Self {
        let show = if quiet {
            Show::Nothing
        } else if std::io::stderr().is_terminal() {
            Show::Bar(bar(unit, total))
        } else {
            Show::Lines
        };
        Self { unit, total, done: AtomicU64::new(0), show }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Show::Bar(bar) = &self.show {
            bar.finish_and_clear();
        }
    }
}

fn bar(unit: &str, total: u64) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left {{msg}}");
    let style = ProgressStyle::with_template(&template).expect("the template is well formed");
    ProgressBar::new(total).with_style(style)
}

impl Progress for Meter {
    fn is_stopped(&self) -> bool {
        interrupt::is_asked()
    }

    fn level_done(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        match &self.show {
            Show::Nothing => {}
            Show::Bar(bar) => bar.inc(1),
            // A line for every tenth of the way.
            Show::Lines if done * 10 / self.total.max(1) > (done - 1) * 10 / self.total.max(1) => {
                anstream::eprintln!("{done}/{} {}", self.total, self.unit);
            }
            Show::Lines => {}
        }
    }
}

/// Says something to the person, unless quiet.
pub fn note(quiet: bool, words: impl std::fmt::Display) {
    if !quiet {
        anstream::eprintln!("{words}");
    }
}

/// A table without lines, for the terminal and for eyes.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.iter().copied());
    table
}

/// Runs work on a pool of so many threads, or of as many as there are cores.
pub fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, CliError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let pool = builder
        .build()
        .map_err(|error| CliError::Refused(format!("cannot start the threads: {error}")))?;
    Ok(pool.install(work))
}
