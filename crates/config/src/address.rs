//! Addresses of the objects of a configuration. Each type has one canonical text form, its `Display`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use terrane_syntax::write_quoted;
use terrane_value::SmolStr;

use crate::address_word::AddressWord;

/// The key of an instance of an object with `count` or `for_each`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum InstanceKey {
    /// The only instance of an object without `count` and `for_each`.
    None,
    /// The index of an instance of a `count`: `[0]`.
    Index(u64),
    /// The key of an instance of a `for_each`: `["a"]`.
    Key(SmolStr),
}

impl InstanceKey {
    /// Returns the text between the brackets; `None` without a key.
    fn text(&self) -> Option<String> {
        match self {
            InstanceKey::None => None,
            InstanceKey::Index(index) => Some(index.to_string()),
            InstanceKey::Key(key) => Some(quote(key)),
        }
    }

    /// Returns the address of the instance with this key, if the address of its block is `block`.
    ///
    /// ```
    /// use terrane_config::address::InstanceKey;
    ///
    /// assert_eq!(InstanceKey::Index(2).address_in("aws_vpc.main"), "aws_vpc.main[2]");
    /// ```
    pub fn address_in(&self, block: &str) -> String {
        match self.text() {
            None => block.to_owned(),
            Some(text) => [block, "[", &text, "]"].concat(),
        }
    }
}

impl fmt::Display for InstanceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().map_or(Ok(()), |text| write_parts(f, &["[", &text, "]"]))
    }
}

/// Returns a string as written in the language.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    write_quoted(text, &mut quoted);
    quoted
}

/// One call on the path from the root module to another module.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ModuleStep {
    /// The name of the `module` block.
    pub name: SmolStr,
    /// The instance; [`InstanceKey::None`] may also mean all instances.
    pub key: InstanceKey,
}

/// Limit on the module calls of a path.
pub const MAX_MODULE_DEPTH: usize = 100;

/// The path from the root module to a module or module instance; the root module has an empty path. Cheap to clone: the paths of
/// callers share the steps of the path.
#[derive(Clone, Default)]
pub struct ModulePath {
    /// The steps of this path, and maybe further steps of a longer path that shares them.
    steps: Option<Arc<[ModuleStep]>>,
    length: usize,
}

impl ModulePath {
    /// The root module.
    pub const ROOT: ModulePath = ModulePath { steps: None, length: 0 };

    fn of(steps: Vec<ModuleStep>) -> ModulePath {
        ModulePath { length: steps.len(), steps: Some(steps.into()) }
    }

    /// Returns the calls from the root on.
    pub fn steps(&self) -> &[ModuleStep] {
        self.steps.as_deref().and_then(|steps| steps.get(..self.length)).unwrap_or_default()
    }

    /// Whether this is the root module.
    pub fn is_root(&self) -> bool {
        self.length == 0
    }

    /// Returns the path of the module, without the keys of its instances.
    #[must_use]
    pub fn without_keys(&self) -> ModulePath {
        if self.steps().iter().all(|step| step.key == InstanceKey::None) {
            return self.clone();
        }
        let without_key = |step: &ModuleStep| ModuleStep { name: step.name.clone(), key: InstanceKey::None };
        ModulePath::of(self.steps().iter().map(without_key).collect())
    }

    /// Returns the path of the caller and the last call; `None` for the root module.
    pub fn split_last(&self) -> Option<(ModulePath, &ModuleStep)> {
        let (last, outer) = self.steps().split_last()?;
        Some((ModulePath { steps: self.steps.clone(), length: outer.len() }, last))
    }

    /// Returns the path of the first `calls` calls.
    #[must_use]
    pub fn beginning(&self, calls: usize) -> ModulePath {
        ModulePath { steps: self.steps.clone(), length: self.length.min(calls) }
    }

    /// Returns the path of a module called from here.
    #[must_use]
    pub fn child(&self, name: &SmolStr, key: InstanceKey) -> ModulePath {
        let step = ModuleStep { name: name.clone(), key };
        ModulePath::of(self.steps().iter().cloned().chain([step]).collect())
    }
}

impl PartialEq for ModulePath {
    fn eq(&self, other: &ModulePath) -> bool {
        self.length == other.length
            && (is_same(self.steps.as_ref(), other.steps.as_ref()) || self.steps() == other.steps())
    }
}

/// Whether both lists of steps are the same allocation.
fn is_same(one: Option<&Arc<[ModuleStep]>>, other: Option<&Arc<[ModuleStep]>>) -> bool {
    one.zip(other).is_some_and(|(one, other)| Arc::ptr_eq(one, other))
}

impl Eq for ModulePath {}

impl Hash for ModulePath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps().hash(state);
    }
}

impl PartialOrd for ModulePath {
    fn partial_cmp(&self, other: &ModulePath) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ModulePath {
    fn cmp(&self, other: &ModulePath) -> Ordering {
        self.steps().cmp(other.steps())
    }
}

impl fmt::Debug for ModulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ModulePath").field(&self.steps()).finish()
    }
}

impl fmt::Display for ModulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps().iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for ModuleStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parts(f, &[AddressWord::MODULE.0, &self.name])?;
        self.key.fmt(f)
    }
}

/// The address of an object: `module.a["x"].local.b`, `aws_vpc.main[0]`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Address {
    /// The module that contains it.
    pub module: ModulePath,
    /// The object in its module.
    pub object: Object,
}

impl Address {
    /// Returns the address of all instances of the object, in all instances of its module.
    #[must_use]
    pub fn without_keys(&self) -> Address {
        Address { module: self.module.without_keys(), object: self.object.without_key() }
    }
}

/// An object, by its address in its module.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    /// `var.name`.
    Variable(SmolStr),
    /// `local.name`.
    Local(SmolStr),
    /// `output.name`.
    Output(SmolStr),
    /// `check.name`.
    Check(SmolStr),
    /// `module.name`, with the key if one instance is meant.
    ModuleCall(SmolStr, InstanceKey),
    /// `type.name`, `data.type.name`, `ephemeral.type.name` or `action.type.name`, with the key
    /// if one instance is meant.
    Resource {
        /// Whether it is a resource, a data source, an ephemeral resource or an action.
        mode: ResourceMode,
        /// The first label of the block.
        resource_type: SmolStr,
        /// The second label of the block.
        name: SmolStr,
        /// The key of one instance.
        key: InstanceKey,
    },
    /// `source.type.name` in a Packer template.
    Source(SmolStr, SmolStr),
    /// `build.name` in a Packer template. The name of a build without one is its position, from 0.
    Build(SmolStr),
    /// `provider.name` or `provider.name.alias`: the configuration of a provider, by its key.
    Provider(SmolStr),
    /// `import.type.name`: an `import` block, by the address of the imported resource.
    Import(SmolStr),
}

impl Object {
    /// Returns the key of the instance; `None` for an object that has no instances.
    pub fn key(&self) -> Option<&InstanceKey> {
        if let Object::ModuleCall(_, key) | Object::Resource { key, .. } = self { Some(key) } else { None }
    }

    /// Returns the first word of the address. `None` for a managed resource, whose address begins with its type.
    pub const fn word(&self) -> Option<AddressWord> {
        Some(match self {
            Object::Variable(_) => AddressWord::VARIABLE,
            Object::Local(_) => AddressWord::LOCAL,
            Object::Output(_) => AddressWord::OUTPUT,
            Object::Check(_) => AddressWord::CHECK,
            Object::ModuleCall(..) => AddressWord::MODULE,
            Object::Resource { mode, .. } => return mode.word(),
            Object::Source(..) => AddressWord::SOURCE,
            Object::Build(_) => AddressWord::BUILD,
            Object::Provider(_) => AddressWord::PROVIDER,
            Object::Import(_) => AddressWord::IMPORT,
        })
    }

    /// Returns the block of the instance.
    #[must_use]
    pub fn without_key(&self) -> Object {
        let mut block = self.clone();
        if let Object::ModuleCall(_, key) | Object::Resource { key, .. } = &mut block {
            *key = InstanceKey::None;
        }
        block
    }
}

/// The kind of block that declares a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ResourceMode {
    /// A `resource` block.
    Managed,
    /// A `data` block.
    Data,
    /// An `ephemeral` block.
    Ephemeral,
    /// An `action` block.
    Action,
}

impl ResourceMode {
    /// Returns the name of the mode in plans and states of the products.
    pub const fn name(self) -> &'static str {
        match self {
            ResourceMode::Managed => "managed",
            ResourceMode::Data => "data",
            ResourceMode::Ephemeral => "ephemeral",
            ResourceMode::Action => "action",
        }
    }

    /// Returns the first word of its addresses. `None` for managed resources, whose addresses begin with their types.
    pub const fn word(self) -> Option<AddressWord> {
        match self {
            ResourceMode::Managed => None,
            ResourceMode::Data => Some(AddressWord::DATA),
            ResourceMode::Ephemeral => Some(AddressWord::EPHEMERAL),
            ResourceMode::Action => Some(AddressWord::ACTION),
        }
    }

    /// Returns the type of its blocks.
    pub const fn block_type(self) -> &'static str {
        match self {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data",
            ResourceMode::Ephemeral => "ephemeral",
            ResourceMode::Action => "action",
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word().map_or("", |word| word.0);
        match self {
            Object::Variable(name)
            | Object::Local(name)
            | Object::Output(name)
            | Object::Check(name)
            | Object::Build(name)
            | Object::Provider(name)
            | Object::Import(name) => write_parts(f, &[word, name]),
            Object::Source(source_type, name) => write_parts(f, &[word, source_type, ".", name]),
            Object::ModuleCall(name, key) => {
                write_parts(f, &[word, name])?;
                key.fmt(f)
            }
            Object::Resource { resource_type, name, key, .. } => {
                write_parts(f, &[word, resource_type, ".", name])?;
                key.fmt(f)
            }
        }
    }
}

/// Writes parts one after the other. A document has thousands of addresses, and `write!` takes several times as long.
fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[&str]) -> fmt::Result {
    parts.iter().try_for_each(|part| f.write_str(part))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.module.is_root() {
            self.module.fmt(f)?;
            f.write_str(".")?;
        }
        self.object.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_print_in_their_canonical_form() {
        let module = ModulePath::ROOT
            .child(&"a".into(), InstanceKey::Key("x\"y".into()))
            .child(&"b".into(), InstanceKey::Index(1));
        let object = Object::Resource {
            mode: ResourceMode::Data,
            resource_type: "aws_ami".into(),
            name: "this".into(),
            key: InstanceKey::Index(0),
        };
        let address = Address { module, object };
        assert_eq!(address.to_string(), r#"module.a["x\"y"].module.b[1].data.aws_ami.this[0]"#);
        let key = InstanceKey::Key("é\u{200b}\u{1}${".into());
        assert_eq!(key.to_string(), r#"["é\u200b\u0001$${"]"#);
    }

    #[test]
    fn paths_that_share_steps_are_those_of_their_own_steps() {
        let child = |path: &ModulePath, name: &str, key| path.child(&name.into(), key);
        let outer = child(&ModulePath::ROOT, "a", InstanceKey::None);
        let inner = child(&outer, "b", InstanceKey::Index(1));
        let (caller, last) = inner.split_last().expect("a call");
        assert_eq!((&caller, &*last.name, caller.to_string()), (&outer, "b", "module.a".to_owned()));
        assert_eq!(inner.beginning(1), outer);
        assert_eq!(inner.beginning(9), inner);
        assert_eq!((inner.beginning(0), inner.beginning(0).is_root()), (ModulePath::ROOT, true));
        assert!(outer < inner && caller < inner && caller != inner);
        assert!(std::collections::HashSet::from([outer]).contains(&caller));
        assert_eq!(inner.without_keys().to_string(), "module.a.module.b");
        assert!(ModulePath::ROOT.split_last().is_none());
    }
}
