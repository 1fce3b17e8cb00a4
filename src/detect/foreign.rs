//! Encodings that detection knows and that have no codec.

/// Makes a constant for each name, and the table of all names.
macro_rules! foreign {
    ($($constant:ident = $name:literal,)*) => {
        $(pub(super) const $constant: &str = $name;)*

        /// The names of the encodings without a codec.
        pub static FOREIGN: &[&str] = &[$($constant),*];
    };
}

foreign! {
    // By signatures.
    UTF_EBCDIC = "utf-ebcdic",
}

#[cfg(test)]
mod tests {
    use super::super::escapes::ESCAPES;
    use super::super::signature::SIGNATURES;
    use super::*;
    use crate::registry::CODECS;

    /// Returns the names that signatures, escapes and shifts announce.
    fn announced() -> impl Iterator<Item = &'static str> {
        let signatures = SIGNATURES.iter().map(|signature| signature.answer);
        let escapes = ESCAPES.iter().map(|&(_, name)| name);
        signatures.chain(escapes).chain(["hz-gb-2312"])
    }

    #[test]
    fn something_announces_every_encoding_without_a_codec() {
        for name in FOREIGN {
            assert!(announced().any(|announced| announced == *name), "{name}");
        }
    }

    #[test]
    fn every_announced_encoding_is_in_one_table() {
        for name in announced() {
            let has_codec = CODECS.iter().any(|codec| codec.name == name);
            assert_ne!(has_codec, FOREIGN.contains(&name), "{name}");
        }
    }
}
