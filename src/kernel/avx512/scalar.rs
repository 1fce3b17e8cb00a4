//! AVX-512: recognition of scalar values.

use super::vector::{VALUES, below, largest, load_values, padded, scalars as scalars_in};

/// Returns the number of values at the front that are scalar values.
#[target_feature(enable = "avx512f,bmi1")]
pub fn scalars(values: &[u32]) -> usize {
    let (blocks, rest) = values.as_chunks::<{ 4 * VALUES }>();
    let last = padded(rest);
    let mut done = 0;
    for block in blocks.iter().chain((!rest.is_empty()).then_some(&last)) {
        let number = (values.len() - done).min(4 * VALUES);
        let [a, b, c, d] = load_values(block);
        if below(0xD800, largest([largest([a, b]), largest([c, d])])) {
            done += number;
            continue;
        }
        for some in [a, b, c, d] {
            let number = (values.len() - done).min(VALUES);
            let good = scalars_in(some, number);
            done += good;
            if good < VALUES {
                return done;
            }
        }
    }
    done
}
