//! Texts with `*` and `?`, as SEARCH, lookups and criteria look for them. Each part between two stars is looked for where the one before
//! it ends, so nothing is tried twice; what is compared counts as steps.
use crate::host;

/// How many operations it is to make a letter ready to be compared.
const FOLDED: usize = 4;

/// Of each character one, so that places stay what they are.
fn folded(one: char) -> char {
    if one.is_ascii() {
        one.to_ascii_lowercase()
    } else {
        one.to_lowercase().next().unwrap_or(one)
    }
}

fn folded_text(text: &str) -> Vec<char> {
    text.chars().map(folded).collect()
}

/// A character of a pattern; None stands for any.
type Sign = Option<char>;

/// A pattern without regard to case: `?` is one character, `*` any number of them, and `~` says that what is behind it is meant itself.
pub(crate) struct Wildcards {
    /// What stands between stars.
    parts: Vec<Vec<Sign>>,
}

impl Wildcards {
    pub(crate) fn new(pattern: &str) -> Self {
        let mut parts = vec![Vec::new()];
        let mut signs = pattern.chars();
        while let Some(sign) = signs.next() {
            let sign = match sign {
                '*' => {
                    parts.push(Vec::new());
                    continue;
                }
                '?' => None,
                '~' => match signs.next() {
                    Some(one) => Some(folded(one)),
                    None => continue,
                },
                one => Some(folded(one)),
            };
            if let Some(part) = parts.last_mut() {
                part.push(sign);
            }
        }
        host::plan(pattern.len());
        Wildcards { parts }
    }

    /// Whether it is the pattern of a text as a whole.
    pub(crate) fn is_like(&self, text: &str) -> bool {
        if host::plan(FOLDED * text.len()) {
            return false;
        }
        let text = folded_text(text);
        let mut compared = Compared(0);
        match &self.parts[..] {
            [] => text.is_empty(),
            [only] => only.len() == text.len() && compared.begins(only, &text),
            [first, between @ .., last] => {
                if first.len() + last.len() > text.len() || !compared.begins(first, &text) {
                    return false;
                }
                let end = text.len() - last.len();
                compared.begins(last, &text[end..]) && compared.ends_of(between, &text[..end], first.len()).is_some()
            }
        }
    }

    /// The first place, in characters and from a place on, at which a text is like it.
    pub(crate) fn find(&self, text: &str, from: usize) -> Option<usize> {
        if host::plan(FOLDED * text.len()) {
            return None;
        }
        let text = folded_text(text);
        let mut compared = Compared(0);
        let (first, others) = self.parts.split_first()?;
        let found = compared.first_place(first, &text, from)?;
        // Where the rest is not behind the first place it is behind no later one.
        compared.ends_of(others, &text, found + first.len()).map(|_| found)
    }
}

/// How many characters were compared, which counts when it is done.
struct Compared(usize);

impl Drop for Compared {
    fn drop(&mut self) {
        host::plan(self.0);
    }
}

impl Compared {
    fn begins(&mut self, part: &[Sign], text: &[char]) -> bool {
        let alike = part.iter().zip(text).take_while(|(sign, one)| sign.is_none_or(|sign| sign == **one)).count();
        self.0 += alike + 1;
        alike == part.len()
    }

    fn first_place(&mut self, part: &[Sign], text: &[char], from: usize) -> Option<usize> {
        let last = text.len().checked_sub(part.len())?;
        (from..=last).find(|at| self.begins(part, &text[*at..]))
    }

    /// Where the last of these parts ends, each of them behind the one before; none where one is missing.
    fn ends_of(&mut self, parts: &[Vec<Sign>], text: &[char], from: usize) -> Option<usize> {
        parts.iter().try_fold(from, |at, part| Some(self.first_place(part, text, at)? + part.len()))
    }
}
