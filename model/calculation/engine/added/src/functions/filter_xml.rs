//! FILTERXML: what a path of XPath leads to in a text of XML.
use super::util::is_too_long;
use super::x_path::{nodes_of, parse, Refusal};
use super::xml_tree::XmlTree;
use crate::calc_result::CalcResult;
use crate::expressions::parser::{ArrayNode, Node};
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::host;
use crate::model::Model;
use crate::number_format::parse_finite_number;

/// How many characters a path may have.
const LONGEST_PATH: usize = 1024;
/// How many operations it is to read a letter of XML.
const OPERATIONS: usize = 8;

impl<'a> Model<'a> {
    pub(crate) fn fn_filterxml(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let [xml, path] = args else { return CalcResult::new_args_number_error(cell) };
        let (xml, path) = match (self.get_string(xml, cell), self.get_string(path, cell)) {
            (Ok(xml), Ok(path)) => (xml, path),
            (Err(error), _) | (_, Err(error)) => return error,
        };
        match self.nodes_of_xml(&xml, &path) {
            Ok(mut values) if values.len() == 1 => match values.remove(0) {
                ArrayNode::Number(number) => CalcResult::Number(number),
                ArrayNode::String(text) => CalcResult::String(text),
                _ => CalcResult::String(String::new()),
            },
            Ok(values) => CalcResult::Array(values.into_iter().map(|value| vec![value]).collect()),
            Err(Refusal::Wrong) => CalcResult::new_error(Error::VALUE, cell, "Not found".to_string()),
            Err(Refusal::Unknown) => CalcResult::new_error(Error::NIMPL, cell, "Not calculated".to_string()),
        }
    }

    fn nodes_of_xml(&self, xml: &str, path: &str) -> Result<Vec<ArrayNode>, Refusal> {
        if is_too_long(xml) || path.len() > LONGEST_PATH {
            return Err(Refusal::Wrong);
        }
        if host::plan(OPERATIONS * xml.len()) {
            return Err(Refusal::Unknown);
        }
        let tree = XmlTree::parse(xml).ok_or(Refusal::Wrong)?;
        if tree.has_namespaces {
            return Err(Refusal::Unknown);
        }
        let nodes = nodes_of(&tree, &parse(path)?)?;
        if nodes.is_empty() {
            return Err(Refusal::Wrong);
        }
        nodes.into_iter().map(|node| self.value_of_text(tree.text_of(node))).collect()
    }

    /// A text that is a number is that; of days, amounts and spaces at its ends it is not known what becomes of them.
    fn value_of_text(&self, text: String) -> Result<ArrayNode, Refusal> {
        if text.trim() != text {
            return Err(Refusal::Unknown);
        }
        match (parse_finite_number(&text), self.cast_number(&text)) {
            (Some(number), _) => Ok(ArrayNode::Number(number)),
            (None, None) => Ok(ArrayNode::String(text)),
            (None, Some(_)) => Err(Refusal::Unknown),
        }
    }
}
