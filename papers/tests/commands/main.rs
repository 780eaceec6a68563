//! Tests of the program `ayo-papers`: its output, files and errors.

mod amdf;
mod cdg;
mod kalah;
mod studies;
mod support;
#[path = "../../../tests/integration/schema/validator.rs"]
mod validator;
