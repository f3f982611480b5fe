//! Functions of single values over arrays and ranges: they are called once for each element.
use crate::calc_result::CalcResult;
use crate::cast::calc_result_to_array_node;
use crate::expressions::parser::static_analysis::takes_single;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::functions::choosing::has_several;
use crate::functions::large_ranges::range_node;
use crate::functions::util::is_too_long;
use crate::functions::Function;
use crate::model::Model;

/// Of how many cells references are made: those of a column. A formula with more is given up.
const MOST_CELLS: i64 = 1_048_576;

/// The elements of an argument that has several where one is expected.
enum Elements {
    Values(Vec<Vec<ArrayNode>>),
    /// Cells, or errors where there are none.
    References(Vec<Vec<Node>>),
}

struct Lifted {
    place: usize,
    elements: Elements,
}

/// An element for one call: what is one row high or one column wide goes for all.
fn element<T>(rows: &[Vec<T>], row: usize, column: usize) -> Option<&T> {
    let values = rows.get(if rows.len() == 1 { 0 } else { row })?;
    values.get(if values.len() == 1 { 0 } else { column })
}

impl Lifted {
    fn size(&self) -> (usize, usize) {
        match &self.elements {
            Elements::Values(rows) => (rows.len(), rows.first().map_or(0, Vec::len)),
            Elements::References(rows) => (rows.len(), rows.first().map_or(0, Vec::len)),
        }
    }

    fn at(&self, row: usize, column: usize, empty: &Node) -> Node {
        let rows = match &self.elements {
            Elements::Values(rows) => rows,
            Elements::References(rows) => {
                return element(rows, row, column).cloned().unwrap_or(Node::ErrorKind(Error::NA));
            }
        };
        match element(rows, row, column) {
            Some(ArrayNode::Number(number)) => Node::NumberKind(*number),
            Some(ArrayNode::String(text)) => Node::StringKind(text.replace('"', "\"\"")),
            Some(ArrayNode::Boolean(truth)) => Node::BooleanKind(*truth),
            Some(ArrayNode::Error(error)) => Node::ErrorKind(error.clone()),
            Some(ArrayNode::Empty) => empty.clone(),
            None => Node::ErrorKind(Error::NA),
        }
    }
}

/// Arguments of which those that are expected to be single are known: values, or what has several.
struct Prepared {
    args: Vec<Node>,
    lifted: Vec<Lifted>,
    /// Variables of the arguments, to be removed after the call.
    bound: Vec<usize>,
}

/// Where a function takes a reference and is called for each of several.
fn takes_each_reference(kind: &Function, place: usize) -> bool {
    use Function::*;
    match kind {
        Subtotal => place > 0,
        Sumif | Averageif => place == 0 || place == 2,
        Countif | Countblank => place == 0,
        Countifs => place % 2 == 0,
        Sumifs | Averageifs | Maxifs | Minifs => place == 0 || place % 2 == 1,
        RankCompat | RankEq | RankAvg => place == 1,
        _ => false,
    }
}

/// These look at their arguments in ways of their own, and some not at all.
fn chooses(kind: &Function) -> bool {
    use Function::*;
    matches!(kind, If | Iferror | Ifna | Ifs | Let | Lambda | Choose | Switch)
}

/// Where one reference is wanted that is not to be its value.
pub(crate) fn asks_for_references(kind: &Function) -> bool {
    matches!(kind, Function::Formulatext | Function::Isformula | Function::Sheet)
}

/// Where a function of the former Analysis ToolPak takes one value: it is called for each element of an array, but what several cells
/// hold is no value to it.
pub(crate) fn takes_no_range(kind: &Function) -> bool {
    use Function::*;
    match kind {
        Edate | Eomonth | Networkdays | Workday | Yearfrac | Weeknum => true,
        Iseven | Isodd | Mround | Quotient | Randbetween | Sqrtpi | Factdouble | Seriessum => true,
        Convert | Delta | Gestep | Erf | Erfc | Besseli | Besselj | Besselk | Bessely => true,
        Bin2dec | Bin2hex | Bin2oct | Dec2Bin | Dec2hex | Dec2oct => true,
        Hex2bin | Hex2dec | Hex2oct | Oct2bin | Oct2dec | Oct2hex => true,
        Complex | Imabs | Imaginary | Imargument | Imconjugate | Imcos | Imdiv | Imexp | Imln => true,
        Imlog10 | Imlog2 | Impower | Imreal | Imsin | Imsqrt | Imsub => true,
        Accrint | Accrintm | Amordegrc | Amorlinc | Disc | Intrate | Received => true,
        Coupdaybs | Coupdays | Coupdaysnc | Coupncd | Coupnum | Couppcd => true,
        Cumipmt | Cumprinc | Dollarde | Dollarfr | Duration | Mduration | Effect | Nominal => true,
        Fvschedule | Xirr | Xnpv | Oddfprice | Oddfyield | Oddlprice | Oddlyield => true,
        Price | Pricedisc | Pricemat | Yield | Yielddisc | Yieldmat | Tbilleq | Tbillprice | Tbillyield => true,
        _ => false,
    }
}

/// Where of several cells the first is looked at.
pub(crate) fn takes_first_cell(kind: &Function) -> bool {
    matches!(kind, Function::N | Function::T | Function::Sheet)
}

/// What is one value already, or costs nothing to be looked at twice.
fn is_plain(node: &Node) -> bool {
    matches!(
        node,
        Node::NumberKind(_)
            | Node::StringKind(_)
            | Node::BooleanKind(_)
            | Node::ErrorKind(_)
            | Node::EmptyArgKind
            | Node::ReferenceKind { .. }
    )
}

/// References to each cell of a range that is not too large for that.
fn cells_of(left: CellReferenceIndex, right: CellReferenceIndex) -> Option<Vec<Vec<Node>>> {
    let count = i64::from(right.row - left.row + 1) * i64::from(right.column - left.column + 1);
    let cell_at = |row, column| range_node(CellReferenceIndex { row, column, ..left }, row, column);
    let row_of = |row| (left.column..=right.column).map(|column| cell_at(row, column)).collect();
    if count > MOST_CELLS {
        crate::host::plan(usize::MAX);
        return None;
    }
    Some((left.row..=right.row).map(row_of).collect())
}

fn cell_node(cell: CellReferenceIndex) -> Node {
    Node::ReferenceKind {
        sheet_name: None,
        sheet_index: cell.sheet,
        absolute_row: true,
        absolute_column: true,
        row: cell.row,
        column: cell.column,
    }
}

pub(crate) fn variable(id: usize) -> Node {
    Node::NamedVariableKind { name: String::new(), id: Some(id as u32) }
}

impl<'a> Model<'a> {
    pub(crate) fn evaluate_function(
        &mut self,
        kind: &Function,
        args: &[Node],
        cell: CellReferenceIndex,
    ) -> CalcResult {
        let referring = self.with_cells_of_variables(kind, args);
        let args = referring.as_deref().unwrap_or(args);
        let result = match self.used_parts(kind, args, cell) {
            None => self.evaluate_for_elements(kind, args, cell),
            Some((used, left_out)) => match (kind, self.evaluate_for_elements(kind, &used, cell)) {
                (Function::Countblank, CalcResult::Number(count)) => CalcResult::Number(count + left_out),
                (_, result) => result,
            },
        };
        if matches!(&result, CalcResult::String(text) if is_too_long(text)) {
            return CalcResult::new_error(Error::VALUE, cell, "The text is too long".to_string());
        }
        result
    }

    /// The arguments of a function with cells in place of variables that are bound to one, where references are wanted: what is no
    /// number in a cell counts otherwise than what is given as a value.
    fn with_cells_of_variables(&self, kind: &Function, args: &[Node]) -> Option<Vec<Node>> {
        let cell_of = |arg: &Node| match arg {
            Node::NamedVariableKind { id: Some(id), .. } => match self.variable_stack.get(&(*id as usize)) {
                Some(CalcResult::Range { left, right }) if left == right => Some(*left),
                _ => None,
            },
            _ => None,
        };
        if chooses(kind) || !args.iter().any(|arg| cell_of(arg).is_some()) {
            return None;
        }
        let node = |(place, arg): (usize, &Node)| match cell_of(arg) {
            Some(cell) if asks_for_references(kind) || !takes_single(kind, place, args.len()) => cell_node(cell),
            _ => arg.clone(),
        };
        Some(args.iter().enumerate().map(node).collect())
    }

    fn evaluate_for_elements(
        &mut self,
        kind: &Function,
        args: &[Node],
        cell: CellReferenceIndex,
    ) -> CalcResult {
        let Some(Prepared { args, lifted, bound }) = self.prepared(kind, args, cell) else {
            return self.call(kind, args, cell);
        };
        let result = if lifted.is_empty() {
            self.call(kind, &args, cell)
        } else {
            let rows = self.each_element(kind, args, &lifted, cell);
            let values = |row: Vec<CalcResult>| row.into_iter().map(|result| self.element_of(result)).collect();
            CalcResult::Array(rows.into_iter().map(values).collect())
        };
        for id in bound {
            self.variable_stack.remove(&id);
        }
        result
    }

    /// Whether a truth, before any error, is where a function of the former Analysis ToolPak takes a number. The last argument of ACCRINT
    /// is a truth.
    fn has_truth_for_number(&self, kind: &Function, args: &[Node]) -> bool {
        let is_error = |arg: &Node| match arg {
            Node::ErrorKind(_) => true,
            Node::NamedVariableKind { id: Some(id), .. } => {
                self.variable_stack.get(&(*id as usize)).is_some_and(CalcResult::is_error)
            }
            _ => false,
        };
        let is_wrong = |(place, arg): (usize, &Node)| {
            matches!(arg, Node::BooleanKind(_))
                && takes_single(kind, place, args.len())
                && !(matches!(kind, Function::Accrint) && place == 7)
        };
        args.iter().take_while(|arg| !is_error(arg)).enumerate().any(is_wrong)
    }

    /// What a function says that it does not calculate is no error that a formula could go on with, unless it has only read such.
    fn call(&mut self, kind: &Function, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        if takes_no_range(kind) && self.has_truth_for_number(kind, args) {
            return CalcResult::new_error(Error::VALUE, cell, "A truth is no number".to_string());
        }
        let result = self.evaluate_function_once(kind, args, cell);
        if matches!(&result, CalcResult::Error { error: Error::NIMPL, .. }) && self.failed_itself(crate::host::current()) {
            crate::host::refuse();
        }
        result
    }

    /// None where no argument has to be looked at.
    fn prepared(&mut self, kind: &Function, args: &[Node], cell: CellReferenceIndex) -> Option<Prepared> {
        let count = args.len();
        let is_looked_at = |arg: &Node| {
            !is_plain(arg) || (takes_no_range(kind) && matches!(arg, Node::ReferenceKind { .. }))
        };
        let is_asked = |place: &usize| takes_single(kind, *place, count) && is_looked_at(&args[*place]);
        let asked: Vec<usize> = if chooses(kind) { Vec::new() } else { (0..count).filter(is_asked).collect() };
        let makes_references = |place: &usize| {
            takes_each_reference(kind, *place)
                && matches!(&args[*place], Node::FunctionKind { kind: Function::Indirect | Function::Offset, .. })
        };
        let references: Vec<usize> = (0..count).filter(makes_references).collect();
        if asked.is_empty() && references.is_empty() {
            return None;
        }
        let mut prepared = Prepared { args: args.to_vec(), lifted: Vec::new(), bound: Vec::new() };
        for place in references {
            self.prepare_references(place, &mut prepared, cell);
        }
        for place in asked {
            let given = if asks_for_references(kind) {
                self.evaluate_node_with_reference(&args[place], cell)
            } else {
                self.evaluate_node_in_context(&args[place], cell)
            };
            // An array of one element is that element, and a reference stays one.
            let is_one = matches!(given, CalcResult::Array(_)) && !has_several(&given);
            match if is_one { self.dereference(given, cell) } else { given } {
                CalcResult::Array(rows) => {
                    prepared.lifted.push(Lifted { place, elements: Elements::Values(rows) });
                }
                CalcResult::Range { left, right } if left != right && takes_no_range(kind) => {
                    prepared.args[place] = Node::ErrorKind(Error::VALUE);
                }
                CalcResult::Range { left, .. } if takes_first_cell(kind) => {
                    prepared.args[place] = cell_node(left);
                }
                CalcResult::Range { left, right } if left != right && left.sheet == right.sheet => {
                    let elements = match asks_for_references(kind).then(|| cells_of(left, right)).flatten() {
                        Some(cells) => Elements::References(cells),
                        None => Elements::Values(self.evaluate_range(left, right)),
                    };
                    prepared.lifted.push(Lifted { place, elements });
                }
                CalcResult::Number(number) => prepared.args[place] = Node::NumberKind(number),
                CalcResult::Boolean(truth) => prepared.args[place] = Node::BooleanKind(truth),
                CalcResult::String(text) => prepared.args[place] = Node::StringKind(text.replace('"', "\"\"")),
                // It is kept as what it is, with where an error comes from.
                result => {
                    let id = self.get_next_variable_id();
                    self.variable_stack.insert(id, result);
                    prepared.bound.push(id);
                    prepared.args[place] = variable(id);
                }
            }
        }
        Some(prepared)
    }

    /// The references that `INDIRECT` or `OFFSET` makes of lists, as elements of this argument.
    fn prepare_references(&mut self, place: usize, prepared: &mut Prepared, cell: CellReferenceIndex) {
        let Node::FunctionKind { kind, args } = prepared.args[place].clone() else { return };
        let Some(inner) = self.prepared(&kind, &args, cell) else { return };
        prepared.bound.extend(inner.bound);
        if inner.lifted.is_empty() {
            prepared.args[place] = Node::FunctionKind { kind, args: inner.args };
            return;
        }
        let reference = |result: CalcResult| match result {
            CalcResult::Range { left, right } => range_node(left, right.row, right.column),
            CalcResult::Error { error, .. } => Node::ErrorKind(error),
            _ => Node::ErrorKind(Error::REF),
        };
        let rows = self.each_element(&kind, inner.args, &inner.lifted, cell);
        let rows = rows.into_iter().map(|row| row.into_iter().map(reference).collect()).collect();
        prepared.lifted.push(Lifted { place, elements: Elements::References(rows) });
    }

    fn each_element(
        &mut self,
        kind: &Function,
        mut args: Vec<Node>,
        lifted: &[Lifted],
        cell: CellReferenceIndex,
    ) -> Vec<Vec<CalcResult>> {
        let rows = lifted.iter().map(|one| one.size().0).max().unwrap_or(1);
        let columns = lifted.iter().map(|one| one.size().1).max().unwrap_or(1);
        let has_references = lifted.iter().any(|one| matches!(one.elements, Elements::References(_)));
        // An empty cell, which no text of a formula says.
        let id = self.get_next_variable_id();
        self.variable_stack.insert(id, CalcResult::EmptyCell);
        let empty = variable(id);
        let mut results = Vec::with_capacity(rows);
        for row in 0..rows {
            let mut line = Vec::with_capacity(columns);
            for column in 0..columns {
                for one in lifted {
                    args[one.place] = one.at(row, column, &empty);
                }
                line.push(if has_references {
                    self.evaluate_function(kind, &args, cell)
                } else {
                    self.call(kind, &args, cell)
                });
            }
            results.push(line);
        }
        self.variable_stack.remove(&id);
        results
    }

    fn element_of(&mut self, result: CalcResult) -> ArrayNode {
        match result {
            CalcResult::Array(inner) => inner.into_iter().flatten().next().unwrap_or(ArrayNode::Empty),
            CalcResult::Range { left, .. } => calc_result_to_array_node(self.evaluate_cell(left)),
            CalcResult::Lambda(_) => ArrayNode::Error(Error::CALC),
            result => calc_result_to_array_node(result),
        }
    }
}
