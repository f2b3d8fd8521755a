//! `pourfect convert`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use pourfect::convert::{self, ConvertError, File, Format, Options, Stars, Zero, losses};
use pourfect::report::write_whole_or;
use pourfect::search::Limits;

use super::generate::positive;
use super::input::{self, Rules};
use super::{CliError, Exit, console};

#[derive(clap::Args)]
pub struct Args {
    /// The file to read, or a pack's folder; `-` is standard input
    #[arg(value_name = "IN")]
    source: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(value_name = "OUT")]
    target: PathBuf,
    /// Format of IN: text, semicolons, jsonl, pack, arrays, names, grid or unity
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    from: FormatArg,
    /// Format of OUT: as IN but not pack, or godot, phaser
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    to: FormatArg,
    /// What 0 is in IN (and in OUT, without --to-zero) where units are numbers
    #[arg(long, value_enum)]
    zero: Option<ZeroArg>,
    /// What 0 is in OUT
    #[arg(long, value_enum)]
    to_zero: Option<ZeroArg>,
    /// Lists of units in IN begin at the top
    #[arg(long)]
    top_first: bool,
    /// Lists of units in OUT begin at the top
    #[arg(long)]
    to_top_first: bool,
    /// Names of the colors in order; without it those of IN as they come
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    names: Vec<String>,
    #[command(flatten)]
    rules: Rules,
    /// Moves of a good player, in percent of the optimum, rounded up
    #[arg(long, value_name = "PERCENT", default_value_t = Stars::default().par)]
    par: u32,
    /// Most moves for three stars, likewise
    #[arg(long, value_name = "PERCENT", default_value_t = Stars::default().three)]
    three_stars: u32,
    /// Most moves for two stars, likewise
    #[arg(long, value_name = "PERCENT", default_value_t = Stars::default().two)]
    two_stars: u32,
    /// States that a search for an optimum may store
    #[arg(long, value_name = "N", value_parser = positive, default_value_t = Limits::DEFAULT_STATES)]
    max_states: usize,
    /// Refuse to lose anything that OUT cannot carry
    #[arg(long)]
    lossless: bool,
    /// No words but errors
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ZeroArg {
    /// The first color
    Color,
    /// No unit; the first color is 1
    Empty,
}

impl From<ZeroArg> for Zero {
    fn from(zero: ZeroArg) -> Self {
        match zero {
            ZeroArg::Color => Self::Color,
            ZeroArg::Empty => Self::Empty,
        }
    }
}

#[derive(Clone, Copy)]
struct FormatArg(&'static dyn Format);

fn format(name: &str) -> Result<FormatArg, ConvertError> {
    convert::format(name).map(FormatArg)
}

impl Args {
    fn reading(&self) -> Options {
        Options {
            rules: self.rules.fields(),
            zero: self.zero.map(Zero::from),
            top_first: self.top_first,
            names: self.names.clone(),
            stars: Stars::default(),
        }
    }

    fn writing(&self) -> Options {
        let stars = Stars { par: self.par, three: self.three_stars, two: self.two_stars };
        Options {
            zero: self.to_zero.or(self.zero).map(Zero::from),
            top_first: self.to_top_first,
            stars,
            ..self.reading()
        }
    }

    fn check(&self) -> Result<(), CliError> {
        let Self { par, three_stars, two_stars, .. } = *self;
        if par < 100 || three_stars < 100 || two_stars < three_stars {
            return Err(CliError::Usage(format!(
                "--par {par} --three-stars {three_stars} --two-stars {two_stars}: nobody needs \
                 less than 100 percent, nor more for three stars than for two"
            )));
        }
        Ok(())
    }
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    args.check()?;
    let source = input::pack_file(&args.source);
    let refuse = |error| refused(&source, error);
    let mut file =
        args.from.0.read_from(&mut input::open(&source)?, &args.reading()).map_err(refuse)?;
    let format = args.to.0;
    if format.has_stars() {
        file.prove(&Limits::states(args.max_states)).map_err(refuse)?;
    }
    let options = args.writing();
    check_losses(&args, &file, &options)?;
    let write = |out: &mut dyn Write| {
        format.write(&file, &options, out).map_err(|error| match error {
            ConvertError::Write(error) => CliError::Output(error),
            other => refuse(other),
        })
    };
    if args.target == Path::new("-") {
        write(&mut io::stdout().lock())?;
    } else {
        // A format that refuses leaves the target as it was.
        write_whole_or(&args.target, write)?;
    }
    let count = file.entries.len();
    console::note(args.quiet, format_args!("{count} levels in {}", args.target.display()));
    Ok(Exit::Done)
}

/// A fault of the file, or of what the command line says about it.
fn refused(source: &Path, error: ConvertError) -> CliError {
    match error {
        ConvertError::Zero | ConvertError::NoName(_) => CliError::Usage(error.to_string()),
        other => CliError::input(source.display(), other),
    }
}

fn check_losses(args: &Args, file: &File, options: &Options) -> Result<(), CliError> {
    let format = args.to.0;
    let lost: Vec<String> = losses(file, format, options)
        .iter()
        .map(|(loss, levels)| format!("{loss} ({levels} levels)"))
        .collect();
    if lost.is_empty() {
        return Ok(());
    }
    let words = format!("{} cannot carry: {}", format.name(), lost.join(", "));
    if args.lossless {
        return Err(CliError::Refused(words));
    }
    console::note(args.quiet, words);
    Ok(())
}
