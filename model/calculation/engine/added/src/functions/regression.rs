//! Functions of pairs of numbers: how they vary together, and the line through them. A pair counts where both are numbers.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;

/// Sums over the deviations from the means.
struct Pairs {
    count: f64,
    mean_x: f64,
    mean_y: f64,
    squares_x: f64,
    squares_y: f64,
    products: f64,
}

impl Pairs {
    fn of(pairs: &[(f64, f64)]) -> Pairs {
        let count = pairs.len() as f64;
        // From the first pair, so that equal numbers do not vary at all.
        let (first_x, first_y) = pairs.first().copied().unwrap_or((0.0, 0.0));
        let mean_x = pairs.iter().map(|(x, _)| x - first_x).sum::<f64>() / count;
        let mean_y = pairs.iter().map(|(_, y)| y - first_y).sum::<f64>() / count;
        let mut sums = Pairs {
            count,
            mean_x: first_x + mean_x,
            mean_y: first_y + mean_y,
            squares_x: 0.0,
            squares_y: 0.0,
            products: 0.0,
        };
        for (x, y) in pairs {
            let (x, y) = (x - first_x - mean_x, y - first_y - mean_y);
            sums.squares_x += x * x;
            sums.squares_y += y * y;
            sums.products += x * y;
        }
        sums
    }

    fn correlation(&self) -> f64 {
        // One root is exact where both spreads are multiples of each other, but their product may be beyond all numbers.
        let squares = self.squares_x * self.squares_y;
        let spread = if squares.is_normal() { squares.sqrt() } else { self.squares_x.sqrt() * self.squares_y.sqrt() };
        self.products / spread
    }

    fn slope(&self) -> f64 {
        self.products / self.squares_x
    }

    fn at(&self, x: f64) -> f64 {
        self.mean_y + self.slope() * (x - self.mean_x)
    }
}

/// Rows, columns, and row by row what is a number.
type Matrix = (i32, i32, Vec<Option<f64>>);

impl<'a> Model<'a> {
    fn matrix(&mut self, node: &Node, cell: CellReferenceIndex) -> Result<Matrix, CalcResult> {
        match self.evaluate_node_with_reference(node, cell) {
            CalcResult::Range { left, right } => {
                let values = self.values_from_range(left, right)?;
                Ok((right.row - left.row + 1, right.column - left.column + 1, values))
            }
            CalcResult::Array(rows) => {
                let size = (rows.len() as i32, rows.first().map_or(0, Vec::len) as i32);
                let values = self.values_from_array(rows);
                let values = values.map_err(|error| CalcResult::new_error(error, cell, String::new()))?;
                Ok((size.0, size.1, values))
            }
            CalcResult::Number(number) => Ok((1, 1, vec![Some(number)])),
            error @ CalcResult::Error { .. } => Err(error),
            _ => Err(CalcResult::new_error(Error::VALUE, cell, "Not a range or an array".to_string())),
        }
    }

    /// Rows, columns and what is a number in each of two arguments of the same shape.
    pub(crate) fn fn_get_two_matrices(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
    ) -> Result<(i32, i32, Vec<Option<f64>>, Vec<Option<f64>>), CalcResult> {
        if args.len() != 2 {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let (rows, columns, first) = self.matrix(&args[0], cell)?;
        let (_, _, second) = self.matrix(&args[1], cell)?;
        // What counts is how many there are, whatever their shape.
        if first.len() != second.len() {
            let message = "The arguments have different sizes".to_string();
            return Err(CalcResult::new_error(Error::NA, cell, message));
        }
        Ok((rows, columns, first, second))
    }

    /// Adds up what each pair of numbers gives; `#DIV/0!` where there is none.
    pub(crate) fn sum_of_pairs(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        of_pair: fn(f64, f64) -> f64,
    ) -> CalcResult {
        let (_, _, first, second) = match self.fn_get_two_matrices(args, cell) {
            Ok(values) => values,
            Err(error) => return error,
        };
        let pairs: Vec<(f64, f64)> = first.into_iter().zip(second).filter_map(|(x, y)| Some((x?, y?))).collect();
        if pairs.is_empty() {
            return CalcResult::new_error(Error::DIV, cell, "No pair of numbers".to_string());
        }
        CalcResult::Number(pairs.into_iter().map(|(x, y)| of_pair(x, y)).sum())
    }

    /// What is calculated of the pairs of two arguments, of which the one with the x values may be the second.
    fn of_pairs(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        x_is_second: bool,
        calculate: impl Fn(&Pairs) -> f64,
    ) -> CalcResult {
        let (_, _, first, second) = match self.fn_get_two_matrices(args, cell) {
            Ok(values) => values,
            Err(error) => return error,
        };
        let pairs: Vec<(f64, f64)> = first
            .into_iter()
            .zip(second)
            .filter_map(|(one, other)| Some(if x_is_second { (other?, one?) } else { (one?, other?) }))
            .collect();
        let result = calculate(&Pairs::of(&pairs));
        if result.is_finite() {
            CalcResult::Number(result)
        } else {
            CalcResult::new_error(Error::DIV, cell, "There are too few different numbers".to_string())
        }
    }

    pub(crate) fn fn_correl(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_pairs(args, cell, false, Pairs::correlation)
    }

    pub(crate) fn fn_pearson(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.fn_correl(args, cell)
    }

    pub(crate) fn fn_rsq(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_pairs(args, cell, false, |pairs| pairs.correlation().powi(2))
    }

    pub(crate) fn fn_covariance_p(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_pairs(args, cell, false, |pairs| pairs.products / pairs.count)
    }

    pub(crate) fn fn_covariance_s(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_pairs(args, cell, false, |pairs| pairs.products / (pairs.count - 1.0))
    }

    pub(crate) fn fn_slope(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_pairs(args, cell, true, Pairs::slope)
    }

    pub(crate) fn fn_intercept(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_pairs(args, cell, true, |pairs| pairs.at(0.0))
    }

    pub(crate) fn fn_steyx(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.of_pairs(args, cell, true, |pairs| {
            let left = pairs.squares_y - pairs.slope() * pairs.products;
            if pairs.count < 3.0 { f64::NAN } else { (left.max(0.0) / (pairs.count - 2.0)).sqrt() }
        })
    }

    pub(crate) fn fn_forecast(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if args.len() != 3 {
            return CalcResult::new_args_number_error(cell);
        }
        match self.get_number(&args[0], cell) {
            Ok(x) => self.of_pairs(&args[1..], cell, true, |pairs| pairs.at(x)),
            Err(error) => error,
        }
    }

    pub(crate) fn fn_forecast_linear(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.fn_forecast(args, cell)
    }
}
