//! Handles calls of functions that are not in the table: provider functions, and mistaken names.

use terrane_function::{CallSite, Dialect, Function};
use terrane_source::{Span, Title, ids, titles};
use terrane_syntax::tree::Call;
use terrane_value::{Marks, OriginKind, Origins, Type, Value};

use crate::functions::name::function_name;
use crate::functions::semantics::Semantics;
use crate::functions::table::{Callee, FunctionTable};
use crate::names::scope::ProviderFunctions;
use crate::rules::evaluator::Evaluator;

/// The steps of a message about an unknown function, which searches all names for a similar one.
const STEPS_OF_SEARCH: u64 = 512;

impl Evaluator<'_> {
    /// Returns the value of a call of a function that is not in the table: unknown for a provider
    /// function, an error for any other.
    pub(super) fn call_unknown(&mut self, call: &Call, whole: Span) -> Value {
        let name = function_name(self.tree.slice(call.name));
        if self.frame.scope().is_some_and(|scope| scope.functions.rows().next().is_none()) {
            let detail = "No functions can be called here. Write the value itself.";
            self.report.error(ids::FUNCTIONS_NOT_ALLOWED, whole, detail);
            return Value::error();
        }
        let can_exist =
            self.frame.scope().is_none_or(|scope| scope.functions.semantics().has_provider_functions);
        let is_of_provider = name.starts_with("provider::") && name.matches("::").count() >= 2;
        if !is_of_provider || !can_exist {
            self.report_unknown_function(call, whole);
            return Value::error();
        }
        let provider = name.split("::").nth(1).unwrap_or_default();
        match self.frame.scope().map(|scope| scope.names.provider(provider)) {
            Some(ProviderFunctions::Undeclared) => {
                // Outside `try` and `can`, it was reported when the module was read.
                if self.attempt.is_active() {
                    let detail = format!("There is no provider named \"{provider}\" here.");
                    let diagnostic = self.report.diagnostic(ids::UNKNOWN_FUNCTION, call.name, detail);
                    self.report.push(diagnostic.titled(titles::UNKNOWN_PROVIDER_FUNCTION).within(whole));
                }
                return Value::error();
            }
            Some(ProviderFunctions::BuiltIn { open: false }) => {
                self.report_not_built_in(call, whole);
                return Value::error();
            }
            Some(ProviderFunctions::Known) => {
                self.report_not_of_provider(call, whole, provider);
                return Value::error();
            }
            Some(ProviderFunctions::BuiltIn { open: true } | ProviderFunctions::Unknown) | None => {}
        }
        let mut marks = Marks::NONE;
        for argument in self.tree.list(call.arguments) {
            let value = self.eval(*argument);
            if value.contains_marked() {
                self.budget.work(value.size() as u64);
            }
            marks = marks.union(&value.marks_deep());
        }
        let origins = Origins::one(OriginKind::ProviderFunction, &*name);
        Value::unknown_from(Type::Dynamic, origins).with_marks(&marks)
    }

    /// Reports that a provider with all its functions in the table has no such function.
    fn report_not_of_provider(&mut self, call: &Call, whole: Span, provider: &str) {
        let Some(functions) = self.frame.scope().map(|scope| scope.functions) else { return };
        let prefix = format!("provider::{provider}::");
        let names: Vec<&str> =
            functions.rows().filter_map(|row| row.name.strip_prefix(prefix.as_str())).collect();
        let name = function_name(self.tree.slice(call.name));
        let function = name.strip_prefix(prefix.as_str()).unwrap_or(&name);
        let detail = match self.closest(function, names.iter().copied()) {
            _ if names.is_empty() => format!("The provider \"{provider}\" has no functions."),
            Some(nearest) => {
                format!(
                    "The provider \"{provider}\" has no function \"{function}\". Did you mean \"{nearest}\"?"
                )
            }
            None => {
                let some = names.iter().take(10).copied().collect::<Vec<_>>().join(", ");
                format!(
                    "The provider \"{provider}\" has no function \"{function}\". Among its functions are {some}."
                )
            }
        };
        let diagnostic = self.report.diagnostic(ids::UNKNOWN_FUNCTION, call.name, detail);
        self.report.push(diagnostic.titled(titles::UNKNOWN_PROVIDER_FUNCTION).within(whole));
    }

    /// Reports that the built-in provider has no such function.
    fn report_not_built_in(&mut self, call: &Call, whole: Span) {
        let Some(functions) = self.frame.scope().map(|scope| scope.functions) else { return };
        let own = |row: &&Function| row.call_site == CallSite::BuiltInProvider;
        let names = functions.rows().filter(own).filter_map(|row| row.name.rsplit("::").next());
        let names: Vec<&str> = names.collect();
        // In an edition without provider functions, it was reported when the module was read.
        if names.is_empty() {
            return;
        }
        let title = functions.semantics().missing_in_builtin_title;
        let detail = format!("The built-in provider has the functions {}.", names.join(", "));
        let diagnostic = self.report.diagnostic(ids::UNKNOWN_FUNCTION, call.name, detail);
        self.report.push(diagnostic.titled(title).within(whole));
    }

    fn report_unknown_function(&mut self, call: &Call, whole: Span) {
        self.budget.work(STEPS_OF_SEARCH);
        let name = function_name(self.tree.slice(call.name));
        let diagnostic = self.report.diagnostic(
            ids::UNKNOWN_FUNCTION,
            call.name,
            format!("There is no function named \"{name}\" here."),
        );
        let functions = self.frame.scope().map(|scope| scope.functions);
        let title = match functions {
            Some(functions) => unknown_title(&name, functions.semantics()),
            None => unknown_title(&name, &Semantics::of(Dialect::default())),
        };
        let diagnostic = match title {
            Some(title) => diagnostic.titled(title).within(whole),
            None => diagnostic.within(whole),
        };
        let diagnostic = match functions.and_then(|functions| why_unknown(&name, functions)) {
            Some(hint) => diagnostic.hint(hint),
            None => {
                let (prefix, given) = name.rsplit_once("::").unwrap_or(("", &name));
                let names = functions.into_iter().flat_map(FunctionTable::rows).map(|row| &*row.name);
                let meant = self.closest(given, names).filter(|_| prefix.is_empty() || prefix == "core");
                diagnostic.suggest(given, meant)
            }
        };
        self.report.push(diagnostic);
    }
}

/// Returns the products or places with a function that does not exist here.
fn why_unknown(name: &str, functions: &FunctionTable) -> Option<String> {
    if let Some(row) = functions.get(name).map(Callee::row) {
        return Some(match row.call_site {
            CallSite::Anywhere | CallSite::Configuration => {
                format!("\"{name}\" cannot be called on the console.")
            }
            CallSite::Console => format!("\"{name}\" can be called only on the console."),
            CallSite::VariableDefault => {
                format!("\"{name}\" can be called only in the default of a variable.")
            }
            CallSite::BuiltInProvider => {
                format!("\"{name}\" can be called only where its provider is required.")
            }
        });
    }
    functions.elsewhere(name).map(|availability| format!("It {}.", availability.history()))
}

/// Returns the title of the diagnostic about an unknown function, if it differs from the default.
fn unknown_title(name: &str, semantics: &Semantics) -> Option<Title> {
    let (namespace, _) = name.split_once("::")?;
    match namespace {
        "core" => semantics.unknown_of_core_title,
        "provider" => semantics.unknown_of_provider_title,
        _ => semantics.unknown_namespace_title,
    }
}
