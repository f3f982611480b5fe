//! GROUPBY by one column. What its documentation leaves open is not calculated.
use crate::calc_result::CalcResult;
use crate::cast::calc_result_to_array_node;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::by_lines::no_lambda;
use crate::functions::search::value_of_node;
use crate::functions::sorting::{invalid, sorted, Key};
use crate::functions::util::compare_values;
use crate::model::Model;

type Rows = Vec<Vec<ArrayNode>>;

/// How many operations it is to give a value to a LAMBDA.
pub(crate) const VALUE: usize = 8;

/// What is grouped: the column that rows are grouped by, and the values of each row.
struct Records {
    keys: Vec<ArrayNode>,
    values: Rows,
}

/// What the optional arguments say.
struct Layout {
    /// 0: there are no headings; 1: they are left out; 3: they are shown.
    headings: i64,
    /// 0: there is no total; 1: it comes last; -1: it comes first.
    total: i64,
    /// The column of the result by which its rows are sorted, negative where they go downwards.
    order: i64,
}

pub(crate) fn refused<T>(cell: CellReferenceIndex) -> Result<T, CalcResult> {
    Err(CalcResult::new_error(Error::NIMPL, cell, "Such groups are not calculated".to_string()))
}

/// Where the records of each group stand, in the order of the groups.
pub(crate) fn groups_of(keys: &[ArrayNode], cell: CellReferenceIndex) -> Vec<Vec<usize>> {
    let by_key = sorted((0..keys.len()).collect(), &[Key { values: keys.to_vec(), ascending: true }], cell);
    let value = |at: &usize| value_of_node(&keys[*at], cell);
    let is_same = |one: &usize, other: &usize| compare_values(&value(one), &value(other)) == 0;
    by_key.chunk_by(is_same).map(<[usize]>::to_vec).collect()
}

/// Whether a column cannot be grouped by, of which the documentation leaves open how.
pub(crate) fn is_open(keys: &[Vec<ArrayNode>]) -> bool {
    keys.iter().any(|row| row.len() != 1 || matches!(row[0], ArrayNode::Empty | ArrayNode::Error(_)))
}

/// Whether the first of some values looks like a heading.
pub(crate) fn seems_headed(values: &[Vec<ArrayNode>]) -> bool {
    let first = |row: usize| values.get(row).and_then(|row| row.first());
    matches!((first(0), first(1)), (Some(ArrayNode::String(_)), Some(ArrayNode::Number(_))))
}

impl<'a> Model<'a> {
    pub(crate) fn fn_groupby(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.group_by(args, cell).map_or_else(|error| error, CalcResult::Array)
    }

    fn group_by(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<Rows, CalcResult> {
        let [keys, values, lambda, rest @ ..] = args else { return Err(CalcResult::new_args_number_error(cell)) };
        if rest.len() > 5 {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let keys = self.eval_to_array(keys, cell)?;
        let mut values = self.eval_to_array(values, cell)?;
        let lambda = self.evaluate_node_in_context(lambda, cell);
        if let Some(error) = no_lambda(&lambda, cell) {
            return Err(error);
        }
        if keys.len() != values.len() {
            return invalid("Both must have as many rows", cell);
        }
        let has_relation = rest.get(4).is_some_and(|arg| !matches!(arg, Node::EmptyArgKind));
        if is_open(&keys) || has_relation {
            return refused(cell);
        }
        let mut keys: Vec<ArrayNode> = keys.into_iter().flatten().collect();
        let layout = self.layout(rest, &values, cell)?;
        let mut result = Vec::new();
        if layout.headings != 0 {
            let heading = [vec![keys.remove(0)], values.remove(0)].concat();
            if layout.headings == 3 {
                result.push(heading);
            }
        }
        if keys.is_empty() {
            return invalid("There is nothing to group", cell);
        }
        let kept = self.let_through(keys.len(), rest.get(3), layout.headings != 0, cell)?;
        let records = Records {
            keys: kept.iter().map(|at| keys[*at].clone()).collect(),
            values: kept.iter().map(|at| values[*at].clone()).collect(),
        };
        result.extend(self.grouped(&records, &lambda, &layout, cell)?);
        Ok(result)
    }

    /// The whole number of an argument, or one that goes for those who give none.
    pub(crate) fn whole_number_or(&mut self, arg: Option<&Node>, otherwise: i64, cell: CellReferenceIndex) -> Result<i64, CalcResult> {
        match arg {
            None | Some(Node::EmptyArgKind) => Ok(otherwise),
            Some(arg) => self.get_number(arg, cell).map(|number| number.trunc() as i64),
        }
    }

    fn layout(&mut self, rest: &[Node], values: &[Vec<ArrayNode>], cell: CellReferenceIndex) -> Result<Layout, CalcResult> {
        let mut number = |place: usize, otherwise| self.whole_number_or(rest.get(place), otherwise, cell);
        let headings = number(0, i64::from(seems_headed(values)))?;
        let layout = Layout { headings, total: number(1, 1)?, order: number(2, 1)? };
        let columns = values.first().map_or(0, Vec::len) as i64 + 1;
        if !(0..=3).contains(&layout.headings) || layout.order == 0 || layout.order.abs() > columns {
            return invalid("There is no such heading or order", cell);
        }
        if layout.headings == 2 || layout.total.abs() > 1 {
            return refused(cell);
        }
        Ok(layout)
    }

    /// Which of so many records a list of truths, one for each, lets through.
    pub(crate) fn let_through(
        &mut self,
        count: usize,
        filter: Option<&Node>,
        is_headed: bool,
        cell: CellReferenceIndex,
    ) -> Result<Vec<usize>, CalcResult> {
        let Some(filter) = filter.filter(|arg| !matches!(arg, Node::EmptyArgKind)) else { return Ok((0..count).collect()) };
        let mut chosen: Vec<ArrayNode> = self.eval_to_array(filter, cell)?.into_iter().flatten().collect();
        if is_headed && chosen.len() == count + 1 {
            chosen.remove(0);
        }
        if chosen.len() != count {
            return invalid("The filter has another size", cell);
        }
        let mut kept = Vec::new();
        for (place, chosen) in chosen.into_iter().enumerate() {
            match chosen {
                ArrayNode::Boolean(false) | ArrayNode::Empty => {}
                ArrayNode::Number(number) if number == 0.0 => {}
                ArrayNode::Boolean(_) | ArrayNode::Number(_) => kept.push(place),
                ArrayNode::Error(error) => return Err(CalcResult::new_error(error, cell, String::new())),
                ArrayNode::String(_) => return invalid("A filter is made of truths", cell),
            }
        }
        if kept.is_empty() { Err(CalcResult::new_error(Error::CALC, cell, "Nothing is left".to_string())) } else { Ok(kept) }
    }

    fn grouped(
        &mut self,
        records: &Records,
        lambda: &CalcResult,
        layout: &Layout,
        cell: CellReferenceIndex,
    ) -> Result<Rows, CalcResult> {
        let lines: Vec<usize> = (0..records.keys.len()).collect();
        let mut rows = Vec::new();
        for group in groups_of(&records.keys, cell) {
            rows.push(self.line(records.keys[group[0]].clone(), records, &group, lambda, cell)?);
        }
        let place = layout.order.unsigned_abs() as usize - 1;
        let values = rows.iter().map(|row| row[place].clone()).collect();
        let mut rows = sorted(rows, &[Key { values, ascending: layout.order > 0 }], cell);
        if layout.total != 0 {
            let total = self.line(ArrayNode::String("Total".to_string()), records, &lines, lambda, cell)?;
            rows.insert(if layout.total < 0 { 0 } else { rows.len() }, total);
        }
        Ok(rows)
    }

    /// What a LAMBDA makes of the values of some records, column by column. One of two parameters is given those of all, too.
    fn line(
        &mut self,
        label: ArrayNode,
        records: &Records,
        group: &[usize],
        lambda: &CalcResult,
        cell: CellReferenceIndex,
    ) -> Result<Vec<ArrayNode>, CalcResult> {
        let CalcResult::Lambda(id) = lambda else { return refused(cell) };
        let takes_all = self.lambdas.get(id).is_some_and(|(parameters, _)| parameters.len() == 2);
        let read = if takes_all { records.keys.len() } else { group.len() };
        if crate::host::plan(VALUE * read * records.values[0].len()) {
            return refused(cell);
        }
        let mut line = vec![label];
        for column in 0..records.values[0].len() {
            let of_group = group.iter().map(|at| vec![records.values[*at][column].clone()]).collect();
            let mut given = vec![CalcResult::Array(of_group)];
            if takes_all {
                let all = records.values.iter().map(|values| vec![values[column].clone()]).collect();
                given.push(CalcResult::Array(all));
            }
            line.push(match self.call_lambda_with_values(lambda.clone(), given, cell) {
                // Several values for a group make a table of another kind.
                CalcResult::Array(rows) if rows.len() == 1 && rows[0].len() == 1 => rows[0][0].clone(),
                CalcResult::Array(_) | CalcResult::Range { .. } | CalcResult::Lambda(_) => return refused(cell),
                value => calc_result_to_array_node(value),
            });
        }
        Ok(line)
    }
}
