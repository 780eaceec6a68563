//! HTML text.
//!
//! Architecture invariant: text from a run reaches a page only through [`Html::add`], which escapes it. Markup is a
//! string literal or a drawn picture.

use crate::plot::{self, Canvas};

/// Escapes text for the content of an element and for an attribute value in double quotes. Characters that are
/// invisible or change the direction of text become visible escapes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in mancala::text::escape(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A part of a page.
#[derive(Default)]
pub(super) struct Html(String);

impl Html {
    /// Appends markup, in which each `{}` is replaced by a text, which is escaped.
    pub(super) fn add(&mut self, markup: &'static str, texts: &[&str]) -> &mut Html {
        let mut texts = texts.iter();
        for (index, part) in markup.split("{}").enumerate() {
            if index > 0 {
                self.0.push_str(&escape(texts.next().expect("each {} has a text")));
            }
            self.0.push_str(part);
        }
        debug_assert!(texts.next().is_none(), "each text has a {{}}");
        self
    }

    pub(super) fn heading(&mut self, text: &str) -> &mut Html {
        self.add("<h2>{}</h2>\n", &[text])
    }

    pub(super) fn paragraph(&mut self, text: impl AsRef<str>) -> &mut Html {
        self.add("<p>{}</p>\n", &[text.as_ref()])
    }

    pub(super) fn command(&mut self, title: &str, command: &str) -> &mut Html {
        self.add("<p class=\"command\">{} <code>{}</code></p>\n", &[title, command])
    }

    /// Appends a table. The first cell of each row is its heading. Columns called "meaning" or "comment" are set as text,
    /// all others as figures.
    pub(super) fn table(
        &mut self,
        caption: &str,
        head: &[&str],
        rows: &[Vec<String>],
    ) -> &mut Html {
        self.add(
            "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table><caption>{}</caption>\n<thead><tr>",
            &[caption, caption],
        );
        let is_wordy = |title: &str| matches!(title, "meaning" | "comment");
        for title in head {
            let markup = match is_wordy(title) {
                true => "<th scope=\"col\" class=\"words\">{}</th>",
                false => "<th scope=\"col\">{}</th>",
            };
            self.add(markup, &[title]);
        }
        self.add("</tr></thead><tbody>\n", &[]);
        for row in rows {
            self.add("<tr>", &[]);
            for (place, (cell, title)) in row.iter().zip(head).enumerate() {
                let markup = match place {
                    0 => "<th scope=\"row\">{}</th>",
                    _ if is_wordy(title) => "<td class=\"words\">{}</td>",
                    _ => "<td>{}</td>",
                };
                self.add(markup, &[cell]);
            }
            self.add("</tr>\n", &[]);
        }
        self.add("</tbody></table></div>\n", &[])
    }

    /// Appends a table that the reader can open.
    pub(super) fn folded_table(
        &mut self,
        caption: &str,
        head: &[&str],
        rows: &[Vec<String>],
    ) -> &mut Html {
        self.add("<details><summary>{}</summary>\n", &[caption]);
        self.table(caption, head, rows).add("</details>\n", &[])
    }

    /// Appends a picture, with the text that a screen reader reads instead.
    pub(super) fn picture(&mut self, alternative: &str, picture: &Canvas) -> anyhow::Result<()> {
        let drawn = plot::drawn(picture)?;
        self.add("<div class=\"picture\" role=\"img\" aria-label=\"{}\">\n", &[alternative]);
        // Default values and the font, which the style sheet repeats, take a third of a map.
        const NEEDLESS: [&str; 3] = [
            " opacity=\"1\"",
            " stroke=\"none\"",
            " font-family=\"DejaVu Sans, Verdana, sans-serif\"",
        ];
        self.0.push_str(&NEEDLESS.iter().fold(drawn, |drawn, it| drawn.replace(it, "")));
        self.add("</div>\n", &[]);
        Ok(())
    }

    /// Fills a template, which contains `{title}` and `{body}`.
    pub(super) fn page(&self, template: &'static str, title: &str) -> String {
        let (head, rest) = template.split_once("{title}").expect("the template has a title");
        let (middle, end) = rest.split_once("{body}").expect("the template has a body");
        [head, &escape(title), middle, &self.0, end].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        let hostile = "</td><script>alert('x')</script>\"onload=\"& \u{202e}\u{0}";
        let mut html = Html::default();
        html.table(hostile, &[hostile, hostile], &[vec![hostile.into(), hostile.into()]]);
        html.command(hostile, hostile).paragraph(hostile);
        let page = html.page("<title>{title}</title>{body}", hostile);
        assert!(!page.contains("<script") && !page.contains("\"onload"), "{page}");
        assert!(page.contains("&lt;script&gt;") && page.contains("\\u202e\\u0000"), "{page}");
    }
}
