use super::*;

#[test]
fn the_fingerprint_is_that_of_the_games() {
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(fingerprint)
    };
    assert_eq!(of(1), of(2));
    // What the games come to; it changes if rules, evaluators or searches do.
    let games = fingerprint().rsplit(' ').next().unwrap();
    assert_eq!(games, "0eb32e39");
}
