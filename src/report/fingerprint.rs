//! Fingerprints of findings, by which code hosts recognize a finding after edits around it.

use super::{Finding, path_in_repository};
use crate::text::name::InputName;

/// The number of counters of equal findings. Memory is bounded: findings that share a counter have
/// higher ordinals than needed.
const SLOTS: usize = 4096;

/// A source of the fingerprints of an input's findings.
pub(super) struct Fingerprints {
    /// The numbers of findings so far, by a hash of kind and bytes.
    ordinals: Vec<u32>,
}

impl Fingerprints {
    pub fn new() -> Fingerprints {
        Fingerprints { ordinals: vec![0; SLOTS] }
    }

    /// Forgets the findings, at the end of an input.
    pub fn clear(&mut self) {
        self.ordinals.fill(0);
    }

    /// Returns the fingerprint of the next finding: of path, kind, bytes, and the number of equal
    /// findings before it. The line is no part of it.
    pub fn next(&mut self, finding: &Finding<'_>) -> String {
        let (kind, bytes) = (finding.id().as_bytes(), finding.bytes());
        let slot = hash([kind, bytes]) as usize % SLOTS;
        self.ordinals[slot] = self.ordinals[slot].wrapping_add(1);
        let path = path_in_repository(finding.name);
        format!("{:032x}", hash([path, kind, bytes, &self.ordinals[slot].to_le_bytes()]))
    }

    /// Returns the fingerprint of an input for a message that is no finding.
    pub fn of_input(name: &InputName<'_>, kind: &str) -> String {
        format!("{:032x}", hash([path_in_repository(name), kind.as_bytes()]))
    }
}

/// Returns the hash of parts. A part cannot continue another: each of them is followed by its
/// length.
pub(super) fn hash<const N: usize>(parts: [&[u8]; N]) -> u128 {
    let lengths = parts.map(|part| (part.len() as u64).to_le_bytes());
    let parts = parts.iter().zip(&lengths).flat_map(|(part, length)| part.iter().chain(length));
    fnv_1a(parts.copied())
}

/// Returns the 128-bit FNV-1a hash, which is the same on all platforms and in all versions.
fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u128 {
    const BASIS: u128 = 0x6c62272e07bb014262b821756295c58d;
    const PRIME: u128 = 0x0000000001000000000000000000013b;
    bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // From the test vectors of draft-eastlake-fnv.
        assert_eq!(fnv_1a([].into_iter()), 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(fnv_1a(b"a".iter().copied()), 0xd228cb696f1a8caf78912b704e4a8964);
    }

    #[test]
    fn parts_do_not_continue_each_other() {
        assert_ne!(hash([b"a", b"b"]), hash([b"ab", b""]));
    }
}
