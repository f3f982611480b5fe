//! A regular expression as steps that a search takes.
use super::letters::Letters;
use super::pattern::{Parsed, Pattern};

/// How many steps an expression may have.
const MOST_STEPS: usize = 5_000;
/// How far a look behind may reach, as in PCRE.
const FARTHEST_BEHIND: usize = 255;

#[derive(Clone, Copy, Debug)]
pub(super) enum Edge {
    Start,
    End,
    LastEnd,
    LineStart,
    LineEnd,
    Word(bool),
}

#[derive(Debug)]
pub(super) enum Step {
    Letter(Letters),
    /// Goes on at the first place, and at the second where that leads to nothing. They are numbered.
    Split { first: usize, second: usize, number: usize },
    Jump(usize),
    Save(usize),
    /// Goes on again from a place, but where the text has not moved on since the slot was saved.
    Again { slot: usize, from: usize },
    At(Edge),
    SameAs { group: usize, folded: bool },
    /// What follows as far as `Done` is searched for itself; then it goes on at `end`.
    Atomic { end: usize },
    Look { end: usize, holds: bool, behind: Option<(usize, usize)> },
    Done,
}

pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) slots: usize,
    pub(super) splits: usize,
    /// Whether what it finds depends on what it has found.
    pub(super) has_same: bool,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
}

/// The fewest letters and the most; without an end where there is none.
fn widths(pattern: &Pattern) -> (usize, Option<usize>) {
    match pattern {
        Pattern::Letter(_) => (1, Some(1)),
        Pattern::Sequence(parts) => parts.iter().map(widths).fold((0, Some(0)), |(least, most), (l, m)| {
            (usize::saturating_add(least, l), most.zip(m).map(|(a, b)| usize::saturating_add(a, b)))
        }),
        Pattern::Choice(choices) => {
            let all = choices.iter().map(widths);
            all.reduce(|(least, most), (l, m)| (least.min(l), most.zip(m).map(|(a, b)| a.max(b)))).unwrap_or((0, Some(0)))
        }
        Pattern::Repeat { what, least, most, .. } => {
            let (l, m) = widths(what);
            let most = most.zip(m).map(|(times, width)| width.saturating_mul(times as usize));
            (l.saturating_mul(*least as usize), if m == Some(0) { Some(0) } else { most })
        }
        Pattern::Group(_, inner) | Pattern::Atomic(inner) => widths(inner),
        Pattern::Again { .. } => (0, None),
        _ => (0, Some(0)),
    }
}

impl Program {
    pub(super) fn of(parsed: Parsed) -> Option<Program> {
        let mut program = Program {
            steps: Vec::new(),
            slots: 2 * parsed.groups + 2,
            splits: 0,
            has_same: false,
            groups: parsed.groups,
            names: parsed.names,
        };
        program.add(&parsed.pattern)?;
        program.push(Step::Done)?;
        Some(program)
    }

    fn push(&mut self, step: Step) -> Option<usize> {
        self.steps.push(step);
        (self.steps.len() <= MOST_STEPS).then_some(self.steps.len() - 1)
    }

    fn split(&mut self) -> Option<usize> {
        self.splits += 1;
        self.push(Step::Split { first: 0, second: 0, number: self.splits - 1 })
    }

    /// Sets where a split goes: into what follows it, and behind it.
    fn set_split(&mut self, at: usize, inside: usize, behind: usize, greedy: bool) {
        if let Step::Split { first, second, .. } = &mut self.steps[at] {
            (*first, *second) = if greedy { (inside, behind) } else { (behind, inside) };
        }
    }

    fn add(&mut self, pattern: &Pattern) -> Option<()> {
        match pattern {
            Pattern::Letter(letters) => {
                self.push(Step::Letter(letters.clone()))?;
            }
            Pattern::Start => self.edge(Edge::Start)?,
            Pattern::End => self.edge(Edge::End)?,
            Pattern::LastEnd => self.edge(Edge::LastEnd)?,
            Pattern::LineStart => self.edge(Edge::LineStart)?,
            Pattern::LineEnd => self.edge(Edge::LineEnd)?,
            Pattern::WordEdge(is_edge) => self.edge(Edge::Word(*is_edge))?,
            Pattern::Sequence(parts) => {
                for part in parts {
                    self.add(part)?;
                }
            }
            Pattern::Choice(choices) => self.add_choice(choices)?,
            Pattern::Repeat { what, least, most, greedy } => self.add_repeat(what, *least, *most, *greedy)?,
            Pattern::Group(number, inner) => {
                self.push(Step::Save(2 * number))?;
                self.add(inner)?;
                self.push(Step::Save(2 * number + 1))?;
            }
            Pattern::Atomic(inner) => {
                let at = self.push(Step::Atomic { end: 0 })?;
                self.add_inner(inner)?;
                self.steps[at] = Step::Atomic { end: self.steps.len() };
            }
            Pattern::Look { what, behind, holds } => {
                let behind = match (behind, widths(what)) {
                    (false, _) => None,
                    (true, (least, Some(most))) if most <= FARTHEST_BEHIND => Some((least, most)),
                    _ => return None,
                };
                let at = self.push(Step::Done)?;
                self.add_inner(what)?;
                self.steps[at] = Step::Look { end: self.steps.len(), holds: *holds, behind };
            }
            Pattern::Again { group, folded } => {
                self.has_same = true;
                self.push(Step::SameAs { group: *group, folded: *folded })?;
            }
        }
        Some(())
    }

    fn edge(&mut self, edge: Edge) -> Option<()> {
        self.push(Step::At(edge)).map(|_| ())
    }

    fn add_inner(&mut self, inner: &Pattern) -> Option<()> {
        self.add(inner)?;
        self.push(Step::Done).map(|_| ())
    }

    fn add_choice(&mut self, choices: &[Pattern]) -> Option<()> {
        let mut jumps = Vec::new();
        for (index, choice) in choices.iter().enumerate() {
            if index + 1 == choices.len() {
                self.add(choice)?;
                break;
            }
            let split = self.split()?;
            self.add(choice)?;
            jumps.push(self.push(Step::Jump(0))?);
            self.set_split(split, split + 1, self.steps.len(), true);
        }
        for jump in jumps {
            self.steps[jump] = Step::Jump(self.steps.len());
        }
        Some(())
    }

    fn add_repeat(&mut self, what: &Pattern, least: u32, most: Option<u32>, greedy: bool) -> Option<()> {
        for _ in 0..least {
            self.add(what)?;
            if matches!(widths(what), (_, Some(0))) {
                break;
            }
        }
        let Some(most) = most else {
            let split = self.split()?;
            if widths(what).0 == 0 {
                let slot = self.slots;
                self.slots += 1;
                self.push(Step::Save(slot))?;
                self.add(what)?;
                self.push(Step::Again { slot, from: split })?;
            } else {
                self.add(what)?;
                self.push(Step::Jump(split))?;
            }
            self.set_split(split, split + 1, self.steps.len(), greedy);
            return Some(());
        };
        let mut splits = Vec::new();
        for _ in least..most {
            splits.push(self.split()?);
            self.add(what)?;
        }
        for split in splits {
            self.set_split(split, split + 1, self.steps.len(), greedy);
        }
        Some(())
    }
}
