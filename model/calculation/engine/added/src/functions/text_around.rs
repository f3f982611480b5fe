//! TEXTBEFORE and TEXTAFTER: what stands on one side of a delimiter.
use crate::calc_result::CalcResult;
use crate::cast::array_node_to_string;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::host;
use crate::model::Model;

/// How many operations it is to look at a letter.
const LETTER: usize = 8;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

/// Where delimiters stand one behind the other, the longest one where several begin at a place.
pub(crate) fn places(text: &[char], delimiters: &[Vec<char>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    // Nothing stands before everything.
    if delimiters.iter().any(Vec::is_empty) {
        found.push((0, 0));
    }
    let mut at = 0;
    while at < text.len() {
        let begins = |one: &&Vec<char>| one.first() == Some(&text[at]);
        let compared: usize = delimiters.iter().filter(begins).map(Vec::len).sum();
        if host::plan(LETTER * (1 + delimiters.len()) + compared) {
            break;
        }
        let longest = delimiters.iter().filter(begins).filter(|one| text[at..].starts_with(one)).map(Vec::len).max();
        match longest {
            Some(length) => {
                found.push((at, at + length));
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// The delimiter with a number, counted from the end where it is negative. The other end of the text may count as one more.
fn place(text: &[char], delimiters: &[Vec<char>], number: i64, end_counts: bool) -> Option<(usize, usize)> {
    let count = text.len();
    let index = (number.unsigned_abs() - 1) as usize;
    if number > 0 {
        let found = places(text, delimiters);
        let end = (end_counts && index == found.len()).then_some((count, count));
        return found.get(index).copied().or(end);
    }
    let reversed = |one: &[char]| one.iter().rev().copied().collect::<Vec<char>>();
    let turned: Vec<Vec<char>> = delimiters.iter().map(|one| reversed(one)).collect();
    let found = places(&reversed(text), &turned);
    let start = (end_counts && index == found.len()).then_some((0, 0));
    found.get(index).map(|(from, to)| (count - to, count - from)).or(start)
}

/// Of each character one, so that places stay what they are.
pub(crate) fn folded(text: &[char]) -> Vec<char> {
    text.iter().map(|one| one.to_lowercase().next().unwrap_or(*one)).collect()
}

impl<'a> Model<'a> {
    pub(crate) fn fn_textbefore(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.text_beside(args, cell, Side::Before).unwrap_or_else(|error| error)
    }

    pub(crate) fn fn_textafter(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        self.text_beside(args, cell, Side::After).unwrap_or_else(|error| error)
    }

    /// One delimiter or several.
    pub(crate) fn delimiters(&mut self, node: &Node, cell: CellReferenceIndex) -> Result<Vec<String>, CalcResult> {
        let given = self.evaluate_node_with_reference(node, cell);
        if matches!(given, CalcResult::EmptyArg) {
            return Ok(vec![String::new()]);
        }
        let mut delimiters = Vec::new();
        for node in self.result_to_array(given, cell)?.iter().flatten() {
            let delimiter = array_node_to_string(node);
            delimiters.push(delimiter.map_err(|error| CalcResult::new_error(error, cell, String::new()))?);
        }
        Ok(delimiters)
    }

    fn text_beside(&mut self, args: &[Node], cell: CellReferenceIndex, side: Side) -> Result<CalcResult, CalcResult> {
        if !(2..=6).contains(&args.len()) {
            return Err(CalcResult::new_args_number_error(cell));
        }
        let invalid = |message: &str| Err(CalcResult::new_error(Error::VALUE, cell, message.to_string()));
        let text: Vec<char> = self.get_string(&args[0], cell)?.chars().collect();
        let delimiters: Vec<Vec<char>> =
            self.delimiters(&args[1], cell)?.iter().map(|one| one.chars().collect()).collect();
        let is_given = |place: usize| args.get(place).is_some_and(|arg| !matches!(arg, Node::EmptyArgKind));
        let number = if is_given(2) { self.get_number(&args[2], cell)?.trunc() as i64 } else { 1 };
        let ignores_case = is_given(3) && self.get_number(&args[3], cell)? != 0.0;
        let end_counts = is_given(4) && self.get_number(&args[4], cell)? != 0.0;
        if number == 0 || (is_given(2) && number.unsigned_abs() > text.len().max(1) as u64) {
            return invalid("There cannot be so many delimiters");
        }
        let found = if ignores_case {
            let delimiters: Vec<Vec<char>> = delimiters.iter().map(|one| folded(one)).collect();
            place(&folded(&text), &delimiters, number, end_counts)
        } else {
            place(&text, &delimiters, number, end_counts)
        };
        match found {
            Some((from, _)) if side == Side::Before => Ok(CalcResult::String(text[..from].iter().collect())),
            Some((_, to)) => Ok(CalcResult::String(text[to..].iter().collect())),
            None if is_given(5) => Ok(match self.evaluate_node_in_context(&args[5], cell) {
                CalcResult::EmptyCell => CalcResult::String(String::new()),
                result => result,
            }),
            None => Err(CalcResult::new_error(Error::NA, cell, "There is no such delimiter".to_string())),
        }
    }
}
