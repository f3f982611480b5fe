//! Places in texts and their lengths as Excel counts them: in units of UTF-16, of which an emoji has two.
//!
//! No text of the engine can hold half a character. What is cut off one is `U+FFFD` instead, so that it still counts as one.

/// How many units a text has.
pub(crate) fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// As many units of a text as there are from a place on, which is counted from 0.
pub(crate) fn part(text: &str, from: usize, count: usize) -> String {
    if text.is_ascii() {
        let from = from.min(text.len());
        return text[from..from.saturating_add(count).min(text.len())].to_string();
    }
    let units: Vec<u16> = text.encode_utf16().skip(from).take(count).collect();
    String::from_utf16_lossy(&units)
}

/// Where in its bytes the first character begins that has no unit before a place; the end of the text where none has.
pub(crate) fn byte_at(text: &str, place: usize) -> usize {
    let mut units = 0;
    for (at, one) in text.char_indices() {
        if units >= place {
            return at;
        }
        units += one.len_utf16();
    }
    text.len()
}

/// How many units the first characters of a text have.
pub(crate) fn units_of(text: &str, characters: usize) -> usize {
    text.chars().take(characters).map(char::len_utf16).sum()
}
