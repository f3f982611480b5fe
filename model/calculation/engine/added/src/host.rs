//! What the program around the engine decides: the time, the seed of random numbers, and which formula runs for how long.
use crate::calc_result::CalcResult;
use crate::expressions::parser::ArrayNode;
use std::cell::Cell;

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
    static SEED: Cell<u64> = const { Cell::new(0) };
    static CURRENT: Cell<(u32, i32, i32)> = const { Cell::new((0, 0, 0)) };
    static DRAWS: Cell<u64> = const { Cell::new(0) };
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static REFUSED: Cell<bool> = const { Cell::new(false) };
    static FROM_1904: Cell<bool> = const { Cell::new(false) };
}

/// Sets the local date and time as a serial number, and the seed of everything random.
pub fn set(now: f64, seed: u64) {
    NOW.set(now);
    SEED.set(seed);
    STEPS.set(0);
    REFUSED.set(false);
}

pub(crate) fn now() -> f64 {
    NOW.get()
}

/// Days that the serial numbers of the 1904 system are behind those of the 1900 system.
const BEHIND: i32 = 1462;

/// Says from which year serial numbers count.
pub fn set_from_1904(from_1904: bool) {
    FROM_1904.set(from_1904);
}

pub(crate) fn from_1904() -> bool {
    FROM_1904.get()
}

/// The serial number of a day that is counted from the first of January of the year 1.
pub(crate) fn serial_of_day(day: i32) -> i32 {
    let serial = day - crate::constants::EXCEL_DATE_BASE;
    if from_1904() {
        serial - BEHIND
    } else if serial <= 60 {
        // There was no 29 February 1900, which is number 60.
        serial - 1
    } else {
        serial
    }
}

/// The days from the first of January 1900 to a serial number.
pub(crate) fn days_from_1900(serial: i64) -> i64 {
    if from_1904() {
        serial + BEHIND as i64 - 2
    } else if serial < 60 {
        serial - 1
    } else {
        serial - 2
    }
}

/// Which day of the week a serial number is, from Monday as 0: before March 1900 as if there had been a 29 February.
pub(crate) fn days_from_monday(serial: i64) -> usize {
    let serial = if from_1904() { serial + BEHIND as i64 } else { serial };
    (serial + 5).rem_euclid(7) as usize
}

/// How many steps the call of a LAMBDA is.
pub(crate) const CALL: usize = 25;
/// How many more it is to find nothing in a cell, which is noted.
pub(crate) const NOTHING: usize = 4;

/// How many parts of itself a formula may calculate and cells it may read, not counted what other formulas need that it reads: some
/// seconds. It is a number, and no time, so that everybody gives up the same formulas.
const MOST_STEPS: u64 = 50_000_000;

/// How many a formula may once the steps of all formulas together are spent: far more than everyday ones need.
const FEW_STEPS: u64 = MOST_STEPS / 100;

/// Says how many steps all formulas together may take before each has few.
pub fn limit(steps: u64) {
    LEFT.set(steps);
}

fn most_steps() -> u64 {
    if LEFT.get() == 0 {
        FEW_STEPS
    } else {
        MOST_STEPS
    }
}

/// The message of the error that a formula is which takes more steps.
pub const TOO_LONG: &str = "too long";

/// Where a formula is that waits for another one.
pub struct Waiting {
    cell: (u32, i32, i32),
    draws: u64,
    steps: u64,
    refused: bool,
}

/// Notes the cell whose formula begins to run. Returns what `leave` takes when it has ended.
pub fn enter(cell: (u32, i32, i32)) -> Waiting {
    Waiting {
        cell: CURRENT.replace(cell),
        draws: DRAWS.replace(0),
        steps: STEPS.replace(0),
        refused: REFUSED.replace(false),
    }
}

/// Notes that the formula before goes on.
pub fn leave(before: Waiting) {
    LEFT.set(LEFT.get().saturating_sub(STEPS.get()));
    CURRENT.set(before.cell);
    DRAWS.set(before.draws);
    STEPS.set(before.steps);
    REFUSED.set(before.refused);
}

/// Notes that the formula which runs needs what is not calculated: it has no value, whatever it makes of that error.
pub(crate) fn refuse() {
    REFUSED.set(true);
}

pub(crate) fn is_refused() -> bool {
    REFUSED.get()
}

/// Counts steps of the formula that runs. Returns whether it has to end; a function that goes on all the same is broken off, as by a
/// breakdown of the engine.
pub(crate) fn spend(steps: usize) -> bool {
    STEPS.set(STEPS.get().saturating_add(steps as u64));
    assert!(STEPS.get() <= 2 * MOST_STEPS, "A function does not come to its end");
    is_spent()
}

/// How many operations on numbers in memory, or on letters of a text, take as long as a step.
const OPERATIONS: usize = 32;
/// How many operations it is to make an element of an array.
const ELEMENT: usize = 8;

/// Counts what a function is going to do in one go. Returns whether it is too much: then it has to do without.
pub(crate) fn plan(operations: usize) -> bool {
    let steps = STEPS.get().saturating_add((operations / OPERATIONS) as u64);
    STEPS.set(steps.min(STEPS.get().max(most_steps() + 1)));
    is_spent()
}

/// How long a text is, as far as it counts.
pub(crate) fn letters(node: &ArrayNode) -> usize {
    match node {
        ArrayNode::String(text) => text.len(),
        _ => 0,
    }
}

/// Counts the making of a value, as far as it is large.
pub(crate) fn made(value: &CalcResult) {
    let operations = match value {
        CalcResult::Array(rows) => rows.iter().flatten().map(|node| ELEMENT + letters(node)).sum(),
        CalcResult::String(text) => text.len(),
        _ => 0,
    };
    plan(operations);
}

pub(crate) fn is_spent() -> bool {
    STEPS.get() > most_steps()
}

/// The cell whose formula began last, also after a trap.
pub fn current() -> (u32, i32, i32) {
    CURRENT.get()
}

/// A number from 0 up to 1 that depends on the seed, the cell, and how many its formula has drawn: not on the order in which
/// cells are calculated.
pub(crate) fn random() -> f64 {
    let (sheet, row, column) = CURRENT.get();
    let draw = DRAWS.get();
    DRAWS.set(draw + 1);
    let mut x = SEED.get();
    for part in [sheet as u64, row as u64, column as u64, draw] {
        x = mixed(x ^ mixed(part.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

/// The finalizer of SplitMix64.
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
