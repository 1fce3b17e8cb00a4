//! Options that commands share, and the parsers of their values.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Args, ValueEnum};

use super::inputs;
use crate::policy::{Bom, Policy};
use crate::registry::names::resolve;
use crate::registry::{self, CODECS, Encoding};
use crate::report::AskedRange;
use crate::source::{MapMode, RangeStart, ReadOptions, ThreadCount};
pub(super) use labels::unknown;
pub(super) use policies::{fallback, on_error_help, policies, policy};
use sizes::skip;
pub(super) use sizes::{at_least_one, size};

mod labels;
mod policies;
mod sizes;

/// Options that select the input.
#[derive(Args, Clone, Debug)]
pub(super) struct InputArgs {
    /// Encoding to read, or auto [default: utf-8]
    #[arg(short = 'f', long = "from", value_name = "CODEC", value_parser = FromParser { auto: true }, hide_possible_values = true)]
    pub from: Option<FromCodec>,

    /// List the encodings, or the one that NAME means
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        value_parser = CodecParser,
        hide_possible_values = true,
        conflicts_with_all = ["files", "text", "files_from"],
        hide_short_help = true
    )]
    pub list_codecs: Option<Option<&'static Encoding>>,

    /// Files to read; none or - is standard input
    #[arg(value_name = "FILE", help_heading = "Input", display_order = 0, conflicts_with = "text")]
    pub files: Vec<PathBuf>,

    /// Read TEXT instead of a file
    #[arg(short = 'e', long, value_name = "TEXT", help_heading = "Input", allow_hyphen_values = true, action = ArgAction::Append)]
    pub text: Vec<OsString>,

    /// Read the input as hex digits
    ///
    /// Two digits are a byte. Blanks, punctuation, 0x, \x, % and = may stand between bytes, as in
    /// {0xE2, 0x82} and b'\xe2'. utf8 dump-bits -r reads offsets and text columns.
    #[arg(short = 'x', long, help_heading = "Input")]
    pub hex: bool,

    /// Start at OFFSET (from the end if negative)
    ///
    /// Decimal or 0xHEX, with k, M or G for KiB, MiB or GiB. See RANGES in utf8(1).
    #[arg(short, long, value_name = "OFFSET", help_heading = "Input", value_parser = skip, allow_hyphen_values = true)]
    pub skip: Option<RangeStart>,

    /// Read the sequences that start within this many bytes
    ///
    /// Written like OFFSET.
    #[arg(short = 'n', long, value_name = "BYTES", help_heading = "Input", value_parser = size)]
    pub length: Option<u64>,

    /// Offset at which standard input starts in the whole
    ///
    /// --skip and --length are offsets in the whole. See utf8-scale(7).
    #[arg(long, value_name = "OFFSET", help_heading = "Input", hide = true, value_parser = size)]
    pub at: Option<u64>,

    /// Size of the whole that standard input is a part of
    #[arg(long, value_name = "SIZE", help_heading = "Input", hide = true, value_parser = size)]
    pub of: Option<u64>,

    /// Read file names from FILE, one a line
    ///
    /// - is standard input. In the list, - is a file, and directories are skipped with a note.
    #[arg(long, value_name = "FILE", help_heading = "Input", conflicts_with = "text", action = ArgAction::Append)]
    pub files_from: Vec<PathBuf>,

    /// Name of standard input in messages and reports
    #[arg(long, value_name = "NAME", help_heading = "Input", hide_short_help = true)]
    pub stdin_filename: Option<OsString>,

    /// End file names with NUL in --files-from and in output
    #[arg(short = '0', long, help_heading = "Input")]
    pub null: bool,

    /// Memory-map regular files: auto, always or never
    ///
    /// Only validate, decode and encode do, in most encodings: a mapped file may change during the
    /// run.
    #[arg(
        long,
        help_heading = "Input",
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub mmap: WhenArg,
}

/// Returns `true` for the path that means standard input.
fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl InputArgs {
    /// Returns the way to open each input as this codec. `rows`: a hexdump is shown.
    pub fn opening(&self, codec: &Encoding, rows: bool) -> ReadOptions {
        ReadOptions {
            map: match self.mmap {
                WhenArg::Auto => MapMode::Auto,
                WhenArg::Always => MapMode::Always,
                WhenArg::Never => MapMode::Never,
            },
            hex: self.hex,
            skip: self.skip.unwrap_or(RangeStart::FromStart(0)),
            length: self.length,
            rows,
            reach: codec.reach(),
            unit: codec.inner.unit,
            context: 0,
            at: self.at,
            of: self.of,
            threads: ThreadCount::One,
            longest: codec.inner.longest,
        }
    }

    /// Checks that the names of files and the options about them fit together. `default` is read where
    /// no file is named.
    pub fn check(&self, default: DefaultInput) -> anyhow::Result<()> {
        let are_digits = |text: &str| is_hex(text.strip_prefix("0x").unwrap_or(text));
        let digits = |path: &PathBuf| path.to_str().is_some_and(are_digits) && !path.exists();
        if self.hex && !self.files.is_empty() && self.files.iter().all(digits) {
            let digits: Vec<_> = self.files.iter().map(|path| path.to_string_lossy()).collect();
            let digits = digits.join(" ");
            anyhow::bail!(
                "{digits}: no such file (-x reads digits from a file; for digits here: -xe '{digits}')"
            );
        }
        if let Some(option) = self.at.map(|_| "--at").or(self.of.map(|_| "--of")) {
            anyhow::ensure!(self.is_stream(), "{option} is about standard input: name no file");
            anyhow::ensure!(!self.is_auto(), "{option} needs an encoding: --from CODEC");
        }
        let twice = self.files_from.iter().chain(&self.files).filter(|path| is_stdin(path)).count()
            > 1
            && self.files_from.iter().any(|path| is_stdin(path));
        if twice {
            anyhow::bail!("standard input cannot be both an input and the list of inputs");
        }
        anyhow::ensure!(
            !(self.null && self.is_stream() && default == DefaultInput::Stdin),
            "--null is about names of files (--files-from - reads them from standard input)"
        );
        for list in self.files_from.iter().filter_map(|path| path.metadata().ok()) {
            inputs::protect(&list, "a list of names");
        }
        Ok(())
    }

    /// Returns `true` if there may be more than one input.
    pub fn several(&self) -> bool {
        self.text.len() > 1 || self.files.len() > 1 || !self.files_from.is_empty()
    }

    /// Checks that a range may be read, given whether ranges, one behind the other, are the whole.
    pub fn check_range(&self, checked: Result<(), impl Display>) -> anyhow::Result<()> {
        match checked.err().filter(|_| !self.is_whole()) {
            Some(reason) => anyhow::bail!("{reason}: leave out --skip and --length"),
            None => Ok(()),
        }
    }

    /// Returns `true` unless a range of each input is read.
    pub fn is_whole(&self) -> bool {
        self.skip.is_none() && self.length.is_none() && self.at.is_none()
    }

    /// Returns the range of each input that is asked for; `None` for the whole.
    pub fn asked_range(&self) -> Option<AskedRange> {
        let start = match self.skip {
            Some(RangeStart::FromEnd(_)) => None,
            Some(RangeStart::FromStart(start)) => Some(start),
            None => Some(0),
        };
        (!self.is_whole()).then_some(AskedRange { start, size: self.length })
    }

    /// Returns `true` if standard input is the only input.
    pub fn is_stream(&self) -> bool {
        self.files.iter().all(|path| is_stdin(path))
            && self.files_from.is_empty()
            && self.text.is_empty()
    }

    /// Returns `true` if the codec of each input is detected.
    pub fn is_auto(&self) -> bool {
        matches!(self.from, Some(FromCodec::Auto))
    }

    /// Returns the codec that `--from` names, if it does.
    pub fn named_codec(&self) -> Option<&'static Encoding> {
        match self.from {
            Some(FromCodec::Codec(codec)) => Some(codec),
            _ => None,
        }
    }

    /// Returns the codec to read, utf-8 by default.
    pub fn codec(&self) -> &'static Encoding {
        self.named_codec().unwrap_or(Encoding::UTF_8)
    }
}

/// The input of a command where no file is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DefaultInput {
    Stdin,
    /// The files that git tracks: `--tracked`.
    TrackedFiles,
}

/// The value of `--from`.
#[derive(Clone, Copy, Debug)]
pub(super) enum FromCodec {
    Codec(&'static Encoding),
    /// The detected encoding of each input.
    Auto,
}

/// The label that stands for [`FromCodec::Auto`].
const AUTO: &str = "auto";

/// Options for messages on the terminal.
#[derive(Args, Debug)]
pub(super) struct TalkArgs {
    /// Suppress messages other than errors
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// Summarize each input on standard error
    #[arg(short, long, help_heading = "Output", conflicts_with = "quiet")]
    pub verbose: bool,

    /// Colours: auto (on a terminal), always or never
    ///
    /// See ENVIRONMENT in utf8(1).
    #[arg(
        long,
        help_heading = "Output",
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub color: WhenArg,

    /// Progress on standard error: auto (on a terminal), always or never
    #[arg(
        long,
        help_heading = "Output",
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub progress: WhenArg,
}

/// Treatment of a byte order mark.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum BomArg {
    /// write one if the input starts with one
    Keep,
    /// write none
    Remove,
    /// start the output, or each file in place, with one
    Add,
}

impl std::convert::From<BomArg> for Bom {
    fn from(arg: BomArg) -> Bom {
        match arg {
            BomArg::Keep => Bom::Keep,
            BomArg::Remove => Bom::Remove,
            BomArg::Add => Bom::Add,
        }
    }
}

/// auto, always or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum WhenArg {
    Auto,
    Always,
    Never,
}

/// Returns `true` if a text is hex digits, without a sign or a prefix.
pub(super) fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Parses a label of a codec. Offers the names for completion and similar names in errors.
#[derive(Clone, Debug)]
pub(super) struct CodecParser;

impl TypedValueParser for CodecParser {
    type Value = &'static Encoding;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let label = value.to_string_lossy();
        resolve(&label).map_err(|reason| {
            let is_target = arg.is_some_and(|arg| arg.get_id() == "to");
            let hint = match is_target && registry::loose(&label) == AUTO {
                true => "auto is for --from; --to needs an encoding".to_owned(),
                false => unknown(&label, reason),
            };
            value_error(command, arg, &label, hint)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(CODECS.iter().map(offered)))
    }
}

/// Makes the error for the value of an option.
fn value_error(
    command: &clap::Command,
    arg: Option<&clap::Arg>,
    value: &str,
    hint: String,
) -> clap::Error {
    let mut error = clap::Error::new(ErrorKind::ValueValidation).with_cmd(command);
    if let Some(arg) = arg {
        error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
    }
    error.insert(ContextKind::InvalidValue, ContextValue::String(value.to_owned()));
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    error
}

/// The encoding to write, and the policy that a suffix of `iconv` names.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetArg {
    pub codec: &'static Encoding,
    pub policy: Option<Policy>,
}

/// Parses a label as [`CodecParser`] does, with the suffixes of `iconv`: `//TRANSLIT`, `//IGNORE`.
#[derive(Clone, Debug)]
pub(super) struct TargetCodecParser;

impl TypedValueParser for TargetCodecParser {
    type Value = TargetArg;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<TargetArg, clap::Error> {
        let text = value.to_string_lossy();
        let (label, suffixes) = text.split_once("//").unwrap_or((&text, ""));
        if label.is_empty() && !suffixes.is_empty() {
            let hint = "expected an encoding before //".to_owned();
            return Err(value_error(command, arg, &text, hint));
        }
        let policy = suffix_policy(suffixes).map_err(|suffix| {
            let hint = format!("unknown suffix //{suffix} (expected //TRANSLIT or //IGNORE)");
            value_error(command, arg, &text, hint)
        })?;
        let codec = CodecParser.parse_ref(command, arg, label.as_ref())?;
        Ok(TargetArg { codec, policy })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        CodecParser.possible_values()
    }
}

/// Returns the policy that the suffixes of a label name, as `iconv` separates them. Text that is
/// transliterated is never left out. The error is an unknown suffix.
fn suffix_policy(suffixes: &str) -> Result<Option<Policy>, &str> {
    let mut policy = None;
    for suffix in suffixes.split(['/', ',']).filter(|suffix| !suffix.is_empty()) {
        policy = match suffix.to_ascii_uppercase().as_str() {
            "TRANSLIT" => Some(Policy::Transliterate),
            "IGNORE" => policy.or(Some(Policy::Ignore)),
            _ => return Err(suffix),
        };
    }
    Ok(policy)
}

/// A parser that offers names for completion.
#[derive(Clone)]
pub(super) struct Offering<P, N> {
    pub parser: P,
    pub names: N,
}

impl<P, N> TypedValueParser for Offering<P, N>
where
    P: TypedValueParser,
    N: Fn() -> Vec<PossibleValue> + Clone + Send + Sync + 'static,
{
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter()))
    }
}

/// Offers a codec for completion by its name, or by an alias if that is what was typed.
pub(super) fn offered(codec: &Encoding) -> PossibleValue {
    PossibleValue::new(codec.name).aliases(codec.labels).help(codec.summary)
}

/// The similarity from which on a name is offered for another, from 0 to 1.
pub(super) const ALIKE: f64 = 0.75;

/// Returns the name that is most similar to a text, if the similarity of one is [`ALIKE`] or more.
pub(super) fn most_similar<'a>(
    text: &str,
    names: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(name, text);
    let near = names.filter(|name| likeness(name) >= ALIKE);
    near.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

/// Parses a label as [`CodecParser`] does, or `auto` if that is allowed.
#[derive(Clone, Debug)]
pub(super) struct FromParser {
    pub auto: bool,
}

impl TypedValueParser for FromParser {
    type Value = FromCodec;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<FromCodec, clap::Error> {
        match self.auto && value.eq_ignore_ascii_case(AUTO) {
            true => Ok(FromCodec::Auto),
            false => TargetCodecParser
                .parse_ref(command, arg, value)
                .map(|it| FromCodec::Codec(it.codec)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let auto =
            PossibleValue::new(AUTO).help("the answer of utf8 detect, if it is certain enough");
        let codecs = CodecParser.possible_values()?;
        Some(Box::new(self.auto.then_some(auto).into_iter().chain(codecs)))
    }
}
