//! The functions of databases: of ranges whose first row names the columns of the records below it.
use super::criteria::{Criterion, Texts};
use super::spread::variance;
use crate::calc_result::{CalcResult, Range};
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;
use crate::types::Cell;
use std::sync::Arc;

/// What is asked of a record.
enum Condition {
    /// Of its value in a column.
    Column(i32, Criterion),
    /// A formula in a cell, which reads fields of the first record: for each other one it is moved as many rows.
    Formula(Arc<Node>, CellReferenceIndex),
    /// Nothing that it could fulfil.
    Never,
}

/// The records that the criteria let through.
struct Selected {
    /// Their values in the field; empty where no field is named.
    values: Vec<CalcResult>,
    /// How many more there are below everything that the sheet has.
    beyond: i32,
}

impl Selected {
    fn count(&self, is_counted: fn(&CalcResult) -> bool) -> f64 {
        self.values.iter().filter(|value| is_counted(value)).count() as f64
    }
}

fn is_empty(value: &CalcResult) -> bool {
    matches!(value, CalcResult::EmptyCell | CalcResult::EmptyArg)
}

fn no_value(cell: CellReferenceIndex, message: &str) -> CalcResult {
    CalcResult::new_error(Error::VALUE, cell, message.to_string())
}

impl<'a> Model<'a> {
    /// A range as far as its sheet is used, and how many of its rows are left out.
    fn used_part(&mut self, range: Range, cell: CellReferenceIndex) -> Result<(Range, i32), CalcResult> {
        let Range { left, right } = range;
        match self.clip_to_used_area(left.sheet, left.row, left.column, right.row, right.column) {
            Ok((row, column)) => Ok((Range { left, right: CellReferenceIndex { row, column, ..right } }, right.row - row)),
            Err(message) => Err(CalcResult::new_error(Error::ERROR, cell, message)),
        }
    }

    /// The records of a database, its field and criteria as functions are given them.
    fn selected(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<Selected, CalcResult> {
        if args.len() != 3 {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let database = self.get_reference(&args[0], cell)?;
        let (Range { left, right }, left_out) = self.used_part(database, cell)?;
        let columns = self.column_names(left, right.column, cell);
        let field = match &args[1] {
            Node::EmptyArgKind => None,
            field => Some(self.field_column(left, right.column, &columns, field, cell)?),
        };
        let criteria = self.get_reference(&args[2], cell)?;
        if right.row + left_out <= left.row {
            return Err(no_value(cell, "No data rows in database"));
        }
        let alternatives = self.alternatives(criteria, &Range { left, right }, &columns, cell)?;
        let mut values = Vec::new();
        for row in left.row + 1..=right.row {
            if crate::host::is_spent() {
                break;
            }
            if self.is_let_through(left, row, &alternatives) {
                values.push(match field {
                    Some(column) => self.evaluate_cell(CellReferenceIndex { row, column, ..left }),
                    None => CalcResult::EmptyArg,
                });
            }
        }
        // Records without a value are all alike.
        let beyond = left_out > 0 && self.is_let_through(left, right.row + 1, &alternatives);
        Ok(Selected { values, beyond: if beyond { left_out } else { 0 } })
    }

    /// The names of columns in small letters, with the columns.
    fn column_names(&mut self, left: CellReferenceIndex, last: i32, cell: CellReferenceIndex) -> Vec<(String, i32)> {
        let mut names = Vec::new();
        for column in left.column..=last {
            let name = self.evaluate_cell(CellReferenceIndex { column, ..left });
            if is_empty(&name) {
                continue;
            }
            if let Ok(name) = self.cast_to_string(name, cell) {
                names.push((name.to_lowercase(), column));
            }
        }
        names
    }

    fn field_column(
        &mut self,
        left: CellReferenceIndex,
        last: i32,
        columns: &[(String, i32)],
        field: &Node,
        cell: CellReferenceIndex,
    ) -> Result<i32, CalcResult> {
        let number = match self.evaluate_node_in_context(field, cell) {
            CalcResult::Number(number) => number.floor(),
            CalcResult::Boolean(truth) => f64::from(u8::from(truth)),
            error @ CalcResult::Error { .. } => return Err(error),
            CalcResult::String(name) => {
                let name = name.to_lowercase();
                let found = columns.iter().find(|(known, _)| *known == name);
                return found.map(|(_, column)| *column).ok_or_else(|| no_value(cell, "Field header not found"));
            }
            _ => return Err(no_value(cell, "Field header not found")),
        };
        if number < 1.0 || number > f64::from(last - left.column + 1) {
            return Err(no_value(cell, "Field index out of range"));
        }
        Ok(left.column + number as i32 - 1)
    }

    /// What the rows of the criteria ask: a record has to fulfil all conditions of one of them.
    fn alternatives(
        &mut self,
        criteria: Range,
        database: &Range,
        columns: &[(String, i32)],
        cell: CellReferenceIndex,
    ) -> Result<Vec<Vec<Condition>>, CalcResult> {
        let (Range { left, right }, left_out) = self.used_part(criteria, cell)?;
        let mut asked = Vec::new();
        for column in left.column..=right.column {
            let name = self.evaluate_cell(CellReferenceIndex { column, ..left });
            if let Ok(name) = self.cast_to_string(name, cell) {
                let name = name.to_lowercase();
                let found = columns.iter().find(|(known, _)| *known == name);
                asked.push((column, found.map(|(_, column)| *column)));
            }
        }
        let mut alternatives = Vec::new();
        // Names alone ask for nothing, and so do empty rows.
        if right.row == left.row || left_out > 0 {
            alternatives.push(Vec::new());
        } else if asked.is_empty() {
            return Ok(alternatives);
        }
        for row in left.row + 1..=right.row {
            let mut conditions = Vec::new();
            for (column, named) in &asked {
                let at = CellReferenceIndex { row, column: *column, ..left };
                conditions.extend(self.condition(at, *named, database));
            }
            alternatives.push(conditions);
        }
        Ok(alternatives)
    }

    /// What a cell of the criteria asks, below the name of a column or of none.
    fn condition(&mut self, at: CellReferenceIndex, column: Option<i32>, database: &Range) -> Option<Condition> {
        let value = self.evaluate_cell(at);
        if is_empty(&value) {
            return None;
        }
        if let Some(column) = column {
            return Some(Condition::Column(column, Criterion::new(&value, self.locale, Texts::Beginning)));
        }
        let formula = match self.fetch_cell(at).as_deref() {
            Some(Cell::CellFormula { f, .. } | Cell::ArrayFormula { f, .. }) => Some(*f),
            _ => None,
        };
        Some(match formula {
            Some(f) if self.reads_first_record(at, f, database) => {
                Condition::Formula(Arc::clone(&self.parsed_formulas[at.sheet as usize][f as usize].0), at)
            }
            _ => Condition::Never,
        })
    }

    /// Whether everything that a formula reads in another place when it is moved lies in the first record: the function is known to
    /// read that, and calculated again where it changes.
    fn reads_first_record(&mut self, at: CellReferenceIndex, formula: i32, database: &Range) -> bool {
        let Range { left, right } = *database;
        self.reads_of(at.sheet, formula).references.iter().all(|reference| {
            let area = reference.seen_from((at.sheet, at.row, at.column));
            let stays = area == reference.seen_from((at.sheet, at.row + 1, at.column));
            let is_first = area.sheet == left.sheet
                && (area.row1, area.row2) == (left.row + 1, left.row + 1)
                && area.column1 >= left.column
                && area.column2 <= right.column;
            stays || is_first
        })
    }

    fn is_let_through(&mut self, left: CellReferenceIndex, row: i32, alternatives: &[Vec<Condition>]) -> bool {
        alternatives.iter().any(|conditions| {
            crate::host::spend(1);
            conditions.iter().all(|condition| match condition {
                Condition::Column(column, criterion) => {
                    criterion.lets_through(&self.evaluate_cell(CellReferenceIndex { row, column: *column, ..left }))
                }
                Condition::Formula(formula, at) => {
                    let moved = CellReferenceIndex { row: at.row + row - left.row - 1, ..*at };
                    match self.evaluate_node_in_context(formula, moved) {
                        CalcResult::Boolean(truth) => truth,
                        CalcResult::Number(number) => number != 0.0,
                        _ => false,
                    }
                }
                Condition::Never => false,
            })
        })
    }

    /// The numbers of the field. An error among its values is the result.
    fn numbers_of_field(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<Vec<f64>, CalcResult> {
        if matches!(args.get(1), Some(Node::EmptyArgKind)) {
            return Err(no_value(cell, "No field"));
        }
        let mut numbers = Vec::new();
        for value in self.selected(args, cell)?.values {
            match value {
                CalcResult::Number(number) => numbers.push(number),
                error @ CalcResult::Error { .. } => return Err(error),
                _ => {}
            }
        }
        Ok(numbers)
    }

    fn of_numbers(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        result: impl FnOnce(&[f64]) -> Result<f64, Error>,
    ) -> CalcResult {
        match self.numbers_of_field(args, cell).map(|numbers| result(&numbers)) {
            Ok(Ok(number)) => CalcResult::Number(number),
            Ok(Err(error)) => CalcResult::new_error(error, cell, "Too few numbers".to_string()),
            Err(error) => error,
        }
    }

    fn counted(&mut self, args: &[Node], cell: CellReferenceIndex, is_counted: fn(&CalcResult) -> bool) -> CalcResult {
        match self.selected(args, cell) {
            Ok(selected) if matches!(args[1], Node::EmptyArgKind) => {
                CalcResult::Number(selected.count(|_| true) + f64::from(selected.beyond))
            }
            Ok(selected) => CalcResult::Number(selected.count(is_counted)),
            Err(error) => error,
        }
    }

    pub(crate) fn fn_dcount(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.counted(args, cell, |value| matches!(value, CalcResult::Number(_)))
    }

    pub(crate) fn fn_dcounta(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.counted(args, cell, |value| !is_empty(value))
    }

    /// DGET: the value of the one record.
    pub(crate) fn fn_dget(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if matches!(args.get(1), Some(Node::EmptyArgKind)) {
            return no_value(cell, "No field");
        }
        match self.selected(args, cell) {
            Ok(Selected { mut values, beyond }) => match values.len() as i32 + beyond {
                0 => no_value(cell, "No matching record"),
                1 => values.pop().unwrap_or(CalcResult::EmptyCell),
                _ => CalcResult::new_error(Error::NUM, cell, "More than one matching record".to_string()),
            },
            Err(error) => error,
        }
    }

    pub(crate) fn fn_daverage(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| {
            let sum: f64 = numbers.iter().sum();
            if numbers.is_empty() { Err(Error::DIV) } else { Ok(sum / numbers.len() as f64) }
        })
    }

    pub(crate) fn fn_dsum(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| Ok(numbers.iter().fold(0.0, |sum, number| sum + number)))
    }

    /// DPRODUCT: 0 of no numbers.
    pub(crate) fn fn_dproduct(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| Ok(if numbers.is_empty() { 0.0 } else { numbers.iter().product() }))
    }

    pub(crate) fn fn_dmax(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| Ok(numbers.iter().copied().reduce(f64::max).unwrap_or(0.0)))
    }

    pub(crate) fn fn_dmin(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| Ok(numbers.iter().copied().reduce(f64::min).unwrap_or(0.0)))
    }

    pub(crate) fn fn_dstdev(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| variance(numbers, true).map(f64::sqrt))
    }

    pub(crate) fn fn_dvar(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| variance(numbers, true))
    }

    pub(crate) fn fn_dstdevp(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| variance(numbers, false).map(f64::sqrt))
    }

    pub(crate) fn fn_dvarp(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_numbers(args, cell, |numbers| variance(numbers, false))
    }
}
