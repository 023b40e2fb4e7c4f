//! [`AddressWord`], the first word of an address: the one list of them.

/// The first word of the addresses of a kind of objects, such as `output` in `output.name`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressWord {
    text: &'static str,
    with_dot: &'static str,
}

macro_rules! words {
    ($($name:ident = $text:literal;)*) => {
        impl AddressWord {
            $(
                #[doc = concat!("`", $text, "`")]
                pub const $name: AddressWord = AddressWord { text: $text, with_dot: concat!($text, ".") };
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
    pub const fn as_str(self) -> &'static str {
        self.text
    }

    /// Returns the word with the dot behind it.
    pub(crate) const fn with_dot(self) -> &'static str {
        self.with_dot
    }
}

impl PartialEq<str> for AddressWord {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}
