//! Ranges of very many cells, most of which nobody has used.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::Function;
use crate::model::Model;

/// To look for the part of a range that is used takes as long as to read the sheet, so it is done for ranges of more cells than this.
const LARGE: i64 = 2_000_000;

/// Whether a range, given by its corners as rows and columns, is read only as far as its sheet is used.
pub(crate) fn is_large(first: (i32, i32), last: (i32, i32)) -> bool {
    i64::from(last.0 - first.0 + 1) * i64::from(last.1 - first.1 + 1) > LARGE
}

/// Functions to which empty cells of a range make no difference, or each the same one (COUNTBLANK).
fn passes_over_empty(kind: &Function) -> bool {
    use Function::*;
    matches!(
        kind,
        And | Or | Xor | Max | Min | MaxA | MinA | Product | Sum | Gcd | Lcm | Sumsq | Concat
            | Average | Averagea | Count | Counta | Countblank | Geomean | Avedev | Devsq | Harmean
            | Kurt | Large | Median | ModeMult | ModeSingl | ModeCompat | PercentileExc | PercentileInc
            | PercentrankExc | PercentrankInc | QuartileExc | QuartileInc | RankAvg | RankEq | Skew
            | SkewP | Small | Stdev | StDevP | StDevS | Stdeva | Stdevpa | Trimmean | VarP | VarS
            | VarpA | VarA | PercentileCompat | PercentrankCompat | QuartileCompat | RankCompat
            | VarCompat | VarPCompat | Irr | Npv | Mirr | Subtotal
    )
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
        if !passes_over_empty(kind) || !args.iter().any(|arg| matches!(arg, Node::RangeKind { .. })) {
            return None;
        }
        let mut left_out = 0.0;
        let mut parts = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            if !matches!(arg, Node::RangeKind { .. }) {
                continue;
            }
            let CalcResult::Range { left, right } = self.evaluate_node_in_context(arg, cell) else { continue };
            if !is_large((left.row, left.column), (right.row, right.column)) {
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
