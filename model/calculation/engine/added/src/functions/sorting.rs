//! SORT and SORTBY.
use crate::calc_result::CalcResult;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::search::value_of_node;
use crate::functions::spill_functions::transpose_array;
use crate::functions::util::compare_values;
use crate::model::Model;
use std::cmp::Ordering;

/// What lines are sorted by: a value for each of them.
pub(crate) struct Key {
    pub(crate) values: Vec<ArrayNode>,
    pub(crate) ascending: bool,
}

/// Empty cells come last, in whatever order.
fn compare(one: &ArrayNode, other: &ArrayNode, ascending: bool, cell: CellReferenceIndex) -> Ordering {
    let is_empty = |node: &ArrayNode| matches!(node, ArrayNode::Empty);
    if is_empty(one) || is_empty(other) {
        return is_empty(one).cmp(&is_empty(other));
    }
    let order = compare_values(&value_of_node(one, cell), &value_of_node(other, cell)).cmp(&0);
    if ascending { order } else { order.reverse() }
}

/// The lines by the first key that tells them apart; lines that no key does stay in their order.
pub(crate) fn sorted<T>(lines: Vec<T>, keys: &[Key], cell: CellReferenceIndex) -> Vec<T> {
    let mut places: Vec<usize> = (0..lines.len()).collect();
    places.sort_by(|one, other| {
        let by = |key: &Key| compare(&key.values[*one], &key.values[*other], key.ascending, cell);
        keys.iter().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let mut lines: Vec<Option<T>> = lines.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| lines[place].take()).collect()
}

pub(crate) fn invalid<T>(message: &str, cell: CellReferenceIndex) -> Result<T, CalcResult> {
    Err(CalcResult::new_error(Error::VALUE, cell, message.to_string()))
}

impl<'a> Model<'a> {
    /// The numbers of an argument, or one that goes for those who give none.
    fn numbers_or(&mut self, arg: Option<&Node>, otherwise: f64, cell: CellReferenceIndex) -> Result<Vec<f64>, CalcResult> {
        let Some(arg) = arg.filter(|arg| !matches!(arg, Node::EmptyArgKind)) else { return Ok(vec![otherwise]) };
        let given = self.eval_to_array(arg, cell)?;
        given.iter().flatten().map(|node| self.cast_to_number(value_of_node(node, cell), cell).map(f64::trunc)).collect()
    }

    /// Whether each of some orders goes upwards.
    fn directions(&mut self, arg: Option<&Node>, cell: CellReferenceIndex) -> Result<Vec<bool>, CalcResult> {
        let orders = self.numbers_or(arg, 1.0, cell)?;
        if orders.iter().any(|order| order.abs() != 1.0) {
            return invalid("An order is 1 or -1", cell);
        }
        Ok(orders.into_iter().map(|order| order > 0.0).collect())
    }

    pub(crate) fn fn_sort(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.sort(args, cell).map_or_else(|error| error, CalcResult::Array)
    }

    fn sort(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<Vec<Vec<ArrayNode>>, CalcResult> {
        if !(1..=4).contains(&args.len()) {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let data = self.eval_to_array(&args[0], cell)?;
        let places = self.numbers_or(args.get(1), 1.0, cell)?;
        let directions = self.directions(args.get(2), cell)?;
        let sorts_columns = match args.get(3) {
            Some(arg) => self.get_boolean(arg, cell)?,
            None => false,
        };
        let lines = if sorts_columns { transpose_array(data) } else { data };
        let width = lines.first().map_or(0, Vec::len) as f64;
        if places.iter().any(|place| !(1.0..=width).contains(place)) {
            return invalid("There is no such row or column to sort by", cell);
        }
        // One order goes for all.
        if directions.len() != 1 && directions.len() != places.len() {
            return invalid("There are more or fewer orders than what is sorted by", cell);
        }
        let key = |(at, place): (usize, &f64)| Key {
            values: lines.iter().map(|line| line[*place as usize - 1].clone()).collect(),
            ascending: directions[at % directions.len()],
        };
        let keys: Vec<Key> = places.iter().enumerate().map(key).collect();
        let lines = sorted(lines, &keys, cell);
        Ok(if sorts_columns { transpose_array(lines) } else { lines })
    }

    pub(crate) fn fn_sortby(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.sort_by(args, cell).map_or_else(|error| error, CalcResult::Array)
    }

    fn sort_by(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<Vec<Vec<ArrayNode>>, CalcResult> {
        let [given, by @ ..] = args else { return Err(CalcResult::new_args_number_error(cell)) };
        if by.is_empty() {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let data = self.eval_to_array(given, cell)?;
        let (rows, columns) = (data.len(), data.first().map_or(0, Vec::len));
        let (mut of_rows, mut of_columns) = (Vec::new(), Vec::new());
        for pair in by.chunks(2) {
            let key = self.eval_to_array(&pair[0], cell)?;
            let ascending = self.directions(pair.get(1), cell)?[0];
            let size = (key.len(), key.first().map_or(0, Vec::len));
            let values = key.into_iter().flatten().collect();
            // A column of values sorts rows, a row of them columns.
            if size == (rows, 1) {
                of_rows.push(Key { values, ascending });
            } else if size == (1, columns) {
                of_columns.push(Key { values, ascending });
            } else {
                return invalid("What is sorted by has another size", cell);
            }
        }
        match (of_rows.is_empty(), of_columns.is_empty()) {
            (_, true) => Ok(sorted(data, &of_rows, cell)),
            (true, _) => Ok(transpose_array(sorted(transpose_array(data), &of_columns, cell))),
            _ => invalid("Either rows are sorted or columns", cell),
        }
    }
}
