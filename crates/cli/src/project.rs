//! Builds the module or template that a command is about, with the values of its variables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane::{Assignment, Dialect, PackerTemplate, Project};

use crate::host::{environment, home, schema_stores, variable};
use crate::options::StateValues;
use crate::read_inputs::{ReadInputs, ReadSchemas, RemoteStates};

/// Returns the module in `dir` with the values of its variables.
pub(crate) fn project(dir: &Path, inputs: &ReadInputs<'_>, dialect: Dialect) -> Project {
    project_with(dir, inputs, &inputs.sources.assignments, dialect)
}

/// Returns the module in `dir` with these of the options that set variables.
pub(crate) fn project_with<'i>(
    dir: &Path,
    inputs: &ReadInputs<'_>,
    assignments: impl IntoIterator<Item = &'i Assignment>,
    dialect: Dialect,
) -> Project {
    let (environment, unreadable) = environment();
    let (data_directory, workspace) = (variable("TF_DATA_DIR"), variable("TF_WORKSPACE"));
    let mut project =
        Project::new(dir).threads(0).environment(environment).unreadable_environment(unreadable);
    if let Some(home) = home() {
        project = project.home(home);
    }
    if let Some(directory) = data_directory {
        project = project.data_directory(directory);
    }
    if let Some(workspace) = inputs.options.workspace.clone().or(workspace) {
        project = project.workspace(workspace);
    }
    if let Some(seconds) = inputs.plan_time {
        project = project.plan_time(seconds);
    }
    let project = project.strict_inputs(inputs.options.strict_inputs).dialect(dialect);
    let modules = inputs.options.modules.directories.iter();
    let project = modules.fold(project, |project, (source, directory)| project.module(source, directory));
    let project = project.module_map(inputs.sources.module_map.clone());
    let project = project.allows_changed_modules(inputs.options.modules.allow_changed_modules);
    let project = project.computes_data(!inputs.options.no_computed_data);
    let given = inputs.options.given.iter();
    let project = given.fold(project, |project, given| project.set(&given.address, &given.value));
    let project = with_remote_states(project, inputs, dialect);
    let project = inputs.options.mocks.iter().fold(project, Project::mocks);
    let project = match &inputs.state.state {
        Some(state) => project.state(Arc::clone(state)).state_files(&inputs.state.accesses),
        None => project,
    };
    let project = project.uses_prior_values(inputs.options.state.values == Some(StateValues::Prior));
    let project = match &inputs.state.plan {
        Some(plan) => project.stored_plan(Arc::clone(plan)).state_files(&inputs.state.accesses),
        None => project,
    };
    let ReadSchemas { schemas, files, used } = &inputs.sources.schemas;
    let project = project.schemas(schemas).schema_files(files).used_schemas(used.iter().cloned());
    let project =
        if inputs.options.no_schema_store { project } else { project.schema_stores(schema_stores()) };
    assignments.into_iter().cloned().fold(project, Project::assign)
}

/// Returns the project with the outputs that options give for data sources of the type `terraform_remote_state`.
fn with_remote_states(project: Project, inputs: &ReadInputs<'_>, dialect: Dialect) -> Project {
    let RemoteStates { outputs, roots, accesses } = &inputs.remote_states;
    let project = outputs
        .iter()
        .fold(project, |project, (address, outputs)| project.remote_state(address, outputs.clone()));
    let project = project.state_files(accesses);
    // Options for variables and values are meant for the project itself, not for these roots.
    let root = |directory: &PathBuf| {
        let root = Project::new(directory).threads(0).environment(environment().0).dialect(dialect);
        let root = home().into_iter().fold(root, Project::home);
        let root = inputs.plan_time.into_iter().fold(root, Project::plan_time);
        let modules = inputs.options.modules.directories.iter();
        let root = modules.fold(root, |root, (source, directory)| root.module(source, directory));
        let root = root.module_map(inputs.sources.module_map.clone());
        let root = root.allows_changed_modules(inputs.options.modules.allow_changed_modules);
        let root = root.computes_data(!inputs.options.no_computed_data);
        let root = root.schemas(&inputs.sources.schemas.schemas);
        if inputs.options.no_schema_store { root } else { root.schema_stores(schema_stores()) }
    };
    roots.iter().fold(project, |project, (address, directory)| project.remote_root(address, root(directory)))
}

/// Returns the template at `path` with the values of its variables.
pub(crate) fn template(path: &Path, inputs: &ReadInputs<'_>, dialect: Dialect) -> PackerTemplate {
    let template = PackerTemplate::new(path).dialect(dialect).environment(environment().0);
    let template = template.strict_inputs(inputs.options.strict_inputs);
    inputs.sources.assignments.iter().cloned().fold(template, PackerTemplate::assign)
}
