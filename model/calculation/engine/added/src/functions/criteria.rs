//! What criteria of COUNTIF, SUMIF, their kin and of the database functions let through.
use super::util::compare_values;
use super::wildcards::Wildcards;
use crate::calc_result::CalcResult;
use crate::expressions::token::is_english_error_string;
use crate::formatter::typed_text::number_of_text;
use crate::locale::Locale;
use crate::number_format::parse_finite_number;
use std::cmp::Ordering;

/// The operators before a criterion, the longer ones first.
const OPERATORS: [(&str, Operator); 6] = [
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("<>", Operator::Other),
    ("<", Operator::Less),
    (">", Operator::More),
    ("=", Operator::Same),
];

#[derive(PartialEq, Clone, Copy)]
enum Operator {
    Same,
    Other,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// What values are compared with.
enum Operand {
    Number(f64),
    /// A number that was written otherwise than by its digits, and the text in lower case.
    Written(f64, String),
    Boolean(bool),
    Error(String),
    /// As it is, and in lower case.
    Text(String, String),
    Pattern(Wildcards),
    /// Empty cells alone.
    Empty,
    /// Empty cells and empty texts.
    Blank,
    /// What nothing is like.
    Nothing,
}

/// How texts are compared for equality.
#[derive(PartialEq, Clone, Copy)]
pub(crate) enum Texts {
    /// As a whole.
    Whole,
    /// Those that begin so, unless an equals sign says otherwise (database functions).
    Beginning,
}

pub(crate) struct Criterion {
    operator: Operator,
    operand: Operand,
}

impl Criterion {
    pub(crate) fn new(value: &CalcResult, locale: &Locale, texts: Texts) -> Self {
        let operand = match value {
            CalcResult::String(text) => return Criterion::of_text(text, locale, texts),
            CalcResult::Number(number) => Operand::Number(*number),
            CalcResult::Boolean(truth) => Operand::Boolean(*truth),
            CalcResult::Error { error, .. } => Operand::Error(error.to_string()),
            // An empty cell asks for zero.
            CalcResult::EmptyCell | CalcResult::EmptyArg => Operand::Number(0.0),
            CalcResult::Range { .. } | CalcResult::Array(_) | CalcResult::Lambda(_) => Operand::Nothing,
        };
        Criterion { operator: Operator::Same, operand }
    }

    fn of_text(text: &str, locale: &Locale, texts: Texts) -> Self {
        let found = OPERATORS.iter().find(|(sign, _)| text.starts_with(sign));
        let (operator, rest) = match found {
            Some((sign, operator)) => (*operator, &text[sign.len()..]),
            None => (Operator::Same, text),
        };
        let is_equality = matches!(operator, Operator::Same | Operator::Other);
        let operand = if rest.is_empty() {
            match (found.is_some(), is_equality) {
                (true, true) => Operand::Empty,
                (false, _) => Operand::Blank,
                _ => Operand::Nothing,
            }
        } else if let Some(number) = parse_finite_number(rest) {
            Operand::Number(number)
        } else if let Ok(truth) = rest.to_lowercase().parse::<bool>() {
            Operand::Boolean(truth)
        } else if is_english_error_string(rest) {
            Operand::Error(rest.to_string())
        } else if let Some(number) = number_of_text(rest, locale) {
            Operand::Written(number, rest.to_lowercase())
        } else {
            let is_pattern = is_equality && rest.contains(['*', '?', '~']);
            let begins = texts == Texts::Beginning && found.is_none() && !is_pattern;
            match (is_pattern || begins, begins) {
                (false, _) => Operand::Text(rest.to_string(), rest.to_lowercase()),
                (true, begins) => {
                    let pattern = if begins { format!("{rest}*") } else { rest.to_string() };
                    Operand::Pattern(Wildcards::new(&pattern))
                }
            }
        };
        Criterion { operator, operand }
    }

    pub(crate) fn lets_through(&self, value: &CalcResult) -> bool {
        match self.operator {
            Operator::Same => self.is_same(value),
            Operator::Other => !self.is_same(value),
            Operator::Less => self.ordering(value) == Some(Ordering::Less),
            Operator::More => self.ordering(value) == Some(Ordering::Greater),
            Operator::AtMost => matches!(self.ordering(value), Some(Ordering::Less | Ordering::Equal)),
            Operator::AtLeast => {
                matches!(self.ordering(value), Some(Ordering::Greater | Ordering::Equal))
            }
        }
    }

    fn is_same(&self, value: &CalcResult) -> bool {
        match (&self.operand, value) {
            (Operand::Number(wanted) | Operand::Written(wanted, _), CalcResult::Number(number)) => {
                (number - wanted).abs() < f64::EPSILON
            }
            (Operand::Written(_, wanted), CalcResult::String(text)) => *wanted == text.to_lowercase(),
            // A text that looks like the number is one for this.
            (Operand::Number(wanted), CalcResult::String(text)) => {
                parse_finite_number(text).is_some_and(|number| (number - wanted).abs() < f64::EPSILON)
            }
            (Operand::Boolean(wanted), CalcResult::Boolean(truth)) => wanted == truth,
            (Operand::Error(wanted), CalcResult::Error { error, .. }) => *wanted == error.to_string(),
            (Operand::Text(_, wanted), CalcResult::String(text)) => *wanted == text.to_lowercase(),
            (Operand::Pattern(pattern), CalcResult::String(text)) => pattern.is_like(text),
            (Operand::Empty | Operand::Blank, CalcResult::EmptyCell) => true,
            (Operand::Blank, CalcResult::String(text)) => text.is_empty(),
            _ => false,
        }
    }

    /// How a value stands to the operand; None where they are of different types.
    fn ordering(&self, value: &CalcResult) -> Option<Ordering> {
        match (&self.operand, value) {
            (Operand::Number(wanted) | Operand::Written(wanted, _), CalcResult::Number(number)) => {
                number.partial_cmp(wanted)
            }
            (Operand::Boolean(wanted), CalcResult::Boolean(truth)) => Some(truth.cmp(wanted)),
            (Operand::Text(wanted, _), CalcResult::String(_)) => {
                Some(compare_values(value, &CalcResult::String(wanted.clone())).cmp(&0))
            }
            _ => None,
        }
    }
}

impl Criterion {
    /// The text to which all is equal that is let through, or the number, if one has to be equal to the last bit; texts that look like
    /// it are let through as well.
    pub(crate) fn wanted(&self) -> Option<CalcResult> {
        match (self.operator, &self.operand) {
            (Operator::Same, Operand::Text(text, _)) => Some(CalcResult::String(text.clone())),
            (Operator::Same, Operand::Number(number)) if number.abs() >= 2.0 => Some(CalcResult::Number(*number)),
            _ => None,
        }
    }
}

/// What a criterion lets through, as COUNTIF and its kin ask.
pub(crate) fn build_criteria<'a>(
    value: &'a CalcResult,
    locale: &'a Locale,
) -> Box<dyn Fn(&CalcResult) -> bool + 'a> {
    let criterion = Criterion::new(value, locale, Texts::Whole);
    Box::new(move |value| criterion.lets_through(value))
}
