#![no_main]

utf8_fuzz::target!(MERGE, with utf8_fuzz::in_process::prepare);
