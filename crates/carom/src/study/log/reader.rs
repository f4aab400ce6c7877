//! Reading a log: record by record, over damaged places, in little memory.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use super::{Entry, Header, LogError, entry};
use crate::study::checksum::crc32;
use crate::study::regular::open_regular;

/// A record of twenty thousand letters and more is damage.
const MOST_BYTES: usize = 1 << 16;
/// Bytes read at once.
const BLOCK: usize = 1 << 18;

/// Reads the records of a log that are sound; what is between is passed over.
#[derive(Debug)]
pub struct Reader {
    header: Header,
    file: File,
    buffer: Vec<u8>,
    /// Where the next record begins in the buffer.
    at: usize,
    /// Where the buffer begins in the file.
    offset: u64,
    ended: bool,
    /// The least point that may follow.
    next: u64,
    /// Where the last sound record, or the head, ended in the file.
    sound: u64,
}

impl Reader {
    /// Opens a log and reads its head.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let mut file = open_regular(path)?;
        let mut head = Vec::new();
        file.by_ref().take(12).read_to_end(&mut head)?;
        if let Some(length) = Header::length(&head) {
            file.by_ref().take(length as u64 - 12).read_to_end(&mut head)?;
        }
        let (header, length) = Header::read(&head)?;
        let next = header.shard.range(header.points).start;
        let offset = length as u64;
        let buffer = Vec::with_capacity(BLOCK);
        Ok(Self { header, file, buffer, at: 0, offset, ended: false, next, sound: offset })
    }

    /// The records in some bytes without a head, up to the first that is not sound.
    pub fn records(bytes: &[u8], measures: usize) -> Vec<(u64, Entry)> {
        let (mut out, mut rest) = (Vec::new(), bytes);
        while let Some((first, behind)) = rest.split_at_checked(12) {
            let [a, b, c, d, point @ ..] = first else { break };
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            let Ok(point) = <[u8; 8]>::try_from(point).map(u64::from_le_bytes) else { break };
            let Some(found) = behind.get(..length).and_then(|p| entry(p, measures)) else { break };
            let crc = crc32(&[&rest[..12 + length]]).to_le_bytes();
            if behind.get(length..length + 4) != Some(&crc[..]) {
                break;
            }
            out.push((point, found));
            rest = &behind[length + 4..];
        }
        out
    }

    /// The head.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the last sound record ended.
    pub fn sound(&self) -> u64 {
        self.sound
    }

    /// The next sound record.
    pub fn next_record(&mut self) -> Result<Option<(u64, Entry)>, LogError> {
        loop {
            self.fill(12)?;
            if self.buffer.len() - self.at < 12 {
                return Ok(None);
            }
            if let Some((point, entry, length)) = self.record()? {
                self.at += length;
                self.next = point + 1;
                self.sound = self.offset + self.at as u64;
                return Ok(Some((point, entry)));
            }
            // A damaged place: look for the next record byte by byte.
            self.at += 1;
        }
    }

    /// The record that begins here, if one does.
    fn record(&mut self) -> Result<Option<(u64, Entry, usize)>, LogError> {
        let head = &self.buffer[self.at..self.at + 12];
        let [a, b, c, d, rest @ ..] = head else { return Ok(None) };
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let Ok(point) = <[u8; 8]>::try_from(rest).map(u64::from_le_bytes) else { return Ok(None) };
        let range = self.header.shard.range(self.header.points);
        if length > MOST_BYTES || point < self.next || point >= range.end {
            return Ok(None);
        }
        let whole = 12 + length + 4;
        self.fill(whole)?;
        let Some(bytes) = self.buffer.get(self.at..self.at + whole) else { return Ok(None) };
        let (body, crc) = bytes.split_at(12 + length);
        if crc32(&[body]).to_le_bytes() != crc {
            return Ok(None);
        }
        Ok(entry(&body[12..], self.header.columns.len()).map(|entry| (point, entry, whole)))
    }

    /// Reads on until that many bytes are there, or no more.
    fn fill(&mut self, count: usize) -> Result<(), LogError> {
        if self.ended || self.buffer.len() - self.at >= count {
            return Ok(());
        }
        self.buffer.drain(..self.at);
        self.offset += self.at as u64;
        self.at = 0;
        while self.buffer.len() < count && !self.ended {
            let wanted = BLOCK.max(count) as u64;
            let read = self.file.by_ref().take(wanted).read_to_end(&mut self.buffer)?;
            self.ended = read == 0;
        }
        Ok(())
    }
}

/// What stands in a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Sound records.
    pub done: u64,
    /// Those that hold an error.
    pub failed: u64,
    /// Points without a sound record before the last one that has one.
    pub gaps: Vec<Range<u64>>,
    /// The point behind the last sound record.
    pub next: u64,
    /// Where that record ends in the file.
    pub sound: u64,
}

/// Looks through a log.
pub fn survey(reader: &mut Reader) -> Result<Survey, LogError> {
    let start = reader.header.shard.range(reader.header.points).start;
    let mut out =
        Survey { done: 0, failed: 0, gaps: Vec::new(), next: start, sound: reader.sound() };
    while let Some((point, entry)) = reader.next_record()? {
        if point > out.next {
            out.gaps.push(out.next..point);
        }
        out.done += 1;
        out.failed += u64::from(entry.has_error());
        out.next = point + 1;
        out.sound = reader.sound();
    }
    Ok(out)
}
