//! Paths of XPath 1.0 into texts of XML, for FILTERXML.
mod parser;
mod values;

pub(crate) use parser::parse;
pub(crate) use values::nodes_of;

/// Why there are no nodes.
#[derive(Debug, PartialEq, Clone, Copy)]
pub(crate) enum Refusal {
    /// It is no path, or comes to no nodes.
    Wrong,
    /// It needs what is not known here, or too many steps.
    Unknown,
}

#[derive(PartialEq, Clone, Copy)]
pub(crate) enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Parent,
    Preceding,
    PrecedingSibling,
    Same,
}

impl Axis {
    /// Whether places are counted against the order of the text.
    fn is_reverse(self) -> bool {
        matches!(self, Axis::Ancestor | Axis::AncestorOrSelf | Axis::Parent | Axis::Preceding | Axis::PrecedingSibling)
    }
}

/// What nodes of an axis are taken.
pub(crate) enum Test {
    Name(String),
    /// Elements, or attributes, of any name.
    AnyName,
    Text,
    Node,
}

pub(crate) struct Step {
    axis: Axis,
    test: Test,
    predicates: Vec<Expression>,
}

#[derive(PartialEq, Clone, Copy)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Other,
    Less,
    AtMost,
    More,
    AtLeast,
    Plus,
    Minus,
    Times,
    Divided,
    Modulo,
    Union,
}

pub(crate) enum Expression {
    Number(f64),
    Text(String),
    Call(String, Vec<Expression>),
    Negative(Box<Expression>),
    Both(Operator, Box<Expression>, Box<Expression>),
    /// From the root, else from the node that is looked at.
    Path(bool, Vec<Step>),
    /// What another expression comes to, of which predicates choose, and steps from there.
    Chosen(Box<Expression>, Vec<Expression>, Vec<Step>),
}
