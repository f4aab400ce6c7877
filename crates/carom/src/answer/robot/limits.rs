//! Limits of force and pressure by region of a person's body, each with its source.

use crate::answer::AnswerError;
use crate::answer::laws::quantity::quantity;
use crate::file::Source;
use crate::file::toml::describe;
use crate::maths::nearest::nearest;
use crate::maths::units::Dimension;
use crate::model::description::{Node, Origin, Table, Value};

/// The limits that come with carom.
const SHIPPED: &str = include_str!("limits-2011.toml");
/// A form to be filled in.
const TEMPLATE: &str = include_str!("limits-template.toml");

/// Limits of the regions of a person's body, from a file in which every value has a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The file, as it was named.
    pub file: String,
    /// The document.
    pub source: String,
    /// Its edition.
    pub edition: String,
    /// Whether somebody has compared the values with the document.
    pub confirmed: bool,
    pub(super) regions: Vec<Region>,
}

/// Limits of one region in SI units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Region {
    pub name: String,
    pub source: String,
    pub edition: String,
    pub confirmed: bool,
    pub stiffness: f64,
    pub mass: Option<f64>,
    /// Quasi-static and transient.
    pub force: [Option<f64>; 2],
    pub pressure: [Option<f64>; 2],
}

/// Keys of a region that hold numbers: the unit of a bare number, its size in SI units, its dimension.
const NUMBERS: [(&str, f64, Dimension); 7] = [
    ("stiffness", 1e3, Dimension::new(1.0, 0.0, -2.0)),
    ("mass", 1.0, Dimension::MASS),
    ("force_clamped", 1.0, Dimension::FORCE),
    ("force_impact", 1.0, Dimension::FORCE),
    ("pressure", 1e4, Dimension::PRESSURE),
    ("pressure_clamped", 1e4, Dimension::PRESSURE),
    ("pressure_impact", 1e4, Dimension::PRESSURE),
];
/// Keys of a region and of the file that hold words.
const WORDS: [&str; 3] = ["source", "edition", "confirmed"];

impl Default for Limits {
    /// The German recommendation of 2011, which is public; it has no body masses and is not confirmed.
    fn default() -> Self {
        // A test reads the file that is shipped.
        Self::read("limits-2011.toml", SHIPPED).unwrap_or(Self {
            file: String::new(),
            source: String::new(),
            edition: String::new(),
            confirmed: false,
            regions: Vec::new(),
        })
    }
}

impl Limits {
    /// Reads the text of a limits file; every fault has its line.
    pub fn read(file: &str, text: &str) -> Result<Self, AnswerError> {
        let source = Source::new(file, text);
        let description = describe(text).map_err(|faults| {
            let one = |fault: &crate::file::toml::SyntaxFault| {
                let origin = fault.span.clone().map(Origin::Text);
                source.render("", origin.as_ref(), &fault.message)
            };
            refused(&faults.iter().map(one).collect::<Vec<_>>())
        })?;
        let mut reader = Reader { source: &source, faults: Vec::new() };
        let limits = reader.limits(file, &description.root);
        match (limits, reader.faults.is_empty()) {
            (Some(limits), true) => Ok(limits),
            _ => Err(refused(&reader.faults)),
        }
    }

    /// A limits file to be filled in.
    pub fn template() -> &'static str {
        TEMPLATE
    }

    /// The names of the regions.
    pub fn region_names(&self) -> Vec<&str> {
        self.regions.iter().map(|r| r.name.as_str()).collect()
    }
}

/// One error of all faults, the first with its place in front.
fn refused(faults: &[String]) -> AnswerError {
    let text = faults.concat();
    let (what, message) = text.trim_end().split_once(": ").unwrap_or(("limits", "unreadable"));
    AnswerError::asked(what, message)
}

struct Reader<'a> {
    source: &'a Source,
    faults: Vec<String>,
}

impl Reader<'_> {
    fn fault(&mut self, path: &str, origin: Option<&Origin>, message: &str) {
        let text = self.source.render(path, origin, message);
        self.faults.push(text);
    }

    fn limits(&mut self, file: &str, root: &Table) -> Option<Limits> {
        self.known(root, "", &["source", "edition", "confirmed", "regions"]);
        let whole = self.words(root, "", ("", "", false))?;
        let Some(node) = root.get("regions") else {
            self.fault(
                "regions",
                None,
                "missing; expected a list of tables, one for each body region",
            );
            return None;
        };
        let Value::List(list) = &node.value else {
            let found = format!("{} found, expected a list of tables", node.value.kind());
            self.fault("regions", Some(&node.origin), &found);
            return None;
        };
        if list.is_empty() {
            self.fault("regions", Some(&node.origin), "empty; expected at least one region");
        }
        let words = (whole.0.as_str(), whole.1.as_str(), whole.2);
        let regions: Vec<Region> = list
            .iter()
            .enumerate()
            .filter_map(|(k, node)| self.region(&format!("regions.{k}"), node, words))
            .collect();
        for (k, region) in regions.iter().enumerate() {
            if regions[..k].iter().any(|r| r.name == region.name) {
                let message = format!("the region `{}` stands twice", region.name);
                self.fault(&format!("regions.{k}"), Some(&list[k].origin), &message);
            }
        }
        let (source, edition, confirmed) = whole;
        Some(Limits { file: file.to_owned(), source, edition, confirmed, regions })
    }

    fn region(&mut self, path: &str, node: &Node, whole: (&str, &str, bool)) -> Option<Region> {
        let Value::Table(table) = &node.value else {
            let found = format!("{} found, expected a table", node.value.kind());
            self.fault(path, Some(&node.origin), &found);
            return None;
        };
        let mut keys = vec!["name"];
        keys.extend(WORDS);
        keys.extend(NUMBERS.map(|(key, ..)| key));
        self.known(table, path, &keys);
        let name = self.text(table, path, "name");
        let (source, edition, confirmed) = self.words(table, path, whole)?;
        let before = self.faults.len();
        let [stiffness, mass, clamped, impact, pressure, squeezed, struck] =
            NUMBERS.map(|(key, size, dimension)| self.number(table, path, key, (size, dimension)));
        if self.faults.len() > before {
            return None;
        }
        let Some(stiffness) = stiffness else {
            self.fault(path, Some(&node.origin), "`stiffness` is missing [N/mm]");
            return None;
        };
        let force = [clamped, impact];
        let pressure = [squeezed.or(pressure), struck.or(pressure)];
        if force.iter().chain(&pressure).all(Option::is_none) {
            self.fault(path, Some(&node.origin), "no limit: state a force or a pressure");
            return None;
        }
        let name = name?;
        Some(Region { name, source, edition, confirmed, stiffness, mass, force, pressure })
    }

    /// Source, edition and confirmation: own ones, or those of the whole file.
    fn words(
        &mut self,
        table: &Table,
        path: &str,
        whole: (&str, &str, bool),
    ) -> Option<(String, String, bool)> {
        let own = |reader: &mut Self, key: &str, default: &str| {
            if table.get(key).is_none() && !default.is_empty() {
                return Some(default.to_owned());
            }
            reader.text(table, path, key)
        };
        let source = own(self, "source", whole.0);
        let edition = own(self, "edition", whole.1);
        let confirmed = match table.get("confirmed").map(|node| (&node.value, &node.origin)) {
            Some((Value::Bool(b), _)) => Some(*b),
            None if !whole.0.is_empty() => Some(whole.2),
            found => {
                let kind = found.map_or("nothing", |(value, _)| value.kind());
                let message = format!("{kind} found, expected true or false");
                let origin = found.map(|(_, origin)| origin.clone());
                self.fault(&below(path, "confirmed"), origin.as_ref(), &message);
                None
            }
        };
        Some((source?, edition?, confirmed?))
    }

    /// A text that is not empty.
    fn text(&mut self, table: &Table, path: &str, key: &str) -> Option<String> {
        let node = table.get(key);
        match node.map(|n| &n.value) {
            Some(Value::Text { text, .. }) if !text.trim().is_empty() => Some(text.clone()),
            found => {
                let kind = match found {
                    Some(Value::Text { .. }) => "an empty text",
                    Some(value) => value.kind(),
                    None => "nothing",
                };
                let message = format!("{kind} found, expected a text that is not empty");
                self.fault(&below(path, key), node.map(|n| &n.origin), &message);
                None
            }
        }
    }

    /// A positive number: bare in the unit of its key, or with a unit.
    fn number(
        &mut self,
        table: &Table,
        path: &str,
        key: &str,
        (size, dimension): (f64, Dimension),
    ) -> Option<f64> {
        let node = table.get(key)?;
        let found = match &node.value {
            Value::Number(x) => Ok(x * size),
            Value::Text { text, .. } => match text.trim().parse::<f64>() {
                Ok(bare) => Ok(bare * size),
                Err(_) => quantity(key, text, dimension),
            },
            other => Err(format!("{} found, expected a number", other.kind())),
        };
        let message = match found {
            Ok(x) if x > 0.0 && x.is_finite() => return Some(x),
            Ok(x) => format!("{} is not a positive number", x / size),
            Err(message) => message,
        };
        self.fault(&below(path, key), Some(&node.origin), &message);
        None
    }

    /// Refuses keys that are not known.
    fn known(&mut self, table: &Table, path: &str, keys: &[&str]) {
        for entry in table.entries().iter().filter(|e| !keys.contains(&e.key.as_str())) {
            let near = nearest(&entry.key, keys.iter().copied());
            let hint = near.map_or_else(
                || format!("expected one of {}", keys.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("unknown key; {hint}");
            self.fault(&below(path, &entry.key), Some(&entry.origin), &message);
        }
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_limits_are_read_with_their_source() {
        let limits = Limits::default();
        assert_eq!(limits.regions.len(), 15);
        assert!(limits.source.contains("2011") && !limits.confirmed);
        let hand = limits.regions.iter().find(|r| r.name == "hand, fingers").unwrap();
        assert_eq!((hand.stiffness, hand.mass), (75e3, None));
        assert_eq!((hand.force, hand.pressure), ([Some(135.0), Some(180.0)], [Some(60e4); 2]));
    }

    #[test]
    fn every_fault_of_a_limits_file_has_its_line() {
        let told = |text: &str| Limits::read("l.toml", text).unwrap_err().to_string();
        let head = "source = \"a\"\nedition = \"b\"\nconfirmed = true\n";
        assert!(
            told(TEMPLATE).contains("l.toml:7:10: source: an empty text"),
            "{}",
            told(TEMPLATE)
        );
        assert!(told("regions = []").contains("source: nothing found"));
        assert!(told(&format!("{head}regions = []")).contains("l.toml:4:11: regions: empty"));
        let of = |region: &str| told(&format!("{head}[[regions]]\n{region}"));
        let wrong = of("name = \"hand\"\nstiffnes = 75\nforce_clamped = 140");
        assert!(wrong.contains("did you mean `stiffness`"), "{wrong}");
        let wrong = of("name = \"hand\"\nstiffness = -75\nforce_clamped = \"x N\"");
        assert!(
            wrong.contains("l.toml:6:13: regions.0.stiffness: -75 is not a positive"),
            "{wrong}"
        );
        assert!(wrong.contains("l.toml:7:17: regions.0.force_clamped"), "{wrong}");
        assert!(of("name = \"hand\"\nstiffness = 75").contains("no limit"));
        assert!(of("name = \"hand\"\nforce_clamped = 1").contains("`stiffness` is missing"));
        let unit = of("name = \"hand\"\nstiffness = \"75 N/mm\"\nforce_clamped = \"1 kg\"");
        assert!(unit.contains("force_clamped"), "{unit}");
        assert!(told("source = ").starts_with("l.toml:1:"), "{}", told("source = "));
    }
}
