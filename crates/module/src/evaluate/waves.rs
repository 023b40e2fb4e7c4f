//! Evaluates the steps of a run in waves on the threads of an executor.
//!
//! The steps of a wave do not depend on each other, so all threads evaluate them for all module instances at once, some
//! thousands of steps at a time; then one thread stores the results. Afterwards, diagnostics and module instances are
//! sorted into the order of an evaluation on one thread. An evaluation that comes near a limit is repeated on one
//! thread, because only the order determines which step exceeds it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use terrane_function::Together;
use terrane_source::{Diagnostic, Diagnostics};

use crate::evaluate::board::Board;
use crate::evaluate::driver::{Driver, Treatment};
use crate::evaluate::step::StepResult;
use crate::graph::{GraphStep, Step};
use crate::model::ids::{Arena, CallInModule, Id, InstanceId, OrderedStepId};
use crate::state::checks::ObjectChecks;

/// The cost of a step whose expressions take no steps of their own.
const COST_OF_STEP: u64 = 640;
/// Starting threads costs this many times as much as waking them.
const STARTS_PER_WAKING: u64 = 12;

/// The largest number of steps whose results wait to be stored.
const STEPS_AT_ONCE: usize = 4096;

/// The number of messages from which on those that are not listed at the end are only counted.
const MAX_WAITING: usize = 4 * Diagnostics::MAX_OF_A_KIND;

/// The share of the limit on steps, three quarters, from which on an evaluation is repeated on one thread: the
/// steps before that are wasted.
const FEWER_STEPS: (u64, u64) = (3, 4);

/// The end of a run on several threads.
pub(super) enum ParallelOutcome {
    /// Every step has its result. The diagnostics are in order.
    Finished(Diagnostics),
    /// The run was stopped from outside.
    Cancelled(Diagnostics),
    /// The run came near a limit.
    NearLimit,
}

/// A step of the order, for one module instance.
#[derive(Clone, Copy)]
struct Job {
    /// The position of the step in the order.
    place: OrderedStepId,
    step: Step,
    instance: InstanceId,
}

terrane_config::ids! {
    /// Names a job of a wave.
    JobId;
}

/// A job with its id.
#[derive(Clone, Copy)]
struct NamedJob {
    id: JobId,
    job: Job,
}

/// The result of a job.
struct Done {
    job: NamedJob,
    result: StepResult,
    usage: Usage,
}

/// The use of the limits by steps.
#[derive(Clone, Copy, Default)]
struct Usage {
    steps: u64,
    memory: u64,
}

/// The parts of the results of jobs that are stored in the order of the steps, when all steps are done.
#[derive(Default)]
struct WaitingResults {
    diagnostics: Vec<(OrderedStepId, Diagnostic)>,
    checks: Vec<(Job, Vec<ObjectChecks>)>,
    /// The bytes of the messages.
    bytes: usize,
    /// The number and the bytes of the messages after the last time that only those to list were kept.
    kept: (usize, usize),
}

impl WaitingResults {
    fn add(&mut self, job: Job, diagnostics: Diagnostics, checks: Vec<ObjectChecks>) {
        for found in diagnostics {
            self.bytes += found.size();
            self.diagnostics.push((job.place, found));
        }
        if !checks.is_empty() {
            self.checks.push((job, checks));
        }
        let (kept, kept_bytes) = self.kept;
        let is_long = self.diagnostics.len() >= 2 * kept + MAX_WAITING;
        if is_long || self.bytes >= kept_bytes + Diagnostics::MAX_BYTES {
            self.keep_listed();
            self.kept = (self.diagnostics.len(), self.bytes);
        }
    }

    /// Keeps the messages that [`Diagnostics`] lists, so that hundreds of thousands do not wait in memory.
    fn keep_listed(&mut self) {
        self.sort();
        let (mut listed, mut places) = (Diagnostics::new(), Vec::new());
        for (place, diagnostic) in std::mem::take(&mut self.diagnostics) {
            listed.push(diagnostic);
            if listed.as_slice().len() > places.len() {
                places.push(place);
            }
        }
        self.bytes = listed.as_slice().iter().map(Diagnostic::size).sum();
        self.diagnostics = places.into_iter().zip(listed).collect();
    }

    /// Sorts by the order of the steps. The sort is stable: diagnostics of one step keep the order of the module instances.
    fn sort(&mut self) {
        self.diagnostics.sort_by_key(|(place, _)| *place);
        self.checks.sort_by_key(|(job, _)| job.place);
    }
}

/// Whether an evaluation has cost enough so far to continue with several threads.
pub(super) fn is_worth_threads(driver: &Driver<'_>, jobs: usize) -> bool {
    // If the graph has cycles, it has no waves.
    driver.ancestry.is_some()
        && driver.evaluation.meter.steps().saturating_add(cost_of_jobs(jobs)) >= driver.executor.least_cost()
}

fn cost_of_jobs(jobs: usize) -> u64 {
    u64::try_from(jobs).unwrap_or(u64::MAX).saturating_mul(COST_OF_STEP)
}

/// Evaluates the steps of the order from `first` on.
pub(super) fn run(
    driver: &mut Driver<'_>,
    first: OrderedStepId,
    progress: &dyn Fn(usize),
) -> ParallelOutcome {
    let steps = driver.order.steps.ids();
    let Some(waves) = driver.ancestry.as_ref().map(|ancestry| ancestry.waves(steps, first)) else {
        return ParallelOutcome::NearLimit;
    };
    let done = first.index();
    let executor = driver.executor;
    let limits = &driver.evaluation.config.request.limits;
    let together = Together::new(limits.steps / FEWER_STEPS.1 * FEWER_STEPS.0, limits.memory);
    let parallel = ParallelRun {
        board: Board::new(executor.threads()),
        driver: RwLock::new(driver),
        together: Arc::new(together),
        memory: AtomicU64::new(0),
        is_stopped: AtomicBool::new(false),
    };
    let mut outcome = ParallelOutcome::NearLimit;
    let mut lead = || {
        let _closing = parallel.board.closing();
        outcome = parallel.lead(&waves, done, progress);
    };
    executor.run(&mut lead, &|| parallel.board.help(|job| parallel.work(job)));
    outcome
}

/// A run over all steps, shared by the threads.
struct ParallelRun<'p, 'd> {
    /// Locked for writing only between two waves.
    driver: RwLock<&'p mut Driver<'d>>,
    board: Board<NamedJob, Option<Done>>,
    /// The steps and bytes of all jobs in the current wave.
    together: Arc<Together>,
    /// The bytes of the results of these jobs.
    memory: AtomicU64,
    /// Whether a step has exceeded a limit, so that the run must be repeated.
    is_stopped: AtomicBool,
}

impl<'p, 'd> ParallelRun<'p, 'd> {
    fn read(&self) -> RwLockReadGuard<'_, &'p mut Driver<'d>> {
        self.driver.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, &'p mut Driver<'d>> {
        self.driver.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates the waves one after another.
    fn lead(
        &self,
        waves: &[Vec<OrderedStepId>],
        mut done: usize,
        progress: &dyn Fn(usize),
    ) -> ParallelOutcome {
        let mut found = WaitingResults::default();
        for wave in waves.iter().flat_map(|wave| wave.chunks(STEPS_AT_ONCE)) {
            if self.read().evaluation.config.request.limits.is_cancelled() {
                return self.stopped(found);
            }
            for _ in wave {
                progress(done);
                done += 1;
            }
            let jobs = self.write().jobs(wave, &mut found);
            self.memory.store(0, Ordering::Relaxed);
            self.together.begin(&self.read().evaluation.meter);
            let results = self.results(&jobs);
            let Some(results) = results.into_iter().collect::<Option<Vec<Done>>>() else {
                return self.stopped(found);
            };
            if !self.write().store_all(results, &mut found) {
                return ParallelOutcome::NearLimit;
            }
        }
        let mut driver = self.write();
        let order = driver.order;
        let calls = order.steps.iter().filter_map(|GraphStep { module, step }| match step {
            Step::Call(call) => Some(CallInModule { module: *module, call: *call }),
            Step::Variable(_) | Step::Local(_) | Step::Resource(_) | Step::Output(_) | Step::Check(_) => None,
        });
        // The jobs have the numbers from before the renumbering.
        let all = driver.in_order(found);
        driver.evaluation.renumber(calls);
        ParallelOutcome::Finished(all)
    }

    /// Returns the outcome of a run that was stopped, from outside or by a limit.
    fn stopped(&self, found: WaitingResults) -> ParallelOutcome {
        let mut of_limits = Diagnostics::new();
        if !self.read().is_over(&mut of_limits) {
            return ParallelOutcome::NearLimit;
        }
        let mut all = self.write().in_order(found);
        all.extend(of_limits);
        ParallelOutcome::Cancelled(all)
    }

    /// Returns the results of jobs in their order; `None` for jobs after the job that exceeded a limit.
    fn results(&self, jobs: &Arena<JobId, Job>) -> Vec<Option<Done>> {
        let mut results = Vec::with_capacity(jobs.len());
        let mut left = jobs.enumerate().map(|(id, job)| NamedJob { id, job: *job });
        let mut cost = 0_u64;
        let least = self.read().executor.least_cost() / STARTS_PER_WAKING;
        while let Some(job) = left.next() {
            let done = self.work(job);
            cost = cost.saturating_add(done.as_ref().map_or(0, |done| done.usage.steps)) + COST_OF_STEP;
            results.push(done);
            // The remaining jobs are assumed to cost as much as the finished ones.
            let average = cost / u64::try_from(results.len()).unwrap_or(1).max(1);
            let count = jobs.len() - results.len();
            let expected = average.saturating_mul(u64::try_from(count).unwrap_or(u64::MAX));
            if count > 1 && expected >= least {
                results.extend(self.board.share(left, |job| self.work(job)));
                break;
            }
        }
        results.sort_unstable_by_key(|done| done.as_ref().map(|done| done.job.id));
        results
    }

    /// Returns the result of a job; `None` if it, or an earlier job, has exceeded a limit.
    fn work(&self, named: NamedJob) -> Option<Done> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return None;
        }
        let driver = self.read();
        let reserve = driver.reserve();
        let meter = driver.evaluation.meter.fork(reserve, &self.together);
        let (steps, memory) = (meter.steps(), meter.memory());
        let inputs = driver.step_inputs(&meter);
        let result = inputs.evaluate(named.job.instance, named.job.step);
        if meter.is_stopped() {
            self.is_stopped.store(true, Ordering::Relaxed);
            return None;
        }
        let usage = Usage {
            steps: meter.steps().saturating_sub(steps),
            memory: meter.memory().saturating_sub(memory),
        };
        let in_wave = |sum: &AtomicU64, part| sum.fetch_add(part, Ordering::Relaxed).saturating_add(part);
        let is_over = meter.exceeds_together(meter.steps(), meter.memory())
            || in_wave(&self.memory, usage.memory) > reserve;
        if is_over || result.is_over {
            self.is_stopped.store(true, Ordering::Relaxed);
            return None;
        }
        Some(Done { job: named, result, usage })
    }
}

impl Driver<'_> {
    /// Stores the results of conditions in the order of the steps. Returns all diagnostics in this order.
    fn in_order(&mut self, mut found: WaitingResults) -> Diagnostics {
        found.sort();
        for (job, checks) in found.checks {
            self.store_checks(job.instance, checks);
        }
        found.diagnostics.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }

    /// Returns the jobs of a wave. Steps that are left to the plan, and steps in doubt, get their values at once; the
    /// conditions of steps in doubt go to `found`.
    fn jobs(&mut self, wave: &[OrderedStepId], found: &mut WaitingResults) -> Arena<JobId, Job> {
        let mut jobs = Arena::default();
        for place in wave.iter().copied() {
            let GraphStep { module, step } = self.order.steps[place];
            let treatment = self.treatment(module, step);
            for instance in self.evaluation.by_node[module].clone() {
                let job = Job { place, step, instance };
                match treatment {
                    // If the graph has cycles, it has no waves.
                    Treatment::Skip | Treatment::Cycle => break,
                    Treatment::LeaveToPlan => self.store_any(instance, step),
                    Treatment::Evaluate if self.stays_unknown(instance, step) => {
                        self.store_error(instance, step);
                        let checks = self.checks_without_results(instance, step);
                        found.add(job, Diagnostics::new(), checks);
                    }
                    Treatment::Evaluate => _ = jobs.push(job),
                }
            }
        }
        jobs
    }

    /// Returns the bytes that are kept free while a wave is evaluated, for values of its other steps.
    fn reserve(&self) -> u64 {
        self.evaluation.config.request.limits.memory.saturating_sub(self.evaluation.meter.memory()) / 2
    }

    /// Stores the results of a wave. Returns false if an evaluation in order could exceed a limit.
    fn store_all(&mut self, results: Vec<Done>, found: &mut WaitingResults) -> bool {
        let mut sum = Usage::default();
        for Done { usage, .. } in &results {
            sum.steps = sum.steps.saturating_add(usage.steps);
            sum.memory = sum.memory.saturating_add(usage.memory);
        }
        let meter = &self.evaluation.meter;
        let steps = meter.steps().saturating_add(sum.steps);
        let is_within = steps <= self.evaluation.config.request.limits.steps && sum.memory <= self.reserve();
        if !is_within {
            return false;
        }
        meter.count_to(steps);
        meter.hold(meter.memory().saturating_add(sum.memory));
        for Done { job: NamedJob { job, .. }, mut result, .. } in results {
            let (mut diagnostics, checks) = (Diagnostics::new(), std::mem::take(&mut result.checks));
            self.store(job.instance, job.step, result, &mut diagnostics);
            found.add(job, diagnostics, checks);
        }
        true
    }
}
