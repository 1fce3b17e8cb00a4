#![no_main]

utf8_fuzz::target!(BASELINES);
