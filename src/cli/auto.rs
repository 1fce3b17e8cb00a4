//! Detection of the codec of an input: `--from auto`.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};

use super::inputs::{self, NamedInput};
use super::prose::percent;
use crate::detect::{Answer, Detection, EvidenceOptions, EvidenceSink, RankedAnswer};
use crate::kernel::Kernels;
use crate::os::{BlockingReader, calls};
use crate::registry::Encoding;
use crate::source::{Buffer, RangeStart, ReadOptions, Source};

/// The least probability of a detected codec.
const LEAST_PROBABILITY: f64 = 0.8;

/// The number of bytes of a stream that are examined.
const SAMPLE: usize = 1 << 20;

/// The error for a range of a stream that starts after the sample.
const BEYOND_SAMPLE: &str =
    "--from auto examines the first MiB of a stream, which --skip passes over (name the encoding)";

/// The number of bytes after the first byte of the longest sequence of UTF-8 and its relatives.
const TAIL: u64 = 5;

/// Opens an input with the detected codec. Files are read twice; of a stream, the first [`SAMPLE`]
/// bytes are examined.
///
/// # Errors
/// Those of opening and reading; no codec is probable enough.
pub(super) fn open<'b>(
    input: NamedInput<'_>,
    how: impl Fn(&'static Encoding) -> ReadOptions,
    kernels: &'static Kernels,
    buffer: &'b mut Buffer,
) -> io::Result<(&'static Encoding, Source<'b>)> {
    let utf8 = how(Encoding::UTF_8);
    let stream = match input {
        NamedInput::Stdin if calls::closed_at_start(0) => {
            input.open(&utf8, buffer).map(|_| None)?
        }
        NamedInput::Stdin => Some(inputs::stdin()?),
        NamedInput::File(path, _) => Some(File::open(path)?).filter(is_stream),
        NamedInput::Opened(..) | NamedInput::Text(_) => None,
    };
    let Some(stream) = stream else {
        let codec = probable_codec(detect(input.open(&utf8, buffer)?, kernels)?)?;
        return Ok((codec, input.open(&how(codec), buffer)?));
    };
    if utf8.hex {
        return Err(io::Error::other("--from auto cannot look ahead in a stream of hex digits"));
    }
    let mut stream = BlockingReader(stream);
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
    let found = detect(Source::from_reader(Cursor::new(&sample), &part, buffer)?, kernels)?;
    let codec = probable_codec(found)?;
    // ASCII so far can continue as UTF-8.
    let codec = if codec.name == "us-ascii" { Encoding::UTF_8 } else { codec };
    let all = Cursor::new(sample).chain(stream);
    Ok((codec, Source::from_reader(all, &how(codec), buffer)?))
}

/// Returns `true` if a file can be read only once.
fn is_stream(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn detect(mut source: Source<'_>, kernels: &'static Kernels) -> io::Result<Detection> {
    let wanted = EvidenceOptions { candidates: true, ..EvidenceOptions::default() };
    let mut gatherer = EvidenceSink::new(kernels, source.range(), wanted);
    source.scan(Encoding::UTF_8, kernels, &mut gatherer)?;
    Ok(gatherer.finish())
}

/// Returns the codec of the answer if it is probable enough.
fn probable_codec(verdict: Detection) -> io::Result<&'static Encoding> {
    match verdict.answer {
        Answer::Codec(codec) if verdict.confidence >= LEAST_PROBABILITY => Ok(codec),
        answer => {
            let is_binary = matches!(answer, Answer::Binary);
            Err(io::Error::other(DetectionRefusal {
                message: describe_refusal(&verdict),
                is_binary,
            }))
        }
    }
}

/// The error for an input without a probable codec.
#[derive(Debug)]
pub(super) struct DetectionRefusal {
    message: String,
    /// True if the input is binary data.
    pub is_binary: bool,
}

impl fmt::Display for DetectionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for DetectionRefusal {}

/// Returns the message for an input without a probable codec.
fn describe_refusal(verdict: &Detection) -> String {
    let answer = verdict.answer.name();
    match verdict.answer {
        Answer::Codec(_) => {
            let texts: Vec<_> = verdict.texts().take(3).map(describe_likely).collect();
            let (sure, texts) = (percent(LEAST_PROBABILITY), texts.join(", "));
            format!("no encoding is {sure} likely: {texts} (name one with --from)")
        }
        Answer::Foreign(_) => format!("is {answer}, which has no codec"),
        Answer::Damaged => {
            "is damaged-utf-8 (utf8 detect --format long shows the damage and its repair)"
                .to_owned()
        }
        _ => format!(
            "is {answer} (name a codec with --from; utf8 detect --format long shows the evidence)"
        ),
    }
}

/// Describes candidates that decode the input to the same text.
fn describe_likely(alike: &[RankedAnswer]) -> String {
    let likely = alike.first().map_or(0.0, |first| first.confidence);
    let names: Vec<_> = alike.iter().take(3).map(|candidate| candidate.answer.name()).collect();
    let more = if alike.len() > names.len() { " and others" } else { "" };
    format!("{}{more} {}", names.join(" or "), percent(likely))
}
