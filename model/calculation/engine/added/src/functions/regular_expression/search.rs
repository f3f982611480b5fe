//! A search with a regular expression, as PCRE does it: the first way that leads to an end counts. A way that has led to nothing from a
//! place of the text is not gone again, so a search takes no longer than its steps times the letters of the text; only an expression
//! that asks for the same text again may go back and forth, and all of it is counted.
use super::letters::{is_word, same_folded};
use super::program::{Edge, Program, Step};
use crate::host;

pub(super) const NOWHERE: usize = usize::MAX;
/// How many steps are taken before they are counted.
const COUNTED: usize = 1 << 12;
/// How many operations a step is.
const OPERATIONS: usize = 8;
/// How many ways may be left to be tried.
const MOST_FRAMES: usize = 2_000_000;

enum Frame {
    Try(usize, usize),
    Restore(usize, usize),
    RestoreAll(Vec<usize>),
    Failed(usize),
}

/// How a part of an expression is to be found.
#[derive(Clone, Copy)]
struct Asked {
    /// Whether ways that led to nothing are known.
    remembers: bool,
    ends_at: Option<usize>,
    /// Where it must not end.
    not_at: Option<usize>,
}

pub(super) struct Search<'p> {
    program: &'p Program,
    text: &'p [char],
    /// A bit for each split at each place from which nothing is found.
    failed: Vec<u64>,
    uncounted: usize,
    is_too_much: bool,
}

impl<'p> Search<'p> {
    pub(super) fn new(program: &'p Program, text: &'p [char]) -> Search<'p> {
        host::plan(text.len());
        Search { program, text, failed: Vec::new(), uncounted: 0, is_too_much: false }
    }

    /// What is found first from a place on: the places of the whole and of all groups, in pairs.
    pub(super) fn find(&mut self, from: usize) -> Option<Vec<usize>> {
        (from..=self.text.len()).find_map(|at| if self.is_too_much { None } else { self.find_at(at, None) })
    }

    fn find_at(&mut self, at: usize, not_at: Option<usize>) -> Option<Vec<usize>> {
        let mut slots = vec![NOWHERE; self.program.slots];
        let asked = Asked { remembers: !self.program.has_same, ends_at: None, not_at };
        let end = self.run(0, at, &mut slots, asked);
        slots[0] = at;
        slots[1] = end?;
        self.forget_at(slots[1]);
        Some(slots)
    }

    /// What is found, one place behind the other; at a place where nothing was found that has letters, something may that has.
    pub(super) fn find_all(&mut self, mut each: impl FnMut(&[usize]) -> bool) {
        let mut from = 0;
        while let Some(found) = self.find(from) {
            let (start, end) = (found[0], found[1]);
            if !each(&found) {
                return;
            }
            from = end;
            if start < end {
                continue;
            }
            match self.find_at(end, Some(end)) {
                Some(found) => {
                    if !each(&found) {
                        return;
                    }
                    from = found[1];
                }
                None => from = end + 1,
            }
            if from > self.text.len() || self.is_too_much {
                return;
            }
        }
    }

    /// What led to nothing where something ended may lead to something when it begins there.
    fn forget_at(&mut self, at: usize) {
        let splits = self.program.splits;
        for bit in at.saturating_mul(splits)..(at + 1).saturating_mul(splits) {
            if let Some(word) = self.failed.get_mut(bit / 64) {
                *word &= !(1 << (bit % 64));
            }
        }
        self.count(splits);
    }

    fn has_failed(&self, bit: usize) -> bool {
        self.failed.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    fn set_failed(&mut self, bit: usize) {
        if bit / 64 >= self.failed.len() {
            self.failed.resize(bit / 64 + 1, 0);
        }
        self.failed[bit / 64] |= 1 << (bit % 64);
    }

    /// Counts steps. Returns whether they are too many.
    fn count(&mut self, steps: usize) -> bool {
        self.uncounted += steps;
        if self.uncounted >= COUNTED {
            self.is_too_much = host::plan(OPERATIONS * self.uncounted) || self.is_too_much;
            self.uncounted = 0;
        }
        self.is_too_much
    }

    fn run(&mut self, from: usize, at: usize, slots: &mut Vec<usize>, asked: Asked) -> Option<usize> {
        let mut frames: Vec<Frame> = Vec::new();
        let (mut step, mut at) = (from, at);
        let program = self.program;
        loop {
            let goes_on = match &program.steps[step] {
                Step::Letter(letters) => {
                    self.count(letters.size());
                    let found = self.text.get(at).is_some_and(|letter| letters.has(*letter));
                    at += 1;
                    found
                }
                Step::Split { first, second, number } => {
                    let bit = at * program.splits + number;
                    if asked.remembers && self.has_failed(bit) {
                        false
                    } else {
                        if asked.remembers {
                            frames.push(Frame::Failed(bit));
                        }
                        frames.push(Frame::Try(*second, at));
                        step = *first;
                        if !self.count(1) && frames.len() < MOST_FRAMES {
                            continue;
                        }
                        false
                    }
                }
                Step::Jump(to) => {
                    step = *to;
                    continue;
                }
                Step::Save(slot) => {
                    frames.push(Frame::Restore(*slot, slots[*slot]));
                    slots[*slot] = at;
                    true
                }
                Step::Again { slot, from } => {
                    if slots[*slot] != at {
                        step = *from;
                        continue;
                    }
                    true
                }
                Step::At(edge) => self.is_at(*edge, at),
                Step::SameAs { group, folded } => match self.length_of_same((slots[2 * group], slots[2 * group + 1]), at, *folded) {
                    Some(length) => {
                        at += length;
                        true
                    }
                    None => false,
                },
                Step::Atomic { end } => {
                    let before = slots.clone();
                    let inner = Asked { ends_at: None, not_at: None, ..asked };
                    match self.run(step + 1, at, slots, inner) {
                        Some(place) => {
                            frames.push(Frame::RestoreAll(before));
                            at = place;
                            step = *end;
                            continue;
                        }
                        None => false,
                    }
                }
                Step::Look { end, holds, behind } => {
                    let before = slots.clone();
                    let found = self.looks(step + 1, at, *behind, slots, asked);
                    if found {
                        frames.push(Frame::RestoreAll(before));
                    }
                    if found == *holds {
                        step = *end;
                        continue;
                    }
                    false
                }
                Step::Done => {
                    if asked.ends_at.is_none_or(|end| end == at) && asked.not_at != Some(at) {
                        return Some(at);
                    }
                    false
                }
            };
            self.count(1);
            if frames.len() >= MOST_FRAMES {
                self.is_too_much = host::plan(usize::MAX) || self.is_too_much;
            }
            if self.is_too_much {
                return None;
            }
            if goes_on {
                step += 1;
                continue;
            }
            loop {
                match frames.pop()? {
                    Frame::Try(next, place) => {
                        (step, at) = (next, place);
                        break;
                    }
                    Frame::Restore(slot, place) => slots[slot] = place,
                    Frame::RestoreAll(before) => *slots = before,
                    Frame::Failed(bit) => self.set_failed(bit),
                }
            }
        }
    }

    fn looks(
        &mut self,
        step: usize,
        at: usize,
        behind: Option<(usize, usize)>,
        slots: &mut Vec<usize>,
        asked: Asked,
    ) -> bool {
        let Some((least, most)) = behind else {
            return self.run(step, at, slots, Asked { ends_at: None, not_at: None, ..asked }).is_some();
        };
        let inner = Asked { remembers: false, ends_at: Some(at), not_at: None };
        (least..=most.min(at)).any(|width| self.run(step, at - width, slots, inner).is_some())
    }

    /// How long the text of a group is, if it stands at a place as well; no text is the same as that of a group that was not found.
    fn length_of_same(&mut self, (start, end): (usize, usize), at: usize, folded: bool) -> Option<usize> {
        if start == NOWHERE || end == NOWHERE || end < start {
            return None;
        }
        let group = self.text.get(start..end)?;
        self.count(group.len());
        let other = self.text.get(at..at + group.len())?;
        let is_same = |(one, other): (&char, &char)| if folded { same_folded(*one, *other) } else { one == other };
        group.iter().zip(other).all(is_same).then_some(group.len())
    }

    fn is_at(&self, edge: Edge, at: usize) -> bool {
        let before = at.checked_sub(1).map(|place| self.text[place]);
        let next = self.text.get(at).copied();
        match edge {
            Edge::Start => at == 0,
            Edge::End => next.is_none(),
            Edge::LastEnd => next.is_none() || (next == Some('\n') && at + 1 == self.text.len()),
            Edge::LineStart => before.is_none() || (before == Some('\n') && next.is_some()),
            Edge::LineEnd => next.is_none() || next == Some('\n'),
            Edge::Word(is_edge) => (before.is_some_and(is_word) != next.is_some_and(is_word)) == is_edge,
        }
    }
}
