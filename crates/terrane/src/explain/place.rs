//! Finds the expression of a line in a file.

use std::path::Path;
use std::sync::Arc;

use terrane_config::address::Object;
use terrane_module::InstanceId;
use terrane_module::module::ResourceKey;
use terrane_module::place::{PlaceScope, ScopeBlock, scopes_at};
use terrane_source::{FileId, SourceFile, Span};
use terrane_syntax::tree::{BodyId, Item};
use terrane_syntax::walk::Event;
use terrane_syntax::{Expr, ExprId, Expression, Tree, parse_body};
use terrane_value::Entries;

use super::builder::{Builder, ObjectId, ObjectRef, secret};
use super::site::{Part, Site};
use crate::secrets::{has_secret, is_secret};

/// The target of a line: an expression in the scope of an instance, or the object whose block begins there.
pub(super) enum LineTarget<'r> {
    Part(Part<'r>),
    Object(ObjectRef),
}

/// Splits `FILE:LINE`.
pub(super) fn line_of(text: &str) -> Option<(&str, u32)> {
    let (file, line) = text.rsplit_once(':')?;
    Some((file, line.parse().ok().filter(|line| *line > 0)?)).filter(|(file, _)| !file.is_empty())
}

/// The targets of a line of a file, each with the address of the object around it.
pub(super) fn targets<'r>(builder: &Builder<'r>, file: &str, line: u32) -> Vec<(LineTarget<'r>, String)> {
    let config = &builder.evaluation().config;
    let sources = || config.nodes().flat_map(|(_, node)| &node.module.sources);
    // A path as messages show it, or one in the directory.
    let relative = Path::new(file).strip_prefix(".").unwrap_or(Path::new(file));
    let named = [Path::new(file).to_owned(), relative.to_owned(), config.request.directory.join(relative)];
    let source =
        named.iter().find_map(|named| sources().find(|source| *source.id() == FileId::new(named.as_path())));
    let Some(source) = source else { return Vec::new() };
    let Some(span) = span_of_line(source, line) else { return Vec::new() };
    let expression = expression_on(source, span);
    let at = expression.as_ref().map_or(span, Expression::span);
    let scopes = scopes_at(builder.evaluation(), source.id().clone(), at, builder.files);
    let mut found = Vec::new();
    for scope in scopes {
        let Some(instance) = builder.instance_at(scope.module_path()) else { continue };
        let address = scope.address();
        let object = address.as_ref().and_then(|address| object(builder, instance, &address.object));
        let name =
            address.map_or_else(|| format!("{file}:{line}"), |address| format!("{address}, {file}:{line}"));
        let target = match (&expression, object) {
            // The value may be given elsewhere.
            (Some(_), Some(object @ ObjectRef { object: ObjectId::Variable(_), .. })) => {
                LineTarget::Object(object)
            }
            (Some(expression), object) => {
                let is_secret = scope.is_declared_secret()
                    || object.as_ref().is_some_and(|object| marks(builder, object, &scope, expression));
                let (block, key) = match object.map(|object| object.object) {
                    Some(ObjectId::Resource(id, key)) => (ScopeBlock::Resource(id), key),
                    Some(ObjectId::Call(id, key)) => (ScopeBlock::Call(id), key),
                    Some(_) | None => (ScopeBlock::Single, terrane_config::InstanceKey::None),
                };
                let site = Site::new(instance, block, key, scope, builder.files);
                LineTarget::Part(secret(site.in_loops().part(expression.clone()), is_secret))
            }
            (None, Some(object)) => LineTarget::Object(object),
            (None, None) => continue,
        };
        found.push((target, name));
    }
    found
}

/// Whether an object makes the value of an expression in it a secret: a sensitive output, an argument of a sensitive variable,
/// an attribute of a resource with a secret in it.
fn marks(builder: &Builder<'_>, object: &ObjectRef, scope: &PlaceScope<'_>, expression: &Expression) -> bool {
    let module = builder.module(object.instance);
    match &object.object {
        ObjectId::Output(id) => {
            let output = module.outputs.at(*id);
            output.sensitive || output.ephemeral
        }
        ObjectId::Call(id, _) => {
            let span = expression.span();
            let arguments = &module.calls.at(*id).arguments;
            let argument = arguments.iter().find(|(_, (_, argument))| {
                let whole = argument.span();
                whole.start <= span.start && span.end <= whole.end
            });
            let node = builder.evaluation().config.node(builder.instance(object.instance).node);
            let called = node.called[*id].map(|called| &builder.evaluation().config.node(called).module);
            let variable = called.zip(argument).and_then(|(called, (name, _))| called.variables.get(name));
            variable.is_some_and(terrane_module::module::Variable::is_secret)
        }
        ObjectId::Resource(..) => {
            let value = builder.object_value(object);
            let argument =
                |all: &Entries| scope.path().first().and_then(|name| all.get(name)).is_some_and(has_secret);
            is_secret(value.marks()) || value.known_attributes().map_or_else(|| has_secret(&value), argument)
        }
        ObjectId::Variable(_) | ObjectId::Local(_) => false,
    }
}

fn object(builder: &Builder<'_>, instance: InstanceId, object: &Object) -> Option<ObjectRef> {
    let module = builder.module(instance);
    let object = match object {
        Object::Variable(name) => ObjectId::Variable(module.variables.id_of(name)?),
        Object::Local(name) => ObjectId::Local(module.locals.id_of(name)?),
        Object::Output(name) => ObjectId::Output(module.outputs.id_of(name)?),
        Object::ModuleCall(name, key) => ObjectId::Call(module.calls.id_of(name)?, key.clone()),
        Object::Resource(mode, resource_type, name, key) => {
            let (resource_type, name) = (resource_type.clone(), name.clone());
            let (id, _) = module.resources.find(&ResourceKey { mode: *mode, resource_type, name })?;
            ObjectId::Resource(id, key.clone())
        }
        Object::Check(_)
        | Object::Source(..)
        | Object::Build(_)
        | Object::Provider(_)
        | Object::Import(_) => {
            return None;
        }
    };
    Some(ObjectRef { instance, object })
}

/// The bytes of a line without the white space around it.
fn span_of_line(source: &SourceFile, line: u32) -> Option<Span> {
    let mut start = 0;
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    for (position, text) in source.text().split_inclusive('\n').enumerate() {
        if position == index {
            let trimmed = text.trim();
            let from = start + (text.len() - text.trim_start().len());
            return Some(Span::new(u32::try_from(from).ok()?, u32::try_from(from + trimmed.len()).ok()?));
        }
        start += text.len();
    }
    None
}

/// The outermost expression that begins on a line: the value of an argument, or of an item of an object.
fn expression_on(source: &Arc<SourceFile>, line: Span) -> Option<Expression> {
    let parsed = parse_body(source);
    let (tree, mut body): (Arc<Tree>, BodyId) = (parsed.tree, parsed.root);
    loop {
        let overlaps = |span: Span| span.start < line.end && line.start < span.end;
        let is_on_line = |item: &&Item| match item {
            Item::Attribute(id) => overlaps(tree.attribute_span(tree.attribute(*id))),
            Item::Block(id) => overlaps(tree.block_span(tree.block(*id))),
        };
        let item = |body| tree.list(tree.body(body).items).iter().find(is_on_line);
        match item(body)? {
            Item::Attribute(id) => {
                let id = first_on(&tree, tree.attribute(*id).expr, line)?;
                return Some(Expression { tree, id });
            }
            Item::Block(id) => {
                let block = tree.block(*id);
                // A block on one line has its arguments beside the header.
                if overlaps(tree.header_span(block)) && item(block.body).is_none() {
                    return None;
                }
                body = block.body;
            }
        }
    }
}

/// The outermost part of an expression that begins on the line; of an item of an object its value.
fn first_on(tree: &Arc<Tree>, root: ExprId, line: Span) -> Option<ExprId> {
    let begins = |id: ExprId| (line.start..line.end).contains(&tree.span(id).start);
    let mut at = root;
    while !begins(at) {
        if let Expr::Object(items) = tree.expr(at)
            && let Some(item) = tree.list(items).iter().find(|item| begins(item.key))
        {
            at = item.value;
            return Some(at);
        }
        let (mut next, mut first) = (None, None);
        tree.walk(at, &mut |event| {
            if let Event::Expr(id) = event {
                let span = tree.span(id);
                if begins(id) && first.is_none() {
                    first = Some(id);
                } else if span.start < line.start && line.start < span.end {
                    next = Some(id);
                }
            }
        });
        at = first.or(next)?;
    }
    Some(at)
}
