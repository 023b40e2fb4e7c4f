//! Every relative link of a Markdown file leads somewhere.

use std::path::Path;

use super::{files_with, none};

/// Returns the targets of the links in `markdown`. Code is left out.
fn links(markdown: &str) -> Vec<String> {
    let mut links = Vec::new();
    for (_, line) in prose(markdown) {
        let line: String = line.split('`').step_by(2).collect::<Vec<_>>().join("");
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        links.extend(inline.map(|(target, _)| target.to_owned()));
        if let Some((name, target)) = line.split_once("]: ")
            && name.starts_with('[')
        {
            links.push(target.trim().to_owned());
        }
    }
    links.iter().map(|link| link.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

/// Returns the lines outside fenced code, each with its number.
pub(super) fn prose(markdown: &str) -> Vec<(usize, &str)> {
    let mut fence = None;
    let mut lines = Vec::new();
    for (index, line) in markdown.lines().enumerate() {
        let ticks = line.trim_start().bytes().take_while(|byte| *byte == b'`').count();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            None => lines.push((index + 1, line)),
            Some(open) if ticks >= open => fence = None,
            Some(_) => {}
        }
    }
    lines
}

/// Returns the anchors that headings make, as the usual hosts write them.
fn anchors(markdown: &str) -> Vec<String> {
    let headings = prose(markdown).into_iter().map(|(_, line)| line).filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let title = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

fn is_broken(from: &str, link: &str) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return false;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let from = crate::root().join(from);
    let target = if path.is_empty() {
        from
    } else {
        from.parent().map_or_else(|| Path::new(path).to_owned(), |directory| directory.join(path))
    };
    if anchor.is_empty() {
        return !target.exists();
    }
    std::fs::read_to_string(target).map_or(true, |text| !anchors(&text).iter().any(|name| name == anchor))
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for file in files_with(".md") {
        let links = links(&file.content).into_iter().filter(|link| is_broken(&file.path, link));
        broken.extend(links.map(|link| format!("{}: {link}", file.path)));
    }
    none("A link that leads nowhere", &broken);
}

#[test]
fn links_and_anchors_are_found() {
    let text = "# A `b` c!\n[x](y.md) `[no](no.md)` [z](#a-b-c \"t\")\n```\n[no](no.md)\n```\n[r]: w.md\n";
    assert_eq!(links(text), ["y.md", "#a-b-c", "w.md"]);
    assert_eq!(anchors(text), ["a-b-c"]);
    assert!(is_broken("README.md", "no-such-file.md"));
    assert!(is_broken("README.md", "#no-such-heading"));
    assert!(!is_broken("README.md", "Cargo.toml"));
}
