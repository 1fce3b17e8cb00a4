//! Detection of the codec of an input: `--from auto`.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Chain, Cursor, Read};
use std::sync::Arc;

use super::first_block::FirstBlock;
use super::inputs::{self, NamedInput};
use super::prose::percent;
use super::shell;
use crate::codec::Group;
use crate::detect::{Answer, Detection, EvidenceOptions, EvidenceSink, RankedAnswer};
use crate::kernel::Kernels;
use crate::os::{BlockingReader, FileStamp};
use crate::registry::Encoding;
use crate::source::{Buffer, CHANGED, RangeStart, ReadOptions, Source};
use crate::validate::declaration::declared_encoding;

/// The least probability of a detected codec.
pub(super) const LEAST_PROBABILITY: f64 = 0.8;

/// The number of bytes of a stream that are examined.
const SAMPLE: usize = 1 << 20;

/// The error for a range of a stream that starts after the sample.
const BEYOND_SAMPLE: &str =
    "--from auto examines the first MiB of a stream, which --skip passes over (name the encoding)";

/// The number of bytes after the first byte of the longest sequence of UTF-8 and its relatives.
const TAIL: u64 = 5;

/// The treatment of text that is UTF-8 but for damage, and of ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DamagePolicy {
    /// Damaged UTF-8 has no codec.
    Refuse,
    /// Damaged UTF-8 and ASCII are read as UTF-8.
    ReadAsUtf8,
}

/// The detected codec of an input.
pub(super) struct DetectedInput {
    pub codec: &'static Encoding,
    sampled: SampledInput,
}

/// The input whose bytes were examined.
enum SampledInput {
    /// A text, or a file that was open before: it is read again.
    Open,
    /// A file that was opened by its name, and its state before.
    File(Arc<File>, FileStamp),
    /// The whole of an input that can be read only once.
    Stream(Chain<Cursor<Vec<u8>>, BlockingReader>),
}

impl DetectedInput {
    /// Opens the input, which is the one that was examined.
    ///
    /// # Errors
    /// Those of opening and reading; the file has changed since.
    pub fn open<'b>(
        self,
        input: NamedInput<'_>,
        how: &ReadOptions,
        buffer: &'b mut Buffer,
    ) -> io::Result<Source<'b>> {
        match self.sampled {
            SampledInput::Open => input.open(how, buffer),
            SampledInput::File(file, stamp) if FileStamp::of(&file.metadata()?) == stamp => {
                Source::from_start(file, how, buffer)
            }
            SampledInput::File(..) => Err(io::Error::other(CHANGED)),
            SampledInput::Stream(stream) => Source::from_reader(stream, how, buffer),
        }
    }
}

/// Detects the codec of an input. Files are read twice; of a stream, the first [`SAMPLE`] bytes are
/// examined. `utf8` is the way to open it as UTF-8.
///
/// # Errors
/// Those of opening and reading; no codec is probable enough.
pub(super) fn detect(
    input: NamedInput<'_>,
    utf8: ReadOptions,
    damage: DamagePolicy,
    kernels: &'static Kernels,
    buffer: &mut Buffer,
) -> io::Result<DetectedInput> {
    let file = match input {
        NamedInput::Stdin(_) => inputs::stdin()?,
        NamedInput::File(path, _) => {
            let file = inputs::open(path)?;
            if !is_stream(&file) {
                // It stays open: its name may be given to another file.
                let (stamp, file) = (FileStamp::of(&file.metadata()?), Arc::new(file));
                let opened = NamedInput::Opened(path, &file);
                let DetectedInput { codec, .. } = detect(opened, utf8, damage, kernels, buffer)?;
                return Ok(DetectedInput { codec, sampled: SampledInput::File(file, stamp) });
            }
            file
        }
        NamedInput::Opened(..) | NamedInput::InTree(_) | NamedInput::Text(_) => {
            let found = examine(input.open(&utf8, buffer)?, kernels)?;
            let codec = probable_codec(found, damage, input, || FirstBlock::read(input).bytes)?;
            return Ok(DetectedInput { codec, sampled: SampledInput::Open });
        }
    };
    if utf8.hex {
        return Err(io::Error::other("--from auto cannot look ahead in a stream of hex digits"));
    }
    let mut stream = BlockingReader(file);
    let mut sample = Vec::new();
    (&mut stream).take(SAMPLE as u64).read_to_end(&mut sample)?;
    let mut part = utf8;
    if sample.len() == SAMPLE {
        let RangeStart::FromStart(skip) = part.skip else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let most = (SAMPLE as u64 - TAIL).checked_sub(skip).filter(|&most| most > 0);
        let most = most.ok_or_else(|| io::Error::other(BEYOND_SAMPLE))?;
        part.length = Some(part.length.map_or(most, |length| length.min(most)));
    }
    let found = examine(Source::from_reader(Cursor::new(&sample), &part, buffer)?, kernels)?;
    // ASCII so far can continue as UTF-8.
    let codec = beyond_ascii(probable_codec(found, damage, input, || sample.clone())?);
    Ok(DetectedInput { codec, sampled: SampledInput::Stream(Cursor::new(sample).chain(stream)) })
}

/// Returns `true` if a file can be read only once.
fn is_stream(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Returns UTF-8 for ASCII, and other codecs as they are.
fn beyond_ascii(codec: &'static Encoding) -> &'static Encoding {
    if codec.name == "us-ascii" { Encoding::UTF_8 } else { codec }
}

fn examine(mut source: Source<'_>, kernels: &'static Kernels) -> io::Result<Detection> {
    let wanted = EvidenceOptions { candidates: true, ..EvidenceOptions::default() };
    let mut gatherer = EvidenceSink::new(kernels, source.range(), wanted);
    source.scan(Encoding::UTF_8, kernels, &mut gatherer)?;
    Ok(gatherer.finish())
}

/// Returns the codec of the answer if it is probable enough. `start` returns the first bytes of the
/// input, for advice.
fn probable_codec(
    verdict: Detection,
    damage: DamagePolicy,
    input: NamedInput<'_>,
    start: impl FnOnce() -> Vec<u8>,
) -> io::Result<&'static Encoding> {
    match (verdict.answer, damage) {
        (Answer::Damaged, DamagePolicy::ReadAsUtf8) => Ok(Encoding::UTF_8),
        (Answer::Codec(codec), damage) if verdict.confidence >= LEAST_PROBABILITY => {
            Ok(if damage == DamagePolicy::Refuse { codec } else { beyond_ascii(codec) })
        }
        (answer, _) => Err(io::Error::other(DetectionRefusal {
            message: describe_refusal(&verdict, input, start),
            is_binary: matches!(answer, Answer::Binary),
            is_damaged: matches!(answer, Answer::Damaged),
        })),
    }
}

/// The error for an input without a probable codec.
#[derive(Debug)]
pub(super) struct DetectionRefusal {
    message: String,
    /// True if the input is binary data.
    pub is_binary: bool,
    /// True if the input is UTF-8 but for damage.
    pub is_damaged: bool,
}

impl DetectionRefusal {
    /// Returns the refusal that an error is.
    pub fn of(error: &io::Error) -> Option<&DetectionRefusal> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for DetectionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for DetectionRefusal {}

/// Returns the message for an input without a probable codec.
fn describe_refusal(
    verdict: &Detection,
    input: NamedInput<'_>,
    start: impl FnOnce() -> Vec<u8>,
) -> String {
    let command = || shell::on_input("detect --format long", input);
    let answer = verdict.answer.name();
    match verdict.answer {
        Answer::Codec(_) => {
            let texts: Vec<_> = verdict.texts().take(3).map(describe_likely).collect();
            let (sure, texts) = (percent(LEAST_PROBABILITY), texts.join(", "));
            // The text is no UTF-8.
            let declared = declared_encoding(&start()).filter(|it| it.group != Group::Family);
            let declared =
                declared.map_or(String::new(), |it| format!("; it declares {}", it.name));
            format!("no encoding is {sure} likely: {texts} (name one with --from{declared})")
        }
        Answer::Foreign(_) => format!("is {answer}, which has no codec"),
        Answer::Damaged => {
            format!("is {answer} ({} shows the damage and its repair)", command())
        }
        _ => format!("is {answer} (name a codec with --from; {} shows the evidence)", command()),
    }
}

/// Describes candidates that decode the input to the same text.
fn describe_likely(alike: &[RankedAnswer]) -> String {
    let likely = alike.first().map_or(0.0, |first| first.confidence);
    let names: Vec<_> = alike.iter().take(3).map(|candidate| candidate.answer.name()).collect();
    let more = if alike.len() > names.len() { " and others" } else { "" };
    format!("{}{more} {}", names.join(" or "), percent(likely))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::inputs::NameSource;
    use crate::kernel;

    #[test]
    fn a_file_that_changes_after_its_detection_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let input = NamedInput::File(&path, NameSource::CommandLine);
        let mut buffer = Buffer::default();
        let utf8 = ReadOptions::default();
        std::fs::write(&path, "é".repeat(9)).unwrap();
        let detected = || {
            detect(input, utf8, DamagePolicy::Refuse, kernel::best(), &mut Buffer::default())
                .unwrap()
        };
        assert!(detected().open(input, &utf8, &mut buffer).is_ok());
        let found = detected();
        std::fs::write(&path, "longer than before").unwrap();
        let opened = found.open(input, &utf8, &mut buffer);
        assert_eq!(opened.err().map(|error| error.to_string()).as_deref(), Some(CHANGED));
    }
}
