//! `pourfect calibrate`.

use std::io::{self, Write};
use std::path::PathBuf;

use pourfect::rate::{
    Calibration, Interval, Observation, Options, Sample, Scores, calibrate, rate,
};
use pourfect::report::write_whole;
use rayon::prelude::*;

use super::generate::threads;
use super::{CliError, Exit, console, input};

#[derive(clap::Args)]
pub struct Args {
    /// JSON lines: a level's fields, and `win_rate`, `attempts` or `rating` (higher is harder)
    #[arg(value_name = "TELEMETRY")]
    telemetry: PathBuf,
    /// The fitted model
    #[arg(long, value_name = "MODEL.toml")]
    out: PathBuf,
    /// The model's name, which stands in every pack rated by it
    #[arg(long, value_name = "NAME", default_value = "calibrated")]
    name: String,
    /// Threads; without it one per core
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// No words but errors
    #[arg(long)]
    quiet: bool,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let path = &args.telemetry;
    let text = input::text(path)?;
    let (mut observations, mut bad) = (Vec::new(), 0);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match Observation::parse(line) {
            Ok(observation) => observations.push(observation),
            Err(error) => {
                bad += 1;
                anstream::eprintln!("{}:{}: {error}", path.display(), number + 1);
            }
        }
    }
    let samples = console::with_threads(args.threads, || samples(&observations))?;
    let unsolved = observations.len() - samples.len();
    let calibration =
        calibrate(&args.name, &samples).map_err(|error| CliError::input(path.display(), error))?;
    let model = toml::to_string(&calibration.model)
        .map_err(|error| CliError::Refused(format!("cannot write the model: {error}")))?;
    write_whole(&args.out, |out| out.write_all(model.as_bytes()))?;
    print(&calibration)?;
    if bad + unsolved > 0 {
        let words = format!("{bad} bad records and {unsolved} unsolved levels left out");
        console::note(args.quiet, words);
    }
    Ok(if bad == 0 { Exit::Done } else { Exit::Failed })
}

/// The rated levels, in the order of the file.
fn samples(observations: &[Observation]) -> Vec<Sample> {
    let options = Options::default();
    let rated: Vec<_> = observations
        .par_iter()
        .map(|observation| {
            let rating = rate(&observation.level, &options).rating?;
            Some(Sample::new(observation, &rating))
        })
        .collect();
    rated.into_iter().flatten().collect()
}

fn print(calibration: &Calibration) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} levels, cross-validated; 95 % bootstrap intervals", calibration.levels)?;
    let mut table =
        console::table(&["predicted by", "rank correlation", "within one size", "error"]);
    let rows =
        [("the fitted model", &calibration.scores), ("length alone", &calibration.by_length)];
    for (name, Scores { rank_correlation, within_size, root_mean_square_error }) in rows {
        let error = format!("{root_mean_square_error:.4}");
        table.add_row([name.to_owned(), interval(rank_correlation), interval(within_size), error]);
    }
    writeln!(out, "{table}")?;
    for (name, weight) in &calibration.model.weights {
        writeln!(out, "{name} = {weight}")?;
    }
    Ok(())
}

fn interval(interval: &Interval) -> String {
    let Interval { value, from, to } = interval;
    format!("{value:.2} ({from:.2} to {to:.2})")
}
