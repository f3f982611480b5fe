//! Rows and columns in which is searched. Those of cells are kept until one of the cells may have another value, and know where each
//! value is first from the second search on.
use super::search::are_alike;
use crate::areas::{Area, AreaIndex};
use crate::calc_result::CalcResult;
use crate::evaluation::CellKey;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::rc::Rc;

/// A value as far as searches tell it from others: texts without case.
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
            CalcResult::String(text) => Some(Key::Text(text.to_uppercase())),
            CalcResult::Boolean(truth) => Some(Key::Boolean(*truth)),
            _ => None,
        }
    }
}

/// The places of numbers, texts and truths.
type PlacesByType = [(CalcResult, Vec<usize>); 3];

#[derive(Default)]
pub(crate) struct Searched {
    values: Vec<CalcResult>,
    searches: Cell<u32>,
    first: OnceCell<HashMap<Key, usize>>,
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
        let key = Key::of(target)?;
        self.searches.set(self.searches.get().saturating_add(1));
        if self.searches.get() == 1 {
            return self.values.iter().position(|value| are_alike(value, target) && Key::of(value).as_ref() == Some(&key));
        }
        self.first_places().get(&key).copied()
    }

    fn first_places(&self) -> &HashMap<Key, usize> {
        self.first.get_or_init(|| {
            let mut places = HashMap::with_capacity(self.values.len());
            for (at, value) in self.values.iter().enumerate() {
                if let Some(key) = Key::of(value) {
                    places.entry(key).or_insert(at);
                }
            }
            places
        })
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
        let mut found = Vec::new();
        self.areas.add_around(cell, &mut found);
        for number in found {
            if let Some(kept) = self.kept.get_mut(number) {
                *kept = None;
            }
        }
    }
}

impl<'a> Model<'a> {
    /// Forgets what was read of these cells, or of all.
    pub(crate) fn forget_searched(&mut self, cells: Option<&[CellKey]>) {
        if self.searched.values == 0 {
            return;
        }
        match cells {
            Some(cells) => cells.iter().for_each(|cell| self.searched.forget_around(*cell)),
            None => self.searched.forget_all(),
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
        let circular = self.evaluation.circular.len();
        let mut values = Vec::new();
        for row in left.row..=right.row {
            for column in left.column..=right.column {
                values.push(self.evaluate_cell(CellReferenceIndex { sheet: left.sheet, row, column }));
            }
        }
        let searched = Rc::new(Searched::from(values));
        // What is read while a pass is given up is no value, and what lies on a circle is none yet.
        let is_final = self.evaluation.restart.is_none()
            && !self.evaluation.unwinding
            && self.evaluation.circular.len() == circular;
        if is_final {
            self.searched.keep(number, &searched);
        }
        searched
    }
}
