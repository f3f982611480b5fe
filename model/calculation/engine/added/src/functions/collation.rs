//! The order of texts: as Excel sorts and compares them, without case, signs before digits before letters, and letters with
//! accents beside those without.
use std::cmp::Ordering;

/// Signs in their order; others come behind these and before the digits.
const SIGNS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
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

/// What a character counts before accents: its class, and its place in that.
fn weights(one: char, into: &mut Vec<(u8, u32)>) {
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
    weights_of(&one).cmp(&weights_of(&other)).then_with(|| one.cmp(&other))
}
