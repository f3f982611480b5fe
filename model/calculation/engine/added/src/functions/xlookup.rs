//! XLOOKUP and XMATCH.
use super::regular_expression::RegularExpression;
use super::search::{find, sought, Order, Otherwise};
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::formatter::text_format::number_text;
use crate::model::Model;

/// How a value is looked for: one of the three ways of the search, or by a regular expression.
enum Way {
    Search(Otherwise),
    Expression,
}

impl<'a> Model<'a> {
    /// XLOOKUP(lookup_value, lookup_array, return_array, [if_not_found], [match_mode], [search_mode])
    ///
    /// Of a reference the result is a reference: a cell, or the row or column of it that belongs to what was found.
    pub(crate) fn fn_xlookup(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        match self.xlookup(args, cell) {
            CalcResult::Range { left, right } if left == right => self.evaluate_cell(left),
            result => result,
        }
    }

    /// XLOOKUP where a reference is wanted.
    pub(crate) fn xlookup(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if args.len() < 3 || args.len() > 6 {
            return CalcResult::new_args_number_error(cell);
        }
        let (place, is_column, length) = match self.place_of(args, 4, cell) {
            Ok(found) => found,
            Err(error) => return error,
        };
        let given = self.evaluate_node_with_reference(&args[2], cell);
        let (rows, columns) = match &given {
            CalcResult::Range { left, right } => {
                ((right.row - left.row + 1) as usize, (right.column - left.column + 1) as usize)
            }
            CalcResult::Array(rows) => (rows.len(), rows.first().map_or(0, Vec::len)),
            CalcResult::Error { .. } => return given,
            _ => (1, 1),
        };
        if length != if is_column { rows } else { columns } {
            return CalcResult::new_error(Error::VALUE, cell, "Both must be of one size".to_string());
        }
        let Some(place) = place else {
            return match args.get(3) {
                None | Some(Node::EmptyArgKind) => {
                    CalcResult::new_error(Error::NA, cell, "Not found".to_string())
                }
                Some(other) => self.evaluate_node_with_reference(other, cell),
            };
        };
        match given {
            CalcResult::Range { mut left, mut right } => {
                if is_column {
                    left.row += place as i32;
                    right.row = left.row;
                } else {
                    left.column += place as i32;
                    right.column = left.column;
                }
                CalcResult::Range { left, right }
            }
            CalcResult::Array(rows) if is_column => single_or(vec![rows[place].clone()], cell),
            CalcResult::Array(rows) => {
                single_or(rows.into_iter().map(|row| vec![row[place].clone()]).collect(), cell)
            }
            value => value,
        }
    }

    /// XMATCH(lookup_value, lookup_array, [match_mode], [search_mode])
    pub(crate) fn fn_xmatch(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if args.len() < 2 || args.len() > 4 {
            return CalcResult::new_args_number_error(cell);
        }
        match self.place_of(args, 2, cell) {
            Ok((Some(place), ..)) => CalcResult::Number(place as f64 + 1.0),
            Ok(_) => CalcResult::new_error(Error::NA, cell, "Not found".to_string()),
            Err(error) => error,
        }
    }

    /// Where the first argument is in the second, whether that is a column, and its length. `modes`: which argument says how it is
    /// looked for; the next one says in which order.
    fn place_of(
        &mut self,
        args: &[Node],
        modes: usize,
        cell: CellReferenceIndex,
    ) -> Result<(Option<usize>, bool, usize), CalcResult> {
        let value = self.evaluate_node_in_context(&args[0], cell);
        if value.is_error() {
            return Err(value);
        }
        let way = match self.mode(args.get(modes), cell)? {
            0 => Way::Search(Otherwise::Nothing),
            -1 => Way::Search(Otherwise::NextSmaller),
            1 => Way::Search(Otherwise::NextLarger),
            2 => Way::Search(Otherwise::Pattern),
            3 => Way::Expression,
            _ => return Err(no_mode(cell)),
        };
        let order = match self.mode(args.get(modes + 1), cell)? {
            0 if matches!(args.get(modes + 1), None | Some(Node::EmptyArgKind)) => Order::FromFirst,
            1 => Order::FromFirst,
            -1 => Order::FromLast,
            2 => Order::Ascending,
            -2 => Order::Descending,
            _ => return Err(no_mode(cell)),
        };
        let array = self.evaluate_node_with_reference(&args[1], cell);
        let vector = self.vector_of(array, cell, Error::VALUE)?;
        let is_sorted = matches!(order, Order::Ascending | Order::Descending);
        let place = match way {
            Way::Expression | Way::Search(Otherwise::Pattern) if is_sorted => return Err(no_mode(cell)),
            Way::Search(otherwise) => match value {
                // What is empty is what nobody has filled in.
                CalcResult::EmptyCell | CalcResult::EmptyArg if otherwise == Otherwise::Nothing => {
                    let is_empty = |at: &usize| matches!(vector.values[*at], CalcResult::EmptyCell);
                    let found = (0..vector.values.len()).find(is_empty);
                    found.or((vector.values.len() < vector.length).then_some(vector.values.len()))
                }
                value => find(&sought(value), &vector.values, otherwise, order),
            },
            Way::Expression => {
                let CalcResult::String(text) = value else {
                    return Ok((None, vector.is_column, vector.length));
                };
                let Some(expression) = RegularExpression::of(&text, false) else {
                    return Err(no_mode(cell));
                };
                let fits = |at: &usize| match &vector.values[*at] {
                    CalcResult::String(text) => expression.is_in(text),
                    CalcResult::Number(number) => expression.is_in(&number_text(*number)),
                    CalcResult::Boolean(truth) => expression.is_in(&truth.to_string()),
                    _ => false,
                };
                if order == Order::FromLast {
                    (0..vector.values.len()).rev().find(fits)
                } else {
                    (0..vector.values.len()).find(fits)
                }
            }
        };
        Ok((place, vector.is_column, vector.length))
    }

    fn mode(&mut self, arg: Option<&Node>, cell: CellReferenceIndex) -> Result<i32, CalcResult> {
        match arg {
            None | Some(Node::EmptyArgKind) => Ok(0),
            Some(arg) => Ok(self.get_number(arg, cell)?.floor() as i32),
        }
    }
}

fn no_mode(cell: CellReferenceIndex) -> CalcResult {
    CalcResult::new_error(Error::VALUE, cell, "There is no such way to search".to_string())
}

fn single_or(
    rows: Vec<Vec<crate::expressions::parser::ArrayNode>>,
    cell: CellReferenceIndex,
) -> CalcResult {
    match &rows[..] {
        [row] if row.len() == 1 => super::search::value_of_node(&row[0], cell),
        _ => CalcResult::Array(rows),
    }
}
