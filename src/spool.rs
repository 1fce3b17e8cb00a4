//! Storage for bytes that wait: memory, then an unnamed temporary file.

#[cfg(feature = "cli")]
use std::fs::File;
use std::io::{self, Read, Write};
#[cfg(feature = "cli")]
use std::io::{BufReader, Seek, SeekFrom};

#[cfg(feature = "cli")]
use crate::os::calls::error_text;

/// The size of the blocks in which the file is read.
#[cfg(feature = "cli")]
const BLOCK: usize = 64 << 10;

/// Bytes to read after the last was written. Those beyond a limit are in a temporary file, or in
/// memory if the crate has no feature `cli`.
#[derive(Debug)]
pub struct Spool {
    /// The bytes after those of the file.
    memory: Vec<u8>,
    /// The number of bytes in memory beyond which they move to the file. A longer write is held whole.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    limit: usize,
    #[cfg(feature = "cli")]
    file: Option<File>,
}

/// Returns a spool that holds 1 MiB at most in memory.
impl Default for Spool {
    fn default() -> Spool {
        Spool::with_limit(1 << 20)
    }
}

impl Spool {
    /// Returns a spool that holds at most this many bytes in memory.
    pub fn with_limit(limit: usize) -> Spool {
        Spool {
            memory: Vec::new(),
            limit,
            #[cfg(feature = "cli")]
            file: None,
        }
    }

    /// Appends numbers, which [`read_numbers`] reads.
    pub fn write_numbers<const N: usize>(&mut self, numbers: [u64; N]) -> io::Result<()> {
        self.write_all(numbers.map(u64::to_ne_bytes).as_flattened())
    }

    /// Moves the content of the memory into the file.
    #[cfg(feature = "cli")]
    fn spill(&mut self) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => Ok(file),
            None => tempfile::tempfile(),
        };
        let written = file.and_then(|mut file| {
            file.seek(SeekFrom::End(0))?;
            file.write_all(&self.memory)?;
            Ok(file)
        });
        self.memory.clear();
        self.file = Some(written.map_err(|error| {
            let folder = std::env::temp_dir();
            let (folder, reason) = (folder.display(), error_text(&error));
            io::Error::other(format!(
                "temporary file in {folder}: {reason} (set TMPDIR to another directory)"
            ))
        })?);
        Ok(())
    }

    /// Passes a reader of the content to `work`.
    ///
    /// # Errors
    /// Those of `work`, and of the file.
    pub fn read<T>(&mut self, work: impl FnOnce(&mut dyn Read) -> io::Result<T>) -> io::Result<T> {
        let memory = &mut &self.memory[..];
        #[cfg(feature = "cli")]
        if let Some(file) = &mut self.file {
            file.rewind()?;
            return work(&mut BufReader::with_capacity(BLOCK, file).chain(memory));
        }
        work(memory)
    }

    /// Returns `true` if there is no content.
    #[cfg(feature = "cli")]
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty() && self.file.is_none()
    }

    /// Removes the content.
    pub fn clear(&mut self) {
        self.memory.clear();
        #[cfg(feature = "cli")]
        self.file.take();
    }
}

/// Appends bytes. After an error, the content is unspecified.
impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(feature = "cli")]
        if self.memory.len() + bytes.len() > self.limit {
            self.spill()?;
        }
        self.memory.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads as many numbers as [`Spool::write_numbers`] appended.
pub fn read_numbers<const N: usize>(from: &mut dyn Read) -> io::Result<[u64; N]> {
    let mut bytes = [[0; 8]; N];
    from.read_exact(bytes.as_flattened_mut())?;
    Ok(bytes.map(u64::from_ne_bytes))
}

/// Reads this many bytes into a buffer, which holds nothing else then.
pub fn read_bytes(from: &mut dyn Read, len: u64, to: &mut Vec<u8>) -> io::Result<()> {
    to.resize(len as usize, 0);
    from.read_exact(to)
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    /// Spools in memory, in a file, and in both have the same content.
    #[test]
    fn content_comes_back_until_it_is_cleared() {
        let line = [b'a'; BLOCK + 7];
        for limit in [0, 1, BLOCK, 2 * BLOCK + 20, 1 << 20] {
            let (mut spool, mut read) = (Spool::with_limit(limit), Vec::new());
            for round in 0..4 {
                spool.write_all(&line).unwrap();
                spool.write_numbers([round, u64::MAX]).unwrap();
                // A reader that stops early does not change the place of the next bytes.
                spool.read(|content| content.read_exact(&mut [0])).unwrap();
            }
            assert!(!spool.is_empty());
            for _ in 0..2 {
                let passed = spool.read(|content| {
                    for round in 0..4 {
                        read_bytes(content, line.len() as u64, &mut read)?;
                        assert!(read == line, "limit {limit}");
                        assert_eq!(read_numbers(content)?, [round, u64::MAX], "limit {limit}");
                    }
                    content.read(&mut [0])
                });
                assert_eq!(passed.unwrap(), 0);
            }
            spool.clear();
            assert!(spool.is_empty());
            assert_eq!(spool.read(|content| content.read(&mut [0])).unwrap(), 0);
        }
    }
}
