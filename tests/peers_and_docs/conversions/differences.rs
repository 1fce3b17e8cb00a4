//! The notation of differences in the table.

/// A question that a peer answers differently.
#[derive(Debug)]
pub struct Difference {
    /// Its index among all questions.
    pub place: usize,
    /// The question in hex.
    pub key: String,
    /// The peer's answer in hex; `None` if it refuses.
    pub answer: Option<String>,
}

impl Difference {
    /// Returns the answer as a number.
    fn number(&self) -> Option<u64> {
        u64::from_str_radix(self.answer.as_ref()?, 16).ok()
    }
}

/// Adjacent questions that are refused, or whose answers count up.
struct Group<'a> {
    first: &'a Difference,
    last: &'a Difference,
}

impl Group<'_> {
    fn takes(&self, next: &Difference) -> bool {
        let follows = match (self.last.number(), next.number()) {
            (Some(last), Some(next)) => next == last + 1,
            _ => self.last.answer.is_none() && next.answer.is_none(),
        };
        follows && next.place == self.last.place + 1
    }

    /// Formats `A1=-`, `A1=2014`, `A1-A5=-` or `A1-A5=2014..`
    fn spell(&self) -> String {
        let (first, last) = (&self.first.key, &self.last.key);
        let answer = self.first.answer.as_deref().unwrap_or("-");
        match (self.first.place == self.last.place, &self.first.answer) {
            (true, _) => format!("{first}={answer}"),
            (false, None) => format!("{first}-{last}={answer}"),
            (false, Some(_)) => format!("{first}-{last}={answer}.."),
        }
    }
}

/// Formats all differences, and the number of code points that are elsewhere; `-` for none.
pub fn spell(differences: &[Difference], elsewhere: usize) -> String {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for next in differences {
        match groups.last_mut() {
            Some(group) if group.takes(next) => group.last = next,
            _ => groups.push(Group { first: next, last: next }),
        }
    }
    let mut words: Vec<_> = groups.iter().map(Group::spell).collect();
    words.extend((elsewhere > 0).then(|| format!("elsewhere={elsewhere}")));
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}

/// Formats the code points of a text in hex, joined by `+`.
pub fn points(text: &str) -> String {
    text.chars().map(|c| format!("{:04X}", u32::from(c))).collect::<Vec<_>>().join("+")
}
