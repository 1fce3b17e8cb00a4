//! What is around the rows of a page?

use crate::registry::Encoding;
use crate::text::html::escape;

/// How a page looks. It stands in the page: a page needs nothing else.
const STYLE: &str = include_str!("style.css");
/// What the marks of a page mean.
const LEGEND: &str = include_str!("legend.html");

/// Append the beginning of a page about an input of this name, and maybe others.
pub(super) fn begin(out: &mut Vec<u8>, name: Option<&[u8]>, several: bool) {
    out.extend_from_slice(
        b"<!DOCTYPE html>\n<html lang=\"en\" id=\"top\">\n<head>\n<meta charset=\"utf-8\"/>\n\
          <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
          <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>",
    );
    if let Some(name) = name {
        escape(out, name);
        out.extend_from_slice(if several { b" and others: " } else { b": " });
    }
    out.extend_from_slice(b"what is in each byte</title>\n<style>\n");
    out.extend_from_slice(STYLE.as_bytes());
    out.extend_from_slice(
        b"</style>\n</head>\n<body>\n<header>\n<h1>What is in each byte</h1>\n\
          <p><a href=\"#faults\">Summary of faults</a></p>\n</header>\n<main>\n",
    );
    out.extend_from_slice(LEGEND.as_bytes());
}

/// What the columns of rows are, where they are columns. Each row has them in this order.
const HEADINGS: &str = "<p class=\"h\" aria-hidden=\"true\"><span>Offset</span><span>Bits</span>\
    <span>Bytes</span><span>Code point</span><span>Character and name</span></p>\n<div>\n";

/// Append the beginning of an input.
pub(super) fn begin_input(out: &mut Vec<u8>, name: &[u8], spec: &Encoding) {
    out.extend_from_slice(b"<section>\n<h2><bdi>");
    escape(out, name);
    out.extend_from_slice(b"</bdi></h2>\n<p>Read as ");
    escape(out, spec.name.as_bytes());
    out.extend_from_slice(b": ");
    escape(out, spec.summary.as_bytes());
    out.extend_from_slice(b".</p>\n");
    out.extend_from_slice(HEADINGS.as_bytes());
}

/// Append the end of an input.
pub(super) fn end_input(out: &mut Vec<u8>, empty: bool) {
    out.extend_from_slice(b"</div>\n");
    if empty {
        out.extend_from_slice(b"<p>There is nothing to show.</p>\n");
    }
    out.extend_from_slice(b"</section>\n");
}

/// Append what stands between two groups of rows: a browser lays out only those groups that can be
/// seen.
pub(super) fn next_group(out: &mut Vec<u8>) {
    out.extend_from_slice(b"</div>\n<div>\n");
}

/// Append what stands for bytes that are not shown.
pub(super) fn left_out(out: &mut Vec<u8>, bytes: u64) {
    let bytes = if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") };
    out.extend_from_slice(format!("<p class=\"o\">{bytes} not shown</p>\n").as_bytes());
}

/// Append the end of a page.
pub(super) fn end(out: &mut Vec<u8>) {
    out.extend_from_slice(
        b"</main>\n<footer><p>Made by <code>utf8 dump-bits</code></p></footer>\n</body>\n</html>\n",
    );
}
