//! Every ill-formed sequence of UTF-8 and its relatives, exactly.
//!
//! Bytes flow from a [`Source`](source::Source) through one [`scan`](scan::scan) that cuts them
//! into well-formed runs and ill-formed [`Issue`]s, and a [`Sink`](sink::Sink) does something with
//! each. Everything that has a name is a row in a table: [`CODECS`](registry::CODECS),
//! [`KERNELS`](kernel::KERNELS), [`KINDS`](issue::KINDS), [`FORMATS`](report::FORMATS).
//!
//! ```
//! use utf8::{Kind, issues};
//!
//! let utf8 = utf8::registry::Encoding::for_label("utf-8").unwrap();
//! let found = issues(utf8, b"caf\xC3\xA9 \xC0\xAF \xE2\x82");
//!
//! assert_eq!(found.len(), 2);
//! assert_eq!((found[0].offset, found[0].len, found[0].kind), (6, 2, Kind::Overlong2));
//! assert_eq!((found[1].offset, found[1].len, found[1].kind), (9, 2, Kind::TruncatedEnd));
//! assert_eq!(found[0].kind.id(), "overlong-2");
//! // One U+FFFD for each maximal subpart, as `String::from_utf8_lossy` writes them.
//! assert_eq!(found.iter().map(|issue| issue.replacements).sum::<u8>(), 3);
//! ```

#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]

#[cfg(all(feature = "cli", not(unix)))]
compile_error!("the command line needs a Unix; the library does not (default-features = false)");

mod api;
pub mod codec;
pub mod convert;
pub mod detect;
pub mod dump;
pub mod finding;
pub mod issue;
pub mod kernel;
pub mod mojibake;
pub mod os;
pub mod output;
pub mod policy;
pub mod registry;
pub mod repair;
pub mod report;
pub mod scan;
pub mod sink;
pub mod source;
pub mod text;
#[cfg(feature = "cli")]
pub mod undump;
pub mod validate;

#[cfg(feature = "cli")]
#[doc(hidden)] // the binary's, and no promise
pub mod cli;

pub use api::issues;
pub use issue::{Class, Issue, Kind};
