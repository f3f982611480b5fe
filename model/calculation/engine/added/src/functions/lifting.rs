//! Functions of single values over arrays and ranges: they are called once for each element.
use crate::calc_result::CalcResult;
use crate::cast::calc_result_to_array_node;
use crate::expressions::parser::static_analysis::takes_single;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::util::is_too_long;
use crate::functions::Function;
use crate::model::Model;

/// An argument that has several values where one is expected.
struct Lifted {
    place: usize,
    rows: Vec<Vec<ArrayNode>>,
}

impl Lifted {
    /// The argument for one call: what is one row high or one column wide goes for all.
    fn at(&self, row: usize, column: usize, empty: &Node) -> Node {
        let row = if self.rows.len() == 1 { 0 } else { row };
        let found = self.rows.get(row).and_then(|values| {
            values.get(if values.len() == 1 { 0 } else { column })
        });
        match found {
            Some(ArrayNode::Number(number)) => Node::NumberKind(*number),
            Some(ArrayNode::String(text)) => Node::StringKind(text.replace('"', "\"\"")),
            Some(ArrayNode::Boolean(truth)) => Node::BooleanKind(*truth),
            Some(ArrayNode::Error(error)) => Node::ErrorKind(error.clone()),
            Some(ArrayNode::Empty) => empty.clone(),
            None => Node::ErrorKind(Error::NA),
        }
    }
}

/// These look at their arguments in ways of their own, and some not at all.
fn chooses(kind: &Function) -> bool {
    use Function::*;
    matches!(kind, If | Iferror | Ifna | Ifs | Let | Lambda | Choose | Switch)
}

/// What is one value already, or costs nothing to be looked at twice.
fn is_plain(node: &Node) -> bool {
    matches!(
        node,
        Node::NumberKind(_)
            | Node::StringKind(_)
            | Node::BooleanKind(_)
            | Node::ErrorKind(_)
            | Node::EmptyArgKind
            | Node::ReferenceKind { .. }
    )
}

fn variable(id: usize) -> Node {
    Node::NamedVariableKind { name: String::new(), id: Some(id as u32) }
}

impl<'a> Model<'a> {
    pub(crate) fn evaluate_function(
        &mut self,
        kind: &Function,
        args: &[Node],
        cell: CellReferenceIndex,
    ) -> CalcResult {
        let result = match self.used_parts(kind, args, cell) {
            None => self.evaluate_for_elements(kind, args, cell),
            Some((used, left_out)) => match (kind, self.evaluate_for_elements(kind, &used, cell)) {
                (Function::Countblank, CalcResult::Number(count)) => CalcResult::Number(count + left_out),
                (_, result) => result,
            },
        };
        if matches!(&result, CalcResult::String(text) if is_too_long(text)) {
            return CalcResult::new_error(Error::VALUE, cell, "The text is too long".to_string());
        }
        result
    }

    fn evaluate_for_elements(
        &mut self,
        kind: &Function,
        args: &[Node],
        cell: CellReferenceIndex,
    ) -> CalcResult {
        let count = args.len();
        let is_asked = |place: &usize| takes_single(kind, *place, count) && !is_plain(&args[*place]);
        let asked: Vec<usize> = if chooses(kind) { Vec::new() } else { (0..count).filter(is_asked).collect() };
        if asked.is_empty() {
            return self.evaluate_function_once(kind, args, cell);
        }
        let mut given = args.to_vec();
        let mut lifted = Vec::new();
        let mut bound = Vec::new();
        for place in asked {
            match self.evaluate_node_in_context(&args[place], cell) {
                CalcResult::Array(rows) if rows.len() > 1 || rows.first().is_some_and(|row| row.len() > 1) => {
                    lifted.push(Lifted { place, rows });
                }
                CalcResult::Range { left, right } if left != right && left.sheet == right.sheet => {
                    let rows = self.evaluate_range(left, right);
                    lifted.push(Lifted { place, rows });
                }
                CalcResult::Number(number) => given[place] = Node::NumberKind(number),
                CalcResult::Boolean(truth) => given[place] = Node::BooleanKind(truth),
                CalcResult::String(text) => given[place] = Node::StringKind(text.replace('"', "\"\"")),
                // It is kept as what it is, with where an error comes from.
                result => {
                    let id = self.get_next_variable_id();
                    self.variable_stack.insert(id, result);
                    bound.push(id);
                    given[place] = variable(id);
                }
            }
        }
        let result = if lifted.is_empty() {
            self.evaluate_function_once(kind, &given, cell)
        } else {
            self.over_elements(kind, given, &lifted, cell)
        };
        for id in bound {
            self.variable_stack.remove(&id);
        }
        result
    }

    fn over_elements(
        &mut self,
        kind: &Function,
        mut args: Vec<Node>,
        lifted: &[Lifted],
        cell: CellReferenceIndex,
    ) -> CalcResult {
        let rows = lifted.iter().map(|one| one.rows.len()).max().unwrap_or(1);
        let columns = lifted.iter().map(|one| one.rows.first().map_or(0, Vec::len)).max().unwrap_or(1);
        // An empty cell, which no text of a formula says.
        let id = self.get_next_variable_id();
        self.variable_stack.insert(id, CalcResult::EmptyCell);
        let empty = variable(id);
        let mut results = Vec::with_capacity(rows);
        for row in 0..rows {
            let mut line = Vec::with_capacity(columns);
            for column in 0..columns {
                for one in lifted {
                    args[one.place] = one.at(row, column, &empty);
                }
                line.push(match self.evaluate_function_once(kind, &args, cell) {
                    CalcResult::Array(inner) => {
                        inner.into_iter().flatten().next().unwrap_or(ArrayNode::Empty)
                    }
                    CalcResult::Range { left, .. } => calc_result_to_array_node(self.evaluate_cell(left)),
                    CalcResult::Lambda(_) => ArrayNode::Error(Error::CALC),
                    result => calc_result_to_array_node(result),
                });
            }
            results.push(line);
        }
        self.variable_stack.remove(&id);
        CalcResult::Array(results)
    }
}
