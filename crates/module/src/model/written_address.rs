//! Reads and writes addresses of resources and modules in `moved`, `removed` and `import` blocks.

use std::fmt;
use std::sync::Arc;

use terrane_config::address::{Address, InstanceKey, MAX_MODULE_DEPTH, ModulePath, Object, ResourceMode};
use terrane_config::address_parts::{mode_of, written_key};
use terrane_source::{Diagnostic, Diagnostics, Span, Title, ids, titles};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::SmolStr;

use crate::model::module::{Import, ObjectAddress, ResourceKey};
use crate::model::namespace::Namespace;

impl fmt::Display for ObjectAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(resource) = &self.resource else { return self.module.fmt(f) };
        let object = resource.object(self.key.clone());
        Address { module: self.module.clone(), object }.fmt(f)
    }
}

impl Import {
    /// Returns the block as an object, named by the imported resource without instance keys.
    pub fn object(&self) -> Object {
        let ObjectAddress { module, resource, .. } = &self.to;
        let module = module.without_keys();
        Object::Import(SmolStr::from(match resource {
            Some(resource) => Address { module, object: resource.object(InstanceKey::None) }.to_string(),
            None => module.to_string(),
        }))
    }
}

/// The keys that an address may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keys {
    /// Keys of instances are literals.
    Literal,
    /// Keys of instances may be any expression; keys that are not literals are left out of the address.
    Any,
}

/// A part of an address.
enum AddressStep<'t> {
    Name(&'t str),
    Key(InstanceKey, Span),
    /// A key that is not a literal.
    Computed(Span),
    /// A literal that is not a valid key.
    NoKey(Span),
}

/// Reads an address, and reports errors in it.
pub(crate) fn address(
    expression: &Expression,
    keys: Keys,
    diagnostics: &mut Diagnostics,
) -> Option<ObjectAddress> {
    let mut parts = Vec::new();
    let is_reference = collect(expression, &mut parts, &|_| None);
    let computed = parts.iter().any(|part| matches!(part, AddressStep::Computed(_)));
    if !is_reference || (computed && keys == Keys::Literal) {
        let detail = "This must be the address of a resource or module, such as `aws_vpc.main`, \
                      `aws_vpc.main[0]` or `module.network[\"a\"]`.";
        let id = if keys == Keys::Any { ids::INVALID_IMPORT_ADDRESS } else { ids::INVALID_EXPRESSION };
        diagnostics.push(Diagnostic::error(id, detail).at(expression.source(), expression.span()));
        return None;
    }
    let mut reader = AddressReader::new(parts, expression, !computed);
    match reader.address() {
        Ok(address) => Some(address),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    }
}

/// Returns the type of a written resource if Terraform takes it for the name of a namespace, such as `local` in `local.a`. Behind
/// `resource.` or `data.`, every name is a type.
pub(crate) fn reserved_name(found: &ObjectAddress) -> Option<&SmolStr> {
    let name = &found.resource.as_ref()?.resource_type;
    let is_reserved = match Namespace::of(name) {
        Namespace::Variable
        | Namespace::Local
        | Namespace::Path
        | Namespace::Terraform
        | Namespace::Count
        | Namespace::Each
        | Namespace::Itself
        | Namespace::Reserved => true,
        Namespace::Module | Namespace::Resource(_) | Namespace::Tofu | Namespace::Type => false,
    };
    (is_reserved && !found.has_mode).then_some(name)
}

/// Returns the error message for a reserved name in an address.
pub(crate) fn reserved_name_message(name: &str) -> String {
    format!(
        "`{name}` is a reserved name, not a resource type. For a resource type of this name, write `resource.{name}.` before the \
         resource's name."
    )
}

/// Whether all keys in brackets are literals.
pub(crate) fn has_fixed_keys(tree: &Tree, steps: &[Step]) -> bool {
    steps.iter().all(|step| match step {
        Step::Attr { .. } | Step::LegacyIndex { .. } => true,
        Step::Index { key, .. } => matches!(tree.expr(*key), Expr::Literal(_)),
    })
}

/// Reads an address once more, with the keys that `key` computes.
pub(crate) fn address_with(
    expression: &Expression,
    key: &dyn Fn(&Expression) -> Option<InstanceKey>,
) -> Option<ObjectAddress> {
    let mut parts = Vec::new();
    collect(expression, &mut parts, key);
    let resolved = !parts.iter().any(|part| matches!(part, AddressStep::Computed(_)));
    AddressReader::new(parts, expression, resolved).address().ok()
}

/// Collects the parts of a reference, with the keys that `computed` computes. Returns whether the
/// expression is a reference.
fn collect<'t>(
    expression: &'t Expression,
    parts: &mut Vec<AddressStep<'t>>,
    computed: &dyn Fn(&Expression) -> Option<InstanceKey>,
) -> bool {
    collect_from(&expression.tree, expression.id, parts, computed)
}

fn collect_from<'t>(
    tree: &'t Arc<Tree>,
    id: ExprId,
    parts: &mut Vec<AddressStep<'t>>,
    computed: &dyn Fn(&Expression) -> Option<InstanceKey>,
) -> bool {
    let (steps, is_reference) = match tree.expr(id) {
        Expr::Traversal { root_end, steps } => {
            let span = Span::new(tree.span(id).start, root_end);
            parts.push(AddressStep::Name(tree.slice(span)));
            (steps, true)
        }
        Expr::Relative { source, steps } => (steps, collect_from(tree, source, parts, computed)),
        Expr::Missing
        | Expr::Literal(_)
        | Expr::Template { .. }
        | Expr::Splat { .. }
        | Expr::Item
        | Expr::Call(_)
        | Expr::Conditional { .. }
        | Expr::Binary { .. }
        | Expr::Unary { .. }
        | Expr::Tuple(_)
        | Expr::Object(_)
        | Expr::For(_)
        | Expr::Parens(_) => return false,
    };
    for step in tree.list(steps) {
        parts.push(match (step, written_key(tree, step)) {
            (Step::Attr { name, .. }, _) => AddressStep::Name(tree.slice(*name)),
            (Step::LegacyIndex { digits: place, .. } | Step::Index { brackets: place, .. }, Some(key)) => {
                AddressStep::Key(key, *place)
            }
            (Step::LegacyIndex { digits, .. }, None) => AddressStep::NoKey(*digits),
            (Step::Index { key, brackets }, None) if matches!(tree.expr(*key), Expr::Literal(_)) => {
                AddressStep::NoKey(*brackets)
            }
            (Step::Index { key, brackets }, None) => {
                let key = computed(&Expression { tree: Arc::clone(tree), id: *key });
                key.map_or(AddressStep::Computed(*brackets), |key| AddressStep::Key(key, *brackets))
            }
        });
    }
    is_reference
}

type Read<T> = Result<T, Box<Diagnostic>>;

struct AddressReader<'t> {
    parts: std::iter::Peekable<std::vec::IntoIter<AddressStep<'t>>>,
    expression: &'t Expression,
    /// Whether all keys are known.
    resolved: bool,
    /// Whether a mode is written before the type of the resource.
    has_mode: bool,
}

impl<'t> AddressReader<'t> {
    fn new(parts: Vec<AddressStep<'t>>, expression: &'t Expression, resolved: bool) -> AddressReader<'t> {
        AddressReader { parts: parts.into_iter().peekable(), expression, resolved, has_mode: false }
    }

    fn address(&mut self) -> Read<ObjectAddress> {
        let mut module = ModulePath::ROOT;
        while matches!(self.parts.peek(), Some(AddressStep::Name("module"))) {
            self.parts.next();
            let name = self
                .name("The name of a module call must follow `module.`.", titles::INVALID_ADDRESS_OPERATOR)?;
            module = module.child(&name, self.key(titles::INVALID_ADDRESS_OPERATOR)?);
            if module.steps().len() > MAX_MODULE_DEPTH {
                let detail = format!("The address has more than {MAX_MODULE_DEPTH} module calls.");
                return Err(self.error(ids::TOO_DEEP, &detail, None));
            }
        }
        let resource = match self.parts.peek() {
            None => None,
            Some(_) => Some(self.resource()?),
        };
        if self.parts.next().is_some() {
            let detail = "The address continues after the resource. Only an instance key may follow.";
            return Err(self.error(ids::INVALID_ADDRESS, detail, None));
        }
        let (resource, key) =
            resource.map_or((None, InstanceKey::None), |(resource, key)| (Some(resource), key));
        let file = Arc::clone(self.expression.source());
        Ok(ObjectAddress {
            module,
            resource,
            key,
            resolved: self.resolved,
            has_mode: self.has_mode,
            file,
            span: self.expression.span(),
        })
    }

    /// Returns a resource, and the key of the instance.
    fn resource(&mut self) -> Read<(ResourceKey, InstanceKey)> {
        let mode = match self.parts.peek() {
            Some(AddressStep::Name(word)) => mode_of(word),
            Some(AddressStep::Key(..) | AddressStep::Computed(_) | AddressStep::NoKey(_)) | None => None,
        };
        self.has_mode = mode.is_some();
        if self.has_mode {
            self.parts.next();
        }
        let wanted = "The address of a resource must have a type and a name, such as `aws_vpc.main`.";
        let resource_type = self.name(wanted, Title::of(ids::INVALID_ADDRESS))?;
        let name = self.name(wanted, Title::of(ids::INVALID_ADDRESS))?;
        let key = self.key(Title::of(ids::INVALID_ADDRESS))?;
        let mode = mode.unwrap_or(ResourceMode::Managed);
        Ok((ResourceKey { mode, resource_type, name }, key))
    }

    fn name(&mut self, detail: &str, title: Title) -> Read<SmolStr> {
        match self.parts.next() {
            Some(AddressStep::Name(name)) => Ok(SmolStr::from(name)),
            Some(AddressStep::Key(_, span) | AddressStep::Computed(span) | AddressStep::NoKey(span)) => {
                Err(Box::new(self.error(ids::INVALID_ADDRESS, detail, Some(span)).titled(title)))
            }
            None => Err(Box::new(self.error(ids::INVALID_ADDRESS, detail, None).titled(title))),
        }
    }

    /// Returns the key of an instance, if the next part is a key.
    fn key(&mut self, title: Title) -> Read<InstanceKey> {
        match self.parts.next_if(|part| !matches!(part, AddressStep::Name(_))) {
            Some(AddressStep::Key(key, _)) => Ok(key),
            Some(AddressStep::NoKey(span)) => {
                let detail = "The key of an instance must be a string or a whole number.";
                Err(Box::new(self.error(ids::INVALID_ADDRESS, detail, Some(span)).titled(title)))
            }
            Some(AddressStep::Name(..) | AddressStep::Computed(_)) | None => Ok(InstanceKey::None),
        }
    }

    fn error(&self, id: terrane_source::DiagnosticId, detail: &str, span: Option<Span>) -> Box<Diagnostic> {
        let span = span.unwrap_or_else(|| self.expression.span());
        Box::new(Diagnostic::error(id, detail).at(self.expression.source(), span))
    }
}
