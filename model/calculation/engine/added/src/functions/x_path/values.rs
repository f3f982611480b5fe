//! What expressions of XPath come to.
use super::{Axis, Expression, Operator, Refusal, Step, Test};
use crate::functions::xml_tree::{Kind, XmlTree};
use crate::host;

/// How many operations it is to look at a node.
const OPERATIONS: usize = 16;

enum Value {
    Nodes(Vec<usize>),
    Number(f64),
    Text(String),
    Truth(bool),
}

/// The node that is looked at, its place among others, from 1, and how many these are.
#[derive(Clone, Copy)]
struct Context {
    node: usize,
    place: usize,
    count: usize,
}

struct Reader<'t> {
    tree: &'t XmlTree,
}

/// The nodes that a path leads to, in the order of the text.
pub(crate) fn nodes_of(tree: &XmlTree, expression: &Expression) -> Result<Vec<usize>, Refusal> {
    match (Reader { tree }).value(expression, Context { node: 0, place: 1, count: 1 })? {
        Value::Nodes(nodes) => Ok(nodes),
        _ => Err(Refusal::Wrong),
    }
}

fn number_of(text: &str) -> f64 {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.chars().all(|one| one.is_ascii_digit() || one == '.');
    if is_number { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

fn text_of_number(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_string();
    }
    if number == 0.0 { "0".to_string() } else { format!("{number}") }
}

fn plan(operations: usize) -> Result<(), Refusal> {
    if host::plan(operations) { Err(Refusal::Unknown) } else { Ok(()) }
}

fn compare(operator: Operator, one: f64, other: f64) -> bool {
    match operator {
        Operator::Less => one < other,
        Operator::AtMost => one <= other,
        Operator::More => one > other,
        _ => one >= other,
    }
}

impl Reader<'_> {
    fn text(&self, value: &Value) -> String {
        match value {
            Value::Nodes(nodes) => nodes.first().map_or_else(String::new, |node| self.tree.text_of(*node)),
            Value::Number(number) => text_of_number(*number),
            Value::Text(text) => text.clone(),
            Value::Truth(truth) => truth.to_string(),
        }
    }

    fn number(&self, value: &Value) -> f64 {
        match value {
            Value::Number(number) => *number,
            Value::Truth(truth) => f64::from(u8::from(*truth)),
            value => number_of(&self.text(value)),
        }
    }

    fn truth(&self, value: &Value) -> bool {
        match value {
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Text(text) => !text.is_empty(),
            Value::Truth(truth) => *truth,
        }
    }

    fn value(&self, expression: &Expression, at: Context) -> Result<Value, Refusal> {
        plan(OPERATIONS)?;
        Ok(match expression {
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Negative(inner) => Value::Number(-self.number(&self.value(inner, at)?)),
            Expression::Call(name, arguments) => self.call(name, arguments, at)?,
            Expression::Both(operator, left, right) => self.both(*operator, left, right, at)?,
            Expression::Path(from_root, steps) => {
                Value::Nodes(self.walk(vec![if *from_root { 0 } else { at.node }], steps)?)
            }
            Expression::Chosen(first, predicates, steps) => {
                let Value::Nodes(nodes) = self.value(first, at)? else { return Err(Refusal::Wrong) };
                Value::Nodes(self.walk(self.chosen(nodes, predicates)?, steps)?)
            }
        })
    }

    fn both(&self, operator: Operator, left: &Expression, right: &Expression, at: Context) -> Result<Value, Refusal> {
        let one = self.value(left, at)?;
        if let Operator::Or | Operator::And = operator {
            let is_known = self.truth(&one) == (operator == Operator::Or);
            return Ok(Value::Truth(if is_known { operator == Operator::Or } else { self.truth(&self.value(right, at)?) }));
        }
        let other = self.value(right, at)?;
        if operator == Operator::Union {
            let (Value::Nodes(mut nodes), Value::Nodes(others)) = (one, other) else { return Err(Refusal::Wrong) };
            nodes.extend(others);
            return Ok(Value::Nodes(in_order(nodes)));
        }
        let (x, y) = (self.number(&one), self.number(&other));
        Ok(match operator {
            Operator::Plus => Value::Number(x + y),
            Operator::Minus => Value::Number(x - y),
            Operator::Times => Value::Number(x * y),
            Operator::Divided => Value::Number(x / y),
            Operator::Modulo => Value::Number(x % y),
            _ => Value::Truth(self.compared(operator, &one, &other)?),
        })
    }

    /// Of nodes it is enough that one compares so.
    fn compared(&self, operator: Operator, one: &Value, other: &Value) -> Result<bool, Refusal> {
        if let (Value::Nodes(nodes), false) = (one, matches!(other, Value::Truth(_))) {
            for node in nodes {
                plan(OPERATIONS)?;
                let text = self.tree.text_of(*node);
                plan(text.len())?;
                let value = if matches!(other, Value::Number(_)) { Value::Number(number_of(&text)) } else { Value::Text(text) };
                if self.compared(operator, &value, other)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if let (Value::Nodes(nodes), false) = (other, matches!(one, Value::Truth(_))) {
            for node in nodes {
                plan(OPERATIONS)?;
                let text = self.tree.text_of(*node);
                plan(text.len())?;
                let value = if matches!(one, Value::Number(_)) { Value::Number(number_of(&text)) } else { Value::Text(text) };
                if self.compared(operator, one, &value)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if !matches!(operator, Operator::Equal | Operator::Other) {
            return Ok(compare(operator, self.number(one), self.number(other)));
        }
        let is_same = match (one, other) {
            (Value::Truth(_), _) | (_, Value::Truth(_)) => self.truth(one) == self.truth(other),
            (Value::Number(_), _) | (_, Value::Number(_)) => {
                let (x, y) = (self.number(one), self.number(other));
                if x.is_nan() || y.is_nan() {
                    return Ok(operator == Operator::Other);
                }
                x == y
            }
            _ => self.text(one) == self.text(other),
        };
        Ok(is_same == (operator == Operator::Equal))
    }

    fn walk(&self, from: Vec<usize>, steps: &[Step]) -> Result<Vec<usize>, Refusal> {
        let mut nodes = from;
        for step in steps {
            let mut found = Vec::new();
            for node in nodes {
                let reached = self.reached(node, step)?;
                found.extend(self.chosen(reached, &step.predicates)?);
            }
            nodes = in_order(found);
        }
        Ok(nodes)
    }

    /// The nodes of an axis, the nearest first.
    fn reached(&self, from: usize, step: &Step) -> Result<Vec<usize>, Refusal> {
        let nodes = &self.tree.nodes;
        let node = &nodes[from];
        let is_in_tree = |place: &usize| nodes[*place].kind != Kind::Attribute;
        let siblings = || if node.kind == Kind::Attribute { &[][..] } else { &nodes[node.parent].children[..] };
        let above = || {
            let mut found = Vec::new();
            let mut place = from;
            while place != 0 {
                place = nodes[place].parent;
                found.push(place);
            }
            found
        };
        let mut places: Vec<usize> = match step.axis {
            Axis::Child => node.children.clone(),
            Axis::Attribute => node.attributes.clone(),
            Axis::Same => vec![from],
            Axis::Parent => above().into_iter().take(1).collect(),
            Axis::Ancestor => above(),
            Axis::AncestorOrSelf => std::iter::once(from).chain(above()).collect(),
            Axis::Descendant => (from + 1..node.end).filter(is_in_tree).collect(),
            Axis::DescendantOrSelf => std::iter::once(from).chain((from + 1..node.end).filter(is_in_tree)).collect(),
            Axis::Following => (node.end..nodes.len()).filter(is_in_tree).collect(),
            Axis::FollowingSibling => siblings().iter().copied().filter(|one| *one > from).collect(),
            Axis::PrecedingSibling => siblings().iter().copied().filter(|one| *one < from).collect(),
            Axis::Preceding => (1..from).filter(is_in_tree).filter(|one| nodes[*one].end <= from).collect(),
        };
        if matches!(step.axis, Axis::Preceding | Axis::PrecedingSibling) {
            places.reverse();
        }
        plan(OPERATIONS * (1 + places.len()))?;
        places.retain(|place| self.is_meant(*place, step));
        Ok(places)
    }

    fn is_meant(&self, place: usize, step: &Step) -> bool {
        let node = &self.tree.nodes[place];
        let principal = if step.axis == Axis::Attribute { Kind::Attribute } else { Kind::Element };
        match &step.test {
            Test::Node => true,
            Test::Text => node.kind == Kind::Text,
            Test::AnyName => node.kind == principal,
            Test::Name(name) => node.kind == principal && node.name == *name,
        }
    }

    /// Those of nodes that all predicates let through, of which a number is a place.
    fn chosen(&self, mut nodes: Vec<usize>, predicates: &[Expression]) -> Result<Vec<usize>, Refusal> {
        for predicate in predicates {
            let count = nodes.len();
            let mut kept = Vec::new();
            for (index, node) in nodes.into_iter().enumerate() {
                let place = index + 1;
                let is_kept = match self.value(predicate, Context { node, place, count })? {
                    Value::Number(number) => number == place as f64,
                    value => self.truth(&value),
                };
                if is_kept {
                    kept.push(node);
                }
            }
            nodes = kept;
        }
        Ok(nodes)
    }

    fn call(&self, name: &str, arguments: &[Expression], at: Context) -> Result<Value, Refusal> {
        let values = arguments.iter().map(|one| self.value(one, at)).collect::<Result<Vec<_>, _>>()?;
        let own = Value::Nodes(vec![at.node]);
        let first = values.first().unwrap_or(&own);
        let nodes = || match first {
            Value::Nodes(nodes) => Ok(nodes),
            _ => Err(Refusal::Wrong),
        };
        Ok(match name {
            "last" => Value::Number(at.count as f64),
            "position" => Value::Number(at.place as f64),
            "count" => Value::Number(nodes()?.len() as f64),
            "sum" => Value::Number(nodes()?.iter().map(|node| number_of(&self.tree.text_of(*node))).sum()),
            "name" | "local-name" => {
                Value::Text(nodes()?.first().map_or_else(String::new, |node| self.tree.nodes[*node].name.clone()))
            }
            "true" => Value::Truth(true),
            "false" => Value::Truth(false),
            "not" => Value::Truth(!self.truth(first)),
            "boolean" => Value::Truth(self.truth(first)),
            "number" => Value::Number(self.number(first)),
            "floor" => Value::Number(self.number(first).floor()),
            "ceiling" => Value::Number(self.number(first).ceil()),
            "round" => Value::Number((self.number(first) + 0.5).floor()),
            _ => {
                let texts: Vec<String> = values.iter().map(|value| self.text(value)).collect();
                plan(texts.iter().map(String::len).sum::<usize>())?;
                let first = self.text(first);
                match name {
                    "substring" => Value::Text(self.substring(&first, &values[1..])),
                    name => of_texts(name, first, &texts),
                }
            }
        })
    }

    fn substring(&self, text: &str, bounds: &[Value]) -> String {
        let round = |value: &Value| (self.number(value) + 0.5).floor();
        let from = round(&bounds[0]);
        let behind = bounds.get(1).map_or(f64::INFINITY, |count| from + round(count));
        let is_in = |place: usize| place as f64 + 1.0 >= from && (place as f64 + 1.0) < behind;
        text.chars().enumerate().filter(|(place, _)| is_in(*place)).map(|(_, one)| one).collect()
    }
}

fn of_texts(name: &str, first: String, texts: &[String]) -> Value {
    match name {
        "concat" => Value::Text(texts.concat()),
        "contains" => Value::Truth(first.contains(&texts[1])),
        "starts-with" => Value::Truth(first.starts_with(&texts[1])),
        "string-length" => Value::Number(first.chars().count() as f64),
        "normalize-space" => Value::Text(first.split_whitespace().collect::<Vec<_>>().join(" ")),
        "substring-before" => Value::Text(first.split_once(&texts[1]).map_or_else(String::new, |(before, _)| before.to_string())),
        "substring-after" => Value::Text(first.split_once(&texts[1]).map_or_else(String::new, |(_, after)| after.to_string())),
        "translate" => {
            let to: Vec<char> = texts[2].chars().collect();
            let other = |one: char| match texts[1].chars().position(|from| from == one) {
                Some(place) => to.get(place).copied(),
                None => Some(one),
            };
            Value::Text(first.chars().filter_map(other).collect())
        }
        _ => Value::Text(first),
    }
}

/// In the order of the text, each once.
fn in_order(mut nodes: Vec<usize>) -> Vec<usize> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
