//! MAP, REDUCE and SCAN. Of cells the LAMBDA is given references, as in Excel, where it makes something else of them than of values.
use crate::calc_result::CalcResult;
use crate::cast::calc_result_to_array_node;
use crate::expressions::parser::static_analysis::takes_single;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::by_lines::no_lambda;
use crate::functions::lifting::asks_for_references;
use crate::functions::Function;
use crate::host;
use crate::model::Model;

/// What a LAMBDA is called for, one after the other.
struct Elements {
    values: Vec<Vec<ArrayNode>>,
    /// Where they begin, if they are cells.
    from: Option<CellReferenceIndex>,
}

impl Elements {
    fn size(&self) -> (usize, usize) {
        (self.values.len(), self.values.first().map_or(0, Vec::len))
    }

    fn at(&self, row: usize, column: usize, as_references: bool, cell: CellReferenceIndex) -> CalcResult {
        if let (true, Some(from)) = (as_references, self.from) {
            let place = CellReferenceIndex {
                sheet: from.sheet,
                row: from.row + row as i32,
                column: from.column + column as i32,
            };
            return CalcResult::Range { left: place, right: place };
        }
        match &self.values[row][column] {
            ArrayNode::Number(number) => CalcResult::Number(*number),
            ArrayNode::Boolean(truth) => CalcResult::Boolean(*truth),
            ArrayNode::String(text) => CalcResult::String(text.clone()),
            ArrayNode::Error(error) => CalcResult::new_error(error.clone(), cell, String::new()),
            ArrayNode::Empty => CalcResult::EmptyCell,
        }
    }
}

/// Whether a variable of a formula comes to the same as a value and as a reference to a cell with that value. `wants_value`: whether
/// what the formula comes to is taken as a value.
fn takes_values(node: &Node, wants_value: bool) -> bool {
    use Function::*;
    match node {
        Node::NamedVariableKind { .. } => wants_value,
        Node::BooleanKind(_)
        | Node::NumberKind(_)
        | Node::StringKind(_)
        | Node::ReferenceKind { .. }
        | Node::RangeKind { .. }
        | Node::ArrayKind(_)
        | Node::ErrorKind(_)
        | Node::EmptyArgKind => true,
        Node::OpConcatenateKind { left, right }
        | Node::OpSumKind { left, right, .. }
        | Node::OpProductKind { left, right, .. }
        | Node::OpPowerKind { left, right }
        | Node::CompareKind { left, right, .. } => takes_values(left, true) && takes_values(right, true),
        Node::UnaryKind { right, .. } => takes_values(right, true),
        Node::FunctionKind { kind: Let | Lambda, .. } => false,
        Node::FunctionKind { kind: If | Iferror | Ifna | Ifs | Switch, args } => {
            args.iter().all(|arg| takes_values(arg, wants_value))
        }
        Node::FunctionKind { kind, args } => args.iter().enumerate().all(|(place, arg)| {
            takes_values(arg, takes_single(kind, place, args.len()) && !asks_for_references(kind))
        }),
        _ => false,
    }
}

impl<'a> Model<'a> {
    fn elements(&mut self, node: &Node, cell: CellReferenceIndex) -> Result<Elements, CalcResult> {
        let given = self.evaluate_node_with_reference(node, cell);
        let from = match &given {
            CalcResult::Range { left, right } if left.sheet == right.sheet => Some(*left),
            _ => None,
        };
        let values = self.result_to_array(given, cell)?;
        if values.first().is_none_or(Vec::is_empty) {
            return Err(CalcResult::new_error(Error::VALUE, cell, "The array is empty".to_string()));
        }
        Ok(Elements { values, from })
    }

    fn takes_references(&self, lambda: &CalcResult) -> bool {
        let CalcResult::Lambda(id) = lambda else { return false };
        self.lambdas.get(id).is_some_and(|(_, body)| !takes_values(body, true))
    }

    /// What a LAMBDA came to where one value is wanted.
    pub(crate) fn one_value(&mut self, result: CalcResult) -> ArrayNode {
        match result {
            CalcResult::Range { left, right } if left == right => calc_result_to_array_node(self.evaluate_cell(left)),
            CalcResult::Array(mut rows) if rows.len() == 1 && rows[0].len() == 1 => rows.swap_remove(0).swap_remove(0),
            CalcResult::Range { .. } | CalcResult::Array(_) | CalcResult::Lambda(_) => ArrayNode::Error(Error::CALC),
            value => calc_result_to_array_node(value),
        }
    }

    pub(crate) fn fn_map(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let [given @ .., lambda] = args else { return CalcResult::new_args_number_error(cell) };
        if given.is_empty() {
            return CalcResult::new_args_number_error(cell);
        }
        let lambda = self.evaluate_node_in_context(lambda, cell);
        if let Some(error) = no_lambda(&lambda, cell) {
            return error;
        }
        let arrays = given.iter().map(|arg| self.elements(arg, cell)).collect::<Result<Vec<_>, _>>();
        match arrays {
            Ok(arrays) if arrays.iter().all(|one| one.size() == arrays[0].size()) => self.mapped(&arrays, &lambda, cell),
            Ok(_) => CalcResult::new_error(Error::VALUE, cell, "The arrays are not alike in size".to_string()),
            Err(error) => error,
        }
    }

    fn mapped(&mut self, arrays: &[Elements], lambda: &CalcResult, cell: CellReferenceIndex) -> CalcResult {
        let as_references = self.takes_references(lambda);
        let same = self.makes_the_same_of_empty_cells(lambda);
        let mut of_empty: Option<ArrayNode> = None;
        let (rows, columns) = arrays[0].size();
        let mut result = vec![vec![ArrayNode::Empty; columns]; rows];
        for (row, line) in result.iter_mut().enumerate() {
            for (column, place) in line.iter_mut().enumerate() {
                let is_empty = same && arrays.iter().all(|one| matches!(one.values[row][column], ArrayNode::Empty));
                if let (true, Some(value)) = (is_empty, &of_empty) {
                    *place = value.clone();
                    continue;
                }
                let values = arrays.iter().map(|one| one.at(row, column, as_references, cell)).collect();
                let value = self.call_lambda_with_values(lambda.clone(), values, cell);
                *place = self.one_value(value);
                if is_empty {
                    of_empty = Some(place.clone());
                }
            }
        }
        CalcResult::Array(result)
    }

    /// Calls `each` with what has been accumulated at an element, from the first on; without a first value that is the first element.
    fn accumulated(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        mut each: impl FnMut(&mut Self, &CalcResult, (usize, usize)),
    ) -> Result<CalcResult, CalcResult> {
        let (first, given, lambda) = match args {
            [given, lambda] => (None, given, lambda),
            [Node::EmptyArgKind, given, lambda] => (None, given, lambda),
            [first, given, lambda] => (Some(first), given, lambda),
            _ => return Err(CalcResult::new_args_number_error(cell)),
        };
        let lambda = self.evaluate_node_in_context(lambda, cell);
        if let Some(error) = no_lambda(&lambda, cell) {
            return Err(error);
        }
        let elements = self.elements(given, cell)?;
        let as_references = self.takes_references(&lambda);
        let mut accumulator = first.map(|first| self.evaluate_node_in_context(first, cell));
        let (rows, columns) = elements.size();
        for row in 0..rows {
            for column in 0..columns {
                if host::is_spent() {
                    break;
                }
                let value = elements.at(row, column, as_references && accumulator.is_some(), cell);
                let next = match accumulator {
                    Some(before) => self.call_lambda_with_values(lambda.clone(), vec![before, value], cell),
                    None => value,
                };
                each(self, &next, (row, column));
                accumulator = Some(next);
            }
        }
        Ok(accumulator.unwrap_or(CalcResult::EmptyCell))
    }

    pub(crate) fn fn_reduce(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.accumulated(args, cell, |_, _, _| ()).unwrap_or_else(|error| error)
    }

    pub(crate) fn fn_scan(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let mut values: Vec<ArrayNode> = Vec::new();
        let mut columns = 1;
        let last = self.accumulated(args, cell, |model, value, (_, column)| {
            columns = columns.max(column + 1);
            let value = model.one_value(value.clone());
            values.push(value);
        });
        let mut values = values.into_iter();
        let rows = std::iter::from_fn(|| {
            // Each row has the room that it needs: there may be a million of them.
            let mut row = Vec::with_capacity(columns);
            row.extend(values.by_ref().take(columns));
            (!row.is_empty()).then_some(row)
        });
        last.map_or_else(|error| error, |_| CalcResult::Array(rows.collect()))
    }
}
