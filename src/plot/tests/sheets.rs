//! Tests sheets of several runs: their height, panels, groups and generation ranges.

use super::*;

fn grouped(what: Option<What>) -> Selection {
    Selection { what, is_grouped: true, ..Selection::default() }
}

fn cut(generations: &str, what: What) -> Selection {
    let (first, last) = generations.split_once("..").unwrap();
    let generations = Some(first.parse().unwrap()..=last.parse().unwrap());
    Selection { what: Some(what), generations, ..Selection::default() }
}

impl Desk {
    fn seed(&self, name: &str, seed: u64, generations: u32) -> PathBuf {
        let path = self.run(name, "a1,a2", generations, 0.1 + seed as f64 / 100.0);
        let changes = format!("seed={seed} features=a1,a2 generations={}", 90 + seed);
        self.file(&format!("{name}/run.toml"), &settings(&changes).to_toml());
        path
    }

    fn seeds(&self, seeds: impl IntoIterator<Item = u64>) -> Vec<PathBuf> {
        seeds.into_iter().map(|seed| self.seed(&format!("run-{seed}"), seed, 40)).collect()
    }
}

#[test]
fn the_height_of_a_sheet_is_limited() {
    let desk = Desk::new();
    let wide: Vec<PathBuf> = (0..30)
        .map(|index| desk.run(&format!("wide-{index}"), &every_feature(), 30, 1.0))
        .collect();
    let pits: Vec<PathBuf> =
        (0..3).map(|index| desk.run(&format!("pits-{index}"), "pits", 9, 1.0)).collect();
    for inputs in [&wide[..1], &wide[..2], &wide[..8], &wide, &pits[..1], &pits] {
        let (width, height) = size(&desk.svg(inputs, None));
        assert!(height <= 2400 && width <= 2140, "{}: {width} × {height}", inputs.len());
    }
    let svg = desk.svg(&wide, None);
    assert_texts(&svg, &["and 6 more", "No room for champion: use --what to draw it separately."]);
}

/// Returns the labels of the x axis. They are integers, whereas the labels of the y axis are fractions.
fn x_labels(svg: &str) -> Vec<String> {
    let texts = svg.split(">\n").filter_map(|it| it.split("\n<").next());
    texts.filter(|it| it.ends_with('k') || it.parse::<u32>().is_ok()).map(str::to_owned).collect()
}

#[test]
fn curves_can_be_drawn_over_costs() {
    let desk = Desk::new();
    let run = desk.run("run", "a1", 40, 1.0);
    let costs: String = (1..=40).map(|it| format!("{it},500,900.0,4\n")).collect();
    desk.file("run/cost.csv", &format!("generation,nodes,seconds,games_per_second\n{costs}"));
    let drawn = |inputs: &[PathBuf], x: Option<&str>| {
        let x = x.map(|it| clap::ValueEnum::from_str(it, false).unwrap());
        let what = Some(What::Fitness);
        desk.drawn(inputs, &Selection { what, x, ..Selection::default() })
    };
    // Each generation takes 400 games, 500 nodes and a quarter of an hour.
    for (x, title, last) in
        [("games", "games", "16k"), ("nodes", "nodes", "20k"), ("hours", "hours", "10")]
    {
        let svg = drawn(std::slice::from_ref(&run), Some(x));
        assert_texts(&svg, &[title]);
        assert!(x_labels(&svg).contains(&last.to_owned()), "{x}: {:?}", x_labels(&svg));
    }
    // It's an error if the costs of a run weren't recorded.
    let other = desk.run("other", "a1", 20, 1.0);
    let selection = Selection { x: Some(XAxis::Hours), ..Selection::default() };
    let missing = plot(&[run, other], &selection, &desk.path("none.svg")).unwrap_err().to_string();
    assert!(missing.starts_with("other: ") && missing.contains("cost.csv"), "{missing}");
}

#[test]
fn fitness_is_a_share_of_the_possible_fitness() {
    let desk = Desk::new();
    // From the second generation on, there are twice as many games and so twice as many points per generation.
    let settings =
        settings("features=a1 openings=random:1+1/1,plies=5-12 selection=truncation:50%");
    let possible = |generation| settings.best_possible_fitness(generation);
    assert_eq!(possible(2), 2 * possible(1));
    let run = desk.run("run", "a1", 2, 0.0);
    desk.file("run/run.toml", &settings.to_toml());
    let row = |generation: u32| {
        let [best, mean, worst] = [4, 2, 1].map(|part| possible(generation) * part / 4);
        format!("{generation},{best},{mean},{worst},0,ab,1,9,1000,400,7,1\n")
    };
    let header = header(&settings);
    desk.file("run/history.csv", &format!("{header}{}{}", row(1), row(2)));
    let svg = desk.svg(&[run], Some(What::Fitness));
    assert_texts(&svg, &["best", "mean", "worst", "1.0"]);
    // Each of the three curves is flat: its two points have the same height.
    let of_axes = |line: &str| ["#E1E1E1", "#646464"].iter().any(|colour| line.contains(colour));
    let curves = svg.lines().filter(|line| line.contains("<polyline") && !of_axes(line));
    let heights = curves.map(|line| {
        let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        points.split_whitespace().filter_map(|it| it.split(',').nth(1)).collect::<Vec<_>>()
    });
    assert!(heights.filter(|it| it.len() > 1 && it.iter().all(|y| *y == it[0])).count() >= 3);
}

#[test]
fn one_run_grouped_has_its_own_curves() {
    let desk = Desk::new();
    let run = desk.seeds([3]);
    let lines = |selection: Selection| -> Vec<String> {
        let svg = desk.drawn(&run, &selection);
        svg.lines().filter(|line| line.contains("<polyline")).map(str::to_owned).collect()
    };
    for panel in [What::Strength, What::Diversity] {
        let alone = lines(selected(Some(panel)));
        assert!(!alone.is_empty());
        assert_eq!(alone, lines(grouped(Some(panel))), "{panel:?}");
    }
}

#[test]
fn seeds_are_drawn_as_one_in_any_order() {
    let desk = Desk::new();
    let mut runs = desk.seeds([5, 1, 4, 2, 3]);
    runs.push(desk.run("other", "a1,a3", 40, 0.3));
    let drawn = desk.drawn(&runs, &grouped(None));
    let names = ["daoud2004 features=a1,a2 · 5 seeds", "daoud2004 features=a1,a3 · 1 seed"];
    assert_texts(&drawn, &names);
    assert_texts(&drawn, &["95 % interval of the mean over seeds", "its 95 % interval"]);
    assert!(!drawn.contains(">\nChampion\n<") && !drawn.contains("mean of one seed"));
    for turn in 1..runs.len() {
        let mut turned = runs.clone();
        turned.rotate_left(turn);
        assert!(desk.drawn(&turned, &grouped(None)) == drawn, "turned by {turn}");
    }
    // A run given twice counts as one seed. If two runs have the same seed, we draw the longer one.
    let again = [&[desk.seed("shorter", 4, 20)], &runs[..], &runs].concat();
    assert!(desk.drawn(&again, &grouped(None)) == drawn);
    let few = desk.drawn(&runs[..3], &grouped(None));
    assert_texts(&few, &["daoud2004", "3 seeds · 40 generations", "mean of one seed", "one seed"]);
    assert!(!few.contains("interval of the mean"));
}

#[test]
fn generations_can_be_cut() {
    let desk = Desk::new();
    let run = [desk.run("run", "a1", 40, 1.0)];
    // Selecting the whole range changes nothing.
    let whole = desk.drawn(&run, &cut("1..40", What::Weights));
    let uncut = desk.drawn(&run, &selected(Some(What::Weights)));
    assert_eq!(whole.matches("<polyline").count(), uncut.matches("<polyline").count());
    let result = desk.file("results.json", MATCH);
    for (input, selection, part) in [
        (&run[0], cut("41..50", What::Fitness), "so generation 41 does not exist"),
        (&run[0], cut("10..20", What::Strength), "in the plotted generations"),
        (&result, grouped(None), "--group"),
        (&result, cut("1..2", What::Fitness), "--generations"),
        (&PathBuf::from("seeds"), grouped(None), "--group"),
    ] {
        let refusal = plot(std::slice::from_ref(input), &selection, &desk.path("none.svg"));
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.contains(part), "{refusal}");
    }
}
