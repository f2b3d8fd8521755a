//! Settings in TOML: what is read reads back as itself from JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pourfect::config::{self, Settings};
use pourfect::read;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = read::text(bytes) else { return };
    let Ok((settings, _)) = config::read(&text, &Default::default()) else { return };
    let json = serde_json::to_string(&settings).unwrap();
    assert_eq!(read::json::<Settings>(&json).unwrap(), settings);
});
