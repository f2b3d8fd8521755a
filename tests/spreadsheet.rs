//! The report survives LibreOffice. `POURFECT_OFFICE` names its program; without it this says so
//! and passes, because a gate must not need an office suite.

mod support;

use std::path::Path;
use std::process::Command;

use pourfect::report::{CsvReport, Report, Row, RowWriter};
use support::small_pack;
use tempfile::TempDir;

/// The cells of the file, as LibreOffice shows them after it has opened and written it.
fn through_office(program: &str, csv: &[u8]) -> Vec<Vec<String>> {
    let root = TempDir::new().unwrap();
    let convert = |from: &Path, to: &str, filter: &str| {
        let profile = format!("-env:UserInstallation=file://{}/profile", root.path().display());
        let out = Command::new(program)
            .args([&profile, "--headless", "--convert-to", to, filter, "--outdir"])
            .args([root.path(), from])
            .output()
            .unwrap();
        assert!(out.status.success(), "{out:?}");
    };
    let input = root.path().join("in.csv");
    std::fs::write(&input, csv).unwrap();
    // Comma, quotes, UTF-8, from line 1, every column as the program guesses it.
    convert(&input, "ods", "--infilter=Text - txt - csv (StarCalc):44,34,76,1");
    let sheet = root.path().join("in.ods");
    std::fs::remove_file(&input).unwrap();
    convert(&sheet, "csv:Text - txt - csv (StarCalc):44,34,76,1", "--calc");
    let bytes = std::fs::read(&input).unwrap();
    cells(&bytes)
}

fn cells(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn plain(cell: &str) -> String {
    cell.replace(['\t', '\r', '\n'], "")
}

#[test]
fn every_cell_of_the_report_comes_back_from_libreoffice() {
    let Ok(program) = std::env::var("POURFECT_OFFICE") else {
        eprintln!("POURFECT_OFFICE is not set: nothing was opened");
        return;
    };
    let pack = small_pack();
    let mut report = Vec::new();
    CsvReport.write(&pack, &mut report).unwrap();
    let mut hostile = Vec::new();
    let mut rows = RowWriter::new(&mut hostile).unwrap();
    for id in ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "a,b", "a\"b", "ä", "1;2"] {
        rows.write(&Row { id, ..Row::of(&pack.levels[0], 7) }).unwrap();
    }
    rows.finish().unwrap();
    for csv in [report, hostile] {
        let (written, back) = (cells(&csv), through_office(&program, &csv));
        assert_eq!(written.len(), back.len());
        for (written, back) in written.iter().zip(&back) {
            for (column, (cell, seen)) in written.iter().zip(back).enumerate() {
                let same_number = matches!((cell.parse::<f64>(), seen.parse::<f64>()),
                    (Ok(a), Ok(b)) if (a - b).abs() <= 1e-9 * a.abs());
                // A cell of LibreOffice holds no control characters.
                let same_text = plain(cell) == plain(seen);
                assert!(same_text || same_number, "column {column}: {cell:?} became {seen:?}");
            }
        }
    }
}

/// What a spreadsheet would take for a formula begins with an apostrophe; nothing else changes.
#[test]
fn no_text_cell_begins_a_formula() {
    let pack = small_pack();
    for id in ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "plain"] {
        let mut out = Vec::new();
        let mut rows = RowWriter::new(&mut out).unwrap();
        rows.write(&Row { id, ..Row::of(&pack.levels[0], 7) }).unwrap();
        rows.finish().unwrap();
        let rows = cells(&out);
        let expected = if id == "plain" { id.to_owned() } else { format!("'{id}") };
        assert_eq!(rows[1][0], expected);
        for cell in &rows[1] {
            assert!(!cell.starts_with(['=', '@', '\t', '\r', '\n']), "{cell:?}");
            let is_signed = cell.starts_with(['+', '-']);
            assert!(!is_signed || cell.parse::<f64>().is_ok(), "{cell:?}");
        }
    }
}
