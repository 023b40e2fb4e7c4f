//! Headings and fences of a Markdown file.

/// A part of a file: a heading and the text up to the next heading.
#[derive(Debug, Default)]
pub struct Section {
    /// The number of `#`; 0 for the text before the first heading.
    pub level: usize,
    /// The text of the heading.
    pub title: String,
    /// The fences.
    pub fences: Vec<Fence>,
}

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Fence {
    /// The first word behind the backticks.
    pub language: String,
    /// The rest of that line.
    pub title: String,
    /// The line number of the first line of the content, from 1.
    pub line: usize,
    /// The lines between the backticks.
    pub lines: Vec<String>,
}

impl Fence {
    /// The content with a line break behind each line.
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// The sections of a file in order.
pub fn sections(text: &str) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut open: Option<(&str, Fence)> = None;
    for (line, number) in text.lines().zip(1..) {
        if let Some((marker, mut fence)) = open.take() {
            if line.trim_end() == marker {
                sections.last_mut().into_iter().for_each(|section| section.fences.push(fence.clone()));
            } else {
                fence.lines.push(line.to_owned());
                open = Some((marker, fence));
            }
        } else if let Some((marker, info)) = fence_start(line) {
            let (language, title) = info.split_once(' ').unwrap_or((info, ""));
            let (language, title) = (language.to_owned(), title.trim().to_owned());
            open = Some((marker, Fence { language, title, line: number + 1, lines: Vec::new() }));
        } else if let Some((level, title)) = heading(line) {
            sections.push(Section { level, title: title.to_owned(), fences: Vec::new() });
        }
    }
    sections
}

fn fence_start(line: &str) -> Option<(&str, &str)> {
    let length = line.bytes().take_while(|byte| *byte == b'`').count();
    let (marker, info) = line.split_at_checked(length)?;
    (length >= 3).then_some((marker, info.trim()))
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line.get(level..)?.strip_prefix(' ')?;
    (1..=6).contains(&level).then_some((level, title.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_inside_fences_are_content() {
        let text = "# A\n## B\n````hcl main.tf\n# not a heading\n```\n````\n### C\n";
        let sections = sections(text);
        let titles: Vec<_> = sections.iter().map(|section| (section.level, section.title.as_str())).collect();
        assert_eq!(titles, [(0, ""), (1, "A"), (2, "B"), (3, "C")]);
        let fence = &sections[2].fences[0];
        assert_eq!((fence.language.as_str(), fence.title.as_str(), fence.line), ("hcl", "main.tf", 4));
        assert_eq!(fence.text(), "# not a heading\n```\n");
    }
}
