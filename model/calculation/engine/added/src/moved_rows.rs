//! Rows that are put into a sheet, or taken out of it: cells move with their formulas and values, and only those formulas run that may
//! come to something else.
use crate::areas::Area;
use crate::constants::LAST_ROW;
use crate::dependencies::Dependencies;
use crate::evaluation::CellKey;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::searched::SearchedAreas;
use crate::model::Model;
use crate::types::{ArrayKind, Cell, FormulaValue};

/// Where the cells of a workbook come to stand.
pub struct MovedRows {
    sheet: u32,
    /// The first row that moves or is taken out.
    at: i32,
    removed: i32,
    by: i32,
}

impl MovedRows {
    /// `count` rows are put in before a row, or as many taken out from it on where it is below zero.
    pub fn new(sheet: u32, at: i32, count: i32) -> Self {
        MovedRows { sheet, at, removed: (-count).max(0), by: count }
    }

    /// Where a row comes to stand, if it stays in the sheet.
    pub fn row(&self, row: i32) -> Option<i32> {
        if row < self.at {
            Some(row)
        } else if row < self.at + self.removed {
            None
        } else {
            Some(row + self.by).filter(|row| *row <= LAST_ROW)
        }
    }

    /// Where a cell comes to stand, if it stays in the workbook.
    pub fn cell(&self, (sheet, row, column): CellKey) -> Option<CellKey> {
        if sheet == self.sheet {
            Some((sheet, self.row(row)?, column))
        } else {
            Some((sheet, row, column))
        }
    }

    /// Where an area comes to stand of which every cell moves in the same way.
    fn area(&self, area: Area) -> Option<Area> {
        if area.sheet != self.sheet || area.row2 < self.at {
            Some(area)
        } else if area.row1 >= self.at + self.removed {
            Some(Area { row1: self.row(area.row1)?, row2: self.row(area.row2)?, ..area })
        } else {
            None
        }
    }
}

impl<'a> Model<'a> {
    /// Moves the rows of a sheet. Formulas stay as they are as seen from their own cells: the others are to be set anew. To be called
    /// after an evaluation, and before cells are set.
    pub fn move_rows(&mut self, moved: &MovedRows) {
        let due = self.due_after(moved);
        self.take_cut_arrays_apart(moved);
        let arrays = self.arrays_that_move(moved);
        if let Some(worksheet) = self.workbook.worksheets.get_mut(moved.sheet as usize) {
            for row in moved.at..moved.at + moved.removed {
                worksheet.sheet_data.remove_row(row);
            }
            worksheet.sheet_data.move_rows(moved.at + moved.removed, moved.by);
            worksheet.rows.retain_mut(|mark| match moved.row(mark.r) {
                Some(row) => {
                    mark.r = row;
                    true
                }
                None => false,
            });
        }
        self.name_anchors(&arrays);
        let evaluation = &mut self.evaluation;
        evaluation.anchor_order = evaluation.anchor_order.iter().filter_map(|anchor| moved_index(moved, anchor)).collect();
        evaluation.read_failures = evaluation.read_failures.iter().filter_map(|cell| moved.cell(*cell)).collect();
        self.searched = SearchedAreas::default();
        self.formula_texts.clear();
        self.renew_dependencies(moved, due);
    }

    /// The formulas that may come to something else, where they come to stand: they do not read the same cells, or it matters to them
    /// where those or they themselves are.
    fn due_after(&mut self, moved: &MovedRows) -> Vec<CellKey> {
        let mut due = Vec::new();
        for (cell, formula) in self.known_formulas() {
            let Some(place) = moved.cell(cell) else { continue };
            let reads = self.reads_of(cell.0, formula);
            let mut has_moved = place != cell;
            let mut is_other = false;
            for reference in &reads.references {
                let (before, after) = (reference.seen_from(cell), reference.seen_from(place));
                is_other |= moved.area(before) != Some(after);
                has_moved |= before != after;
            }
            if is_other || (reads.placed && has_moved) {
                due.push(place);
            }
        }
        due
    }

    /// Arrays between whose cells rows are put in or taken out give up what they fill; what spills does so anew.
    fn take_cut_arrays_apart(&mut self, moved: &MovedRows) {
        for anchor in self.known_arrays() {
            let cells: Vec<CellKey> = self.cells_of(anchor).collect();
            let (first, last) = (anchor.1, cells.last().map_or(anchor.1, |cell| cell.1));
            let area = Area { sheet: anchor.0, row1: first, column1: anchor.2, row2: last, column2: anchor.2 };
            if moved.area(area).is_some() {
                continue;
            }
            let place = CellReferenceIndex { sheet: anchor.0, row: anchor.1, column: anchor.2 };
            let content = match self.fetch_cell(place).as_deref() {
                Some(Cell::ArrayFormula { f, s, kind: ArrayKind::Dynamic, .. }) => Cell::ArrayFormula {
                    f: *f,
                    s: *s,
                    r: (1, 1),
                    kind: ArrayKind::Dynamic,
                    v: FormulaValue::Unevaluated,
                },
                _ => Cell::EmptyCell { s: 0 },
            };
            for (sheet, row, column) in &cells {
                if let Ok(worksheet) = self.workbook.worksheet_mut(*sheet) {
                    worksheet.sheet_data.set_cell(*row, *column, Cell::EmptyCell { s: 0 });
                }
                self.cell_changed((*sheet, *row, *column));
            }
            if let Ok(worksheet) = self.workbook.worksheet_mut(anchor.0) {
                worksheet.sheet_data.set_cell(anchor.1, anchor.2, content);
            }
        }
    }

    /// Arrays that fill more than their own cell, where they come to stand, with the cells that they fill.
    fn arrays_that_move(&self, moved: &MovedRows) -> Vec<(CellKey, Vec<CellKey>)> {
        let anchors = self.known_arrays().into_iter();
        let anchors = anchors.filter(|(sheet, row, _)| *sheet == moved.sheet && *row >= moved.at);
        anchors
            .filter_map(|anchor| {
                let cells = self.cells_of(anchor).skip(1).filter_map(|cell| moved.cell(cell)).collect();
                Some((moved.cell(anchor)?, cells))
            })
            .collect()
    }

    /// Cells that an array fills know where it begins.
    fn name_anchors(&mut self, arrays: &[(CellKey, Vec<CellKey>)]) {
        for ((_, row, column), cells) in arrays {
            for (sheet, filled_row, filled_column) in cells {
                let Ok(worksheet) = self.workbook.worksheet_mut(*sheet) else { continue };
                if let Some(Cell::SpillCell { a, .. }) = worksheet.sheet_data.cell_mut(*filled_row, *filled_column) {
                    *a = (*row, *column);
                }
            }
        }
    }

    fn renew_dependencies(&mut self, moved: &MovedRows, due: Vec<CellKey>) {
        let before = std::mem::take(&mut self.dependencies);
        self.dependencies = Dependencies::moved(before, moved);
        self.know_all();
        for cell in due {
            self.cell_changed(cell);
        }
    }
}

fn moved_index(moved: &MovedRows, cell: &CellReferenceIndex) -> Option<CellReferenceIndex> {
    let (sheet, row, column) = moved.cell((cell.sheet, cell.row, cell.column))?;
    Some(CellReferenceIndex { sheet, row, column })
}
