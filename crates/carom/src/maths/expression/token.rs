//! Text → tokens with their byte positions.

use std::ops::Range;

use super::ExpressionError;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A number without sign.
    Number(f64),
    /// A name, a function or a unit; may contain dots.
    Word(&'a str),
    /// What stands in double quotes.
    Text(&'a str),
    /// One of `+ - * / ^ ( ) , < >`, and `≤ ≥` for `<=` and `>=`.
    Sign(char),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// The token in an error message.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Number(x) => format!("the number {x}"),
            Self::Word(w) => format!("`{}`", shortened(w)),
            Self::Text(text) => format!("\"{}\"", shortened(text)),
            Self::Sign('≤') => "`<=`".to_owned(),
            Self::Sign('≥') => "`>=`".to_owned(),
            Self::Sign(c) => format!("`{c}`"),
            Self::End => "the end of the expression".to_owned(),
        }
    }
}

/// At most forty letters of a word.
pub(super) fn shortened(word: &str) -> String {
    if word.chars().count() <= 40 {
        return word.to_owned();
    }
    word.chars().take(40).chain(['…']).collect()
}

/// Splits the text; the last token is always [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, ExpressionError> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let end = match c {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '0'..='9' | '.' => number_end(text, at),
            c if c.is_alphabetic() || c == '_' => word_end(text, at),
            '<' | '>' if text[at + 1..].starts_with('=') => at + 2,
            '"' => match text[at + 1..].find('"') {
                Some(length) => at + length + 2,
                None => return Err(unexpected(at..text.len(), &text[at..])),
            },
            _ => at + c.len_utf8(),
        };
        let part = &text[at..end];
        let token = match c {
            '0'..='9' | '.' => Token::Number(part.parse().map_err(|_| unexpected(at..end, part))?),
            c if c.is_alphabetic() || c == '_' => Token::Word(part),
            '"' => Token::Text(&part[1..part.len() - 1]),
            '<' | '>' if part.len() == 2 => Token::Sign(if c == '<' { '≤' } else { '≥' }),
            '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' | '<' | '>' | '≤' | '≥' => {
                Token::Sign(c)
            }
            // The minus sign and the dot of typeset formulae.
            '−' => Token::Sign('-'),
            '·' | '×' => Token::Sign('*'),
            _ => return Err(unexpected(at..end, part)),
        };
        out.push((token, at..end));
        at = end;
    }
    out.push((Token::End, at..at));
    Ok(out)
}

fn unexpected(at: Range<usize>, part: &str) -> ExpressionError {
    let expected = "a number, a name, an operator or a parenthesis";
    ExpressionError::Unexpected { at, found: format!("`{}`", shortened(part)), expected }
}

/// digits, a dot, digits, and an exponent if digits follow it.
fn number_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut k: usize| {
        while bytes.get(k).is_some_and(u8::is_ascii_digit) {
            k += 1;
        }
        k
    };
    let mut k = digits(start);
    if bytes.get(k) == Some(&b'.') {
        k = digits(k + 1);
    }
    if matches!(bytes.get(k), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(k + 1), Some(b'+' | b'-')));
        if bytes.get(k + 1 + sign).is_some_and(u8::is_ascii_digit) {
            k = digits(k + 1 + sign);
        }
    }
    k
}

/// Letters, digits, `_`, and dots between them. Behind `q.`, `v.` or `gap.` a `-` without spaces belongs
/// to the joint's or contact's name: `q.upper-arm` is one name, `q.upper - arm` a difference.
fn word_end(text: &str, start: usize) -> usize {
    let joint = ["q.", "v.", "gap."].iter().any(|word| text[start..].starts_with(word));
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let mut letters = text[start..].char_indices().peekable();
    let mut end = start;
    while let Some((k, c)) = letters.next() {
        let joins = c == '.' || (joint && c == '-');
        let goes_on = inside(c) || (joins && letters.peek().is_some_and(|(_, next)| inside(*next)));
        if !goes_on {
            break;
        }
        end = start + k + c.len_utf8();
    }
    end
}
