//! IFS and SWITCH where what they look at is several values: they choose for each of them, as an IF within an IF does.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
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
}
