//! Which formulas are on circles, as it turns out while they run.
use crate::evaluation::{CellKey, KeyBuild};
use crate::expressions::types::CellReferenceIndex;
use std::collections::HashMap;

/// Formulas on circles, each with where the lowest formula stood on the stack that is known to be on a circle with it.
#[derive(Default)]
pub(crate) struct Circles {
    begins: HashMap<CellKey, (usize, CellKey), KeyBuild>,
    /// The formula on top when a circle was closed last: how high the stack was, which one it is, and where its circle begins.
    top: Option<(usize, CellKey, usize)>,
}

impl Circles {
    pub(crate) fn clear(&mut self) {
        self.begins.clear();
        self.top = None;
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
        let top = stack.last().map(key);
        self.top = top.and_then(|top| Some((stack.len(), top, self.begins.get(&top)?.0)));
    }

    /// Whether nothing comes to be known when the formula on top of the stack reads another one on a circle: its own begins no later.
    pub(crate) fn says_nothing(&self, stack: &[CellReferenceIndex], read: &CellKey) -> bool {
        let Some((height, top, begin)) = self.top else { return false };
        if height != stack.len() || stack.last().map(key) != Some(top) {
            return false;
        }
        let known = self.begins.get(read);
        known.is_some_and(|(place, first)| begin <= *place && stack.get(*place).map(key) == Some(*first))
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
