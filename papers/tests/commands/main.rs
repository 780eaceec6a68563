//! Tests of the output, files and errors of `ayo-papers`.

mod amdf;
mod cdg;
mod kalah;
mod studies;
mod support;
#[path = "../../../tests/integration/schema/validator.rs"]
mod validator;
