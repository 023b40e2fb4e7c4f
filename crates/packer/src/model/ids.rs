//! Typed ids of the declarations of a template.

terrane_config::ids! {
    /// Names a variable of a template.
    VariableId;
    /// Names a local value of a template.
    LocalId;
    /// Names a `data` block of a template.
    DataId;
    /// Names a `source` block of a template.
    SourceId;
}
