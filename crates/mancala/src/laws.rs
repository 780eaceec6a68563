//! Property tests that compile quickly. Needs the feature `proptest`.
//!
//! `proptest!` compiles its whole runner for every test. [`laws!`](crate::laws!) has the same syntax and draws the same
//! cases, but erases the type of the values, so that the runner is compiled once.

use std::any::Any;
use std::fmt::Debug;

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{TestCaseResult, TestRunner};

pub use proptest::arbitrary::any;
pub use proptest::test_runner::Config;

/// The values of one case, with their type erased.
trait Value: Any + Debug {}

impl<T: Any + Debug> Value for T {}

/// Checks a property on cases drawn by a strategy. Called by [`laws!`](crate::laws!).
///
/// # Panics
/// If the property does not hold, with the smallest failing case.
pub fn check<S>(config: Config, strategy: S, law: impl Fn(S::Value) -> TestCaseResult)
where
    S: Strategy + 'static,
    S::Value: 'static,
{
    let erased = strategy.prop_map(|value| Box::new(value) as Box<dyn Value>).boxed();
    run(config, &erased, &|value| {
        let value: Box<dyn Any> = value;
        law(*value.downcast().expect("the type of the strategy"))
    });
}

fn run(
    config: Config,
    strategy: &BoxedStrategy<Box<dyn Value>>,
    law: &dyn Fn(Box<dyn Value>) -> TestCaseResult,
) {
    let mut runner = TestRunner::new(config);
    if let Err(error) = runner.run(strategy, law) {
        panic!("{error}\n{runner}");
    }
}

/// Property tests in the syntax of `proptest!`.
///
/// ```
/// use proptest::prelude::*;
///
/// mancala::laws! {
///     #![proptest_config(ProptestConfig::with_cases(50))]
///
///     # /*
///     #[test]
///     # */
///     fn sums_have_no_order(a in 0..100u8, b in 0..100u8, turned: bool) {
///         prop_assert_eq!(if turned { b + a } else { a + b }, a + b);
///     }
/// }
/// # sums_have_no_order();
/// ```
#[macro_export]
macro_rules! laws {
    (#![proptest_config($config:expr)] $($laws:tt)*) => {
        $crate::laws!(@each ($config) $($laws)*);
    };
    (@each $config:tt $(
        $(#[$attribute:meta])*
        fn $name:ident($($parameters:tt)*) $body:block
    )*) => {$(
        $(#[$attribute])*
        fn $name() {
            $crate::laws!(@law $config $name [] [] ($($parameters)*) $body);
        }
    )*};
    (@law $config:tt $name:ident [$($pattern:pat,)*] [$($strategy:expr,)*] () $body:block) => {
        $crate::laws::check(
            $crate::laws::Config {
                test_name: Some(concat!(module_path!(), "::", stringify!($name))),
                source_file: Some(file!()),
                ..$config
            },
            ($($strategy,)*),
            |($($pattern,)*)| {
                $body
                Ok(())
            },
        )
    };
    (@law $config:tt $name:ident [$($patterns:tt)*] [$($strategies:tt)*]
     ($value:ident: $type:ty $(, $($rest:tt)*)?) $body:block) => {
        $crate::laws!(@law $config $name [$($patterns)* $value,]
            [$($strategies)* $crate::laws::any::<$type>(),] ($($($rest)*)?) $body)
    };
    (@law $config:tt $name:ident [$($patterns:tt)*] [$($strategies:tt)*]
     ($pattern:pat in $strategy:expr $(, $($rest:tt)*)?) $body:block) => {
        $crate::laws!(@law $config $name [$($patterns)* $pattern,]
            [$($strategies)* $strategy,] ($($($rest)*)?) $body)
    };
    ($($laws:tt)*) => {
        $crate::laws!(@each ($crate::laws::Config::default()) $($laws)*);
    };
}
