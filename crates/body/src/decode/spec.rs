use std::path::Path;
use std::sync::Arc;

use terrane_eval::{FunctionTable, Scope, Semantics, Variables, evaluate};
use terrane_function::{CallEnv, Limits};
use terrane_source::{Diagnostics, MemoryFiles, Span};
use terrane_syntax::Expression;
use terrane_value::{SmolStr, Type, Value};

use crate::body::Body;
use crate::body_schema::BodySchema;
use crate::body_schema::DYNAMIC;
use crate::content::{Content, Label};

/// How a value is made of a body: what a decoder does, as data.
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
    /// An object with a value for each name.
    Object(Vec<(SmolStr, Spec)>),
    /// A tuple.
    Tuple(Vec<Spec>),
    /// The value of an attribute; null where it is not set.
    Attribute {
        /// The name.
        name: SmolStr,
        /// The type that the value is converted to.
        ty: Type,
        /// Whether it must or may be set.
        usage: Usage,
    },
    /// The value of an attribute that is a list or set of objects, or blocks of its name in the place of these
    /// objects; null where there is neither.
    AttributeOrBlocks {
        /// The name.
        name: SmolStr,
        /// The type.
        ty: Type,
        /// What the bodies of the blocks are.
        nested: Arc<BodySpec>,
    },
    /// Always the same.
    Literal(Value),
    /// The value of an expression in the scope of the body.
    Expression(Expression),
    /// The only block of a type; null where there is none.
    Block {
        /// The type of the block.
        block_type: SmolStr,
        /// What its body is.
        nested: Arc<BodySpec>,
        /// Whether it must be there.
        required: bool,
    },
    /// All blocks of a type.
    Blocks {
        /// The type of the blocks.
        block_type: SmolStr,
        /// What makes them up.
        collection: Collection,
        /// What their bodies are.
        nested: Arc<BodySpec>,
        /// How many there must be.
        min: usize,
        /// How many there may be; 0 for any number.
        max: usize,
    },
    /// All blocks of a type, by their first labels.
    LabelledBlocks {
        /// The type of the blocks.
        block_type: SmolStr,
        /// What these labels are; at least one.
        labels: Vec<String>,
        /// Whether the result is an object, which may have attributes of different types; otherwise it is a map.
        object: bool,
        /// What their bodies are.
        nested: Arc<BodySpec>,
    },
    /// A map of all attributes of the only block of a type.
    BlockAttributes {
        /// The type of the block.
        block_type: SmolStr,
        /// The type that the values are converted to.
        element: Type,
        /// Whether the block must be there.
        required: bool,
    },
    /// A label of the block whose body it is, not counting labels that are keys.
    Label {
        /// Which one, from 0.
        index: usize,
        /// What the label is.
        name: String,
    },
    /// Another value in the place of null.
    Default {
        /// What counts if it is not null.
        primary: Box<Spec>,
        /// What counts otherwise.
        default: Box<Spec>,
    },
    /// A value that is computed from another one.
    Transform {
        /// The other one.
        wrapped: Box<Spec>,
        /// The expression that computes it.
        result: Expression,
        /// The name for the other value in the expression, where no other name is known.
        name: String,
        /// The functions that the expression may call.
        functions: Arc<FunctionTable>,
    },
}

/// Whether an attribute must or may be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Usage {
    /// It may be set.
    Optional,
    /// It must be set.
    Required,
    /// It must be set, and not to null.
    NotNull,
    /// It must not be set to anything but null, because the provider sets it.
    ReadOnly,
}

impl Usage {
    /// Whether it is a mistake to leave it out.
    pub fn is_required(self) -> bool {
        matches!(self, Usage::Required | Usage::NotNull)
    }
}

/// What a collection of blocks is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collection {
    /// A list: all have one type.
    List,
    /// A set: all have one type.
    Set,
    /// A tuple: each may have a type of its own.
    Tuple,
}

/// The type of the result for an unknown value of the other type.
fn transformed_type(ty: Type, result: &Expression, name: &str, functions: &FunctionTable) -> Type {
    let (files, limits) = (MemoryFiles::new(), Limits::default());
    let env = CallEnv::new(&files, Path::new("."), &limits);
    let names = Variables::new().with(name, Value::unknown(ty));
    let scope = Scope { names: &names, functions, env: &env, semantics: Semantics::default() };
    evaluate(result, &scope, &mut Diagnostics::new()).ty()
}

impl Spec {
    /// An object with a value for each name.
    pub fn object<'n>(specs: impl IntoIterator<Item = (&'n str, Spec)>) -> Spec {
        Spec::Object(specs.into_iter().map(|(name, spec)| (SmolStr::from(name), spec)).collect())
    }

    /// The value of an attribute that may be set.
    pub fn attribute(name: &str, ty: Type) -> Spec {
        Spec::Attribute { name: SmolStr::from(name), ty, usage: Usage::Optional }
    }

    /// The value of an attribute that must be set.
    pub fn required_attribute(name: &str, ty: Type) -> Spec {
        Spec::Attribute { name: SmolStr::from(name), ty, usage: Usage::Required }
    }

    /// The only block of a type.
    pub fn block(block_type: &str, nested: Spec) -> Spec {
        let nested = Arc::new(BodySpec::new(nested));
        Spec::Block { block_type: SmolStr::from(block_type), nested, required: false }
    }

    /// A list of all blocks of a type.
    pub fn block_list(block_type: &str, nested: Spec) -> Spec {
        let nested = Arc::new(BodySpec::new(nested));
        let collection = Collection::List;
        Spec::Blocks { block_type: SmolStr::from(block_type), collection, nested, min: 0, max: 0 }
    }

    /// A map of all blocks of a type by their labels.
    pub fn block_map(block_type: &str, labels: &[&str], nested: Spec) -> Spec {
        let nested = Arc::new(BodySpec::new(nested));
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        Spec::LabelledBlocks { block_type: SmolStr::from(block_type), labels, object: false, nested }
    }

    /// The type of the value, as far as it is known before there is a body.
    pub fn ty(&self) -> Type {
        match self {
            Spec::Object(specs) => Type::object(specs.iter().map(|(name, spec)| (name.clone(), spec.ty()))),
            Spec::Tuple(specs) => Type::tuple(specs.iter().map(Spec::ty)),
            Spec::Attribute { ty, .. } | Spec::AttributeOrBlocks { ty, .. } => ty.without_optional(),
            Spec::Literal(value) => value.ty(),
            Spec::Expression(_) => Type::Dynamic,
            Spec::Block { nested, .. } => nested.ty().clone(),
            Spec::Blocks { nested, collection, .. } => match collection {
                Collection::List => Type::list(nested.ty().clone()),
                Collection::Set => Type::set(nested.ty().clone()),
                Collection::Tuple => Type::Dynamic,
            },
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

    /// The specs of the same body that it is made of.
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

    /// It and all specs of the same body that it is made of.
    pub(crate) fn walk<'s>(&'s self, visit: &mut dyn FnMut(&'s Spec)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// Adds the names that it reads. What may be an attribute or blocks is what `body` has, and an attribute where
    /// there is no body.
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

    /// Where the value is written in a body; where it is not, a place for it.
    pub(crate) fn span(&self, content: &Content, labels: &[Label]) -> Span {
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

/// A [`Spec`] for a body, with what follows from it.
#[derive(Clone, Debug)]
pub struct BodySpec {
    spec: Spec,
    ty: Type,
    names: Arc<Names>,
    /// Whether the names depend on the body.
    ambiguous: bool,
    labels: Vec<String>,
}

/// The names that a body may have.
#[derive(Debug)]
pub(crate) struct Names {
    /// The names, with that of `dynamic` blocks.
    pub(crate) all: BodySchema,
    /// The names.
    pub(crate) own: BodySchema,
    /// Whether `dynamic` blocks are expanded; not where they are ordinary blocks of the spec.
    pub(crate) has_dynamic: bool,
}

impl BodySpec {
    /// What follows from `spec`.
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
        BodySpec { ty: spec.ty(), names: Arc::new(names(&spec, None)), spec, ambiguous, labels }
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The type of the value, as far as it is known before there is a body.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The names that a body may have.
    pub fn schema(&self) -> &BodySchema {
        &self.names.own
    }

    /// What the labels of blocks with such a body are.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The names that `body` may have.
    pub(crate) fn names_for(&self, body: &Body) -> Arc<Names> {
        if self.ambiguous { Arc::new(names(&self.spec, Some(body))) } else { Arc::clone(&self.names) }
    }
}

fn names(spec: &Spec, body: Option<&Body>) -> Names {
    let mut own = BodySchema::new();
    spec.walk(&mut |part| part.add_names(&mut own, body));
    let mut all = own.clone();
    let has_dynamic = own.labels(DYNAMIC).is_none();
    if has_dynamic {
        all.add_block(DYNAMIC, vec!["type".to_owned()]);
    }
    Names { all, own, has_dynamic }
}
