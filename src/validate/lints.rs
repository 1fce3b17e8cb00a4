//! Reports of lints.

use std::io;
use std::ops::ControlFlow;

use super::Check;
use super::linter::{LintMatch, Linter};
use crate::report::{Finding, FindingSubject};
use crate::sink::{Run, flow_if, within};

impl Check<'_> {
    /// Passes the part of a run before the range, and reports the matches in the rest: in a file,
    /// nothing before the range is read.
    pub(super) fn run_in_range(
        &mut self,
        linter: &mut Linter,
        run: Run<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, reader, prepared } = run;
        let start = within(&self.range, offset, bytes).start;
        let start = if start > 0 { reader.boundary(bytes, start) } else { 0 };
        let (before, rest) = bytes.split_at(start);
        if start > 0 && self.pass(Run::new(offset, before, &mut *reader))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let rest = Run::new(offset + start as u64, rest, reader);
        self.run_with_lints(linter, Run { prepared, ..rest })
    }

    /// Passes a run in parts, and reports the matches in it.
    fn run_with_lints(&mut self, linter: &mut Linter, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, reader, prepared } = run;
        let mut passed = 0;
        let mut examined = 0;
        while examined < bytes.len() {
            let rest = &bytes[examined..];
            examined += linter.examine(offset + examined as u64, rest, prepared.is_some());
            let index = |at: u64| at.saturating_sub(offset) as usize;
            // Formats with context need all bytes of a finding before it.
            let mut end = passed;
            while let Some(found) = linter.next_to_place() {
                let start = index(found.offset).clamp(passed, examined);
                let part = Run::new(offset + passed as u64, &bytes[passed..start], &mut *reader);
                if self.pass(part)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                passed = start;
                self.place(offset + passed as u64, found)?;
                end = index(found.end()).clamp(end.max(passed), examined);
                if linter.offset_to_place().is_some_and(|next| index(next) < end) {
                    continue;
                }
                let part = Run::new(offset + passed as u64, &bytes[passed..end], &mut *reader);
                passed = end;
                if self.pass(part)?.is_break() || self.report_found(linter)?.is_break() {
                    let rest = &bytes[passed..];
                    return self.pass(Run::new(offset + passed as u64, rest, reader));
                }
            }
            let part = Run::new(offset + passed as u64, &bytes[passed..examined], &mut *reader);
            passed = examined;
            if self.pass(part)?.is_break() || self.report_found(linter)?.is_break() {
                let rest = &bytes[passed..];
                return self.pass(Run::new(offset + passed as u64, rest, reader));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Sets the position of a match, if it may be shown. `reached` is the offset up to which text
    /// was passed.
    fn place(&mut self, reached: u64, found: &mut LintMatch) -> io::Result<()> {
        let known = found.position.take();
        let Some(locator) = self.open_locator() else { return Ok(()) };
        found.position = known;
        if known.is_none() {
            let mut position = locator.locate(reached, found.offset, 0)?;
            position.column_chars =
                position.column_chars.saturating_sub(found.chars_since_start).max(1);
            found.position = Some(position);
        }
        Ok(())
    }

    /// Reports the matches that need no more text, after text up to an offset was passed. Breaks if
    /// the limit of findings is reached.
    pub(super) fn report_lints(
        &mut self,
        linter: &mut Linter,
        reached: u64,
    ) -> io::Result<ControlFlow<()>> {
        while let Some(found) = linter.next_to_place() {
            self.place(reached, found)?;
        }
        self.report_found(linter)
    }

    /// Reports the matches that are decided.
    fn report_found(&mut self, linter: &mut Linter) -> io::Result<ControlFlow<()>> {
        while let Some((found, lint, level)) = linter.next_found() {
            let LintMatch { offset, bytes, columns, value, detail, position, .. } = &found;
            let is_at_end = bytes.is_empty() && *offset == self.reached;
            if !self.range.contains(offset) && !is_at_end || self.summary.stopped {
                continue;
            }
            let subject =
                FindingSubject::Lint { lint, bytes, columns: *columns, value: *value, detail };
            if self.is_known(lint.row().id, bytes) {
                continue;
            }
            self.summary.add_lint(lint, level);
            if let Some(fixes) = &mut self.fixes {
                fixes.add(&found, lint, self.text);
            }
            // Without the position, the input could not be read again: the error ends the report.
            let is_located = position.is_some() || self.open_locator().is_none();
            let listings = self.listings.iter_mut().filter(|_| is_located);
            for listing in listings.filter_map(|listing| listing.admit(*offset)) {
                let (name, encoding) = (listing.name, self.text);
                let finding = Finding {
                    name,
                    encoding,
                    offset: *offset,
                    subject,
                    level,
                    position: *position,
                };
                listing.finding(&finding)?;
            }
            if Some(self.summary.findings) == self.options.limit {
                self.summary.stopped = true;
            }
        }
        Ok(flow_if(!self.summary.stopped))
    }

    /// Reports the matches at the end of the input.
    pub(super) fn end_lints(&mut self, whole: bool) -> io::Result<()> {
        self.summary.suppressed = self.linter.as_ref().map_or(0, |linter| linter.suppressed());
        let Some(mut linter) = self.linter.take_if(|_| !self.summary.stopped) else {
            return Ok(());
        };
        let is_examined = whole && self.range.end >= self.reached && self.reached > 0;
        linter.end(is_examined.then_some(self.reached));
        self.report_lints(&mut linter, self.reached).map(drop)?;
        self.summary.suppressed = linter.suppressed();
        if let Some(fixes) = &mut self.fixes {
            fixes.end(linter.first_line_end());
        }
        Ok(())
    }
}
