//! From a page to the text of its file.

use std::fmt::Write as _;

use serde_json::Value;

use super::Page;
use super::element::{Block, Cell, KeyNumber, Section, Table};

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const UPLOT: &str = include_str!("vendor/uplot/uPlot.iife.min.js");
const UPLOT_STYLE: &str = include_str!("vendor/uplot/uPlot.min.css");
const UPLOT_LICENCE: &str = include_str!("vendor/uplot/LICENSE");

/// What is said where a browser runs no scripts.
const NO_SCRIPT: &str = "The picture and the plots need scripts; words and tables do not.";
/// What every page does before it is painted.
const EARLY: &str = include_str!("js/early.js");
/// What every page does.
const COMMON: [&str; 2] = [include_str!("js/theme.js"), include_str!("js/filter.js")];
/// What pages with data do, in the order in which the parts use each other.
const SCRIPTS: [&str; 13] = [
    include_str!("js/number.js"),
    include_str!("js/data.js"),
    include_str!("js/pose.js"),
    include_str!("js/solid.js"),
    include_str!("js/camera.js"),
    include_str!("js/draw.js"),
    include_str!("js/clock.js"),
    include_str!("js/panel.js"),
    include_str!("js/picture.js"),
    include_str!("js/plots.js"),
    include_str!("js/loops.js"),
    include_str!("js/parallel.js"),
    include_str!("js/main.js"),
];

/// The whole text.
pub(super) fn page(page: &Page) -> String {
    let sections: Vec<&Section> = page.sections.iter().collect();
    let links = sections.iter().fold(String::new(), |mut out, s| {
        let _ = write!(out, "<a href=\"#{}\">{}</a>", s.id, named(s.id));
        out
    });
    let body = sections.iter().fold(String::new(), |out, s| out + &section(s));
    let parts = [
        ("{{title}}", escaped(&page.title)),
        ("{{kind}}", escaped(page.kind)),
        ("{{question}}", inline(&page.question)),
        ("{{answer}}", inline(&page.answer)),
        ("{{numbers}}", numbers(&page.numbers)),
        ("{{warnings}}", warnings(&page.warnings)),
        ("{{links}}", links),
        ("{{sections}}", body),
        ("{{style}}", style(page.data.is_some())),
        ("{{scripts}}", scripts(page.data.as_ref())),
        ("{{early}}", EARLY.to_owned()),
    ];
    filled(FRAME, &parts)
}

/// An address as a word: `first-impact` is "First impact".
fn named(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The frame with its gaps filled, each from what stands for it and never from what was filled in.
fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = frame;
    while let Some(at) = rest.find("{{") {
        let (before, gap) = rest.split_at(at);
        out += before;
        let (text, taken) = parts
            .iter()
            .find(|(name, _)| gap.starts_with(name))
            .map_or(("{{", 2), |(name, text)| (text.as_str(), name.len()));
        out += text;
        rest = &gap[taken..];
    }
    out + rest
}

fn style(drawn: bool) -> String {
    if drawn { format!("{UPLOT_STYLE}\n{STYLE}") } else { STYLE.to_owned() }
}

fn scripts(data: Option<&Value>) -> String {
    let mut out = format!("<script>\n\"use strict\";\n{}</script>\n", COMMON.concat());
    let Some(data) = data else { return out };
    // `<` could end the element from within a text.
    let data = data.to_string().replace('<', "\\u003c");
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n/*! uPlot, embedded:\n{}*/\n{UPLOT}</script>\n\
         <script>\n\"use strict\";\n(() => {{\n{}}})();\n</script>\n",
        UPLOT_LICENCE.replace("*/", ""),
        SCRIPTS.concat()
    );
    out
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Text as HTML; what stands in backticks is a name.
fn inline(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split('`');
    out += &escaped(parts.next().unwrap_or_default());
    while let Some(name) = parts.next() {
        match parts.next() {
            Some(after) => {
                let _ = write!(out, "<code>{}</code>{}", escaped(name), escaped(after));
            }
            // A backtick without a partner is a backtick.
            None => {
                let _ = write!(out, "`{}", escaped(name));
            }
        }
    }
    out
}

fn numbers(all: &[KeyNumber]) -> String {
    let one = |n: &KeyNumber| {
        format!(
            "<div class=\"key\"><dt>{}</dt><dd>{}</dd><dd class=\"note\">{}</dd></div>\n",
            inline(&n.label),
            escaped(&n.shown()),
            inline(&n.note)
        )
    };
    if all.is_empty() {
        return String::new();
    }
    format!("<dl class=\"keys\">\n{}</dl>", all.iter().map(one).collect::<String>())
}

fn warnings(all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let one = |text: &String| {
        let text = text.strip_prefix("warning: ").unwrap_or(text);
        // What has lines shows an excerpt of the file: columns matter.
        if text.contains('\n') {
            return format!("<li><pre>{}</pre></li>\n", escaped(text.trim_end()));
        }
        format!("<li>{}</li>\n", inline(text))
    };
    let title = if all.len() == 1 { "One warning" } else { "Warnings" };
    format!(
        "<aside class=\"warnings\" aria-label=\"warnings\"><h2>{title}</h2><ul>\n{}</ul></aside>",
        all.iter().map(one).collect::<String>()
    )
}

fn section(section: &Section) -> String {
    let is_drawing = |b: &Block| matches!(b, Block::Figure { .. } | Block::Linked { .. });
    let mut out = format!("<section id=\"{}\"><h2>{}</h2>\n", section.id, inline(&section.title));
    // Drawings that follow each other stand side by side where there is room.
    for part in section.blocks.chunk_by(|a, b| is_drawing(a) == is_drawing(b)) {
        let inner: String = part.iter().map(block).collect();
        if is_drawing(&part[0]) && part.len() > 1 {
            let _ = write!(out, "<div class=\"figures\">\n{inner}</div>\n");
        } else {
            out += &inner;
        }
    }
    out + "</section>\n"
}

fn block(b: &Block) -> String {
    match b {
        Block::Text(text) => format!("<p>{}</p>\n", inline(text)),
        Block::List(items) => {
            let mut out = "<ul>\n".to_owned();
            for text in items {
                let _ = writeln!(out, "<li>{}</li>", inline(text));
            }
            out + "</ul>\n"
        }
        Block::Table(t) => table(t),
        Block::Figure { svg, caption } => {
            // What stands before the drawing is for files of their own.
            let drawing = svg.find("<svg").map_or(svg.as_str(), |at| &svg[at..]);
            figure(drawing.trim_end(), caption)
        }
        Block::Linked { file, caption } => {
            let image = format!(
                "<a href=\"{0}\"><img src=\"{0}\" alt=\"{1}\" loading=\"lazy\"></a>",
                escaped(file),
                escaped(caption)
            );
            figure(&image, caption)
        }
        Block::Facts(facts) => {
            let one = |(what, value): &(String, String)| {
                format!("<div><dt>{}</dt><dd>{}</dd></div>\n", inline(what), inline(value))
            };
            format!("<dl class=\"facts\">\n{}</dl>\n", facts.iter().map(one).collect::<String>())
        }
        Block::Filter(choices) => {
            let one = |(label, mark): &(String, &str)| {
                let pressed = mark.is_empty();
                format!(
                    "<button type=\"button\" data-show=\"{mark}\" aria-pressed=\"{pressed}\">{}</button>\n",
                    escaped(label)
                )
            };
            let buttons = choices.iter().map(one).collect::<String>();
            format!("<fieldset class=\"filter\"><legend>Show</legend>\n{buttons}</fieldset>\n")
        }
        Block::Widget(widget) => {
            format!(
                "<div class=\"widget\" data-widget=\"{}\"><noscript>{NO_SCRIPT}</noscript></div>\n",
                widget.name()
            )
        }
        Block::Fold { title, blocks } => format!(
            "<details><summary>{}</summary>\n{}</details>\n",
            inline(title),
            blocks.iter().map(block).collect::<String>()
        ),
    }
}

fn figure(drawing: &str, caption: &str) -> String {
    format!(
        "<figure class=\"drawing\"><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\">{drawing}</div>\
         <figcaption>{0}</figcaption></figure>\n",
        escaped(caption)
    )
}

fn table(t: &Table) -> String {
    let mut out = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><table><caption>{0}</caption>\n",
        escaped(&t.caption)
    );
    if t.columns.iter().any(|column| !column.title.is_empty()) {
        out += &head(t);
    }
    out += "<tbody>\n";
    let cards = t.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.mark == "long");
    for row in &t.rows {
        if row.heading {
            let text = row.cells.first().map_or("", |cell| cell.text.as_str());
            let _ = writeln!(
                out,
                "<tr class=\"heading\"><th colspan=\"{}\" scope=\"rowgroup\">{}</th></tr>",
                t.columns.len(),
                inline(text)
            );
            continue;
        }
        let about = row.impact.map_or_else(String::new, |(run, k)| {
            format!(" data-run=\"{run}\" data-impact=\"{k}\" tabindex=\"0\"")
        });
        let _ = write!(out, "<tr{about}>");
        for (cell, column) in row.cells.iter().zip(&t.columns) {
            let label = if cards { column.title.as_str() } else { "" };
            out += &table_cell(cell, column.numeric, label);
        }
        out += "</tr>\n";
    }
    out + "</tbody></table></div>\n"
}

fn head(t: &Table) -> String {
    let mut out = "<thead><tr>".to_owned();
    for column in &t.columns {
        let class = if column.numeric { " class=\"n\"" } else { "" };
        let unit = match column.unit.as_str() {
            "" => String::new(),
            unit => format!(" <span class=\"unit\">{}</span>", escaped(unit)),
        };
        let _ = write!(out, "<th scope=\"col\"{class}>{}{unit}</th>", inline(&column.title));
    }
    out + "</tr></thead>\n"
}

/// A cell; its label stands beside it where the row is a card.
fn table_cell(cell: &Cell, numeric: bool, label: &str) -> String {
    let class = match (numeric, cell.mark) {
        (false, "") => String::new(),
        (true, "") => " class=\"n\"".to_owned(),
        (false, mark) => format!(" class=\"{mark}\""),
        (true, mark) => format!(" class=\"n {mark}\""),
    };
    let label = match label {
        "" => String::new(),
        label => format!(" data-label=\"{}\"", escaped(label)),
    };
    format!("<td{class}{label}>{}</td>", inline(&cell.text))
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
