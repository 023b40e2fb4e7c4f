use terrane_eval::Semantics;

/// Which product and edition a configuration is written for. Today there is one: plain `.tf` files with the
/// newest semantics and the functions of both products, so that no valid module is refused.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// `.tf` files, read as Terraform 1.12 and OpenTofu 1.12 do.
    #[default]
    Newest,
}

impl Dialect {
    /// How file names of configuration end.
    pub const fn extension(self) -> &'static str {
        match self {
            Dialect::Newest => ".tf",
        }
    }

    /// The semantic switches of the evaluator.
    pub fn semantics(self) -> Semantics {
        match self {
            Dialect::Newest => Semantics { short_circuit: true },
        }
    }
}
