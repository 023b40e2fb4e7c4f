//! Runs the command on a large stack, for configuration that is nested as deeply as the limits allow.

use std::thread;

/// Sizes of stacks, largest first. The system allocates the memory of a stack only as it is used.
const STACK_BYTES: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// Calls `run` on the largest stack that the system grants, and returns its exit code. A panic, which is a bug, ends the
/// process with the exit code `failure`.
pub(crate) fn on_large_stack(run: impl Fn() -> u8 + Sync, failure: u8) -> u8 {
    end_at_panic(failure);
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

/// Without this, a panic would abort the process, because release builds do not unwind.
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "the thread that panics cannot go on, and no other may"
)]
fn end_at_panic(failure: u8) {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        print(panic);
        std::process::exit(i32::from(failure));
    }));
}
