//! Reads text that others wrote: in bounded memory, in UTF-8, every fault with its place.
//!
//! A byte-order mark is skipped, lines end in LF or CRLF, and an object that names a field twice is
//! refused: a parser that keeps one of the two would answer another question than was asked.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, Read};

use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

/// Most bytes of a line; a level of the greatest size with its solution takes a hundredth of it.
pub const MAX_LINE: u64 = 1 << 20;
/// Most bytes of a text that is read as a whole: settings, a level, a pack as one JSON object.
pub const MAX_TEXT: u64 = 1 << 28;

/// A text that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source fails.
    #[error(transparent)]
    Source(#[from] io::Error),
    /// A line over the limit.
    #[error("line {line} is longer than {MAX_LINE} bytes")]
    LongLine {
        /// Its number, from 1.
        line: u64,
    },
    /// A text over the limit.
    #[error("it is longer than {MAX_TEXT} bytes")]
    LongText,
    /// Bytes that are no text.
    #[error("line {line} is not UTF-8 from byte {byte} on")]
    NotUtf8 {
        /// The line, from 1.
        line: u64,
        /// The place in the line, from 1.
        byte: usize,
    },
    /// Text in another encoding.
    #[error("it is in UTF-16; save it as UTF-8")]
    Utf16,
}

const MARK: &[u8] = b"\xEF\xBB\xBF";

fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// Reads a text as a whole.
///
/// # Errors
/// What is wrong, with the place.
pub fn text(source: impl Read) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    source.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(ReadError::LongText);
    }
    if is_utf16(&bytes) {
        return Err(ReadError::Utf16);
    }
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let breaks = before.iter().filter(|&&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        ReadError::NotUtf8 { line: breaks as u64 + 1, byte: valid - start + 1 }
    })
}

/// The lines of a source with their numbers from 1, without their ends. A line that cannot be read
/// is an error in its place, and the lines after it follow; only a failing source ends them.
///
/// ```
/// let lines: Vec<_> = pourfect::read::Lines::new(&b"\xEF\xBB\xBFone\r\n\xFF\ntwo"[..]).collect();
/// assert_eq!(lines[0].as_ref().unwrap(), &(1, "one".to_owned()));
/// assert_eq!(lines[1].as_ref().unwrap_err().to_string(), "line 2 is not UTF-8 from byte 1 on");
/// assert_eq!(lines[2].as_ref().unwrap(), &(3, "two".to_owned()));
/// ```
pub struct Lines<R> {
    source: R,
    line: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a source.
    pub fn new(source: R) -> Self {
        Self { source, line: 0, ended: false }
    }

    /// The lines after the first `line`, which were read already.
    pub(crate) fn after(line: u64, source: R) -> Self {
        Self { source, line, ended: false }
    }

    /// The next line's bytes; `None` at the end.
    fn bytes(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        let mut bytes = Vec::new();
        self.source.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        if self.line == 1 && is_utf16(&bytes) {
            self.ended = true;
            return Err(ReadError::Utf16);
        }
        if bytes.ends_with(b"\n") {
            bytes.pop();
            if bytes.ends_with(b"\r") {
                bytes.pop();
            }
        } else if bytes.len() as u64 > MAX_LINE {
            self.source.skip_until(b'\n')?;
            return Err(ReadError::LongLine { line: self.line });
        }
        if self.line == 1 && bytes.starts_with(MARK) {
            bytes.drain(..MARK.len());
        }
        Ok(Some(bytes))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<(u64, String), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.bytes() {
            Ok(None) => None,
            Ok(Some(bytes)) => Some(String::from_utf8(bytes).map_or_else(
                |error| {
                    let byte = error.utf8_error().valid_up_to() + 1;
                    Err(ReadError::NotUtf8 { line: self.line, byte })
                },
                |text| Ok((self.line, text)),
            )),
            Err(error) => {
                self.ended |= matches!(error, ReadError::Source(_));
                Some(Err(error))
            }
        }
    }
}

/// Reads JSON in which no object names a field twice.
///
/// # Errors
/// What is wrong, with line and column.
///
/// ```
/// let twice = pourfect::read::json::<serde_json::Value>(r#"{"a": 1, "a": 2}"#);
/// assert_eq!(twice.unwrap_err().to_string(), "field `a` occurs twice at line 1 column 12");
/// ```
pub fn json<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_str::<NothingTwice>(text)?;
    serde_json::from_str(text)
}

/// Any JSON, looked through for fields that occur twice.
struct NothingTwice;

impl<'de> Deserialize<'de> for NothingTwice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for NothingTwice {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self, A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            if names.contains(&name) {
                return Err(A::Error::custom(format_args!("field `{name}` occurs twice")));
            }
            fields.next_value::<Self>()?;
            names.insert(name);
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that never ends a line.
    fn endless(bytes: u64) -> impl BufRead {
        io::BufReader::new(io::repeat(b'A').take(bytes))
    }

    #[test]
    fn a_line_over_the_limit_is_an_error_and_the_next_line_follows() {
        let source = endless(100_000_000).chain(&b"\nAB|BA|\n"[..]);
        let lines: Vec<_> = Lines::new(source).collect();
        assert_eq!(lines.len(), 2);
        let error = lines[0].as_ref().unwrap_err().to_string();
        assert_eq!(error, "line 1 is longer than 1048576 bytes");
        assert_eq!(lines[1].as_ref().unwrap(), &(2, "AB|BA|".to_owned()));
    }

    #[test]
    fn a_text_over_the_limit_is_an_error() {
        assert!(matches!(text(io::repeat(b'A')), Err(ReadError::LongText)));
    }

    #[test]
    fn other_encodings_are_named_with_their_place() {
        assert_eq!(text(&b"\xEF\xBB\xBFAB"[..]).unwrap(), "AB");
        assert!(matches!(text(&b"\xFF\xFEA\0"[..]), Err(ReadError::Utf16)));
        let latin1 = text(&b"one\ntwo \xE9\n"[..]).unwrap_err().to_string();
        assert_eq!(latin1, "line 2 is not UTF-8 from byte 5 on");
        let utf16: Vec<_> = Lines::new(&b"\xFE\xFF\0A\n\0B\n"[..]).collect();
        assert_eq!(utf16.len(), 1);
        assert!(matches!(utf16[0], Err(ReadError::Utf16)));
    }

    #[test]
    fn fields_that_occur_twice_are_refused_at_any_depth() {
        let fault = |text: &str| json::<serde_json::Value>(text).unwrap_err().to_string();
        assert!(
            fault(r#"[{"a": {"b": 1, "c": 2, "b": 1}}]"#).starts_with("field `b` occurs twice")
        );
        // The same name, escaped.
        assert!(fault(r#"{"a": 1, "\u0061": 2}"#).starts_with("field `a` occurs twice"));
        assert!(fault(&"[".repeat(1_000_000)).starts_with("recursion limit"));
        assert!(fault(r#"{"a": 1e400}"#).starts_with("number out of range"));
        assert_eq!(json::<Vec<u8>>("[1, 2]").unwrap(), [1, 2]);
    }
}
