//! REGEXTEST, REGEXEXTRACT and REGEXREPLACE.
use super::RegularExpression;
use crate::calc_result::CalcResult;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;
use std::rc::Rc;

fn wrong(cell: CellReferenceIndex) -> CalcResult {
    CalcResult::new_error(Error::VALUE, cell, "Invalid regular expression".to_string())
}

fn nothing(cell: CellReferenceIndex) -> CalcResult {
    CalcResult::new_error(Error::NA, cell, "No match found".to_string())
}

impl<'a> Model<'a> {
    /// The whole number of an argument that may be left out: 0.
    fn optional_number(&mut self, arg: Option<&Node>, cell: CellReferenceIndex) -> Result<i64, CalcResult> {
        arg.map_or(Ok(0), |arg| self.get_number(arg, cell).map(|number| number.trunc() as i64))
    }

    fn expression_of(
        &mut self,
        pattern: &Node,
        folded: Option<&Node>,
        cell: CellReferenceIndex,
    ) -> Result<Rc<RegularExpression>, CalcResult> {
        let pattern = self.get_string(pattern, cell)?;
        let folded = match self.optional_number(folded, cell)? {
            0 => false,
            1 => true,
            _ => return Err(wrong(cell)),
        };
        RegularExpression::of(&pattern, folded).ok_or_else(|| wrong(cell))
    }

    pub(crate) fn fn_regextest(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if !(2..=3).contains(&args.len()) {
            return CalcResult::new_args_number_error(cell);
        }
        let found = self.get_string(&args[0], cell).and_then(|text| {
            let expression = self.expression_of(&args[1], args.get(2), cell)?;
            Ok(CalcResult::Boolean(expression.is_in(&text)))
        });
        found.unwrap_or_else(|error| error)
    }

    pub(crate) fn fn_regexextract(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if !(2..=4).contains(&args.len()) {
            return CalcResult::new_args_number_error(cell);
        }
        self.extracted(args, cell).unwrap_or_else(|error| error)
    }

    fn extracted(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<CalcResult, CalcResult> {
        let text = self.get_string(&args[0], cell)?;
        let mode = self.optional_number(args.get(2), cell)?;
        let expression = self.expression_of(&args[1], args.get(3), cell)?;
        let found: Vec<String> = match mode {
            0 => {
                let first = expression.first_in(&text).and_then(|groups| groups.into_iter().next().flatten());
                return first.map(CalcResult::String).ok_or_else(|| nothing(cell));
            }
            1 => expression.all_in(&text),
            2 => {
                let groups = expression.first_in(&text).unwrap_or_default();
                groups.into_iter().skip(1).map(Option::unwrap_or_default).collect()
            }
            _ => return Err(wrong(cell)),
        };
        if found.is_empty() {
            return Err(nothing(cell));
        }
        Ok(CalcResult::Array(vec![found.into_iter().map(ArrayNode::String).collect()]))
    }

    pub(crate) fn fn_regexreplace(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if !(3..=5).contains(&args.len()) {
            return CalcResult::new_args_number_error(cell);
        }
        self.with_replaced(args, cell).unwrap_or_else(|error| error)
    }

    fn with_replaced(&mut self, args: &[Node], cell: CellReferenceIndex) -> Result<CalcResult, CalcResult> {
        let text = self.get_string(&args[0], cell)?;
        let replacement = self.get_string(&args[2], cell)?;
        let occurrence = self.optional_number(args.get(3), cell)?;
        let expression = self.expression_of(&args[1], args.get(4), cell)?;
        expression.replaced(&text, &replacement, occurrence).map(CalcResult::String).ok_or_else(|| wrong(cell))
    }
}
