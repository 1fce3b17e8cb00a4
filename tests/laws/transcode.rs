//! Kernels that decode and encode, against the standard library.

#[cfg(target_os = "linux")]
use crate::common::guard::Guarded;
use crate::common::inputs::{MIXTURES, Rng, clean, code_points};
use crate::common::{BLIND, TIMID, each, hex, kernels, representatives};
use crate::properties::lanes::{DIRECT_LANES, in_bytes, unit};
use utf8::codec::Escapes;
use utf8::kernel::{ByteSet, Kernels, PageChars};
use utf8::registry::Encoding;

/// Returns lengths around the edges of blocks, in bytes or code points.
fn lengths() -> impl Iterator<Item = usize> {
    (0..140).chain([191, 192, 193, 255, 256, 257, 300, 511, 512, 513, 1000])
}

/// Buffer lengths for values: too short for a vector, around its edges, and ample.
const ROOMS: [usize; 9] = [0, 1, 2, 3, 63, 64, 65, 100, 2000];

/// A buffer long enough for any kernel.
const PLENTY: usize = 2000;

/// The value after the buffer, which must not change.
const CANARY: u32 = 0xDEAD_BEEF;

/// Decodes into a buffer of `room` values. Asserts that nothing is written beyond it.
fn read(
    room: usize,
    kernel: impl Fn(&mut [u32]) -> utf8::kernel::Loaded,
) -> (utf8::kernel::Loaded, Vec<u32>) {
    let mut values = vec![CANARY; room + 64];
    let loaded = kernel(&mut values[..room]);
    assert!(loaded.written <= room);
    assert!(values[room..].iter().all(|&value| value == CANARY), "it writes beyond its room");
    values.truncate(loaded.written);
    (loaded, values)
}

/// Returns texts of every mixture and length.
fn texts(rng: &mut Rng) -> Vec<String> {
    let mixed =
        |rng: &mut Rng, len| MIXTURES.iter().map(|widths| clean(rng, len, widths)).collect();
    lengths().flat_map(|len| -> Vec<String> { mixed(rng, len) }).collect()
}

#[test]
fn utf8_is_read_as_the_standard_library_reads_it() {
    let texts = texts(&mut Rng::new(1));
    for kernels in kernels() {
        for text in &texts {
            for room in ROOMS {
                let (loaded, values) = read(room, |to| kernels.read_utf8(text.as_bytes(), to));
                let expected: Vec<u32> = text.chars().take(values.len()).map(u32::from).collect();
                assert_eq!(values, expected, "{}: {text:?}", kernels.name);
                let bytes: usize = text.chars().take(values.len()).map(char::len_utf8).sum();
                assert_eq!(loaded.read, bytes, "{}: {text:?}", kernels.name);
                assert!(bytes > 0 || room < PLENTY || text.len() < 64, "{}", kernels.name);
            }
            // A truncated sequence at the end remains.
            let cut = &text.as_bytes()[..text.len().saturating_sub(1)];
            let (loaded, _) = read(PLENTY, |to| kernels.read_utf8(cut, to));
            assert!(text.is_char_boundary(loaded.read), "{}: {text:?}", kernels.name);
        }
    }
}

#[test]
fn direct_conversions_equal_those_of_the_standard_library() {
    let texts = texts(&mut Rng::new(7));
    each(&DIRECT_LANES, |lane| {
        for text in &texts {
            let target = (lane.target)(text);
            for kernels in kernels() {
                (0..5).for_each(|cut| lane.check(kernels, text, cut, &target));
            }
        }
    });
}

/// Text with ill-formed sequences is converted up to the first of them, but for an end of it.
#[test]
fn direct_conversions_stop_before_ill_formed_sequences() {
    let texts = texts(&mut Rng::new(9));
    each(&DIRECT_LANES, |lane| {
        let mut rng = Rng::new(10);
        for text in texts.iter().filter(|text| text.len() > 3) {
            let mut source = (lane.source)(text);
            // A byte of a surrogate in UTF-16, and beyond all values in UTF-32.
            let at = rng.below(source.len());
            source[at] = rng.pick(&[0x80, 0xC1, 0xD8, 0xDF, 0xED, 0xF0, 0xFF]);
            for kernels in kernels() {
                lane.check_front(kernels, &source);
            }
        }
    });
}

/// A surrogate, and half of a pair, at every place of two blocks.
#[test]
fn direct_conversions_stop_before_a_surrogate_at_every_place() {
    for little in [true, false] {
        let lane = DIRECT_LANES.iter().find(|lane| {
            (lane.source)("a") == in_bytes(&[b'a'.into()], little) && (lane.target)("a") == b"a"
        });
        let lane = lane.expect("a conversion of UTF-16");
        for filler in ["a", "\u{E9}", "\u{20AC}", "\u{1F600}", "a\u{1F600}"] {
            let units: Vec<u16> = filler.repeat(140).encode_utf16().take(140).collect();
            for (at, lone) in (0..units.len()).flat_map(|at| [(at, 0xD800), (at, 0xDFFF)]) {
                let mut units = units.clone();
                units[at] = lone;
                let source = in_bytes(&units, little);
                kernels().for_each(|kernels| lane.check_front(kernels, &source));
                units.remove(at);
                let source = in_bytes(&units, little);
                kernels().for_each(|kernels| lane.check_front(kernels, &source));
            }
        }
    }
}

#[test]
fn all_scalar_values_are_converted_directly_at_every_alignment() {
    let all: String = ('\0'..=char::MAX).collect();
    let most: String = code_points().filter_map(char::from_u32).collect();
    each(&DIRECT_LANES, |lane| {
        // To the vectors of which blocks consist.
        for alignment in 0..16 {
            let text = "a".repeat(alignment) + if alignment == 0 { &all } else { &most };
            let target = (lane.target)(&text);
            kernels().for_each(|kernels| lane.check(kernels, &text, 0, &target));
        }
    });
}

/// Returns code units of UTF-16 with lone surrogates.
fn units(rng: &mut Rng, number: usize) -> Vec<u16> {
    let rarity = rng.pick(&[1, 3, 20, 1000]);
    (0..number)
        .map(|_| match rng.one_in(rarity) {
            true => 0xD800 + rng.below(0x800) as u16,
            false => rng.pick(&[0x41, 0x7F, 0x80, 0x7FF, 0x800, 0x20AC, 0xD7FF, 0xE000, 0xFFFF]),
        })
        .collect()
}

/// Decodes code units; returns each code point with its number of units.
fn spelt(units: &[u16]) -> Vec<(u32, usize)> {
    let decoded = char::decode_utf16(units.iter().copied());
    let point = |unit: Result<char, std::char::DecodeUtf16Error>| match unit {
        Ok(scalar) => (scalar.into(), scalar.len_utf16()),
        Err(lone) => (lone.unpaired_surrogate().into(), 1),
    };
    decoded.map(point).collect()
}

#[test]
fn utf16_is_read_as_the_standard_library_reads_it() {
    let mut rng = Rng::new(2);
    for number in lengths() {
        for _ in 0..8 {
            let units = units(&mut rng, number);
            let points = spelt(&units);
            for (little, kernels) in
                kernels().flat_map(|kernels| [(true, kernels), (false, kernels)])
            {
                let bytes = in_bytes(&units, little);
                for room in ROOMS {
                    let kernel = |to: &mut [u32]| kernels.read_utf16(&bytes, little, to);
                    let (loaded, values) = read(room, kernel);
                    let (expected, len): (Vec<_>, Vec<_>) =
                        points.iter().copied().take(values.len()).unzip();
                    assert_eq!(values, expected, "{}: {units:04X?}", kernels.name);
                    let read = 2 * len.iter().sum::<usize>();
                    assert_eq!(loaded.read, read, "{}: {units:04X?}", kernels.name);
                }
                let judged = kernels.utf16(&bytes, little);
                let sound = points.iter().take_while(|(value, _)| char::from_u32(*value).is_some());
                let sound = 2 * sound.map(|(_, len)| len).sum::<usize>();
                assert!(judged <= sound, "{} claims {judged} of {sound}", kernels.name);
                let whole = judged == bytes.len() || sound < bytes.len();
                assert!(whole || number < 64, "{}: {judged} of {sound}", kernels.name);
            }
        }
    }
}

#[test]
fn a_page_is_looked_up() {
    let page: [u16; 256] = std::array::from_fn(|byte| (byte as u16).wrapping_mul(257) ^ 0x5A5A);
    let mut rng = Rng::new(3);
    for kernels in kernels() {
        for len in lengths() {
            let bytes: Vec<u8> = (0..len).map(|_| rng.next() as u8).collect();
            for room in ROOMS {
                let (loaded, values) = read(room, |to| {
                    let read = kernels.read_page(&bytes, &page, to);
                    utf8::kernel::Loaded { read, written: read }
                });
                let expected = bytes.iter().map(|&byte| u32::from(page[usize::from(byte)]));
                assert!(values.iter().copied().eq(expected.take(loaded.read)), "{}", kernels.name);
            }
        }
    }
}

/// Returns the code points of a page: some rows of sixteen are in order, with unmapped bytes.
fn page(rng: &mut Rng) -> [u16; 256] {
    let most = rng.pick(&[0x80, 0x800, 0xD000]);
    let mut points: [u16; 256] = std::array::from_fn(|byte| byte as u16);
    let first = rng.pick(&[0, 8]);
    for row in &mut points.as_chunks_mut::<16>().0[first..] {
        let (base, is_regular) = (rng.below(most) as u16, !rng.one_in(3));
        for (at, point) in row.iter_mut().enumerate() {
            *point = match is_regular {
                _ if rng.one_in(20) => 0xFFFD,
                true => base + at as u16,
                false => rng.below(most) as u16,
            };
        }
    }
    points
}

#[test]
fn pages_are_written_as_the_standard_library_writes_their_characters() {
    let mut rng = Rng::new(8);
    for _ in 0..30 {
        let points = page(&mut rng);
        let chars = PageChars::new(&points);
        let mapped: Vec<u8> =
            (0..=u8::MAX).filter(|&byte| points[usize::from(byte)] != 0xFFFD).collect();
        let (ascii, all): (&[u8], &[u8]) = (&mapped[..mapped.len() / 2], &mapped);
        for len in lengths() {
            let rarity = rng.pick(&[1, 2, 40]);
            let byte =
                |rng: &mut Rng| if rng.one_in(rarity) { rng.pick(all) } else { rng.pick(ascii) };
            let bytes: Vec<u8> = (0..len).map(|_| byte(&mut rng)).collect();
            let point = |&byte: &u8| char::from_u32(points[usize::from(byte)].into()).unwrap();
            for kernels in kernels() {
                let mut out = b"before".to_vec();
                let read = kernels.write_page(&bytes, &chars, &mut out);
                let expected: String = bytes[..read].iter().map(point).collect();
                assert_eq!(out.split_off(6), expected.as_bytes(), "{} {len}", kernels.name);
            }
        }
    }
}

#[test]
fn the_first_byte_of_a_set_is_found() {
    let mut rng = Rng::new(88);
    for number in 0..60 {
        let share = rng.pick(&[1, 2, 64]);
        let mut members: [bool; 256] = std::array::from_fn(|_| rng.one_in(share));
        if number % 3 == 0 {
            members.fill(number % 2 == 0);
            members[rng.below(256)] = number % 2 == 1;
        }
        let removed = rng.next() as u8;
        let mut set = ByteSet::of(|byte| members[usize::from(byte)]);
        set.remove(removed);
        members[usize::from(removed)] = false;
        assert_eq!(set, ByteSet::of(|byte| members[usize::from(byte)]));
        assert_eq!(set.is_empty(), members == [false; 256]);
        let is_in = |byte: &u8| members[usize::from(*byte)];
        let others: Vec<u8> = (0..=u8::MAX).filter(|byte| !is_in(byte)).collect();
        for len in lengths() {
            let rarity = rng.pick(&[1, 50, 1000]);
            let byte = |rng: &mut Rng| match rng.one_in(rarity) {
                true => rng.next() as u8,
                false => rng.pick(&others),
            };
            let bytes: Vec<u8> = (0..len).map(|_| byte(&mut rng)).collect();
            let found = bytes.iter().position(is_in).unwrap_or(len);
            for kernels in kernels() {
                let bound = kernels.before_any(&bytes, &set);
                assert!((found.saturating_sub(64)..=found).contains(&bound), "{}", kernels.name);
                assert!(bound == found || found < len, "{}: {bound} of {len}", kernels.name);
            }
        }
    }
}

/// Returns values, one in `rarity` of them a surrogate or too large.
fn values(rng: &mut Rng, number: usize) -> Vec<u32> {
    let (rarity, widths) = (rng.pick(&[1, 5, 60, 10_000]), rng.pick(MIXTURES));
    (0..number)
        .map(|_| match rng.one_in(rarity) {
            true => rng.pick(&[0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, 0x7FFF_FFFF, u32::MAX]),
            false => {
                let width = rng.pick(widths);
                rng.scalar(width).into()
            }
        })
        .collect()
}

#[test]
fn scalar_values_are_written_as_the_standard_library_writes_them() {
    let mut rng = Rng::new(4);
    for number in lengths() {
        for _ in 0..12 {
            let values = values(&mut rng, number);
            let text: String = values.iter().map_while(|&value| char::from_u32(value)).collect();
            let sound = text.chars().count();
            for kernels in kernels() {
                let name = kernels.name;
                for little in [true, false] {
                    let bytes: Vec<u8> = values.iter().flat_map(|&v| unit(v, little)).collect();
                    let judged = kernels.utf32(&bytes, little);
                    let is_whole = judged == 4 * sound || sound < values.len();
                    assert!(judged <= 4 * sound && is_whole, "{name}: {values:X?}");
                    let mut out = b"before".to_vec();
                    let read = kernels.utf32_to_utf8(&bytes, little, &mut out);
                    assert!(read <= 4 * sound && read.is_multiple_of(4), "{name}: {values:X?}");
                    let expected: String = text.chars().take(read / 4).collect();
                    assert_eq!(out.split_off(6), expected.as_bytes(), "{name}: {values:X?}");
                    let mut out = b"before".to_vec();
                    let written = kernels.write_utf16(&values, little, &mut out);
                    assert!(written <= sound, "{name}: {values:X?}");
                    let units: Vec<u16> =
                        text.chars().take(written).collect::<String>().encode_utf16().collect();
                    assert_eq!(out.split_off(6), in_bytes(&units, little), "{name}: {values:X?}");
                }
            }
        }
    }
}

#[test]
fn all_scalar_values_there_and_back() {
    let all: Vec<u32> = ('\0'..=char::MAX).map(u32::from).collect();
    let text: String = ('\0'..=char::MAX).collect();
    for kernels in kernels() {
        let (mut at, mut room) = (0, [0; 4096]);
        let mut found = Vec::new();
        while at < text.len() {
            let loaded = kernels.read_utf8(&text.as_bytes()[at..], &mut room);
            let last = text[at..].chars().next().unwrap();
            found.extend_from_slice(&room[..loaded.written]);
            at += loaded.read;
            if loaded.read == 0 {
                found.push(last.into());
                at += last.len_utf8();
            }
        }
        assert!(found == all, "{}", kernels.name);
        let mut out = Vec::new();
        let mut at = 0;
        while at < all.len() {
            match kernels.write_utf8(&all[at..], &mut out) {
                0 => {
                    let scalar = char::from_u32(all[at]).unwrap();
                    out.extend(scalar.encode_utf8(&mut [0; 4]).as_bytes());
                    at += 1;
                }
                written => at += written,
            }
        }
        assert!(out == text.as_bytes(), "{}", kernels.name);
    }
}

/// Bytes may change after the judgement: the output is unspecified, but stays within bounds.
#[cfg(target_os = "linux")]
#[test]
fn garbage_is_read_within_its_bounds() {
    let (mut rng, mut guard) = (Rng::new(5), Guarded::new());
    let page = [7; 256];
    let chars = PageChars::new(&std::array::from_fn(|byte| 0xFFF - (byte as u16 % 50)));
    let sevens = ByteSet::of(|byte| byte == 7);
    for kernels in kernels() {
        for len in lengths() {
            for _ in 0..6 {
                let high = rng.one_in(2);
                let byte = |rng: &mut Rng| rng.next() as u8 | if high { 0x80 } else { 0 };
                let bytes: Vec<u8> = (0..len).map(|_| byte(&mut rng)).collect();
                let room = rng.pick(&ROOMS);
                for before in [true, false] {
                    let place = if before { guard.before(&bytes) } else { guard.behind(&bytes) };
                    let (loaded, _) = read(room, |to| kernels.read_utf8(place, to));
                    assert!(loaded.read <= len, "{}", kernels.name);
                    for little in [true, false] {
                        let (loaded, _) = read(room, |to| kernels.read_utf16(place, little, to));
                        assert!(loaded.read <= len, "{}", kernels.name);
                        assert!(kernels.utf16(place, little) <= len, "{}", kernels.name);
                        assert!(kernels.utf32(place, little) <= len, "{}", kernels.name);
                    }
                    for lane in &DIRECT_LANES {
                        let mut out = b"before".to_vec();
                        let read = (lane.kernel)(kernels, place, &mut out);
                        assert!(read <= len && out.starts_with(b"before"), "{}", kernels.name);
                    }
                    let (loaded, _) = read(room, |to| {
                        let read = kernels.read_page(place, &page, to);
                        utf8::kernel::Loaded { read, written: read }
                    });
                    assert!(loaded.read <= len, "{}", kernels.name);
                    assert!(kernels.before_any(place, &sevens) <= len, "{}", kernels.name);
                    let mut out = b"before".to_vec();
                    let read = kernels.write_page(place, &chars, &mut out);
                    assert!(read <= len && out.starts_with(b"before"), "{}", kernels.name);
                }
            }
        }
    }
}

/// Encodes values with a kernel in pieces; returns the bytes and the number of values.
fn stored(spec: &Encoding, kernels: &Kernels, values: &[u32], piece: usize) -> (usize, Vec<u8>) {
    let (mut out, mut writer) = (Vec::new(), spec.writer(Escapes::Usual));
    let mut all = 0;
    for values in values.chunks(piece) {
        let stored = writer.store(kernels, values, &mut out);
        all += stored;
        if stored < values.len() {
            break;
        }
    }
    writer.finish(&mut out);
    (all, out)
}

#[test]
fn kernels_do_not_change_encoder_output() {
    let codecs: Vec<&Encoding> = representatives();
    each(&codecs, |spec| {
        let mut rng = Rng::new(6);
        for number in [0, 1, 2, 7, 31, 64, 65, 130, 300] {
            for _ in 0..20 {
                let values = values(&mut rng, number);
                let held: Vec<u32> = match rng.one_in(2) {
                    true => values,
                    false => values.into_iter().filter(|&value| spec.can_encode(value)).collect(),
                };
                let expected = stored(spec, &BLIND, &held, usize::MAX);
                let piece = rng.pick(&[1, 3, 64, 1000]);
                for kernels in kernels().chain([&TIMID]) {
                    let found = stored(spec, kernels, &held, piece);
                    assert_eq!(found.0, expected.0, "{} {}: {held:X?}", spec.name, kernels.name);
                    assert_eq!(
                        hex(&found.1),
                        hex(&expected.1),
                        "{} {}: {held:X?}",
                        spec.name,
                        kernels.name
                    );
                }
            }
        }
    });
}
