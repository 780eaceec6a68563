//! `ayo-papers` from outside: what it prints, what it leaves in its folders, how it fails.

mod amdf;
mod cdg;
mod kalah;
mod studies;
mod support;
#[path = "../../../tests/integration/schema/validator.rs"]
mod validator;
