//! Which formulas are on circles, as it turns out while they run.
use crate::evaluation::{CellKey, KeyBuild};
use crate::expressions::types::CellReferenceIndex;
use std::collections::HashMap;

/// Formulas on circles, each with where the lowest formula stood on the stack that is known to be on a circle with it.
#[derive(Default)]
pub(crate) struct Circles {
    begins: HashMap<CellKey, (usize, CellKey), KeyBuild>,
}

impl Circles {
    pub(crate) fn clear(&mut self) {
        self.begins.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.begins.is_empty()
    }

    pub(crate) fn contains(&self, cell: &CellKey) -> bool {
        self.begins.contains_key(cell)
    }

    /// Notes that the formula on top of the stack reads one that runs, or that has run and is on a circle. Where that closes a circle,
    /// what is on the stack from some place on is on it.
    pub(crate) fn close(&mut self, stack: &[CellReferenceIndex], read: CellKey) {
        let Some(begin) = self.begin_of(stack, read) else { return };
        let first = key(&stack[begin]);
        for cell in stack[begin..].iter().rev() {
            let known = self.begins.entry(key(cell)).or_insert((usize::MAX, first));
            // So is everything below it, down to there.
            if known.0 <= begin {
                break;
            }
            *known = (begin, first);
        }
    }

    /// Where the lowest formula stands on the stack that is on a circle with this one.
    fn begin_of(&self, stack: &[CellReferenceIndex], mut cell: CellKey) -> Option<usize> {
        loop {
            match self.begins.get(&cell) {
                None => return stack.iter().rposition(|one| key(one) == cell),
                Some((place, first)) if stack.get(*place).map(key) == Some(*first) => return Some(*place),
                // It has run: its circle may go on to one that has not.
                Some((_, first)) if *first != cell => cell = *first,
                Some(_) => return None,
            }
        }
    }
}

fn key(cell: &CellReferenceIndex) -> CellKey {
    (cell.sheet, cell.row, cell.column)
}
