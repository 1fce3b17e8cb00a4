//! NEON.

use std::arch::aarch64::*;

use super::functions;
use super::vector::{Lanes, Vectors, front, instructions};
use crate::kernel::{KernelRow, Kernels, with_functions};

pub const NEON: KernelRow = KernelRow {
    kernels: Kernels {
        name: "neon",
        summary: "NEON",
        functions: with_functions!(functions["neon", Neon]),
    },
    is_available: || true,
};

/// NEON, which every CPU of this architecture has.
#[derive(Clone, Copy)]
pub struct Neon;

// SAFETY: a vector in memory is an array of its size.
unsafe impl Vectors for Neon {
    type Bytes = uint8x16_t;
    type Memory = Lanes;
    type Single = Neon;
    const PARTS: usize = 1;

    #[inline(always)]
    fn single(self) -> Neon {
        self
    }

    instructions! {
        load(bytes: &[u8]) -> uint8x16_t =
            vld1q_u8(front::<{ size_of::<uint8x16_t>() }>(bytes).as_ptr());
        load_each(part: &Lanes) -> uint8x16_t = Neon.load(part);
        store(bytes: uint8x16_t) -> Lanes = {
            let mut room = [0; 16];
            vst1q_u8(room.as_mut_ptr(), bytes);
            room
        };
        and(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vandq_u8(a, b);
        or(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vorrq_u8(a, b);
        xor(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = veorq_u8(a, b);
        select(mask: uint8x16_t, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            vbslq_u8(mask, a, b);
        splat8(value: u8) -> uint8x16_t = vdupq_n_u8(value);
        splat16(value: u16) -> uint8x16_t = bytes16(vdupq_n_u16(value));
        splat32(value: u32) -> uint8x16_t = bytes32(vdupq_n_u32(value));
        less8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vqsubq_u8(a, b);
        less_signed8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vreinterpretq_u8_s8(
            vqsubq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)),
        );
        max8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vmaxq_u8(a, b);
        eq8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vceqq_u8(a, b);
        eq16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes16(vceqq_u16(units(a), units(b)));
        eq32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes32(vceqq_u32(values(a), values(b)));
        trails(bytes: uint8x16_t) -> uint8x16_t =
            vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(-0x40));
        add16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes16(vaddq_u16(units(a), units(b)));
        add32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes32(vaddq_u32(values(a), values(b)));
        shl16<const N>(a: uint8x16_t) -> uint8x16_t = bytes16(vshlq_n_u16::<N>(units(a)));
        shr16<const N>(a: uint8x16_t) -> uint8x16_t = bytes16(vshrq_n_u16::<N>(units(a)));
        shl32<const N>(a: uint8x16_t) -> uint8x16_t = bytes32(vshlq_n_u32::<N>(values(a)));
        shr32<const N>(a: uint8x16_t) -> uint8x16_t = bytes32(vshrq_n_u32::<N>(values(a)));
        apart(bytes: uint8x16_t) -> uint8x16_t = bytes;
        low8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vzip1q_u8(a, b);
        high8(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vzip2q_u8(a, b);
        low16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes16(vzip1q_u16(units(a), units(b)));
        high16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes16(vzip2q_u16(units(a), units(b)));
        narrow16(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vuzp1q_u8(a, b);
        narrow32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes16(vuzp1q_u16(units(a), units(b)));
        narrow_ascii(values: [uint8x16_t; 4]) -> uint8x16_t = {
            let [a, b, c, d] = values.map(units);
            vuzp1q_u8(bytes16(vuzp1q_u16(a, b)), bytes16(vuzp1q_u16(c, d)))
        };
        narrow_masks(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
            bytes16(vuzp1q_u16(units(a), units(b)));
        shuffle(bytes: uint8x16_t, places: uint8x16_t) -> uint8x16_t =
            vqtbl1q_u8(bytes, places);
        shuffle_low(bytes: uint8x16_t, places: uint8x16_t) -> uint8x16_t =
            vqtbl1q_u8(bytes, vandq_u8(places, vdupq_n_u8(0x8F)));
        shuffle_part(bytes: uint8x16_t, _part: usize, places: &Lanes) -> Lanes =
            Neon.store(vqtbl1q_u8(bytes, Neon.load(places)));
        bits8(bytes: uint8x16_t) -> u32 = {
            let weights: Lanes = std::array::from_fn(|byte| 1 << (byte % 8));
            let weights = vld1q_u8(weights.as_ptr());
            let high = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(bytes)));
            let own = vandq_u8(high, weights);
            let halves = vpaddq_u8(own, own);
            let quarters = vpaddq_u8(halves, halves);
            u32::from(vgetq_lane_u16::<0>(units(vpaddq_u8(quarters, quarters))))
        };
        bits16(mask: uint8x16_t) -> u32 = {
            let weights = vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
            u32::from(vaddvq_u16(vandq_u16(units(mask), weights)))
        };
        bits32(mask: uint8x16_t) -> u32 = {
            let weights = vld1q_u32([1, 2, 4, 8].as_ptr());
            vaddvq_u32(vandq_u32(values(mask), weights))
        };
        any(bytes: uint8x16_t) -> bool = vmaxvq_u8(bytes) >= 0x80;
        meet(a: uint8x16_t, b: uint8x16_t) -> bool = vmaxvq_u8(vandq_u8(a, b)) != 0;
    }
}

#[inline(always)]
fn units(bytes: uint8x16_t) -> uint16x8_t {
    // SAFETY: every CPU has the instruction.
    unsafe { vreinterpretq_u16_u8(bytes) }
}

#[inline(always)]
fn values(bytes: uint8x16_t) -> uint32x4_t {
    // SAFETY: every CPU has the instruction.
    unsafe { vreinterpretq_u32_u8(bytes) }
}

#[inline(always)]
fn bytes16(units: uint16x8_t) -> uint8x16_t {
    // SAFETY: every CPU has the instruction.
    unsafe { vreinterpretq_u8_u16(units) }
}

#[inline(always)]
fn bytes32(values: uint32x4_t) -> uint8x16_t {
    // SAFETY: every CPU has the instruction.
    unsafe { vreinterpretq_u8_u32(values) }
}
