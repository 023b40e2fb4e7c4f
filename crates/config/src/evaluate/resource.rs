use std::sync::{Arc, Mutex};

use terrane_eval::{Owner, open_body};
use terrane_source::{Diagnostic, Diagnostics, Files, Span, ids};
use terrane_value::{Mark, OriginKind, Origins, Value};

use super::expand::expand;
use super::{Evaluation, Expansion, Instances, ModuleScope, builtin, check, remote_state};
use crate::address::{Object, ResourceMode};
use crate::load::Moment;
use crate::module::Resource;

/// Computes all instances of a resource or data source.
pub(super) fn resource(
    evaluation: &mut Evaluation,
    instance: usize,
    index: usize,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) {
    let Some(state) = evaluation.instances.get(instance) else { return };
    let module = Arc::clone(&evaluation.config.node(state.node).module);
    let Some(((mode, resource_type, name), resource)) = module.resources.get_index(index) else { return };
    let names = evaluation.scope(instance);
    let repetition = expand(evaluation, &names, &resource.repetition, files, diagnostics);
    let mut found = Diagnostics::new();
    let mut expansion = repetition.map(|key, data| {
        let diagnostics = &mut found;
        let object = Object::Resource(*mode, Arc::clone(resource_type), Arc::clone(name), key);
        let address = evaluation.address(instance, object).to_string();
        let names = ModuleScope { repetition: Some(&data), ..names };
        let preconditions = &resource.preconditions;
        check::checks(
            evaluation,
            preconditions,
            &names,
            (ids::RESOURCE_PRECONDITION_FAILED, None),
            files,
            diagnostics,
        );
        let value = value(evaluation, *mode, resource_type, resource, &address, &names, files, diagnostics);
        if value.unmark_deep().1.contains(&Mark::Ephemeral) && *mode != ResourceMode::Ephemeral {
            let detail = format!(
                "An argument of `{address}` has an ephemeral value, but arguments of resources are stored. Use a value \
                 that may be stored."
            );
            let declaration = &resource.declaration;
            diagnostics.push(
                Diagnostic::error(ids::EPHEMERAL_ARGUMENT, detail).at(&declaration.file, declaration.span),
            );
        }
        let names = ModuleScope { this: Some(&value), ..names };
        let postconditions = &resource.postconditions;
        check::checks(
            evaluation,
            postconditions,
            &names,
            (ids::RESOURCE_POSTCONDITION_FAILED, None),
            files,
            diagnostics,
        );
        value
    });
    let validates = evaluation.moment() == Moment::Validate;
    match &mut expansion {
        // Perhaps there is no instance, and then there is no such mistake.
        Expansion::Unknown { any, .. } if found.has_errors() && !validates => *any = None,
        Expansion::Unknown { .. }
        | Expansion::Once(_)
        | Expansion::Count(_)
        | Expansion::ForEach(_)
        | Expansion::Absent => diagnostics.extend(found),
    }
    if let Some(slot) =
        evaluation.instances.get_mut(instance).and_then(|state| state.resources.get_mut(index))
    {
        *slot = Instances::new(expansion);
    }
}

#[expect(clippy::too_many_arguments, reason = "all of them are the inputs of one computation")]
fn value(
    evaluation: &Evaluation,
    mode: ResourceMode,
    resource_type: &str,
    resource: &Resource,
    address: &str,
    names: &ModuleScope<'_>,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Value {
    let env = evaluation.env(files);
    let trace = Mutex::new(Vec::new());
    let names = ModuleScope { trace: (!resource.in_dynamic.is_empty()).then_some(&trace), ..*names };
    let scope = evaluation.expression_scope(&names, &env);
    if mode == ResourceMode::Managed && resource_type == "terraform_data" {
        let moment = evaluation.config.request.moment;
        return builtin::terraform_data(resource, address, moment, &scope, diagnostics);
    }
    if mode == ResourceMode::Data && resource_type == "terraform_remote_state" {
        return remote_state::terraform_remote_state(resource, address, &scope, diagnostics);
    }
    let kind = match mode {
        ResourceMode::Managed | ResourceMode::Ephemeral => OriginKind::ResourceAttribute,
        ResourceMode::Data => OriginKind::DataSource,
    };
    let owner = Owner { kind, address };
    let attributes = open_body(&resource.config, owner, &[], &scope, diagnostics);
    report_in_dynamic(resource, &trace, diagnostics);
    Value::open_object(attributes, Origins::one(kind, address))
}

/// Reports the wrong references in the content of `dynamic` blocks that were used: those that were read.
fn report_in_dynamic(resource: &Resource, trace: &Mutex<Vec<Span>>, diagnostics: &mut Diagnostics) {
    let Ok(read) = trace.lock() else { return };
    for (reference, diagnostic) in &resource.in_dynamic {
        if read.contains(reference) {
            diagnostics.push(diagnostic.clone());
        }
    }
}
