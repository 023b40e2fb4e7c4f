//! The names of a project by place: the queries behind "hover", "go to definition", "find
//! references" and "rename".

use terrane_module::symbols::Symbols;
use terrane_source::Files;

use crate::Project;
use crate::caches::Caches;
use crate::load::add_stored_schemas;

impl Project {
    /// Loads everything, evaluates nothing, and returns each name in the files with its meaning: across modules, in both
    /// syntaxes, in override files, variable files and test files. Names with equal [`Symbol`](crate::Symbol)s mean the same.
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
    /// let found = symbols.at(&main, offset).map(|found| &found.symbol);
    /// assert_eq!(found.map(ToString::to_string), Some("var.region".to_owned()));
    ///
    /// // ... which is named in three places.
    /// let places = found.into_iter().flat_map(|symbol| symbols.occurrences(symbol));
    /// assert_eq!(places.count(), 3);
    /// ```
    ///
    /// Names without a block have a meaning too: names bound by `for` and `dynamic`, functions, and built-in names.
    ///
    /// ```
    /// use terrane::source::FileId;
    /// use terrane::{BuiltIn, MemoryFiles, Project, Symbol};
    ///
    /// let text = "locals {\n  a = [for x in [\"a\"] : [for x in [x] : upper(x)]]\n  b = path.module\n}\n";
    /// let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
    /// let symbols = Project::new(".").symbols(&files);
    /// let main = FileId::new("main.tf");
    /// let at = |needle| {
    ///     let offset = text.find(needle).and_then(|offset| u32::try_from(offset).ok()).unwrap_or_default();
    ///     symbols.at(&main, offset).map(|found| &found.symbol)
    /// };
    ///
    /// // Go to the definition of the argument of `upper`: the inner `for`.
    /// let inner = at("x)]]").into_iter().flat_map(|symbol| symbols.definitions(symbol));
    /// let starts: Vec<usize> = inner.map(|site| site.span.range().start).collect();
    /// assert_eq!(starts, [text.find("x in [x]").unwrap_or_default()]);
    ///
    /// // The signature of a function is found by its name.
    /// assert_eq!(at("upper"), Some(&Symbol::Function("upper".into())));
    ///
    /// // Hover over a built-in name.
    /// let hover = BuiltIn::PathModule.description();
    /// assert_eq!(at("path"), Some(&Symbol::BuiltIn { name: BuiltIn::PathModule, origin: None }));
    /// assert_eq!(hover, "The directory of the module.");
    /// ```
    pub fn symbols(&self, files: &dyn Files) -> Symbols {
        let (caches, mut request) = (Caches::default(), self.request().clone());
        add_stored_schemas(&mut request, self.stores(), files, files, &caches.schemas);
        caches.symbols(request, files)
    }
}
