//! Man pages and completions for installation: `--generate`.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::session::Session;

#[derive(Args, Debug)]
pub(super) struct GenerateArgs {
    /// Print a man page or the completions of a shell
    ///
    /// man is short for utf8.1.
    #[arg(long, value_name = "FILE", value_parser = parser(), hide_short_help = true)]
    pub generate: Option<&'static str>,
}

/// The files of man/ and completions/, by the names that the option takes.
static FILES: [(&str, &str); 17] = [
    ("utf8.1", include_str!("../../man/utf8.1")),
    ("utf8-validate.1", include_str!("../../man/utf8-validate.1")),
    ("utf8-decode.1", include_str!("../../man/utf8-decode.1")),
    ("utf8-encode.1", include_str!("../../man/utf8-encode.1")),
    ("utf8-dump-bits.1", include_str!("../../man/utf8-dump-bits.1")),
    ("utf8-repair.1", include_str!("../../man/utf8-repair.1")),
    ("utf8-detect.1", include_str!("../../man/utf8-detect.1")),
    ("utf8-config.7", include_str!("../../man/utf8-config.7")),
    ("utf8-encodings.7", include_str!("../../man/utf8-encodings.7")),
    ("utf8-lints.7", include_str!("../../man/utf8-lints.7")),
    ("utf8-reports.7", include_str!("../../man/utf8-reports.7")),
    ("utf8-scale.7", include_str!("../../man/utf8-scale.7")),
    ("completions-bash", include_str!("../../completions/utf8.bash")),
    ("completions-elvish", include_str!("../../completions/utf8.elv")),
    ("completions-fish", include_str!("../../completions/utf8.fish")),
    ("completions-powershell", include_str!("../../completions/_utf8.ps1")),
    ("completions-zsh", include_str!("../../completions/_utf8")),
];

/// Returns a parser that turns a name into its text.
fn parser() -> impl TypedValueParser<Value = &'static str> {
    let name = |&(name, _): &(&'static str, _)| match name {
        "utf8.1" => PossibleValue::new(name).alias("man"),
        _ => PossibleValue::new(name),
    };
    PossibleValuesParser::new(FILES.iter().map(name)).map(|given| {
        let is_given = |(name, _): &&(&str, &str)| given.eq_ignore_ascii_case(name);
        // The first has the alias.
        FILES.iter().find(is_given).unwrap_or(&FILES[0]).1
    })
}

/// Prints a text.
pub(super) fn print(session: &mut Session, text: &str) -> anyhow::Result<()> {
    session.out.buffer().extend_from_slice(text.as_bytes());
    Ok(())
}
