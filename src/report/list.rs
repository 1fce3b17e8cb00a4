//! Documents that are a list of records between a head and an end.

use super::Document;

/// A document with its records in a list.
pub(super) struct RecordList {
    head: String,
    /// The text between two records.
    between: &'static str,
    end: &'static str,
    /// True once there is a record.
    started: bool,
}

impl RecordList {
    pub fn new(head: impl Into<String>, between: &'static str, end: &'static str) -> RecordList {
        RecordList { head: head.into(), between, end, started: false }
    }
}

impl Document for RecordList {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.head.as_bytes());
    }

    fn record(&mut self, out: &mut Vec<u8>, record: &[u8]) {
        if std::mem::replace(&mut self.started, true) {
            out.extend_from_slice(self.between.as_bytes());
        }
        out.extend_from_slice(record);
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.end.as_bytes());
    }
}
