//! What formulas look like as people read them: with names, spaces and signs that a parsed formula has no more.
use crate::evaluation::CellKey;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;
use crate::types::{ArrayKind, Cell};

impl<'a> Model<'a> {
    /// Says what the formula of a cell looks like.
    pub fn set_formula_text(&mut self, cell: CellKey, text: String) {
        self.formula_texts.insert(cell, text);
    }

    pub fn forget_formula_text(&mut self, cell: &CellKey) {
        self.formula_texts.remove(cell);
    }

    /// What the formula of a cell looks like. All cells of an array of fixed size have its formula, those that spill have none.
    pub(crate) fn formula_text(&self, cell: CellReferenceIndex) -> Option<&str> {
        let text = |row, column| self.formula_texts.get(&(cell.sheet, row, column)).map(String::as_str);
        let anchor = match self.fetch_cell(cell).as_deref() {
            Some(Cell::SpillCell { a, .. }) => *a,
            _ => return text(cell.row, cell.column),
        };
        match self.fetch_cell(CellReferenceIndex { row: anchor.0, column: anchor.1, ..cell }).as_deref() {
            Some(Cell::ArrayFormula { kind: ArrayKind::Cse, .. }) => text(anchor.0, anchor.1),
            _ => None,
        }
    }
}
