//! Properties, checked on the corpus and on inputs that fuzzing found.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::common::inputs::Rng;
use crate::common::{each, stride};
use crate::properties::seeds::{found, seeds};
use crate::properties::{PROPERTIES, Property, named};

/// Checks all cases of a property on every seed.
fn check_seeds(property: &Property) {
    let seeds = seeds();
    let step = if property.is_slow { 97 } else { stride(1) };
    let numbers: Vec<_> = (0..seeds.len()).step_by(step).collect();
    each(&numbers, |&number| {
        for case in 0..(property.cases)() {
            (property.check)(case, &mut Rng::new(number as u64), &seeds[number]);
        }
    });
}

#[test]
fn the_corpus_has_every_property() {
    // Miri runs no programs.
    PROPERTIES.iter().filter(|it| !(cfg!(miri) && it.is_slow)).for_each(check_seeds);
}

#[test]
fn every_property_has_a_fuzz_target() {
    // The published crate has no fuzz targets.
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/targets");
    let Ok(files) = std::fs::read_dir(folder) else { return };
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let targets: BTreeSet<_> = files.map(|file| stem(file.unwrap().path())).collect();
    let names: BTreeSet<_> = PROPERTIES.iter().map(|property| property.name.to_owned()).collect();
    assert_eq!(targets, names);
}

#[test]
fn what_fuzzing_found_is_mended() {
    for (property, input) in found() {
        named(&property).check_input(&input);
    }
}
