//! BYROW and BYCOL. Of cells the LAMBDA is given a reference, as in Excel, and lines that nobody has used cost nothing where it makes the
//! same of each of them.
use super::large_ranges::range_node;
use crate::calc_result::CalcResult;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::Function;
use crate::host;
use crate::model::Model;

#[derive(Clone, Copy, PartialEq)]
enum Line {
    Row,
    Column,
}

/// The error that something is where a LAMBDA is wanted.
pub(crate) fn no_lambda(given: &CalcResult, cell: CellReferenceIndex) -> Option<CalcResult> {
    match given {
        CalcResult::Lambda(_) => None,
        error @ CalcResult::Error { .. } => Some(error.clone()),
        _ => Some(CalcResult::new_error(Error::VALUE, cell, "A LAMBDA is wanted".to_string())),
    }
}

/// Whether what a formula comes to depends on where empty cells lie, or on chance.
fn tells_empty_cells_apart(node: &Node) -> bool {
    use Function::*;
    match node {
        Node::BooleanKind(_)
        | Node::NumberKind(_)
        | Node::StringKind(_)
        | Node::ReferenceKind { .. }
        | Node::RangeKind { .. }
        | Node::ArrayKind(_)
        | Node::NamedVariableKind { .. }
        | Node::ErrorKind(_)
        | Node::EmptyArgKind => false,
        Node::OpConcatenateKind { left, right }
        | Node::OpSumKind { left, right, .. }
        | Node::OpProductKind { left, right, .. }
        | Node::OpPowerKind { left, right }
        | Node::CompareKind { left, right, .. } => tells_empty_cells_apart(left) || tells_empty_cells_apart(right),
        Node::UnaryKind { right, .. } => tells_empty_cells_apart(right),
        Node::FunctionKind { kind, args } => {
            let asks_where = matches!(
                kind,
                Rand | Randbetween | Randarray | Row | Column | Offset | Cell | Indirect | Index | Formulatext
                    // These may read beside what they are given.
                    | Sumif | Averageif | Lookup
                    | Subtotal
            );
            asks_where || args.iter().any(tells_empty_cells_apart)
        }
        _ => true,
    }
}

impl<'a> Model<'a> {
    /// Whether a LAMBDA comes to the same for all empty cells.
    pub(crate) fn makes_the_same_of_empty_cells(&self, lambda: &CalcResult) -> bool {
        let CalcResult::Lambda(id) = lambda else { return false };
        self.lambdas.get(id).is_some_and(|(_, body)| !tells_empty_cells_apart(body))
    }

    pub(crate) fn fn_byrow(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let results = self.by_lines(args, Line::Row, cell);
        results.map_or_else(|error| error, |values| CalcResult::Array(values.into_iter().map(|one| vec![one]).collect()))
    }

    pub(crate) fn fn_bycol(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let results = self.by_lines(args, Line::Column, cell);
        results.map_or_else(|error| error, |values| CalcResult::Array(vec![values]))
    }

    fn by_lines(&mut self, args: &[Node], line: Line, cell: CellReferenceIndex) -> Result<Vec<ArrayNode>, CalcResult> {
        let [given, lambda] = args else { return Err(CalcResult::new_args_number_error(cell)) };
        let given = self.evaluate_node_with_reference(given, cell);
        if given.is_error() {
            return Err(given);
        }
        let lambda = self.evaluate_node_in_context(lambda, cell);
        if let Some(error) = no_lambda(&lambda, cell) {
            return Err(error);
        }
        match given {
            CalcResult::Range { left, right } if left.sheet == right.sheet => {
                self.by_lines_of_cells(left, right, line, &lambda, cell)
            }
            given => {
                let rows = self.result_to_array(given, cell)?;
                let lines: Vec<Vec<Vec<ArrayNode>>> = match line {
                    Line::Row => rows.into_iter().map(|row| vec![row]).collect(),
                    Line::Column => (0..rows.first().map_or(0, Vec::len))
                        .map(|column| rows.iter().map(|row| vec![row[column].clone()]).collect())
                        .collect(),
                };
                if lines.is_empty() {
                    return Err(CalcResult::new_error(Error::VALUE, cell, "The array is empty".to_string()));
                }
                Ok(lines.into_iter().map(|one| self.value_by(&lambda, Node::ArrayKind(one), cell)).collect())
            }
        }
    }

    fn by_lines_of_cells(
        &mut self,
        left: CellReferenceIndex,
        right: CellReferenceIndex,
        line: Line,
        lambda: &CalcResult,
        cell: CellReferenceIndex,
    ) -> Result<Vec<ArrayNode>, CalcResult> {
        let used = self.clip_to_used_area(left.sheet, left.row, left.column, right.row, right.column);
        let used = used.unwrap_or((right.row, right.column));
        let (first, last, used) = match line {
            Line::Row => (left.row, right.row, used.0),
            Line::Column => (left.column, right.column, used.1),
        };
        let reference = |at: i32| match line {
            Line::Row => range_node(CellReferenceIndex { row: at, ..left }, at, right.column),
            Line::Column => range_node(CellReferenceIndex { column: at, ..left }, right.row, at),
        };
        let all = (last - first + 1) as usize;
        let mut values = Vec::with_capacity(all);
        let mut at = first;
        while at <= last {
            if host::is_spent() {
                break;
            }
            values.push(self.value_by(lambda, reference(at), cell));
            if at > used && self.makes_the_same_of_empty_cells(lambda) {
                values.resize(all, values.last().cloned().unwrap_or(ArrayNode::Empty));
                break;
            }
            at += 1;
        }
        Ok(values)
    }

    /// What a LAMBDA makes of a line, which is to be one value.
    fn value_by(&mut self, lambda: &CalcResult, line: Node, cell: CellReferenceIndex) -> ArrayNode {
        let result = self.call_lambda(lambda.clone(), &[line], cell);
        self.one_value(result)
    }
}
