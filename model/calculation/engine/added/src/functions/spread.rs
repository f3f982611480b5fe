//! How far numbers lie apart. Squares are those of deviations from the mean: of large numbers that have much in common, the
//! difference of their squares has nothing left.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;

/// From the first number on, so that equal numbers do not deviate at all.
fn deviations(numbers: &[f64]) -> Vec<f64> {
    let first = numbers.first().copied().unwrap_or(0.0);
    let mean = numbers.iter().map(|number| number - first).sum::<f64>() / numbers.len() as f64;
    numbers.iter().map(|number| number - first - mean).collect()
}

fn squares(numbers: &[f64]) -> f64 {
    deviations(numbers).iter().map(|deviation| deviation * deviation).sum()
}

/// The variance: of a sample, or of everything that there is.
pub(crate) fn variance(numbers: &[f64], of_sample: bool) -> Result<f64, Error> {
    let divisor = numbers.len() as f64 - if of_sample { 1.0 } else { 0.0 };
    if divisor > 0.0 { Ok(squares(numbers) / divisor) } else { Err(Error::DIV) }
}

impl<'a> Model<'a> {
    /// `counts_all`: texts in cells count as 0, truths as 0 and 1.
    fn spread(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        counts_all: bool,
        of: impl Fn(&[f64]) -> Result<f64, Error>,
    ) -> CalcResult {
        if args.is_empty() {
            return CalcResult::new_args_number_error(cell);
        }
        let mut numbers = Vec::new();
        let found = if counts_all {
            self.for_each_value_a(args, cell, false, |number| numbers.push(number))
        } else {
            self.for_each_value(args, cell, |number| numbers.push(number))
        };
        match found.map(|()| of(&numbers)) {
            Ok(Ok(spread)) => CalcResult::Number(spread),
            Ok(Err(error)) => CalcResult::new_error(error, cell, "Too few numbers".to_string()),
            Err(error) => error,
        }
    }

    pub(crate) fn fn_var_s(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, false, |numbers| variance(numbers, true))
    }

    pub(crate) fn fn_var_p(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, false, |numbers| variance(numbers, false))
    }

    pub(crate) fn fn_vara(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, true, |numbers| variance(numbers, true))
    }

    pub(crate) fn fn_varpa(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, true, |numbers| variance(numbers, false))
    }

    pub(crate) fn fn_stdev_s(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, false, |numbers| variance(numbers, true).map(f64::sqrt))
    }

    pub(crate) fn fn_stdev_p(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, false, |numbers| variance(numbers, false).map(f64::sqrt))
    }

    pub(crate) fn fn_stdeva(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, true, |numbers| variance(numbers, true).map(f64::sqrt))
    }

    pub(crate) fn fn_stdevpa(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, true, |numbers| variance(numbers, false).map(f64::sqrt))
    }

    pub(crate) fn fn_devsq(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, false, |numbers| {
            if numbers.is_empty() { Err(Error::NUM) } else { Ok(squares(numbers)) }
        })
    }

    pub(crate) fn fn_avedev(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.spread(args, cell, false, |numbers| {
            let distance: f64 = deviations(numbers).iter().map(|deviation| deviation.abs()).sum();
            if numbers.is_empty() { Err(Error::NUM) } else { Ok(distance / numbers.len() as f64) }
        })
    }
}
