//! Levels as text and as JSON lines: what is read reads back as itself, and can be searched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pourfect::convert;
use pourfect::puzzle::{Fields, Level, PUZZLES};
use pourfect::read;
use pourfect::search::{self, Algorithm, Limits, Method};

fn check(level: &Level) {
    let again = Level::from_fields(level.puzzle(), level.fields()).unwrap();
    assert_eq!(&again, level);
    assert_eq!(again.fingerprint(), level.canonical().board.fingerprint());
    let method = Method { algorithm: Algorithm::Astar, bound: None, limits: Limits::states(50) };
    let _ = search::solve(level, &method);
}

fuzz_target!(|bytes: &[u8]| {
    for line in read::Lines::new(bytes).flatten() {
        if let Ok(entry) = convert::record(&line.1, &Fields::new()) {
            check(&entry.level);
        }
    }
    let Ok(text) = read::text(bytes) else { return };
    for puzzle in PUZZLES {
        if let Ok(level) = Level::from_text(puzzle, &text, Fields::new()) {
            check(&level);
        }
    }
});
