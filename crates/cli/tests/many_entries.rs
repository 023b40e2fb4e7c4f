//! Large configurations of small entries. The work must grow with their number, not with its square.
#[path = "support/many.rs"]
mod many;

use self::many::{MANY, many, run};

#[test]
fn passed_providers() {
    let items = many(|number| format!("p.x{number} = p.x{number}\n"));
    let aliases = many(|number| format!("p.x{number}, "));
    let main = format!(
        "terraform {{\nrequired_providers {{\np = {{\nsource = \"a/p\"\n}}\n}}\n}}\n{}\
         module \"m\" {{\nsource = \"./m\"\nproviders = {{\n{items}}}\n}}\n",
        many(|number| format!("provider \"p\" {{\nalias = \"x{number}\"\n}}\n"))
    );
    let child = format!(
        "terraform {{\nrequired_providers {{\np = {{\nsource = \"a/p\"\nconfiguration_aliases = [{aliases}]\n}}\n}}\n}}\n{}",
        many(|number| format!("resource \"p_r\" \"r{number}\" {{\nprovider = p.x{number}\n}}\n"))
    );
    let output = run(&[("main.tf", &main), ("m/main.tf", &child)], &["check"]);
    assert_eq!(output, "2 files checked: no errors\n");
}

/// The module has many blocks of the built-in provider, resources of another provider, and instances.
#[test]
fn provider_meta_blocks_of_a_plan() {
    const FEW: usize = 400;
    let few = |text: &dyn Fn(usize) -> String| -> String { (0..FEW).map(text).collect() };
    let required = few(&|number| format!("p{number} = {{ source = \"terraform.io/builtin/terraform\" }}\n"));
    let metas = few(&|number| format!("provider_meta \"p{number}\" {{}}\n"));
    let resources = few(&|number| format!("resource \"x_r\" \"r{number}\" {{}}\n"));
    let text = format!("terraform {{\nrequired_providers {{\n{required}}}\n{metas}}}\n{resources}");
    let main = format!("module \"m\" {{\nsource = \"./m\"\ncount = {FEW}\n}}\n");
    let output = run(&[("main.tf", &main), ("m/main.tf", &text)], &["plan"]);
    assert!(output.contains("1 resource type has no schema: x_r"), "{output}");
}

#[test]
fn provider_configurations_of_a_plan() {
    let aliases = many(|number| format!("provider \"p\" {{\nalias = \"a{number}\"\n}}\n"));
    assert!(run(&[("main.tf", &aliases)], &["plan", "--json"]).starts_with("{\"format_version\""));
    let required = many(|number| format!("p{number} = {{ source = \"a/p{number}\" }}\n"));
    let text = format!("terraform {{\nrequired_providers {{\n{required}}}\n}}\n");
    assert!(run(&[("main.tf", &text)], &["plan", "--json"]).starts_with("{\"format_version\""));
}

#[test]
fn version_constraints_of_provider_configurations() {
    let blocks = |version: fn(usize) -> String| {
        many(|number| {
            format!("provider \"p\" {{\nalias = \"a{number}\"\nversion = \"{}\"\n}}\n", version(number))
        })
    };
    // Each configuration of a provider in the document has the conditions of all configurations of the provider.
    let same = blocks(|number| format!(">= 1.{}", number % 2));
    let output = run(&[("main.tf", &same)], &["plan", "--json"]);
    assert!(output.contains(r#""version_constraint":"\u003e= 1.0.0, \u003e= 1.1.0""#), "{output}");
    let different = blocks(|number| format!(">= 1.0.{number}"));
    let output = run(&[("main.tf", &different)], &["plan", "--json"]);
    assert!(output.contains("error[core:limit-exceeded]"), "{output}");
}

#[test]
fn local_names_of_providers() {
    let required = many(|number| format!("p{number} = {{ source = \"a/p{number}\" }}\n"));
    let required = format!("terraform {{\nrequired_providers {{\n{required}}}\n}}\n");
    let main = format!("{required}provider \"p0\" {{}}\nmodule \"m\" {{\nsource = \"./m\"\n}}\n");
    let resources = many(|number| format!("resource \"p{number}_r\" \"r\" {{}}\n"));
    let child = format!("{required}{resources}");
    let output = run(&[("main.tf", &main), ("m/main.tf", &child)], &["check"]);
    assert_eq!(output, "2 files checked: no errors\n");
}

#[test]
fn constraints_on_computed_data_sources() {
    let conditions = many(|number| format!("!= 2.0.{number},"));
    let provider = format!("null = {{\nsource = \"hashicorp/null\"\nversion = \"{conditions}>= 2.0\"\n}}\n");
    let others = many(|number| format!("p{number} = {{ source = \"a/p{number}\" }}\n"));
    let data = many(|number| format!("data \"null_data_source\" \"d{number}\" {{}}\n"));
    let text = format!("terraform {{\nrequired_providers {{\n{provider}{others}}}\n}}\n{data}");
    let output = run(&[("main.tf", &text)], &["check"]);
    assert_eq!(output, "1 file checked: no errors\n");
}

#[test]
fn secrets_of_a_template() {
    let secrets = many(|number| format!("\"secret {number:08}\","));
    let text = format!(
        "variable \"s\" {{\n  type = list(string)\n  sensitive = true\n  default = [{secrets}]\n}}\n\
         locals {{\n  t = \"{}${{var.s[7]}}\"\n}}\n",
        "secret 0000 ".repeat(MANY)
    );
    let output = run(&[("a.pkr.hcl", &text)], &["eval", ".", "local.t", "--json"]);
    assert!(output.contains("\"value\":\"secret 0000 secret"), "{output}");
}

#[test]
fn long_secrets_of_a_template() {
    // Of 360 bytes each, so that they have 42 MB together.
    let lists: String = (0..3)
        .map(|list| {
            let texts = format!(
                "formatlist(\"${{join(\"\", local.pad)}}{list}%d %d\", local.pairs[*][0], local.pairs[*][1])"
            );
            format!("local \"s{list}\" {{\n  sensitive = true\n  expression = {texts}\n}}\n")
        })
        .collect();
    let text = format!(
        "locals {{\n  pad = [for n in range(35) : \"secret 00\"]\n  pairs = setproduct(range(200), range(200))\n  \
         t = \"{}${{local.s0[7]}} 0\"\n}}\n{lists}",
        "secret 0000 ".repeat(MANY)
    );
    let output = run(&[("a.pkr.hcl", &text)], &["eval", ".", "local.t", "--json"]);
    assert!(output.contains("secret 0000 \\u003csensitive\\u003e 0\""), "{output}");
}

#[test]
fn explained_attributes() {
    let attributes = many(|number| format!("a{number} = z.z.x{number}\n"));
    let text = format!(
        "resource \"z\" \"z\" {{}}\nresource \"a\" \"b\" {{\n{attributes}}}\noutput \"x\" {{\nvalue = a.b\n}}\n"
    );
    let output = run(&[("main.tf", &text)], &["explain", "output.x"]);
    assert!(output.starts_with("# unknown: z.z.x0"), "{output}");
}

#[test]
fn explained_elements() {
    let elements = "a.b.c + 1, ".repeat(3 * MANY);
    let text = format!("resource \"a\" \"b\" {{}}\noutput \"x\" {{\nvalue = [{elements}]\n}}\n");
    let files = [("main.tf", &*text)];
    let output = run(&files, &["explain", "output.x"]);
    assert!(output.starts_with("# unknown: a.b.c"), "{output}");
    assert!(output.ends_with("\n# there is more; ask for a smaller part\n"), "{output}");
    assert!(run(&files, &["explain", "output.x", "--json"]).contains("\"truncated\":true"));
}

#[test]
fn dependents_in_a_chain() {
    let next = many(|number| format!("resource \"a\" \"r{}\" {{\nb = a.r{number}.id\n}}\n", number + 1));
    let text = format!("resource \"a\" \"r0\" {{}}\n{next}");
    let output = run(&[("main.tf", &text)], &["explain", "a.r0", "--reverse"]);
    assert!(
        output.starts_with("# 40000 dependents of a.r0: 40000 resources (40000 resource instances)\n"),
        "{output}"
    );
}

#[test]
fn dynamic_blocks_with_labels_of_their_own() {
    let blocks = many(|number| format!("dynamic \"x{number}\" {{\nfor_each = [1]\ncontent {{}}\n}}\n"));
    let text = format!("resource \"a\" \"b\" {{\n{blocks}}}\n");
    let files = [("main.tf", &*text)];
    assert!(run(&files, &["explain", "a.b"]).starts_with("a.b"));
    assert!(run(&files, &["eval", "--json"]).starts_with("{\"format_version\""));
}

#[test]
fn moved_objects_that_cannot_be_converted() {
    let moves = many(|number| {
        format!("moved {{\nfrom = null_resource.a[{number}]\nto = terraform_data.b[{number}]\n}}\n")
    });
    let main = format!("resource \"terraform_data\" \"b\" {{\ncount = 0\n}}\n{moves}");
    let attributes = "\"schema_version\": 0, \"attributes\": {\"id\": \"1\", \"triggers\": 5}";
    let instances = many(|number| format!(", {{\"index_key\": {}, {attributes}}}", number + 1));
    let state = format!(
        "{{\"version\": 4, \"resources\": [{{\"mode\": \"managed\", \"type\": \"null_resource\", \"name\": \"a\", \
         \"provider\": \"provider[\\\"registry.terraform.io/hashicorp/null\\\"]\", \
         \"instances\": [{{\"index_key\": 0, {attributes}}}{instances}]}}]}}"
    );
    let output =
        run(&[("main.tf", &main), ("s.tfstate", &state)], &["eval", "--json", "--state", "s.tfstate"]);
    assert!(output.starts_with("{\"format_version\""), "{output}");
}

/// Each local value reads an instance that does not exist, beside 4,000 instances that do.
#[test]
fn missing_instances_of_a_module() {
    let locals = many(|number| format!("  l{number} = try(module.m[{}].v, 0)\n", 4_000 + number));
    let main = format!("module \"m\" {{\n  source = \"./m\"\n  count  = 4000\n}}\nlocals {{\n{locals}}}\n");
    let child = "output \"v\" {\n  value = 1\n}\n";
    let output = run(&[("main.tf", &main), ("m/main.tf", child)], &["eval", ".", "local.l39999"]);
    assert!(output.starts_with("local.l39999 = 0\n"), "{output}");
}

/// Returns the schemas of a provider with these properties of resource types.
fn schemas(resource_types: &str) -> String {
    let types = resource_types.trim_end_matches(',');
    format!(
        "{{\"format_version\": \"1.0\", \"provider_schemas\": {{\"registry.terraform.io/hashicorp/a\": \
         {{\"resource_schemas\": {{{types}}}}}}}}}"
    )
}

/// Returns the resource type `a_b` with this block.
fn resource_type(block: &str) -> String {
    let block = block.trim_end_matches(',');
    schemas(&format!("\"a_b\": {{\"version\": 0, \"block\": {{{block}}}}}}}"))
}

#[test]
fn misspelt_labels_of_dynamic_blocks() {
    let types =
        many(|number| format!("\"block{number:05}\": {{\"nesting_mode\": \"list\", \"block\": {{}}}},"));
    let schemas = resource_type(&format!("\"block_types\": {{{}", types.trim_end_matches(',')));
    let blocks = many(|number| format!("dynamic \"blxck{number:05}\" {{\nfor_each = []\ncontent {{}}\n}}\n"));
    let main = format!("resource \"a_b\" \"c\" {{\n{blocks}}}\n");
    let output = run(&[("main.tf", &main), ("s.json", &schemas)], &["check", "--schemas", "s.json"]);
    assert!(output.contains("Did you mean \"block00000\"?"), "{output}");
    assert!(output.contains("40000 errors") || output.contains("more errors of this kind"), "{output}");
}

#[test]
fn misspelt_resource_types() {
    let types = many(|number| format!("\"a_type{number:05}\": {{\"version\": 0, \"block\": {{}}}},"));
    let main = many(|number| format!("resource \"a_txpe{number:05}\" \"r\" {{}}\n"));
    let files = [("main.tf", &*main), ("s.json", &*schemas(&types))];
    let output = run(&files, &["check", "--schemas", "s.json"]);
    assert!(output.contains("Did you mean \"a_type00000\"?"), "{output}");
}

#[test]
fn misspelt_attributes_of_a_resource() {
    let names = many(|number| format!("\"name{number:05}\": {{\"type\": \"string\", \"computed\": true}},"));
    let schemas = resource_type(&format!("\"attributes\": {{{}", names.trim_end_matches(',')));
    let locals = many(|number| format!("l{number} = a_b.c.nxme{number:05}\n"));
    let main = format!("resource \"a_b\" \"c\" {{}}\nlocals {{\n{locals}}}\n");
    let output = run(&[("main.tf", &main), ("s.json", &schemas)], &["check", "--schemas", "s.json"]);
    assert!(output.contains("Did you mean \"name00000\"?"), "{output}");
}

#[test]
fn misspelt_outputs_of_a_module() {
    let outputs = many(|number| format!("output \"name{number:05}\" {{\nvalue = 1\n}}\n"));
    let locals = many(|number| format!("l{number} = module.m.nxme{number:05}\n"));
    let main = format!("module \"m\" {{\nsource = \"./m\"\n}}\nlocals {{\n{locals}}}\n");
    let output = run(&[("main.tf", &main), ("m/main.tf", &outputs)], &["check"]);
    assert!(output.contains("Did you mean \"name00000\"?"), "{output}");
}

#[test]
fn misspelt_functions_of_a_spec() {
    let functions = many(|number| format!("function \"name{number:05}\" {{\nparams = [x]\nresult = x\n}}\n"));
    let spec = format!("attr {{\nname = \"a\"\ntype = any\n}}\n{functions}");
    let calls = many(|number| format!("nxme{number:05}(1),"));
    let files = [("s.hcldec", &*spec), ("a.hcl", &*format!("a = [{calls}]\n"))];
    let output = run(&files, &["decode", "-s", "s.hcldec", "a.hcl"]);
    assert!(output.contains("Did you mean \"name00000\"?"), "{output}");
}

/// Each of many specs reads the same blocks.
#[test]
fn blocks_that_many_specs_read() {
    let spec = |number: usize| {
        format!(
            "block_list \"x{number}\" {{\nblock_type = \"b{number}\"\nattr {{\nname = \"a\"\ntype = any\n}}\n}}\n"
        )
    };
    let spec = format!("object {{\n{}}}\n", many(spec));
    let blocks = many(|number| format!("b{number} {{\na = v.x\n}}\n"));
    let files = [("s.hcldec", &*spec), ("a.hcl", &*blocks)];
    let output = run(&files, &["decode", "-s", "s.hcldec", "--var-refs", "a.hcl"]);
    assert!(output.contains("\"root_name\": \"v\""), "{output}");
}
