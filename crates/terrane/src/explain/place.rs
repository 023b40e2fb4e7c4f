//! Finds the expressions and objects on a line of a file, for `terrane explain FILE:LINE`.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use terrane_body::constant::constant_string;
use terrane_config::InstanceKey;
use terrane_config::address::{Address, ModulePath, Object};
use terrane_module::InstanceId;
use terrane_module::module::ResourceKey;
use terrane_module::place::{LineSpan, Loop, OnLine, PlaceScope, ScopeBlock, on_line, scopes_at};
use terrane_source::{Diagnostics, FileId, SourceFile, Span};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::builder::{Builder, ObjectId, ObjectRef, secret};
use super::path::{self, Key};
use super::site::{ExplainSite, ExpressionPart};
use super::target::target;

/// The most objects that a message names.
const MAX_NAMED: usize = 5;

/// The target of a line: an expression in the scope of an instance, or the object whose block begins there.
pub(super) enum LineTarget<'r> {
    /// An expression, and the declaration around it that makes its value a secret, in words.
    Part(ExpressionPart<'r>, Option<String>),
    Object(ObjectRef),
}

/// A part of the configuration on a line, in one instance of its module and block.
struct LinePart<'r> {
    /// The address of the object around the part.
    address: Option<Address>,
    object: Option<ObjectRef>,
    /// The expression with its scope. `None` for a whole object.
    part: Option<(Expression, PlaceScope<'r>)>,
    /// An expression of an `import` block.
    of_import: Option<ExpressionPart<'r>>,
    /// The place as the user wrote it, with the elements of the loops around it.
    place: String,
}

/// The reason why a line has no target.
#[derive(Clone)]
pub(super) enum NoLine {
    /// No file of the configuration has this name.
    File,
    /// The line has no part with a value.
    Value,
    /// The line is in several objects, but only one can be explained. Holds their addresses.
    Several(String),
    /// The line is in a module without instances. Holds the path of the module.
    Module(ModulePath),
    /// The line is in a block without instances. Holds the address of the block.
    Instances(Option<Address>),
    /// The line is in a loop that has no elements, or whose condition is false for all of them.
    Elements,
}

/// A line of a file, or a column of it, as the user wrote it.
#[derive(Clone, Copy)]
pub(super) struct LineAddress<'p> {
    file: &'p str,
    line: u32,
    column: Option<u32>,
}

impl<'p> LineAddress<'p> {
    /// Reads `FILE:LINE` or `FILE:LINE:COLUMN`.
    pub(super) fn parse(text: &'p str) -> Option<LineAddress<'p>> {
        let number = |text: &'p str| {
            let (before, number) = text.rsplit_once(':')?;
            Some((before, number.parse::<u32>().ok().filter(|number| *number > 0)?))
        };
        let (before, last) = number(text.trim())?;
        let (file, line, column) = match number(before) {
            Some((file, line)) => (file, line, Some(last)),
            None => (before, last, None),
        };
        (!file.is_empty()).then_some(LineAddress { file, line, column })
    }

    /// Returns the bytes of the line from the column on, without the white space around them.
    fn span(self, source: &SourceFile) -> Option<LineSpan> {
        let line = span_of_line(source, self.line)?;
        let Some(column) = self.column else { return Some(LineSpan::Whole(line)) };
        let characters = source.slice(line).char_indices().filter_map(|(at, _)| u32::try_from(at).ok());
        let offsets: Vec<u32> = characters.map(|at| line.start.saturating_add(at)).collect();
        let column_of = |offset: u32| source.line_column(offset).column;
        let start = offsets.partition_point(|offset| column_of(*offset) < column);
        Some(LineSpan::From(Span::new(*offsets.get(start)?, line.end)))
    }
}

/// Returns at most `most` targets of a line, each with the address of the object around it.
pub(super) fn targets<'r>(
    builder: &Builder<'r>,
    asked: LineAddress<'_>,
    most: usize,
) -> Result<Vec<(LineTarget<'r>, String)>, NoLine> {
    let mut objects: HashSet<ObjectRef> = HashSet::new();
    let mut reason = NoLine::Value;
    let elements = found(builder, asked)?.flat_map(|found| {
        let in_elements = elements_of(builder, found, most);
        reason = in_elements.as_ref().err().cloned().unwrap_or_else(|| reason.clone());
        in_elements.unwrap_or_default()
    });
    let targets = elements.filter_map(|LinePart { address, object, part, of_import, place }| {
        let name = address.map_or_else(|| place.clone(), |address| format!("{address}, {place}"));
        if let Some(part) = of_import {
            return Some((LineTarget::Part(part, None), name));
        }
        let target = match (part, object) {
            // The value of a variable may be given outside of the file, so the whole variable is explained.
            (Some((_, scope)), Some(object @ ObjectRef { object: ObjectId::Variable(_), .. }))
                if scope.path().first().is_none_or(|name| name != "validation") =>
            {
                LineTarget::Object(object)
            }
            (Some((expression, scope)), object) => {
                let marks = secret_by(builder, object.as_ref(), &expression, &scope);
                let part = part_of(builder, object, expression, scope)?;
                LineTarget::Part(secret(part, marks.is_some()), marks)
            }
            (None, object) => LineTarget::Object(object?),
        };
        let is_new = match &target {
            LineTarget::Object(object) => objects.insert(object.clone()),
            LineTarget::Part(..) => true,
        };
        is_new.then_some((target, name))
    });
    let targets: Vec<(LineTarget<'r>, String)> = targets.take(most).collect();
    if targets.is_empty() { Err(reason) } else { Ok(targets) }
}

/// Returns a part of the configuration once for each element of the loops around it, at most `most` times. Elements that a
/// condition leaves out are skipped. If a collection is unknown or a secret, its names stand for any element.
fn elements_of<'r>(
    builder: &Builder<'r>,
    found: LinePart<'r>,
    most: usize,
) -> Result<Vec<LinePart<'r>>, NoLine> {
    let Some((expression, scope)) = found.part else { return Ok(vec![found]) };
    let LinePart { address, object, place, .. } = found;
    if !scope.has_instance() {
        return Err(NoLine::Instances(address.map(|address| address.without_keys())));
    }
    let mut reached = Vec::new();
    // Each scope has the number of loops whose element is chosen, and the next element of the loop behind them.
    let mut left = vec![(scope.metered(Arc::clone(&builder.meter)), 0, 0)];
    while let Some((scope, decided, element)) = left.pop().filter(|_| reached.len() < most) {
        let loops = scope.loops(builder.files);
        let outer = loops.get(..decided).unwrap_or_default();
        let is_passed_over = |around: &Loop| match &around.condition {
            Some(condition) => !builder.hides(condition) && path::truth(condition) == Some(false),
            None => false,
        };
        if outer.last().is_some_and(is_passed_over) {
            continue;
        }
        let Some(next) = loops.get(decided) else {
            let keys = loops.iter().filter(|around| around.count != Some(1)).filter_map(|around| {
                let key = Key::of_element(&around.collection, around.element?)?;
                Some(format!(", element {}", key.index()))
            });
            let place = format!("{place}{}", keys.collect::<String>());
            let (address, object) = (address.clone(), object.clone());
            let part = Some((expression.clone(), scope));
            reached.push(LinePart { address, object, part, of_import: None, place });
            continue;
        };
        match next.count.filter(|_| !builder.hides(&next.collection)) {
            Some(count) if element < count => {
                left.push((scope.clone(), decided, element + 1));
                left.push((scope.at_element(decided, element), decided + 1, 0));
            }
            Some(_) => {}
            None => left.push((scope, decided + 1, 0)),
        }
    }
    if reached.is_empty() { Err(NoLine::Elements) } else { Ok(reached) }
}

/// Returns the address without keys of the object on a line.
pub(super) fn object_on(builder: &Builder<'_>, asked: LineAddress<'_>) -> Result<Address, NoLine> {
    let mut seen: HashSet<Address> = HashSet::new();
    let addresses = found(builder, asked)?.filter_map(|found| Some(found.address?.without_keys()));
    let addresses = addresses.filter(|address| seen.insert(address.clone()));
    let addresses: Vec<Address> = addresses.take(MAX_NAMED + 1).collect();
    match addresses.as_slice() {
        [] => Err(NoLine::Value),
        [only] => Ok(only.clone()),
        several => {
            let names = several.iter().take(MAX_NAMED).map(|address| format!("`{address}`"));
            let more = if several.len() > MAX_NAMED { " and others" } else { "" };
            Err(NoLine::Several(names.collect::<Vec<_>>().join(", ") + more))
        }
    }
}

/// Returns the outermost module without instances around a module without instances.
fn outermost_without_instances(builder: &Builder<'_>, path: ModulePath) -> ModulePath {
    let instances = builder.evaluation().instances().iter();
    let made: HashSet<ModulePath> = instances.map(|instance| instance.path.without_keys()).collect();
    let outer =
        |path: &ModulePath| path.split_last().map(|(outer, _)| outer).filter(|outer| !made.contains(outer));
    std::iter::successors(Some(path.clone()), outer).last().unwrap_or(path)
}

/// Returns the parts of the configuration on a line, found one after the other.
fn found<'f, 'r: 'f>(
    builder: &'f Builder<'r>,
    asked: LineAddress<'f>,
) -> Result<Box<dyn Iterator<Item = LinePart<'r>> + 'f>, NoLine> {
    let config = &builder.evaluation().config;
    let mut seen: HashSet<&FileId> = HashSet::new();
    let sources = config.nodes().flat_map(|(_, node)| &node.module.sources);
    let sources: Vec<&Arc<SourceFile>> = sources.filter(|source| seen.insert(source.id())).collect();
    let Some(source) = named(builder, asked.file, &sources) else {
        return Ok(Box::new(std::iter::once(assigned(builder, asked)?)));
    };
    let mut modules = config
        .nodes()
        .filter(|(_, node)| node.module.sources.iter().any(|of| of.id() == source.id()))
        .peekable();
    let first = modules.peek().map(|(_, node)| node.path.clone());
    let has_instance = |id| builder.evaluation().instances().iter().any(|instance| instance.node == id);
    if let Some(path) = first
        && !modules.any(|(id, _)| has_instance(id))
    {
        return Err(NoLine::Module(outermost_without_instances(builder, path)));
    }
    let finder = Finder { builder, source, asked };
    let Some((line, place)) = asked.span(source).and_then(|line| Some((line, on_line(source, line)?))) else {
        return Err(NoLine::Value);
    };
    let (start, arguments) = match place {
        OnLine::Expression(expression) => {
            let of_import = finder.of_import(&expression, line.span(), asked.line);
            return Ok(match of_import.is_empty() {
                false => Box::new(of_import.into_iter()),
                true => Box::new(finder.expression(expression, asked.line)),
            });
        }
        OnLine::Block { start, arguments } => (start, arguments),
    };
    let mut own = finder.objects(start, asked.line, |scope| scope.path().is_empty()).peekable();
    if own.peek().is_some() {
        return Ok(Box::new(own));
    }
    let line_of = move |at: u32| source.line_column(at).line;
    let mut arguments = arguments
        .into_iter()
        .flat_map(move |argument| finder.expression(argument.clone(), line_of(argument.span().start)))
        .peekable();
    Ok(match arguments.peek() {
        Some(_) => Box::new(arguments),
        None => Box::new(finder.objects(start, asked.line, |_| true)),
    })
}

/// Returns the source with the path as messages show it; otherwise the source with the path in the directory, or with another
/// path of the same file.
fn named<'s>(
    builder: &Builder<'_>,
    file: &str,
    sources: &[&'s Arc<SourceFile>],
) -> Option<&'s Arc<SourceFile>> {
    let file = Path::new(file);
    let relative = file.strip_prefix(".").unwrap_or(file);
    let below = builder.evaluation().config.request.directory.join(relative);
    let exact = [file, relative, &below];
    let is_exact = |path: &Path| sources.iter().find(|source| *source.id() == FileId::new(path)).copied();
    let same = |path: &Path| {
        let path = builder.files.canonicalize(path).ok()?;
        let is_same = |source: &&&Arc<SourceFile>| {
            builder.files.canonicalize(source.id().path()).is_ok_and(|other| other == path)
        };
        sources.iter().find(is_same).copied()
    };
    exact.iter().find_map(|path| is_exact(path)).or_else(|| same(file)).or_else(|| same(&below))
}

/// Returns the variable that a line of a variable file sets.
fn assigned<'r>(builder: &Builder<'r>, asked: LineAddress<'_>) -> Result<LinePart<'r>, NoLine> {
    let all = builder.report.inputs().assignments();
    let places = all.iter().filter_map(|assignment| {
        let (name, value) = (assignment.name_place.as_ref()?, assignment.place()?);
        Some((assignment, name.span.to(value.span), value.file))
    });
    let places: Vec<_> = places.collect();
    let sources: Vec<&Arc<SourceFile>> = places.iter().map(|(_, _, source)| source).collect();
    let source = named(builder, asked.file, &sources).ok_or(NoLine::File)?;
    let span = asked.span(source).ok_or(NoLine::Value)?.span();
    let is_there = |place: Span| place.start < span.end && span.start < place.end;
    let mut on_line = places.iter().filter(|(_, place, other)| other.id() == source.id() && is_there(*place));
    let (assignment, ..) = on_line.next().ok_or(NoLine::Value)?;
    let variable = Object::Variable(assignment.name.clone());
    let object = object_of(builder, InstanceId::ROOT, &variable);
    let address = Address { module: ModulePath::ROOT, object: variable };
    let place = format!("{}:{}", asked.file, asked.line);
    Ok(LinePart { address: Some(address), object, part: None, of_import: None, place })
}

/// Finds the scopes of places in a file.
#[derive(Clone, Copy)]
struct Finder<'f, 'r> {
    builder: &'f Builder<'r>,
    source: &'r Arc<SourceFile>,
    /// The place as the user wrote it.
    asked: LineAddress<'f>,
}

impl<'f, 'r: 'f> Finder<'f, 'r> {
    fn scopes(self, span: Span) -> impl Iterator<Item = PlaceScope<'r>> + use<'r> {
        scopes_at(self.builder.evaluation(), self.source.id().clone(), span, self.builder.files)
    }

    /// Returns an expression in each instance, or the object around it if the expression has no value.
    fn expression(
        self,
        expression: Expression,
        line: u32,
    ) -> impl Iterator<Item = LinePart<'r>> + use<'f, 'r> {
        self.scopes(expression.span()).map(move |scope| {
            let found = self.object(&scope, line);
            let argument = scope.path().last().map_or("", SmolStr::as_str);
            let is_address =
                !scope.has_value() && found.address.is_none() && matches!(argument, "to" | "from");
            // A list of objects may have addresses in quotes.
            if is_address || scope.lists_objects() && text_of(&expression).is_some() {
                return self.addressed(&expression, &scope, found);
            }
            // The elements of a list of objects have the values of the objects.
            let has_value = scope.has_value() || scope.lists_objects();
            let part = has_value.then(|| (expression.clone(), scope));
            LinePart { part, ..found }
        })
    }

    /// Returns the object whose address is written in a block, if the configuration has that object.
    fn addressed(self, expression: &Expression, scope: &PlaceScope<'r>, found: LinePart<'r>) -> LinePart<'r> {
        let prefix = match scope.module_path() {
            path if path.is_root() => String::new(),
            path => format!("{path}."),
        };
        let written = || expression.source().slice(expression.span()).into();
        let address = text_of(expression).unwrap_or_else(written);
        let object = target(self.builder, &format!("{prefix}{address}")).ok().map(|part| part.object);
        let address = object.as_ref().map(|object| self.builder.address(object));
        LinePart { address, object, ..found }
    }

    /// Returns the object around a place, in each of the wanted instances.
    fn objects(
        self,
        span: Span,
        line: u32,
        is_wanted: fn(&PlaceScope<'_>) -> bool,
    ) -> impl Iterator<Item = LinePart<'r>> + use<'f, 'r> {
        let scopes = self.scopes(span).filter(is_wanted);
        scopes.map(move |scope| self.object(&scope, line)).filter(|found| found.object.is_some())
    }

    /// Returns the object around a place in one instance.
    fn object(self, scope: &PlaceScope<'r>, line: u32) -> LinePart<'r> {
        let address = scope.address();
        let instance = self.builder.instance_at(scope.module_path());
        let object = instance.zip(address.as_ref());
        let object =
            object.and_then(|(instance, address)| object_of(self.builder, instance, &address.object));
        let place = format!("{}:{line}", self.asked.file);
        LinePart { address, object, part: None, of_import: None, place }
    }

    /// Returns the parts of an `import` block on a line that contain this expression.
    fn of_import(self, expression: &Expression, span: Span, line: u32) -> Vec<LinePart<'r>> {
        let parts = self.builder.parts_of_import(self.source, span, expression).into_iter();
        let found = parts.map(|part| {
            let element = part.site.bound("each").and_then(|each| each.element.as_ref());
            let element = element.map_or_else(String::new, |key| format!(", element {}", key.index()));
            let place = format!("{}:{line}{element}", self.asked.file);
            LinePart { address: None, object: None, part: None, of_import: Some(part), place }
        });
        found.collect()
    }
}

/// Returns the text of a constant string.
fn text_of(expression: &Expression) -> Option<String> {
    constant_string(expression, &mut Diagnostics::new())
}

/// Returns an expression in its scope.
fn part_of<'r>(
    builder: &Builder<'r>,
    object: Option<ObjectRef>,
    expression: Expression,
    scope: PlaceScope<'r>,
) -> Option<ExpressionPart<'r>> {
    let instance = builder.instance_at(scope.module_path())?;
    let (block, key) = match object.map(|object| object.object) {
        Some(ObjectId::Resource(id, key)) => (ScopeBlock::Resource(id), key),
        Some(ObjectId::Call(id, key)) => (ScopeBlock::Call(id), key),
        Some(_) | None => (ScopeBlock::Single, InstanceKey::None),
    };
    let scope = scope.metered(Arc::clone(&builder.meter));
    let site = ExplainSite::new(instance, block, key, scope, builder.files);
    Some(site.in_loops(|value| builder.hides(value)).part(expression))
}

/// Returns in words the declaration that makes the value of an expression a secret: of a sensitive output, of the variable that
/// an argument sets, or of an attribute in a schema.
fn secret_by(
    builder: &Builder<'_>,
    object: Option<&ObjectRef>,
    expression: &Expression,
    scope: &PlaceScope<'_>,
) -> Option<String> {
    let argument = scope.path().first();
    let name = || scope.path().iter().map(SmolStr::as_str).collect::<Vec<_>>().join(".");
    let address = || scope.address().map_or_else(String::new, |address| address.to_string());
    let declared =
        |is_sensitive| if is_sensitive { "is declared sensitive" } else { "is declared ephemeral" };
    if scope.is_declared_secret() {
        return Some(match scope.address() {
            Some(address) => format!("the schema of {address} declares `{}` sensitive", name()),
            None => "the configuration of encryption is a secret".to_owned(),
        });
    }
    let object = object?;
    let module = builder.module(object.instance);
    match &object.object {
        ObjectId::Output(id) => {
            let output = module.outputs.at(*id);
            let is_secret =
                (output.sensitive || output.ephemeral) && argument.is_some_and(|name| name == "value");
            is_secret.then(|| format!("{} {}", address(), declared(output.sensitive)))
        }
        ObjectId::Call(id, _) => {
            let node = builder.evaluation().config.node(builder.instance(object.instance).node);
            let called = node.called[*id].map(|called| &builder.evaluation().config.node(called).module);
            let variable = called.zip(argument).and_then(|(called, name)| called.variables.get(name))?;
            let is_secret = variable.is_secret();
            is_secret.then(|| format!("{}.var.{} {}", address(), name(), declared(variable.sensitive)))
        }
        ObjectId::Resource(..) => builder
            .hides_place(object, argument, expression)
            .then(|| format!("a part of {} is a secret", address())),
        ObjectId::Variable(_) | ObjectId::Local(_) => None,
    }
}

fn object_of(builder: &Builder<'_>, instance: InstanceId, object: &Object) -> Option<ObjectRef> {
    let module = builder.module(instance);
    let object = match object {
        Object::Variable(name) => ObjectId::Variable(module.variables.id_of(name)?),
        Object::Local(name) => ObjectId::Local(module.locals.id_of(name)?),
        Object::Output(name) => ObjectId::Output(module.outputs.id_of(name)?),
        Object::ModuleCall(name, key) => ObjectId::Call(module.calls.id_of(name)?, key.clone()),
        Object::Resource { mode, resource_type, name, key } => {
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

/// Returns the bytes of a line without the white space around them.
fn span_of_line(source: &SourceFile, line: u32) -> Option<Span> {
    let mut start = 0;
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    for (position, text) in source.text().split_inclusive('\n').enumerate() {
        if position == index {
            let trimmed = text.trim();
            let space = text.len() - text.trim_start().len();
            let from = if trimmed.is_empty() { start } else { start + space };
            return Some(Span::new(u32::try_from(from).ok()?, u32::try_from(from + trimmed.len()).ok()?));
        }
        start += text.len();
    }
    None
}
