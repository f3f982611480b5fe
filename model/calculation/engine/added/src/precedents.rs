//! What a formula may read: more than it does read where that depends on values, and never less.
use crate::areas::Area;
use crate::constants::{LAST_COLUMN, LAST_ROW};
use crate::evaluation::CellKey;
use crate::expressions::parser::Node;
use crate::functions::Function;
use crate::model::ParsedDefinedName;
use std::collections::HashSet;

/// A number of a row or column; counted from the formula's own cell unless it is absolute.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Line {
    absolute: bool,
    number: i32,
}

impl Line {
    fn seen_from(self, own: i32) -> i32 {
        if self.absolute {
            self.number
        } else {
            self.number + own
        }
    }
}

/// An area that a formula names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Reference {
    sheet: u32,
    rows: (Line, Line),
    columns: (Line, Line),
    /// By how many rows and columns more is read than is named.
    more: (i32, i32),
}

impl Reference {
    pub(crate) fn seen_from(&self, (_, row, column): CellKey) -> Area {
        let rows = (self.rows.0.seen_from(row), self.rows.1.seen_from(row));
        let columns = (self.columns.0.seen_from(column), self.columns.1.seen_from(column));
        Area {
            sheet: self.sheet,
            row1: rows.0.min(rows.1),
            column1: columns.0.min(columns.1),
            row2: rows.0.max(rows.1).saturating_add(self.more.0).min(LAST_ROW),
            column2: columns.0.max(columns.1).saturating_add(self.more.1).min(LAST_COLUMN),
        }
    }

    /// How many rows and columns it has besides the first one. Where it depends on the cell: as many as a sheet has.
    fn extent(&self) -> (i32, i32) {
        let between = |(first, last): (Line, Line), most: i32| {
            if first.absolute == last.absolute {
                (last.number - first.number).abs()
            } else {
                most
            }
        };
        (between(self.rows, LAST_ROW), between(self.columns, LAST_COLUMN))
    }
}

/// What a formula reads, as seen from its own cell.
#[derive(Default)]
pub(crate) struct Reads {
    pub(crate) references: Vec<Reference>,
    /// It has to run each time: by time, by chance, or since what it reads is only known when it runs.
    pub(crate) volatile: bool,
    /// It matters to it which rows are hidden.
    pub(crate) hidden_rows: bool,
    /// It matters to it where it is, or where what it reads is.
    pub(crate) placed: bool,
}

/// Reads formulas for what they read.
pub(crate) struct Precedents<'a> {
    name: &'a dyn Fn(&str, Option<u32>) -> Option<ParsedDefinedName>,
    lambda: &'a dyn Fn(&str) -> Option<Node>,
    reads: Reads,
    known: HashSet<Reference>,
    /// Functions with a name that were read already: they may call themselves.
    called: HashSet<String>,
}

impl<'a> Precedents<'a> {
    /// What a formula reads. `name` says what a defined name stands for, `lambda` gives the body of a function with a name.
    pub(crate) fn of(
        node: &Node,
        name: &'a dyn Fn(&str, Option<u32>) -> Option<ParsedDefinedName>,
        lambda: &'a dyn Fn(&str) -> Option<Node>,
    ) -> Reads {
        let mut precedents = Precedents {
            name,
            lambda,
            reads: Reads::default(),
            known: HashSet::new(),
            called: HashSet::new(),
        };
        precedents.walk(node);
        precedents.reads
    }

    fn walk(&mut self, node: &Node) {
        match node {
            Node::ReferenceKind { .. } | Node::RangeKind { .. } => self.add(reference_of(node)),
            Node::OpRangeKind { left, right } => {
                // Which cells lie between is known when both ends are.
                self.reads.volatile = true;
                self.walk(left);
                self.walk(right);
            }
            Node::OpConcatenateKind { left, right }
            | Node::OpSumKind { left, right, .. }
            | Node::OpProductKind { left, right, .. }
            | Node::OpPowerKind { left, right }
            | Node::CompareKind { left, right, .. } => {
                self.walk(left);
                self.walk(right);
            }
            Node::UnaryKind { right, .. } => self.walk(right),
            // A cell and what its formula fills change together.
            Node::SpillRangeOperator { child } => self.walk(child),
            Node::ImplicitIntersection { child, .. } => {
                self.reads.placed = true;
                self.walk(child);
            }
            Node::FunctionKind { kind, args } => self.function(kind, args),
            Node::LambdaDefKind { body, .. } => self.walk(body),
            Node::LambdaCallKind { lambda, args } => {
                self.walk(lambda);
                self.walk_all(args);
            }
            Node::NamedFunctionKind { id, name, args } => {
                self.walk_all(args);
                if id.is_none() && self.called.insert(name.to_uppercase()) {
                    if let Some(body) = (self.lambda)(name) {
                        self.walk(&body);
                    }
                }
            }
            Node::DefinedNameKind((name, scope, _)) => self.defined_name(name, *scope),
            Node::BooleanKind(_)
            | Node::NumberKind(_)
            | Node::StringKind(_)
            | Node::WrongReferenceKind { .. }
            | Node::WrongRangeKind { .. }
            | Node::ArrayKind(_)
            | Node::TableNameKind(_)
            | Node::NamedVariableKind { .. }
            | Node::ErrorKind(_)
            | Node::ParseErrorKind { .. }
            | Node::EmptyArgKind => {}
        }
    }

    fn walk_all(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.walk(node);
        }
    }

    fn function(&mut self, kind: &Function, args: &[Node]) {
        match kind {
            Function::Now
            | Function::Today
            | Function::Rand
            | Function::Randbetween
            | Function::Randarray
            | Function::Offset
            | Function::Indirect
            | Function::Cell
            | Function::Info => self.reads.volatile = true,
            Function::Subtotal => self.reads.hidden_rows = true,
            Function::Row | Function::Column | Function::Formulatext => self.reads.placed = true,
            // Their last argument says where an area as large as the first one begins.
            Function::Sumif | Function::Averageif | Function::Lookup if args.len() == 3 => {
                self.grown(&args[2], &args[if *kind == Function::Lookup { 1 } else { 0 }]);
            }
            _ => {}
        }
        self.walk_all(args);
    }

    /// Adds an area with as much more as another one is large.
    fn grown(&mut self, node: &Node, other: &Node) {
        match (self.static_reference(node), self.static_reference(other)) {
            (Some(reference), Some(other)) => {
                let (rows, columns) = other.extent();
                // LOOKUP may look along a row and answer from a column.
                let most = rows.max(columns);
                self.add(Some(Reference { more: (most, most), ..reference }));
            }
            _ => self.reads.volatile = true,
        }
    }

    fn static_reference(&self, node: &Node) -> Option<Reference> {
        match node {
            Node::ImplicitIntersection { child, .. } => self.static_reference(child),
            Node::DefinedNameKind((name, scope, _)) => named_reference((self.name)(name, *scope)?),
            _ => reference_of(node),
        }
    }

    fn defined_name(&mut self, name: &str, scope: Option<u32>) {
        match (self.name)(name, scope) {
            Some(ParsedDefinedName::LambdaDefinition(_, body)) => {
                if self.called.insert(name.to_uppercase()) {
                    self.walk(&body);
                }
            }
            Some(reference) => self.add(named_reference(reference)),
            None => {}
        }
    }

    fn add(&mut self, reference: Option<Reference>) {
        let Some(reference) = reference else { return };
        if self.known.insert(reference) {
            self.reads.references.push(reference);
        }
    }
}

fn reference_of(node: &Node) -> Option<Reference> {
    match node {
        Node::ReferenceKind { sheet_index, absolute_row, absolute_column, row, column, .. } => {
            let row = Line { absolute: *absolute_row, number: *row };
            let column = Line { absolute: *absolute_column, number: *column };
            Some(Reference { sheet: *sheet_index, rows: (row, row), columns: (column, column), more: (0, 0) })
        }
        Node::RangeKind {
            sheet_index,
            absolute_row1,
            absolute_column1,
            row1,
            column1,
            absolute_row2,
            absolute_column2,
            row2,
            column2,
            ..
        } => Some(Reference {
            sheet: *sheet_index,
            rows: (
                Line { absolute: *absolute_row1, number: *row1 },
                Line { absolute: *absolute_row2, number: *row2 },
            ),
            columns: (
                Line { absolute: *absolute_column1, number: *column1 },
                Line { absolute: *absolute_column2, number: *column2 },
            ),
            more: (0, 0),
        }),
        _ => None,
    }
}

fn named_reference(name: ParsedDefinedName) -> Option<Reference> {
    let line = |number| Line { absolute: true, number };
    let area = |sheet, (row1, column1), (row2, column2)| Reference {
        sheet,
        rows: (line(row1), line(row2)),
        columns: (line(column1), line(column2)),
        more: (0, 0),
    };
    match name {
        ParsedDefinedName::CellReference(cell) => {
            Some(area(cell.sheet, (cell.row, cell.column), (cell.row, cell.column)))
        }
        ParsedDefinedName::RangeReference(range) => Some(area(
            range.left.sheet,
            (range.left.row, range.left.column),
            (range.right.row, range.right.column),
        )),
        _ => None,
    }
}
