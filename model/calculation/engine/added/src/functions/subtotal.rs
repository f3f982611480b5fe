//! SUBTOTAL and AGGREGATE.
//!
//! AGGREGATE(function, options, …) arrives as SUBTOTAL(1000 + 10 × function + options, …).
//!
//! Rows have two marks: `hidden`, and with it `custom_height` where a filter has hidden them. What a filter hides counts in no
//! total; what was hidden by hand is left out where the function says so.
use crate::{
    calc_result::CalcResult,
    expressions::{
        parser::{ArrayNode, Node},
        token::Error,
        types::CellReferenceIndex,
    },
    functions::Function,
    model::Model,
};

#[derive(Clone, Copy)]
struct Skip {
    hidden: bool,
    errors: bool,
    totals: bool,
}

/// What a total is made of: numbers in their order, and how many values there were that are not empty.
#[derive(Default)]
struct Values {
    numbers: Vec<f64>,
    filled: usize,
}

impl<'a> Model<'a> {
    /// `None` for a row that is shown, otherwise whether a filter has hidden it.
    fn row_hidden_by_filter(&self, sheet: u32, row: i32) -> Option<bool> {
        let rows = &self.workbook.worksheet(sheet).ok()?.rows;
        let found = &rows[rows.binary_search_by_key(&row, |r| r.r).ok()?];
        found.hidden.then_some(found.custom_height)
    }

    fn cell_is_total(&self, sheet: u32, row: i32, column: i32) -> bool {
        fn has_total(node: &Node) -> bool {
            match node {
                Node::FunctionKind {
                    kind: Function::Subtotal,
                    ..
                } => true,
                Node::FunctionKind { args, .. } => args.iter().any(has_total),
                Node::OpSumKind { left, right, .. }
                | Node::OpProductKind { left, right, .. }
                | Node::OpPowerKind { left, right }
                | Node::CompareKind { left, right, .. }
                | Node::OpConcatenateKind { left, right } => has_total(left) || has_total(right),
                Node::UnaryKind { right, .. } => has_total(right),
                Node::ImplicitIntersection { child, .. } => has_total(child),
                _ => false,
            }
        }
        let formula = self.workbook.worksheets[sheet as usize]
            .cell(row, column)
            .and_then(|cell| cell.get_formula());
        formula.is_some_and(|f| has_total(&self.parsed_formulas[sheet as usize][f as usize].0))
    }

    fn take_value(value: CalcResult, skip: Skip, values: &mut Values) -> Result<(), CalcResult> {
        match value {
            CalcResult::Number(number) => {
                values.numbers.push(number);
                values.filled += 1;
            }
            CalcResult::EmptyCell | CalcResult::EmptyArg => {}
            error @ CalcResult::Error { .. } => {
                if !skip.errors {
                    return Err(error);
                }
            }
            _ => values.filled += 1,
        }
        Ok(())
    }

    fn values_of_total(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        skip: Skip,
        of_arrays: bool,
        errors_count: bool,
    ) -> Result<Values, CalcResult> {
        let mut values = Values::default();
        for arg in args {
            match self.evaluate_node_with_reference(arg, cell) {
                CalcResult::Range { left, right } => {
                    if left.sheet != right.sheet {
                        return Err(CalcResult::new_error(
                            Error::VALUE,
                            cell,
                            "Ranges are in different sheets".to_string(),
                        ));
                    }
                    let sheet = left.sheet;
                    for row in left.row..=right.row {
                        match self.row_hidden_by_filter(sheet, row) {
                            Some(true) => continue,
                            Some(false) if skip.hidden => continue,
                            _ => {}
                        }
                        for column in left.column..=right.column {
                            if skip.totals && self.cell_is_total(sheet, row, column) {
                                continue;
                            }
                            let value = self.evaluate_cell(CellReferenceIndex { sheet, row, column });
                            if errors_count && matches!(value, CalcResult::Error { .. }) {
                                values.filled += usize::from(!skip.errors);
                                continue;
                            }
                            Self::take_value(value, skip, &mut values)?;
                        }
                    }
                }
                CalcResult::Array(_) if !of_arrays && !is_trimmed(arg) => {
                    let message = "A reference is expected".to_string();
                    return Err(CalcResult::new_error(Error::VALUE, cell, message));
                }
                CalcResult::Array(rows) => {
                    for value in rows.into_iter().flatten() {
                        match value {
                            ArrayNode::Number(number) => {
                                values.numbers.push(number);
                                values.filled += 1;
                            }
                            ArrayNode::Error(error) => {
                                if errors_count {
                                    values.filled += usize::from(!skip.errors);
                                } else if !skip.errors {
                                    return Err(CalcResult::new_error(error, cell, String::new()));
                                }
                            }
                            ArrayNode::Empty => {}
                            _ => values.filled += 1,
                        }
                    }
                }
                value => Self::take_value(value, skip, &mut values)?,
            }
        }
        Ok(values)
    }

    pub(crate) fn fn_subtotal(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if args.len() < 2 {
            return CalcResult::new_args_number_error(cell);
        }
        let code = match self.get_number(&args[0], cell) {
            Ok(f) => f.trunc() as i32,
            Err(s) => return s,
        };
        let invalid = || CalcResult::new_error(Error::VALUE, cell, format!("Invalid value: {code}"));
        let (function, skip) = match code {
            1..=11 => (
                code,
                Skip {
                    hidden: false,
                    errors: false,
                    totals: true,
                },
            ),
            101..=111 => (
                code - 100,
                Skip {
                    hidden: true,
                    errors: false,
                    totals: true,
                },
            ),
            1010..=1199 if code % 10 <= 7 => {
                let options = code % 10;
                let skip = Skip {
                    hidden: matches!(options, 1 | 3 | 5 | 7),
                    errors: matches!(options, 2 | 3 | 6 | 7),
                    totals: options < 4,
                };
                ((code - 1000) / 10, skip)
            }
            _ => return invalid(),
        };
        let (data, nth) = if function >= 14 {
            if args.len() != 3 {
                return CalcResult::new_args_number_error(cell);
            }
            match self.get_number(&args[2], cell) {
                Ok(nth) => (&args[1..2], nth),
                Err(error) => return error,
            }
        } else {
            (&args[1..], 0.0)
        };
        let errors_count = matches!(function, 2 | 3);
        let mut values = match self.values_of_total(data, cell, skip, function >= 14, errors_count) {
            Ok(values) => values,
            Err(error) => return error,
        };
        let filled = values.filled;
        let numbers = &mut values.numbers;
        match total_of(function, numbers, filled, nth) {
            Ok(total) => CalcResult::Number(total),
            Err(error) => CalcResult::new_error(error, cell, String::new()),
        }
    }
}

/// What TRIMRANGE gives counts as a reference.
fn is_trimmed(node: &Node) -> bool {
    matches!(node, Node::FunctionKind { kind: Function::Trimrange, .. })
}

fn total_of(function: i32, numbers: &mut [f64], filled: usize, nth: f64) -> Result<f64, Error> {
    let n = numbers.len() as f64;
    let sum = numbers.iter().sum::<f64>();
    let squares = |numbers: &[f64]| numbers.iter().map(|x| (x - sum / n).powi(2)).sum::<f64>();
    let over = |value: f64, by: f64| if by > 0.0 { Ok(value / by) } else { Err(Error::DIV) };
    match function {
        1 => over(sum, n),
        2 => Ok(n),
        3 => Ok(filled as f64),
        4 => Ok(numbers.iter().copied().reduce(f64::max).unwrap_or(0.0)),
        5 => Ok(numbers.iter().copied().reduce(f64::min).unwrap_or(0.0)),
        6 => Ok(if numbers.is_empty() {
            0.0
        } else {
            numbers.iter().product()
        }),
        7 => over(squares(numbers), n - 1.0).map(f64::sqrt),
        8 => over(squares(numbers), n).map(f64::sqrt),
        9 => Ok(sum),
        10 => over(squares(numbers), n - 1.0),
        11 => over(squares(numbers), n),
        _ => {
            let order = numbers.to_vec();
            numbers.sort_by(f64::total_cmp);
            ranked(function, numbers, &order, nth)
        }
    }
}

/// The totals that look at numbers by their order: `sorted` is `given` in ascending order.
fn ranked(function: i32, sorted: &[f64], given: &[f64], nth: f64) -> Result<f64, Error> {
    let n = sorted.len();
    if n == 0 {
        return Err(if function == 13 { Error::NA } else { Error::NUM });
    }
    let at = |place: f64| {
        let low = place.floor() as usize;
        let high = (low + 1).min(n - 1);
        sorted[low] + (sorted[high] - sorted[low]) * (place - place.floor())
    };
    let inclusive = |part: f64| {
        if (0.0..=1.0).contains(&part) {
            Ok(at(part * (n - 1) as f64))
        } else {
            Err(Error::NUM)
        }
    };
    let exclusive = |part: f64| {
        let place = part * (n + 1) as f64;
        if place >= 1.0 && place <= n as f64 {
            Ok(at(place - 1.0))
        } else {
            Err(Error::NUM)
        }
    };
    let rank = |nth: f64| {
        let nth = nth.ceil();
        if nth >= 1.0 && nth <= n as f64 {
            Ok(nth as usize)
        } else {
            Err(Error::NUM)
        }
    };
    match function {
        12 => inclusive(0.5),
        13 => {
            let count = |x: &f64| sorted.iter().filter(|y| *y == x).count();
            let most = sorted.iter().map(count).max().unwrap_or(0);
            let found = given.iter().copied().find(|x| count(x) == most);
            found.filter(|_| most > 1).ok_or(Error::NA)
        }
        14 => rank(nth).map(|nth| sorted[n - nth]),
        15 => rank(nth).map(|nth| sorted[nth - 1]),
        16 => inclusive(nth),
        17 if nth >= 0.0 && nth < 5.0 => inclusive(nth.trunc() / 4.0),
        18 => exclusive(nth),
        19 if nth >= 1.0 && nth < 4.0 => exclusive(nth.trunc() / 4.0),
        _ => Err(Error::NUM),
    }
}
