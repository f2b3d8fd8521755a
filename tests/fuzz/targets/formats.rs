//! Other games' files: the first byte chooses the format and what the file leaves open.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pourfect::convert::{FORMATS, Options, Zero};
use pourfect::read;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let Ok(text) = read::text(bytes) else { return };
    let format = FORMATS[usize::from(choice >> 3) % FORMATS.len()];
    let mut options = Options {
        zero: Some(if choice & 1 == 0 { Zero::Color } else { Zero::Empty }),
        top_first: choice & 2 != 0,
        ..Options::default()
    };
    if choice & 4 != 0 {
        options.rules.insert("capacity".to_owned(), 4.into());
    }
    let Ok(file) = format.read(&text, &options) else { return };
    for format in FORMATS {
        let _ = format.write(&file, &options, &mut std::io::sink());
    }
});
