//! Packs, as one object and as lines: what is read can be written in every form and looked at.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pourfect::pack::Pack;
use pourfect::report::Form;

fuzz_target!(|bytes: &[u8]| {
    let Ok(pack) = Pack::read(bytes) else { return };
    for form in [Form::Object, Form::Lines] {
        let mut out = Vec::new();
        form.pack().write(&pack, &mut out).unwrap();
        assert_eq!(Pack::read(&out[..]).unwrap(), pack);
    }
    for report in Form::Object.reports(pack.levels.len() as u64) {
        report.write(&pack, &mut std::io::sink()).unwrap();
    }
});
