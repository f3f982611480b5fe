//! Variances and standard deviations: by the distances from the mean, which are right for numbers that hardly differ too.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;

/// What the sum of the squares is divided by: one less than there are numbers for a sample of them.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Of {
    Sample,
    All,
}

/// What counts in ranges and arrays: numbers, or texts (as 0) and truths too.
#[derive(Clone, Copy, PartialEq)]
enum Counts {
    Numbers,
    Values,
}

/// The sum of the squared distances from the mean.
pub(crate) fn squared_distances(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean) * (value - mean)).sum()
}

/// The variance, or `None` of too few numbers.
pub(crate) fn variance(values: &[f64], of: Of) -> Option<f64> {
    let divisor = values.len().checked_sub(usize::from(of == Of::Sample))?;
    (divisor > 0).then(|| squared_distances(values) / divisor as f64)
}

/// A number, or `#DIV/0!` where there is none.
pub(crate) fn number_or_division(number: Option<f64>, cell: CellReferenceIndex) -> CalcResult {
    match number {
        Some(number) => CalcResult::Number(number),
        None => CalcResult::new_error(Error::DIV, cell, "There are too few numbers".to_string()),
    }
}

impl<'a> Model<'a> {
    fn numbers_of(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        counts: Counts,
    ) -> Result<Vec<f64>, CalcResult> {
        if args.is_empty() {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let mut values = Vec::new();
        match counts {
            Counts::Numbers => self.for_each_value(args, cell, |value| values.push(value))?,
            Counts::Values => self.for_each_value_a(args, cell, |value| values.push(value))?,
        }
        Ok(values)
    }

    fn deviation(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        (counts, of): (Counts, Of),
        from_variance: fn(f64) -> f64,
    ) -> CalcResult {
        match self.numbers_of(args, cell, counts) {
            Ok(values) => number_or_division(variance(&values, of).map(from_variance), cell),
            Err(error) => error,
        }
    }

    pub(crate) fn fn_var_p(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Numbers, Of::All), |variance| variance)
    }

    pub(crate) fn fn_var_s(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Numbers, Of::Sample), |variance| variance)
    }

    pub(crate) fn fn_varpa(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Values, Of::All), |variance| variance)
    }

    pub(crate) fn fn_vara(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Values, Of::Sample), |variance| variance)
    }

    pub(crate) fn fn_stdev_p(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Numbers, Of::All), f64::sqrt)
    }

    pub(crate) fn fn_stdev_s(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Numbers, Of::Sample), f64::sqrt)
    }

    pub(crate) fn fn_stdevpa(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Values, Of::All), f64::sqrt)
    }

    pub(crate) fn fn_stdeva(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.deviation(args, cell, (Counts::Values, Of::Sample), f64::sqrt)
    }

    pub(crate) fn fn_devsq(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        match self.numbers_of(args, cell, Counts::Numbers) {
            Ok(values) => number_or_division(
                (!values.is_empty()).then(|| squared_distances(&values)),
                cell,
            ),
            Err(error) => error,
        }
    }
}
