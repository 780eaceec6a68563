use super::*;
use mancala::game::Game;
use mancala::game::Side;
use mancala::search::Options;

fn seeds() -> Contender {
    Contender::to_depth(&Weights::named("seeds").unwrap(), 3, Options::default())
}

fn start(game: AnyGame) -> Vec<String> {
    vec![with_game!(game, game => game.start(Side::South).to_string())]
}

fn batch(game: &str, player: Contender, meeting: Meeting) -> Result<Batch, BatchError> {
    let game: AnyGame = game.parse().unwrap();
    Batch::new(game, vec![player], start(game), vec![meeting])
}

const ALONE: Meeting = Meeting { first: 0, second: 0, opening: 0 };

#[test]
fn a_batch_that_makes_no_sense_is_refused_in_a_sentence() {
    let refused = |batch: Result<Batch, BatchError>, reason: &str| {
        let error = batch.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    };
    let spec = |spec: &str| Contender::Spec { spec: spec.into(), fingerprint: "it".into() };
    let limited =
        |limits| Contender::new(&Weights::named("seeds").unwrap(), limits, Options::default());
    refused(
        batch("kalah", seeds(), ALONE),
        "player 0 of a batch has weights of ayo, the game is kalah",
    );
    refused(batch("ayo", limited(Limits::depth(0)), ALONE), "limits that no search has: depth 0");
    refused(batch("ayo", spec("minimax:depth"), ALONE), "player 0 of a batch: player minimax");
    for meeting in [
        Meeting { first: 1, ..ALONE },
        Meeting { second: 1, ..ALONE },
        Meeting { opening: 1, ..ALONE },
    ] {
        refused(batch("ayo", seeds(), meeting), "meeting 0 of a batch names a player");
    }
    let of_kalah = start("kalah".parse().unwrap());
    refused(
        Batch::new(AnyGame::default(), vec![seeds()], of_kalah, vec![ALONE]),
        "opening 0 of a batch: ",
    );
    batch("ayo", seeds(), ALONE).unwrap();
}

#[test]
fn the_rules_travel_too() {
    let awari = AnyGame::Ayo(Ayo { rules: "awari:stalemate=void".parse().unwrap() });
    for game in [awari, "kalah:seeds=3,ending=emptier".parse().unwrap()] {
        let batch = Batch::new(game, Vec::new(), start(game), Vec::new()).unwrap();
        assert_eq!(Batch::decode(&batch.encode()).unwrap(), batch);
        let json = serde_json::to_string(&batch).unwrap();
        assert_eq!(serde_json::from_str::<Batch>(&json).unwrap(), batch);
    }
}

#[test]
fn all_kinds_of_players_travel() {
    let time = std::time::Duration::from_millis(50);
    let limits = Limits { depth: None, nodes: Some(5000), movetime: Some(time) };
    let players = vec![
        seeds(),
        Contender::new(&Weights::named("aalina4").unwrap(), limits, Options::default()),
        Contender::Spec { spec: "rbh:plies=2".into(), fingerprint: "whatever".into() },
    ];
    let game = AnyGame::default();
    let batch = Batch::new(game, players, start(game), Meeting::pair(1, 2, 0).into()).unwrap();
    assert_eq!(Batch::decode(&batch.encode()).unwrap(), batch);
}

#[test]
fn another_version_is_refused() {
    let mut bytes = batch("ayo", seeds(), ALONE).unwrap().encode();
    bytes = Frame { version: BATCH_VERSION + 1, ..FRAME }.encode(&bytes);
    let error = Batch::decode(&bytes).unwrap_err().to_string();
    let (found, expected) = (BATCH_VERSION + 1, BATCH_VERSION);
    assert_eq!(
        error,
        format!("a batch is in format version {found}, this program reads version {expected}")
    );
    assert_eq!(
        Batch::decode(b"what").unwrap_err().to_string(),
        "a batch is not a file of this program"
    );
}

#[test]
fn weights_are_compared_by_what_they_come_to() {
    let weights = Weights::named("seeds").unwrap();
    let literal = Weights::new("other", weights.features().clone(), &[-1, 1], Signs::Literal);
    assert_eq!(
        Contender::to_depth(&weights, 2, Options::default()),
        Contender::to_depth(&literal.unwrap(), 2, Options::default())
    );
    assert_ne!(
        Contender::to_depth(&weights, 2, Options::default()),
        Contender::to_depth(&weights, 3, Options::default())
    );
}

/// A place that plays games of units needs no file.
#[test]
fn the_layer_of_units_travels_too() {
    let rows = vec![2; Layer::inputs(GameKind::Ayo) * 8];
    let layer = Arc::new(Layer::new(GameKind::Ayo, 8, rows, vec![1; 8]).unwrap());
    let features = "u1,u8,a9".parse::<FeatureSet>().unwrap().with_layer(layer).unwrap();
    let weights = Weights::new("", features, &[3, -2, 1], Signs::Signed).unwrap();
    let player = Contender::to_depth(&weights, 3, Options::default());
    let batch = batch("ayo", player, ALONE).unwrap();
    assert_eq!(Batch::decode(&batch.encode()).unwrap(), batch);
    let json = serde_json::to_string(&batch).unwrap();
    assert_eq!(serde_json::from_str::<Batch>(&json).unwrap(), batch);
}
