//! Lines through points in any number of dimensions, of least squares. Columns are made orthogonal to each other, about their
//! means where the line need not go through zero: days and other large numbers that hardly differ keep their digits.

/// A column that has so little of its own beside those before it is redundant: its coefficient is 0.
const REDUNDANT: f64 = 1e-10;

pub(crate) struct Fit {
    /// One for each column.
    pub coefficients: Vec<f64>,
    pub intercept: f64,
    /// The standard errors, in units of the standard deviation of what remains.
    pub errors: Vec<f64>,
    pub intercept_error: f64,
    /// Columns that are not redundant.
    pub rank: usize,
    /// Of what remains, and of everything.
    pub squares_left: f64,
    pub squares: f64,
}

fn product(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn subtract(from: &mut [f64], factor: f64, what: &[f64]) {
    for (value, part) in from.iter_mut().zip(what) {
        *value -= factor * part;
    }
}

/// Moves a column to its mean, from its first number on; gives the mean.
fn centre(column: &mut [f64]) -> f64 {
    let first = column[0];
    let shift = column.iter().map(|value| value - first).sum::<f64>() / column.len() as f64;
    for value in column.iter_mut() {
        *value = *value - first - shift;
    }
    first + shift
}

/// By Gram and Schmidt, each column twice (Å. Björck, "Numerical Methods for Least Squares Problems", 1996, 2.4). Directions keep their
/// lengths, so that what divides without a rest does so here.
struct Basis {
    /// With the squares of their lengths.
    directions: Vec<(Vec<f64>, f64)>,
    /// Of each column, which is the next direction and its parts along those before; none where it is redundant.
    parts: Vec<Option<Vec<f64>>>,
}

impl Basis {
    fn of(columns: &[Vec<f64>]) -> Basis {
        let mut basis = Basis { directions: Vec::new(), parts: Vec::new() };
        for column in columns {
            let mut rest = column.clone();
            let mut parts = basis.take(&mut rest);
            for (part, more) in parts.iter_mut().zip(basis.take(&mut rest)) {
                *part += more;
            }
            let square = product(&rest, &rest);
            if square <= REDUNDANT * REDUNDANT * product(column, column) {
                basis.parts.push(None);
                continue;
            }
            basis.parts.push(Some(parts));
            basis.directions.push((rest, square));
        }
        basis
    }

    /// Takes out of a column what is along the directions; gives how often each is in it.
    fn take(&self, column: &mut [f64]) -> Vec<f64> {
        let take_one = |(direction, square): &(Vec<f64>, f64)| {
            let part = product(direction, column) / square;
            subtract(column, part, direction);
            part
        };
        self.directions.iter().map(take_one).collect()
    }

    /// What so much along the directions is in columns; 0 for redundant ones.
    fn in_columns(&self, along: &[f64]) -> Vec<f64> {
        let mut along = along.to_vec();
        let mut place = along.len();
        let mut coefficients = vec![0.0; self.parts.len()];
        for (column, parts) in self.parts.iter().enumerate().rev() {
            let Some(parts) = parts else { continue };
            place -= 1;
            let coefficient = along[place];
            subtract(&mut along[..place], coefficient, parts);
            coefficients[column] = coefficient;
        }
        coefficients
    }
}

/// The line through points. Each column has as many values as `y`, at least one.
pub(crate) fn least_squares(y: &[f64], columns: &[Vec<f64>], goes_through_zero: bool) -> Fit {
    let mut y = y.to_vec();
    let mut columns = columns.to_vec();
    let mean_or_zero = |column: &mut [f64]| if goes_through_zero { 0.0 } else { centre(column) };
    let means: Vec<f64> = columns.iter_mut().map(|column| mean_or_zero(column)).collect();
    let mean = mean_or_zero(&mut y);
    let squares = product(&y, &y);
    let basis = Basis::of(&columns);
    let along = basis.take(&mut y);
    let rank = along.len();
    let coefficients = basis.in_columns(&along);
    // The rows of the inverse: what each direction alone, of length 1, is in columns.
    let inverse: Vec<Vec<f64>> = (0..rank)
        .map(|direction| {
            let mut alone = vec![0.0; rank];
            alone[direction] = 1.0 / basis.directions[direction].1.sqrt();
            basis.in_columns(&alone)
        })
        .collect();
    let error_of = |column: usize| inverse.iter().map(|row| row[column] * row[column]).sum::<f64>().sqrt();
    let of_means: f64 = inverse.iter().map(|row| product(row, &means).powi(2)).sum();
    Fit {
        intercept: mean - product(&coefficients, &means),
        errors: (0..columns.len()).map(error_of).collect(),
        intercept_error: (1.0 / y.len() as f64 + of_means).sqrt(),
        coefficients,
        rank,
        squares_left: product(&y, &y),
        squares,
    }
}
