//! A validator for the keywords of JSON Schema that our schemas use.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// A schema that describes each kind of object below `$defs`.
pub struct Validator(pub Value);

impl Validator {
    pub fn read(folder: &str, path: &str) -> Validator {
        Validator(serde_json::from_str(&page(folder, path)).unwrap())
    }

    pub fn check(&self, printed: &Value) {
        let kind = printed["kind"].as_str().unwrap_or_else(|| panic!("no kind in {printed}"));
        let fault = self.fault(printed, &json!({ "$ref": format!("#/$defs/{kind}") }), kind);
        assert_eq!(fault, None, "{printed}");
    }

    /// Fails unless the first column of a table on the page and `oneOf` list every kind.
    pub fn check_page(&self, page: &str) {
        let refs = self.0["oneOf"].as_array().unwrap().iter();
        let described: BTreeSet<String> =
            refs.map(|it| it["$ref"].as_str().unwrap().replace("#/$defs/", "")).collect();
        let listed = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let listed: BTreeSet<String> = listed.map(|(kind, _)| kind.to_owned()).collect();
        let different: Vec<_> = described.symmetric_difference(&listed).collect();
        assert!(different.is_empty(), "only in json.md or json.schema.json: {different:?}");
        let schemas = &self.0["$defs"];
        for name in described.iter().chain(schemas.as_object().unwrap().keys()) {
            let kind = schemas[name]["properties"].get("kind").map(|kind| &kind["const"]);
            let listed = described.get(name).map(|kind| json!(kind));
            assert_eq!(kind, listed.as_ref(), "{name}: its kind in $defs, and in oneOf");
        }
    }

    /// Returns a description of the first mismatch between a value and a schema, with its location.
    pub fn fault(&self, value: &Value, schema: &Value, place: &str) -> Option<String> {
        if let Some(name) = schema["$ref"].as_str() {
            let described = self.0.pointer(&name[1..]);
            let described = described
                .unwrap_or_else(|| panic!("{place}: json.schema.json and its oneOf lack {name}"));
            return self.fault(value, described, place);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let faults: Option<Vec<String>> =
                choices.iter().map(|choice| self.fault(value, choice, place)).collect();
            return faults.map(|faults| faults.join("; or "));
        }
        let is = |kind: &Value| match kind.as_str().unwrap() {
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            "null" => value.is_null(),
            other => panic!("{place}: type {other}"),
        };
        let is_typed = match &schema["type"] {
            Value::Null => true,
            Value::Array(kinds) => kinds.iter().any(is),
            kind => is(kind),
        };
        let is_one = schema["enum"].as_array().is_none_or(|all| all.contains(value));
        let is_it = schema.get("const").is_none_or(|it| it == value);
        let is_enough = match (schema["minimum"].as_f64(), value.as_f64()) {
            (Some(least), Some(value)) => value >= least,
            _ => true,
        };
        if !(is_typed && is_one && is_it && is_enough) {
            return Some(format!("{place} is {value}"));
        }
        match value {
            Value::Object(fields) => self.fault_of_fields(fields, schema, place),
            Value::Array(items) => self.fault_of_items(items, schema, place),
            _ => None,
        }
    }

    fn fault_of_fields(
        &self,
        fields: &serde_json::Map<String, Value>,
        schema: &Value,
        place: &str,
    ) -> Option<String> {
        let required = schema["required"].as_array().into_iter().flatten();
        let lacks = required.map(|it| it.as_str().unwrap()).find(|it| !fields.contains_key(*it));
        if let Some(name) = lacks {
            return Some(format!("{place} lacks {name}"));
        }
        fields.iter().find_map(|(name, value)| {
            let place = format!("{place}/{name}");
            match (&schema["properties"][name], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => Some(format!("{place} is not described")),
                (Value::Null, Value::Null) => None,
                (Value::Null, any) => self.fault(value, any, &place),
                (described, _) => self.fault(value, described, &place),
            }
        })
    }

    fn fault_of_items(&self, items: &[Value], schema: &Value, place: &str) -> Option<String> {
        let number = |name: &str| schema[name].as_u64().map(|it| it as usize);
        let is_long = number("minItems").is_none_or(|least| items.len() >= least)
            && number("maxItems").is_none_or(|most| items.len() <= most);
        if !is_long {
            return Some(format!("{place} has {} items", items.len()));
        }
        let described = schema.get("items")?;
        let mut each = items.iter().enumerate();
        each.find_map(|(number, item)| self.fault(item, described, &format!("{place}/{number}")))
    }
}

pub fn page(folder: &str, path: &str) -> String {
    fs::read_to_string(Path::new(folder).join(path)).unwrap()
}
