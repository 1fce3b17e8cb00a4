//! `utf8 dump-bits`: shows bits and characters, and reads dumps.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::args::{DefaultInput, InputArgs, TalkArgs};
use super::auto::DamagePolicy;
use super::inputs::{self, NamedInput};
use super::output::OutputArgs;
use super::reading::{InputReader, ScannedInput};
use super::session::Session;
use super::undump::UndumpTarget;
use super::{Status, codecs, undump};
use crate::dump::sink::DumpSink;
use crate::dump::{
    ByteLayout, CellBase, DumpStyle, Grid, HtmlLayout, JsonLayout, Layout, MOST_COLUMNS,
    PlainLayout, SequenceLayout, legend, with_context,
};
use crate::source::HEXDUMP_ROW;
use crate::text::number::counted;
use crate::undump::DumpForm;

/// Show bits, bytes and characters: a hexdump for text
///
/// Each sequence has a row: offset, bits with the marker bits set apart, bytes, code point,
/// character and name, or the error. --layout bytes prints rows like those of xxd. --reverse reads
/// either layout. The command is also called dump.
#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    mut_arg("stdin_filename", |arg| arg.hide(true)),
    mut_arg("length", |arg| arg.visible_short_alias('l')) // as xxd calls it
)]
pub(super) struct DumpArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Rows of sequences, or of a fixed number of bytes
    ///
    /// The default is sequence, or bytes if any of -c, -g, --base and --squeeze is given.
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<LayoutArg>,

    /// Format of the dump
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: DumpFormatArg,

    /// Print digits only
    #[arg(short, long, conflicts_with_all = ["layout", "group", "squeeze", "only_ill_formed"])]
    plain: bool,

    /// Print COLS bytes a row
    ///
    /// The default is 6 in bits, 16 in other bases and 30 with --plain, where 0 puts all bytes on
    /// one line.
    #[arg(short, long, value_name = "COLS", value_parser = columns)]
    columns: Option<usize>,

    /// Join groups of BYTES; 0 joins the row [default: 1]
    #[arg(short, long, value_name = "BYTES")]
    group: Option<usize>,

    /// Print rows of bytes in this base
    ///
    /// The default is bits with --layout bytes, otherwise hex.
    #[arg(long, value_name = "BASE")]
    base: Option<BaseArg>,

    /// Print hex digits in upper case
    #[arg(short, long)]
    upper: bool,

    /// Print * for rows that repeat the row above
    #[arg(long, hide_short_help = true)]
    squeeze: bool,

    /// Print the names of characters (the default)
    #[arg(long, overrides_with = "no_names", hide_short_help = true)]
    names: bool,

    /// Do not print the names of characters
    #[arg(long, hide_short_help = true)]
    no_names: bool,

    /// Give each ASCII character its own row
    #[arg(long)]
    no_fold: bool,

    /// Show ill-formed sequences only
    #[arg(long, conflicts_with = "squeeze")]
    only_ill_formed: bool,

    /// Show NUMBER rows around each ill-formed sequence
    ///
    /// With --format json and html, sequences instead of rows.
    #[arg(long, value_name = "NUMBER", requires = "only_ill_formed", value_parser = context)]
    context: Option<usize>,

    /// Fit rows into N columns; 0 for no limit
    ///
    /// On a terminal, the default is its width, or COLUMNS; otherwise there is no limit. See WIDTH.
    #[arg(long, value_name = "N", value_parser = width, hide_short_help = true)]
    width: Option<usize>,

    /// Read a dump and write its bytes
    ///
    /// The dump may be edited, and may come from xxd, hexdump -C, hexyl or od.
    #[arg(short, long, conflicts_with_all = ["skip", "length", "hex", "from", "format", "only_ill_formed"])]
    reverse: bool,

    /// Write the dumped bytes into FILE at their offsets
    #[arg(long, value_name = "FILE", requires = "reverse", conflicts_with = "output")]
    patch: Option<PathBuf>,

    /// Explain the marks and colours, and each byte value in UTF-8
    #[arg(long, hide_short_help = true, conflicts_with_all = ["files", "text", "files_from", "from", "reverse", "layout", "format", "plain", "columns", "group", "base", "squeeze", "only_ill_formed"])]
    legend: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LayoutArg {
    /// a row for each sequence
    Sequence,
    /// rows of --columns bytes
    Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DumpFormatArg {
    /// rows, which --reverse reads
    Text,
    /// JSON Lines: an object for each sequence
    Json,
    /// a page for browsers that explains each sequence
    Html,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BaseArg {
    /// eight binary digits
    Bits,
    /// two hexadecimal digits
    Hex,
    /// three octal digits
    Octal,
    /// three decimal digits
    Decimal,
}

fn context(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 0..=MOST_CONTEXT) => Ok(number),
        _ => Err(format!("expected a number from 0 to {MOST_CONTEXT}")),
    }
}

fn columns(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(columns @ 0..=MOST_COLUMNS) => Ok(columns),
        _ => Err(format!("expected a number from 0 to {MOST_COLUMNS}")),
    }
}

fn width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(width) if width == 0 || width >= LEAST_WIDTH => Ok(width),
        _ => Err(format!("expected a number of columns, {LEAST_WIDTH} or more, or 0 for no limit")),
    }
}

impl DumpArgs {
    pub fn run(self) -> anyhow::Result<Status> {
        if let Some(named) = self.input.list_codecs {
            let format = self.format.to_possible_value();
            return codecs::list(named, format.as_ref().map(PossibleValue::get_name));
        }
        self.input.check(DefaultInput::Stdin)?;
        let session = Session::new(&self.talk)?;
        session.finish(|session| {
            if let Some(file) = &self.patch {
                return undump::run(
                    session,
                    &self.input,
                    self.form()?,
                    UndumpTarget::Patch(file),
                    self.talk.verbose,
                );
            }
            let replacement = self.output.begin(session)?;
            if self.legend {
                legend::write(session.out.buffer(), session.style);
            } else if self.reverse {
                let target = UndumpTarget::Output(self.output.path());
                undump::run(session, &self.input, self.form()?, target, self.talk.verbose)?;
            } else {
                self.dump(session)?;
            }
            self.output.commit(session, &self.input, replacement)
        })
    }

    /// Returns the form of the dumps to read.
    fn form(&self) -> anyhow::Result<DumpForm> {
        undump::form(self.plain, self.base.map(CellBase::from))
    }

    fn dump(&self, session: &mut Session) -> anyhow::Result<()> {
        let layout = self.layout(session)?;
        let reader = InputReader::new(&self.input, false, self.input.codec(), session);
        let mut run = DumpRun { args: self, layout, reader };
        inputs::each(&self.input, session, |session, input| run.process(session, input));
        let _ = run.layout.finish(&mut session.out);
        Ok(())
    }

    fn look(&self, session: &Session) -> DumpStyle {
        DumpStyle {
            report: session.style,
            several: self.input.several(),
            width: self.width(session),
            names: !self.no_names,
            fold: !self.no_fold,
            upper: self.upper,
            only_ill_formed: self.only_ill_formed.then(|| self.context.unwrap_or(0)),
        }
    }

    /// Returns the largest width of a row; `None` for no limit.
    fn width(&self, session: &Session) -> Option<usize> {
        match self.width {
            None => session.terminal_columns().map(|columns| columns.max(LEAST_WIDTH)),
            width => width.filter(|&width| width > 0),
        }
    }

    fn layout(&self, session: &Session) -> anyhow::Result<Box<dyn Layout>> {
        let look = self.look(session);
        if self.format != DumpFormatArg::Text {
            return self.formatted(look);
        }
        if self.plain {
            // Refuses bases that --reverse could not read back.
            self.form()?;
            let base = self.base.map_or(CellBase::Hex, CellBase::from);
            let most = look.width.map_or(PLAIN_COLUMNS, |width| width / base.width());
            let columns = self.columns.unwrap_or(PLAIN_COLUMNS.min(most));
            return Ok(Box::new(PlainLayout::new(look, base, columns)));
        }
        let of_bytes = self.of_bytes();
        match self.layout {
            Some(LayoutArg::Sequence) if of_bytes => {
                anyhow::bail!("--columns, --group, --base and --squeeze need --layout bytes")
            }
            None | Some(LayoutArg::Sequence) if !of_bytes => {
                // Sequences for one more row than wanted suffice: no row has more than ROW.
                let enough = look.only_ill_formed.map(|rows| (rows + 1) * ROW);
                Ok(with_context(SequenceLayout::new(look), enough))
            }
            _ => {
                // A number of columns that was asked for stays.
                let width = look.width.filter(|_| self.columns.is_none());
                let look = DumpStyle { width, ..look };
                Ok(Box::new(ByteLayout::new(session.kernels, look, self.grid()?)))
            }
        }
    }

    /// Returns the layout of a format that has only one.
    fn formatted(&self, look: DumpStyle) -> anyhow::Result<Box<dyn Layout>> {
        let rows = self.width.is_some() || self.of_bytes();
        if self.plain || rows || self.layout == Some(LayoutArg::Bytes) {
            anyhow::bail!(
                "--plain, --layout bytes, --columns, --group, --base, --squeeze and --width need \
                 --format text"
            )
        }
        Ok(match self.format {
            DumpFormatArg::Json => with_context(JsonLayout::new(look), look.only_ill_formed),
            _ => with_context(HtmlLayout::new(look), look.only_ill_formed),
        })
    }

    /// Returns `true` if an option implies rows of bytes.
    fn of_bytes(&self) -> bool {
        self.columns.is_some() || self.group.is_some() || self.base.is_some() || self.squeeze
    }

    fn grid(&self) -> anyhow::Result<Grid> {
        // Options without --layout mean the rows of xxd, in hex.
        let usual = if self.layout.is_some() { CellBase::Bits } else { CellBase::Hex };
        let base = self.base.map_or(usual, CellBase::from);
        let columns =
            self.columns.unwrap_or(if base == CellBase::Bits { BITS_COLUMNS } else { COLUMNS });
        if columns == 0 {
            anyhow::bail!("--columns 0 needs --plain");
        }
        let (group, upper, squeeze) = (self.group.unwrap_or(1), self.upper, self.squeeze);
        Ok(Grid { base, upper, columns, group, squeeze })
    }
}

/// The most rows of context. They are buffered until an ill-formed sequence comes.
const MOST_CONTEXT: usize = 1000;

/// The least width of rows in columns of the terminal.
const LEAST_WIDTH: usize = 40;

/// The most sequences in a row.
const ROW: usize = 16;

/// Bytes in a row, as xxd prints them: in hex, in bits, and without offsets.
const COLUMNS: usize = HEXDUMP_ROW as usize;
const BITS_COLUMNS: usize = 6;
const PLAIN_COLUMNS: usize = 30;

/// The state that the inputs of a run share.
struct DumpRun<'a> {
    args: &'a DumpArgs,
    layout: Box<dyn Layout>,
    reader: InputReader<'a>,
}

impl DumpRun<'_> {
    /// Shows one input.
    fn process(&mut self, session: &mut Session, input: NamedInput<'_>) -> ControlFlow<()> {
        if let Err(error) = self.show(session, input) {
            if session.out.failed() {
                return ControlFlow::Break(());
            }
            let name = session.name(input.name());
            inputs::report_failure(session, input, &name, &error);
        }
        ControlFlow::Continue(())
    }

    fn show(&mut self, session: &mut Session, input: NamedInput<'_>) -> io::Result<()> {
        let name = session.name(input.name());
        self.reader.detect(input, DamagePolicy::ReadAsUtf8)?;
        let (layout, out) = (self.layout.as_mut(), &mut session.out);
        let (kernels, mut begun) = (session.kernels, Ok(()));
        let ScannedInput { sink, codec, range, reached, .. } =
            self.reader.scan(input, &name, |codec, range| {
                begun = layout.begin(out, &name, codec);
                DumpSink::new(kernels, codec, range, layout, out)
            })?;
        let faults = sink.faults();
        begun?;
        self.layout.end(&mut session.out)?;
        session.out.settle()?;
        let reached = reached?;
        session.note_end(&name, reached, range.start);
        if self.args.talk.verbose {
            let mut parts =
                vec![counted(reached.min(range.end).saturating_sub(range.start), "byte")];
            if self.args.input.is_auto() {
                parts.push(format!("read as {}", codec.name));
            }
            parts.push(counted(faults, "ill-formed sequence"));
            session.note(&name, &parts.join(", "));
        }
        Ok(())
    }
}

impl From<BaseArg> for CellBase {
    fn from(arg: BaseArg) -> CellBase {
        match arg {
            BaseArg::Bits => CellBase::Bits,
            BaseArg::Hex => CellBase::Hex,
            BaseArg::Octal => CellBase::Octal,
            BaseArg::Decimal => CellBase::Decimal,
        }
    }
}
