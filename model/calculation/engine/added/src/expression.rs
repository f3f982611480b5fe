//! Formulas that no cell has: what they would come to in a cell.
use crate::calc_result::CalcResult;
use crate::cast::calc_result_to_array_node;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;

impl<'a> Model<'a> {
    /// The first values, `most` at most, row by row, of what a formula comes to as seen from `cell`. To be called when everything is
    /// evaluated; nothing is stored.
    pub fn evaluate_expression(&mut self, node: &Node, cell: CellReferenceIndex, most: usize) -> Vec<ArrayNode> {
        self.clear_variable_stack();
        self.clear_lambdas();
        let mut values = Vec::new();
        match self.evaluate_node_in_context(node, cell) {
            CalcResult::Range { left, right } => {
                let width = (right.column - left.column + 1).max(1) as usize;
                let rows = (most.div_ceil(width)).min(i32::MAX as usize) as i32;
                let last = right.row.min(left.row.saturating_add(rows - 1));
                let right = CellReferenceIndex { row: last, ..right };
                for row in self.evaluate_range(left, right) {
                    values.extend(row);
                }
            }
            CalcResult::Array(rows) => values.extend(rows.into_iter().flatten()),
            result => values.push(calc_result_to_array_node(result)),
        }
        if crate::host::is_spent() || crate::host::is_refused() {
            return vec![ArrayNode::Error(Error::NIMPL)];
        }
        values.truncate(most);
        values
    }
}
