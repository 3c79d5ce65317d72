//! Executors and pools with real workers, whose programs do the worst. This executable is the test, the sandbox (as the
//! tool's own executable is) and the worker: `subject` is the crate under test.

#[cfg(target_os = "linux")]
mod deaths;
#[cfg(target_os = "linux")]
mod plain;
#[cfg(target_os = "linux")]
mod programs;
mod reaching;
#[cfg(target_os = "linux")]
mod subject;

use std::process::ExitCode;

use testsmith_proc::sandbox;

#[global_allocator]
static ALLOCATOR: testsmith_rt::harness::Counting = testsmith_rt::harness::Counting;

testsmith_rt::chance!();
testsmith_rt::outside!();

/// A test by its name.
type Test = (&'static str, fn());

/// Tests by their function.
#[cfg(target_os = "linux")]
macro_rules! tests {
    ($($module:ident::$name:ident),* $(,)?) => {
        &[$((stringify!($name), $module::$name as fn())),*]
    };
}

#[cfg(target_os = "linux")]
const TESTS: &[Test] = tests![
    plain::a_worker_introduces_itself,
    plain::executions_are_in_the_order_of_the_runs,
    plain::an_empty_batch_has_an_empty_answer,
    plain::infected_mutants_are_run,
    plain::programs_cannot_write_outside_of_their_folder,
    plain::a_worker_is_kept_from_batch_to_batch,
    plain::a_worker_that_leaks_is_replaced,
    plain::a_worker_with_threads_left_over_is_replaced,
    plain::without_trust_every_run_has_its_own_process,
    plain::only_programs_that_touch_state_have_their_own_process,
    reaching::a_program_that_reaches_outside_is_ended_before_it_does,
    reaching::what_is_allowed_is_done,
    reaching::nothing_is_told_of_a_mutant_that_reaches_outside,
    plain::observations_that_change_from_process_to_process_are_marked,
    plain::what_is_random_is_the_same_in_all_usual_workers_and_not_in_others,
    plain::a_pool_gives_results_in_the_order_of_the_batches,
    plain::a_pool_keeps_its_workers,
    plain::what_a_worker_costs_is_little,
    plain::a_program_that_is_no_worker_is_told,
    plain::a_batch_for_another_worker_is_no_death,
    deaths::an_original_that_dies_takes_nobody_along,
    deaths::every_death_has_its_outcome,
    deaths::a_mutant_that_dies_is_a_difference,
    deaths::with_fork_no_worker_dies,
    deaths::with_mutants_apart_none_of_them_reaches_the_worker,
    deaths::a_batch_full_of_deaths_still_has_all_answers,
    deaths::a_program_that_closes_every_file_has_an_answer,
    deaths::mutants_are_confirmed_in_fresh_processes,
    deaths::deaths_in_a_pool_do_not_mix_up_results,
    // The last one, because the wish to stop holds for the whole process.
    deaths::an_interruption_is_a_failure,
];
#[cfg(not(target_os = "linux"))]
const TESTS: &[Test] = &[];

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    match words.first() {
        Some(&sandbox::ROLE) => {
            eprintln!("error: {}", sandbox::become_sandboxed(args.into_iter().skip(1)));
            return ExitCode::from(2);
        }
        #[cfg(target_os = "linux")]
        Some(&subject::WORKER) => {
            testsmith_rt::harness::serve(subject::tables());
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    // As much of libtest's command line as its callers use.
    let is_meant = |name: &str| {
        let mut filters = words.iter().filter(|word| !word.starts_with('-')).peekable();
        filters.peek().is_none() || filters.any(|filter| name.contains(filter))
    };
    for (name, test) in TESTS.iter().filter(|(name, _)| is_meant(name) && !words.contains(&"--ignored")) {
        if words.contains(&"--list") {
            println!("{name}: test");
        } else {
            // A test that panics ends all of them, and says where.
            test();
            println!("test {name} ... ok");
        }
    }
    ExitCode::SUCCESS
}
