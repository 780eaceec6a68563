//! Names that somebody may have meant.

/// The name that is so near to what was typed that it is likely meant, the first of the nearest. A numbered name such
/// as `a15` is not taken for another number.
///
/// ```
/// use mancala::text::near;
/// let known = ["population", "generations", "a9"];
/// assert_eq!(near("populaton", known), Some("population"));
/// assert_eq!(near("genrations", known), Some("generations"));
/// assert_eq!(near("A9", known), Some("a9"));
/// assert_eq!(near("a8", known), None);
/// assert_eq!(near("depth", known), None);
/// ```
pub fn near<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let distances = known.into_iter().filter_map(|name| Some((distance(&typed, name)?, name)));
    distances.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// What there is to say after a name that nothing is known by: the name that was likely meant, as a question, or else
/// what there is.
///
/// ```
/// use mancala::text::did_you_mean;
/// assert_eq!(did_you_mean("awri", ["ayo", "awari"], "choose ayo or awari"), "did you mean \"awari\"?");
/// assert_eq!(did_you_mean("chess", ["ayo", "awari"], "choose ayo or awari"), "choose ayo or awari");
/// ```
pub fn did_you_mean<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    match near(typed, known) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None => otherwise.into(),
    }
}

/// How many letters differ or change places, if they are few for the length of the name.
fn distance(typed: &str, name: &str) -> Option<usize> {
    let allowed = match typed.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = strsim::osa_distance(typed, &name.to_lowercase());
    let is_other_number = distance > 0 && series(typed).is_some_and(|it| Some(it) == series(name));
    (distance <= allowed && !is_other_number).then_some(distance)
}

/// The short word before a number.
fn series(name: &str) -> Option<&str> {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '=');
    (word.len() < name.len() && word.len() <= 3).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_meant() {
        let known =
            ["minimax", "engine", "rbh", "amdf", "random", "greedy", "seeds", "ku64", "u10"];
        for (typed, meant) in [
            ("minmax", Some("minimax")),
            ("minimaxx", Some("minimax")),
            ("rnadom", Some("random")),
            ("RBH", Some("rbh")),
            ("adfm", None),
            ("afdm", None),
            ("amfd", Some("amdf")),
            ("seed", Some("seeds")),
            ("maximin", None),
            ("gnu", None),
            ("ku65", None),
            ("u100", None),
            ("", None),
            ("ö", None),
        ] {
            assert_eq!(near(typed, known), meant, "{typed}");
        }
    }
}
