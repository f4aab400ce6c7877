use super::*;
use crate::report::{Column, Row, Widget};
use serde_json::json;

fn example() -> Page {
    Page {
        title: "A <b>old</b> title & more".to_owned(),
        kind: "run",
        question: "How hard does `rod` hit?".to_owned(),
        ..Page::default()
    }
}

#[test]
fn text_of_a_model_never_becomes_markup() {
    let html = example().html();
    assert!(html.contains("A &lt;b&gt;old&lt;/b&gt; title &amp; more"));
    assert!(!html.contains("<b>old"));
    assert!(html.contains("How hard does <code>rod</code> hit?"));
}

#[test]
fn data_cannot_end_its_element() {
    let data = Some(json!({ "name": "</script><script>alert(1)</script>" }));
    let html = Page { data, ..example() }.html();
    assert!(!html.contains("alert(1)</script>"));
    assert!(html.contains("\\u003c/script>\\u003cscript>alert(1)"));
}

#[test]
fn a_text_that_looks_like_a_gap_of_the_frame_stays_text() {
    let page = Page { answer: "{{scripts}} {{title}}".to_owned(), ..example() };
    assert!(page.html().contains("<p class=\"answer\">{{scripts}} {{title}}</p>"));
}

#[test]
fn a_page_without_data_has_neither_plots_nor_their_library() {
    let html = example().html();
    assert!(!html.contains("uPlot"));
    assert!(
        Page { data: Some(json!({})), ..example() }.html().contains("Copyright (c)"),
        "its licence"
    );
}

#[test]
fn a_page_needs_nothing_beside_it() {
    let html = Page { data: Some(json!({})), ..example() }.html();
    for outside in ["src=\"", "@import", "<link rel=\"stylesheet\"", "url(http"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn rows_of_impacts_can_be_reached_and_units_stand_below_headings() {
    let rows = vec![Row { impact: Some((0, 2)), ..Row::new(["3", "1.5"]) }, Row::heading("more")];
    let columns = vec![Column::words("impact"), Column::numbers("peak", "N")];
    let html = table(&Table { caption: "impacts".to_owned(), columns, rows });
    assert!(html.contains("<tr data-run=\"0\" data-impact=\"2\" tabindex=\"0\">"));
    assert!(html.contains("peak <span class=\"unit\">N</span>"));
    assert!(html.contains("<th colspan=\"2\""));
    assert!(
        block(&Block::Widget(Widget::Plots))
            .starts_with("<div class=\"widget\" data-widget=\"plots\">")
    );
}

#[test]
fn a_column_in_which_nothing_stands_is_left_out() {
    let rows = vec![Row::new(["a", "", "1"]), Row::new(["b", "", "2"])];
    let columns = ["x", "y", "z"].map(Column::words).to_vec();
    let t = Table { caption: String::new(), columns, rows }.without_empty_columns();
    assert_eq!(t.columns.len(), 2);
    assert_eq!(t.rows[1], Row::new(["b", "2"]));
}

#[test]
fn a_single_backtick_is_itself() {
    assert_eq!(inline("a ` b"), "a ` b");
    assert_eq!(inline("`a` `b`"), "<code>a</code> <code>b</code>");
}
