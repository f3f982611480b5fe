//! TAKE and DROP: the first or the last lines of an array, or all others. Of cells only those are read.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Taken,
    Left,
}

impl<'a> Model<'a> {
    pub(crate) fn fn_take(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let taken = self.take(args, cell);
        self.values_of_part(taken)
    }

    pub(crate) fn fn_drop(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let left = self.drop_of(args, cell);
        self.values_of_part(left)
    }

    /// What TAKE gives: of cells a reference.
    pub(crate) fn take(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.part_of(args, Part::Taken, cell).unwrap_or_else(|error| error)
    }

    /// What DROP gives: of cells a reference.
    pub(crate) fn drop_of(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.part_of(args, Part::Left, cell).unwrap_or_else(|error| error)
    }

    fn values_of_part(&mut self, part: CalcResult) -> CalcResult {
        match part {
            CalcResult::Range { left, right } => CalcResult::Array(self.evaluate_range(left, right)),
            other => other,
        }
    }

    fn part_of(
        &mut self,
        args: &[Node],
        part: Part,
        cell: CellReferenceIndex,
    ) -> Result<CalcResult, CalcResult> {
        if !(2..=3).contains(&args.len()) {
            return Err(CalcResult::new_args_number_error(cell));
        }
        match self.evaluate_node_with_reference(&args[0], cell) {
            CalcResult::Range { left, right } if left.sheet == right.sheet => {
                let rows = self.lines_of_part(args.get(1), right.row - left.row + 1, part, cell)?;
                let columns = self.lines_of_part(args.get(2), right.column - left.column + 1, part, cell)?;
                let at = |row: i32, column: i32| CellReferenceIndex {
                    row: left.row + row,
                    column: left.column + column,
                    ..left
                };
                Ok(CalcResult::Range {
                    left: at(rows.start, columns.start),
                    right: at(rows.end - 1, columns.end - 1),
                })
            }
            given => {
                let data = self.result_to_array(given, cell)?;
                let rows = self.lines_of_part(args.get(1), data.len() as i32, part, cell)?;
                let columns = data.first().map_or(0, Vec::len) as i32;
                let columns = self.lines_of_part(args.get(2), columns, part, cell)?;
                let columns = columns.start as usize..columns.end as usize;
                let rows = &data[rows.start as usize..rows.end as usize];
                Ok(CalcResult::Array(rows.iter().map(|row| row[columns.clone()].to_vec()).collect()))
            }
        }
    }

    /// Which of so many lines an argument asks for: all where it is left out, negative numbers count from the last.
    fn lines_of_part(
        &mut self,
        arg: Option<&Node>,
        count: i32,
        part: Part,
        cell: CellReferenceIndex,
    ) -> Result<Range<i32>, CalcResult> {
        let number = match arg {
            None | Some(Node::EmptyArgKind) => return Ok(0..count),
            Some(arg) => self.get_number(arg, cell)?.trunc(),
        };
        let size = number.abs().min(f64::from(count)) as i32;
        let lines = match (part, number < 0.0) {
            (Part::Taken, false) => 0..size,
            (Part::Taken, true) => count - size..count,
            (Part::Left, false) => size..count,
            (Part::Left, true) => 0..count - size,
        };
        if lines.is_empty() {
            return Err(CalcResult::new_error(Error::CALC, cell, "Nothing is left of the array".to_string()));
        }
        Ok(lines)
    }
}
