//! Which rows functions with criteria look at.
use super::criteria::{Criterion, Texts};
use crate::calc_result::{CalcResult, Range};
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;

impl<'a> Model<'a> {
    /// The numbers of the rows of a range, from 0, in which a criterion may let something through; `rows` is how many are looked at.
    /// In a column that is looked through again for an equal value these are few.
    pub(crate) fn matching_rows(&mut self, range: &Range, rows: i32, criterion: &CalcResult) -> Vec<i32> {
        let wanted = Criterion::new(criterion, self.locale, Texts::Whole).wanted();
        let (Some(wanted), true) = (wanted, range.left.column == range.right.column && rows > 1) else {
            return (0..rows).collect();
        };
        let last = CellReferenceIndex { row: range.left.row + rows - 1, ..range.left };
        let searched = self.searched_in(range.left, last);
        let mut places: Vec<i32> = searched.places_like(&wanted).map(|at| at as i32).collect();
        if matches!(wanted, CalcResult::Number(_)) && places.len() < rows as usize {
            let texts = searched.comparable(&CalcResult::String(String::new()));
            places.extend(texts.iter().map(|&at| at as i32));
            places.sort_unstable();
        }
        places
    }
}
