//! The pack at a glance: plots as inline SVG.
//!
//! All coordinates are whole numbers, scaled, so the plots are the same on every platform. Colors
//! are drawn as markers and then replaced by the page's variables, which know light and dark.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordi64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::csv::Table;
use crate::config::Band;

/// A plot with what it shows in words.
pub(super) struct Chart {
    pub title: &'static str,
    pub svg: String,
    /// How to read it.
    pub note: &'static str,
}

const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);
const DATA: RGBColor = RGBColor(3, 3, 3);
const TARGET: RGBColor = RGBColor(4, 4, 4);
/// The page's variables that the markers stand for.
const VARIABLES: [(&str, &str); 4] = [
    ("#010101", "var(--soft)"),
    ("#020202", "var(--line)"),
    ("#030303", "var(--data)"),
    ("#040404", "var(--target)"),
];

const SIZE: (u32, u32) = (480, 280);
const FONT: (&str, u32) = ("sans-serif", 15);
/// Beyond this a figure is left out of a plot: no pack of ours has it.
const LARGEST: f64 = 1e9;
/// Bars of a distribution, at most.
const BARS: i64 = 30;
/// Parts that a unit of a figure with decimals is divided into.
const PARTS: i64 = 100;

type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordi64, RangedCoordi64>>;
type Drawn<'b> = Result<(), DrawingAreaErrorKind<<SVGBackend<'b> as DrawingBackend>::ErrorType>>;

/// A figure of every level that has it, scaled to whole numbers.
struct Series {
    title: &'static str,
    scale: i64,
    values: Vec<Option<i64>>,
}

impl Series {
    /// The figures of a column; `None` if no level has one.
    fn of(table: &Table, column: &str, title: &'static str, scale: i64) -> Option<Self> {
        let scaled = |cell: &str| {
            let value = cell.parse::<f64>().ok().filter(|value| value.abs() <= LARGEST)?;
            Some((value * scale as f64).round() as i64)
        };
        let values: Vec<_> = table.column(column)?.map(scaled).collect();
        values.iter().any(Option::is_some).then_some(Self { title, scale, values })
    }

    /// The levels' own numbers.
    fn numbers(count: usize) -> Self {
        Self { title: "level", scale: 1, values: (0..count as i64).map(Some).collect() }
    }

    /// The levels that have this figure and another.
    fn points<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (i64, i64)> + Clone + 'a {
        self.values.iter().zip(&other.values).filter_map(|(x, y)| Some(((*x)?, (*y)?)))
    }

    /// The values with a margin around them; from `least` on and up to `most` where they are given.
    fn range(&self, least: Option<i64>, most: Option<i64>) -> Range<i64> {
        let values = || self.values.iter().copied().flatten();
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let margin = (high - low) / 20 + 1;
        let start = least.map_or(low - margin, |least| least.min(low));
        start..most.map_or(high + margin, |most| most.max(high + margin))
    }

    fn text(&self, value: i64) -> String {
        if value % self.scale == 0 {
            (value / self.scale).to_string()
        } else {
            format!("{:.2}", value as f64 / self.scale as f64)
        }
    }
}

/// The plots that the report has figures for.
pub(super) fn charts(table: &Table, bands: &[Band]) -> io::Result<Vec<Chart>> {
    let bands: Vec<&Band> = bands.iter().filter(|band| band.from.abs() <= LARGEST).collect();
    let numbers = Series::numbers(table.len());
    let difficulty = Series::of(table, "difficulty", "difficulty", PARTS);
    let target = Series::of(table, "target", "target", PARTS);
    let length = Series::of(table, "optimal_length", "optimal moves", 1);
    let dead_ends = Series::of(table, "dead_end_density", "dead-end density", PARTS * PARTS);
    let mut charts = Vec::new();
    let mut add = |title, note, svg: Result<String, Box<dyn Error>>| -> io::Result<()> {
        let svg = svg.map_err(|error| io::Error::other(error.to_string()))?;
        let name = format!("<svg role=\"img\" aria-label=\"{title}\" ");
        charts.push(Chart { title, svg: svg.replacen("<svg ", &name, 1), note });
        Ok(())
    };
    let dots = "A dot leads to its level.";
    if let Some(difficulty) = &difficulty {
        let note = match target {
            Some(_) => "A dot leads to its level. Dashed: the target. Dotted: where bands begin.",
            None => "A dot leads to its level. Dotted: where bands begin.",
        };
        add("Difficulty by level", note, curve(&numbers, difficulty, target.as_ref(), &bands))?;
    }
    if let Some(length) = &length {
        add("Distribution of optimal lengths", "", distribution(length))?;
    }
    if let (Some(difficulty), Some(length)) = (&difficulty, &length) {
        add("Difficulty against optimal length", dots, scatter(length, difficulty))?;
    }
    if let Some(dead_ends) = &dead_ends {
        add("Dead-end density by level", dots, curve(&numbers, dead_ends, None, &[]))?;
    }
    Ok(charts)
}

/// A figure along the pack, with its target and the bands it may lie in.
fn curve(
    x: &Series,
    y: &Series,
    target: Option<&Series>,
    bands: &[&Band],
) -> Result<String, Box<dyn Error>> {
    let from = |band: &Band| (band.from * y.scale as f64).round() as i64;
    let targets = || target.iter().flat_map(|target| &target.values).copied().flatten();
    // Room for the name of the highest band above its line.
    let band_tops = bands.iter().map(|band| from(band) + 8 * y.scale);
    let least = bands.iter().map(|band| from(band)).chain(targets()).min().unwrap_or(0).min(0);
    let range = y.range(Some(least), band_tops.chain(targets()).max());
    let x_range = x.range(None, None);
    let Range { start: left, end: right } = x_range;
    let svg = draw(x, x_range, y, range, |plot| {
        for &band in bands {
            let line = [(left, from(band)), (right, from(band))];
            plot.draw_series(DashedLineSeries::new(line, 2, 4, INK.into()))?;
            let place = Pos::new(HPos::Right, VPos::Bottom);
            let style = FONT.into_font().color(&INK).pos(place);
            plot.draw_series([Text::new(band.name.clone(), (right, from(band)), style)])?;
        }
        if let Some(target) = target {
            let points = x.points(target);
            plot.draw_series(DashedLineSeries::new(points, 6, 4, TARGET.stroke_width(2)))?;
        }
        plot.draw_series(LineSeries::new(x.points(y), &DATA))?;
        dots(plot, x, y)
    })?;
    Ok(link_dots(&svg, &[y]))
}

/// One dot a level.
fn scatter(x: &Series, y: &Series) -> Result<String, Box<dyn Error>> {
    let svg = draw(x, x.range(None, None), y, y.range(None, None), |plot| dots(plot, x, y))?;
    Ok(link_dots(&svg, &[x, y]))
}

/// How many levels have which value.
fn distribution(x: &Series) -> Result<String, Box<dyn Error>> {
    let values = || x.values.iter().copied().flatten();
    let (start, end) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
    let width = ((end - start + 1) as u64).div_ceil(BARS as u64) as i64;
    let mut bars: BTreeMap<i64, i64> = BTreeMap::new();
    for value in values() {
        *bars.entry((value - start) / width).or_default() += 1;
    }
    let most = bars.values().copied().max().unwrap_or(1);
    let count = Series { title: "levels", scale: 1, values: vec![Some(most)] };
    let last = bars.keys().copied().max().unwrap_or(0);
    draw(x, start..start + (last + 1) * width, &count, 0..most + 1, |plot| {
        let bar = |(&bar, &count): (&i64, &i64)| {
            let left = start + bar * width;
            let mut bar = Rectangle::new([(left, 0), (left + width, count)], DATA.filled());
            bar.set_margin(0, 0, 1, 1);
            bar
        };
        plot.draw_series(bars.iter().map(bar))?;
        Ok(())
    })
}

fn dots<'b>(plot: &mut Plot<'_, 'b>, x: &Series, y: &Series) -> Drawn<'b> {
    plot.draw_series(x.points(y).map(|point| Circle::new(point, 3, DATA.filled())))?;
    Ok(())
}

/// Axes with their titles, then what `paint` adds.
fn draw(
    x: &Series,
    x_range: Range<i64>,
    y: &Series,
    y_range: Range<i64>,
    paint: impl for<'b> FnOnce(&mut Plot<'_, 'b>) -> Drawn<'b>,
) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let area: DrawingArea<SVGBackend<'_>, Shift> =
            SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut plot = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(54)
            .build_cartesian_2d(x_range, y_range)?;
        plot.configure_mesh()
            .x_desc(x.title)
            .y_desc(y.title)
            .x_labels(8)
            .y_labels(6)
            .x_label_formatter(&|value| x.text(*value))
            .y_label_formatter(&|value| y.text(*value))
            .label_style(FONT.into_font().color(&INK))
            .axis_desc_style(FONT.into_font().color(&INK))
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .draw()?;
        paint(&mut plot)?;
        area.present()?;
    }
    for (marker, variable) in VARIABLES {
        svg = svg.replace(marker, variable);
    }
    Ok(svg)
}

/// Makes each dot a link to its level, with the level's figures as its title. Dots are drawn in the
/// order of the levels that have these figures, one a line.
fn link_dots(svg: &str, figures: &[&Series]) -> String {
    let figures_of = |level: usize| {
        let text = |series: &&Series| {
            let value = series.values[level]?;
            Some(format!("{} {}", series.title, series.text(value)))
        };
        figures.iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(", "))
    };
    let levels = figures.first().map_or(0, |series| series.values.len());
    let mut links = (0..levels).filter_map(|level| {
        let title = format!("level {level}: {}", figures_of(level)?);
        Some(format!("<a href=\"#level-{level}\" tabindex=\"-1\"><title>{title}</title>"))
    });
    let mut linked = String::with_capacity(2 * svg.len());
    for line in svg.lines() {
        let link = if line.starts_with("<circle") { links.next() } else { None };
        match link {
            Some(link) => linked.extend([&link, line, "</a>\n"]),
            None => linked.extend([line, "\n"]),
        }
    }
    linked
}
