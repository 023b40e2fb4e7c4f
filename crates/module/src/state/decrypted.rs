//! Keeps decrypted remote states, because the instances of a data source read one file, and deriving a key takes long.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use terrane_config::state_file::{Decryption, decrypted_within};
use terrane_function::{CallEnv, Meter};

/// The decrypted text, or the reason why there is none.
type Plain = Result<Arc<str>, String>;

/// The decrypted texts of files by path, for each set of methods that was used.
#[derive(Default, Debug)]
pub(crate) struct DecryptedStates(Mutex<BTreeMap<String, Vec<CachedDecryption>>>);

#[derive(Debug)]
struct CachedDecryption {
    decryption: Decryption,
    plain: Plain,
    /// The steps that deriving the keys has taken.
    steps: u64,
    /// Whether the present run has counted these steps.
    is_counted: bool,
}

impl DecryptedStates {
    /// Begins a run, which counts the steps of each file once.
    pub(crate) fn begin(&mut self) {
        let by_path = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        by_path.values_mut().flatten().for_each(|decrypted| decrypted.is_counted = false);
    }

    /// Returns the decrypted text of the file at `path`, whose content is `text`. Deriving its keys
    /// counts as steps of the run.
    pub(crate) fn plain(&self, path: &str, text: &str, decryption: &Decryption, env: &CallEnv<'_>) -> Plain {
        let used = || env.meter.map_or(0, Meter::steps);
        let count = |steps: u64| {
            if let Some(meter) = env.meter {
                meter.count_to(used().saturating_add(steps));
            }
        };
        // One thread derives a key while the others wait for it.
        let mut by_path = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_path = by_path.entry(path.to_owned()).or_default();
        if let Some(decrypted) = of_path.iter_mut().find(|decrypted| decrypted.decryption == *decryption) {
            if !std::mem::replace(&mut decrypted.is_counted, true) {
                count(decrypted.steps);
            }
            return decrypted.plain.clone();
        }
        let before = env.limits.steps.saturating_sub(used());
        let mut left = before;
        let plain = decrypted_within(text, decryption, &mut left);
        let plain = plain.map(|plain| plain.into()).map_err(|error| error.to_string());
        if left == 0 {
            // The run ends here. Another run may have more steps left.
            count(before.saturating_add(1));
            return plain;
        }
        let steps = before - left;
        count(steps);
        of_path.push(CachedDecryption {
            decryption: decryption.clone(),
            plain: plain.clone(),
            steps,
            is_counted: true,
        });
        plain
    }
}
