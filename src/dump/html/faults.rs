//! Which faults were there, and where are they? The summary at the end of a page.

use crate::dump::cells;
use crate::issue::Kind;
use crate::report::InputSummary;
use crate::text::html::escape;
use crate::text::write;

/// How many faults have a link: a page says of any number how many there are, but what is kept
/// until its end is bounded.
const MOST_LINKS: u64 = 1000;

/// Counts faults, and keeps links to the first ones.
#[derive(Debug, Default)]
pub(super) struct FaultSummary {
    counts: InputSummary,
    /// Lists of links, the last one not yet closed.
    links: Vec<u8>,
    /// Whether a list is open.
    open: bool,
}

impl FaultSummary {
    /// The faults that follow are in another input.
    pub fn next_input(&mut self) {
        if std::mem::take(&mut self.open) {
            self.links.extend_from_slice(b"</ol>\n");
        }
    }

    /// Count a fault in the input of this name. Returns its number, if it has a link.
    pub fn add(&mut self, name: &[u8], offset: u64, kind: Kind) -> Option<u64> {
        self.counts.add(kind);
        let number = self.counts.findings;
        if number > MOST_LINKS {
            return None;
        }
        let links = &mut self.links;
        if !std::mem::replace(&mut self.open, true) {
            links.extend_from_slice(b"<h3><bdi>");
            escape(links, name);
            links.extend_from_slice(b"</bdi></h3>\n<ol>\n");
        }
        links.extend_from_slice(b"<li><a href=\"#f");
        write::decimal(links, number);
        links.extend_from_slice(b"\"><code>");
        cells::offset(links, offset);
        links.extend_from_slice(b"</code> ");
        links.extend_from_slice(kind.id().as_bytes());
        links.extend_from_slice(b"</a></li>\n");
        Some(number)
    }

    /// Append the summary.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        self.next_input();
        out.extend_from_slice(b"<section id=\"faults\">\n<h2>Summary of faults</h2>\n");
        match self.counts.findings {
            0 => out.extend_from_slice(b"<p>There is no ill-formed sequence.</p>\n"),
            _ => self.write_counts(out),
        }
        out.extend_from_slice(&self.links);
        if self.counts.findings > MOST_LINKS {
            let more = self.counts.findings - MOST_LINKS;
            out.extend_from_slice(format!("<p>And {more} more.</p>\n").as_bytes());
        }
        out.extend_from_slice(b"<p><a href=\"#top\">Back to the top</a></p>\n</section>\n");
    }

    fn write_counts(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(
            b"<table>\n<thead><tr><th scope=\"col\">Kind</th><th scope=\"col\">What it is</th>\
              <th scope=\"col\">Number</th></tr></thead>\n<tbody>\n",
        );
        for (kind, number) in self.counts.found() {
            out.extend_from_slice(b"<tr><th scope=\"row\">");
            out.extend_from_slice(kind.id().as_bytes());
            out.extend_from_slice(b"</th><td>");
            escape(out, kind.about().when.as_bytes());
            out.extend_from_slice(format!("</td><td>{number}</td></tr>\n").as_bytes());
        }
        let all = self.counts.findings;
        let total = format!(
            "</tbody>\n<tfoot><tr><th scope=\"row\" colspan=\"2\">In all</th><td>{all}</td></tr></tfoot>\n</table>\n"
        );
        out.extend_from_slice(total.as_bytes());
    }
}
