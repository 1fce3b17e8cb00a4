#![no_main]

utf8_fuzz::target!(COMMAND_LINE, with utf8_fuzz::in_process::prepare);
