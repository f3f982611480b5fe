//! Number formats as TEXT applies them, and numbers as texts.
use crate::functions::date_and_time::excel_serial_to_ymd;
use crate::host;
use crate::formatter::conventions::{self, english_format, in_region};
use crate::formatter::languages::{language_of, Language};
use crate::locale::Locale;

/// The first digits of a number, without a point, and the power of ten of the first. Rounds the halves away from zero.
fn digits_of(x: f64, count: i32) -> (Vec<u8>, i32) {
    if x == 0.0 || count < 0 {
        return (vec![0], 0);
    }
    // Fifteen digits are what a cell has.
    let text = format!("{:.14e}", x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    let mut exponent: i32 = exponent.parse().unwrap_or(0);
    if (count as usize) < digits.len() {
        let up = digits[count as usize] >= 5;
        digits.truncate(count as usize);
        if up {
            let mut at = digits.len();
            loop {
                if at == 0 {
                    digits.insert(0, 1);
                    exponent += 1;
                    break;
                }
                at -= 1;
                if digits[at] == 9 {
                    digits[at] = 0;
                } else {
                    digits[at] += 1;
                    break;
                }
            }
        }
    }
    if digits.is_empty() {
        return (vec![0], 0);
    }
    (digits, exponent)
}

/// The digits before and behind the point, rounded to so many behind it, or to a power of ten where these are fewer than none. Behind
/// fifteen digits there are zeros. The first are empty for a number below 1.
pub(crate) fn fixed(x: f64, decimals: i32) -> (String, String) {
    let (_, exponent) = digits_of(x, 15);
    let (digits, exponent) = digits_of(x, exponent + 1 + decimals);
    let at = |power: i32| {
        let index = exponent - power;
        let digit = if index < 0 {
            0
        } else {
            digits.get(index as usize).copied().unwrap_or(0)
        };
        (b'0' + digit) as char
    };
    let whole: String = (0..=exponent.max(0)).rev().map(at).collect();
    let part: String = (1..=decimals).map(|place| at(-place)).collect();
    (whole.trim_start_matches('0').to_string(), part)
}

/// A number in scientific notation with up to so many significant digits.
fn scientific(x: f64, significant: i32) -> String {
    let (digits, exponent) = digits_of(x, significant);
    let digits: String = digits.iter().map(|d| (b'0' + d) as char).collect();
    let part = digits[1..].trim_end_matches('0');
    let point = if part.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}{point}{part}E{sign}{:02}", &digits[..1], exponent.abs())
}

fn plain(x: f64, decimals: i32) -> String {
    let (whole, part) = fixed(x, decimals);
    let part = part.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { &whole };
    if part.is_empty() {
        whole.to_string()
    } else {
        format!("{whole}.{part}")
    }
}

fn signed(x: f64, text: String) -> String {
    if x < 0.0 && text != "0" {
        format!("-{text}")
    } else {
        text
    }
}

/// A number as text, as `&` makes it: with up to fifteen digits.
pub fn number_text(x: f64) -> String {
    in_region(&english_number_text(x))
}

/// The same with a point, wherever.
pub(crate) fn english_number_text(x: f64) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    let (digits, exponent) = digits_of(x, 15);
    let significant = digits.iter().rposition(|d| *d != 0).map_or(1, |last| last as i32 + 1);
    let long = if exponent < 0 {
        significant - exponent > 20
    } else {
        exponent > 20
    };
    let text = if long {
        scientific(x, 15)
    } else {
        plain(x, (14 - exponent).max(0))
    };
    signed(x, text)
}

/// A number in the format General.
fn general(x: f64) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    let (_, exponent) = digits_of(x, 15);
    let text = if exponent >= 11 || exponent < -9 {
        scientific(x, 6)
    } else if exponent >= 0 {
        plain(x, (9 - exponent).max(0))
    } else {
        let text = plain(x, 9);
        let exact = text.parse::<f64>().is_ok_and(|value| value == x.abs());
        if exponent < -4 && !exact {
            scientific(x, 6)
        } else {
            text
        }
    };
    signed(x, text)
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Literal(String),
    /// `0`, `#` or `?`
    Digit(char),
    Point,
    Comma,
    Percent,
    /// Its letter, and whether a positive exponent has its sign.
    Exponent(char, bool),
    Slash,
    General,
    Text,
    /// A letter of a date, and how often it stands there.
    Date(char, usize),
    /// Hours, minutes or seconds that go on over 24 or 60.
    Elapsed(char, usize),
    /// What stands for the morning and the afternoon.
    Half(String, String),
    /// Parts of a second.
    Part(usize),
}

#[derive(Default)]
struct Section {
    pieces: Vec<Piece>,
    condition: Option<(String, f64)>,
    is_date: bool,
    /// Whether it may ask for an era of Japan.
    may_have_era: bool,
    /// Of which language the names of days and months are.
    language: Language,
}

impl Section {
    /// Whether names, digits, an era or a calendar are asked for that are not known here.
    fn is_in_other_words(&self) -> bool {
        let is_name = |piece: &Piece| matches!(piece, Piece::Date('m' | 'd', 3..));
        match self.language {
            _ if self.is_date && self.may_have_era => true,
            Language::Unknown => true,
            Language::Unnamed => self.pieces.iter().any(is_name),
            Language::Own | Language::Named(_) => false,
        }
    }
}

fn sections_of(format: &str) -> Option<Vec<Section>> {
    let characters: Vec<char> = format.chars().collect();
    let mut sections = vec![Section::default()];
    let mut at = 0;
    while at < characters.len() {
        let character = characters[at];
        let rest = &characters[at..];
        at += 1;
        let section = sections.last_mut()?;
        let same = |letter: char| rest.iter().take_while(|c| c.eq_ignore_ascii_case(&letter)).count();
        let starts = |text: &str| {
            let length = text.chars().count();
            rest.len() >= length && rest[..length].iter().collect::<String>().eq_ignore_ascii_case(text)
        };
        match character {
            ';' => sections.push(Section::default()),
            '"' => {
                let end = rest[1..].iter().position(|c| *c == '"').unwrap_or(rest.len() - 1);
                section.pieces.push(Piece::Literal(rest[1..1 + end].iter().collect()));
                at += end + 1;
            }
            '\\' => {
                section.pieces.push(Piece::Literal(rest.get(1)?.to_string()));
                at += 1;
            }
            '_' => {
                rest.get(1)?;
                section.pieces.push(Piece::Literal(" ".to_string()));
                at += 1;
            }
            '*' => {
                rest.get(1)?;
                at += 1;
            }
            '[' => {
                let end = rest.iter().position(|c| *c == ']')?;
                let inside: String = rest[1..end].iter().collect();
                at += end;
                bracket(section, &inside)?;
            }
            '0' | '#' | '?' => section.pieces.push(Piece::Digit(character)),
            '.' => {
                let zeros = rest[1..].iter().take_while(|c| **c == '0').count();
                let of_second = section.pieces.iter().rev().find(|p| !matches!(p, Piece::Literal(_)));
                if zeros > 0 && matches!(of_second, Some(Piece::Date('s', _) | Piece::Elapsed('s', _))) {
                    section.pieces.push(Piece::Part(zeros));
                    at += zeros;
                } else {
                    section.pieces.push(Piece::Point);
                }
            }
            ',' => section.pieces.push(Piece::Comma),
            '%' => section.pieces.push(Piece::Percent),
            '/' => section.pieces.push(Piece::Slash),
            '@' => section.pieces.push(Piece::Text),
            'E' | 'e' if matches!(rest.get(1), Some('+' | '-')) => {
                section.pieces.push(Piece::Exponent(character, rest[1] == '+'));
                at += 1;
            }
            'G' | 'g' if starts("General") => {
                section.pieces.push(Piece::General);
                at += 6;
            }
            'G' | 'g' => {
                section.may_have_era = true;
                section.pieces.push(Piece::Literal(character.to_string()));
            }
            '上' if starts("上午/下午") => {
                section.pieces.push(Piece::Half("上午".to_string(), "下午".to_string()));
                section.is_date = true;
                at += 4;
            }
            'A' | 'a' if starts("AM/PM") => {
                section.pieces.push(Piece::Half("AM".to_string(), "PM".to_string()));
                section.is_date = true;
                at += 4;
            }
            'A' | 'a' if starts("A/P") => {
                section
                    .pieces
                    .push(Piece::Half(rest[0].to_string(), rest[2].to_string()));
                section.is_date = true;
                at += 2;
            }
            'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' | 'e' | 'E' | 'b' | 'B' => {
                let count = same(character);
                let letter = character.to_ascii_lowercase();
                section.pieces.push(Piece::Date(letter, count));
                section.is_date = true;
                at += count - 1;
            }
            other => section.pieces.push(Piece::Literal(other.to_string())),
        }
    }
    if sections.len() > 4 {
        return None;
    }
    for section in &mut sections {
        minutes(&mut section.pieces);
    }
    Some(sections)
}

/// A colour, a condition, a currency with its locale, or a time that goes on.
fn bracket(section: &mut Section, inside: &str) -> Option<()> {
    if let Some(currency) = inside.strip_prefix('$') {
        let (symbol, language) = currency.split_once('-').unwrap_or((currency, ""));
        section.pieces.push(Piece::Literal(symbol.to_string()));
        if symbol.is_empty() && !matches!(section.language, Language::Unknown) {
            section.language = language_of(language);
        }
        return Some(());
    }
    let lower = inside.to_ascii_lowercase();
    // Numerals of East Asia.
    if lower.starts_with("dbnum") {
        section.language = Language::Unknown;
        return Some(());
    }
    let first = lower.chars().next()?;
    if matches!(first, 'h' | 'm' | 's') && lower.chars().all(|c| c == first) {
        section.pieces.push(Piece::Elapsed(first, lower.len()));
        section.is_date = true;
        return Some(());
    }
    if let '<' | '>' | '=' = first {
        let length = lower.chars().take_while(|c| matches!(c, '<' | '>' | '=')).count();
        section.condition = Some((lower[..length].to_string(), lower[length..].trim().parse().ok()?));
    }
    Some(())
}

/// `m` behind hours or before seconds means minutes: they are written `n` here.
fn minutes(pieces: &mut [Piece]) {
    let letter = |piece: &Piece| match piece {
        Piece::Date(letter, _) | Piece::Elapsed(letter, _) => Some(*letter),
        _ => None,
    };
    for at in 0..pieces.len() {
        if let Piece::Date('m', count @ 1..=2) = pieces[at] {
            let before = pieces[..at].iter().rev().find_map(letter);
            let after = pieces[at + 1..].iter().find_map(letter);
            if matches!(before, Some('h' | 's')) || after == Some('s') {
                pieces[at] = Piece::Date('n', count);
            }
        }
    }
}

fn holds((operator, limit): &(String, f64), x: f64) -> bool {
    match operator.as_str() {
        "<" => x < *limit,
        "<=" => x <= *limit,
        ">" => x > *limit,
        ">=" => x >= *limit,
        "=" => x == *limit,
        "<>" => x != *limit,
        _ => false,
    }
}

/// A number in a format; `None` when the format is none, or has nothing for this number.
pub fn format_of_number(x: f64, format: &str, locale: &Locale) -> Option<String> {
    let sections = sections_of(&english_format(format))?;
    // The fourth one is of texts, and so is the last of several that has a place for them.
    let is_of_texts = sections.len() > 1 && sections.last().is_some_and(|last| last.pieces.contains(&Piece::Text));
    let of_numbers = if sections.len() == 4 { 3 } else { sections.len() - usize::from(is_of_texts) };
    let conditional = sections.iter().any(|section| section.condition.is_some());
    // Whether the section speaks of numbers below zero alone, so that it says by itself that they are.
    let (chosen, says_sign) = if conditional {
        let fits = |index: usize| match &sections[index].condition {
            Some(condition) => holds(condition, x),
            None => index > 0 || of_numbers == 1 || x > 0.0,
        };
        let Some(chosen) = (0..of_numbers).find(|index| fits(*index)) else {
            return Some(general(x).replace('.', &locale.numbers.symbols.decimal));
        };
        let negative = matches!(&sections[chosen].condition, Some((operator, limit))
            if (operator == "<" && *limit <= 0.0) || (operator == "<=" && *limit < 0.0));
        (
            chosen,
            negative || (chosen == 1 && of_numbers == 3 && sections[1].condition.is_none()),
        )
    } else if x < 0.0 && of_numbers > 1 {
        (1, true)
    } else if x == 0.0 && of_numbers > 2 {
        (2, false)
    } else {
        (0, false)
    };
    let section = &sections[chosen];
    if section.pieces.is_empty() && sections.len() == 1 {
        return Some(String::new());
    }
    if section.is_in_other_words() {
        host::refuse();
        return None;
    }
    if section.is_date {
        return date(x, section, locale);
    }
    let text = number(x.abs(), section, locale);
    // What is rounded to zero has no sign, in a format of one section that is no fraction and has digits.
    let has = |wanted: fn(&Piece) -> bool| section.pieces.iter().any(wanted);
    let keeps_sign =
        sections.len() > 1 || has(|piece| *piece == Piece::Slash) || !has(|piece| matches!(piece, Piece::Digit(_)));
    let is_zero = !keeps_sign && !text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    Some(if x < 0.0 && !says_sign && !is_zero {
        format!("-{text}")
    } else {
        text
    })
}

/// A text in a format: in its fourth section, or in the only one that has a place for it.
pub fn format_of_text(text: &str, format: &str) -> Option<String> {
    let sections = sections_of(&english_format(format))?;
    let has_place = |section: &Section| section.pieces.contains(&Piece::Text);
    let section = match sections.get(3) {
        Some(section) => section,
        None => match sections.last() {
            Some(last) if has_place(last) => last,
            _ => return Some(text.to_string()),
        },
    };
    Some(section.pieces.iter().map(|piece| written(piece, text)).collect())
}

/// What stands outside of numbers and dates.
fn written(piece: &Piece, text: &str) -> String {
    match piece {
        Piece::Literal(literal) => literal.clone(),
        Piece::Text => text.to_string(),
        Piece::General => text.to_string(),
        Piece::Percent => "%".to_string(),
        Piece::Slash => "/".to_string(),
        Piece::Point => conventions::decimal().to_string(),
        Piece::Comma => conventions::group().to_string(),
        _ => String::new(),
    }
}

fn number(x: f64, section: &Section, locale: &Locale) -> String {
    let mut pieces = section.pieces.clone();
    if pieces.iter().any(|piece| matches!(piece, Piece::General | Piece::Text)) {
        let value = general(x).replace('.', &locale.numbers.symbols.decimal);
        return pieces.iter().map(|piece| written(piece, &value)).collect();
    }
    let is_digit = |piece: &Piece| matches!(piece, Piece::Digit(_));
    // With an exponent nothing scales a number but that.
    let scales = !pieces.iter().any(|piece| matches!(piece, Piece::Exponent(..)));
    let mut value = x;
    for _ in pieces.iter().filter(|piece| scales && **piece == Piece::Percent) {
        value *= 100.0;
    }
    // Commas behind the last digit before the point divide by a thousand, others part thousands.
    let whole_end = pieces
        .iter()
        .position(|p| matches!(p, Piece::Point | Piece::Exponent(..)))
        .unwrap_or(pieces.len());
    let last_digit = pieces[..whole_end].iter().rposition(is_digit);
    let first_digit = pieces.iter().position(is_digit);
    let mut thousands = false;
    let mut kept = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.drain(..).enumerate() {
        if piece != Piece::Comma {
            kept.push(piece);
        } else if first_digit.is_none_or(|first| index < first) {
            kept.push(Piece::Literal(",".to_string()));
        } else if index < whole_end && last_digit.is_none_or(|last| index < last) {
            thousands = true;
        } else if scales {
            value /= 1000.0;
        }
    }
    let pieces = kept;
    if let Some(slash) = pieces.iter().position(|piece| *piece == Piece::Slash) {
        if let Some(text) = fraction(value, &pieces, slash) {
            return text;
        }
    }
    if let Some(place) = pieces.iter().position(|piece| matches!(piece, Piece::Exponent(..))) {
        return exponential(value, &pieces, place, thousands, locale);
    }
    decimal(value, &pieces, thousands, locale)
}

fn decimal(value: f64, pieces: &[Piece], thousands: bool, locale: &Locale) -> String {
    let point = pieces
        .iter()
        .position(|piece| *piece == Piece::Point)
        .unwrap_or(pieces.len());
    let decimals = pieces[point..]
        .iter()
        .filter(|piece| matches!(piece, Piece::Digit(_)))
        .count();
    let (whole, part) = fixed(value, decimals as i32);
    let group = thousands.then_some(locale.numbers.symbols.group.as_str());
    let mut text = whole_digits(&whole, &pieces[..point], group);
    text.push_str(&part_digits(&part, &pieces[point..], locale));
    text
}

/// Digits from the right to the left; those for which there is no place stand at the first.
fn whole_digits(digits: &str, pieces: &[Piece], group: Option<&str>) -> String {
    let digits: Vec<char> = digits.chars().collect();
    let places = pieces.iter().filter(|piece| matches!(piece, Piece::Digit(_))).count();
    let mut left = places;
    let mut text = String::new();
    let pushed = |text: &mut String, place_from_right: usize, filler: char| {
        let digit = digits.len().checked_sub(place_from_right).map(|index| digits[index]);
        let shown = match (digit, filler) {
            (Some(digit), _) => Some(digit),
            (None, '0') => Some('0'),
            (None, '?') => Some(' '),
            _ => None,
        };
        let Some(shown) = shown else { return };
        text.push(shown);
        if let Some(group) = group {
            if place_from_right > 1 && place_from_right % 3 == 1 {
                text.push_str(if shown == ' ' { " " } else { group });
            }
        }
    };
    for piece in pieces {
        if let Piece::Digit(filler) = piece {
            if left == places {
                for place in (left + 1..=digits.len()).rev() {
                    pushed(&mut text, place, '#');
                }
            }
            pushed(&mut text, left, *filler);
            left -= 1;
        } else {
            text.push_str(&written(piece, ""));
        }
    }
    if places == 0 && pieces.is_empty() && group.is_none() {
        return text;
    }
    text
}

fn part_digits(digits: &str, pieces: &[Piece], locale: &Locale) -> String {
    let digits: Vec<char> = digits.chars().collect();
    let last = digits.iter().rposition(|digit| *digit != '0');
    let mut index = 0;
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Digit(filler) => {
                let digit = digits.get(index).copied().unwrap_or('0');
                if last.is_some_and(|last| index <= last) || *filler == '0' {
                    text.push(digit);
                } else if *filler == '?' {
                    text.push(' ');
                }
                index += 1;
            }
            Piece::Point => text.push_str(&locale.numbers.symbols.decimal),
            piece => text.push_str(&written(piece, "")),
        }
    }
    text
}

fn exponential(value: f64, pieces: &[Piece], place: usize, thousands: bool, locale: &Locale) -> String {
    let mantissa = &pieces[..place];
    let point = mantissa
        .iter()
        .position(|piece| *piece == Piece::Point)
        .unwrap_or(mantissa.len());
    let count = |pieces: &[Piece]| pieces.iter().filter(|piece| matches!(piece, Piece::Digit(_))).count();
    let whole = count(&mantissa[..point]).max(1) as i32;
    let decimals = count(&mantissa[point..]) as i32;
    let (_, exact) = digits_of(value, 15);
    let scale = |exponent: i32| exponent.div_euclid(whole) * whole;
    // Rounding may add a digit.
    let significant = exact - scale(exact) + 1 + decimals;
    let (_, rounded) = digits_of(value, significant);
    let exponent = if value == 0.0 { 0 } else { scale(rounded.max(exact)) };
    let scaled = value / 10f64.powi(exponent);
    let text = decimal(scaled, mantissa, thousands, locale);
    // A zero is written even where its digits are `#`.
    let is_unwritten = value == 0.0 && decimals == 0 && !text.contains('0');
    let text = if is_unwritten { format!("{text}0") } else { text };
    let (letter, with_sign) = match pieces[place] {
        Piece::Exponent(letter, with_sign) => (letter, with_sign),
        _ => ('E', false),
    };
    let sign = match (exponent < 0, with_sign) {
        (true, _) => "-",
        (false, true) => "+",
        _ => "",
    };
    let behind = &pieces[place + 1..];
    // The sign stands before the first digit.
    let first = behind.iter().position(|piece| matches!(piece, Piece::Digit(_))).unwrap_or(0);
    let before: String = behind[..first].iter().map(|piece| written(piece, "")).collect();
    let digits = whole_digits(&exponent.abs().to_string(), &behind[first..], None);
    let digits = if digits.is_empty() {
        exponent.abs().to_string()
    } else {
        digits
    };
    format!("{text}{letter}{before}{sign}{digits}")
}

/// A number as a fraction, where the format has digits on both sides of the slash.
fn fraction(value: f64, pieces: &[Piece], slash: usize) -> Option<String> {
    let is_digit = |piece: &Piece| matches!(piece, Piece::Digit(_));
    let over_end = pieces[..slash].iter().rposition(is_digit)?;
    let over_start = over_end + 1 - pieces[..=over_end].iter().rev().take_while(|p| is_digit(p)).count();
    let whole = &pieces[..over_start];
    let has_whole = whole.iter().any(is_digit);
    let below = &pieces[slash + 1..];
    // The denominator is given in digits, or has places for so many.
    let given: String = below
        .iter()
        .skip_while(|p| matches!(p, Piece::Literal(l) if l == " "))
        .map_while(|piece| match piece {
            Piece::Literal(literal) if literal.chars().all(|c| c.is_ascii_digit()) => Some(literal.clone()),
            Piece::Digit('0') => Some("0".to_string()),
            _ => None,
        })
        .collect();
    let fixed_below = given.parse::<u64>().ok().filter(|below| *below > 0);
    let places = below.iter().filter(|piece| is_digit(piece)).count();
    if fixed_below.is_none() && places == 0 {
        return None;
    }
    let whole_value = if has_whole { value.floor() } else { 0.0 };
    let rest = value - whole_value;
    let (mut over, under) = match fixed_below {
        Some(below) => ((rest * below as f64).round() as u64, below),
        None => nearest_fraction(rest, 10u64.pow(places.min(9) as u32) - 1),
    };
    let mut whole_value = whole_value as u64;
    if has_whole && over == under {
        whole_value += 1;
        over = 0;
    }
    let fillers = |pieces: &[Piece], filler: char| pieces.contains(&Piece::Digit(filler));
    let upper = &pieces[over_start..=over_end];
    let whole_end = whole.iter().rposition(is_digit).map_or(0, |last| last + 1);
    let literals = |pieces: &[Piece]| pieces.iter().map(|piece| written(piece, "")).collect::<String>();
    let spaces = |text: &str| " ".repeat(text.chars().count());
    let middle = literals(&whole[whole_end..]);
    let between = literals(&pieces[over_end + 1..slash]);
    let tail_start = below
        .iter()
        .rposition(|p| is_digit(p) || is_figure(p))
        .map_or(0, |last| last + 1);
    let tail = literals(&below[tail_start..]);
    let under_text = match fixed_below {
        Some(_) => given,
        None => denominator(under, &below[..tail_start]),
    };
    let over_text = whole_digits(&over.to_string(), upper, None);
    if !has_whole {
        return Some(format!("{middle}{over_text}{between}/{under_text}{tail}"));
    }
    let shows_zero = fillers(upper, '0');
    if over == 0 && !shows_zero {
        let digits = if whole_value == 0 {
            "0".to_string()
        } else {
            whole_value.to_string()
        };
        let head = whole_digits(&digits, &whole[..whole_end], None);
        let blank = fillers(upper, '?') || fillers(below, '?');
        let rest = if blank {
            spaces(&format!("{middle}{over_text}{between}/{under_text}"))
        } else {
            String::new()
        };
        return Some(format!("{head}{rest}{tail}"));
    }
    let zero = whole_value == 0;
    let digits = if zero { String::new() } else { whole_value.to_string() };
    let head = whole_digits(&digits, &whole[..whole_end], None);
    let middle = match () {
        _ if !zero || fillers(whole, '0') => middle,
        _ if fillers(whole, '?') || fillers(upper, '?') => spaces(&middle),
        _ => String::new(),
    };
    Some(format!("{head}{middle}{over_text}{between}/{under_text}{tail}"))
}

/// A figure that stands for itself.
fn is_figure(piece: &Piece) -> bool {
    matches!(piece, Piece::Literal(literal) if !literal.is_empty() && literal.bytes().all(|b| b.is_ascii_digit()))
}

/// A denominator stands at the left of its places.
fn denominator(value: u64, places: &[Piece]) -> String {
    let count = places.iter().filter(|piece| matches!(piece, Piece::Digit(_))).count();
    let digits = value.to_string();
    if places.iter().all(|piece| *piece == Piece::Digit('0')) {
        return format!("{digits:0>count$}");
    }
    let mut left = digits.chars();
    let mut text = String::new();
    for piece in places {
        match piece {
            Piece::Digit(filler) => match left.next() {
                Some(digit) => text.push(digit),
                None if *filler == '?' => text.push(' '),
                None => {}
            },
            piece => text.push_str(&written(piece, "")),
        }
    }
    text
}

/// The fraction nearest to a number, with a denominator up to a limit.
fn nearest_fraction(x: f64, limit: u64) -> (u64, u64) {
    let (mut before, mut last) = ((0u64, 1u64), (1u64, 0u64));
    let mut rest = x;
    loop {
        let whole = rest.floor() as u64;
        let next = (
            whole.saturating_mul(last.0) + before.0,
            whole.saturating_mul(last.1) + before.1,
        );
        if next.1 > limit {
            break;
        }
        before = last;
        last = next;
        let part = rest - rest.floor();
        if part < 1e-12 || (x - last.0 as f64 / last.1 as f64).abs() < 1e-14 {
            break;
        }
        rest = 1.0 / part;
    }
    // Between the last and the next there may be one that is nearer.
    if last.1 > 0 {
        let steps = (limit - before.1) / last.1;
        let middle = (before.0 + steps * last.0, before.1 + steps * last.1);
        let off = |(over, under): (u64, u64)| (x - over as f64 / under as f64).abs();
        if middle.1 > 0 && off(middle) < off(last) {
            return middle;
        }
    }
    last
}

fn date(x: f64, section: &Section, locale: &Locale) -> Option<String> {
    if section.pieces.iter().any(|piece| matches!(piece, Piece::Digit(_))) || x >= 2_958_466.0 {
        return None;
    }
    if x < 0.0 {
        // The system of 1904 has times before its beginning.
        return if host::from_1904() {
            Some(format!("-{}", date(-x, section, locale)?))
        } else {
            None
        };
    }
    let parts = section
        .pieces
        .iter()
        .map(|p| if let Piece::Part(count) = p { *count } else { 0 })
        .max()
        .unwrap_or(0);
    let unit = 10f64.powi(parts as i32);
    // Whole parts of seconds, so that nothing is rounded twice.
    let ticks = (x * 86_400.0 * unit).round();
    let seconds = (ticks / unit).floor();
    let part = ticks - seconds * unit;
    let day = (seconds / 86_400.0).floor();
    let in_day = seconds - day * 86_400.0;
    let (hour, minute, second) = ((in_day / 3600.0).floor(), (in_day / 60.0).floor() % 60.0, in_day % 60.0);
    let (year, month, day_of_month) = excel_serial_to_ymd(day as i64)?;
    let week_day = ((day as i64 + if host::from_1904() { 1462 } else { 0 }) + 6).rem_euclid(7) as usize;
    let halves = section.pieces.iter().any(|piece| matches!(piece, Piece::Half(..)));
    let dates = match section.language {
        Language::Named(dates) => dates,
        _ => &locale.dates,
    };
    let month_index = (month as usize).clamp(1, 12) - 1;
    let padded = |value: f64, count: usize| format!("{:0width$}", value as u64, width = count.min(2));
    let goes_on = |letter: char| {
        section
            .pieces
            .iter()
            .any(|p| matches!(p, Piece::Elapsed(l, _) if *l == letter))
    };
    let total = |letter: char| match letter {
        'h' => (seconds / 3600.0).floor(),
        'm' | 'n' => (seconds / 60.0).floor(),
        _ => seconds,
    };
    let mut text = String::new();
    for piece in &section.pieces {
        match piece {
            Piece::Date(letter @ ('h' | 's'), count) if goes_on(*letter) => {
                text.push_str(&padded(total(*letter), *count))
            }
            Piece::Date('n', count) if goes_on('m') => text.push_str(&padded(total('m'), *count)),
            Piece::Date('y', 1 | 2) => text.push_str(&format!("{:02}", year % 100)),
            Piece::Date('y' | 'e', _) => text.push_str(&year.to_string()),
            Piece::Date('b', 1 | 2) => text.push_str(&format!("{:02}", (year + 543) % 100)),
            Piece::Date('b', _) => text.push_str(&(year + 543).to_string()),
            Piece::Date('m', count @ 1..=2) => text.push_str(&padded(month as f64, *count)),
            Piece::Date('m', 3) => text.push_str(dates.months_short.get(month_index)?.trim_end_matches('.')),
            Piece::Date('m', 5) => text.extend(dates.months.get(month_index)?.chars().next()),
            Piece::Date('m', _) => text.push_str(dates.months.get(month_index)?),
            Piece::Date('d', count @ 1..=2) => text.push_str(&padded(day_of_month as f64, *count)),
            Piece::Date('d', 3) => text.push_str(dates.day_names_short.get(week_day)?.trim_end_matches('.')),
            Piece::Date('d', _) => text.push_str(dates.day_names.get(week_day)?),
            Piece::Date('h', count) => {
                let hour = if halves { (hour + 11.0) % 12.0 + 1.0 } else { hour };
                text.push_str(&padded(hour, *count));
            }
            Piece::Date('n', count) => text.push_str(&padded(minute, *count)),
            Piece::Date('s', count) => text.push_str(&padded(second, *count)),
            Piece::Elapsed(letter, count) => {
                text.push_str(&format!("{:0width$}", total(*letter) as u64, width = *count));
            }
            Piece::Half(morning, afternoon) => text.push_str(if hour < 12.0 { morning } else { afternoon }),
            Piece::Part(count) => {
                let shown = (part / 10f64.powi((parts - count) as i32)).floor();
                text.push_str(&locale.numbers.symbols.decimal);
                text.push_str(&format!("{:0width$}", shown as u64, width = *count));
            }
            piece => text.push_str(&written(piece, "")),
        }
    }
    Some(text)
}
