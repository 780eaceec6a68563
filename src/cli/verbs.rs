//! Subcommands in groups: their declaration and their help.

use std::fmt::Write;

use clap::Command;

/// The title of a group and the names of its enum variants. In lower case, they are the names of the subcommands.
pub(crate) type Group = (&'static str, &'static [&'static str]);

/// Declares subcommands, each with its help, the type of its arguments and the function that runs it.
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

/// Declares subcommands in groups.
macro_rules! groups {
    ($($title:literal: {$($(#[$attribute:meta])* $verb:ident($arguments:ty) => $run:expr,)*})*) => {
        verbs::verbs! { $($($(#[$attribute])* $verb($arguments) => $run,)*)* }

        const GROUPS: &[verbs::Group] = &[
            $(($title, &[$(stringify!($verb)),*]),)*
        ];
    };
}
pub(crate) use groups;

/// Lists the subcommands in groups in the help of a command, which `clap` supports only for arguments.
pub(crate) fn in_groups(command: Command, groups: &[Group]) -> Command {
    let mut listed = String::new();
    for (title, verbs) in groups {
        let _ = writeln!(listed, "{title}:");
        for verb in verbs.iter().map(|verb| verb.to_lowercase()) {
            // Skip hidden subcommands, which this build does not include.
            let known = command.find_subcommand(&verb).filter(|it| !it.is_hide_set());
            if let Some(about) = known.and_then(Command::get_about) {
                // Help texts have no styling, so this adds no escape sequences.
                let _ = writeln!(listed, "  {verb:<12}{}", about.ansi());
            }
        }
        listed.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}Options:\n{{options}}{{after-help}}"
    ))
}
