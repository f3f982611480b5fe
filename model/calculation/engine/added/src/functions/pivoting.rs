//! PIVOTBY of one column by another one. What its documentation leaves open is not calculated.
use crate::calc_result::CalcResult;
use crate::cast::calc_result_to_array_node;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::types::CellReferenceIndex;
use crate::functions::by_lines::no_lambda;
use crate::functions::grouping::{groups_of, is_open, refused, seems_headed, VALUE};
use crate::functions::sorting::{invalid, sorted, Key};
use crate::model::Model;

/// One side of the table: its groups, and where their total stands.
struct Side {
    /// The values of each record, by which they are grouped.
    keys: Vec<ArrayNode>,
    /// 0: there is no total; 1: it comes last; -1: it comes first.
    total: i64,
    /// 1: by the groups; 2: by their totals; negative where they go downwards.
    order: i64,
}

/// What stands at the head of a row or column, and the records that are counted in it.
struct Line {
    label: ArrayNode,
    records: Vec<usize>,
}

/// What the groups are made of.
struct Aggregate<'c> {
    values: Vec<ArrayNode>,
    lambda: &'c CalcResult,
    cell: CellReferenceIndex,
}

impl<'a> Model<'a> {
    pub(crate) fn fn_pivotby(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.pivot_by(args, cell).map_or_else(|error| error, CalcResult::Array)
    }

    fn pivot_by(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<Vec<Vec<ArrayNode>>, CalcResult> {
        let [rows, columns, values, lambda, rest @ ..] = args else { return Err(CalcResult::new_args_number_error(cell)) };
        if rest.len() > 7 {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let (rows, columns) = (self.eval_to_array(rows, cell)?, self.eval_to_array(columns, cell)?);
        let values = self.eval_to_array(values, cell)?;
        let lambda = self.evaluate_node_in_context(lambda, cell);
        if let Some(error) = no_lambda(&lambda, cell) {
            return Err(error);
        }
        if rows.len() != values.len() || columns.len() != values.len() {
            return invalid("All must have as many rows", cell);
        }
        let has_relation = rest.get(6).is_some_and(|arg| !matches!(arg, Node::EmptyArgKind));
        if is_open(&rows) || is_open(&columns) || values[0].len() != 1 || has_relation {
            return refused(cell);
        }
        let mut number = |place: usize, otherwise| self.whole_number_or(rest.get(place), otherwise, cell);
        let headings = number(0, i64::from(seems_headed(&values)))?;
        let (row_total, row_order) = (number(1, 1)?, number(2, 1)?);
        let (column_total, column_order) = (number(3, 1)?, number(4, 1)?);
        let is_order = |order: i64| (1..=2).contains(&order.abs());
        if !(0..=3).contains(&headings) || !is_order(row_order) || !is_order(column_order) {
            return invalid("There is no such heading or order", cell);
        }
        // Headings that are shown, and subtotals.
        if headings > 1 || row_total.abs() > 1 || column_total.abs() > 1 {
            return refused(cell);
        }
        let first = usize::from(headings == 1);
        if values.len() == first {
            return invalid("There is nothing to group", cell);
        }
        let kept = self.let_through(values.len() - first, rest.get(5), headings == 1, cell)?;
        let column = |of: Vec<Vec<ArrayNode>>| kept.iter().map(|at| of[first + at][0].clone()).collect();
        let rows = Side { keys: column(rows), total: row_total, order: row_order };
        let columns = Side { keys: column(columns), total: column_total, order: column_order };
        self.pivoted(&rows, &columns, &Aggregate { values: column(values), lambda: &lambda, cell })
    }

    fn pivoted(&mut self, rows: &Side, columns: &Side, of: &Aggregate) -> Result<Vec<Vec<ArrayNode>>, CalcResult> {
        let (rows, columns) = (self.lines(rows, of)?, self.lines(columns, of)?);
        let nothing = ArrayNode::String(String::new());
        let heads = columns.iter().map(|column| column.label.clone());
        let mut table = vec![std::iter::once(nothing.clone()).chain(heads).collect::<Vec<_>>()];
        let mut is_in_row = vec![false; of.values.len()];
        for row in rows {
            row.records.iter().for_each(|at| is_in_row[*at] = true);
            let mut line = vec![row.label];
            for column in &columns {
                if crate::host::plan(column.records.len()) {
                    return refused(of.cell);
                }
                let both: Vec<usize> = column.records.iter().copied().filter(|at| is_in_row[*at]).collect();
                line.push(if both.is_empty() { nothing.clone() } else { self.aggregate(&both, of)? });
            }
            row.records.iter().for_each(|at| is_in_row[*at] = false);
            table.push(line);
        }
        Ok(table)
    }

    /// The rows or columns of the table in their order, with the total.
    fn lines(&mut self, side: &Side, of: &Aggregate) -> Result<Vec<Line>, CalcResult> {
        let groups = groups_of(&side.keys, of.cell);
        let mut lines: Vec<Line> =
            groups.into_iter().map(|records| Line { label: side.keys[records[0]].clone(), records }).collect();
        let values = if side.order.abs() == 1 {
            lines.iter().map(|line| line.label.clone()).collect()
        } else {
            lines.iter().map(|line| self.aggregate(&line.records, of)).collect::<Result<_, _>>()?
        };
        lines = sorted(lines, &[Key { values, ascending: side.order > 0 }], of.cell);
        if side.total != 0 {
            let total = Line { label: ArrayNode::String("Total".to_string()), records: (0..of.values.len()).collect() };
            lines.insert(if side.total < 0 { 0 } else { lines.len() }, total);
        }
        Ok(lines)
    }

    /// What the LAMBDA makes of the values of some records.
    fn aggregate(&mut self, records: &[usize], of: &Aggregate) -> Result<ArrayNode, CalcResult> {
        let CalcResult::Lambda(id) = of.lambda else { return refused(of.cell) };
        // Two parameters are a part of a whole, of which there may be several.
        let takes_one = self.lambdas.get(id).is_some_and(|(parameters, _)| parameters.len() == 1);
        if !takes_one || crate::host::plan(VALUE * records.len()) {
            return refused(of.cell);
        }
        let values = records.iter().map(|at| vec![of.values[*at].clone()]).collect();
        match self.call_lambda_with_values(of.lambda.clone(), vec![CalcResult::Array(values)], of.cell) {
            // Several values for a group make a table of another kind.
            CalcResult::Array(rows) if rows.len() == 1 && rows[0].len() == 1 => Ok(rows[0][0].clone()),
            CalcResult::Array(_) | CalcResult::Range { .. } | CalcResult::Lambda(_) => refused(of.cell),
            value => Ok(calc_result_to_array_node(value)),
        }
    }
}
