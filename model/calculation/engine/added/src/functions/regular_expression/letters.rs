//! Sets of letters.

#[derive(Clone, Debug)]
enum Part {
    Range(char, char),
    /// What a test says of a letter.
    Kind(fn(char) -> bool),
    Others(Letters),
}

#[derive(Clone, Debug)]
pub(super) struct Letters {
    parts: Vec<Part>,
    folded: bool,
    inverted: bool,
}

fn lower(letter: char) -> char {
    let mut small = letter.to_lowercase();
    match (small.next(), small.next()) {
        (Some(one), None) => one,
        _ => letter,
    }
}

fn upper(letter: char) -> char {
    let mut large = letter.to_uppercase();
    match (large.next(), large.next()) {
        (Some(one), None) => one,
        _ => letter,
    }
}

pub(super) fn same_folded(one: char, other: char) -> bool {
    one == other || lower(one) == lower(other)
}

impl Letters {
    pub(super) fn none() -> Letters {
        Letters { parts: Vec::new(), folded: false, inverted: false }
    }

    pub(super) fn any() -> Letters {
        Letters { inverted: true, ..Letters::none() }
    }

    pub(super) fn one(letter: char, folded: bool) -> Letters {
        Letters { parts: vec![Part::Range(letter, letter)], folded, inverted: false }
    }

    fn kind(test: fn(char) -> bool) -> Letters {
        Letters { parts: vec![Part::Kind(test)], ..Letters::none() }
    }

    pub(super) fn others(self) -> Letters {
        Letters { inverted: !self.inverted, ..self }
    }

    pub(super) fn folded(self) -> Letters {
        Letters { folded: true, ..self }
    }

    pub(super) fn add(&mut self, letters: Letters) {
        if letters.inverted || letters.folded {
            self.parts.push(Part::Others(letters.others()));
        } else {
            self.parts.extend(letters.parts);
        }
    }

    pub(super) fn add_range(&mut self, first: char, last: char) {
        self.parts.push(Part::Range(first, last));
    }

    fn has_exactly(&self, letter: char) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Range(first, last) => (*first..=*last).contains(&letter),
            Part::Kind(test) => test(letter),
            Part::Others(letters) => !letters.has(letter),
        })
    }

    pub(super) fn has(&self, letter: char) -> bool {
        let found = self.has_exactly(letter)
            || (self.folded && (self.has_exactly(lower(letter)) || self.has_exactly(upper(letter))));
        found != self.inverted
    }

    /// How many operations it is to ask for one.
    pub(super) fn size(&self) -> usize {
        self.parts.len() * if self.folded { 3 } else { 1 }
    }
}

pub(super) fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_blank(letter: char) -> bool {
    matches!(letter, '\t'..='\r' | ' ')
}

/// `\d`, `\W` and their kin.
pub(super) fn class_of_escape(letter: char) -> Option<Letters> {
    let small = Letters::kind(match letter.to_ascii_lowercase() {
        'd' => |letter| letter.is_ascii_digit(),
        'w' => is_word,
        's' => is_blank,
        'h' => |letter| matches!(letter, '\t' | ' ' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'),
        'v' => |letter| matches!(letter, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}'),
        'n' if letter == 'N' => |letter| letter == '\n',
        _ => return None,
    });
    Some(if letter.is_ascii_uppercase() { small.others() } else { small })
}

/// `[:alpha:]` and its kin.
pub(super) fn class_of_name(name: &str) -> Option<Letters> {
    Some(Letters::kind(match name {
        "alpha" => |letter| letter.is_ascii_alphabetic(),
        "digit" => |letter| letter.is_ascii_digit(),
        "alnum" => |letter| letter.is_ascii_alphanumeric(),
        "upper" => |letter| letter.is_ascii_uppercase(),
        "lower" => |letter| letter.is_ascii_lowercase(),
        "space" => is_blank,
        "blank" => |letter| matches!(letter, ' ' | '\t'),
        "punct" => |letter| letter.is_ascii_punctuation(),
        "xdigit" => |letter| letter.is_ascii_hexdigit(),
        "word" => is_word,
        "cntrl" => |letter| letter.is_ascii_control(),
        "print" => |letter| letter.is_ascii_graphic() || letter == ' ',
        "graph" => |letter| letter.is_ascii_graphic(),
        "ascii" => |letter| letter.is_ascii(),
        _ => return None,
    }))
}

/// `\p{L}` and its kin, of those that the standard library tells apart.
pub(super) fn property(name: &str) -> Option<Letters> {
    Some(Letters::kind(match name {
        "L" | "L&" => char::is_alphabetic,
        "Lu" => char::is_uppercase,
        "Ll" => char::is_lowercase,
        "N" | "Nd" => char::is_numeric,
        "Z" | "Zs" => |letter| letter.is_whitespace() && !letter.is_control(),
        "Xan" => char::is_alphanumeric,
        "Xwd" => |letter| letter.is_alphanumeric() || letter == '_',
        "Any" => |_| true,
        _ => return None,
    }))
}
