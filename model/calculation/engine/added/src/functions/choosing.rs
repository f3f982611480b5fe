//! IFS, SWITCH and CHOOSE where what they look at is several values: they choose for each of them, as an IF within an IF does.
use crate::calc_result::CalcResult;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::{Error, OpCompare};
use crate::expressions::types::CellReferenceIndex;
use crate::functions::lifting::variable;
use crate::functions::Function;
use crate::model::Model;

pub(crate) fn has_several(value: &CalcResult) -> bool {
    match value {
        CalcResult::Array(rows) => rows.len() != 1 || rows[0].len() != 1,
        CalcResult::Range { left, right } => left != right,
        _ => false,
    }
}

/// What is left of a function for those that nothing before was chosen for.
fn rest(kind: Function, args: Vec<Node>, is_empty: bool) -> Node {
    if is_empty { Node::ErrorKind(Error::NA) } else { Node::FunctionKind { kind, args } }
}

impl<'a> Model<'a> {
    /// IFS from a condition on that is several values; `args` begins behind it.
    pub(crate) fn ifs_of_each(&mut self, condition: CalcResult, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let others = rest(Function::Ifs, args[1..].to_vec(), args.len() == 1);
        let id = self.get_next_variable_id();
        self.variable_stack.insert(id, condition);
        let result = self.fn_if(&[variable(id), args[0].clone(), others], cell);
        self.variable_stack.remove(&id);
        result
    }

    /// SWITCH of several values, or from a case on that is several values; `args` begins with that case.
    pub(crate) fn switch_of_each(&mut self, value: CalcResult, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let [case, chosen, others @ ..] = args else {
            return match args {
                [default] => self.evaluate_node_in_context(default, cell),
                _ => CalcResult::new_error(Error::NA, cell, "Did not find a match".to_string()),
            };
        };
        let id = self.get_next_variable_id();
        self.variable_stack.insert(id, value);
        let is_case = Node::CompareKind {
            kind: OpCompare::Equal,
            left: Box::new(variable(id)),
            right: Box::new(case.clone()),
        };
        let others = match others {
            [default] => default.clone(),
            _ => rest(Function::Switch, [&[variable(id)], others].concat(), others.is_empty()),
        };
        let result = self.fn_if(&[is_case, chosen.clone(), others], cell);
        self.variable_stack.remove(&id);
        result
    }

    /// CHOOSE by several numbers: what is chosen from has several values too, or one for all of them.
    pub(crate) fn choose_of_each(
        &mut self,
        numbers: Vec<Vec<ArrayNode>>,
        values: &[Node],
        cell: CellReferenceIndex,
    ) -> CalcResult {
        let whole = |number| match number {
            ArrayNode::Number(number) => ArrayNode::Number(number.trunc()),
            ArrayNode::Boolean(truth) => ArrayNode::Number(f64::from(u8::from(truth))),
            ArrayNode::String(text) => match self.cast_number(&text) {
                Some(number) => ArrayNode::Number(number.trunc()),
                None => ArrayNode::Error(Error::VALUE),
            },
            ArrayNode::Empty => ArrayNode::Number(0.0),
            ArrayNode::Error(error) => ArrayNode::Error(error),
        };
        let numbers: Vec<Vec<ArrayNode>> = numbers.into_iter().map(|row| row.into_iter().map(whole).collect()).collect();
        let is_asked = |place: usize| {
            place == 1 || numbers.iter().flatten().any(|number| *number == ArrayNode::Number(place as f64))
        };
        let places: Vec<usize> = (1..=values.len()).filter(|place| is_asked(*place)).collect();
        let id = self.get_next_variable_id();
        let choice = places.into_iter().rev().fold(Node::ErrorKind(Error::VALUE), |others, place| {
            let is_it = Node::CompareKind {
                kind: OpCompare::Equal,
                left: Box::new(variable(id)),
                right: Box::new(Node::NumberKind(place as f64)),
            };
            Node::FunctionKind { kind: Function::If, args: vec![is_it, values[place - 1].clone(), others] }
        });
        self.variable_stack.insert(id, CalcResult::Array(numbers));
        let result = self.evaluate_node_in_context(&choice, cell);
        self.variable_stack.remove(&id);
        result
    }
}
