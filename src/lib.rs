//! Encodings of text: validation with the offset of every ill-formed sequence, conversion, repair
//! and detection.
//!
//! [`Encoding`] is a row of the table of encodings. Functions take an encoding and bytes;
//! [`Validator`], [`Converter`], [`Repairer`] and [`Detector`] take a stream.
//!
//! ```
//! use utf8::{Encoding, Kind, issues};
//!
//! let found: Vec<_> = issues(Encoding::UTF_8, b"caf\xC3\xA9 \xC0\xAF \xE2\x82").collect();
//!
//! assert_eq!(found.len(), 2);
//! assert_eq!((found[0].offset, found[0].len, found[0].kind), (6, 2, Kind::Overlong2));
//! assert_eq!((found[1].offset, found[1].len, found[1].kind), (9, 2, Kind::TruncatedEnd));
//! assert_eq!(found[0].kind.id(), "overlong-2");
//! // One U+FFFD for each maximal subpart, as `String::from_utf8_lossy` writes them.
//! assert_eq!(found.iter().map(|issue| issue.replacements).sum::<u8>(), 3);
//! ```
//!
//! Without default features, the crate has no command line and few dependencies. The feature
//! `unstable-internals` opens the modules to the tests, benches and models of the project, without
//! any promise of stability.

#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]
// The docs of internals are read with --document-private-items.
#![allow(rustdoc::private_intra_doc_links)]
// The command line uses more than the API of the library.
#![cfg_attr(
    not(any(feature = "cli", feature = "unstable-internals")),
    allow(dead_code, unused_imports)
)]

#[cfg(all(feature = "cli", not(unix)))]
compile_error!("the command line needs a Unix; the library does not (default-features = false)");

/// The distance between the cases of long unit tests. Miri, which is slow, gets a few.
#[cfg(test)]
const TEST_STRIDE: usize = if cfg!(miri) { 263 } else { 1 };

/// The same distance in tests of nearly all characters.
#[cfg(test)]
const TEST_CHAR_STRIDE: usize = if cfg!(miri) { 4099 } else { 1 };

/// Declares modules that only `unstable-internals` makes public, foundation first.
macro_rules! internal {
    ($($(#[$attribute:meta])* $name:ident)*) => {
        $(
            $(#[$attribute])*
            #[cfg(feature = "unstable-internals")]
            #[doc(hidden)]
            pub mod $name;
            $(#[$attribute])*
            #[cfg(not(feature = "unstable-internals"))]
            mod $name;
        )*
    };
}

/// Defines an enumeration and the table of its rows, so that no variant lacks its row and each is
/// the index of its row. The brackets name the field of a row that has the variant, if there is one.
/// A row with a title and an explanation documents its variant.
macro_rules! table {
    (@row $row:ident [] $variant:expr, { $($fields:tt)* }) => {
        $row { $($fields)* }
    };
    (@row $row:ident [$key:ident] $variant:expr, { $($fields:tt)* }) => {
        $row { $key: $variant, $($fields)* }
    };
    (
        $(#[$of_variants:meta])*
        enum $enum:ident
        $(#[$of_rows:meta])*
        static $table:ident: $row:ident $key:tt
        $($variant:ident {
            id: $id:literal, title: $title:literal, explanation: $explanation:literal,
            $($field:ident: $value:expr),* $(,)?
        })*
    ) => {
        table! {
            $(#[$of_variants])*
            enum $enum
            $(#[$of_rows])*
            static $table: $row $key
            $(#[doc = concat!($title, ": ", $explanation, ".")]
            $variant {
                id: $id, title: $title, explanation: $explanation, $($field: $value),*
            })*
        }
    };
    (
        $(#[$of_variants:meta])*
        enum $enum:ident
        $(#[$of_rows:meta])*
        static $table:ident: $row:ident $key:tt
        $($(#[$of_variant:meta])* $variant:ident { $($field:ident: $value:expr),* $(,)? })*
    ) => {
        $(#[$of_variants])*
        pub enum $enum {
            $($(#[$of_variant])* $variant,)*
        }

        $(#[$of_rows])*
        pub static $table: &[$row] =
            &[$(table!(@row $row $key $enum::$variant, { $($field: $value),* })),*];

        impl $enum {
            /// Returns the row of this variant.
            #[allow(dead_code)] // only the command line reads some of the rows
            pub(crate) fn row(self) -> &'static $row {
                &$table[self as usize]
            }
        }
    };
}

internal! {
    issue
    lint
    output
    os
    spool
    kernel
    text
    codec
    sink
    scan
    registry
    source
    finding
    report
    mojibake
    validate
    policy
    convert
    repair
    detect
    dump
    #[cfg(feature = "cli")]
    undump
    api
}

#[cfg(feature = "cli")]
#[doc(hidden)] // the binary's
pub mod cli;

#[cfg(all(feature = "cli", target_arch = "x86_64"))]
#[doc(hidden)] // the binary's
pub use os::memory::{memcpy, memmove};

pub use api::{
    ConvertError, Converter, RepairError, Repairer, Validator, convert, decode, encode, issues,
    repair, validate,
};
pub use codec::{Escapes, Group, Properties};
pub use convert::ConvertOptions;
pub use detect::{Answer, Detection, DetectionReason, Detector, RankedAnswer, detect};
pub use issue::{Class, Issue, Kind};
pub use policy::{Bom, Policy, PolicyError};
pub use registry::Encoding;
pub use repair::{
    ByteOrderError, MojibakeOptions, Newlines, NormalizationForm, Occurrences, PlanError,
    RepairPlan, RepairReason, RepairSummary, StructuralRepairs, TruncationLimit,
};
