//! A strict reader of HTML pages.

use std::collections::{HashMap, HashSet};

/// An element, with its place and content.
#[derive(Clone, Debug, Default)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// The names of the enclosing elements, the outermost first.
    pub within: Vec<String>,
    /// Its attributes.
    pub attributes: HashMap<String, String>,
    /// All text in it, nested elements included.
    pub text: String,
}

impl Element {
    /// Returns an attribute, or an empty string.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    /// Returns `true` if the element has a class.
    pub fn is(&self, class: &str) -> bool {
        self.attribute("class").split(' ').any(|one| one == class)
    }
}

/// Parses a page; returns its elements in document order.
///
/// # Panics
/// If an element is not closed or not open, an attribute has no quotes, or a character must be
/// escaped.
pub fn elements(page: &str) -> Vec<Element> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a page begins so");
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        let style = open.last().is_some_and(|&at| elements[at].name == "style");
        let text = if style { text.to_owned() } else { unescape(text) };
        open.iter().for_each(|&at| elements[at].text.push_str(&text));
        let end = tag.find('>').expect("a tag ends");
        rest = &tag[end + 1..];
        let tag = &tag[1..end];
        if let Some(name) = tag.strip_prefix('/') {
            let at = open.pop().expect("nothing is open");
            assert_eq!(elements[at].name, name, "closed in order");
            continue;
        }
        let empty = tag.strip_suffix('/');
        let mut element = element(empty.unwrap_or(tag));
        element.within = open.iter().map(|&at| elements[at].name.clone()).collect();
        let is_void = matches!(&element.name[..], "meta" | "br");
        assert_eq!(empty.is_some(), is_void, "{}", element.name);
        if !is_void {
            open.push(elements.len());
        }
        elements.push(element);
    }
    assert_eq!((open.len(), rest.trim()), (0, ""), "all is closed at the end");
    elements
}

/// Parses a start tag.
fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{tag}");
    let mut attributes = HashMap::new();
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").expect("a value has quotes");
        let (value, behind) = value.split_once('"').expect("a value ends");
        assert!(key.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{tag}");
        assert_eq!(attributes.insert(key.to_owned(), unescape(value)), None, "{tag}");
        assert!(behind.is_empty() || behind.starts_with(' '), "{tag}");
        rest = behind.trim_start();
    }
    Element { name: name.to_owned(), attributes, ..Element::default() }
}

/// Decodes character references.
fn unescape(text: &str) -> String {
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (name, behind) = part.split_once(';').expect("a reference ends");
        plain.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            "#35" => '#',
            _ => panic!("&{name};"),
        });
        plain.push_str(behind);
    }
    let bad = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FFFE}'..='\u{FFFF}')
    };
    assert_eq!(text.chars().find(|&c| matches!(c, '<' | '>' | '"' | '\'') || bad(c)), None);
    plain
}

/// Checks every page's invariants: no external resources, no scripts, and links with targets.
pub fn check(elements: &[Element]) {
    let allowed = "html head meta title style body header nav main section footer h1 h2 h3 p a ul ol \
                   li details summary div span code b u i bdi strong em br table thead tbody tfoot \
                   tr th td";
    let allowed: HashSet<&str> = allowed.split_whitespace().collect();
    let mut ids = HashSet::new();
    for element in elements {
        assert!(allowed.contains(&element.name[..]), "<{}>", element.name);
        for (name, value) in &element.attributes {
            let known = [
                "id",
                "class",
                "href",
                "lang",
                "charset",
                "name",
                "content",
                "scope",
                "colspan",
                "aria-hidden",
                "open",
            ];
            assert!(known.contains(&&name[..]), "{name}={value}");
            assert!(name != "id" || ids.insert(value.as_str()), "two of {value}");
        }
    }
    for link in elements.iter().filter(|element| element.name == "a") {
        let target = link.attribute("href").strip_prefix('#').expect("nothing is outside");
        assert!(ids.contains(target), "{target}");
    }
    let style = elements.iter().find(|element| element.name == "style").expect("it has a style");
    assert!(!style.text.contains("url(") && !style.text.contains("@import"));
}
