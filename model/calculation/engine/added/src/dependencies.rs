//! Which formulas read which cells, so that after a change only those run whose value may have become another one.
use crate::areas::{Area, AreaIndex};
use crate::evaluation::{CellKey, KeyBuild};
use crate::expressions::parser::Node;
use crate::expressions::types::CellReferenceIndex;
use crate::model::{Model, ParsedDefinedName};
use crate::moved_rows::MovedRows;
use crate::precedents::{Precedents, Reads};
use crate::types::{ArrayKind, Cell, FormulaValue};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

type Cells = HashSet<CellKey, KeyBuild>;

/// Formulas by the cells that they read. What a formula read before its cell got another one stays until so much of it has come
/// together that everything is made anew: such a formula runs once too often, which changes no value.
#[derive(Default)]
struct Readers {
    of_cell: HashMap<CellKey, Vec<CellKey>, KeyBuild>,
    areas: AreaIndex,
    of_area: Vec<Vec<CellKey>>,
    /// How many references there are, and how many of them are outdated.
    count: usize,
    outdated: usize,
}

impl Readers {
    fn add(&mut self, area: Area, reader: CellKey) {
        self.count += 1;
        if area.row1 == area.row2 && area.column1 == area.column2 {
            let cell = (area.sheet, area.row1, area.column1);
            self.of_cell.entry(cell).or_default().push(reader);
            return;
        }
        let number = self.areas.number_of(area);
        if number == self.of_area.len() {
            self.of_area.push(Vec::new());
        }
        self.of_area[number].push(reader);
    }
}

/// What is known of the formulas of a workbook, and what has changed since they ran.
pub(crate) struct Dependencies {
    readers: Readers,
    /// What formulas read, as seen from their own cell: by sheet and number of the formula.
    reads: HashMap<(u32, i32), Rc<Reads>, KeyBuild>,
    /// The number of each cell's formula, and how many references it has.
    formulas: HashMap<CellKey, (i32, usize), KeyBuild>,
    /// Formulas that run each time: of time and chance, and those of which nobody can tell what they read.
    volatile: Cells,
    /// Formulas to which it matters which rows are hidden.
    of_hidden_rows: Cells,
    /// Formulas whose results may fill more than their own cell.
    arrays: Cells,
    /// Those of them whose results may spill.
    pub(crate) anchors: BTreeSet<CellKey>,
    pub(crate) anchors_changed: bool,
    changed: Cells,
    rows_hidden: bool,
    /// Nothing is known yet.
    new: bool,
}

impl Default for Dependencies {
    fn default() -> Self {
        Dependencies {
            readers: Readers::default(),
            reads: HashMap::default(),
            formulas: HashMap::default(),
            volatile: Cells::default(),
            of_hidden_rows: Cells::default(),
            arrays: Cells::default(),
            anchors: BTreeSet::new(),
            anchors_changed: true,
            changed: Cells::default(),
            rows_hidden: false,
            new: true,
        }
    }
}

impl Dependencies {
    /// What stays of what was known when rows have moved; which formula reads what is to be noted anew.
    pub(crate) fn moved(before: Dependencies, moved: &MovedRows) -> Dependencies {
        Dependencies {
            reads: before.reads,
            changed: before.changed.into_iter().filter_map(|cell| moved.cell(cell)).collect(),
            rows_hidden: before.rows_hidden,
            new: before.new,
            ..Dependencies::default()
        }
    }
}

/// Which formulas run.
#[derive(Clone, Default)]
pub(crate) struct Due {
    pub(crate) formulas: Cells,
    /// Areas of which every reader is among them.
    areas: HashSet<usize, KeyBuild>,
}

impl<'a> Model<'a> {
    /// Says that a cell has other content than when the workbook was evaluated.
    pub fn cell_changed(&mut self, cell: CellKey) {
        if !self.dependencies.new {
            self.dependencies.changed.insert(cell);
        }
    }

    /// Says that rows were hidden or shown.
    pub fn hidden_rows_changed(&mut self) {
        self.dependencies.rows_hidden = true;
    }

    /// Cells whose content changed since this was asked last; `None` where it may be any.
    pub(crate) fn take_due(&mut self) -> (Due, Option<Vec<CellKey>>) {
        let mut due = Due::default();
        if self.dependencies.new || self.dependencies.readers.outdated > self.references_before_renewal() {
            self.dependencies = Dependencies::default();
            self.dependencies.new = false;
            due.formulas.extend(self.know_all());
            return (due, None);
        }
        let changed: Vec<CellKey> = std::mem::take(&mut self.dependencies.changed).into_iter().collect();
        for cell in &changed {
            self.know(*cell);
        }
        let mut waiting: Vec<CellKey> = self.dependencies.volatile.iter().copied().collect();
        if std::mem::take(&mut self.dependencies.rows_hidden) {
            waiting.extend(&self.dependencies.of_hidden_rows);
        }
        // What an array could not spill onto may have gone.
        waiting.extend(self.dependencies.anchors.iter().filter(|anchor| self.is_blocked(**anchor)));
        waiting.extend(changed.iter().filter(|cell| self.dependencies.formulas.contains_key(*cell)));
        for formula in waiting {
            self.add_due(formula, &mut due);
        }
        self.add_readers(changed.iter().copied(), &mut due);
        (due, Some(changed))
    }

    /// Makes everything due that reads one of these cells, and what reads that, and so on.
    pub(crate) fn add_readers(&self, cells: impl Iterator<Item = CellKey>, due: &mut Due) {
        let mut added = Vec::new();
        for cell in cells {
            self.add_readers_of(cell, due, &mut added);
        }
        self.add_readers_of_all(added, due);
    }

    /// Makes a formula due, and everything that depends on it.
    fn add_due(&self, formula: CellKey, due: &mut Due) {
        if due.formulas.insert(formula) {
            self.add_readers_of_all(vec![formula], due);
        }
    }

    /// Makes everything due that depends on these formulas.
    fn add_readers_of_all(&self, mut formulas: Vec<CellKey>, due: &mut Due) {
        while let Some(formula) = formulas.pop() {
            for cell in self.cells_of(formula) {
                self.add_readers_of(cell, due, &mut formulas);
            }
        }
    }

    /// Makes the formulas due that read a cell, without those of areas that were asked for before, and adds those that were not yet.
    fn add_readers_of(&self, cell: CellKey, due: &mut Due, added: &mut Vec<CellKey>) {
        let Dependencies { readers, formulas, .. } = &self.dependencies;
        let of_cell = readers.of_cell.get(&cell).map_or(&[][..], Vec::as_slice);
        due.formulas.reserve(of_cell.len());
        let mut add = |reader: &CellKey| {
            // Cells may have got other content since.
            if formulas.contains_key(reader) && due.formulas.insert(*reader) {
                added.push(*reader);
            }
        };
        of_cell.iter().for_each(&mut add);
        readers.areas.for_each_around(cell, |area| {
            if due.areas.insert(area) {
                readers.of_area[area].iter().for_each(&mut add);
            }
        });
    }

    /// A formula's own cell, and those that its result fills now.
    pub(crate) fn cells_of(&self, formula: CellKey) -> impl Iterator<Item = CellKey> {
        let (sheet, row, column) = formula;
        let (width, height) = if self.dependencies.arrays.contains(&formula) {
            match self.fetch_cell(CellReferenceIndex { sheet, row, column }).as_deref() {
                Some(Cell::ArrayFormula { r, .. }) => *r,
                _ => (1, 1),
            }
        } else {
            (1, 1)
        };
        (row..row + height).flat_map(move |row| (column..column + width).map(move |column| (sheet, row, column)))
    }

    fn is_blocked(&self, (sheet, row, column): CellKey) -> bool {
        let cell = self.fetch_cell(CellReferenceIndex { sheet, row, column });
        match cell.as_deref() {
            Some(Cell::ArrayFormula { v: FormulaValue::Error { ei, .. }, .. }) => {
                *ei == crate::expressions::token::Error::SPILL
            }
            _ => false,
        }
    }

    /// Notes what all formulas read, of which nothing is known. Returns where they are.
    pub(crate) fn know_all(&mut self) -> Vec<CellKey> {
        let cells: Vec<CellKey> = self.formula_positions().iter().map(|cell| (cell.sheet, cell.row, cell.column)).collect();
        for cell in &cells {
            self.know(*cell);
        }
        cells
    }

    /// The formulas of which it is known what they read, with their numbers.
    pub(crate) fn known_formulas(&self) -> Vec<(CellKey, i32)> {
        self.dependencies.formulas.iter().map(|(cell, (formula, _))| (*cell, *formula)).collect()
    }

    /// Where formulas are whose results may fill more than their own cell.
    pub(crate) fn known_arrays(&self) -> Vec<CellKey> {
        self.dependencies.arrays.iter().copied().collect()
    }

    /// Notes what the formula of a cell reads, or that it has none any more.
    fn know(&mut self, cell: CellKey) {
        let (sheet, row, column) = cell;
        let content = self.fetch_cell(CellReferenceIndex { sheet, row, column });
        let (formula, array) = match content.as_deref() {
            Some(Cell::CellFormula { f, .. }) => (Some(*f), None),
            Some(Cell::ArrayFormula { f, kind, .. }) => (Some(*f), Some(kind.clone())),
            _ => (None, None),
        };
        drop(content);
        let is_anchor = array == Some(ArrayKind::Dynamic);
        let reads = formula.map(|formula| self.reads_of(sheet, formula));
        let known = &mut self.dependencies;
        if array.is_some() {
            known.arrays.insert(cell);
        } else {
            known.arrays.remove(&cell);
        }
        known.anchors_changed |= if is_anchor { known.anchors.insert(cell) } else { known.anchors.remove(&cell) };
        let before = known.formulas.get(&cell).copied();
        if before.map(|(formula, _)| formula) == formula {
            return;
        }
        if let Some((_, count)) = before {
            known.readers.outdated += count;
            known.formulas.remove(&cell);
            known.volatile.remove(&cell);
            known.of_hidden_rows.remove(&cell);
        }
        if let (Some(formula), Some(reads)) = (formula, reads) {
            known.formulas.insert(cell, (formula, reads.references.len()));
            for reference in &reads.references {
                known.readers.add(reference.seen_from(cell), cell);
            }
            if reads.volatile {
                known.volatile.insert(cell);
            }
            if reads.hidden_rows {
                known.of_hidden_rows.insert(cell);
            }
        }
    }

    pub(crate) fn reads_of(&mut self, sheet: u32, formula: i32) -> Rc<Reads> {
        if let Some(reads) = self.dependencies.reads.get(&(sheet, formula)) {
            return Rc::clone(reads);
        }
        let node = std::sync::Arc::clone(&self.parsed_formulas[sheet as usize][formula as usize].0);
        let lambda = |name: &str| self.lambda_named(sheet, name);
        let reads = Rc::new(Precedents::of(&node, &|name, scope| self.get_parsed_defined_name(name, scope).ok().flatten(), &lambda));
        self.dependencies.reads.insert((sheet, formula), Rc::clone(&reads));
        reads
    }

    fn lambda_named(&self, sheet: u32, name: &str) -> Option<Node> {
        let name = name.to_lowercase();
        let names = &self.parsed_defined_names;
        match names.get(&(Some(sheet), name.clone())).or_else(|| names.get(&(None, name))) {
            Some(ParsedDefinedName::LambdaDefinition(_, body)) => Some(body.clone()),
            _ => None,
        }
    }

    /// How many outdated references there may be before everything is read anew.
    fn references_before_renewal(&self) -> usize {
        self.dependencies.readers.count / 2 + 10_000
    }
}
