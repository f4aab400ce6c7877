//! `carom laws`: the catalogue of contact laws, one law, or an impact under one.

use carom::answer::laws::{LawCatalogue, LawImpact, LawPage, LawsAnswer, Sampling};

use super::caution;
use crate::args::{Laws, LawsFormat};
use crate::figure::Target;
use crate::{VerbResult, csv, figure, table};

/// Samples of a printed curve unless another count is asked for.
const SAMPLES: usize = 201;

/// The catalogue, a page about one law, or an impact.
pub(crate) fn run(wanted: &Laws) -> VerbResult {
    let target = wanted.figure.as_deref().map(|path| Target::new(path, wanted.overwrite));
    let target = target.transpose()?;
    if target.is_some() && (wanted.format != LawsFormat::Table || wanted.curve.is_some()) {
        let why = "--figure goes with the table; ask for json, csv or --curve in a run of its own";
        return Err(why.to_owned());
    }
    if wanted.impact.radii.is_some() && wanted.impact.materials.is_none() {
        return Err("--radii goes with --materials".to_owned());
    }
    let given = wanted.impact.given();
    match (&wanted.name, given.as_slice()) {
        (None, []) => list(wanted, target.as_ref()),
        (None, [first, ..]) => {
            Err(format!("{first} goes with a law: name one, such as `carom laws exact`"))
        }
        (Some(name), [] | ["--exponent"]) => page(wanted, name, target.as_ref()),
        (Some(name), _) => impact(wanted, name, target.as_ref()),
    }
}

/// All laws.
fn list(wanted: &Laws, target: Option<&Target>) -> VerbResult {
    if wanted.curve.is_some() {
        return Err("--curve goes with an impact: name a law, --mass and --speed".to_owned());
    }
    if let Some(target) = target {
        return target.written(&figure::catalogue::draw()?);
    }
    let laws = LawCatalogue::new().map_err(|error| error.to_string())?;
    Ok(match wanted.format {
        LawsFormat::Table => table::laws::list::text(&laws.laws),
        LawsFormat::Json => super::json(&LawsAnswer::Catalogue(laws))?,
        LawsFormat::Csv => csv::laws::list(&laws.laws)?,
    })
}

/// One law.
fn page(wanted: &Laws, name: &str, target: Option<&Target>) -> VerbResult {
    for (option, given) in [("--figure", target.is_some()), ("--curve", wanted.curve.is_some())] {
        if given {
            let page = LawPage::named(name, None).map_err(|error| error.to_string())?;
            return Err(format!(
                "{name}: {option} shows an impact: it needs --mass, --speed and the parameters of the \
                 law ({})",
                page.law.options()
            ));
        }
    }
    let page = LawPage::named(name, wanted.impact.exponent.as_deref());
    let page = page.map_err(|error| error.to_string())?;
    Ok(match wanted.format {
        LawsFormat::Table => table::laws::page::text(&page),
        LawsFormat::Json => super::json(&LawsAnswer::Law(Box::new(page)))?,
        LawsFormat::Csv => csv::laws::page(&page)?,
    })
}

/// An impact.
fn impact(wanted: &Laws, name: &str, target: Option<&Target>) -> VerbResult {
    let asked = wanted.curve.and_then(|count| usize::try_from(count).ok());
    let samples = match (target, wanted.format) {
        (Some(_), _) => Sampling::Drawn,
        (None, LawsFormat::Csv) => Sampling::Even(asked.unwrap_or(SAMPLES)),
        (None, LawsFormat::Json) => asked.map_or(Sampling::None, Sampling::Even),
        (None, LawsFormat::Table) if asked.is_none() => Sampling::None,
        _ => return Err("--curve goes with --format json or csv".to_owned()),
    };
    let strike = LawImpact::asked(name, &wanted.impact.question(samples));
    let strike = strike.map_err(|error| error.to_string())?;
    caution(&strike.cautions);
    if let Some(target) = target {
        let written = target.written(&figure::impact::draw(&strike)?)?;
        return Ok(table::laws::impact::text(&strike) + "\n" + &written);
    }
    Ok(match wanted.format {
        LawsFormat::Table => table::laws::impact::text(&strike),
        LawsFormat::Json => super::json(&LawsAnswer::Impact(Box::new(strike)))?,
        LawsFormat::Csv => csv::laws::curve(&strike)?,
    })
}
