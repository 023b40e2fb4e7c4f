use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Elements for which a further thread pays.
const PER_THREAD: usize = 8;
/// Room for configuration that is nested as deeply as the parser allows.
const STACK_BYTES: usize = 16 << 20;

/// Applies `work` to all elements, on as many threads as there are cores; the results are in the order of the
/// elements.
pub(super) fn map<T: Sync, R: Send>(elements: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(elements.len() / PER_THREAD);
    let next = AtomicUsize::new(0);
    let take = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(element) = elements.get(index) else { return results };
            results.push((index, work(element)));
        }
    };
    let mut results = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, take).ok();
        let helpers: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut results = take();
        for helper in helpers {
            match helper.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_are_in_order() {
        let numbers: Vec<u32> = (0..1000).collect();
        assert_eq!(map(&numbers, |number| number * 2), numbers.iter().map(|n| n * 2).collect::<Vec<_>>());
        assert!(map(&[], |number: &u32| *number).is_empty());
    }
}
