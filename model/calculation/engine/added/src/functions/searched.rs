//! Rows and columns in which is searched. Those of cells are kept until one of the cells may have another value, and know where each
//! value is from the second search on.
use super::search::{are_alike, ordering};
use crate::areas::{Area, AreaIndex};
use crate::calc_result::CalcResult;
use crate::evaluation::{is_failure, CellKey};
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;
use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

/// A value as far as an index tells it from others: some that are not equal have one, as texts that differ by rare letters.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Number(u64),
    Text(String),
    Boolean(bool),
}

impl Key {
    /// None of what is never found.
    fn of(value: &CalcResult) -> Option<Key> {
        match value {
            CalcResult::Number(number) if number.is_nan() => None,
            // Both zeros are one.
            CalcResult::Number(number) => Some(Key::Number((number + 0.0).to_bits())),
            CalcResult::String(text) => Some(Key::Text(text.to_lowercase().to_uppercase())),
            CalcResult::Boolean(truth) => Some(Key::Boolean(*truth)),
            _ => None,
        }
    }
}

/// Where each value is first, and for each place where the same value is next.
struct Index {
    first: HashMap<Key, usize>,
    next: Vec<Option<usize>>,
}

/// The places of numbers, texts and truths.
type PlacesByType = [(CalcResult, Vec<usize>); 3];

#[derive(Default)]
pub(crate) struct Searched {
    values: Vec<CalcResult>,
    searches: Cell<u32>,
    index: OnceCell<Index>,
    by_type: OnceCell<PlacesByType>,
}

impl std::ops::Deref for Searched {
    type Target = [CalcResult];

    fn deref(&self) -> &[CalcResult] {
        &self.values
    }
}

impl From<Vec<CalcResult>> for Searched {
    fn from(values: Vec<CalcResult>) -> Self {
        Searched { values, ..Default::default() }
    }
}

impl Searched {
    /// Where a value is first.
    pub(crate) fn first_place_of(&self, target: &CalcResult) -> Option<usize> {
        self.places_like(target).find(|&at| ordering(&self.values[at], target) == Some(Ordering::Equal))
    }

    /// Places in their order, among which are all that have a value.
    pub(crate) fn places_like(&self, target: &CalcResult) -> Box<dyn Iterator<Item = usize> + '_> {
        self.searches.set(self.searches.get().saturating_add(1));
        if self.searches.get() == 1 {
            return Box::new(0..self.values.len());
        }
        let index = self.index.get_or_init(|| self.indexed());
        let first = Key::of(target).and_then(|key| index.first.get(&key).copied());
        Box::new(std::iter::successors(first, |&at| index.next[at]))
    }

    fn indexed(&self) -> Index {
        let mut index = Index { first: HashMap::new(), next: vec![None; self.values.len()] };
        for (at, value) in self.values.iter().enumerate().rev() {
            if let Some(key) = Key::of(value) {
                index.next[at] = index.first.insert(key, at);
            }
        }
        index
    }

    /// The places of the values that can be compared with one.
    pub(crate) fn comparable(&self, target: &CalcResult) -> &[usize] {
        let by_type = self.by_type.get_or_init(|| {
            let of = |example: CalcResult| {
                let places = (0..self.values.len()).filter(|&at| are_alike(&self.values[at], &example)).collect();
                (example, places)
            };
            [of(CalcResult::Number(0.0)), of(CalcResult::String(String::new())), of(CalcResult::Boolean(false))]
        });
        let found = by_type.iter().find(|(example, _)| are_alike(example, target));
        found.map_or(&[], |(_, places)| places)
    }
}

/// How many values are kept at most, and how many areas are known.
const MOST_VALUES: usize = 2_000_000;
const MOST_AREAS: usize = 100_000;

/// What was read to be searched.
#[derive(Default)]
pub(crate) struct SearchedAreas {
    areas: AreaIndex,
    kept: Vec<Option<Rc<Searched>>>,
    /// How many values were kept since everything was forgotten.
    values: usize,
}

impl SearchedAreas {
    fn keep(&mut self, number: usize, searched: &Rc<Searched>) {
        if self.values + searched.len() > MOST_VALUES {
            self.forget_all();
        }
        self.values += searched.len();
        if self.kept.len() <= number {
            self.kept.resize(number + 1, None);
        }
        self.kept[number] = Some(Rc::clone(searched));
    }

    fn forget_all(&mut self) {
        self.kept.clear();
        self.values = 0;
    }

    fn forget_around(&mut self, cell: CellKey) {
        let SearchedAreas { areas, kept, .. } = self;
        areas.for_each_around(cell, |number| {
            if let Some(kept) = kept.get_mut(number) {
                *kept = None;
            }
        });
    }
}

impl<'a> Model<'a> {
    /// Forgets what was read of these cells, or of all.
    pub(crate) fn forget_searched(&mut self, cells: Option<&[CellKey]>) {
        match cells {
            _ if self.searched.values == 0 => {}
            Some(cells) => cells.iter().for_each(|cell| self.searched.forget_around(*cell)),
            None => self.searched.forget_all(),
        }
    }

    /// Forgets what was read of the cells that these formulas fill.
    pub(crate) fn forget_searched_of(&mut self, formulas: &[CellKey]) {
        if self.searched.values > 0 {
            let cells: Vec<CellKey> = formulas.iter().flat_map(|formula| self.cells_of(*formula)).collect();
            self.forget_searched(Some(&cells));
        }
    }

    /// The values of the cells of a row or a column.
    pub(crate) fn searched_in(&mut self, left: CellReferenceIndex, right: CellReferenceIndex) -> Rc<Searched> {
        let area = Area {
            sheet: left.sheet,
            row1: left.row,
            column1: left.column,
            row2: right.row,
            column2: right.column,
        };
        let number = self.searched.areas.number_of(area);
        if number >= MOST_AREAS {
            self.searched = SearchedAreas::default();
            return self.searched_in(left, right);
        }
        if let Some(Some(kept)) = self.searched.kept.get(number) {
            // As many steps as for whoever read it.
            crate::host::spend(kept.len());
            return Rc::clone(kept);
        }
        let mut values = Vec::new();
        for row in left.row..=right.row {
            for column in left.column..=right.column {
                values.push(self.evaluate_cell(CellReferenceIndex { sheet: left.sheet, row, column }));
            }
        }
        // What is read while a pass is given up is no value, and what lies on a circle or has failed is none yet.
        let is_final = self.evaluation.restart.is_none()
            && !self.evaluation.unwinding
            && self.evaluation.circles.is_empty()
            && !values.iter().any(is_failure);
        let searched = Rc::new(Searched::from(values));
        if is_final {
            self.searched.keep(number, &searched);
        }
        searched
    }
}
