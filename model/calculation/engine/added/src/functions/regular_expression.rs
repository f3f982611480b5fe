//! Regular expressions in the syntax of PCRE, as the functions REGEX… and the lookups take them. They are made once as long as the same
//! one is asked for; what a search does counts as steps.
mod calls;
mod letters;
mod pattern;
mod program;
mod search;

use crate::functions::util::is_too_long;
use crate::host;
use program::Program;
use search::{Search, NOWHERE};
use std::cell::RefCell;
use std::rc::Rc;

/// How many operations it is to read a letter of an expression and to make steps of it.
const MAKING: usize = 64;

pub(crate) struct RegularExpression {
    program: Program,
}

thread_local! {
    static LAST: RefCell<Option<(String, bool, Rc<RegularExpression>)>> = const { RefCell::new(None) };
}

fn text_of(letters: &[char], slots: &[usize], group: usize) -> Option<String> {
    let (start, end) = (*slots.get(2 * group)?, *slots.get(2 * group + 1)?);
    if start == NOWHERE || end == NOWHERE {
        return None;
    }
    letters.get(start..end).map(|part| part.iter().collect())
}

impl RegularExpression {
    /// None where a text is none, or one that is too large. `folded`: capitals and small letters are the same.
    pub(crate) fn of(text: &str, folded: bool) -> Option<Rc<RegularExpression>> {
        host::plan(text.len());
        let known = LAST.with_borrow(|last| match last {
            Some((known, how, expression)) if known == text && *how == folded => Some(Rc::clone(expression)),
            _ => None,
        });
        if known.is_some() {
            return known;
        }
        if host::plan(MAKING * text.len()) {
            return None;
        }
        let program = Program::of(pattern::parse(text, folded)?)?;
        host::plan(MAKING * program.steps.len());
        let expression = Rc::new(RegularExpression { program });
        LAST.set(Some((text.to_string(), folded, Rc::clone(&expression))));
        Some(expression)
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        let letters: Vec<char> = text.chars().collect();
        Search::new(&self.program, &letters).find(0).is_some()
    }

    /// What is found first, and the texts of its groups; none for a group that is not part of it.
    fn first_in(&self, text: &str) -> Option<Vec<Option<String>>> {
        let letters: Vec<char> = text.chars().collect();
        let slots = Search::new(&self.program, &letters).find(0)?;
        Some((0..=self.program.groups).map(|group| text_of(&letters, &slots, group)).collect())
    }

    /// What is found, one behind the other.
    fn all_in(&self, text: &str) -> Vec<String> {
        let letters: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        Search::new(&self.program, &letters).find_all(|slots| {
            found.extend(text_of(&letters, slots, 0));
            true
        });
        found
    }

    /// A text with each place at which it is found, or with one of them, as `replacement` says: the first is 1, the last -1. None where
    /// the replacement names a group that there is not.
    fn replaced(&self, text: &str, replacement: &str, occurrence: i64) -> Option<String> {
        let parts = self.parts_of(replacement)?;
        let letters: Vec<char> = text.chars().collect();
        let mut places: Vec<Vec<usize>> = Vec::new();
        Search::new(&self.program, &letters).find_all(|slots| {
            places.push(slots[..2 * self.program.groups + 2].to_vec());
            // Later ones are not asked for.
            occurrence <= 0 || (places.len() as i64) < occurrence
        });
        let asked = match occurrence {
            0 => 0..places.len(),
            _ => {
                let index = if occurrence > 0 { occurrence - 1 } else { places.len() as i64 + occurrence };
                match usize::try_from(index) {
                    Ok(index) if index < places.len() => index..index + 1,
                    _ => return Some(text.to_string()),
                }
            }
        };
        let mut result = String::new();
        let mut at = 0;
        for slots in &places[asked] {
            result.extend(&letters[at..slots[0]]);
            for part in &parts {
                match part {
                    Ok(text) => result.push_str(text),
                    Err(group) => result.push_str(&text_of(&letters, slots, *group).unwrap_or_default()),
                }
            }
            at = slots[1];
            if is_too_long(&result) {
                return Some(result);
            }
        }
        result.extend(&letters[at..]);
        Some(result)
    }

    /// Texts and groups of a replacement: `$1`, `${1}`, `$name`, `${name}`, and `$$` for the sign.
    fn parts_of(&self, replacement: &str) -> Option<Vec<Result<String, usize>>> {
        let mut parts: Vec<Result<String, usize>> = Vec::new();
        let mut pieces = replacement.split('$');
        parts.push(Ok(pieces.next().unwrap_or_default().to_string()));
        let mut pieces = pieces.peekable();
        while let Some(piece) = pieces.next() {
            if piece.is_empty() {
                // Two signs.
                let behind = pieces.next()?;
                parts.push(Ok(format!("${behind}")));
                continue;
            }
            let (name, rest) = match piece.strip_prefix('{') {
                Some(inner) => inner.split_once('}')?,
                None => {
                    let is_number = piece.starts_with(|letter: char| letter.is_ascii_digit());
                    let belongs = |letter: char| if is_number { letter.is_ascii_digit() } else { letter.is_alphanumeric() || letter == '_' };
                    piece.split_at(piece.find(|letter| !belongs(letter)).unwrap_or(piece.len()))
                }
            };
            let group = match name.parse::<usize>() {
                Ok(group) => Some(group).filter(|group| *group <= self.program.groups),
                Err(_) => self.program.names.iter().find(|(known, _)| known == name).map(|(_, group)| *group),
            };
            parts.push(Err(group?));
            parts.push(Ok(rest.to_string()));
        }
        Some(parts)
    }
}
