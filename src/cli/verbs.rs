//! The verbs in groups, as a list and as help.

use std::fmt::Write;

use clap::Command;

/// The title of verbs that belong together, and the verbs as types, whose names are those of the verbs but for their
/// capitals.
pub(crate) type Group = (&'static str, &'static [&'static str]);

/// Lists verbs: each with its help, the type of its arguments and the function that runs it.
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

/// Lists verbs in groups.
macro_rules! groups {
    ($($title:literal: {$($(#[$attribute:meta])* $verb:ident($arguments:ty) => $run:expr,)*})*) => {
        verbs::verbs! { $($($(#[$attribute])* $verb($arguments) => $run,)*)* }

        const GROUPS: &[verbs::Group] = &[
            $(($title, &[$(stringify!($verb)),*]),)*
        ];
    };
}
pub(crate) use groups;

/// The command with its verbs listed in groups, which `clap` does not do for commands.
pub(crate) fn in_groups(command: Command, groups: &[Group]) -> Command {
    let mut listed = String::new();
    for (title, verbs) in groups {
        let _ = writeln!(listed, "{title}:");
        for verb in verbs.iter().map(|verb| verb.to_lowercase()) {
            // A verb that this build cannot run is hidden.
            let known = command.find_subcommand(&verb).filter(|it| !it.is_hide_set());
            if let Some(about) = known.and_then(Command::get_about) {
                // As it stands: nothing in it is styled.
                let _ = writeln!(listed, "  {verb:<12}{}", about.ansi());
            }
        }
        listed.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}Options:\n{{options}}{{after-help}}"
    ))
}
