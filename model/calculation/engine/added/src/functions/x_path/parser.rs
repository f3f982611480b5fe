//! Reads paths of XPath.
use super::{Axis, Expression, Operator, Refusal, Step, Test};

/// How deep expressions may be nested.
const DEEPEST: usize = 60;
/// The operators by how weakly they bind.
const OPERATORS: [&[(&str, Operator)]; 7] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[("=", Operator::Equal), ("!=", Operator::Other)],
    &[("<=", Operator::AtMost), ("<", Operator::Less), (">=", Operator::AtLeast), (">", Operator::More)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("div", Operator::Divided), ("mod", Operator::Modulo)],
    &[("|", Operator::Union)],
];
/// How many arguments each function takes, at least and at most.
const FUNCTIONS: [(&str, usize, usize); 24] = [
    ("boolean", 1, 1), ("ceiling", 1, 1), ("concat", 2, 99), ("contains", 2, 2), ("count", 1, 1), ("false", 0, 0),
    ("floor", 1, 1), ("last", 0, 0), ("local-name", 0, 1), ("name", 0, 1), ("normalize-space", 0, 1), ("not", 1, 1),
    ("number", 0, 1), ("position", 0, 0), ("round", 1, 1), ("starts-with", 2, 2), ("string", 0, 1),
    ("string-length", 0, 1), ("substring", 2, 3), ("substring-after", 2, 2), ("substring-before", 2, 2), ("sum", 1, 1),
    ("translate", 3, 3), ("true", 0, 0),
];

#[derive(PartialEq, Clone, Debug)]
enum Token {
    Sign(&'static str),
    Name(String),
    Number(f64),
    Text(String),
}

const SIGNS: [&str; 22] = [
    "//", "::", "..", "!=", "<=", ">=", "/", ".", "@", "(", ")", "[", "]", ",", "*", "|", "+", "-", "=", "<", ">", "$",
];

fn token_of(text: &str) -> Option<(Token, &str)> {
    let first = text.chars().next()?;
    let is_number = first.is_ascii_digit() || (first == '.' && text[1..].starts_with(|one: char| one.is_ascii_digit()));
    if is_number {
        let end = text.find(|one: char| !one.is_ascii_digit() && one != '.').unwrap_or(text.len());
        return Some((Token::Number(text[..end].parse().ok()?), &text[end..]));
    }
    if matches!(first, '"' | '\'') {
        let (inner, rest) = text[1..].split_once(first)?;
        return Some((Token::Text(inner.to_string()), rest));
    }
    if first.is_alphabetic() || first == '_' {
        let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '-' | '.');
        let (name, rest) = text.split_at(text.find(|one| !is_part(one)).unwrap_or(text.len()));
        return Some((Token::Name(name.to_string()), rest));
    }
    let sign = SIGNS.into_iter().find(|sign| text.starts_with(sign))?;
    Some((Token::Sign(sign), &text[sign.len()..]))
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// Reads an expression.
pub(crate) fn parse(text: &str) -> Result<Expression, Refusal> {
    let mut tokens = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (token, behind) = token_of(rest).ok_or(Refusal::Wrong)?;
        tokens.push(token);
        rest = behind.trim_start();
    }
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let read = parser.operation(0)?;
    if parser.at < parser.tokens.len() { Err(Refusal::Wrong) } else { Ok(read) }
}

impl Parser {
    fn is(&self, sign: &str, ahead: usize) -> bool {
        matches!(self.tokens.get(self.at + ahead), Some(Token::Sign(one)) if *one == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is = self.is(sign, 0);
        self.at += usize::from(is);
        is
    }

    fn expects(&mut self, sign: &str) -> Result<(), Refusal> {
        if self.takes(sign) { Ok(()) } else { Err(Refusal::Wrong) }
    }

    fn operator(&mut self, level: usize) -> Option<Operator> {
        let written = match self.tokens.get(self.at)? {
            Token::Sign(sign) => *sign,
            Token::Name(name) => name.as_str(),
            _ => return None,
        };
        let (_, operator) = OPERATORS[level].iter().find(|(sign, _)| *sign == written)?;
        self.at += 1;
        Some(*operator)
    }

    fn operation(&mut self, level: usize) -> Result<Expression, Refusal> {
        if level == 0 {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(Refusal::Unknown);
            }
        }
        let mut left = self.operand(level)?;
        while let Some(operator) = self.operator(level) {
            let right = self.operand(level)?;
            left = Expression::Both(operator, Box::new(left), Box::new(right));
        }
        self.depth -= usize::from(level == 0);
        Ok(left)
    }

    fn operand(&mut self, level: usize) -> Result<Expression, Refusal> {
        if level + 1 == OPERATORS.len() {
            return self.path();
        }
        // A minus binds more weakly than the sign between paths alone.
        if level + 2 == OPERATORS.len() {
            let mut signs = 0;
            while self.takes("-") {
                signs += 1;
            }
            let inner = self.operation(level + 1)?;
            return Ok(match signs {
                0 => inner,
                signs if signs % 2 == 0 => Expression::Negative(Box::new(Expression::Negative(Box::new(inner)))),
                _ => Expression::Negative(Box::new(inner)),
            });
        }
        self.operation(level + 1)
    }

    fn path(&mut self) -> Result<Expression, Refusal> {
        if let Some(first) = self.primary()? {
            let predicates = self.predicates()?;
            let steps = if self.is("/", 0) || self.is("//", 0) { self.further()? } else { Vec::new() };
            let is_plain = predicates.is_empty() && steps.is_empty();
            return Ok(if is_plain { first } else { Expression::Chosen(Box::new(first), predicates, steps) });
        }
        if self.is("/", 0) || self.is("//", 0) {
            let begins = |token: Option<&Token>| {
                matches!(token, Some(Token::Name(_) | Token::Sign("@" | "." | ".." | "*")))
            };
            if self.is("/", 0) && !begins(self.tokens.get(self.at + 1)) {
                self.at += 1;
                return Ok(Expression::Path(true, Vec::new()));
            }
            return Ok(Expression::Path(true, self.further()?));
        }
        let mut steps = vec![self.step()?];
        steps.extend(self.further()?);
        Ok(Expression::Path(false, steps))
    }

    /// Steps that each have a slash before them.
    fn further(&mut self) -> Result<Vec<Step>, Refusal> {
        let mut steps = Vec::new();
        loop {
            if self.takes("//") {
                steps.push(Step { axis: Axis::DescendantOrSelf, test: Test::Node, predicates: Vec::new() });
            } else if !self.takes("/") {
                return Ok(steps);
            }
            steps.push(self.step()?);
        }
    }

    fn primary(&mut self) -> Result<Option<Expression>, Refusal> {
        let found = match self.tokens.get(self.at) {
            Some(Token::Number(number)) => Expression::Number(*number),
            Some(Token::Text(text)) => Expression::Text(text.clone()),
            Some(Token::Sign("$")) => return Err(Refusal::Wrong),
            Some(Token::Sign("(")) => {
                self.at += 1;
                let inner = self.operation(0)?;
                self.expects(")")?;
                return Ok(Some(inner));
            }
            Some(Token::Name(name)) if self.is("(", 1) && !matches!(name.as_str(), "text" | "node" | "comment") => {
                let name = name.clone();
                self.at += 2;
                return self.call(name).map(Some);
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(found))
    }

    fn call(&mut self, name: String) -> Result<Expression, Refusal> {
        let mut arguments = Vec::new();
        if !self.takes(")") {
            loop {
                arguments.push(self.operation(0)?);
                if self.takes(")") {
                    break;
                }
                self.expects(",")?;
            }
        }
        let Some((_, least, most)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return Err(Refusal::Unknown);
        };
        let is_right = (*least..=*most).contains(&arguments.len());
        if is_right { Ok(Expression::Call(name, arguments)) } else { Err(Refusal::Wrong) }
    }

    fn predicates(&mut self) -> Result<Vec<Expression>, Refusal> {
        let mut found = Vec::new();
        while self.takes("[") {
            found.push(self.operation(0)?);
            self.expects("]")?;
        }
        Ok(found)
    }

    fn step(&mut self) -> Result<Step, Refusal> {
        let short = if self.takes("..") { Some(Axis::Parent) } else { self.takes(".").then_some(Axis::Same) };
        if let Some(axis) = short {
            return Ok(Step { axis, test: Test::Node, predicates: self.predicates()? });
        }
        let axis = self.axis()?;
        let test = self.test()?;
        Ok(Step { axis, test, predicates: self.predicates()? })
    }

    fn axis(&mut self) -> Result<Axis, Refusal> {
        if self.takes("@") {
            return Ok(Axis::Attribute);
        }
        let Some(Token::Name(name)) = self.tokens.get(self.at).filter(|_| self.is("::", 1)) else {
            return Ok(Axis::Child);
        };
        let axis = match name.as_str() {
            "ancestor" => Axis::Ancestor,
            "ancestor-or-self" => Axis::AncestorOrSelf,
            "attribute" => Axis::Attribute,
            "child" => Axis::Child,
            "descendant" => Axis::Descendant,
            "descendant-or-self" => Axis::DescendantOrSelf,
            "following" => Axis::Following,
            "following-sibling" => Axis::FollowingSibling,
            "parent" => Axis::Parent,
            "preceding" => Axis::Preceding,
            "preceding-sibling" => Axis::PrecedingSibling,
            "self" => Axis::Same,
            _ => return Err(Refusal::Wrong),
        };
        self.at += 2;
        Ok(axis)
    }

    fn test(&mut self) -> Result<Test, Refusal> {
        if self.takes("*") {
            return Ok(Test::AnyName);
        }
        let Some(Token::Name(name)) = self.tokens.get(self.at) else { return Err(Refusal::Wrong) };
        let name = name.clone();
        self.at += 1;
        if !self.takes("(") {
            return Ok(Test::Name(name));
        }
        self.expects(")")?;
        match name.as_str() {
            "text" => Ok(Test::Text),
            "node" => Ok(Test::Node),
            _ => Err(Refusal::Unknown),
        }
    }
}
