#![no_main]

utf8_fuzz::target!(CONFIG, with utf8_fuzz::in_process::prepare);
