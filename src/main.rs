use std::process::ExitCode;

fn main() -> ExitCode {
    ayo::cli::main()
}
