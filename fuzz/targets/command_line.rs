#![no_main]

utf8_fuzz::target!("command_line");
