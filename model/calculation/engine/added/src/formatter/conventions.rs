//! How the region that a workbook is calculated for writes numbers, days and amounts, as the program around the engine says it.
use crate::locale::{get_default_locale, Locale};
use crate::model::Model;
use std::cell::RefCell;

/// Of a region. Formulas themselves are always written as in English.
pub struct Conventions {
    pub decimal: char,
    pub group: char,
    /// A day in short as a number format: it begins with `d` where the day comes first.
    pub short_date: String,
    /// What stands in number formats for day, month, year, hour, minute and second.
    pub letters: [char; 6],
    /// An amount and one below zero, with `#` where their digits stand.
    pub amounts: [String; 2],
    /// Twelve each, then seven each, from Sunday.
    pub months: Vec<String>,
    pub months_short: Vec<String>,
    pub days: Vec<String>,
    pub days_short: Vec<String>,
}

/// What they mean in English number formats.
const ENGLISH_LETTERS: [char; 6] = ['d', 'm', 'y', 'h', 'm', 's'];

struct Signs {
    decimal: char,
    group: char,
    letters: [char; 6],
    amounts: [String; 2],
}

thread_local! {
    static SIGNS: RefCell<Signs> = RefCell::new(Signs {
        decimal: '.',
        group: ',',
        letters: ENGLISH_LETTERS,
        amounts: ["$#".to_string(), "($#)".to_string()],
    });
}

pub(crate) fn decimal() -> char {
    SIGNS.with_borrow(|signs| signs.decimal)
}

pub(crate) fn group() -> char {
    SIGNS.with_borrow(|signs| signs.group)
}

/// A number that is written as in English, as the region writes it.
pub(crate) fn in_region(text: &str) -> String {
    SIGNS.with_borrow(|signs| {
        let local = |one| match one {
            '.' => signs.decimal,
            ',' => signs.group,
            other => other,
        };
        text.chars().map(local).collect()
    })
}

/// An amount of money, whose digits are written as in English.
pub(crate) fn amount(digits: &str, is_negative: bool) -> String {
    let digits = in_region(digits);
    SIGNS.with_borrow(|signs| signs.amounts[usize::from(is_negative)].replace('#', &digits))
}

/// A number format that somebody of the region has written, as in English. Letters of English ones that mean nothing else in the region
/// are taken as they are.
pub(crate) fn english_format(format: &str) -> String {
    SIGNS.with_borrow(|signs| {
        if signs.decimal == '.' && signs.group == ',' && signs.letters == ENGLISH_LETTERS {
            return format.to_string();
        }
        let mut english = String::with_capacity(format.len());
        let mut rest = format;
        while let Some(first) = rest.chars().next() {
            let length = literal_length(rest).unwrap_or_else(|| first.len_utf8());
            let (piece, behind) = rest.split_at(length);
            rest = behind;
            if first == '[' {
                english.push_str(&english_bracket(piece, signs));
            } else if GENERAL_ABROAD.iter().any(|word| piece.eq_ignore_ascii_case(word)) {
                english.push_str("General");
            } else if length > first.len_utf8() {
                english.push_str(piece);
            } else {
                push_english(first, signs, &mut english);
            }
        }
        english
    })
}

/// What the general format is called in other languages; none begins with one before it.
const GENERAL_ABROAD: [&str; 7] =
    ["Standardowy", "Standard", "Standaard", "Estándar", "Geral", "Genel", "Основной"];

/// How long what begins a format is, where it is the same in all regions: a text, a sign behind `\`, `_` or `*`, what is in brackets,
/// halves of a day, the general format.
fn literal_length(format: &str) -> Option<usize> {
    let first = format.chars().next()?;
    match first {
        '"' => Some(format[1..].find('"').map_or(format.len(), |end| end + 2)),
        '\\' | '_' | '*' => Some(1 + format[1..].chars().next().map_or(0, char::len_utf8)),
        '[' => Some(format.find(']').map_or(format.len(), |end| end + 1)),
        _ => {
            let begins = |word: &&&str| format.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word));
            let words = ["AM/PM", "A/P", "General"];
            words.iter().chain(&GENERAL_ABROAD).find(begins).map(|word| word.len())
        }
    }
}

/// Elapsed hours, minutes or seconds, and the number of a condition.
fn english_bracket(bracket: &str, signs: &Signs) -> String {
    let inside = bracket.trim_start_matches('[').trim_end_matches(']');
    if inside.starts_with(['<', '>', '=']) {
        return bracket.replace(signs.decimal, ".");
    }
    let english = |one: char| {
        let at = signs.letters.iter().position(|letter| is_letter(one, *letter));
        at.filter(|at| *at >= 3).map(|at| ENGLISH_LETTERS[at])
    };
    let letters: Option<String> = inside.chars().map(english).collect();
    match letters {
        Some(letters) if !letters.is_empty() => format!("[{letters}]"),
        _ => bracket.to_string(),
    }
}

fn push_english(one: char, signs: &Signs, english: &mut String) {
    let is_space = |sign: char| sign.is_whitespace();
    if one == signs.decimal {
        english.push('.');
    } else if one == signs.group || (is_space(signs.group) && matches!(one, '\u{a0}' | '\u{202f}')) {
        english.push(',');
    } else if one == '.' || one == ',' {
        english.extend(['\\', one]);
    } else if let Some(at) = signs.letters.iter().position(|letter| is_letter(one, *letter)) {
        english.push(ENGLISH_LETTERS[at]);
    } else {
        english.push(one);
    }
}

fn is_letter(one: char, letter: char) -> bool {
    one == letter || one.to_lowercase().eq(letter.to_lowercase())
}

impl<'a> Model<'a> {
    /// Calculates as a region writes, from now on.
    pub fn set_conventions(&mut self, conventions: Conventions) {
        let Conventions { decimal, group, short_date, letters, amounts, months, months_short, days, days_short } =
            conventions;
        let mut locale = get_default_locale().clone();
        locale.numbers.symbols.decimal = decimal.to_string();
        locale.numbers.symbols.group = group.to_string();
        locale.currency.symbol = amounts[0].replace('#', "").trim().to_string();
        locale.dates.date_formats.short = short_date;
        locale.dates.months = months;
        locale.dates.months_short = months_short;
        locale.dates.day_names = days;
        locale.dates.day_names_short = days_short;
        SIGNS.set(Signs { decimal, group, letters, amounts });
        let locale: &'static Locale = Box::leak(Box::new(locale));
        self.locale = locale;
    }
}
