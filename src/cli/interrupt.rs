//! Ctrl-C and requests to end: the first ends a run where it can be resumed, the second at once.

use std::io::{IsTerminal, stderr};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// The exit code of a run that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// From now on an interrupt ends the run in order.
pub fn watch() {
    let on_interrupt = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            if stderr().is_terminal() {
                // A progress bar may have hidden the cursor.
                anstream::eprint!("\x1b[?25h");
            }
            exit(INTERRUPTED.into());
        }
        anstream::eprintln!("stopping when the levels in flight are done; again to stop at once");
    };
    // Where no handler can be had, an interrupt ends the program as it always does.
    let _ = ctrlc::set_handler(on_interrupt);
}

/// Whether the run was asked to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
