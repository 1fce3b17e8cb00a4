//! Which bytes does a dump spell? `utf8 dump-bits --reverse`

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use super::args::InputArgs;
use super::inputs::{self, NamedInput};
use super::progress;
use super::prose::counted;
use super::session::{Session, reason};
use crate::dump::CellBase;
use crate::issue::Issue;
use crate::registry::{CODECS, Encoding};
use crate::sink::{Run, Sink};
use crate::source::Buffer;
use crate::text::name::InputName;
use crate::undump::{DumpForm, DumpReader, PatchSummary, PlacedBytes};

/// The codec in which every byte is a character: a dump may quote anything.
const BYTES: &str = "iso-8859-1";

/// What the dumps look like, by --plain and --base.
pub(super) fn form(plain: bool, base: Option<CellBase>) -> anyhow::Result<DumpForm> {
    Ok(match (plain, base) {
        (false, base) => DumpForm::Rows(base),
        (true, None | Some(CellBase::Hex)) => DumpForm::PlainHex,
        (true, Some(CellBase::Bits)) => DumpForm::PlainBits,
        (true, Some(CellBase::Octal | CellBase::Decimal)) => {
            anyhow::bail!("--plain needs --base hex or --base bits")
        }
    })
}

/// Write the bytes that dumps spell, or put them into a file.
pub(super) fn run(
    session: &mut Session,
    inputs: &InputArgs,
    form: DumpForm,
    patch: Option<&Path>,
    verbose: bool,
) -> anyhow::Result<()> {
    if patch.is_some() {
        check_patch(inputs, form)?;
    }
    let mut buffer = Buffer::default();
    let _ = inputs::each(inputs, session, |session, input| {
        let name = session.name(input.name());
        match read(session, inputs, input, form, &name, &mut buffer) {
            Ok(pieces) => give(session, &name, pieces, patch, verbose),
            Err(error) => drop(inputs::failed(session, input, &name, &error)),
        }
        match session.out.failed() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    Ok(())
}

/// See that there is one dump, and that it has offsets.
fn check_patch(inputs: &InputArgs, form: DumpForm) -> anyhow::Result<()> {
    if !matches!(form, DumpForm::Rows(_)) {
        anyhow::bail!("--patch needs a dump with offsets (leave out --plain)");
    }
    if inputs.several() {
        anyhow::bail!("--patch takes one dump (run it once for each)");
    }
    Ok(())
}

/// What a dump spells.
fn read(
    session: &Session,
    inputs: &InputArgs,
    input: NamedInput<'_>,
    form: DumpForm,
    name: &InputName<'_>,
    buffer: &mut Buffer,
) -> io::Result<PlacedBytes> {
    let codec = Encoding::for_label(BYTES).unwrap_or(&CODECS[0]);
    let mut source = input.open(&inputs.opening(codec, false), buffer)?;
    let mut text = DumpTextSink(DumpReader::new(form));
    let shown = session.progress.then(|| name.shown());
    progress::feed(&mut source, codec, session.kernels, shown, &mut text)?;
    text.0.finish()
}

/// Write the bytes of a dump, or put them into a file.
fn give(
    session: &mut Session,
    name: &InputName<'_>,
    mut pieces: PlacedBytes,
    patch: Option<&Path>,
    verbose: bool,
) {
    let (name, given) = match patch {
        Some(path) => {
            let name = session.name(path.as_os_str());
            let patched = pieces.patch(path);
            let said = patched.map(|patched| say_patched(session, &name, patched, verbose));
            (&session.name(path.as_os_str()), said)
        }
        None => {
            say_read(session, name, &pieces, verbose);
            (name, write(session, &mut pieces))
        }
    };
    if let Err(error) = given
        && !session.out.failed()
    {
        session.trouble(name, &reason(&error));
    }
}

/// Say what nobody may have meant: that there are gaps; and if that is asked for, how much there is.
fn say_read(session: &mut Session, name: &InputName<'_>, pieces: &PlacedBytes, verbose: bool) {
    let gaps = pieces.gaps();
    if gaps.number > 0 {
        let (number, zeros) = (counted(gaps.number, "gap"), counted(gaps.bytes, "zero byte"));
        session.say(name, &format!("{number} between rows filled with {zeros}"));
    }
    if verbose {
        let (bytes, origin) = (pieces.end() - pieces.origin(), pieces.origin());
        session.say(name, &format!("{} from offset {origin:08x}", counted(bytes, "byte")));
    }
}

/// Say what nobody may have meant: that the file has grown; and if that is asked for, what changed.
fn say_patched(session: &mut Session, name: &InputName<'_>, patched: PatchSummary, verbose: bool) {
    let PatchSummary { changed, grown } = patched;
    if verbose {
        session.say(name, &format!("{} changed", counted(changed, "byte")));
    }
    if grown > 0 {
        session.say(name, &format!("is now {} longer", counted(grown, "byte")));
    }
}

fn write(session: &mut Session, pieces: &mut PlacedBytes) -> io::Result<()> {
    pieces.write(|bytes| {
        session.out.buffer().extend_from_slice(bytes);
        session.out.settle()
    })
}

/// Passes the text of a dump on.
struct DumpTextSink(DumpReader);

impl DumpTextSink {
    fn feed(&mut self, text: &[u8]) -> io::Result<ControlFlow<()>> {
        self.0.feed(text).map(ControlFlow::Continue)
    }
}

impl Sink for DumpTextSink {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        self.feed(run.bytes)
    }

    fn signature(&mut self, _: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.feed(bytes)
    }

    fn issue(&mut self, _: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.feed(bytes)
    }
}
