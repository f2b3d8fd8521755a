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
    /// `None` where nobody knows how many there are.
    total: Option<u64>,
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
        Self::of(unit, Some(total), quiet)
    }

    /// A meter that counts towards no known end.
    pub fn counting(unit: &'static str, quiet: bool) -> Self {
        Self::of(unit, None, quiet)
    }

    fn of(unit: &'static str, total: Option<u64>, quiet: bool) -> Self {
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

/// A count without a known end gets a line for every so many.
const LINE_EVERY: u64 = 10_000;

fn bar(unit: &str, total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => {
            let end = "{per_sec}, {eta} left {msg}";
            (ProgressBar::new(total), format!("{{bar:40}} {{pos}}/{{len}} {unit}, {end}"))
        }
        None => (ProgressBar::no_length(), format!("{{spinner}} {{pos}} {unit}, {{per_sec}}")),
    };
    let style = ProgressStyle::with_template(&template).expect("the template is well formed");
    bar.with_style(style)
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
            Show::Lines => match self.total {
                // A line for every tenth of the way.
                Some(total) if done * 10 / total.max(1) > (done - 1) * 10 / total.max(1) => {
                    anstream::eprintln!("{done}/{total} {}", self.unit);
                }
                None if done.is_multiple_of(LINE_EVERY) => {
                    anstream::eprintln!("{done} {}", self.unit);
                }
                Some(_) | None => {}
            },
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
