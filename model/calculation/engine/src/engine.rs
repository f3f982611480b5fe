//! One workbook in IronCalc.
use crate::buffer::Reader;
use crate::values::{error_of, Changes, Value};
use ironcalc_base::expressions::parser::ArrayNode;
use ironcalc_base::expressions::parser::static_analysis::{
    add_implicit_intersection, run_static_analysis_on_node, StaticResult,
};
use ironcalc_base::expressions::parser::Node;
use ironcalc_base::expressions::types::{CellReferenceIndex, CellReferenceRC};
use ironcalc_base::formatter::conventions::Conventions;
use ironcalc_base::host;
use ironcalc_base::moved_rows::MovedRows;
use ironcalc_base::types::{ArrayKind, Cell, DefinedName, FormulaValue, Row, SpillValue};
use ironcalc_base::{KeyBuild, Model};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

type Position = (u32, i32, i32);

pub struct Engine {
    model: Model<'static>,
    /// What `changed` has told.
    told: HashMap<Position, Value, KeyBuild>,
    /// Cells that may have another value than told; none where any may.
    touched: Option<Vec<Position>>,
    /// Names that may be called like functions, in capitals.
    lambdas: HashSet<String>,
}

/// Why a record was refused. The numbers are those of `model/calculation/engine-buffers.ts`.
enum Refusal {
    Unreadable = 1,
    UnknownFunction = 2,
    InsideArray = 3,
    NoSuchSheet = 4,
}

type Done = Result<(), Refusal>;

impl From<String> for Refusal {
    fn from(_: String) -> Self {
        Refusal::NoSuchSheet
    }
}

const LANGUAGE: &str = "en";

/// Reads texts: decimal sign, sign between groups, a day in short, six letters of number formats, two amounts, twelve names of months,
/// twelve in short, seven of days, seven in short.
fn conventions(input: &mut Reader) -> Conventions {
    let sign = |text: String, usual: char| text.chars().next().unwrap_or(usual);
    let decimal = sign(input.text(), '.');
    let group = sign(input.text(), ',');
    let short_date = input.text();
    let mut letters = ['d', 'm', 'y', 'h', 'm', 's'];
    for (at, letter) in input.text().chars().take(6).enumerate() {
        letters[at] = letter;
    }
    let amounts = [input.text(), input.text()];
    let mut texts = |count| (0..count).map(|_| input.text()).collect::<Vec<String>>();
    let (months, months_short, days, days_short) = (texts(12), texts(12), texts(7), texts(7));
    Conventions { decimal, group, short_date, letters, amounts, months, months_short, days, days_short }
}

impl Engine {
    /// Reads: conventions, u8 1904, u32 number of sheets and their names, u32 number of names; each is text name, u32 sheet + 1 or
    /// 0, text formula.
    pub fn new(mut input: Reader) -> Result<Engine, String> {
        let conventions = conventions(&mut input);
        host::set_from_1904(input.u8() != 0);
        let mut model = Model::new_empty("", LANGUAGE, "UTC", LANGUAGE)?;
        for index in 0..input.u32() {
            let name = input.text();
            if index > 0 {
                model.add_sheet(&name)?;
            } else if name != "Sheet1" {
                model.rename_sheet_by_index(0, &name)?;
            }
        }
        let ids = model.workbook.get_worksheet_ids();
        let mut workbook = model.workbook;
        for _ in 0..input.u32() {
            let name = input.text();
            let scope = input.u32() as usize;
            let formula = input.text();
            let sheet_id = if scope == 0 { None } else { ids.get(scope - 1).copied() };
            workbook.defined_names.push(DefinedName {
                name,
                formula,
                sheet_id,
            });
        }
        let lambdas = workbook
            .defined_names
            .iter()
            .filter(|name| {
                name.formula
                    .trim_start_matches('=')
                    .to_uppercase()
                    .starts_with("LAMBDA(")
            })
            .map(|name| name.name.to_uppercase())
            .collect();
        let mut model = Model::from_workbook(workbook, LANGUAGE)?;
        model.set_conventions(conventions);
        Ok(Engine {
            model,
            told: HashMap::default(),
            touched: None,
            lambdas,
        })
    }

    /// Reads records: u8 operation, u32 sheet, u32 row, u32 column, and what belongs to the operation.
    pub fn apply(&mut self, mut input: Reader) -> Vec<u8> {
        let mut refused = Vec::new();
        while !input.is_empty() {
            let operation = input.u8();
            let at = (input.u32(), input.u32() as i32, input.u32() as i32);
            host::enter(at);
            if operation <= 8 {
                self.model.forget_formula_text(&at);
            }
            let done = match operation {
                1 => {
                    let v = input.f64();
                    self.free(at).and_then(|()| self.put(at, Cell::NumberCell { v, s: 0 }))
                }
                2 => {
                    let text = input.text();
                    self.free(at).and_then(|()| self.text(at, &text))
                }
                3 => {
                    let v = input.u8() != 0;
                    self.free(at).and_then(|()| self.put(at, Cell::BooleanCell { v, s: 0 }))
                }
                4 => {
                    let ei = error_of(input.u8());
                    self.free(at).and_then(|()| self.put(at, Cell::ErrorCell { ei, s: 0 }))
                }
                5 => self.free(at).and_then(|()| self.put(at, Cell::EmptyCell { s: 0 })),
                6 => self.formula(at, &input.text()),
                7 => self.legacy_formula(at, &input.text()),
                8 => {
                    let size = (input.u32() as i32, input.u32() as i32);
                    self.array_formula(at, size, &input.text())
                }
                9 => self.row_hidden(at, input.u8()),
                10 => self.move_rows(MovedRows::new(at.0, at.1, input.u32() as i32)),
                11 => {
                    self.model.set_formula_text(at, input.text());
                    Ok(())
                }
                _ => Err(Refusal::Unreadable),
            };
            if let Err(refusal) = done {
                self.tell_again(at);
                for part in [at.0, at.1 as u32, at.2 as u32, refusal as u32] {
                    refused.extend_from_slice(&part.to_le_bytes());
                }
            }
        }
        refused
    }

    /// What was given to a cell is not in it: the host, which may show it, is told what is.
    fn tell_again(&mut self, at: Position) {
        self.told.remove(&at);
        if let Some(touched) = &mut self.touched {
            touched.push(at);
        }
    }

    /// Calculates what may have another value than at the last call.
    pub fn recalculate(&mut self) {
        let touched = self.model.evaluate_changed();
        self.touched = match (self.touched.take(), touched) {
            (Some(mut before), Some(touched)) => {
                before.extend(touched);
                Some(before)
            }
            _ => None,
        };
    }

    pub fn changed(&mut self) -> Vec<u8> {
        let mut touched = self.touched.replace(Vec::new()).unwrap_or_else(|| self.all_that_may_change());
        // They come in runs that are in order.
        touched.sort();
        touched.dedup();
        let mut changes = Changes::new();
        for at in touched {
            match (self.value_at(at), self.told.entry(at)) {
                (Some(value), Entry::Occupied(told)) if *told.get() == value => {}
                (Some(value), told) => {
                    changes.add(at, Some(&value));
                    told.insert_entry(value);
                }
                (None, Entry::Occupied(told)) => {
                    changes.add(at, None);
                    told.remove();
                }
                (None, Entry::Vacant(_)) => {}
            }
        }
        changes.bytes()
    }

    /// Every cell that has a calculated value, or had one when `changed` was asked last.
    fn all_that_may_change(&self) -> Vec<Position> {
        let mut cells: Vec<Position> = self.told.keys().copied().collect();
        for (sheet, worksheet) in self.model.workbook.worksheets.iter().enumerate() {
            if worksheet.shared_formulas.is_empty() {
                continue;
            }
            for (row, column, cell) in worksheet.sheet_data.cells() {
                if matches!(*cell, Cell::CellFormula { .. } | Cell::ArrayFormula { .. } | Cell::SpillCell { .. }) {
                    cells.push((sheet as u32, row, column));
                }
            }
        }
        cells
    }

    /// The value of a cell that is calculated.
    fn value_at(&self, at: Position) -> Option<Value> {
        let (sheet, row, column) = at;
        let worksheet = self.model.workbook.worksheet(sheet).ok()?;
        match worksheet.cell(row, column).as_deref()? {
            Cell::CellFormula { v, .. } | Cell::ArrayFormula { v, .. } => {
                Some(Value::of_formula(v, self.model.failed_itself(at)))
            }
            Cell::SpillCell { v, .. } => Some(Value::from(v)),
            _ => None,
        }
    }

    /// The first values, `most` at most, of a formula that is in no cell, as seen from one, in the form of `changed`: the place of each
    /// is the number of the value. None where the formula is refused.
    pub fn evaluate(&mut self, at: Position, text: &str, most: usize) -> Vec<u8> {
        host::enter(at);
        let mut answer = Changes::new();
        if let Ok(node) = self.parse(at, text) {
            let (sheet, row, column) = at;
            let cell = CellReferenceIndex { sheet, row, column };
            for (number, value) in self.model.evaluate_expression(&node, cell, most).iter().enumerate() {
                answer.add((number as u32, 0, 0), value_of(value).as_ref());
            }
        }
        answer.bytes()
    }

    fn put(&mut self, (sheet, row, column): Position, cell: Cell) -> Done {
        self.model
            .workbook
            .worksheet_mut(sheet)?
            .sheet_data
            .set_cell(row, column, cell);
        self.model.cell_changed((sheet, row, column));
        Ok(())
    }

    fn text(&mut self, (sheet, row, column): Position, text: &str) -> Done {
        self.model.update_cell_with_text(sheet, row, column, text)?;
        self.model.cell_changed((sheet, row, column));
        Ok(())
    }

    /// Takes apart the array that a cell begins, or whose spilled values lie in it. A cell inside of an array of fixed size is
    /// refused.
    fn free(&mut self, at: Position) -> Done {
        let (sheet, row, column) = at;
        let worksheet = self.model.workbook.worksheet(sheet)?;
        let anchor = match worksheet.cell(row, column).as_deref() {
            Some(Cell::ArrayFormula { .. }) => (row, column),
            Some(Cell::SpillCell { a, .. }) => *a,
            _ => return Ok(()),
        };
        let (size, kind, f) = match worksheet.cell(anchor.0, anchor.1).as_deref() {
            Some(Cell::ArrayFormula { r, kind, f, .. }) => (*r, kind.clone(), *f),
            // What is left of an array that is gone.
            _ => return Ok(()),
        };
        let begins = anchor == (row, column);
        if !begins && kind == ArrayKind::Cse {
            return Err(Refusal::InsideArray);
        }
        for r in anchor.0..anchor.0 + size.1 {
            for c in anchor.1..anchor.1 + size.0 {
                self.put((sheet, r, c), Cell::EmptyCell { s: 0 })?;
            }
        }
        if begins {
            return Ok(());
        }
        self.put(
            (sheet, anchor.0, anchor.1),
            unevaluated_array(f, (1, 1), ArrayKind::Dynamic),
        )
    }

    fn parse(&mut self, (sheet, row, column): Position, text: &str) -> Result<Node, Refusal> {
        let sheet = self.model.workbook.worksheet(sheet)?.get_name();
        let node = self
            .model
            .parse_internal_formula(text, &CellReferenceRC { sheet, row, column });
        match node {
            Node::ParseErrorKind { .. } => Err(Refusal::Unreadable),
            node => {
                let mut known = self.lambdas.clone();
                add_declared(&node, &mut known);
                if calls_other_than(&node, &known) {
                    return Err(Refusal::UnknownFunction);
                }
                Ok(node)
            }
        }
    }

    /// A formula whose result may spill.
    fn formula(&mut self, at: Position, text: &str) -> Done {
        self.free(at)?;
        let node = self.parse(at, text)?;
        let result = run_static_analysis_on_node(&node);
        // Of this one the analysis does not know that it may give several values.
        let may_spill = text.contains("XLOOKUP(");
        let spills = may_spill || !matches!(result, StaticResult::Scalar);
        let f = self.model.shared_formula_index(at.0, node, result)?;
        if spills {
            self.put(at, unevaluated_array(f, (1, 1), ArrayKind::Dynamic))
        } else {
            self.put(
                at,
                Cell::CellFormula {
                    f,
                    s: 0,
                    v: FormulaValue::Unevaluated,
                },
            )
        }
    }

    /// A formula of the time before dynamic arrays: of a range it takes the cell of its own row or column.
    fn legacy_formula(&mut self, at: Position, text: &str) -> Done {
        self.free(at)?;
        let mut node = self.parse(at, text)?;
        add_implicit_intersection(&mut node, true);
        let f = self.model.shared_formula_index(at.0, node, StaticResult::Scalar)?;
        self.put(
            at,
            Cell::CellFormula {
                f,
                s: 0,
                v: FormulaValue::Unevaluated,
            },
        )
    }

    /// A formula that fills a range of fixed size.
    fn array_formula(&mut self, at: Position, (width, height): (i32, i32), text: &str) -> Done {
        let (sheet, row, column) = at;
        let node = self.parse(at, text)?;
        for r in row..row + height {
            for c in column..column + width {
                self.free((sheet, r, c))?;
            }
        }
        let result = run_static_analysis_on_node(&node);
        let f = self.model.shared_formula_index(sheet, node, result)?;
        self.put(at, unevaluated_array(f, (width, height), ArrayKind::Cse))?;
        for r in row..row + height {
            for c in column..column + width {
                if (r, c) != (row, column) {
                    let v = SpillValue::Text(String::new());
                    self.put(
                        (sheet, r, c),
                        Cell::SpillCell {
                            s: 0,
                            a: (row, column),
                            v,
                        },
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Rows are put in or taken out, with what is known of them. Such records come after a calculation, before all others.
    fn move_rows(&mut self, moved: MovedRows) -> Done {
        self.model.move_rows(&moved);
        let told = std::mem::take(&mut self.told).into_iter();
        self.told = told.filter_map(|(cell, value)| Some((moved.cell(cell)?, value))).collect();
        if let Some(touched) = &mut self.touched {
            *touched = touched.iter().filter_map(|cell| moved.cell(*cell)).collect();
        }
        Ok(())
    }

    /// Totals ask for it: 0 shown, 1 hidden by hand, 2 hidden by a filter.
    fn row_hidden(&mut self, (sheet, row, _): Position, how: u8) -> Done {
        self.model.hidden_rows_changed();
        let rows = &mut self.model.workbook.worksheet_mut(sheet)?.rows;
        let mark = Row {
            r: row,
            height: 15.0,
            custom_format: false,
            custom_height: how == 2,
            s: 0,
            hidden: how > 0,
        };
        match rows.binary_search_by_key(&row, |known| known.r) {
            Ok(place) => rows[place] = mark,
            Err(place) => rows.insert(place, mark),
        }
        Ok(())
    }
}

fn value_of(value: &ArrayNode) -> Option<Value> {
    Some(match value {
        ArrayNode::Empty => return None,
        ArrayNode::Number(value) => Value::Number(value.to_bits()),
        ArrayNode::String(value) => Value::Text(value.clone()),
        ArrayNode::Boolean(value) => Value::Boolean(*value),
        ArrayNode::Error(error) => Value::of_error(error),
    })
}

fn unevaluated_array(f: i32, r: (i32, i32), kind: ArrayKind) -> Cell {
    Cell::ArrayFormula {
        f,
        s: 0,
        r,
        kind,
        v: FormulaValue::Unevaluated,
    }
}

fn parts_of(node: &Node) -> Vec<&Node> {
    match node {
        Node::FunctionKind { args, .. } | Node::NamedFunctionKind { args, .. } => args.iter().collect(),
        Node::LambdaDefKind { body, .. } => vec![body],
        Node::LambdaCallKind { lambda, args } => std::iter::once(&**lambda).chain(args).collect(),
        Node::OpRangeKind { left, right }
        | Node::OpConcatenateKind { left, right }
        | Node::OpSumKind { left, right, .. }
        | Node::OpProductKind { left, right, .. }
        | Node::OpPowerKind { left, right }
        | Node::CompareKind { left, right, .. } => vec![left, right],
        Node::UnaryKind { right, .. } => vec![right],
        Node::ImplicitIntersection { child, .. } | Node::SpillRangeOperator { child } => vec![child],
        _ => Vec::new(),
    }
}

/// Adds the names that a formula gives to values and parameters, which may be functions.
fn add_declared(node: &Node, names: &mut HashSet<String>) {
    match node {
        Node::NamedVariableKind { name, .. } => {
            names.insert(name.to_uppercase());
        }
        Node::LambdaDefKind { parameters, .. } => {
            names.extend(parameters.iter().map(|parameter| parameter.name.to_uppercase()));
        }
        _ => {}
    }
    for part in parts_of(node) {
        add_declared(part, names);
    }
}

fn calls_other_than(node: &Node, known: &HashSet<String>) -> bool {
    let unknown = matches!(node, Node::NamedFunctionKind { name, .. } if !known.contains(&name.to_uppercase()));
    unknown || parts_of(node).into_iter().any(|part| calls_other_than(part, known))
}
