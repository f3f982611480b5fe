//! The order of texts: as Excel sorts and compares them, without case, signs before digits before letters, and letters with
//! accents beside those without. Hyphens and apostrophes count only where texts are alike without them.
use std::cmp::Ordering;

/// Signs in their order; others come behind these and before the digits.
const SIGNS: &str = " _,;:!?.\"()[]{}@*/\\&#%`^+<=>|~$";
/// Capital letters with accents, and what they stand beside.
const ACCENTED: &[(&str, &str)] = &[
    ("ÀÁÂÃÄÅĀĂĄǍ", "A"),
    ("Æ", "AE"),
    ("ÇĆĈĊČ", "C"),
    ("ĎĐÐ", "D"),
    ("ÈÉÊËĒĔĖĘĚ", "E"),
    ("ĜĞĠĢ", "G"),
    ("ĤĦ", "H"),
    ("ÌÍÎÏĨĪĬĮİ", "I"),
    ("Ĵ", "J"),
    ("Ķ", "K"),
    ("ĹĻĽĿŁ", "L"),
    ("ÑŃŅŇ", "N"),
    ("ÒÓÔÕÖØŌŎŐ", "O"),
    ("Œ", "OE"),
    ("ŔŖŘ", "R"),
    ("ŚŜŞŠȘ", "S"),
    ("ẞ", "SS"),
    ("ŢŤŦȚ", "T"),
    ("ÙÚÛÜŨŪŬŮŰŲ", "U"),
    ("Ŵ", "W"),
    ("ÝŶŸ", "Y"),
    ("ŹŻŽ", "Z"),
];

/// Whether a sign is left out of account, unless it alone tells two texts apart: then the one that has it comes last.
fn is_passed_over(one: char) -> bool {
    matches!(one, '-' | '\'')
}

/// What a character counts before accents: its class, and its place in that.
fn weights(one: char, into: &mut Vec<(u8, u32)>) {
    if is_passed_over(one) {
        return;
    }
    if let Some(place) = SIGNS.chars().position(|sign| sign == one) {
        into.push((0, place as u32));
        return;
    }
    if one.is_ascii_digit() {
        into.push((2, one as u32));
        return;
    }
    if !one.is_alphanumeric() {
        into.push((1, one as u32));
        return;
    }
    let found = (!one.is_ascii())
        .then(|| ACCENTED.iter().find(|(letters, _)| letters.contains(one)))
        .flatten();
    match found {
        Some((_, base)) => into.extend(base.chars().map(|letter| (3, letter as u32))),
        None => into.push((3, one as u32)),
    }
}

/// How two texts stand to each other. Those that differ by case alone are equal; by accents alone they are not.
pub(crate) fn compare_texts(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.to_uppercase(), other.to_uppercase());
    if one == other {
        return Ordering::Equal;
    }
    if one.is_ascii() && other.is_ascii() {
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_plain(&one) && is_plain(&other) {
            return one.cmp(&other);
        }
    }
    let weights_of = |text: &str| {
        let mut all = Vec::with_capacity(text.len());
        text.chars().for_each(|letter| weights(letter, &mut all));
        all
    };
    let passed_over = |text: &str| text.chars().filter(|letter| is_passed_over(*letter)).count();
    let plainly = weights_of(&one).cmp(&weights_of(&other));
    plainly.then_with(|| passed_over(&one).cmp(&passed_over(&other))).then_with(|| one.cmp(&other))
}
