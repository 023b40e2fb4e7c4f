//! [`Spec`]: data that tells a decoder which value to compute from a body, as in hcldec.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use terrane_eval::{FunctionTable, Scope, Variables, evaluate};
use terrane_function::{CallEnv, Limits};
use terrane_source::{Diagnostics, MemoryFiles, Span};
use terrane_syntax::Expression;
use terrane_value::{SmolStr, Type, Value};

use crate::body::Body;
use crate::body_schema::{BodySchema, DYNAMIC};
use crate::content::{Content, Label};

/// The instructions to decode a body into a value.
///
/// ```
/// use terrane_body::{BodySpec, Spec};
/// use terrane_value::Type;
///
/// let tag = Spec::object([("key", Spec::attribute("key", Type::String)), ("value", Spec::attribute("value", Type::String))]);
/// let spec = BodySpec::new(Spec::object([("tags", Spec::block_list("tag", tag))]));
/// assert_eq!(spec.ty().to_string(), "object({tags=list(object({key=string,value=string}))})");
/// ```
#[derive(Clone, Debug)]
pub enum Spec {
    /// An object with a value per name.
    Object(Vec<(SmolStr, Spec)>),
    /// A tuple.
    Tuple(Vec<Spec>),
    /// The value of an attribute; null if it is not set.
    Attribute {
        /// The name.
        name: SmolStr,
        /// The type to which the value is converted.
        ty: Type,
        /// Whether it is required, optional or read-only.
        usage: Usage,
    },
    /// The value of an attribute that is a list or set of objects, or of blocks of its name, one for each
    /// object; null if neither is set.
    AttributeOrBlocks {
        /// The name.
        name: SmolStr,
        /// The type.
        ty: Type,
        /// The spec of the bodies of the blocks.
        nested: Arc<BodySpec>,
    },
    /// A constant.
    Literal(Value),
    /// The value of an expression in the scope of the body.
    Expression(Expression),
    /// The only block of a type; null if there is none.
    Block {
        /// The type of the block.
        block_type: SmolStr,
        /// The spec of its body.
        nested: Arc<BodySpec>,
        /// Whether the block is required.
        required: bool,
    },
    /// All blocks of a type.
    Blocks {
        /// The type of the blocks.
        block_type: SmolStr,
        /// The kind of collection.
        collection: Collection,
        /// The spec of their bodies.
        nested: Arc<BodySpec>,
        /// The fewest blocks allowed.
        min: usize,
        /// The most blocks allowed; 0 for any number.
        max: usize,
    },
    /// A map of all blocks of a type, nested by the first labels.
    LabelledBlocks {
        /// The type of the blocks.
        block_type: SmolStr,
        /// The names of the first labels; at least one.
        labels: Vec<String>,
        /// Whether the result is an object, which may have attributes of different types; otherwise it is a map.
        object: bool,
        /// The spec of their bodies.
        nested: Arc<BodySpec>,
    },
    /// A map of all attributes of the only block of a type.
    BlockAttributes {
        /// The type of the block.
        block_type: SmolStr,
        /// The type to which the values are converted.
        element: Type,
        /// Whether the block is required.
        required: bool,
    },
    /// A label of the block. Labels that are keys do not count.
    Label {
        /// The position, from 0.
        index: usize,
        /// The name of the label.
        name: String,
    },
    /// A default in place of null.
    Default {
        /// The value, unless it is null.
        primary: Box<Spec>,
        /// The default.
        default: Box<Spec>,
    },
    /// A value that an expression computes from another value.
    Transform {
        /// The other value.
        wrapped: Box<Spec>,
        /// The expression that computes the result.
        result: Expression,
        /// The name of the other value, the only name in the scope of the expression.
        name: String,
        /// The functions that the expression may call.
        functions: Arc<FunctionTable>,
    },
}

/// Whether an attribute is required, optional or read-only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Usage {
    /// The attribute is optional.
    Optional,
    /// The attribute is required, but may be null.
    Required,
    /// The attribute is required and must not be null.
    NotNull,
    /// The attribute must be null, because the provider sets it.
    ReadOnly,
}

impl Usage {
    /// Whether it must be set.
    pub fn is_required(self) -> bool {
        matches!(self, Usage::Required | Usage::NotNull)
    }
}

/// The kind of a collection of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collection {
    /// A list, with elements of one type.
    List,
    /// A set, with elements of one type.
    Set,
    /// A tuple, with elements of any types.
    Tuple,
}

impl Collection {
    /// Returns the type of the collection. The type of a tuple depends on its elements.
    pub(super) fn ty(self, element: &Type) -> Type {
        match self {
            Collection::List => Type::list(element.clone()),
            Collection::Set => Type::set(element.clone()),
            Collection::Tuple => Type::Dynamic,
        }
    }
}

/// Returns the type of the result of a [`Spec::Transform`] for an unknown value of type `ty`.
fn transformed_type(ty: Type, result: &Expression, name: &str, functions: &FunctionTable) -> Type {
    let (files, limits) = (MemoryFiles::new(), Limits::default());
    let env = CallEnv::new(&files, Path::new("."), &limits);
    let names = Variables::new().with(name, Value::unknown(ty));
    let scope = Scope { names: &names, functions, env: &env };
    evaluate(result, &scope, &mut Diagnostics::new()).ty()
}

impl Spec {
    /// Returns an object with a value per name.
    pub fn object<'n>(specs: impl IntoIterator<Item = (&'n str, Spec)>) -> Spec {
        Spec::Object(specs.into_iter().map(|(name, spec)| (SmolStr::from(name), spec)).collect())
    }

    /// Returns the value of an optional attribute.
    pub fn attribute(name: &str, ty: Type) -> Spec {
        Spec::Attribute { name: SmolStr::from(name), ty, usage: Usage::Optional }
    }

    /// Returns the value of a required attribute.
    pub fn required_attribute(name: &str, ty: Type) -> Spec {
        Spec::Attribute { name: SmolStr::from(name), ty, usage: Usage::Required }
    }

    /// Returns the only block of a type.
    pub fn block(block_type: &str, nested: Spec) -> Spec {
        let nested = Arc::new(BodySpec::new(nested));
        Spec::Block { block_type: SmolStr::from(block_type), nested, required: false }
    }

    /// Returns a list of all blocks of a type.
    pub fn block_list(block_type: &str, nested: Spec) -> Spec {
        let nested = Arc::new(BodySpec::new(nested));
        let collection = Collection::List;
        Spec::Blocks { block_type: SmolStr::from(block_type), collection, nested, min: 0, max: 0 }
    }

    /// Returns a map of all blocks of a type by their labels.
    pub fn block_map(block_type: &str, labels: &[&str], nested: Spec) -> Spec {
        let nested = Arc::new(BodySpec::new(nested));
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        Spec::LabelledBlocks { block_type: SmolStr::from(block_type), labels, object: false, nested }
    }

    /// Returns the type of the value, as far as the spec alone determines it.
    pub fn ty(&self) -> Type {
        match self {
            Spec::Object(specs) => Type::object(specs.iter().map(|(name, spec)| (name.clone(), spec.ty()))),
            Spec::Tuple(specs) => Type::tuple(specs.iter().map(Spec::ty)),
            Spec::Attribute { ty, .. } | Spec::AttributeOrBlocks { ty, .. } => ty.without_optional(),
            Spec::Literal(value) => value.ty(),
            Spec::Expression(_) => Type::Dynamic,
            Spec::Block { nested, .. } => nested.ty().clone(),
            Spec::Blocks { nested, collection, .. } => collection.ty(nested.ty()),
            Spec::LabelledBlocks { object: true, .. } => Type::Dynamic,
            Spec::LabelledBlocks { labels, nested, .. } => {
                labels.iter().fold(nested.ty().clone(), |ty, _| Type::map(ty))
            }
            Spec::BlockAttributes { element, .. } => Type::map(element.without_optional()),
            Spec::Label { .. } => Type::String,
            Spec::Default { primary, .. } => primary.ty(),
            Spec::Transform { wrapped, result, name, functions } => {
                transformed_type(wrapped.ty(), result, name, functions)
            }
        }
    }

    /// Returns the nested specs that read the same body.
    fn parts(&self) -> Vec<&Spec> {
        match self {
            Spec::Object(specs) => specs.iter().map(|(_, spec)| spec).collect(),
            Spec::Tuple(specs) => specs.iter().collect(),
            Spec::Default { primary, default } => vec![primary, default],
            Spec::Transform { wrapped, .. } => vec![wrapped],
            Spec::Attribute { .. }
            | Spec::AttributeOrBlocks { .. }
            | Spec::Literal(_)
            | Spec::Expression(_)
            | Spec::Block { .. }
            | Spec::Blocks { .. }
            | Spec::LabelledBlocks { .. }
            | Spec::BlockAttributes { .. }
            | Spec::Label { .. } => Vec::new(),
        }
    }

    /// Calls `visit` with the spec and all nested specs that read the same body.
    pub(super) fn walk<'s>(&'s self, visit: &mut dyn FnMut(&'s Spec)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// Adds the names that the spec reads. An attribute that may be written as blocks counts as a block type if
    /// `body` has no such attribute.
    fn add_names(&self, schema: &mut BodySchema, body: Option<&Body>) {
        match self {
            Spec::AttributeOrBlocks { name, .. } if body.is_some_and(|body| !body.has_attribute(name)) => {
                schema.add_block(name, Vec::new());
            }
            Spec::AttributeOrBlocks { name, .. } => schema.add_attribute(name, false),
            Spec::Attribute { name, usage, .. } => schema.add_attribute(name, usage.is_required()),
            Spec::Block { block_type, nested, .. } | Spec::Blocks { block_type, nested, .. } => {
                schema.add_block(block_type, nested.labels().to_vec());
            }
            Spec::LabelledBlocks { block_type, labels, nested, .. } => {
                schema.add_block(block_type, labels.iter().chain(nested.labels()).cloned().collect());
            }
            Spec::BlockAttributes { block_type, .. } => schema.add_block(block_type, Vec::new()),
            Spec::Object(_)
            | Spec::Tuple(_)
            | Spec::Literal(_)
            | Spec::Expression(_)
            | Spec::Label { .. }
            | Spec::Default { .. }
            | Spec::Transform { .. } => {}
        }
    }

    /// Returns the span of the value in a body; if it is missing, the span for missing items.
    pub(super) fn span(&self, content: &Content, labels: &[Label]) -> Span {
        let missing = content.missing_item_span;
        match self {
            Spec::Attribute { name, .. } | Spec::AttributeOrBlocks { name, .. } => {
                content.attribute(name).map_or(missing, |attribute| attribute.value_span())
            }
            Spec::Expression(expression) => expression.span(),
            Spec::Block { block_type, .. }
            | Spec::Blocks { block_type, .. }
            | Spec::LabelledBlocks { block_type, .. }
            | Spec::BlockAttributes { block_type, .. } => {
                let block = content.blocks_of(block_type).next();
                block.map_or(missing, |block| block.header_span)
            }
            Spec::Label { index, .. } => labels.get(*index).map_or(missing, |label| label.span),
            Spec::Default { primary: inner, .. } | Spec::Transform { wrapped: inner, .. } => {
                inner.span(content, labels)
            }
            Spec::Object(_) | Spec::Tuple(_) | Spec::Literal(_) => missing,
        }
    }
}

/// A [`Spec`] for a body, with its type, schema and labels computed once.
#[derive(Clone, Debug)]
pub struct BodySpec {
    id: SpecId,
    spec: Spec,
    ty: Type,
    schema: Arc<SpecSchema>,
    /// Whether the schema depends on the body.
    ambiguous: bool,
    /// Whether a generated block in a collection has the marks of its `for_each`, as each of its attributes has.
    marks_blocks: bool,
    labels: Vec<String>,
}

/// Identifies a [`BodySpec`] and its clones in caches of the process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SpecId(u64);

impl SpecId {
    fn next() -> SpecId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        SpecId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The names that a spec reads from a body.
#[derive(Debug)]
pub(super) struct SpecSchema {
    pub(super) own: BodySchema,
    /// The names in `own`, and `dynamic` blocks.
    pub(super) with_dynamic: BodySchema,
    /// Whether `dynamic` blocks are expanded; false if the spec itself reads blocks of the type `dynamic`.
    pub(super) expands_dynamic: bool,
}

impl BodySpec {
    /// Prepares `spec` for decoding.
    pub fn new(spec: Spec) -> BodySpec {
        let mut labels: Vec<String> = Vec::new();
        let mut ambiguous = false;
        spec.walk(&mut |part| {
            ambiguous |= matches!(part, Spec::AttributeOrBlocks { .. });
            let Spec::Label { index, name } = part else { return };
            while labels.len() <= *index {
                labels.push(format!("label {}", labels.len() + 1));
            }
            if let Some(label) = labels.get_mut(*index) {
                label.clone_from(name);
            }
        });
        let (ty, schema) = (spec.ty(), Arc::new(SpecSchema::new(&spec, None)));
        BodySpec { id: SpecId::next(), spec, ty, schema, ambiguous, marks_blocks: true, labels }
    }

    /// Returns this spec for blocks of old providers: only the attributes of a generated block have the
    /// marks of its `for_each`.
    pub(super) fn without_marks_of_blocks(self) -> BodySpec {
        BodySpec { marks_blocks: false, ..self }
    }

    pub(super) fn marks_blocks(&self) -> bool {
        self.marks_blocks
    }

    pub(super) fn id(&self) -> SpecId {
        self.id
    }

    /// Returns the spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the type of the value, as far as the spec alone determines it.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns the names that a body may have.
    pub fn schema(&self) -> &BodySchema {
        &self.schema.own
    }

    /// Returns the names of the labels of blocks with such a body.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Returns the names that the spec reads from `body`.
    pub(super) fn schema_for(&self, body: &Body) -> Arc<SpecSchema> {
        match self.ambiguous {
            true => Arc::new(SpecSchema::new(&self.spec, Some(body))),
            false => Arc::clone(&self.schema),
        }
    }
}

impl SpecSchema {
    fn new(spec: &Spec, body: Option<&Body>) -> SpecSchema {
        let mut own = BodySchema::new();
        spec.walk(&mut |part| part.add_names(&mut own, body));
        let mut with_dynamic = own.clone();
        let expands_dynamic = !own.has_block(DYNAMIC);
        if expands_dynamic {
            with_dynamic.add_block(DYNAMIC, vec!["type".to_owned()]);
        }
        SpecSchema { own, with_dynamic, expands_dynamic }
    }
}
