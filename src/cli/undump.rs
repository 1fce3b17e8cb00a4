//! `utf8 dump-bits --reverse`: dumps back to bytes.

use std::fs::Metadata;
use std::io;
use std::path::Path;

use super::args::InputArgs;
use super::inputs::{self, NamedInput};
use super::progress;
use super::prose::quoted;
use super::session::{Session, reason};
use crate::dump::CellBase;
use crate::registry::Encoding;
use crate::sink::flow_if;
use crate::source::Buffer;
use crate::text::name::InputName;
use crate::text::number::counted;
use crate::undump::{
    DifferingRows, DumpError, DumpForm, DumpReader, DumpRemedy, PatchSummary, PlacedBytes,
    PlacedPart,
};

/// Returns the form of dumps by `--plain` and `--base`.
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

/// The place for the bytes of dumps.
#[derive(Clone, Copy)]
pub(super) enum UndumpTarget<'a> {
    /// Standard output, or the file that is replaced.
    Output(Option<&'a Path>),
    /// The file that is changed where the dump has bytes.
    Patch(&'a Path),
}

/// Writes the bytes of dumps, or patches a file.
pub(super) fn run(
    session: &mut Session,
    inputs: &InputArgs,
    form: DumpForm,
    target: UndumpTarget<'_>,
    verbose: bool,
) -> anyhow::Result<()> {
    if let UndumpTarget::Patch(_) = target {
        check_patch(inputs, form)?;
    }
    let mut buffer = Buffer::default();
    inputs::each(inputs, session, |session, input| {
        let name = session.name(input.name());
        let read = read(session, inputs, input, form, &name, &mut buffer);
        let checked = read.and_then(|pieces| match target {
            UndumpTarget::Patch(_) => pieces.check_patch().map(|()| pieces),
            UndumpTarget::Output(_) => Ok(pieces),
        });
        match checked {
            Ok(pieces) => deliver(session, &name, pieces, target, verbose),
            Err(error) => drop(inputs::report_failure(session, input, &name, &error)),
        }
        flow_if(!session.out.failed())
    });
    Ok(())
}

/// Checks that there is one dump, with offsets.
fn check_patch(inputs: &InputArgs, form: DumpForm) -> anyhow::Result<()> {
    if !matches!(form, DumpForm::Rows(_)) {
        anyhow::bail!("--patch needs a dump with offsets (leave out --plain)");
    }
    if inputs.several() {
        anyhow::bail!("--patch takes one dump (run it once for each)");
    }
    Ok(())
}

/// Reads the bytes of a dump.
fn read(
    session: &Session,
    inputs: &InputArgs,
    input: NamedInput<'_>,
    form: DumpForm,
    name: &InputName<'_>,
    buffer: &mut Buffer,
) -> io::Result<PlacedBytes> {
    let mut source = input.open(&inputs.opening(Encoding::UTF_8, false), buffer)?;
    let mut reader = DumpReader::new(form);
    let shown = session.progress.then(|| name.shown());
    let read = progress::for_each_block(&mut source, shown, |text| reader.feed(text));
    read.and_then(|_| reader.finish()).map_err(with_options)
}

/// Adds the options that may read the dump to an error in its text.
fn with_options(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<DumpError>());
    let options = match inner.and_then(DumpError::remedy) {
        Some(DumpRemedy::NoBase) => "leave out --base",
        Some(DumpRemedy::OtherBase) => "--base names the base of the cells",
        Some(DumpRemedy::Bits) => "--base bits reads the bits",
        Some(DumpRemedy::BitsOrHex) => "--base bits or --base hex decides",
        Some(DumpRemedy::Digits) => "-p reads digits without offsets",
        Some(DumpRemedy::Rows) => "leave out -p to read rows with offsets",
        _ => return error,
    };
    io::Error::other(format!("{error} ({options})"))
}

/// Writes the bytes of a dump, or patches a file.
fn deliver(
    session: &mut Session,
    name: &InputName<'_>,
    mut pieces: PlacedBytes,
    target: UndumpTarget<'_>,
    verbose: bool,
) {
    report_differing(session, name, &pieces);
    let (name, delivered) = match target {
        UndumpTarget::Patch(path) => {
            let name = session.name(path.as_os_str());
            let patched = pieces.patch(path);
            let reported = patched.map(|patched| report_patch(session, &name, patched, verbose));
            (&session.name(path.as_os_str()), reported)
        }
        UndumpTarget::Output(output) => {
            let delivered = check_output(&pieces, output).and_then(|()| {
                report_offsets(session, name, &pieces, verbose);
                write(session, &mut pieces)
            });
            (name, delivered)
        }
    };
    if let Err(error) = delivered
        && !session.out.failed()
    {
        session.report_error(name, &reason(&error));
    }
}

/// Checks that a dump of a range does not replace the whole file, nor an empty one a file with content.
///
/// # Errors
/// The bytes start after the first byte of the file and end within it; there are none.
fn check_output(pieces: &PlacedBytes, output: Option<&Path>) -> io::Result<()> {
    let start = pieces.origin();
    let file =
        output.and_then(|path| Some((path, path.metadata().ok().filter(Metadata::is_file)?)));
    match file {
        Some((path, file)) if pieces.end() == 0 && file.len() > 0 => {
            let (path, size) = (quoted(path.as_os_str()), counted(file.len(), "byte"));
            Err(io::Error::other(format!("has no rows: would empty {path} ({size})")))
        }
        Some((path, file)) if start > 0 && pieces.end() <= file.len() => {
            let (path, size) = (quoted(path.as_os_str()), counted(file.len(), "byte"));
            Err(io::Error::other(format!(
                "starts at offset {start:08x}: would replace {path} ({size}) by a part of it (--patch {path} \
                 changes it there)"
            )))
        }
        _ => Ok(()),
    }
}

/// Reports rows whose bits and hex cells differ.
fn report_differing(session: &mut Session, name: &InputName<'_>, pieces: &PlacedBytes) {
    if let Some(DifferingRows { number, first }) = pieces.differing() {
        let rows = counted(number, "row");
        session.note(
            name,
            &format!(
                "line {first}: bits and hex differ in {rows}; the hex cells were used (--base bits \
                 uses the bits, --base hex silences this)"
            ),
        );
    }
}

/// Reports decimal offsets and gaps, which may be unintended, and with `verbose` the size.
fn report_offsets(
    session: &mut Session,
    name: &InputName<'_>,
    pieces: &PlacedBytes,
    verbose: bool,
) {
    if pieces.has_decimal_offsets() {
        session
            .note(name, "offsets read as decimal (xxd -d; 0x before them makes them hexadecimal)");
    }
    let gaps = pieces.gaps();
    if gaps.number > 0 {
        let (number, zeros) = (counted(gaps.number, "gap"), counted(gaps.bytes, "zero byte"));
        session.note(name, &format!("{number} between rows filled with {zeros}"));
    }
    if verbose {
        let (bytes, origin) = (pieces.end() - pieces.origin(), pieces.origin());
        session.note(name, &format!("{} from offset {origin:08x}", counted(bytes, "byte")));
    }
}

/// Reports growth of the file, which may be unintended, and with `verbose` the changes.
fn report_patch(session: &mut Session, name: &InputName<'_>, patched: PatchSummary, verbose: bool) {
    let PatchSummary { changed, grown } = patched;
    if verbose {
        session.note(name, &format!("{} changed", counted(changed, "byte")));
    }
    if grown > 0 {
        session.note(name, &format!("is now {} longer", counted(grown, "byte")));
    }
}

fn write(session: &mut Session, pieces: &mut PlacedBytes) -> io::Result<()> {
    pieces.write(|part| {
        if let PlacedPart::Gap(len) = part
            && session.leave_hole(len)?
        {
            return Ok(());
        }
        part.blocks().try_for_each(|bytes| session.out.copy(bytes))
    })
}
