//! [`AddressWord`], the first word of an address. The roots of references in expressions are a list of their own, the namespaces
//! of a dialect.

/// The first word of the addresses of a kind of objects, such as `output` in `output.name`, with the dot behind it: the text of
/// an address begins with both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressWord(pub(crate) &'static str);

macro_rules! words {
    ($($name:ident = $text:literal;)*) => {
        impl AddressWord {
            $(
                #[doc = concat!("`", $text, "`")]
                pub const $name: AddressWord = AddressWord(concat!($text, "."));
            )*
        }
    };
}

words! {
    VARIABLE = "var";
    LOCAL = "local";
    OUTPUT = "output";
    CHECK = "check";
    MODULE = "module";
    DATA = "data";
    EPHEMERAL = "ephemeral";
    ACTION = "action";
    PROVIDER = "provider";
    IMPORT = "import";
    SOURCE = "source";
    BUILD = "build";
}

impl AddressWord {
    /// Returns the word.
    pub fn as_str(self) -> &'static str {
        self.0.strip_suffix('.').unwrap_or(self.0)
    }
}

impl PartialEq<str> for AddressWord {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}
