//! Makes control-C at the console stop the evaluation, not the session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// Whether control-C was pressed since the current evaluation began.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Returns the flag that control-C sets, once it is [watched](watch).
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&INTERRUPTED)
}

/// Makes control-C stop the evaluation instead of the command.
pub(crate) fn watch() {
    // If the handler cannot be installed, control-C ends the command, as everywhere else.
    let _ = flag::register(SIGINT, Arc::clone(&INTERRUPTED));
}

/// Clears an earlier control-C.
pub(crate) fn clear() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}
