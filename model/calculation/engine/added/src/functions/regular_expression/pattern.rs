//! The text of a regular expression as a tree, in the syntax of PCRE, which Excel takes.
use super::letters::{class_of_escape, class_of_name, property, Letters};

#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Letter(Letters),
    Start,
    End,
    /// At the end, or before the line end that a text ends with.
    LastEnd,
    LineStart,
    LineEnd,
    WordEdge(bool),
    Sequence(Vec<Pattern>),
    Choice(Vec<Pattern>),
    Repeat { what: Box<Pattern>, least: u32, most: Option<u32>, greedy: bool },
    Group(usize, Box<Pattern>),
    /// What is found first is kept, whatever comes behind it.
    Atomic(Box<Pattern>),
    Look { what: Box<Pattern>, behind: bool, holds: bool },
    Again { group: usize, folded: bool },
}

#[derive(Clone, Copy, Default)]
struct Flags {
    folded: bool,
    all: bool,
    lines: bool,
    spaced: bool,
}

/// How deep groups may lie in each other.
const DEEPEST: usize = 200;
/// How often something may be repeated by a number, as in PCRE.
const MOST_TIMES: u32 = 65_535;

pub(super) struct Parsed {
    pub(super) pattern: Pattern,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
}

struct Parser<'t> {
    text: &'t [char],
    at: usize,
    flags: Flags,
    groups: usize,
    names: Vec<(String, usize)>,
    depth: usize,
    /// Groups that are meant by name before they are known.
    again: Vec<usize>,
}

/// None where a text is no regular expression, or has something that is not known here.
pub(super) fn parse(text: &str, folded: bool) -> Option<Parsed> {
    let letters: Vec<char> = text.chars().collect();
    let mut parser = Parser {
        text: &letters,
        at: 0,
        flags: Flags { folded, ..Flags::default() },
        groups: 0,
        names: Vec::new(),
        depth: 0,
        again: Vec::new(),
    };
    let pattern = parser.choice()?;
    let is_all = parser.at == letters.len() && parser.again.iter().all(|group| *group <= parser.groups);
    is_all.then_some(Parsed { pattern, groups: parser.groups, names: parser.names })
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let count = wanted.chars().count();
        let found = self.text.get(self.at..self.at + count).is_some_and(|part| part.iter().copied().eq(wanted.chars()));
        self.at += if found { count } else { 0 };
        found
    }

    fn until(&mut self, end: char) -> Option<String> {
        let mut found = String::new();
        loop {
            match self.next()? {
                letter if letter == end => return Some(found),
                letter => found.push(letter),
            }
        }
    }

    fn choice(&mut self) -> Option<Pattern> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut choices = vec![self.sequence()?];
        while self.takes("|") {
            choices.push(self.sequence()?);
        }
        self.depth -= 1;
        Some(if choices.len() == 1 { choices.swap_remove(0) } else { Pattern::Choice(choices) })
    }

    fn sequence(&mut self) -> Option<Pattern> {
        let mut parts = Vec::new();
        loop {
            if self.flags.spaced {
                self.pass_over_spaces();
            }
            match self.peek() {
                None | Some('|' | ')') => return Some(Pattern::Sequence(parts)),
                _ => {}
            }
            if self.takes("\\Q") {
                while !self.takes("\\E") {
                    let Some(letter) = self.next() else { break };
                    parts.push(self.literal(letter));
                }
                continue;
            }
            let Some(part) = self.part()? else { continue };
            parts.push(self.repeated(part)?);
        }
    }

    fn pass_over_spaces(&mut self) {
        while let Some(letter) = self.peek() {
            if letter == '#' {
                while self.peek().is_some_and(|letter| letter != '\n') {
                    self.at += 1;
                }
            } else if letter.is_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn literal(&self, letter: char) -> Pattern {
        Pattern::Letter(Letters::one(letter, self.flags.folded))
    }

    /// None of it for what only sets something.
    fn part(&mut self) -> Option<Option<Pattern>> {
        let pattern = match self.next()? {
            '(' => return self.group(),
            '[' => Pattern::Letter(self.set()?),
            '.' => Pattern::Letter(if self.flags.all { Letters::any() } else { Letters::one('\n', false).others() }),
            '^' => if self.flags.lines { Pattern::LineStart } else { Pattern::Start },
            '$' => if self.flags.lines { Pattern::LineEnd } else { Pattern::LastEnd },
            '\\' => self.escaped()?,
            '*' | '+' | '?' => return None,
            letter => self.literal(letter),
        };
        Some(Some(pattern))
    }

    fn repeated(&mut self, what: Pattern) -> Option<Pattern> {
        let mut pattern = what;
        loop {
            if self.flags.spaced {
                self.pass_over_spaces();
            }
            let before = self.at;
            let (least, most) = match self.next() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => match self.times() {
                    Some(times) => times,
                    None => {
                        self.at = before;
                        return Some(pattern);
                    }
                },
                Some(_) => {
                    self.at = before;
                    return Some(pattern);
                }
                None => return Some(pattern),
            };
            if most.is_some_and(|most| most < least) || least > MOST_TIMES || most.is_some_and(|most| most > MOST_TIMES) {
                return None;
            }
            let greedy = !self.takes("?");
            let keeps = greedy && self.takes("+");
            pattern = Pattern::Repeat { what: Box::new(pattern), least, most, greedy };
            if keeps {
                pattern = Pattern::Atomic(Box::new(pattern));
            }
            if matches!(self.peek(), Some('*' | '+' | '?')) {
                return None;
            }
        }
    }

    /// What stands behind an opening brace, if it says how often something comes.
    fn times(&mut self) -> Option<(u32, Option<u32>)> {
        let inner = self.until('}')?;
        let number = |text: &str| -> Option<u32> {
            if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            Some(text.parse().unwrap_or(u32::MAX))
        };
        match inner.split_once(',') {
            None => number(&inner).map(|times| (times, Some(times))),
            Some((least, "")) => Some((number(least)?, None)),
            Some(("", most)) => Some((0, Some(number(most)?))),
            Some((least, most)) => Some((number(least)?, Some(number(most)?))),
        }
    }

    fn group(&mut self) -> Option<Option<Pattern>> {
        let flags = self.flags;
        let pattern = if !self.takes("?") {
            self.numbered(None)?
        } else if self.takes(":") {
            self.choice()?
        } else if self.takes("|") {
            return None;
        } else if self.takes(">") {
            Pattern::Atomic(Box::new(self.choice()?))
        } else if self.takes("#") {
            self.until(')')?;
            return Some(None);
        } else if self.takes("P=") {
            let name = self.until(')')?;
            return Some(Some(self.again_by_name(&name)?));
        } else if let Some((behind, holds)) = self.look() {
            Pattern::Look { what: Box::new(self.choice()?), behind, holds }
        } else if self.takes("P<") || self.takes("<") {
            let name = self.until('>')?;
            self.numbered(Some(name))?
        } else if self.takes("'") {
            let name = self.until('\'')?;
            self.numbered(Some(name))?
        } else {
            if self.set_flags()? {
                // To the end of the group around it.
                return Some(None);
            }
            self.choice()?
        };
        self.flags = flags;
        self.takes(")").then_some(Some(pattern))
    }

    fn look(&mut self) -> Option<(bool, bool)> {
        [("=", false, true), ("!", false, false), ("<=", true, true), ("<!", true, false)]
            .into_iter()
            .find(|(sign, _, _)| self.takes(sign))
            .map(|(_, behind, holds)| (behind, holds))
    }

    fn numbered(&mut self, name: Option<String>) -> Option<Pattern> {
        self.groups += 1;
        let number = self.groups;
        if let Some(name) = name {
            let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
                && !name.is_empty()
                && !name.starts_with(|letter: char| letter.is_ascii_digit())
                && self.names.iter().all(|(other, _)| *other != name);
            if !is_name {
                return None;
            }
            self.names.push((name, number));
        }
        Some(Pattern::Group(number, Box::new(self.choice()?)))
    }

    /// Whether the flags are for what follows, and not for a group.
    fn set_flags(&mut self) -> Option<bool> {
        let mut on = true;
        loop {
            match self.next()? {
                '-' => on = false,
                'i' => self.flags.folded = on,
                's' => self.flags.all = on,
                'm' => self.flags.lines = on,
                'x' => self.flags.spaced = on,
                ')' => return Some(true),
                ':' => return Some(false),
                _ => return None,
            }
        }
    }

    fn again_by_name(&mut self, name: &str) -> Option<Pattern> {
        let (_, group) = self.names.iter().find(|(known, _)| known == name)?;
        Some(Pattern::Again { group: *group, folded: self.flags.folded })
    }

    fn again_by_number(&mut self, group: usize) -> Pattern {
        self.again.push(group);
        Pattern::Again { group, folded: self.flags.folded }
    }

    fn escaped(&mut self) -> Option<Pattern> {
        let letter = self.next()?;
        if let Some(letters) = class_of_escape(letter) {
            return Some(Pattern::Letter(letters));
        }
        Some(match letter {
            'b' => Pattern::WordEdge(true),
            'B' => Pattern::WordEdge(false),
            'A' => Pattern::Start,
            'Z' => Pattern::LastEnd,
            'z' => Pattern::End,
            'R' => Pattern::Choice(vec![
                Pattern::Sequence(vec![self.plain('\r'), self.plain('\n')]),
                Pattern::Letter(class_of_escape('v')?),
            ]),
            'p' | 'P' => Pattern::Letter(self.property(letter == 'P')?),
            'k' => {
                let end = match self.next()? {
                    '<' => '>',
                    '{' => '}',
                    '\'' => '\'',
                    _ => return None,
                };
                let name = self.until(end)?;
                self.again_by_name(&name)?
            }
            'g' => {
                let number = if self.takes("{") { self.until('}')? } else { self.next()?.to_string() };
                match number.strip_prefix('-') {
                    Some(back) => {
                        let back: usize = back.parse().ok()?;
                        let group = (self.groups + 1).checked_sub(back)?;
                        self.again_by_number(group)
                    }
                    None => match number.parse() {
                        Ok(group) => self.again_by_number(group),
                        Err(_) => self.again_by_name(&number)?,
                    },
                }
            }
            '1'..='9' => {
                let mut group = letter.to_digit(10)? as usize;
                while let Some(digit) = self.peek().and_then(|letter| letter.to_digit(10)) {
                    if group > 9 {
                        break;
                    }
                    group = group * 10 + digit as usize;
                    self.at += 1;
                }
                self.again_by_number(group)
            }
            other => {
                let letter = self.letter_of_escape(other)?;
                self.literal(letter)
            }
        })
    }

    fn plain(&self, letter: char) -> Pattern {
        Pattern::Letter(Letters::one(letter, false))
    }

    fn property(&mut self, others: bool) -> Option<Letters> {
        let name = if self.takes("{") { self.until('}')? } else { self.next()?.to_string() };
        let (name, inverted) = name.strip_prefix('^').map_or((name.as_str(), others), |rest| (rest, !others));
        let letters = property(name)?;
        Some(if inverted { letters.others() } else { letters })
    }

    /// The letter that an escape sequence stands for.
    fn letter_of_escape(&mut self, letter: char) -> Option<char> {
        Some(match letter {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'e' => '\u{1b}',
            'a' => '\u{7}',
            '0' => '\0',
            'x' => {
                let digits = if self.takes("{") {
                    self.until('}')?
                } else {
                    let mut digits = String::new();
                    while digits.len() < 2 && self.peek().is_some_and(|letter| letter.is_ascii_hexdigit()) {
                        digits.extend(self.next());
                    }
                    digits
                };
                let code = if digits.is_empty() { 0 } else { u32::from_str_radix(&digits, 16).ok()? };
                char::from_u32(code)?
            }
            other if other.is_ascii_alphanumeric() => return None,
            other => other,
        })
    }

    fn set(&mut self) -> Option<Letters> {
        let inverted = self.takes("^");
        let mut set = Letters::none();
        let mut is_first = true;
        loop {
            let letter = self.next()?;
            if letter == ']' && !is_first {
                break;
            }
            is_first = false;
            if letter == '[' && self.peek() == Some(':') {
                let before = self.at;
                self.at += 1;
                if let Some(name) = self.until(':').filter(|_| self.takes("]")) {
                    let (name, others) = name.strip_prefix('^').map_or((name.as_str(), false), |rest| (rest, true));
                    let named = class_of_name(name)?;
                    set.add(if others { named.others() } else { named });
                    continue;
                }
                self.at = before;
            }
            let first = match letter {
                '\\' => match self.escaped_in_set()? {
                    Ok(letter) => letter,
                    Err(letters) => {
                        set.add(letters);
                        continue;
                    }
                },
                letter => letter,
            };
            let is_range = self.peek() == Some('-') && self.text.get(self.at + 1).is_some_and(|next| *next != ']');
            if !is_range {
                set.add_range(first, first);
                continue;
            }
            self.at += 1;
            let last = match self.next()? {
                '\\' => match self.escaped_in_set()? {
                    Ok(letter) => letter,
                    Err(letters) => {
                        set.add_range(first, first);
                        set.add_range('-', '-');
                        set.add(letters);
                        continue;
                    }
                },
                letter => letter,
            };
            if last < first {
                return None;
            }
            set.add_range(first, last);
        }
        let set = if self.flags.folded { set.folded() } else { set };
        Some(if inverted { set.others() } else { set })
    }

    /// A letter, or several that it may be.
    fn escaped_in_set(&mut self) -> Option<Result<char, Letters>> {
        let letter = self.next()?;
        if letter == 'b' {
            return Some(Ok('\u{8}'));
        }
        if letter == 'p' || letter == 'P' {
            return Some(Err(self.property(letter == 'P')?));
        }
        match class_of_escape(letter) {
            Some(letters) => Some(Err(letters)),
            None => self.letter_of_escape(letter).map(Ok),
        }
    }
}
