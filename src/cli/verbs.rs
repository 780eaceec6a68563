//! The declaration of commands in groups.

/// The title of a group and the names of its enum variants, which are those of the commands without hyphens.
pub(crate) type Group = (&'static str, &'static [&'static str]);

/// Declares commands, each with its help, the type of its arguments and the function that runs it.
macro_rules! verbs {
    ($($(#[$attribute:meta])* $verb:ident($arguments:ty) => $run:expr,)*) => {
        #[derive(Debug, clap::Args)]
        pub(crate) struct Arguments {
            #[command(subcommand)]
            verb: Verb,
        }

        #[derive(Debug, clap::Subcommand)]
        enum Verb {
            $($(#[$attribute])* $verb(Box<$arguments>),)*
        }

        pub(crate) fn run(
            arguments: &Arguments,
            out: &mut dyn std::io::Write,
        ) -> anyhow::Result<std::process::ExitCode> {
            Ok(match &arguments.verb {
                $(Verb::$verb(it) => std::process::Termination::report(($run)(it, out)?),)*
            })
        }
    };
}
pub(crate) use verbs;

/// Declares commands in groups.
macro_rules! groups {
    ($($title:literal: {$($(#[$attribute:meta])* $verb:ident($arguments:ty) => $run:expr,)*})*) => {
        verbs::verbs! { $($($(#[$attribute])* $verb($arguments) => $run,)*)* }

        const GROUPS: &[verbs::Group] = &[
            $(($title, &[$(stringify!($verb)),*]),)*
        ];
    };
}
pub(crate) use groups;
