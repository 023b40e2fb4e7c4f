//! Kinds of components: sources, data sources, provisioners and post-processors.

/// The kinds of components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComponentKind {
    Source,
    Data,
    Provisioner,
    CleanupProvisioner,
    PostProcessor,
}

impl ComponentKind {
    /// Returns the word for the kind.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ComponentKind::Source => "source",
            ComponentKind::Data => "data source",
            ComponentKind::Provisioner | ComponentKind::CleanupProvisioner => "provisioner",
            ComponentKind::PostProcessor => "post-processor",
        }
    }

    /// Returns the kind under which the table of components lists it.
    pub(crate) const fn of_component(self) -> ComponentKind {
        match self {
            ComponentKind::CleanupProvisioner => ComponentKind::Provisioner,
            ComponentKind::Source
            | ComponentKind::Data
            | ComponentKind::Provisioner
            | ComponentKind::PostProcessor => self,
        }
    }
}
