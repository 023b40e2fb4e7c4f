//! Shows a progress bar for long evaluations.

use std::cell::RefCell;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use terrane::Progress;

/// The duration of a run before a bar appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// A clock, and at a terminal a bar that appears during long runs.
pub(crate) struct Watch {
    started: Instant,
    is_on_terminal: bool,
    bar: RefCell<Option<ProgressBar>>,
}

impl Watch {
    /// Starts the clock.
    #[expect(clippy::disallowed_methods, reason = "the command says how long it took")]
    pub(crate) fn start() -> Watch {
        let is_on_terminal = io::stderr().is_terminal();
        Watch { started: Instant::now(), is_on_terminal, bar: RefCell::new(None) }
    }

    /// Shows the progress of the run, if standard error is a terminal.
    pub(crate) fn show(&self, progress: Progress) {
        if !self.is_on_terminal || self.started.elapsed() < PATIENCE {
            return;
        }
        let mut bar = self.bar.borrow_mut();
        let bar = bar.get_or_insert_with(|| {
            let total = u64::try_from(progress.total).unwrap_or(u64::MAX);
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{wide_bar} {percent}%");
            style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style))
        });
        bar.set_position(u64::try_from(progress.done).unwrap_or(u64::MAX));
    }

    /// Removes the bar. Returns the duration of the run.
    pub(crate) fn stop(&self) -> Duration {
        if let Some(bar) = self.bar.borrow_mut().take() {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }
}
