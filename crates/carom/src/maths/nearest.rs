//! The known word nearest to a misspelt one.

/// The candidate with the smallest edit distance to `word`, if it is near enough to be meant:
/// at most one edit in three letters (and always one). Else the only one that begins as the word does but for its last letter: its
/// plural (`body`, `bodies`), or the word that it abbreviates.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let misspelt = by_edits(&letters, word.len(), &candidates);
    misspelt.or_else(|| by_beginning(&letters, &candidates))
}

/// The only candidate that begins with all letters of the word but the last one.
fn by_beginning<'a>(letters: &[char], candidates: &[&'a str]) -> Option<&'a str> {
    let stem: String = letters[..letters.len().saturating_sub(1)].iter().collect();
    let mut found = candidates.iter().filter(|c| c.starts_with(&stem));
    match (letters.len() > SHORTEST_STEM, found.next(), found.next()) {
        (true, Some(only), None) => Some(only),
        _ => None,
    }
}

/// The candidate with the smallest edit distance, if it is small enough.
fn by_edits<'a>(letters: &[char], length: usize, candidates: &[&'a str]) -> Option<&'a str> {
    let allowed = (letters.len() / 3).max(1);
    candidates
        .iter()
        .copied()
        .filter(|c| c.len().abs_diff(length) <= 4 * allowed)
        .map(|c| (edits(letters, c), c))
        .filter(|(d, _)| *d <= allowed)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Longer words are not corrected: the work grows with the square of the length.
const LONGEST: usize = 64;
/// Fewer letters in common at the beginning are no sign that a word is meant.
const SHORTEST_STEM: usize = 3;

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment).
fn edits(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            next[j] = (row[j] + 1).min(next[j - 1] + 1).min(row[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_its_word() {
        let words = ["mass", "density", "inertia", "center"];
        assert_eq!(nearest("mas", words), Some("mass"));
        assert_eq!(nearest("desnity", words), Some("density"));
        assert_eq!(nearest("centre", words), Some("center"));
        assert_eq!(nearest("colour", words), None);
        assert_eq!(nearest("body", ["bodies", "joints", "space"]), Some("bodies"));
        assert_eq!(nearest("param", ["parameters", "joints"]), Some("parameters"));
        assert_eq!(nearest("contract", ["contacts.a", "contacts.b"]), None, "two begin so");
        assert_eq!(nearest(&"m".repeat(100_000), words), None);
    }
}
