//! Control-C at the console ends the evaluation, not the session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// Whether control-C was pressed since an evaluation began.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The flag that control-C sets, once it is [watched](watch).
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&INTERRUPTED)
}

/// Makes control-C stop the evaluation instead of the command.
pub(crate) fn watch() {
    // Where that cannot be had, it ends the command, as everywhere else.
    let _ = flag::register(SIGINT, Arc::clone(&INTERRUPTED));
}

/// Forgets an earlier control-C.
pub(crate) fn clear() {
    INTERRUPTED.store(false, Ordering::Relaxed);
}
