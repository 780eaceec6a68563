//! HTML text.
//!
//! Architecture invariant: text from a run reaches a page only through [`Html::text`], which escapes it. Markup is a
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
    /// Appends markup.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Appends escaped text, or a part of an attribute value.
    pub(super) fn text(&mut self, text: impl AsRef<str>) -> &mut Html {
        self.0.push_str(&escape(text.as_ref()));
        self
    }

    pub(super) fn heading(&mut self, text: impl AsRef<str>) -> &mut Html {
        self.raw("<h2>").text(text).raw("</h2>\n")
    }

    pub(super) fn paragraph(&mut self, text: impl AsRef<str>) -> &mut Html {
        self.raw("<p>").text(text).raw("</p>\n")
    }

    pub(super) fn command(&mut self, title: &str, command: &str) -> &mut Html {
        self.raw("<p class=\"command\">")
            .text(title)
            .raw(" <code>")
            .text(command)
            .raw("</code></p>\n")
    }

    /// Appends a table. The first cell of each row is its heading. Columns called "meaning" or "comment" are set as text,
    /// all others as figures.
    pub(super) fn table(
        &mut self,
        caption: &str,
        head: &[&str],
        rows: &[Vec<String>],
    ) -> &mut Html {
        let is_wordy = |place: usize| matches!(head[place], "meaning" | "comment");
        self.raw("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"").text(caption);
        self.raw("\"><table><caption>").text(caption).raw("</caption>\n<thead><tr>");
        for (place, title) in head.iter().enumerate() {
            let tag = if is_wordy(place) {
                "<th scope=\"col\" class=\"words\">"
            } else {
                "<th scope=\"col\">"
            };
            self.raw(tag).text(title).raw("</th>");
        }
        self.raw("</tr></thead><tbody>\n");
        for row in rows {
            self.raw("<tr>");
            for (place, cell) in row.iter().enumerate() {
                match place {
                    0 => self.raw("<th scope=\"row\">").text(cell).raw("</th>"),
                    _ if is_wordy(place) => {
                        self.raw("<td class=\"words\">").text(cell).raw("</td>")
                    }
                    _ => self.raw("<td>").text(cell).raw("</td>"),
                };
            }
            self.raw("</tr>\n");
        }
        self.raw("</tbody></table></div>\n")
    }

    /// Appends a table that the reader can open.
    pub(super) fn folded_table(
        &mut self,
        caption: &str,
        head: &[&str],
        rows: &[Vec<String>],
    ) -> &mut Html {
        self.raw("<details><summary>").text(caption).raw("</summary>\n");
        self.table(caption, head, rows).raw("</details>\n")
    }

    /// Appends a picture, with the text that a screen reader reads instead.
    pub(super) fn picture(
        &mut self,
        alternative: &str,
        picture: &Canvas,
    ) -> anyhow::Result<()> {
        let drawn = plot::drawn(picture)?;
        self.raw("<div class=\"picture\" role=\"img\" aria-label=\"")
            .text(alternative)
            .raw("\">\n");
        // Default values and the font, which the style sheet repeats, take a third of a map.
        const NEEDLESS: [&str; 3] = [
            " opacity=\"1\"",
            " stroke=\"none\"",
            " font-family=\"DejaVu Sans, Verdana, sans-serif\"",
        ];
        self.0.push_str(&NEEDLESS.iter().fold(drawn, |drawn, it| drawn.replace(it, "")));
        self.raw("</div>\n");
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
