//! Regular expressions, as the functions REGEX… and the lookups take them. They are made once as long as the same one is asked for, and
//! count as steps by their size and by the text that is looked through.
use crate::host;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
use regex as engine;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
use regex_lite as engine;

use engine::{Captures, Regex, RegexBuilder};
use std::cell::RefCell;
use std::rc::Rc;

/// How many bytes of memory an expression may take, and what a state of it takes at least.
const MOST_BYTES: usize = 1 << 20;
const LEAST_BYTES: usize = 1 << 10;
const BYTES_OF_STATE: usize = 64;

pub(crate) struct RegularExpression {
    regex: Regex,
    /// How many operations a character of a text takes at most.
    states: usize,
    /// How many letters it looks at behind what it finds; without a bound where it repeats something.
    reach: usize,
}

thread_local! {
    static LAST: RefCell<Option<(String, Rc<RegularExpression>)>> = const { RefCell::new(None) };
}

impl RegularExpression {
    /// None where a text is none, or one that is too large.
    pub(crate) fn of(text: &str) -> Option<Rc<RegularExpression>> {
        host::plan(text.len());
        let known = LAST.with_borrow(|last| match last {
            Some((known, expression)) if known == text => Some(Rc::clone(expression)),
            _ => None,
        });
        if known.is_some() {
            return known;
        }
        let expression = Rc::new(RegularExpression::new(text)?);
        LAST.set(Some((text.to_string(), Rc::clone(&expression))));
        Some(expression)
    }

    /// Its size is told by the smallest bound that it keeps to.
    fn new(text: &str) -> Option<RegularExpression> {
        let mut bytes = LEAST_BYTES;
        loop {
            if host::plan(bytes / BYTES_OF_STATE + 16 * text.len()) {
                return None;
            }
            match RegexBuilder::new(text).size_limit(bytes).build() {
                Ok(regex) => {
                    let reach = if text.contains(['*', '+', '{']) { usize::MAX } else { text.len() };
                    return Some(RegularExpression { regex, states: bytes / BYTES_OF_STATE, reach });
                }
                Err(_) if bytes < MOST_BYTES => bytes *= 4,
                Err(_) => return None,
            }
        }
    }

    /// Counts a look through what is left of a text. Returns whether it is too much.
    fn is_too_much(&self, letters: usize) -> bool {
        host::plan((letters + 1).saturating_mul(self.states))
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        !self.is_too_much(text.len()) && self.regex.is_match(text)
    }

    pub(crate) fn first_in<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        if self.is_too_much(text.len()) {
            return None;
        }
        self.regex.captures(text)
    }

    /// Where it is found, one place behind the other.
    pub(crate) fn all_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Captures<'t>> + 't {
        self.is_too_much(text.len());
        self.regex.captures_iter(text).take_while(|found| {
            let end = found.get(0).map_or(0, |whole| whole.end());
            !self.is_too_much(self.reach.min(text.len() - end))
        })
    }

    /// A text with each place at which it is found as `replacement` says.
    pub(crate) fn replaced(&self, text: &str, replacement: &str) -> String {
        let mut result = String::new();
        let mut at = 0;
        for found in self.all_in(text) {
            let Some(whole) = found.get(0) else { continue };
            result.push_str(&text[at..whole.start()]);
            found.expand(replacement, &mut result);
            at = whole.end();
            if super::util::is_too_long(&result) {
                return result;
            }
        }
        result.push_str(&text[at..]);
        result
    }
}
