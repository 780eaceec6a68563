//! Presets of the genetic algorithm.

use crate::optimise::settings::Preset;

/// All presets, starting with the recommended one.
pub(super) static PRESETS: [Preset; 8] = [
    // All members of a generation play four random members and a past champion from the same new openings.
    Preset::new(
        "standard",
        "recommended genetic algorithm, about two minutes on one core",
        None,
        "generations=128 population=25 fitness_set=4 hall_of_fame=1 openings=random:1+1/25,plies=5-12 \
         elite=2 selection=tournament:3 crossover=uniform crossover_rate=0.7 champion=mean inertia=0.6 \
         mutation=gaussian mutation_rate=1.0 step=0.3 step_floor=0.005 step_half=12 cooling=harmonic \
         encoding=integer:13 scale=2000 signs=literal perspective=mover quiescence=captures ties=hash \
         measure_every=16 measure_early=halves measure_openings=40 finalist_games=20000",
    ),
    Preset::new(
        "quick",
        "the recommended trainer at depth 3, a few seconds",
        Some("standard"),
        "generations=64 depth=3 measure_every=8 measure_openings=20 finalist_games=4000",
    ),
    // The recommended trainer of version 0.2. Members play a past champion and mutants of past champions, but not each
    // other, and all selected members are recombined.
    Preset::new(
        "evolution-strategy",
        "evolution strategy whose members do not play each other; two million games, about 20 minutes on one core",
        Some("standard"),
        "generations=800 fitness_set=0 sparring=2 sparring_step=0.25 elite=0 \
         selection=truncation:25% crossover=pool crossover_rate=0.5 champion=fittest \
         mutation=mirrored measure_at=budgets measure_every=200 measure_openings=100 \
         finalist_games=40000",
    ),
    // Weight tables indexed by the number of seeds in each pit. All genes start at zero, so the first games are
    // searched less deeply. The scale is free, so that weights do not shrink as others grow.
    Preset::new(
        "pits",
        "181 weights for the number of seeds in each pit, several hours",
        Some("standard"),
        "generations=3000 population=40 founders=zero openings=random:4+1/500,plies=5-12 step=0.03 \
         step_floor=0.006 step_half=500 cooling=harmonic scale=free features=pits warm_up=200 \
         measure_every=375 measure_openings=30 finalist_games=40000",
    ),
    // The algorithm of Daoud, Kharma, Haidar and Popoola, "Ayo, the Awari Player" (CEC 2004). Its settings are the
    // defaults, except that the paper allows capturing a whole row.
    Preset::new("daoud2004", "the algorithm of Daoud et al. (2004)", None, "rules=wipe-out"),
    // The evolution strategy of Davis and Kendall, "An investigation, using co-evolution, to evolve an Awari player"
    // (CEC 2002), as described by Daoud et al. and Akinyemi: real weights for six features, every member plays every
    // other, 250 generations at depth 7. The sources do not state the other settings. We chose a population of twenty,
    // of which the better half survives and each survivor has one mutated child, and steps of a tenth of the range.
    Preset::new(
        "davis-kendall2002",
        "the evolution strategy of Davis and Kendall (2002)",
        None,
        "generations=250 population=20 fitness_set=100% elite=50% selection=truncation:50% \
         crossover_rate=0 mutation=gaussian mutation_rate=1 step=0.1 step_floor=0.1 \
         encoding=integer:11 features=davis-kendall signs=literal depth=7",
    ),
    // For the heuristics of the Kalah report. The weights of both stores evolve, so that of their difference `h1` is
    // fixed.
    Preset::new(
        "kalah-standard",
        "the recommended trainer for kalah",
        Some("standard"),
        "generations=96 population=40 fitness_set=6 hall_of_fame=2 depth=4 step_floor=0.025 \
         step_half=20 cooling=halving openings=random:8,plies=5-12 game=kalah perspective=root \
         quiescence=off features=kansas fix=h1=0 measure_every=12",
    ),
    // All features of Kalah except the lead. Since `h2` to `h6` and `k9` add up to the number of seeds, one is fixed.
    Preset::new(
        "kalah-extended",
        "the recommended trainer for kalah, with more features",
        Some("kalah-standard"),
        "features=kalah fix=k9=0",
    ),
];
