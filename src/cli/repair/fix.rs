//! Fixes of what lints report: `--fix`.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::cli::config::settings::FileSettings;
use crate::cli::config::{ConfigArgs, Configuration};
use crate::cli::inputs::NamedInput;
use crate::cli::lints;
use crate::cli::reading::InputReader;
use crate::cli::validate::baseline;
use crate::codec::BOM;
use crate::detect::{Answer, DetectionReason, EvidenceOptions, EvidenceSink};
use crate::kernel;
use crate::lint::levels::{
    ILL_FORMED, LevelNames, LintMask, RuleLevels, lint_mask, lints_in, opposed,
};
use crate::lint::{FixAction, LINTS, Level, LineEnding, Lint, LintRow};
use crate::policy::Bom;
use crate::registry::Encoding;
use crate::repair::RepairPlan;
use crate::report::baseline::{Baseline, KnownFindings};
use crate::text::name::InputName;
use crate::validate::{Check, CheckOptions, LintFixes, LintRules};

/// The set of lints whose findings are fixed unless settings or options name others.
const DEFAULT_SET: &str = "files";

/// Options for fixes of findings.
#[derive(Args, Debug)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    // The pages on fixes and on settings name them.
    "config" | "no_config" | "no_editorconfig" => arg.requires("fix").hide(true),
    _ => arg,
}))]
pub(super) struct FixArgs {
    /// Fix what validate reports, or only these lints
    ///
    /// See FIXES in utf8-lints(7).
    #[arg(long, value_name = "LINT,...", require_equals = true, num_args = 0..=1, value_delimiter = ',')]
    #[arg(value_parser = lints::offering(fixable), hide_possible_values = true)]
    #[arg(conflicts_with_all = ["text", "hex", "skip", "length"])]
    fix: Option<Vec<&'static str>>,

    /// Make fixes that can change the meaning of text, too
    #[arg(long, requires = "fix", hide_short_help = true)]
    unsafe_fixes: bool,

    /// Do not fix the findings that FILE knows
    #[arg(long, value_name = "FILE", requires = "fix", hide = true)]
    baseline: Option<PathBuf>,

    #[command(flatten)]
    config: ConfigArgs,
}

/// Parses the name of a lint that has a fix, or of a set.
fn fixable(text: &str) -> Result<&'static str, String> {
    let name = lints::rule(text)?;
    match LINTS.iter().find(|row| row.id == name) {
        Some(row) if row.fix.is_none() => Err("a program cannot fix it".to_owned()),
        None if lint_mask(name) == 0 => Err("--on-error repairs ill-formed sequences".to_owned()),
        _ => Ok(name),
    }
}

impl FixArgs {
    /// Checks that the lints that are named make sense in an encoding.
    ///
    /// # Errors
    /// A byte order mark is to be added, which the encoding lacks.
    pub fn check(&self, encoding: &Encoding) -> anyhow::Result<()> {
        let id = Lint::MissingBom.row().id;
        let is_named = self.fix.iter().flatten().any(|name| *name == id);
        anyhow::ensure!(
            !is_named || encoding.can_encode(BOM),
            "--fix={id}: {} has no byte order mark",
            encoding.name
        );
        Ok(())
    }

    /// Returns the fixes of a run, if they are wanted.
    ///
    /// # Errors
    /// Those of reading the configuration; a lint is named whose fix is unsafe.
    pub fn open(&self) -> anyhow::Result<Option<Fixer>> {
        let Some(names) = &self.fix else { return Ok(None) };
        let is_unsafe = |name: &&&str| {
            LINTS.iter().any(|row| row.id == **name && row.fix.is_some_and(|fix| !fix.certain))
        };
        if let Some(name) = names.iter().find(is_unsafe).filter(|_| !self.unsafe_fixes) {
            anyhow::bail!(
                "--fix={name}: this fix can change the meaning of text (--unsafe-fixes makes it)"
            );
        }
        let one = lints_in(opposed(mask_of(names))).next();
        if let Some((one, opposite)) = one.and_then(|row| Some((row.id, row.lint.opposite()?))) {
            let other = opposite.row().id;
            anyhow::bail!("--fix: {one} and {other} exclude each other: name one of them");
        }
        let named = (!names.is_empty()).then(|| names.clone());
        let config = Arc::new(self.config.open()?);
        let baseline = self.baseline.as_deref().map(baseline::read).transpose()?.map(Arc::new);
        Ok(Some(Fixer { config, baseline, named, makes_unsafe: self.unsafe_fixes }))
    }
}

/// The fixes that a run makes.
#[derive(Debug)]
pub(super) struct Fixer {
    pub config: Arc<Configuration>,
    /// The findings that are not fixed.
    pub baseline: Option<Arc<Baseline>>,
    /// The lints and sets that are named.
    named: Option<Vec<&'static str>>,
    /// True to make fixes that can change the meaning of text.
    makes_unsafe: bool,
}

/// The lints of a file that are fixed.
struct FixRules {
    levels: RuleLevels,
    /// The lints whose findings are fixed.
    fixed: LintMask,
    /// Those whose fix is not made, as it can change the meaning of text.
    skipped: LintMask,
    /// The line end that the levels ask for.
    line_end: Option<LineEnding>,
}

/// The fixes of a file, and the repairs that they need.
pub(super) struct PlannedFixes {
    pub plan: RepairPlan,
    pub fixes: LintFixes,
    /// True if the settings allow the ill-formed sequences, or the baseline knows them: they are kept.
    pub keeps_ill_formed: bool,
    /// The rules by which the findings were found.
    pub rules: Arc<LintRules>,
    /// The lints that were named and are not fixed, as the settings have it.
    pub refused: Vec<&'static str>,
}

impl Fixer {
    /// Returns the levels of the rules for an input, and the line end that they ask for. The levels are
    /// those of its settings. If lints are named, only these are on, unless a setting turns them off or
    /// asks for their opposites.
    fn levels(
        &self,
        input: NamedInput<'_>,
        settings: &FileSettings,
    ) -> (RuleLevels, Option<LineEnding>) {
        let mut set = input.levels();
        if self.named.is_none() && !settings.sets_lints() {
            set.set(DEFAULT_SET, Level::Warn);
        }
        settings.apply(&mut set);
        let mut levels = match &self.named {
            None => set.clone(),
            Some(named) => {
                let mut levels = RuleLevels::default();
                LevelNames { warn: named.clone(), ..LevelNames::default() }.apply(&mut levels);
                settings.apply(&mut levels);
                // A more specific lint would hide the one that is named.
                levels.turn_off(!mask_of(named));
                levels
            }
        };
        let is_opposed = |row: &&LintRow| {
            row.lint.opposite().is_some_and(|opposite| set.of(opposite) != Level::Allow)
        };
        let opposed = LINTS.iter().filter(is_opposed).fold(0, |mask, row| mask | row.lint.mask());
        levels.turn_off(opposed);
        let line_end = wanted_line_end(&levels).or(wanted_line_end(&set));
        (levels, line_end)
    }

    /// Returns the rules for an input.
    fn rules(&self, input: NamedInput<'_>, settings: &FileSettings) -> FixRules {
        let (levels, line_end) = self.levels(input, settings);
        let mut rules = FixRules { levels, fixed: 0, skipped: 0, line_end };
        for row in LINTS {
            let is_on = rules.levels.of(row.lint) != Level::Allow;
            let Some(fix) = row.fix.filter(|_| is_on) else { continue };
            match self.makes_unsafe || lints::is_certain(fix, input.name()) {
                true => rules.fixed |= row.lint.mask(),
                false => rules.skipped |= row.lint.mask(),
            }
        }
        rules
    }

    /// Returns the lints that are named, not as sets, and off.
    fn refused(&self, levels: &RuleLevels) -> Vec<&'static str> {
        let named = self.named.iter().flatten().copied();
        let is_off = |name: &&str| levels.level(name) == Level::Allow;
        named.filter(|name| LINTS.iter().any(|row| row.id == *name)).filter(is_off).collect()
    }

    /// Reads an input, and returns the plan for it and the fixes of its findings. `content` is the
    /// input once it is open.
    ///
    /// # Errors
    /// It cannot be read, or only once; lints cannot read its encoding.
    pub fn plan(
        &self,
        plan: &RepairPlan,
        reader: &mut InputReader<'_>,
        (input, name): (NamedInput<'_>, &InputName<'_>),
        content: NamedInput<'_>,
        settings: &FileSettings,
    ) -> io::Result<PlannedFixes> {
        let codec = reader.codec;
        check_reading(content, codec)?;
        let FixRules { mut levels, fixed, skipped, line_end } = self.rules(input, settings);
        let is_allowed = levels.level(ILL_FORMED) == Level::Allow;
        let refused = self.refused(&levels);
        let mut fixes = LintFixes::new(fixed, skipped, line_end);
        if levels.of(Lint::MixedLineEnding) == Level::Allow {
            // The linter then knows the first line end.
            levels.set(Lint::MixedLineEnding.row().id, Level::Warn);
        }
        let rules = Arc::new(LintRules::from(levels));
        let known = self.baseline.as_ref().map(|baseline| KnownFindings::new(baseline, name));
        let mut check = open_check(codec, &rules, &mut fixes).with_known(known);
        reader.examine(content, codec, &mut check)?;
        let summary = check.end(true)?;
        // The baseline knows every ill-formed sequence, if there are any.
        let are_known = self.baseline.is_some() && summary.kinds().all(|(_, number)| number == 0);
        let keeps_ill_formed = is_allowed || are_known;
        check_shifts(reader, content, &fixes)?;
        let plan = with_fixes(*plan, &fixes);
        Ok(PlannedFixes { plan, fixes, keeps_ill_formed, rules, refused })
    }
}

/// Returns a check of a text that finds its fixes.
pub(super) fn open_check<'a>(
    codec: &'static Encoding,
    rules: &Arc<LintRules>,
    fixes: &'a mut LintFixes,
) -> Check<'a> {
    let options = CheckOptions { comments: true, ..CheckOptions::default() };
    Check::new(codec, 0..u64::MAX, options, None).with_rules(rules).with_fixes(fixes)
}

/// Returns the lints that these names stand for.
fn mask_of(names: &[&str]) -> LintMask {
    names.iter().fold(0, |mask, name| mask | lint_mask(name))
}

/// Returns a plan with the fixes that concern the whole file, unless it has such repairs already.
fn with_fixes(mut plan: RepairPlan, fixes: &LintFixes) -> RepairPlan {
    if plan.bom == Bom::Keep && fixes.needs(FixAction::RemoveBom) {
        plan.bom = Bom::Remove;
    } else if plan.bom == Bom::Keep && fixes.needs(FixAction::AddBom) {
        plan.bom = Bom::Add;
    }
    if plan.newlines.is_none() && fixes.needs(FixAction::UnifyLineEnds) {
        plan.newlines = Some(fixes.line_end().into());
    }
    plan
}

/// Returns the line end that levels ask for.
fn wanted_line_end(levels: &RuleLevels) -> Option<LineEnding> {
    let is_on = |lint| levels.of(lint) != Level::Allow;
    match (is_on(Lint::Crlf), is_on(Lint::Lf)) {
        (true, false) => Some(LineEnding::Lf),
        (false, true) => Some(LineEnding::CrLf),
        _ => None,
    }
}

/// Checks that the controls that fixes remove are no shifts of ISO/IEC 2022.
///
/// # Errors
/// The controls seem to be shifts; those of reading the input.
fn check_shifts(
    reader: &mut InputReader<'_>,
    content: NamedInput<'_>,
    fixes: &LintFixes,
) -> io::Result<()> {
    if !fixes.fixed.ids().contains(&Lint::C0Control.row().id) {
        return Ok(());
    }
    let mut evidence = EvidenceSink::new(kernel::best(), 0..u64::MAX, EvidenceOptions::default());
    reader.examine(content, Encoding::UTF_8, &mut evidence)?;
    let found = evidence.finish();
    match found.answer {
        Answer::Codec(Encoding { name, .. }) if found.reason == DetectionReason::Escapes => {
            Err(io::Error::other(format!(
                "looks like {name}, where ESC, SO and SI are part of the text: not fixed (utf8 decode -f \
                 {name} converts it)"
            )))
        }
        _ => Ok(()),
    }
}

/// Checks that an input can be read twice, and that lints can read its encoding.
///
/// # Errors
/// The input cannot be read twice, or has shift states.
fn check_reading(input: NamedInput<'_>, codec: &Encoding) -> io::Result<()> {
    let is_read_twice = match input {
        NamedInput::Stdin(_) => {
            return Err(io::Error::other(
                "--fix reads its input twice, standard input is read once (name a file: utf8 repair --fix \
                 FILE)",
            ));
        }
        NamedInput::File(path, _) if path.is_dir() => {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        NamedInput::File(path, _) => path.metadata()?.is_file(),
        NamedInput::Text(_) | NamedInput::Opened(..) | NamedInput::InTree(_) => true,
    };
    if !is_read_twice {
        return Err(io::Error::other(
            "is no regular file; --fix reads its input twice (save it to a file first)",
        ));
    }
    if codec.properties.stateful {
        let message = format!("lints cannot read {}, which has shift states", codec.name);
        return Err(io::Error::other(message));
    }
    Ok(())
}
