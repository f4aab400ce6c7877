//! The page of an assessment.

use carom::impact::{Assessment, RowAssessment};
use carom::report::motion::Mark;
use carom::report::{Block, KeyNumber, Page, Section, Widget};

use super::{PAPERS, key, origin, pair, section, standing, title, warnings, without_bars};
use crate::commands::assess::Report;
use crate::number::{count, percent, prefixed, with_unit};
use crate::table::{assess, at_once, headline};
use carom::contact::Approach as Motion;

/// The text of the page.
pub(crate) fn html(report: &Report<'_>) -> Result<String, String> {
    let (opened, model) = (report.opened, report.opened.model());
    let marks: Vec<Mark> = report.contacts.iter().flat_map(|c| marks(report, c)).collect();
    let data = standing(opened, &marks)?;
    let hardest = hardest(report);
    let (question, answer) = hardest.map_or_else(
        || ("How heavy does it feel?".to_owned(), String::new()),
        |contact| {
            let (striker, struck) =
                model.contact(&contact.contact).map_or_else(Default::default, |k| pair(model, k));
            (format!("How hard would {striker} hit {struck}?"), headline::text(report, contact))
        },
    );
    let page = Page {
        title: title(opened),
        kind: "assess",
        question,
        answer,
        numbers: hardest.map_or_else(Vec::new, |contact| numbers(report, contact)),
        warnings: warnings(opened, &report.warnings),
        sections: sections(report),
        data: Some(data),
    };
    Ok(page.html())
}

/// The contact whose impact can use most energy.
fn hardest<'a>(report: &'a Report<'_>) -> Option<&'a Assessment> {
    let all = report.contacts.iter();
    all.reduce(|a, b| if b.energies.closing > a.energies.closing { b } else { a })
}

fn closes(row: &RowAssessment) -> bool {
    row.is_normal && row.approach == Motion::Closing
}

fn marks(report: &Report<'_>, contact: &Assessment) -> Vec<Mark> {
    let normals: Vec<&RowAssessment> = contact.rows.iter().filter(|r| r.is_normal).collect();
    let several = normals.len() > 1;
    let model = report.opened.model();
    let mark = |row: &&RowAssessment| Mark {
        name: if several {
            format!("{} {}", contact.contact, row.label)
        } else {
            contact.contact.clone()
        },
        contact: model.contact(&contact.contact).unwrap_or_default(),
        at: (row.point.on_a + row.point.on_b) * 0.5,
        normal: row.point.normal,
        closing: closes(row),
    };
    normals.iter().map(mark).collect()
}

fn numbers(report: &Report<'_>, contact: &Assessment) -> Vec<KeyNumber> {
    let e = &contact.energies;
    let mut out = Vec::new();
    let normals = || contact.rows.iter().filter(|r| r.is_normal);
    if let Some(row) = normals().next() {
        let note =
            if normals().count() > 1 { "of its first point alone" } else { "along the normal" };
        out.push(key(
            "effective mass m_eff",
            with_unit(row.effective.mass, "kg"),
            format!("{note}, contact `{}`", contact.contact),
        ));
    }
    let share = if e.total > 0.0 && !e.driven {
        format!("{} of T = {}", percent(e.closing / e.total), prefixed(e.total, "J"))
    } else {
        format!("T = {}", prefixed(e.total, "J"))
    };
    out.push(key("impact energy T_c", prefixed(e.closing, "J"), share));
    let peak =
        normals().filter_map(|r| r.prediction.map(|p| p.outcome.peak_force)).reduce(f64::max);
    let elastic = normals().filter_map(|r| r.elastic_peak).reduce(f64::max);
    if let Some(force) = peak {
        let law = contact.law.as_ref().map_or("", |law| law.name);
        out.push(key(
            "predicted peak force",
            prefixed(force, "N"),
            format!("by its law `{law}`, machine frozen in this pose"),
        ));
    } else if let Some(force) = elastic {
        out.push(key("elastic peak force", prefixed(force, "N"), "if T_c is stored without loss"));
    }
    let asked = report
        .opened
        .model()
        .contact(&contact.contact)
        .and_then(|k| report.opened.model().contacts[k].defaults.restitution);
    let delivered = normals().find_map(|r| r.prediction.map(|p| p.outcome.restitution));
    if let Some(delivered) = delivered {
        let note = asked.map_or_else(String::new, |e| format!("asked for {e}"));
        out.push(key("restitution delivered", format!("{delivered:.4}"), note));
    } else if let Some(row) = normals().next() {
        out.push(key(
            "contact velocity u",
            with_unit(row.effective.rate, "m/s"),
            "negative closes",
        ));
    }
    out
}

fn sections(report: &Report<'_>) -> Vec<Section> {
    let mut out = vec![section("picture", "The pose", vec![
        Block::Widget(Widget::Picture),
        Block::Text("Dashed: the normals of the contacts. An arrow where they close: the force on the body that it pushes.".to_owned()),
    ])];
    let mut blocks = Vec::new();
    for contact in &report.contacts {
        let name = &contact.contact;
        let mut all = vec![Block::Text(headline::text(report, contact))];
        for (k, grid) in assess::grids(report, contact).iter().enumerate() {
            let rows = if contact.rows.len() > 1 && k > 0 { contact.rows.len().min(4) } else { 1 };
            let mut heading = vec!["", ""];
            heading.extend(vec![""; rows]);
            heading.push("");
            all.push(Block::Table(without_bars(grid.sheet(&format!("contact {name}"), &heading))));
        }
        if report.contacts.len() == 1 {
            blocks.extend(all);
        } else {
            blocks.push(Block::Fold { title: format!("Contact `{name}`"), blocks: all });
        }
    }
    out.push(section("contacts", "The contacts", blocks));
    if let Some(all) = &report.together {
        let table = without_bars(
            at_once::grid(report.opened.model(), all)
                .sheet("all contacts struck at once", &["", "", "", ""]),
        );
        out.push(section("together", "All contacts struck at once", vec![Block::Table(table)]));
    }
    let method = vec![
        "m_eff = 1 / (A Y Aᵀ) with Y the mobility under all joints and closures (000 eqs. 28, 31, 38, 39), by one sweep over the \
         bodies; apparent masses are those of either side alone (000 eq. 2)."
            .to_owned(),
        "T_c = ½ uᵀ W⁺ u over the closing rows, T_a = T − T_c, ξ = T_c/T (002 eqs. 16, 17, 20, table 4).".to_owned(),
        "The peak force under a law is that of the frozen machine: m_eff and the approach speed of the row, and no other force.".to_owned(),
        "Bodies are rigid and joints ideal; compliance in a drive or a link would lower the effective mass.".to_owned(),
    ];
    let facts = vec![
        ("bodies".to_owned(), report.opened.model().bodies.len().to_string()),
        ("degrees of freedom".to_owned(), report.constraints.freedom.to_string()),
        (
            "closure rows".to_owned(),
            format!(
                "{}, {} independent",
                count(report.constraints.rows, "row", "rows"),
                report.constraints.rank
            ),
        ),
    ];
    let blocks = vec![Block::List(method), Block::Facts(facts), Block::Text(PAPERS.to_owned())];
    out.push(section("method", "How it was computed", blocks));
    out.push(origin(report.opened, report.sets, None));
    out
}
