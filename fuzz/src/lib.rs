//! What the fuzz targets share: the properties of the tests, and the program in this process.

#[path = "../../tests/common/mod.rs"]
pub mod common;
#[path = "../../tests/properties/mod.rs"]
pub mod properties;

pub mod in_process;

pub use libfuzzer_sys;

/// Defines the target that checks a property.
#[macro_export]
macro_rules! target {
    ($property:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(
            |input: &[u8]| $crate::properties::$property.check_input(input)
        );
    };
    ($property:ident, with $prepare:path) => {
        $crate::libfuzzer_sys::fuzz_target!(
            init: $prepare(),
            |input: &[u8]| $crate::properties::$property.check_input(input)
        );
    };
}
