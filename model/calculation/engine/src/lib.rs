//! IronCalc behind ten functions of WebAssembly. An instance holds one workbook, has no imports, and so gives the same
//! values wherever it runs.
//!
//! The caller writes into memory that it has asked for (`reserve`), and reads a result at `result_start`, `result_length`.
mod buffer;
mod engine;
mod values;

use buffer::Reader;
use engine::Engine;
use ironcalc_base::host;
use std::cell::RefCell;

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static RESULT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn answer(bytes: Vec<u8>) {
    RESULT.set(bytes);
}

/// Runs `task` with the engine, and with what the caller has written.
fn with_engine(task: impl FnOnce(&mut Engine, Reader)) {
    let input = INPUT.take();
    ENGINE.with_borrow_mut(|engine| {
        if let Some(engine) = engine {
            task(engine, Reader::new(&input));
        }
    });
}

/// Memory for `length` bytes of the next call.
#[no_mangle]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

#[no_mangle]
pub extern "C" fn result_start() -> *const u8 {
    RESULT.with_borrow(|result| result.as_ptr())
}

#[no_mangle]
pub extern "C" fn result_length() -> usize {
    RESULT.with_borrow(|result| result.len())
}

/// Makes the workbook without its cells. The result is empty, or what is wrong.
#[no_mangle]
pub extern "C" fn load() {
    let input = INPUT.take();
    match Engine::new(Reader::new(&input)) {
        Ok(engine) => {
            ENGINE.set(Some(engine));
            answer(Vec::new());
        }
        Err(reason) => answer(reason.into_bytes()),
    }
}

/// All formulas together may take so many steps from now on; then each may take few.
#[no_mangle]
pub extern "C" fn limit(steps: f64) {
    host::limit(steps as u64);
}

/// Sets cells. The result names those that were refused: for each, u32 sheet, row, column, and why (`engine::Refusal`).
#[no_mangle]
pub extern "C" fn apply() {
    with_engine(|engine, input| answer(engine.apply(input)));
}

/// Calculates what depends on cells that were set since the last call, as of the local time `now` (a serial number) and with the seed of what is random.
#[no_mangle]
pub extern "C" fn recalculate(now: f64, seed: u32) {
    host::set(now, seed as u64);
    with_engine(|engine, _| engine.recalculate());
}

/// The values of formulas that are others than at the last call (`values::Changes`).
#[no_mangle]
pub extern "C" fn changed() {
    with_engine(|engine, _| answer(engine.changed()));
}

/// What a formula that is in no cell comes to, as seen from a cell, after `recalculate` (`Engine::evaluate`). The caller writes its text.
#[no_mangle]
pub extern "C" fn evaluate(sheet: u32, row: u32, column: u32, most: usize) {
    with_engine(|engine, mut input| {
        let text = input.text();
        answer(engine.evaluate((sheet, row as i32, column as i32), &text, most));
    });
}

/// Where a formula was being read or calculated last: also after a trap. The result is u32 sheet, row, column.
#[no_mangle]
pub extern "C" fn current() {
    let (sheet, row, column) = host::current();
    let parts = [sheet, row as u32, column as u32];
    answer(parts.iter().flat_map(|part| part.to_le_bytes()).collect());
}
