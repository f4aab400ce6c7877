//! The page of an assessment.

use carom::Machine;
use carom::answer::{AssessAnswer, ContactAnswer};
use carom::report::{Block, KeyNumber, Page, Section, Widget};

use super::{PAPERS, cautions, key, origin, section, title, without_bars};
use crate::number::{count, percent, prefixed, six, with_unit};
use crate::table::{assess, at_once, gradients};

/// The text of the page; the command that made it is none of another front end.
pub(crate) fn html(
    machine: &Machine,
    answer: &AssessAnswer,
    command: Option<&str>,
) -> Result<String, String> {
    let data = machine.assess_picture(answer).map_err(|error| error.to_string())?;
    let hardest = answer.hardest();
    let (question, sentence) = hardest.map_or_else(
        || ("How heavy does it feel?".to_owned(), String::new()),
        |contact| {
            let (striker, struck) = contact.sides.quoted();
            (format!("How hard would {striker} hit {struck}?"), contact.sentence.clone())
        },
    );
    let page = Page {
        title: title(&answer.head),
        kind: "assess",
        question,
        answer: sentence,
        numbers: hardest.map_or_else(Vec::new, numbers),
        warnings: cautions(&answer.head, &answer.cautions),
        sections: sections(machine, answer, command),
        data: Some(data),
    };
    Ok(page.html())
}

fn numbers(contact: &ContactAnswer) -> Vec<KeyNumber> {
    let e = &contact.energies;
    let mut out = Vec::new();
    let if_touched = if contact.touching { "" } else { ", if it touched here" };
    if let Some(row) = contact.normals().next() {
        let several = contact.normals().count() > 1;
        let note = if several { "of its first point alone" } else { "along the normal" };
        out.push(key(
            "effective mass m_eff",
            with_unit(row.effective_mass, contact.units.mass),
            format!("{note}, contact `{}`{if_touched}", contact.name),
        ));
    }
    let share = if e.unbounded {
        format!("unbounded: {} would have to stop", e.drives.join(", "))
    } else if let Some(share) = e.impact_share.filter(|_| e.kinetic_energy > 0.0) {
        let total = prefixed(e.kinetic_energy, "J");
        format!("{} of T = {total}{if_touched}", percent(share))
    } else {
        format!("T = {}{if_touched}", prefixed(e.kinetic_energy, "J"))
    };
    out.push(key("impact energy T_c", prefixed(e.impact_energy, "J"), share));
    let predicted = || contact.normals().filter_map(|r| r.prediction.as_ref());
    let peak = predicted().map(|p| p.outcome.peak_force).reduce(f64::max);
    let elastic = contact.normals().filter_map(|r| r.elastic_peak).reduce(f64::max);
    if let Some(force) = peak {
        let law = contact.law.as_ref().map_or("", |law| law.name.as_str());
        out.push(key(
            "predicted peak force",
            prefixed(force, contact.units.force),
            format!("by its law `{law}`, machine frozen in this pose"),
        ));
    } else if let Some(force) = elastic {
        let force = prefixed(force, contact.units.force);
        out.push(key("elastic peak force", force, "if T_c is stored without loss"));
    }
    if let Some(delivered) = predicted().next().map(|p| p.outcome.restitution) {
        let note = contact.restitution.map_or_else(String::new, |e| format!("asked for {e}"));
        out.push(key("restitution delivered", six(delivered), note));
    } else if let Some(row) = contact.normals().next() {
        let u = with_unit(row.u, contact.units.velocity);
        let several = contact.normals().count() > 1;
        let note = if several { "of its first point; negative closes" } else { "negative closes" };
        out.push(key("contact velocity u", u, note));
    }
    out
}

fn sections(machine: &Machine, answer: &AssessAnswer, command: Option<&str>) -> Vec<Section> {
    let mut out = vec![section("picture", "The pose", vec![
        Block::Widget(Widget::Picture),
        Block::Text("Dashed: the normals of the contacts. An arrow where they close: the force on the body that it pushes.".to_owned()),
    ])];
    let mut blocks = Vec::new();
    for contact in &answer.contacts {
        let name = &contact.name;
        let mut all = vec![Block::Text(contact.sentence.clone())];
        for (k, grid) in assess::grids(answer, contact).iter().enumerate() {
            let rows = if contact.rows.len() > 1 && k > 0 { contact.rows.len().min(4) } else { 1 };
            let mut heading = vec!["", ""];
            heading.extend(vec![""; rows]);
            heading.push("");
            all.push(Block::Table(without_bars(grid.sheet(&format!("contact {name}"), &heading))));
        }
        all.extend(derivatives(contact));
        if answer.contacts.len() == 1 {
            blocks.extend(all);
        } else {
            blocks.push(Block::Fold { title: format!("Contact `{name}`"), blocks: all });
        }
    }
    out.push(section("contacts", "The contacts", blocks));
    if let Some(all) = &answer.together {
        let heading = at_once::heading(all);
        let table = without_bars(at_once::grid(all).sheet(heading, &["", "", "", ""]));
        out.push(section(
            "together",
            "All contacts struck at once",
            vec![Block::Text(format!("Numbers of {heading}.")), Block::Table(table)],
        ));
    }
    let method = vec![
        "m_eff = 1 / (A Y Aᵀ) with Y the mobility under all joints and closures (Nikravesh-Poursina eqs. 28, 31, 38, 39), by one sweep over the \
         bodies; apparent masses are those of either side alone (Nikravesh-Poursina eq. 2)."
            .to_owned(),
        "T_c = ½ uᵀ W⁺ u over the rows that are struck (closing ones, and those that these drive together), T_a = T − T_c, ξ = T_c/T (Gonzalez et al. eqs. 16, 17, 20, table 4).".to_owned(),
        "The peak force under a law is that of the frozen machine: m_eff and the approach speed of the row, and no other force.".to_owned(),
        "Bodies are rigid and joints ideal; compliance in a drive or a link would lower the effective mass.".to_owned(),
    ];
    let facts = vec![
        ("bodies".to_owned(), answer.bodies.len().to_string()),
        ("degrees of freedom".to_owned(), answer.constraints.degrees_of_freedom.to_string()),
        (
            "closure rows".to_owned(),
            format!(
                "{}, {} independent",
                count(answer.constraints.rows, "row", "rows"),
                answer.constraints.rank
            ),
        ),
    ];
    let blocks = vec![Block::List(method), Block::Facts(facts), Block::Text(PAPERS.to_owned())];
    out.push(section("method", "How it was computed", blocks));
    out.push(origin(&answer.head, &machine.fingerprint(), command));
    out
}

/// What would change m_eff, where it was asked for.
fn derivatives(contact: &ContactAnswer) -> Vec<Block> {
    let mut out = Vec::new();
    for row in &contact.rows {
        let Some(found) = &row.gradients else { continue };
        let unit = &contact.units.mass;
        let (first, second) = (gradients::by_parameters(), gradients::by_coordinates(found));
        out.push(Block::Fold {
            title: format!("Derivatives of row {}", row.label),
            blocks: vec![
                Block::Table(gradients::parameters(found, unit).sheet(first, &[])),
                Block::Table(gradients::coordinates(found, unit).sheet(second, &[])),
            ],
        });
    }
    out
}
