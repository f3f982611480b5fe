//! CHOOSECOLS and CHOOSEROWS.
use crate::calc_result::CalcResult;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::search::value_of_node;
use crate::model::Model;

impl<'a> Model<'a> {
    /// The lines, from 0, that arguments ask for by their numbers among so many; negative ones count from the last.
    fn chosen_lines(&mut self, args: &[Node], count: usize, cell: CellReferenceIndex) -> Result<Vec<usize>, CalcResult> {
        let mut chosen = Vec::new();
        for arg in args {
            for node in self.eval_to_array(arg, cell)?.iter().flatten() {
                let number = self.cast_to_number(value_of_node(node, cell), cell)?.trunc();
                if number == 0.0 || number.abs() > count as f64 {
                    let message = "There is no such row or column".to_string();
                    return Err(CalcResult::new_error(Error::VALUE, cell, message));
                }
                chosen.push(if number > 0.0 { number as usize - 1 } else { count - number.abs() as usize });
            }
        }
        Ok(chosen)
    }

    fn chosen_of(
        &mut self,
        args: &[Node],
        cell: CellReferenceIndex,
        choose: impl FnOnce(&mut Self, &[Vec<ArrayNode>]) -> Result<Vec<Vec<ArrayNode>>, CalcResult>,
    ) -> CalcResult {
        if args.len() < 2 {
            return CalcResult::new_args_number_error(cell);
        }
        let chosen = self.eval_to_array(&args[0], cell).and_then(|data| choose(self, &data));
        chosen.map_or_else(|error| error, CalcResult::Array)
    }

    pub(crate) fn fn_choosecols(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.chosen_of(args, cell, |model, data| {
            let columns = model.chosen_lines(&args[1..], data.first().map_or(0, Vec::len), cell)?;
            Ok(data.iter().map(|row| columns.iter().map(|column| row[*column].clone()).collect()).collect())
        })
    }

    pub(crate) fn fn_chooserows(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.chosen_of(args, cell, |model, data| {
            let rows = model.chosen_lines(&args[1..], data.len(), cell)?;
            Ok(rows.into_iter().map(|row| data[row].clone()).collect())
        })
    }
}
