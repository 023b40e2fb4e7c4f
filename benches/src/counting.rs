//! An allocator that counts the bytes in use while a measurement asks for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static BYTES: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    if ON.load(Ordering::Relaxed) {
        let used = BYTES.fetch_add(bytes, Ordering::Relaxed) + bytes;
        PEAK.fetch_max(used, Ordering::Relaxed);
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    }
}

fn remove(bytes: usize) {
    if ON.load(Ordering::Relaxed) {
        BYTES.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        remove(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        remove(layout.size());
        add(size);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The memory cost of making a value.
pub struct Counts {
    /// The bytes that the value keeps.
    pub bytes: usize,
    /// The maximum number of bytes in use while the value is made.
    pub peak: usize,
    pub allocations: usize,
}

/// Returns the result of `make`, and its memory cost.
pub fn count<T>(make: impl FnOnce() -> T) -> (T, Counts) {
    for counter in [&BYTES, &PEAK, &ALLOCATIONS] {
        counter.store(0, Ordering::Relaxed);
    }
    ON.store(true, Ordering::Relaxed);
    let made = make();
    ON.store(false, Ordering::Relaxed);
    let [bytes, peak, allocations] =
        [&BYTES, &PEAK, &ALLOCATIONS].map(|counter| counter.load(Ordering::Relaxed));
    (made, Counts { bytes, peak, allocations })
}
