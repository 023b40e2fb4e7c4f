//! The number of declarations of a module, and the memory that they take.

use crate::model::module::Module;

impl Module {
    /// Returns the number of objects in an instance of the module, without resources and calls.
    pub fn objects(&self) -> usize {
        self.variables.len() + self.locals.len() + self.outputs.len()
    }

    /// Returns the number of declarations.
    pub fn declarations(&self) -> usize {
        self.objects() + self.blocks()
    }

    /// Returns the number of other declarations.
    fn blocks(&self) -> usize {
        self.resources.len() + self.calls.len() + self.checks.len() + self.providers.len()
    }

    /// Returns the approximate memory that a call of the module takes in the graph and in documents.
    pub fn bytes_of_call(&self) -> u64 {
        const BYTES_OF_DECLARATION: usize = 800;
        self.bytes_with(self.declarations().saturating_mul(BYTES_OF_DECLARATION))
    }

    /// Returns the approximate memory of an evaluation of the root module and its documents, without values.
    pub fn bytes_of_root(&self) -> u64 {
        const BYTES_OF_VALUE: usize = 1600;
        const BYTES_OF_OTHER: usize = 4000;
        let values = self.variables.len() + self.locals.len();
        let others = (self.outputs.len() + self.blocks()).saturating_mul(BYTES_OF_OTHER);
        self.bytes_with(values.saturating_mul(BYTES_OF_VALUE).saturating_add(others))
    }

    /// Adds the names in expressions and the text to the bytes of declarations.
    fn bytes_with(&self, declarations: usize) -> u64 {
        const BYTES_OF_USE: usize = 150;
        let uses = self.references.uses().count().saturating_mul(BYTES_OF_USE);
        let others = u64::try_from(declarations.saturating_add(uses)).unwrap_or(u64::MAX);
        others.saturating_add(self.bytes_of_text())
    }

    /// Returns the length of the files of the module.
    pub fn bytes_of_text(&self) -> u64 {
        let text: usize = self.sources.iter().map(|source| source.text().len()).sum();
        u64::try_from(text).unwrap_or(u64::MAX)
    }
}
