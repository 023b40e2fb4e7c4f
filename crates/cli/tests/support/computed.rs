//! Leads the secrets of a configuration through a data source that Terrane computes.

/// Returns the names of the sensitive variables of a configuration that contain texts.
fn secret_texts(text: &str) -> Vec<&str> {
    let blocks = text.split("\nvariable \"").skip(1).filter_map(|rest| rest.split_once("\n}"));
    let secrets = blocks.filter(|(block, _)| {
        let is_text = block.contains("default   = \"") || !block.contains("default");
        block.contains("sensitive = true") && !block.contains("type ") && is_text
    });
    secrets.filter_map(|(block, _)| block.split('"').next()).collect()
}

/// Returns the configuration and expressions, in which everything except variables reads the secret texts as results of a data
/// source. For the language these are not sensitive, so each output must decide by itself whether it shows them.
pub(crate) fn through_data_source(text: &str, expressions: &[&str]) -> (String, Vec<String>) {
    let names = secret_texts(text);
    let mut computed = String::new();
    let mut is_in_variable = false;
    for line in text.lines() {
        is_in_variable = line.starts_with("variable ") || (is_in_variable && line != "}");
        match is_in_variable {
            true => computed.push_str(line),
            false => computed.push_str(&expression(line, &names)),
        }
        computed.push('\n');
    }
    let inputs: Vec<String> = names.iter().map(|name| format!("{name} = var.{name}")).collect();
    let inputs = inputs.join(", ");
    computed += &format!("data \"null_data_source\" \"computed\" {{\n  inputs = {{ {inputs} }}\n}}\n");
    (computed, expressions.iter().map(|of| expression(of, &names)).collect())
}

/// Returns an expression that reads secret texts as results of the data source.
fn expression(text: &str, names: &[&str]) -> String {
    names.iter().fold(text.to_owned(), |text, name| {
        text.replace(&format!("var.{name}"), &format!("data.null_data_source.computed.outputs.{name}"))
    })
}
