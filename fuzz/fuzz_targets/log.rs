//! Any bytes as the log of a study: a head or a refusal, and records in their order.
#![no_main]

use carom::study::log::{Header, Reader, append};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (columns, rest) = match Header::read(bytes) {
        Ok((header, length)) => {
            assert!(length <= bytes.len());
            (header.columns.len(), &bytes[length..])
        }
        Err(_) => (3, bytes),
    };
    // What is read and written again is a beginning of the bytes.
    let mut again = Vec::new();
    for (point, entry) in Reader::records(rest, columns) {
        append(&mut again, point, &entry);
    }
    assert!(rest.starts_with(&again));
});
