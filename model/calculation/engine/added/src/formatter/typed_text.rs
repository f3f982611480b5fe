//! Texts that are numbers, days and times for calculations, as somebody might type them.
use crate::formatter::conventions;
use crate::formatter::dates::{date_to_serial_number, from_excel_date};
use crate::formatter::format::{parse_date, parse_formatted_number};
use crate::locale::Locale;
use crate::number_format::parse_finite_number;
use chrono::Datelike;

/// Years of two digits up to this one are of this century.
const LAST_SHORT_YEAR: i32 = 29;
/// How long a text may be that is more than digits.
const LONGEST: usize = 255;

/// What a text comes to where a number is wanted: also amounts, percentages, fractions, days and times.
pub(crate) fn number_of_text(text: &str, locale: &Locale) -> Option<f64> {
    let text = without_spaces(text)?;
    // `1.5` is a day where numbers have a comma.
    let is_day = is_day_with_points(text, locale);
    if let Some(number) = parse_finite_number(text).filter(|_| !is_day) {
        return Some(number);
    }
    // Nobody types more, and each place in a text may divide a day from a time.
    if text.len() > LONGEST {
        return None;
    }
    let mut currencies = vec!["$", "€"];
    if !currencies.contains(&locale.currency.symbol.as_str()) {
        currencies.push(&locale.currency.symbol);
    }
    // Most texts begin with a word that no number begins with.
    let start = text.trim_start();
    let word = start.split(|one: char| !one.is_alphabetic()).next().unwrap_or_default();
    let is_amount = currencies.iter().any(|symbol| start.starts_with(symbol));
    if !word.is_empty() && !is_amount && month_in(word, locale).is_none() {
        return None;
    }
    if is_day {
        return day_in_short(text, locale);
    }
    let text = &with_groups(text, locale);
    if let Ok((number, _)) = parse_formatted_number(text, &currencies, locale) {
        return Some(number);
    }
    number_in(text, locale, |day| numeric_day(day, locale))
}

/// The day that a text says, with its time where it has one; no number and no time of day is one.
pub(crate) fn day_of_text(text: &str, locale: &Locale) -> Option<f64> {
    let text = without_spaces(text)?;
    if text.len() > LONGEST {
        return None;
    }
    let day = |text: &str| numeric_day(text, locale);
    named_day(text, locale)
        .or_else(|| day(text))
        .or_else(|| day_in_short(text, locale))
        .or_else(|| day_and_time(text, locale, day))
        .filter(|day| *day >= if crate::host::from_1904() { 0.0 } else { 1.0 })
}

/// The time of day that a text says: of more than a day what is beyond whole ones.
pub(crate) fn time_of_text(text: &str, locale: &Locale) -> Option<f64> {
    let text = without_spaces(text)?;
    if text.len() > LONGEST {
        return None;
    }
    time(text).or_else(|| day_and_time(text, locale, |day| numeric_day(day, locale))).map(f64::fract)
}

/// The time that a text says, which may be more than a day.
pub(crate) fn span_of_text(text: &str) -> Option<f64> {
    without_spaces(text).filter(|text| text.len() <= LONGEST).and_then(time)
}

/// A text without spaces around it. Those that do not break a line belong to a number only where digits are grouped by one.
fn without_spaces(text: &str) -> Option<&str> {
    let inside = text.trim();
    let is_plain = |around: &str| around.trim_matches(|one: char| one.is_ascii_whitespace()).is_empty();
    let (before, behind) = text.split_at(text.len() - text.trim_start().len());
    let behind = &behind[inside.len()..];
    (conventions::group().is_whitespace() || (is_plain(before) && is_plain(behind))).then_some(inside)
}

fn numeric_day(text: &str, locale: &Locale) -> Option<f64> {
    parse_date(text, locale).ok().map(|(serial, _)| f64::from(serial))
}

/// Whether a text is a day and a month, as `1.5` or `24.12.`, in a region that writes days with points and numbers with a comma.
fn is_day_with_points(text: &str, locale: &Locale) -> bool {
    let mut parts = text.trim_end_matches('.').split('.');
    let is_part = |part: Option<&str>| part.is_some_and(|digits| number_of(digits, 2).is_some());
    locale.numbers.symbols.decimal != "."
        && locale.dates.date_formats.short.contains('.')
        && is_part(parts.next())
        && is_part(parts.next())
        && parts.next().is_none()
}

/// With the sign between groups of digits as the region has it, where somebody has typed another space.
fn with_groups(text: &str, locale: &Locale) -> String {
    let group = locale.numbers.symbols.group.chars().next().filter(|sign| sign.is_whitespace());
    let Some(group) = group.filter(|_| !text.contains(['/', ':'])) else { return text.to_string() };
    let signs: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(char::is_ascii_digit);
    let sign = |(at, one): (usize, &char)| {
        let is_group = one.is_whitespace() && is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1));
        if is_group { group } else { *one }
    };
    signs.iter().enumerate().map(sign).collect()
}

/// What a text that no plain number is comes to: `(100)`, `1 1/2`, a day with the name of its month, a time, or both.
fn number_in(text: &str, locale: &Locale, day: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let symbols = &locale.numbers.symbols;
        let (inner, part) = inner.strip_suffix('%').map_or((inner, 1.0), |rest| (rest, 100.0));
        let amount = ["$", "€", &locale.currency.symbol].iter().find_map(|symbol| inner.strip_prefix(symbol));
        let digits = amount.unwrap_or(inner);
        let is_part = |one: char| one.is_ascii_digit() || symbols.group.contains(one) || symbols.decimal.contains(one);
        let number = digits.chars().all(is_part).then(|| parse_formatted_number(digits, &[], locale).ok()).flatten();
        return number.map(|(number, _)| -number / part);
    }
    fraction(text)
        .or_else(|| named_day(text, locale))
        .or_else(|| day(text))
        .or_else(|| day_in_short(text, locale))
        .or_else(|| time(text))
        .or_else(|| day_and_time(text, locale, day))
}

fn plain(text: &str) -> Option<f64> {
    let digits: String = text.trim().chars().filter(|one| *one != ',').collect();
    let starts = digits.starts_with(|one: char| one.is_ascii_digit() || one == '.');
    let number = digits.parse::<f64>().ok().filter(|number| starts && number.is_finite())?;
    Some(number)
}

/// `1 1/2`, with a whole number before it: without one it is a day.
fn fraction(text: &str) -> Option<f64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let (whole, part) = text.split_once(' ')?;
    let (above, below) = part.trim().split_once('/')?;
    let numbers: Vec<f64> = [whole, above, below]
        .iter()
        .map_while(|digits| {
            let is_number = !digits.is_empty() && digits.len() < 10 && digits.bytes().all(|one| one.is_ascii_digit());
            is_number.then(|| digits.parse::<f64>().ok()).flatten()
        })
        .collect();
    match numbers[..] {
        [whole, above, below] if below > 0.0 => Some(sign * (whole + above / below)),
        _ => None,
    }
}

fn month_in(word: &str, locale: &Locale) -> Option<u32> {
    let word = word.trim_end_matches('.');
    if word.is_empty() || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let word = word.to_lowercase();
    let english = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ];
    for at in 0..12 {
        let names = [
            locale.dates.months.get(at).map(String::as_str),
            locale.dates.months_short.get(at).map(String::as_str),
            Some(english[at]),
            english[at].get(..3),
        ];
        let is_it = |name: Option<&str>| {
            name.is_some_and(|name| {
                name.chars().next().and_then(|one| one.to_lowercase().next()) == word.chars().next()
                    && name.trim_end_matches('.').to_lowercase() == word
            })
        };
        if names.into_iter().any(is_it) {
            return Some(at as u32 + 1);
        }
    }
    None
}

fn number_of(digits: &str, most: usize) -> Option<i32> {
    let is_number = !digits.is_empty() && digits.len() <= most && digits.bytes().all(|one| one.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

fn year_of(digits: &str) -> Option<i32> {
    let year = number_of(digits, 4)?;
    match digits.len() {
        1 | 2 if year <= LAST_SHORT_YEAR => Some(2000 + year),
        1 | 2 => Some(1900 + year),
        4 => Some(year),
        _ => None,
    }
}

/// With spaces around the name of a month that has digits beside it, as in `March1` or `1Mar2021`.
fn with_spaces(text: &str, locale: &Locale) -> String {
    let is_letter = |one: char| one.is_alphabetic();
    let Some(from) = text.find(is_letter) else { return text.to_string() };
    let rest = &text[from..];
    let (name, behind) = rest.split_at(rest.find(|one: char| !is_letter(one)).unwrap_or(rest.len()));
    if month_in(name, locale).is_none() {
        return text.to_string();
    }
    let gap = |has_digit: bool| if has_digit { " " } else { "" };
    let is_digit = |one: char| one.is_ascii_digit();
    let before = &text[..from];
    format!("{before}{}{name}{}{behind}", gap(before.ends_with(is_digit)), gap(behind.starts_with(is_digit)))
}

/// A day with the name of its month: `15-Mar-2021`, `15 March 2021`, `March 15, 2021`, `Mar 2021`.
fn named_day(text: &str, locale: &Locale) -> Option<f64> {
    let text = with_spaces(text, locale);
    let words: Vec<&str> =
        text.split([' ', '-', '/', ',']).filter(|word| !word.is_empty()).collect();
    let (day, month, year) = match words[..] {
        [first, second, third] => match (month_in(first, locale), month_in(second, locale)) {
            (None, Some(month)) => match year_of(first) {
                // `2021-Mar-15`
                Some(year) if first.len() == 4 => (number_of(third, 2)?, month, year),
                // `13. Januar 2020`
                _ => (number_of(first.trim_end_matches('.'), 2)?, month, year_of(third)?),
            },
            (Some(month), None) => (number_of(second, 2)?, month, year_of(third)?),
            _ => return None,
        },
        [first, second] => (1, month_in(first, locale)?, year_of(second).filter(|_| second.len() == 4)?),
        _ => return None,
    };
    let day = u32::try_from(day).ok()?;
    date_to_serial_number(day, month, year).ok().map(f64::from)
}

/// A day of this year, as `May 2`, `2-May`, `5/2` or `2.5.`, or the first of a month, as `May-52`, `5/52` or `5/2052`. Of two numbers
/// that may be either, the order of the language says which is the month.
fn day_in_short(text: &str, locale: &Locale) -> Option<f64> {
    let short = locale.dates.date_formats.short.as_str();
    let text = with_spaces(text.trim().trim_end_matches(if short.contains('.') { '.' } else { ' ' }), locale);
    let parts = |sign: char| sign == ' ' || sign == '-' || sign == '/' || (sign == '.' && short.contains('.'));
    let words: Vec<&str> = text.split(parts).filter(|word| !word.is_empty()).collect();
    let [first, second] = words[..] else { return None };
    let month_number = |digits: &str| number_of(digits, 2).filter(|month| (1..=12).contains(month));
    let this_year = || from_excel_date(crate::host::now() as i64).ok().map(|today| today.year());
    let serial = |day: i32, month: i32, year: i32| {
        date_to_serial_number(u32::try_from(day).ok()?, u32::try_from(month).ok()?, year).ok().map(f64::from)
    };
    let of_this_year = |day: &str, month: i32| serial(number_of(day, 2)?, month, this_year()?);
    let first_of = |month: i32, year: &str| serial(1, month, year_of(year)?);
    match (month_in(first, locale), month_in(second, locale)) {
        (Some(month), _) => of_this_year(second, month as i32).or_else(|| first_of(month as i32, second)),
        (None, Some(month)) => of_this_year(first, month as i32),
        (None, None) if text.contains(' ') => None,
        (None, None) => {
            let (day, month) = if short.starts_with('d') { (first, second) } else { (second, first) };
            let usual = month_number(month).and_then(|month| of_this_year(day, month));
            usual
                .or_else(|| month_number(day).and_then(|other| of_this_year(month, other)))
                .or_else(|| month_number(first).and_then(|month| first_of(month, second)))
        }
    }
}

/// `7:30`, `7:30:15.5`, `3:30 PM`, `36:00`: a part of a day, or more than one.
fn time(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let (clock, half) = if let Some(rest) = lower.strip_suffix("am") {
        (rest.trim_end(), Some(0.0))
    } else if let Some(rest) = lower.strip_suffix("pm") {
        (rest.trim_end(), Some(12.0))
    } else {
        (lower.as_str(), None)
    };
    let mut parts = clock.split(':');
    let hours = f64::from(number_of(parts.next()?, 4)?);
    let minutes = parts.next();
    let seconds = parts.next();
    if parts.next().is_some() || (minutes.is_none() && half.is_none()) {
        return None;
    }
    let minutes = f64::from(minutes.map_or(Some(0), |digits| number_of(digits, 2))?);
    let seconds = match seconds {
        None => 0.0,
        Some(digits) => plain(digits).filter(|number| *number < 60.0)?,
    };
    if minutes >= 60.0 {
        return None;
    }
    let hours = match half {
        None => hours,
        Some(_) if !(1.0..=12.0).contains(&hours) => return None,
        Some(half) => hours % 12.0 + half,
    };
    Some((hours * 3600.0 + minutes * 60.0 + seconds) / 86_400.0)
}

fn day_and_time(text: &str, locale: &Locale, day: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    for (at, _) in text.match_indices([' ', 'T']) {
        let (date, clock) = (text[..at].trim(), text[at + 1..].trim());
        let found = named_day(date, locale).or_else(|| day(date));
        if let (Some(date), Some(clock)) = (found, time(clock)) {
            return Some(date + clock);
        }
    }
    None
}
