//! The format `html`: a page with the files that have findings, and a map of each.

use super::{Document, Finding, Format, ReportedInput, path_in_repository};
use crate::text::html::HtmlWriter;
use crate::text::name::InputName;
use crate::text::write;

/// The style sheet, after the shared one.
const STYLE: &str = include_str!("html.css");

/// The width of a map, in units.
const MAP: u64 = 1000;

/// The number of links in the list of files.
const MOST_LINKS: u64 = 1000;

// Marks of records, in their first byte.
const GOOD_INPUT: u8 = b'G';
const FAULTY_INPUT: u8 = b'B';
const FAILED_INPUT: u8 = b'E';

/// The byte between the fields of a record, which no text has.
const FIELD: u8 = 0x1F;

#[derive(Default)]
pub(super) struct HtmlReport {
    /// The rows of the findings of the input so far.
    rows: Vec<u8>,
    /// Their offsets.
    offsets: Vec<u64>,
}

impl HtmlReport {
    /// Appends a record with the section of an input; `content` appends what stands above the
    /// findings.
    fn section(
        &mut self,
        out: &mut Vec<u8>,
        mark: u8,
        name: &InputName<'_>,
        findings: u64,
        content: impl FnOnce(&mut HtmlWriter<'_>, &[u64]),
    ) {
        out.push(mark);
        let mut html = HtmlWriter::new(out);
        html.text(path_in_repository(name));
        html.out.push(FIELD);
        html.number(findings);
        html.out.push(FIELD);
        content(&mut html, &self.offsets);
        if !self.rows.is_empty() {
            html.markup(
                "<table><thead><tr><th scope=\"col\">Line</th><th scope=\"col\">Column</th>\
                 <th scope=\"col\">Offset</th><th scope=\"col\">Bytes</th>\
                 <th scope=\"col\">Finding</th></tr></thead><tbody>",
            );
            html.digits(&self.rows);
            html.markup("</tbody></table>");
        }
        out.push(b'\n');
        self.rows.clear();
        self.offsets.clear();
    }
}

/// Appends the map of a range of a file: a mark for each offset.
fn map(html: &mut HtmlWriter<'_>, start: u64, size: u64, offsets: &[u64]) {
    html.markup("<svg viewBox=\"0 0 1000 20\" preserveAspectRatio=\"none\" role=\"img\" ");
    html.markup("aria-label=\"Places of the findings in the file\"><path d=\"");
    let place = |offset: &u64| {
        let part = u128::from(offset - start) * u128::from(MAP) / u128::from(size.max(1));
        part as u64
    };
    let mut last = None;
    for place in offsets.iter().map(place).filter(|place| last.replace(*place) != Some(*place)) {
        html.markup("M");
        html.number(place);
        html.markup(" 0v20");
    }
    html.markup("\"/></svg>");
}

impl Format for HtmlReport {
    fn finding(&mut self, _: &mut Vec<u8>, finding: &Finding<'_>) {
        self.offsets.push(finding.offset);
        let mut html = HtmlWriter::new(&mut self.rows);
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
            html.element("code", |html| write::bytes(html.out, finding.segment.bytes));
        });
        html.element("td", |html| {
            html.text(&finding.message());
            html.markup(" <span class=\"kind\">");
            html.text(finding.id().as_bytes());
            html.markup("</span>");
        });
        html.markup("</tr>");
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        // An input that was not read to its end has an error, which follows.
        let Some(summary) = input.summary else { return };
        if summary.findings == 0 {
            return out.extend([GOOD_INPUT, b'\n']);
        }
        self.section(out, FAULTY_INPUT, input.name, summary.findings, |html, offsets| {
            html.markup("<p>");
            html.number(summary.findings);
            html.markup(if summary.findings == 1 { " finding in " } else { " findings in " });
            html.number(summary.size);
            html.markup(if summary.size == 1 { " byte" } else { " bytes" });
            html.markup(", read as ");
            html.text(input.encoding.name.as_bytes());
            html.markup("</p>");
            map(html, summary.start, summary.size, offsets);
            if let Some(hidden) = input.hidden {
                html.text_element("p", hidden.as_bytes());
            }
        });
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        let findings = self.offsets.len() as u64;
        self.section(out, FAILED_INPUT, name, findings, |html, _| {
            html.markup("<p class=\"error\">");
            html.text(message.as_bytes());
            html.markup("</p>");
        });
    }
}

/// The page of a run.
#[derive(Default)]
pub(super) struct HtmlDocument {
    inputs: u64,
    /// The inputs with a section: those with findings or an error.
    sections: u64,
    faulty: u64,
    failed: u64,
    findings: u64,
    /// The links to the first sections.
    links: Vec<u8>,
}

impl Document for HtmlDocument {
    fn begin(&mut self, out: &mut Vec<u8>) {
        let mut html = HtmlWriter::new(out);
        html.begin_html(|html| html.markup("utf8 validate"), STYLE);
        html.markup("<header>\n<h1>utf8 validate</h1>\n</header>\n<main>\n");
    }

    fn record(&mut self, out: &mut Vec<u8>, record: &[u8]) {
        let Some((&mark, content)) = record.split_first() else { return };
        self.inputs += 1;
        let mut fields = content.splitn(3, |&byte| byte == FIELD);
        let (Some(name), Some(number), Some(section)) =
            (fields.next(), fields.next(), fields.next())
        else {
            return;
        };
        self.sections += 1;
        self.faulty += u64::from(mark == FAULTY_INPUT);
        self.failed += u64::from(mark == FAILED_INPUT);
        let findings = str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        self.findings += findings.unwrap_or(0u64);
        let anchor = format!("f{}", self.sections);
        let mut html = HtmlWriter::new(out);
        html.markup(&format!("<section id=\"{anchor}\">\n<h2><bdi>"));
        html.digits(name);
        html.markup("</bdi></h2>\n");
        html.digits(section);
        html.markup("\n</section>\n");
        if self.sections <= MOST_LINKS {
            let mut html = HtmlWriter::new(&mut self.links);
            html.markup(&format!("<li><a href=\"#{anchor}\"><bdi>"));
            html.digits(name);
            html.markup("</bdi></a> (");
            match mark {
                FAILED_INPUT => html.markup("not readable"),
                _ => html.digits(number),
            }
            html.markup(")</li>\n");
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        let mut html = HtmlWriter::new(out);
        html.markup("<section id=\"summary\">\n<dl>\n");
        for (what, number) in [
            ("Files checked", self.inputs),
            ("Ill-formed", self.faulty),
            ("Not readable", self.failed),
            ("Findings", self.findings),
        ] {
            html.element("div", |html| {
                html.text_element("dt", what.as_bytes());
                html.element("dd", |html| html.number(number));
            });
            html.markup("\n");
        }
        html.markup("</dl>\n");
        if self.sections == 0 {
            html.markup("<p>All files are well-formed.</p>\n");
        } else {
            html.markup("<ul>\n");
            html.digits(&self.links);
            html.markup("</ul>\n");
        }
        if self.sections > MOST_LINKS {
            html.markup("<p>And ");
            html.number(self.sections - MOST_LINKS);
            html.markup(" more.</p>\n");
        }
        html.markup(
            "</section>\n</main>\n<footer><p>Made by <code>utf8 validate</code></p></footer>\n\
             </body>\n</html>\n",
        );
    }
}
