//! Ranges of very many cells, most of which nobody has used.
use crate::calc_result::CalcResult;
use crate::constants::{LAST_COLUMN, LAST_ROW};
use crate::expressions::parser::static_analysis::takes_single;
use crate::expressions::parser::Node;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::Function;
use crate::model::Model;

/// What a range of more cells than this reads is put on record for what is used of it and for the rest, so it is done for these and for
/// whole rows and columns.
const LARGE: i64 = 10_000;

/// Of which of its lines a range is read only as far as its sheet is used.
pub(crate) struct LargePart {
    pub(crate) rows: bool,
    pub(crate) columns: bool,
}

impl LargePart {
    /// Of a range that is given by its corners, as rows and columns.
    pub(crate) fn of(first: (i32, i32), last: (i32, i32)) -> LargePart {
        let is_large = i64::from(last.0 - first.0 + 1) * i64::from(last.1 - first.1 + 1) > LARGE;
        LargePart {
            rows: is_large || (first.0 == 1 && last.0 == LAST_ROW),
            columns: is_large || (first.1 == 1 && last.1 == LAST_COLUMN),
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        !self.rows && !self.columns
    }
}

/// Functions to which empty cells of a range make no difference, or each the same one (COUNTBLANK).
fn passes_over_empty(kind: &Function, args: &[Node]) -> bool {
    use Function::*;
    let asks_for = |places: &[Node], numbers: [f64; 2]| {
        places.iter().all(|arg| matches!(arg, Node::NumberKind(number) if numbers.contains(number)))
    };
    match kind {
        // What they do with empty cells is said by arguments.
        Tocol | Torow => args.len() > 1 && asks_for(&args[1..2], [1.0, 3.0]),
        Trimrange => args.len() > 1 && asks_for(&args[1..], [2.0, 3.0]) || args.len() == 1,
        _ => matches!(
            kind,
            And | Or | Xor | Max | Min | MaxA | MinA | Product | Sum | Gcd | Lcm | Sumsq | Concat
                | Average | Averagea | Count | Counta | Countblank | Geomean | Avedev | Devsq | Harmean
                | Kurt | Large | Median | ModeMult | ModeSingl | ModeCompat | PercentileExc | PercentileInc
                | PercentrankExc | PercentrankInc | QuartileExc | QuartileInc | RankAvg | RankEq | Skew
                | SkewP | Small | Stdev | StDevP | StDevS | Stdeva | Stdevpa | Trimmean | VarP | VarS
                | VarpA | VarA | PercentileCompat | PercentrankCompat | QuartileCompat | RankCompat
                | VarCompat | VarPCompat | Irr | Npv | Mirr | Subtotal | Frequency | Multinomial
                | Networkdays | NetworkdaysIntl | Workday | WorkdayIntl | Fvschedule | Imsum | Improduct
        ),
    }
}

impl<'a> Model<'a> {
    /// The arguments of a function with their large ranges as far as these are used, and how many cells are left out; none where all
    /// are read as they are.
    pub(crate) fn used_parts(
        &mut self,
        kind: &Function,
        args: &[Node],
        cell: CellReferenceIndex,
    ) -> Option<(Vec<Node>, f64)> {
        if !args.iter().any(|arg| matches!(arg, Node::RangeKind { .. })) || !passes_over_empty(kind, args) {
            return None;
        }
        let mut left_out = 0.0;
        let mut parts = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            // Where it stands for one value it is one for each of its cells.
            if !matches!(arg, Node::RangeKind { .. }) || takes_single(kind, place, args.len()) {
                continue;
            }
            let CalcResult::Range { left, right } = self.evaluate_node_in_context(arg, cell) else { continue };
            if LargePart::of((left.row, left.column), (right.row, right.column)).is_none() {
                continue;
            }
            let clipped = self.clip_to_used_area(left.sheet, left.row, left.column, right.row, right.column);
            let Ok((row, column)) = clipped else { continue };
            let count = |last: (i32, i32)| f64::from(last.0 - left.row + 1) * f64::from(last.1 - left.column + 1);
            left_out += count((right.row, right.column)) - count((row, column));
            parts.push((place, range_node(left, row, column)));
        }
        if parts.is_empty() {
            return None;
        }
        let mut used = args.to_vec();
        for (place, part) in parts {
            used[place] = part;
        }
        Some((used, left_out))
    }
}

/// A range whatever cell it is asked for.
pub(crate) fn range_node(left: CellReferenceIndex, row: i32, column: i32) -> Node {
    Node::RangeKind {
        sheet_name: None,
        sheet_index: left.sheet,
        absolute_row1: true,
        absolute_column1: true,
        row1: left.row,
        column1: left.column,
        absolute_row2: true,
        absolute_column2: true,
        row2: row,
        column2: column,
    }
}
