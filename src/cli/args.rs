//! Options that commands share, and the parsers of their values.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Args, ValueEnum};

use super::detect::ANSWERS;
use super::help::STOPS;
use super::prose::any_of;
use crate::policy::{self, Bom, POLICIES, Policy, PolicyError, PolicyRow};
use crate::registry::names::{LabelError, NameOwner, OWNERS, resolve};
use crate::registry::{self, CODECS, Encoding};
use crate::report::{AskedRange, FORMATS};
use crate::source::{MapMode, RangeStart, ReadOptions, ThreadCount};

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

    /// Checks the names of files, and that standard input is not both an input and the list of
    /// inputs.
    pub fn check(&self) -> anyhow::Result<()> {
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
        Ok(())
    }

    /// Returns `true` if there may be more than one input.
    pub fn several(&self) -> bool {
        self.text.len() > 1 || self.files.len() > 1 || !self.files_from.is_empty()
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

/// Returns `true` if a text has only hex digits.
fn are_digits(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Parses a number of bytes: decimal or `0xHEX`, with `k`, `M` or `G`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let is_number = |text: &&str| text.ends_with(UNITS);
    let binary = text.strip_suffix("iB").filter(is_number);
    let decimal = text.strip_suffix('B').filter(is_number);
    let base: u64 = if decimal.is_some() { 1000 } else { 1024 };
    let text = binary.or(decimal).unwrap_or(text);
    let (digits, unit) = match text.strip_suffix(UNITS) {
        Some(digits) => (digits, text[digits.len()..].to_ascii_lowercase()),
        None => (text, String::new()),
    };
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) if hex.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            u64::from_str_radix(hex, 16)
        }
        _ if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse(),
        _ if digits.starts_with('-') => return Err("expected a number, 0 or more".to_owned()),
        _ => return Err(NO_SIZE.to_owned()),
    };
    let factor = match unit.as_str() {
        "k" => base,
        "m" => base.pow(2),
        "g" => base.pow(3),
        _ => 1,
    };
    match number {
        Ok(number) => number.checked_mul(factor).ok_or("too large".to_owned()),
        Err(error) if *error.kind() == std::num::IntErrorKind::PosOverflow => {
            Err("too large".to_owned())
        }
        Err(_) => Err(NO_SIZE.to_owned()),
    }
}

/// Parses a number of a type without zero.
pub(super) fn at_least_one<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "expected a number, 1 or greater")
}

const UNITS: [char; 6] = ['k', 'K', 'm', 'M', 'g', 'G'];

const NO_SIZE: &str = "expected a number of bytes: decimal or 0xHEX, with k, M or G";

fn skip(text: &str) -> Result<RangeStart, String> {
    match text.strip_prefix('-') {
        Some(back) if back.starts_with('-') => Err(NO_SIZE.to_owned()),
        Some(back) => size(back).map(RangeStart::FromEnd),
        None => size(text).map(RangeStart::FromStart),
    }
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

/// Parses the value of `--on-error`. `drops_lines` says that the command can leave out lines.
pub(super) fn policy(drops_lines: bool) -> impl TypedValueParser<Value = Policy> {
    let parse = move |text: String| {
        let text = text.to_ascii_lowercase();
        match (text.parse(), similar_policy(&text, drops_lines)) {
            (Ok(Policy::DropLine), _) if !drops_lines => Err(DROPS_NO_LINES.to_owned()),
            (Ok(policy), _) => Ok(policy),
            (Err(PolicyError::Unknown), Some(name)) => {
                Err(format!("unknown policy; did you mean {name}?"))
            }
            (Err(PolicyError::Unknown), None) => {
                let names = any_of(&policy_names(drops_lines));
                Err(format!("unknown policy (expected {names})"))
            }
            (Err(error @ PolicyError::UnknownPage), _) => {
                let page = text.split_once('=').map_or("", |(_, page)| page);
                Err(format!("{error}{}", suggestion(page)))
            }
            (Err(error), _) => Err(error.to_string()),
        }
    };
    let names = move || offered_policies(drops_lines);
    Offering { parser: StringValueParser::new().try_map(parse), names }
}

/// The error for a conversion that is to leave out lines.
const DROPS_NO_LINES: &str = "only repair drops lines (utf8 repair -f CODEC --on-error drop-line \
                              FILE | utf8 decode -f CODEC)";

/// Returns the policies to offer in commands that can leave out lines, or in those that cannot.
fn policies(drops_lines: bool) -> impl Iterator<Item = &'static PolicyRow> {
    // A repair has no other target, so that there is nothing to transliterate.
    let unfit = if drops_lines { Policy::Transliterate } else { Policy::DropLine };
    POLICIES.iter().filter(move |row| row.policy != Some(unfit))
}

/// Returns the policies; those with a code page are hidden, for there are many.
fn offered_policies(drops_lines: bool) -> Vec<PossibleValue> {
    let value = |row: &PolicyRow| {
        let summary = row.ill_formed.unwrap_or(STOPS);
        match row.policy {
            Some(_) => vec![PossibleValue::new(row.name).help(summary)],
            None => fallback_pages()
                .map(|page| PossibleValue::new(format!("{}={}", row.name, page.name)).hide(true))
                .collect(),
        }
    };
    policies(drops_lines).flat_map(value).collect()
}

/// Returns the most similar name of a policy.
fn similar_policy(text: &str, drops_lines: bool) -> Option<&'static str> {
    most_similar(text, policies(drops_lines).map(|row| row.name))
}

/// Returns the help of `--on-error`: the subjects that it treats, and the policies.
pub(super) fn on_error_help(subjects: &str, drops_lines: bool) -> String {
    format!("Treat {subjects}: {}", any_of(&policy_names(drops_lines)))
}

/// Returns the names of the policies as they are typed.
fn policy_names(drops_lines: bool) -> Vec<String> {
    let name = |row: &PolicyRow| match row.policy {
        Some(_) => row.name.to_owned(),
        None => format!("{}=PAGE", row.name),
    };
    policies(drops_lines).map(name).collect()
}

/// Parses the value of `--fallback`, the code page of that policy.
pub(super) fn fallback() -> impl TypedValueParser<Value = Policy> {
    let parse = |page: &'static Encoding| policy::fallback(page.name);
    Offering {
        parser: CodecParser.try_map(parse),
        names: || fallback_pages().map(offered).collect(),
    }
}

fn fallback_pages() -> impl Iterator<Item = &'static Encoding> {
    CODECS.iter().filter(|codec| policy::fallback(codec.name).is_ok())
}

/// Offers a codec for completion by its name, or by an alias if that is what was typed.
pub(super) fn offered(codec: &Encoding) -> PossibleValue {
    PossibleValue::new(codec.name).aliases(codec.labels).help(codec.summary)
}

/// The similarity from which on a name is offered for another, from 0 to 1.
pub(super) const ALIKE: f64 = 0.75;

/// Returns the name that is most similar to a text, if one is similar.
pub(super) fn most_similar(
    text: &str,
    names: impl Iterator<Item = &'static str>,
) -> Option<&'static str> {
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

/// Returns the error for a label that means no codec.
pub(super) fn unknown(label: &str, reason: LabelError) -> String {
    let name = label.split_once(':').map_or(label, |(_, name)| name);
    match reason {
        LabelError::Unlisted(owner) => {
            return format!("{owner} has no encoding of this name{}", suggestion(name));
        }
        LabelError::Lacking(owner, name) => {
            let other = Encoding::for_label(name);
            let other = other.map(|codec| format!("; {name} without prefix is {}", codec.name));
            let other = other.unwrap_or_default();
            return format!("no codec has the table of {owner}{other}");
        }
        LabelError::Replacement => {
            return "the WHATWG Encoding Standard decodes no text in it, since it can hide scripts"
                .to_owned();
        }
        LabelError::Unknown => (),
    }
    if FORMATS.iter().chain(&ANSWERS).any(|row| row.has_name(label.as_ref())) {
        return format!("unknown codec; did you mean --format {label}?");
    }
    if registry::loose(label) == AUTO {
        return "validate does not guess the encoding; utf8 detect names it".to_owned();
    }
    let owned = owned(label);
    match owned.is_empty() {
        true => format!("unknown codec{}", suggestion(label)),
        false => format!("this name needs a prefix: {}", owned.join(", ")),
    }
}

/// Returns the codec that a name means to each implementation, as `glibc:NAME is CODEC`.
fn owned(name: &str) -> Vec<String> {
    let meaning = |owner: &NameOwner| {
        let label = format!("{}:{name}", owner.prefix);
        Encoding::for_label(&label).map(|codec| format!("{label} is {}", codec.name))
    };
    OWNERS.iter().filter_map(meaning).collect()
}

/// Returns the end of an error: the codecs for a language or system, similar names, and the command
/// that lists all.
fn suggestion(label: &str) -> String {
    let listed = |title: String, names: Vec<&str>| match names.is_empty() {
        true => String::new(),
        false => format!("; {title}: {}", names.join(", ")),
    };
    let meant = listed(format!("codecs for {label}"), described(label));
    let near = listed("similar names".to_owned(), nearest(label));
    format!("{meant}{near} (utf8 --list-codecs lists all)")
}

/// Returns up to three sets whose summary names the label, such as a language or system.
fn described(label: &str) -> Vec<&'static str> {
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.eq_ignore_ascii_case(label)
    };
    let words =
        |spec: &Encoding| spec.summary.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let sets = CODECS.iter().filter(|spec| spec.is_page() || spec.group.is_east_asian());
    let specs = sets.filter(|spec| words(spec).any(is_name));
    specs.map(|spec| spec.name).take(3).collect()
}

/// The number of bytes of a label from which on it is similar to no name.
const LONG_LABEL: usize = 64;

/// Returns up to three names of codecs that are most similar to a label, the best first.
fn nearest(label: &str) -> Vec<&'static str> {
    if label.len() >= LONG_LABEL {
        return Vec::new();
    }
    let wanted = registry::loose(label);
    let likeness = |name: &str| strsim::jaro_winkler(&registry::loose(name), &wanted);
    // The canonical name is preferred unless an alias is clearly more similar.
    let weight =
        |name: &str, of: &Encoding| likeness(name) + if name == of.name { 0.1 } else { 0.0 };
    let best =
        |spec: &Encoding| spec.names().max_by(|a, b| weight(a, spec).total_cmp(&weight(b, spec)));
    let mut names: Vec<&str> = CODECS.iter().filter_map(best).collect();
    names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    names.truncate(3);
    names.retain(|name| likeness(name) >= ALIKE);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", 0),
            ("420", 420),
            ("0x1A4", 420),
            ("1k", 1024),
            ("0x2M", 2 << 20),
            ("3G", 3 << 30),
            ("4KiB", 4096),
            ("1MiB", 1 << 20),
            ("1kB", 1000),
            ("1MB", 1_000_000),
            ("0x1B", 27),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "k", "0x", "+5", "1.5", "0x+5", "12q", "1 k", "1iB", "MiB", "1B"] {
            assert_eq!(size(text).unwrap_err(), NO_SIZE, "{text}");
        }
        for text in ["18446744073709551616", "17179869184G"] {
            assert_eq!(size(text).unwrap_err(), "too large", "{text}");
        }
        assert_eq!(skip("-1k"), Ok(RangeStart::FromEnd(1024)));
        assert_eq!(skip("0x10"), Ok(RangeStart::FromStart(16)));
    }
}
