//! The format `html`: a page with the files that have findings, and a map of each.

use super::totals::{self, RunTotals};
use super::{Document, Finding, Format, ReportedInput, path_in_repository};
use crate::text::html::{HtmlWriter, escape};
use crate::text::name::InputName;
use crate::text::write;

/// The style sheet, after the shared one.
const STYLE: &str = include_str!("html.css");

/// The number of places in a map.
const PLACES: usize = 1000;

/// The maximum number of links in the list of files.
const MOST_LINKS: u64 = 1000;

// Marks of records, in their first byte.
const INPUT: u8 = b'I';
const ROW: u8 = b'R';
const ABOVE_TABLE: u8 = b'A';
const LINK_NOTE: u8 = b'L';

#[derive(Default)]
pub(super) struct HtmlReport {
    /// The places of the findings of the input so far.
    places: PlaceMap,
    /// The number of findings so far.
    findings: u64,
}

/// The places of findings in a file, of which the size is not known yet. Memory is bounded.
#[derive(Default)]
struct PlaceMap {
    /// The offset of the first finding.
    first: u64,
    /// The number of bytes of a place is two to this power.
    shift: u32,
    /// The places with a finding.
    marks: Vec<bool>,
}

impl PlaceMap {
    /// Adds a finding after the others.
    fn add(&mut self, offset: u64) {
        if self.marks.is_empty() {
            *self = PlaceMap { first: offset, shift: 0, marks: vec![false; PLACES] };
        }
        let distance = offset - self.first;
        while distance >> self.shift >= PLACES as u64 {
            for place in 0..PLACES {
                let pair = self.marks.get(2 * place..2 * place + 2);
                self.marks[place] = pair.is_some_and(|pair| pair.contains(&true));
            }
            self.shift += 1;
        }
        self.marks[(distance >> self.shift) as usize] = true;
    }

    /// Appends the map of a range: a mark for each place.
    fn draw(&self, html: &mut HtmlWriter<'_>, start: u64, size: u64) {
        html.markup("<svg viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" role=\"img\" ");
        html.markup("aria-label=\"Places of the findings in the file\"><path d=\"");
        let marked = (0u64..).zip(&self.marks).filter(|(_, mark)| **mark);
        for (place, _) in marked {
            let offset = self.first + (place << self.shift) - start;
            let x = u128::from(offset) * PLACES as u128 / u128::from(size.max(1));
            html.markup("M");
            html.number(x as u64);
            html.markup(" 0v20");
        }
        html.markup("\"/></svg>");
    }
}

/// Appends a record that begins the section of an input.
fn begin_section(out: &mut Vec<u8>, name: &InputName<'_>) {
    out.push(INPUT);
    escape(out, path_in_repository(name));
    out.push(b'\n');
}

/// Appends records that end the section of an input: its part above the table, and the note
/// beside its link.
fn end_section(out: &mut Vec<u8>, note: &str, content: impl FnOnce(&mut HtmlWriter<'_>)) {
    out.push(ABOVE_TABLE);
    content(&mut HtmlWriter::new(out));
    out.extend(format!("\n{}{note}\n", char::from(LINK_NOTE)).bytes());
}

impl Format for HtmlReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        if self.findings == 0 {
            begin_section(out, finding.name);
        }
        self.findings += 1;
        self.places.add(finding.offset);
        out.push(ROW);
        let mut html = HtmlWriter::new(out);
        html.markup("<tr>");
        for number in finding.line_and_column() {
            html.element("td", |html| number.into_iter().for_each(|number| html.number(number)));
        }
        html.element("td", |html| {
            html.element("code", |html| {
                html.markup("0x");
                write::hexadecimal(html.out, finding.offset, 1);
            });
        });
        html.element("td", |html| {
            html.element("code", |html| write::bytes(html.out, finding.bytes()));
        });
        html.element("td", |html| {
            html.text(&finding.message());
            html.markup(" <span class=\"kind\">");
            html.text(finding.id().as_bytes());
            html.markup("</span>");
        });
        html.markup("</tr>\n");
    }

    fn hide(&mut self, offset: u64) {
        self.places.add(offset);
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        // An input that was not read to its end has an error, which follows.
        let Some(summary) = input.summary else { return };
        if summary.findings > 0 {
            if self.findings == 0 {
                begin_section(out, input.name);
            }
            end_section(out, &summary.findings.to_string(), |html| {
                html.markup("<p>Findings: ");
                html.number(summary.findings);
                html.markup(". Bytes: ");
                html.number(summary.size);
                if let Some(encoding) = input.encoding {
                    html.markup(". Encoding: ");
                    html.text(encoding.name.as_bytes());
                }
                html.markup("</p>");
                self.places.draw(html, summary.start, summary.size);
                if let Some(note) = input.document_note() {
                    html.text_element("p", note.as_bytes());
                }
            });
        }
        totals::end_input(out, summary);
        *self = HtmlReport::default();
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        if self.findings == 0 {
            begin_section(out, name);
        }
        end_section(out, "not readable", |html| {
            html.markup("<p class=\"error\">");
            html.text(message.as_bytes());
            html.markup("</p>");
        });
        totals::fail_input(out);
        *self = HtmlReport::default();
    }
}

/// The page of a run.
#[derive(Default)]
pub(super) struct HtmlDocument {
    /// The name of the command.
    command: &'static str,
    totals: RunTotals,
    /// The number of sections: of inputs with findings or an error.
    sections: u64,
    /// The links to the first sections.
    links: Vec<u8>,
    /// The name of the input, escaped.
    name: Vec<u8>,
    /// True while the table of its findings is open.
    in_table: bool,
}

/// The start of a table of findings.
const TABLE: &str = "<table><thead><tr><th scope=\"col\">Line</th><th scope=\"col\">Column</th>\
    <th scope=\"col\">Offset</th><th scope=\"col\">Bytes</th><th scope=\"col\">Finding</th></tr>\
    </thead><tbody>\n";

impl HtmlDocument {
    pub fn new(command: &'static str) -> HtmlDocument {
        HtmlDocument { command, ..HtmlDocument::default() }
    }

    /// Adds the link to a section, with a note.
    fn add_link(&mut self, note: &[u8]) {
        if self.sections <= MOST_LINKS {
            let mut html = HtmlWriter::new(&mut self.links);
            html.markup(&format!("<li><a href=\"#f{}\"><bdi>", self.sections));
            html.escaped(&self.name);
            html.markup("</bdi></a> (");
            html.escaped(note);
            html.markup(")</li>\n");
        }
    }
}

impl Document for HtmlDocument {
    fn begin(&mut self, out: &mut Vec<u8>) {
        let mut html = HtmlWriter::new(out);
        let title = format!("utf8 {}", self.command);
        html.begin_html(|html| html.markup(&title), STYLE);
        html.markup(&format!("<header>\n<h1>{title}</h1>\n</header>\n<main>\n"));
    }

    fn record(&mut self, out: &mut Vec<u8>, record: &[u8]) {
        let Some((&mark, content)) = record.split_first() else { return };
        let mut html = HtmlWriter::new(out);
        match mark {
            INPUT => {
                self.sections += 1;
                self.name = content.to_vec();
                html.markup(&format!("<section id=\"f{}\">\n<h2><bdi>", self.sections));
                html.escaped(content);
                html.markup("</bdi></h2>\n");
            }
            ROW => {
                if !std::mem::replace(&mut self.in_table, true) {
                    html.markup(TABLE);
                }
                html.escaped(content);
                html.markup("\n");
            }
            ABOVE_TABLE => {
                if std::mem::take(&mut self.in_table) {
                    html.markup("</tbody></table>\n");
                }
                html.markup("<div>");
                html.escaped(content);
                html.markup("</div>\n</section>\n");
            }
            LINK_NOTE => self.add_link(content),
            _ => {
                self.totals.add(record);
            }
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        let mut html = HtmlWriter::new(out);
        html.markup("<section id=\"summary\">\n<dl>\n");
        for (label, number) in [
            ("Files checked", self.totals.inputs),
            ("With errors", self.totals.faulty),
            ("Not readable", self.totals.failed),
            ("Findings", self.totals.findings),
        ] {
            html.element("div", |html| {
                html.text_element("dt", label.as_bytes());
                html.element("dd", |html| html.number(number));
            });
            html.markup("\n");
        }
        html.markup("</dl>\n");
        if self.sections == 0 {
            html.markup("<p>No findings.</p>\n");
        } else {
            html.markup("<ul>\n");
            html.escaped(&self.links);
            html.markup("</ul>\n");
        }
        if self.sections > MOST_LINKS {
            html.markup("<p>And ");
            html.number(self.sections - MOST_LINKS);
            html.markup(" more.</p>\n");
        }
        html.markup(&format!(
            "</section>\n</main>\n<footer><p>Made by <code>utf8 {}</code></p></footer>\n\
             </body>\n</html>\n",
            self.command
        ));
    }
}
