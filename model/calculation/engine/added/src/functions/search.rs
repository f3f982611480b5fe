//! The searches of the lookup functions, as Excel makes them. Numbers, texts and truths are never found among each other; empty
//! cells and errors are passed over.
use super::searched::Searched;
use super::util::compare_values;
use super::wildcards::Wildcards;
use crate::calc_result::CalcResult;
use crate::expressions::parser::ArrayNode;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;
use std::cmp::Ordering;
use std::rc::Rc;

/// What a lookup takes if it does not find the value itself (the last arguments of MATCH, XMATCH and XLOOKUP).
#[derive(PartialEq, Clone, Copy)]
pub(crate) enum Otherwise {
    Nothing,
    NextSmaller,
    NextLarger,
    /// The value may have `*`, `?` and `~`.
    Pattern,
}

/// In which order a vector is searched.
#[derive(PartialEq, Clone, Copy)]
pub(crate) enum Order {
    FromFirst,
    FromLast,
    /// Sorted: by halves.
    Ascending,
    Descending,
}

/// What is looked for: an empty cell counts as zero.
pub(crate) fn sought(value: CalcResult) -> CalcResult {
    match value {
        CalcResult::EmptyCell | CalcResult::EmptyArg => CalcResult::Number(0.0),
        value => value,
    }
}

pub(crate) fn are_alike(one: &CalcResult, other: &CalcResult) -> bool {
    matches!(
        (one, other),
        (CalcResult::Number(_), CalcResult::Number(_))
            | (CalcResult::String(_), CalcResult::String(_))
            | (CalcResult::Boolean(_), CalcResult::Boolean(_))
    )
}

/// How a value stands to the one that is looked for; None where they cannot be compared. Numbers are compared to the last bit, where
/// operators look at fifteen digits.
pub(crate) fn ordering(value: &CalcResult, target: &CalcResult) -> Option<Ordering> {
    match (value, target) {
        (CalcResult::Number(value), CalcResult::Number(target)) => value.partial_cmp(target),
        _ => are_alike(value, target).then(|| compare_values(value, target).cmp(&0)),
    }
}

/// By halves, of an even count from the last of the first half on, as it matters where they are not sorted: how many of the places
/// hold what comes before the target, or is it if `with_equal`.
fn before(
    target: &CalcResult,
    values: &[CalcResult],
    places: &[usize],
    with_equal: bool,
    descending: bool,
) -> usize {
    let (mut low, mut high) = (0, places.len());
    while low < high {
        let middle = (low + high - 1) / 2;
        let found = ordering(&values[places[middle]], target).unwrap_or(Ordering::Greater);
        let found = if descending { found.reverse() } else { found };
        if found == Ordering::Less || (with_equal && found == Ordering::Equal) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// In an ascending vector the place of the target, of several the last, or of the greatest value below it (VLOOKUP, HLOOKUP,
/// LOOKUP, and MATCH with 1).
pub(crate) fn last_not_above(target: &CalcResult, values: &Searched) -> Option<usize> {
    let places = values.comparable(target);
    let count = before(target, values, places, true, false);
    count.checked_sub(1).map(|last| places[last])
}

/// In a descending vector the place of the target, or of the smallest value above it: the search ends at the first value below
/// (MATCH with -1).
pub(crate) fn last_not_below(target: &CalcResult, values: &[CalcResult]) -> Option<usize> {
    let mut found = None;
    for (at, value) in values.iter().enumerate() {
        match ordering(value, target) {
            None => {}
            Some(Ordering::Less) => break,
            Some(Ordering::Equal) => return Some(at),
            Some(Ordering::Greater) => found = Some(at),
        }
    }
    found
}

/// The first place that has the target; texts may be patterns (VLOOKUP and HLOOKUP with FALSE, MATCH with 0).
pub(crate) fn first_match(target: &CalcResult, values: &Searched) -> Option<usize> {
    find(target, values, Otherwise::Pattern, Order::FromFirst)
}

/// Where XLOOKUP and XMATCH find a value.
pub(crate) fn find(
    target: &CalcResult,
    values: &Searched,
    otherwise: Otherwise,
    order: Order,
) -> Option<usize> {
    match order {
        Order::Ascending | Order::Descending => find_sorted(target, values, otherwise, order),
        _ if otherwise == Otherwise::Pattern => find_pattern(target, values, order),
        _ => find_in_turn(target, values, otherwise, order),
    }
}

fn in_turn(count: usize, order: Order) -> Box<dyn Iterator<Item = usize>> {
    match order {
        Order::FromLast => Box::new((0..count).rev()),
        _ => Box::new(0..count),
    }
}

fn find_in_turn(
    target: &CalcResult,
    values: &Searched,
    otherwise: Otherwise,
    order: Order,
) -> Option<usize> {
    if otherwise == Otherwise::Nothing && order == Order::FromFirst {
        return values.first_place_of(target);
    }
    let wanted = match otherwise {
        Otherwise::NextSmaller => Ordering::Less,
        Otherwise::NextLarger => Ordering::Greater,
        _ => Ordering::Equal,
    };
    let mut best: Option<usize> = None;
    for at in in_turn(values.len(), order) {
        match ordering(&values[at], target) {
            Some(Ordering::Equal) => return Some(at),
            Some(found) if found == wanted => {
                let is_nearer =
                    best.is_none_or(|known| ordering(&values[at], &values[known]) == Some(wanted.reverse()));
                if is_nearer {
                    best = Some(at);
                }
            }
            _ => {}
        }
    }
    best
}

fn find_pattern(target: &CalcResult, values: &Searched, order: Order) -> Option<usize> {
    let CalcResult::String(text) = target else {
        return find_in_turn(target, values, Otherwise::Nothing, order);
    };
    if !text.contains(['*', '?', '~']) {
        return find_in_turn(target, values, Otherwise::Nothing, order);
    }
    let pattern = Wildcards::new(text);
    in_turn(values.len(), order).find(|&at| matches!(&values[at], CalcResult::String(text) if pattern.is_like(text)))
}

fn find_sorted(
    target: &CalcResult,
    values: &Searched,
    otherwise: Otherwise,
    order: Order,
) -> Option<usize> {
    let descending = order == Order::Descending;
    let places = values.comparable(target);
    let at = before(target, values, places, false, descending);
    let is_there =
        at < places.len() && ordering(&values[places[at]], target) == Some(Ordering::Equal);
    if is_there {
        return Some(places[at]);
    }
    let takes_next = match otherwise {
        Otherwise::NextSmaller => descending,
        Otherwise::NextLarger => !descending,
        _ => return None,
    };
    if takes_next {
        places.get(at).copied()
    } else {
        at.checked_sub(1).map(|last| places[last])
    }
}

/// A row or a column of values, from cells or from an array.
pub(crate) struct Vector {
    pub(crate) values: Rc<Searched>,
    pub(crate) is_column: bool,
    /// How long it is with the empty cells behind what is used of the sheet.
    pub(crate) length: usize,
}

impl<'a> Model<'a> {
    /// The values of a row or a column. Of whole rows and columns those are read that are used. An area that is neither, or no area, is an
    /// error.
    pub(crate) fn vector_of(
        &mut self,
        value: CalcResult,
        cell: CellReferenceIndex,
        otherwise: Error,
    ) -> Result<Vector, CalcResult> {
        let no_vector = || CalcResult::new_error(otherwise.clone(), cell, "A row or a column is wanted".to_string());
        match value {
            CalcResult::Range { left, right } => {
                let is_column = left.column == right.column;
                if left.sheet != right.sheet || (!is_column && left.row != right.row) {
                    return Err(no_vector());
                }
                let length = (right.row - left.row).max(right.column - left.column) + 1;
                let (row, column) = self
                    .clip_to_used_area(left.sheet, left.row, left.column, right.row, right.column)
                    .map_err(|message| CalcResult::new_error(Error::ERROR, cell, message))?;
                let last = CellReferenceIndex { sheet: left.sheet, row, column };
                Ok(Vector {
                    values: self.searched_in(left, last),
                    is_column,
                    length: length as usize,
                })
            }
            CalcResult::Array(rows) => {
                let is_column = rows.iter().all(|row| row.len() == 1);
                if rows.is_empty() || (!is_column && rows.len() != 1) {
                    return Err(no_vector());
                }
                let values: Vec<CalcResult> =
                    rows.iter().flatten().map(|node| value_of_node(node, cell)).collect();
                Ok(Vector { length: values.len(), values: Rc::new(values.into()), is_column })
            }
            error @ CalcResult::Error { .. } => Err(error),
            CalcResult::Lambda(_) | CalcResult::EmptyArg => Err(no_vector()),
            value => Ok(Vector { values: Rc::new(vec![value].into()), is_column: true, length: 1 }),
        }
    }
}

/// A value of an array by itself.
pub(crate) fn value_of_node(node: &ArrayNode, cell: CellReferenceIndex) -> CalcResult {
    match node {
        ArrayNode::Number(number) => CalcResult::Number(*number),
        ArrayNode::Boolean(truth) => CalcResult::Boolean(*truth),
        ArrayNode::String(text) => CalcResult::String(text.clone()),
        ArrayNode::Error(error) => CalcResult::new_error(error.clone(), cell, String::new()),
        ArrayNode::Empty => CalcResult::EmptyCell,
    }
}
