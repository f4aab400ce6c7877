//! The known word nearest to a misspelt one.

/// The candidate with the smallest edit distance to `word`, if it is near enough to be meant:
/// at most one edit in three letters (and always one).
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let allowed = (letters.len() / 3).max(1);
    candidates
        .into_iter()
        .filter(|c| c.len().abs_diff(word.len()) <= 4 * allowed)
        .map(|c| (edits(&letters, c), c))
        .filter(|(d, _)| *d <= allowed)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Longer words are not corrected: the work grows with the square of the length.
const LONGEST: usize = 64;

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
        assert_eq!(nearest(&"m".repeat(100_000), words), None);
    }
}
