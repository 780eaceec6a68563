//! The pictures that there are, by name.

use std::fmt;

use mancala::text::did_you_mean;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// One panel of the sheet of runs.
    Panel(Panel),
    /// The ratings of a tournament.
    Ratings,
    /// The pairs of games of a match, by score.
    Pairs,
    /// The learning curves of a comparison.
    Comparison,
    /// What the features of an evaluator are worth.
    Ablation,
    /// How near players are to perfect play.
    Accuracy,
}

/// A part of the sheet of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// Best and mean fitness of each generation.
    Fitness,
    /// Score against opponents outside the run.
    Strength,
    /// How different the chromosomes of a generation are.
    Diversity,
    /// Mean of each weight over the generations.
    Weights,
    /// The final weights as bars.
    Champion,
    /// How far the weights of several champions agree.
    Agreement,
    /// What so many seeds in a pit are worth.
    Pits,
    /// What each unit of a learned layer looks at.
    Units,
    /// Loss of the fit and score of the duel by epoch.
    Fit,
}

impl Panel {
    /// All, in the order of the whole sheet.
    pub const ALL: [Panel; 9] = [
        Panel::Fitness,
        Panel::Fit,
        Panel::Strength,
        Panel::Diversity,
        Panel::Weights,
        Panel::Champion,
        Panel::Agreement,
        Panel::Pits,
        Panel::Units,
    ];
}

impl What {
    /// Whatever can be drawn, panels first.
    pub fn all() -> impl Iterator<Item = What> {
        let results =
            [What::Ratings, What::Pairs, What::Comparison, What::Ablation, What::Accuracy];
        Panel::ALL.map(What::Panel).into_iter().chain(results)
    }

    /// The word that names it on a command line.
    pub fn name(self) -> &'static str {
        match self {
            What::Panel(Panel::Fitness) => "fitness",
            What::Panel(Panel::Strength) => "strength",
            What::Panel(Panel::Diversity) => "diversity",
            What::Panel(Panel::Weights) => "weights",
            What::Panel(Panel::Champion) => "champion",
            What::Panel(Panel::Agreement) => "agreement",
            What::Panel(Panel::Pits) => "pits",
            What::Panel(Panel::Units) => "units",
            What::Panel(Panel::Fit) => "fit",
            What::Ratings => "ratings",
            What::Pairs => "pairs",
            What::Comparison => "comparison",
            What::Ablation => "ablation",
            What::Accuracy => "accuracy",
        }
    }

    /// The picture that was likely meant, or else those that there are.
    pub(super) fn meant(name: &str) -> String {
        let names: Vec<&str> = What::all().map(What::name).collect();
        let otherwise = format!("choose one of {}", names.join(", "));
        did_you_mean(name, names, otherwise)
    }

    /// The input that holds it.
    pub(super) fn needs(self) -> &'static str {
        match self {
            What::Panel(Panel::Champion) => "a run folder with a champion.json, or weights",
            What::Panel(Panel::Agreement) => "two champions or more with a feature in common",
            What::Panel(Panel::Pits) => {
                "weights by what a pit holds, such as those of \"ayo train --preset pits\""
            }
            What::Panel(Panel::Units) => {
                "weights of a learned layer's units, such as those of \"ayo train --preset learned\""
            }
            What::Panel(Panel::Fit) => {
                "a run folder with epochs in its epochs.csv, such as that of \"ayo train --preset learned\""
            }
            What::Panel(Panel::Strength) => {
                "a run folder whose strength was measured, within the generations that are shown"
            }
            What::Panel(_) => "a run folder",
            What::Ratings => "what \"ayo tournament --json\" prints",
            What::Pairs => "what \"ayo match --json\" prints",
            What::Comparison => "the CSV file that \"ayo compare\" leaves",
            What::Ablation => "what \"ayo ablate --json\" prints",
            What::Accuracy => "what \"ayo accuracy --json\" prints",
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
