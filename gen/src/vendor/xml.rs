//! XML with two spaces of indentation; every text is escaped.

use super::escape;

pub struct Xml {
    out: String,
    open: Vec<&'static str>,
}

pub type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Xml {
    pub fn new() -> Self {
        Xml { out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".into(), open: Vec::new() }
    }

    fn start(&mut self, tag: &str, attributes: Attributes) {
        self.out.push_str(&"  ".repeat(self.open.len()));
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push_str(&format!(" {name}=\"{}\"", escape::xml(value)));
        }
    }

    /// An element with elements in it, which `content` writes.
    pub fn element(&mut self, tag: &'static str, attributes: Attributes, content: impl FnOnce(&mut Self)) {
        self.start(tag, attributes);
        self.out.push_str(">\n");
        self.open.push(tag);
        content(self);
        self.open.pop();
        self.out.push_str(&format!("{}</{tag}>\n", "  ".repeat(self.open.len())));
    }

    /// An element with a text.
    pub fn text(&mut self, tag: &str, attributes: Attributes, text: &str) {
        self.start(tag, attributes);
        self.out.push_str(&format!(">{}</{tag}>\n", escape::xml(text)));
    }

    pub fn empty(&mut self, tag: &str, attributes: Attributes) {
        self.start(tag, attributes);
        self.out.push_str("/>\n");
    }

    pub fn finish(self) -> String {
        self.out
    }
}
