//! Accessibility checks with axe-core.

use std::sync::OnceLock;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::page::Page;

const AXE: &str = include_str!("../vendor/axe-core/axe.min.js");
/// SHA-256 of the script, as listed in `vendor/README.md`.
const CHECKSUM: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";

fn source() -> &'static str {
    static CHECKED: OnceLock<()> = OnceLock::new();
    CHECKED.get_or_init(|| {
        let checksum: String =
            Sha256::digest(AXE).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(checksum, CHECKSUM, "axe.min.js is not the file that was released");
    });
    AXE
}

const RUN: &str = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(it => \
                   ({ rule: it.id, help: it.help, nodes: it.nodes.slice(0, 4).map(node => \
                   [node.target.join(' '), [...node.any, ...node.all, ...node.none][0]?.message]) })))";

pub async fn violations(page: &Page) -> Vec<Value> {
    if page.js("typeof window.axe").await == json!("undefined") {
        let script = format!("{}; return true;", source());
        page.client().execute(&script, Vec::new()).await.expect("axe starts");
    }
    match page.js(RUN).await {
        Value::Array(violations) => violations,
        other => panic!("axe failed: {other}"),
    }
}
