//! What the fuzz targets share: the properties of the tests, and the program in this process.

#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/properties/mod.rs"]
pub mod properties;

pub mod in_process;

pub use libfuzzer_sys;

/// Defines the target that checks the property with this name.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(
            init: $crate::in_process::prepare(),
            |input: &[u8]| ($crate::properties::named($name).check)(input)
        );
    };
}
