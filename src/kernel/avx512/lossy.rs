//! AVX-512: replacement of ill-formed sequences where they are dense.

use super::faults::{barred, examine};
use crate::kernel::{Replaced, lossy};

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn lossy(bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> Replaced {
    let barred = barred();
    lossy::lossy(bytes, stand_in, text, |window| examine(window, barred))
}
