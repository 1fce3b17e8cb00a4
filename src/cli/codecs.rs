//! Which codecs are there? `--list-codecs`

use clap::{Args, ValueEnum};

use super::session::Session;
use crate::codec::CODECS;
use crate::report::json::Object;

#[derive(Args, Debug)]
pub(super) struct ListArgs {
    /// List the codecs, with their other names
    #[arg(long)]
    pub list_codecs: bool,

    /// How to list them
    #[arg(long, value_name = "FORMAT", default_value = "text", requires = "list_codecs")]
    format: ListFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListFormat {
    /// for people
    Text,
    /// JSON Lines: an object for each codec
    Json,
}

impl ListArgs {
    pub fn run(&self, session: &mut Session) -> anyhow::Result<()> {
        match self.format {
            ListFormat::Text => text(session.out.buffer()),
            ListFormat::Json => json(session.out.buffer()),
        }
        Ok(())
    }
}

/// A codec's name and what it is, and below it its labels.
pub(super) fn text(out: &mut Vec<u8>) {
    let width = CODECS.iter().map(|spec| spec.name.len()).max().unwrap_or(0);
    for spec in CODECS {
        out.extend(format!("{:width$}  {}\n", spec.name, spec.summary).bytes());
        if !spec.labels.is_empty() {
            out.extend(format!("{:width$}  also {}\n", "", spec.labels.join(", ")).bytes());
        }
    }
}

/// An object for each codec.
pub(super) fn json(out: &mut Vec<u8>) {
    for spec in CODECS {
        let mut object = Object::new(out, "codec");
        object.string("name", spec.name.as_bytes());
        object.string("summary", spec.summary.as_bytes());
        object.strings("labels", spec.labels);
        object.end();
    }
}
