//! Texts of XML as trees, whose nodes are in the order of the text.

#[derive(PartialEq, Clone, Copy)]
pub(crate) enum Kind {
    Root,
    Element,
    Attribute,
    Text,
}

pub(crate) struct XmlNode {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// Of texts and attributes.
    text: String,
    pub(crate) parent: usize,
    pub(crate) attributes: Vec<usize>,
    pub(crate) children: Vec<usize>,
    /// Behind its last descendant.
    pub(crate) end: usize,
}

pub(crate) struct XmlTree {
    pub(crate) nodes: Vec<XmlNode>,
    /// Elements of namespaces have names that a path cannot say.
    pub(crate) has_namespaces: bool,
}

fn is_part_of_name(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '-' | '.' | ':')
}

/// A name and what is behind it.
fn name_of(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_at(text.find(|one: char| !is_part_of_name(one)).unwrap_or(text.len()));
    name.starts_with(|one: char| one.is_alphabetic() || one == '_').then_some((name, rest))
}

/// A text with the characters that its references stand for.
fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('&');
    let mut written = parts.next()?.to_string();
    for part in parts {
        let (reference, rest) = part.split_once(';')?;
        written.push(match reference {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            number => {
                let digits = number.strip_prefix('#')?;
                let code = match digits.strip_prefix('x') {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => digits.parse(),
                };
                char::from_u32(code.ok()?)?
            }
        });
        written.push_str(rest);
    }
    Some(written)
}

impl XmlTree {
    /// None where it is no XML.
    pub(crate) fn parse(text: &str) -> Option<XmlTree> {
        let mut tree = XmlTree { nodes: Vec::new(), has_namespaces: false };
        let root = tree.add(Kind::Root, "", String::new(), 0);
        let mut open = vec![root];
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            rest = if let Some(inner) = rest.strip_prefix("<!--") {
                inner.split_once("-->")?.1
            } else if let Some(inner) = rest.strip_prefix("<![CDATA[") {
                let (text, behind) = inner.split_once("]]>")?;
                tree.add_text(*open.last()?, text.to_string())?;
                behind
            } else if let Some(inner) = rest.strip_prefix("<?") {
                inner.split_once("?>")?.1
            } else if let Some(inner) = rest.strip_prefix("</") {
                let (name, behind) = inner.split_once('>')?;
                let element = open.pop().filter(|element| tree.nodes[*element].name == name.trim_end())?;
                tree.close(element)?;
                behind
            } else if let Some(inner) = rest.strip_prefix('<') {
                tree.begin(inner, &mut open)?
            } else {
                let (text, behind) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
                tree.add_text(*open.last()?, decoded(text)?)?;
                behind
            };
        }
        tree.nodes[root].end = tree.nodes.len();
        (open.len() == 1 && tree.nodes[root].children.len() == 1).then_some(tree)
    }

    fn add(&mut self, kind: Kind, name: &str, text: String, parent: usize) -> usize {
        let (attributes, children) = (Vec::new(), Vec::new());
        let place = self.nodes.len();
        self.nodes.push(XmlNode { kind, name: name.to_string(), text, parent, attributes, children, end: place + 1 });
        place
    }

    /// Spaces between elements are no text.
    fn add_text(&mut self, parent: usize, text: String) -> Option<()> {
        if text.trim().is_empty() {
            return Some(());
        }
        if parent == 0 {
            return None;
        }
        let place = self.add(Kind::Text, "", text, parent);
        self.nodes[parent].children.push(place);
        Some(())
    }

    fn close(&mut self, element: usize) -> Option<()> {
        let end = self.nodes.len();
        let node = self.nodes.get_mut(element).filter(|node| node.kind == Kind::Element)?;
        node.end = end;
        Some(())
    }

    /// Adds the element that begins, and gives what is behind its tag.
    fn begin<'t>(&mut self, text: &'t str, open: &mut Vec<usize>) -> Option<&'t str> {
        let (name, mut rest) = name_of(text)?;
        let parent = *open.last()?;
        let element = self.add(Kind::Element, name, String::new(), parent);
        self.nodes[parent].children.push(element);
        self.has_namespaces |= name.contains(':');
        loop {
            rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix("/>") {
                self.close(element)?;
                return Some(behind);
            }
            if let Some(behind) = rest.strip_prefix('>') {
                open.push(element);
                return Some(behind);
            }
            let (name, behind) = name_of(rest)?;
            let value = behind.trim_start().strip_prefix('=')?.trim_start();
            let quote = value.chars().next().filter(|one| matches!(one, '"' | '\''))?;
            let (value, behind) = value[1..].split_once(quote)?;
            self.has_namespaces |= name.starts_with("xmlns") || name.contains(':');
            let attribute = self.add(Kind::Attribute, name, decoded(value)?, element);
            self.nodes[element].attributes.push(attribute);
            rest = behind;
        }
    }

    /// The text of a node, of an element that of all that is in it.
    pub(crate) fn text_of(&self, place: usize) -> String {
        let node = &self.nodes[place];
        if matches!(node.kind, Kind::Text | Kind::Attribute) {
            return node.text.clone();
        }
        let inner = &self.nodes[place..node.end];
        inner.iter().filter(|one| one.kind == Kind::Text).map(|one| one.text.as_str()).collect()
    }
}
