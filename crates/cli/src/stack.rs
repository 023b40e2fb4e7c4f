//! Room for configuration that is nested as deeply as the limits allow.

use std::thread;

/// The system gives memory to a stack only as it is used.
const STACK_BYTES: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Runs on the largest stack that the system grants; gives the exit code, or `failure` where it does not end as it should.
pub(crate) fn on_large_stack(run: impl Fn() -> u8 + Sync, failure: u8) -> u8 {
    for size in STACK_BYTES {
        let code = thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(size).spawn_scoped(scope, &run);
            thread.ok().map(|thread| thread.join().unwrap_or(failure))
        });
        if let Some(code) = code {
            return code;
        }
    }
    run()
}
