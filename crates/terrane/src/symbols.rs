//! The names of a project by place: the queries behind "go to definition", "find references" and "rename".

use terrane_module::symbols::Symbols;
use terrane_source::Files;

use crate::Project;

impl Project {
    /// Loads everything, evaluates nothing, and gives each name in the files with the object that it means: across
    /// modules, in both syntaxes, and in variable files.
    ///
    /// ```
    /// use terrane::source::FileId;
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let text = "variable \"region\" {}\noutput \"place\" {\n  value = var.region\n}\n";
    /// let files: MemoryFiles = [("main.tf", text), ("terraform.tfvars", "region = \"eu\"\n")].into_iter().collect();
    /// let symbols = Project::new(".").symbols(&files);
    ///
    /// // The name in the third line means a variable ...
    /// let main = FileId::new("main.tf");
    /// let offset = text.find("region\n").and_then(|offset| u32::try_from(offset).ok()).unwrap_or_default();
    /// let found = symbols.at(&main, offset).map(|found| found.address.clone());
    /// assert_eq!(found.as_ref().map(ToString::to_string), Some("var.region".to_owned()));
    ///
    /// // ... which is named in three places.
    /// let places = found.iter().flat_map(|address| symbols.of_object(address));
    /// assert_eq!(places.count(), 3);
    /// ```
    pub fn symbols(&self, files: &dyn Files) -> Symbols {
        let loaded = terrane_module::load(self.request().clone(), files);
        Symbols::of(&loaded.config, &loaded.inputs)
    }
}
