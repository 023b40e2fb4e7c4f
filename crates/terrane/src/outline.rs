//! Documents of configurations that are loaded but not evaluated, so they have no values.

use std::sync::Arc;

use terrane_config::Dialect;
use terrane_config::recorder::{AccessLog, Recorder};
use terrane_function::Product;
use terrane_module::graph::dependencies;
use terrane_packer as packer;
use terrane_source::{Diagnostic, Diagnostics, Files};

use crate::caches::Caches;
use crate::document::{Document, Graph, Root};
use crate::load::{LoadedProject, load};
use crate::project::{Project, is_configuration};
use crate::report::missing_text;
use crate::template::{PackerTemplate, gaps};

impl Project {
    /// Returns the document of the configuration before its evaluation: all modules with their declarations, references and
    /// [graph](Document::graph), but no values.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let files = MemoryFiles::from_iter([("main.tf", "variable \"a\" {}\noutput \"b\" { value = var.a }")]);
    /// let document = Project::new(".").outline(&files);
    /// let edges: Vec<String> = document.graph.edges().map(|(from, to)| format!("{from} -> {to}")).collect();
    /// assert_eq!(edges, ["output.b -> var.a"]);
    /// assert!(document.values.is_empty());
    /// ```
    pub fn outline(&self, files: &dyn Files) -> Document {
        let log = Arc::new(AccessLog::default());
        let recorder = Recorder::new(files, &log).without_hash_of(is_configuration);
        let request = self.request().clone();
        let loaded = load(request, self.stores(), files, &recorder, &Caches::default());
        let LoadedProject { loaded, chosen } = loaded;
        let mut loaded = loaded.with_unused_modules(&recorder);
        let chosen = chosen.finish(&loaded.config);
        let mut found = chosen.diagnostics.clone();
        let graph = Graph::of(dependencies(&loaded.config, &mut found));
        let mut diagnostics = std::mem::take(&mut loaded.diagnostics);
        diagnostics.extend(loaded.config.without_secrets(found, Diagnostics::new()));
        diagnostics.sort();
        loaded.gaps.add_broken_strings(diagnostics.as_slice());
        let read = self.read(loaded.files, log.take()).with_stored(chosen);
        Document {
            graph,
            diagnostics,
            missing: missing_text(&loaded.gaps),
            ..Document::declared(&loaded.config, &loaded.inputs, &read)
        }
    }
}

impl PackerTemplate {
    /// Returns the document of the template before its builds are evaluated: its [graph](Document::graph) and diagnostics.
    pub fn outline(&self, files: &dyn Files) -> Document {
        let request = self.request();
        let loaded = packer::load(request, files);
        let mut gaps = gaps(&loaded);
        let mut diagnostics = loaded.diagnostics;
        diagnostics.extend(loaded.deferred);
        gaps.add_broken_strings(diagnostics.as_slice());
        let missing = missing_text(&gaps);
        let graph = Graph::of(packer::dependencies(&loaded.template, &mut diagnostics));
        let mut diagnostics: Diagnostics = diagnostics.into_iter().map(Diagnostic::without_secrets).collect();
        diagnostics.sort();
        let dialect = Dialect::Product(Product::Packer, request.edition);
        let root = Root { directory: request.path.clone(), dialect, workspace: "default".to_owned() };
        Document { graph, diagnostics, missing, ..Document::empty(root) }
    }
}
