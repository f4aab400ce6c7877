//! Impacts that are not short against the motion, so that the m_eff of their onset misleads.

use carom::model::Model;
use carom::simulate::LONG;

use super::Ran;
use crate::number::{percent, ten};

/// One warning for each contact with impacts that are not short.
pub(crate) fn warnings(model: &Model, ran: &Ran) -> Vec<String> {
    let end = ran.outcome.state.t;
    let long = ran.outcome.long_impacts();
    let mut out = Vec::new();
    for (k, contact) in model.contacts.iter().enumerate() {
        let mut all = long.iter().map(|i| &ran.outcome.impacts[*i]).filter(|i| i.spot.contact == k);
        let Some(first) = all.next() else { continue };
        let count = 1 + all.count();
        let Some(meanwhile) = first.meanwhile(end) else { continue };
        let why = if meanwhile.speed > LONG {
            format!("other forces change its speed by {} of", part(meanwhile.speed))
                + " the approach speed"
        } else {
            let change = meanwhile.mass.map_or_else(String::new, percent);
            format!("m_eff changes by {change}")
        };
        let law = ran.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
        let name = &contact.name;
        let them =
            if count == 1 { "1 impact is".to_owned() } else { format!("{count} impacts are") };
        out.push(format!(
            "warning: {law}contacts.{name}: {them} not short against the motion, so that m_eff and T_c of \
             the onset mislead; at t = {} s {why}",
            ten(first.onset)
        ));
    }
    out
}

/// A share; more than tenfold is not told in numbers.
pub(crate) fn part(share: f64) -> String {
    if share > 10.0 { "more than 1000 %".to_owned() } else { percent(share) }
}
