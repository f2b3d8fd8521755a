//! `report.csv`: one row per level.

use std::io::{self, Write};

use super::Report;
use crate::pack::{Pack, PackLevel};
use crate::puzzle::{Level, Move, level_columns};
use crate::rate::{FEATURES, RATING_ALGORITHM, Rating};

/// The pack's report.
pub struct CsvReport;

impl Report for CsvReport {
    fn file_name(&self) -> &'static str {
        "report.csv"
    }

    fn write(&self, pack: &Pack, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = RowWriter::new(out)?;
        for level in &pack.levels {
            rows.write(&Row::of(level, pack.seed))?;
        }
        rows.finish()
    }
}

/// What a row says of one level. What does not apply is `None`, and an empty cell.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The level's id; an unsafe one gets a leading apostrophe in the cell.
    pub id: &'a str,
    /// Its place in the pack.
    pub index: Option<u64>,
    /// The pack's seed.
    pub seed: Option<u64>,
    /// The level.
    pub level: &'a Level,
    /// `solved`, `unsolvable` or `unknown`.
    pub verdict: &'a str,
    /// Nodes that the rating search expanded.
    pub nodes_expanded: u64,
    /// The figures of a solved level.
    pub rating: Option<&'a Rating>,
    /// The band of its difficulty.
    pub band: Option<&'a str>,
    /// The difficulty that was asked for.
    pub target: Option<f64>,
    /// The first earlier level of the pack that is nearly the same.
    pub near: Option<u64>,
    /// A shortest solution.
    pub solution: Option<&'a [Move]>,
}

impl<'a> Row<'a> {
    /// The row of a level of a pack.
    pub fn of(level: &'a PackLevel, seed: u64) -> Self {
        Self {
            id: &level.id,
            index: Some(level.index),
            seed: Some(seed),
            level: &level.level,
            verdict: "solved",
            nodes_expanded: level.rating.nodes_expanded,
            rating: Some(&level.rating),
            band: Some(&level.band),
            target: level.target,
            near: level.near,
            solution: Some(&level.solution),
        }
    }

    /// The row's cells, in the order of [`header`].
    pub fn cells(&self) -> Vec<String> {
        fn cell(value: Option<impl ToString>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        let mut cells = vec![
            safe_text(self.id),
            cell(self.index),
            cell(self.seed),
            self.level.puzzle().to_owned(),
        ];
        let own = self.level.columns();
        cells.extend(level_columns().into_iter().map(|column| {
            cell(own.iter().find(|(name, _)| *name == column).map(|(_, value)| value))
        }));
        cells.extend([
            self.verdict.to_owned(),
            cell(self.rating.map(|rating| rating.optimal_length)),
            self.nodes_expanded.to_string(),
            RATING_ALGORITHM.to_string(),
            cell(self.rating.map(|rating| format!("{:.2}", rating.difficulty))),
            cell(self.band.map(safe_text)),
            cell(self.target.map(|target| format!("{target:.2}"))),
            cell(self.near),
            cell(self.rating.map(|rating| rating.analysis.name())),
        ]);
        let metric = |name: &str| cell(self.rating.and_then(|rating| rating.metric(name)));
        cells.extend(more_metrics().map(metric));
        cells.extend(FEATURES.iter().map(|feature| {
            cell(self.rating.and_then(|rating| rating.contributions.get(feature.name)))
        }));
        cells.extend([
            cell(self.rating.map(|rating| rating.words().join("; "))),
            safe_text(&self.level.to_string()),
            cell(
                self.solution
                    .map(|moves| moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")),
            ),
        ]);
        cells
    }
}

/// The report's columns.
pub fn header() -> Vec<&'static str> {
    let level = ["id", "index", "seed", "puzzle"];
    let rating = [
        "verdict",
        "optimal_length",
        "nodes_expanded",
        "algorithm",
        "difficulty",
        "band",
        "target",
        "near",
        "analysis",
    ];
    let points = FEATURES.iter().map(|feature| feature.column);
    let figures = rating.into_iter().chain(more_metrics()).chain(points);
    let last = ["words", "tubes", "solution"];
    level.into_iter().chain(level_columns()).chain(figures).chain(last).collect()
}

/// Metrics without a column before.
fn more_metrics() -> impl Iterator<Item = &'static str> {
    let before = ["optimal_length", "nodes_expanded", "difficulty"];
    Rating::METRICS.iter().copied().filter(move |name| !before.contains(name))
}

/// Text that a spreadsheet does not take for a formula.
fn safe_text(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// Writes rows under the report's header.
pub struct RowWriter<W: Write>(::csv::Writer<W>);

impl<W: Write> RowWriter<W> {
    /// Begins a report.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn new(out: W) -> io::Result<Self> {
        let mut writer = ::csv::Writer::from_writer(out);
        writer.write_record(header())?;
        Ok(Self(writer))
    }

    /// Writes the row of one level.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        Ok(self.0.write_record(row.cells())?)
    }

    /// Flushes what was written.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What the report says of every level of a pack.
pub(super) struct Table {
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn of(pack: &Pack) -> Self {
        let rows = pack.levels.iter().map(|level| Row::of(level, pack.seed).cells()).collect();
        Self { columns: header(), rows }
    }

    /// How many levels there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The cells of a column.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = &str>> {
        let column = self.columns.iter().position(|column| *column == name)?;
        Some(self.rows.iter().map(move |row| row[column].as_str()))
    }
}
