//! The frame of a page: head, legend, sections, and the summary of ill-formed sequences.

use super::HtmlWriter;
use crate::issue::Kind;
use crate::lint::Level;
use crate::registry::Encoding;
use crate::report::InputSummary;

/// The style sheet. It is part of the page, which refers to no other file.
const STYLE: &str = include_str!("style.css");
/// The legend.
const LEGEND: &str = include_str!("legend.html");

/// The headings of the columns. The columns of all rows are in this order.
const HEADINGS: &str = "<p class=\"h\" aria-hidden=\"true\"><span>Offset</span><span>Bits</span>\
    <span>Bytes</span><span>Code point</span><span>Character and name</span></p>\n<div>\n";

impl HtmlWriter<'_> {
    /// Begins a page. The title has the name of the first input, if there is one; `several` says
    /// that there can be others.
    pub fn begin_page(&mut self, name: Option<&[u8]>, several: bool) {
        let title = |html: &mut Self| {
            if let Some(name) = name {
                html.text(name);
                html.markup(if several { " and others: " } else { ": " });
            }
            html.markup("bytes and characters");
        };
        self.begin_html(title, STYLE);
        self.markup(
            "<header>\n<h1>Bytes and characters</h1>\n\
             <p><a href=\"#faults\">Ill-formed sequences</a></p>\n</header>\n<main>\n",
        );
        self.markup(LEGEND);
    }

    /// Ends a page.
    pub fn end_page(&mut self) {
        self.markup(
            "</main>\n<footer><p>Made by <code>utf8 dump-bits</code></p></footer>\n</body>\n\
             </html>\n",
        );
    }

    /// Begins the section of an input and its first group of rows.
    pub fn begin_input(&mut self, name: &[u8], encoding: &Encoding) {
        self.markup("<section>\n<h2>");
        self.text_element("bdi", name);
        self.markup("</h2>\n<p>Read as ");
        self.text(encoding.name.as_bytes());
        self.markup(": ");
        self.text(encoding.summary.as_bytes());
        self.markup(".</p>\n");
        self.markup(HEADINGS);
    }

    /// Ends the section of an input. `empty` is true if it has no rows.
    pub fn end_input(&mut self, empty: bool) {
        self.markup("</div>\n");
        if empty {
            self.markup("<p>Nothing to show.</p>\n");
        }
        self.markup("</section>\n");
    }

    /// Ends a group of rows and begins the next. A browser lays out only visible groups.
    pub fn next_group(&mut self) {
        self.markup("</div>\n<div>\n");
    }

    /// Reports a number of bytes that are not shown.
    pub fn gap(&mut self, bytes: u64) {
        self.markup("<p class=\"o\">");
        self.number(bytes);
        self.markup(if bytes == 1 { " byte" } else { " bytes" });
        self.markup(" not shown</p>\n");
    }

    /// Appends the summary of ill-formed sequences.
    pub(super) fn faults(&mut self, faults: &mut FaultSummary) {
        faults.end_input();
        self.markup("<section id=\"faults\">\n<h2>Ill-formed sequences</h2>\n");
        match faults.counts.findings {
            0 => self.markup("<p>There are none.</p>\n"),
            _ => self.counts(&faults.counts),
        }
        self.out.extend_from_slice(&faults.links);
        if faults.counts.findings > MOST_LINKS {
            self.markup("<p>And ");
            self.number(faults.counts.findings - MOST_LINKS);
            self.markup(" more.</p>\n");
        }
        self.markup("<p><a href=\"#top\">Back to the top</a></p>\n</section>\n");
    }

    /// Appends the table with the number of ill-formed sequences of each kind.
    fn counts(&mut self, counts: &InputSummary) {
        self.markup(
            "<table>\n<thead><tr><th scope=\"col\">Kind</th><th scope=\"col\">Meaning</th>\
             <th scope=\"col\">Number</th></tr></thead>\n<tbody>\n",
        );
        for (kind, number) in counts.kinds() {
            self.markup("<tr><th scope=\"row\">");
            self.text(kind.id().as_bytes());
            self.markup("</th>");
            self.text_element("td", kind.row().explanation.as_bytes());
            self.element("td", |html| html.number(number));
            self.markup("</tr>\n");
        }
        self.markup("</tbody>\n<tfoot><tr><th scope=\"row\" colspan=\"2\">Total</th>");
        self.element("td", |html| html.number(counts.findings));
        self.markup("</tr></tfoot>\n</table>\n");
    }
}

/// Number of ill-formed sequences with a link in the summary. It bounds the memory for links; all
/// sequences are counted.
const MOST_LINKS: u64 = 1000;

/// Counts of ill-formed sequences, and links to the first [`MOST_LINKS`].
#[derive(Debug, Default)]
pub(super) struct FaultSummary {
    counts: InputSummary,
    /// Lists of links, one for each input.
    links: Vec<u8>,
    /// True while the last list is not closed.
    open: bool,
}

impl FaultSummary {
    /// Ends the list of links of an input.
    pub fn end_input(&mut self) {
        if std::mem::take(&mut self.open) {
            HtmlWriter::new(&mut self.links).markup("</ol>\n");
        }
    }

    /// Adds an ill-formed sequence at an offset of the input with this name. Returns its number,
    /// from 1 on, if it has a link.
    pub fn add(&mut self, name: &[u8], offset: u64, kind: Kind) -> Option<u64> {
        self.counts.add(kind, Level::Deny, 1);
        let number = self.counts.findings;
        if number > MOST_LINKS {
            return None;
        }
        let mut html = HtmlWriter::new(&mut self.links);
        if !std::mem::replace(&mut self.open, true) {
            html.element("h3", |html| html.text_element("bdi", name));
            html.markup("\n<ol>\n");
        }
        html.markup("<li><a href=\"#f");
        html.number(number);
        html.markup("\">");
        html.element("code", |html| html.offset(offset));
        html.markup(" ");
        html.text(kind.id().as_bytes());
        html.markup("</a></li>\n");
        Some(number)
    }
}
