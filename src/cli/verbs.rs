/// Lists verbs: each with its help, the type of its arguments and the function that runs it.
macro_rules! verbs {
    ($($(#[$attribute:meta])* $verb:ident($arguments:ty) => $run:path,)*) => {
        #[derive(Debug, clap::Args)]
        pub(super) struct Arguments {
            #[command(subcommand)]
            verb: Verb,
        }

        #[derive(Debug, clap::Subcommand)]
        enum Verb {
            $($(#[$attribute])* $verb(Box<$arguments>),)*
        }

        pub(super) fn run(
            arguments: &Arguments,
            out: &mut dyn std::io::Write,
        ) -> anyhow::Result<std::process::ExitCode> {
            Ok(match &arguments.verb {
                $(Verb::$verb(it) => std::process::Termination::report($run(it, out)?),)*
            })
        }
    };
}
pub(super) use verbs;
