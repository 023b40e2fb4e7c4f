//! The registry of diagnostic ids.
//!
//! Each row is an id, its title and its meaning: the cause and, if it helps, the fix. An id keeps its meaning for ever. `cargo
//! xtask diagnostics` generates the reference page `docs/diagnostics.md` from this table.

use super::id::DiagnosticId;

macro_rules! registry {
    ($($(#[$group:meta])* $name:ident = $id:literal, $title:literal, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: DiagnosticId = DiagnosticId { id: $id, title: $title, meaning: $meaning };
        )*

        /// Every id, in the order of the registry.
        pub const ALL: &[DiagnosticId] = &[$($name),*];
    };
}

registry! {
    // Files
    FILE_TOO_LARGE = "core:file-too-large", "File too large", "The source files of a configuration have more bytes than the limit, or one has 4 GiB or more. The limit is `--max-memory` divided by 64.";
    INVALID_ENCODING = "core:invalid-encoding", "Invalid character encoding", "A source file is not UTF-8 text. Save it as UTF-8.";
    UNREADABLE_FILE = "core:unreadable-file", "Failed to read file", "A file or directory cannot be read: it does not exist, is not permitted, or is of the wrong kind. The detail gives the reason.";
    UNWRITABLE_FILE = "core:unwritable-file", "Failed to write file", "A file cannot be written. The detail gives the reason; the file is unchanged.";
    LINK_LEADS_OUT = "core:link-leads-out", "Link leads out of the directory", "A symbolic link in a directory to format leads to a file outside of it, which is not formatted. Format the file by its path, or pass `-follow-links`.";
    UNKNOWN_FILE_TYPE = "core:unknown-file-type", "Unknown type of file", "The ending of a file's name is not one that the command reads.";
    INVALID_ROOT_LIST = "core:invalid-root-list", "Invalid list of root modules", "A `fleet.toml` or `atlantis.yaml` has a syntax error, or a key or value that is not allowed there, so it names no root modules. The roots that other signs tell are evaluated.";
    NO_SUCH_ROOT = "core:no-such-root", "Named root module not found", "A `fleet.toml` or `atlantis.yaml` names a directory that does not exist, has no module, or is outside of the directory of the file.";
    UNREADABLE_SCHEMA = "core:unreadable-schema", "Unreadable provider schema", "A stored provider schema cannot be read or is damaged, so resources of the provider have no schema. Import it again, or remove it with `terrane schemas remove`.";
    SCHEMA_OF_OTHER_VERSION = "core:schema-of-other-version", "Schema of another provider version", "The lock file selects a version of a provider whose schema is not stored, and the store has other versions. The detail says which one is used. Import the schema of the selected version with `terrane schemas import`.";
    NOT_SUPPORTED = "core:not-supported-yet", "Not supported yet", "The configuration uses a part of the language that this version of Terrane does not support.";
    // Syntax: characters
    INVALID_CHARACTER = "core:invalid-character", "Invalid character", "A character is not allowed at this place. Remove it, or quote the text around it.";
    UNSUPPORTED_OPERATOR = "core:unsupported-operator", "Unsupported operator", "An operator of another language is used. The detail names the one to use.";
    TOKEN_TOO_LONG = "core:token-too-long", "Name or number too long", "A name, number or heredoc marker has 64 MiB or more. Shorten it.";
    INVALID_MULTI_LINE_STRING = "core:invalid-multi-line-string", "Invalid multi-line string", "A quoted string continues after the end of its line. Close it on the line, or use a heredoc or `\\n`.";
    INVALID_ESCAPE = "core:invalid-escape", "Invalid escape sequence", "A backslash in a quoted string does not start an escape sequence of the language. Write `\\\\` for a backslash.";
    INVALID_NUMBER = "core:invalid-number", "Invalid number literal", "A number literal has a wrong form, such as two dots or an exponent without digits.";
    // Syntax: bodies
    ITEM_REQUIRED = "core:item-required", "Argument or block definition required", "A body must contain arguments and blocks, but another token starts the line.";
    ARGUMENT_REQUIRED = "core:argument-required", "Argument definition required", "A block on one line contains another block. Write the outer block over several lines.";
    INVALID_ARGUMENT_NAME = "core:invalid-argument-name", "Invalid argument name", "The name of an argument is quoted. Remove the quotes.";
    ATTRIBUTE_REDEFINED = "core:attribute-redefined", "Attribute redefined", "A body sets the same argument twice. Remove one of them.";
    MISSING_NEWLINE_AFTER_ARGUMENT = "core:missing-newline-after-argument", "Missing newline after argument", "Another token follows an argument on its line. Start a new line after each argument.";
    UNEXPECTED_COMMA_AFTER_ARGUMENT = "core:unexpected-comma-after-argument", "Unexpected comma after argument", "A comma follows an argument. Arguments are separated by newlines: remove the comma.";
    INVALID_BLOCK = "core:invalid-block", "Invalid block definition", "The header of a block is not followed by `{`. A header is a type, optional labels, and `{` on the same line.";
    INVALID_SINGLE_ARGUMENT_BLOCK = "core:invalid-single-argument-block", "Invalid single-argument block definition", "A block on one line contains several arguments, or its `}` is on another line. Write the block over several lines.";
    MISSING_NEWLINE_AFTER_BLOCK = "core:missing-newline-after-block", "Missing newline after block definition", "Another token follows the `}` of a block on its line. Start a new line after each block.";
    UNCLOSED_BLOCK = "core:unclosed-block", "Unclosed configuration block", "A block has no closing `}`.";
    INVALID_STRING_LITERAL = "core:invalid-string-literal", "Invalid string literal", "A block label contains a template sequence. Write a literal string, and `$${` or `%%{` for a literal `${` or `%{`.";
    UNTERMINATED_STRING_LITERAL = "core:unterminated-string-literal", "Unterminated string literal", "A block label has no closing quote.";
    // Syntax: expressions
    INVALID_EXPRESSION = "core:invalid-expression", "Invalid expression", "An expression is expected, but another token stands there.";
    MISSING_EXPRESSION = "core:missing-expression", "Missing expression", "The text ends before the expression that it needs.";
    EXTRA_AFTER_EXPRESSION = "core:extra-after-expression", "Extra characters after expression", "Other text follows a complete expression. Remove it, or join the two with an operator.";
    MISSING_FALSE_EXPRESSION = "core:missing-false-expression", "Missing false expression in conditional", "A conditional has no `:` with a second result. Write `condition ? result : other`.";
    UNBALANCED_PARENTHESES = "core:unbalanced-parentheses", "Unbalanced parentheses", "An opening parenthesis has no closing `)`.";
    INVALID_ATTRIBUTE_NAME = "core:invalid-attribute-name", "Invalid attribute name", "A dot is not followed by an attribute name.";
    INVALID_LEGACY_INDEX = "core:invalid-legacy-index", "Invalid legacy index syntax", "Two indexes are chained with dots, as in `a.0.1`. Use brackets: `a[0][1]`.";
    NESTED_SPLAT = "core:nested-splat", "Nested splat expression not allowed", "`.*` is used inside another `.*`. Use `[*]` instead.";
    MISSING_SPLAT_BRACKET = "core:missing-splat-bracket", "Missing close bracket on splat index", "`[*` has no closing `]`.";
    MISSING_INDEX_BRACKET = "core:missing-index-bracket", "Missing close bracket on index", "An index has no closing `]`.";
    MISSING_FUNCTION_NAME = "core:missing-function-name", "Missing function name", "`::` is not followed by a function name.";
    MISSING_OPEN_PARENTHESIS = "core:missing-open-parenthesis", "Missing open parenthesis", "A function name with `::` is not followed by `(`. Such a name can only be called.";
    MISSING_CLOSE_PARENTHESIS = "core:missing-close-parenthesis", "Missing closing parenthesis", "Another token follows the `...` of the last argument of a call. `...` must stand just before `)`.";
    UNTERMINATED_CALL = "core:unterminated-call", "Unterminated function call", "A function call has no closing `)`.";
    MISSING_ARGUMENT_SEPARATOR = "core:missing-argument-separator", "Missing argument separator", "Two arguments of a function call are not separated by a comma.";
    UNTERMINATED_TUPLE = "core:unterminated-tuple", "Unterminated tuple constructor expression", "A tuple has no closing `]`.";
    MISSING_ITEM_SEPARATOR = "core:missing-item-separator", "Missing item separator", "Two elements of a tuple are not separated by a comma.";
    UNTERMINATED_OBJECT = "core:unterminated-object", "Unterminated object constructor expression", "An object has no closing `}`.";
    MISSING_ATTRIBUTE_VALUE = "core:missing-attribute-value", "Missing attribute value", "A key of an object has no value. Write `key = value`.";
    MISSING_KEY_SEPARATOR = "core:missing-key-separator", "Missing key/value separator", "A key of an object is not followed by `=` or `:`.";
    MISSING_ATTRIBUTE_SEPARATOR = "core:missing-attribute-separator", "Missing attribute separator", "Two items of an object are not separated by a comma or a newline.";
    INVALID_FOR = "core:invalid-for", "Invalid 'for' expression", "A `for` expression has a wrong form. Write `[for v in list : result]` or `{for k, v in map : key => value}`.";
    // Syntax: templates
    UNTERMINATED_TEMPLATE = "core:unterminated-template", "Unterminated template string", "A quoted string has no closing quote, or a heredoc has no closing marker.";
    UNCLOSED_INTERPOLATION = "core:unclosed-interpolation", "Unclosed template interpolation sequence", "`${` has no closing `}`. Write `$${` for a literal `${`.";
    EXTRA_AFTER_INTERPOLATION = "core:extra-after-interpolation", "Extra characters after interpolation expression", "Another token follows the expression in `${ }`. An interpolation contains one expression.";
    INVALID_DIRECTIVE = "core:invalid-directive", "Invalid template directive", "`%{` is not followed by a keyword. Write `%%{` for a literal `%{`.";
    INVALID_DIRECTIVE_KEYWORD = "core:invalid-directive-keyword", "Invalid template control keyword", "`%{` is followed by a name that is not one of `if`, `else`, `endif`, `for` and `endfor`.";
    INVALID_FOR_DIRECTIVE = "core:invalid-for-directive", "Invalid 'for' directive", "A `%{for}` directive has a wrong form. Write `%{for v in list}` or `%{for k, v in map}`.";
    EXTRA_IN_IF = "core:extra-in-if", "Extra characters in if marker", "Another token follows the condition of `%{if}`.";
    EXTRA_IN_ELSE = "core:extra-in-else", "Extra characters in else marker", "Another token follows the keyword of `%{else}`.";
    EXTRA_IN_ENDIF = "core:extra-in-endif", "Extra characters in endif marker", "Another token follows the keyword of `%{endif}`.";
    EXTRA_IN_FOR = "core:extra-in-for", "Extra characters in for marker", "Another token follows the collection of `%{for}`.";
    EXTRA_IN_ENDFOR = "core:extra-in-endfor", "Extra characters in endfor marker", "Another token follows the keyword of `%{endfor}`.";
    UNEXPECTED_TEMPLATE_END = "core:unexpected-template-end", "Unexpected end of template", "A template ends inside an `%{if}` or `%{for}`. Add the `%{endif}` or `%{endfor}`.";
    UNEXPECTED_ELSE = "core:unexpected-else", "Unexpected else directive", "An `%{else}` has no `%{if}`, or follows another `%{else}` of the same `%{if}`.";
    UNEXPECTED_ENDIF = "core:unexpected-endif", "Unexpected endif directive", "An `%{endif}` has no `%{if}`.";
    UNEXPECTED_ENDFOR = "core:unexpected-endfor", "Unexpected endfor directive", "An `%{endfor}` has no `%{for}`.";
    // Syntax: JSON
    JSON_MISSING_VALUE = "core:json-missing-value", "Missing value", "JSON text ends before a value that it needs.";
    JSON_INVALID_VALUE = "core:json-invalid-value", "Invalid start of value", "A JSON value is expected, but other text, such as a comment, stands there.";
    JSON_MISSING_PROPERTY_VALUE = "core:json-missing-property-value", "Missing JSON value", "A JSON object ends after a colon. Add the value of the property.";
    JSON_MISSING_ELEMENT = "core:json-missing-element", "Missing array element value", "A JSON array ends before an element that it needs.";
    JSON_INVALID_NAME = "core:json-invalid-name", "Invalid object property name", "The name of a JSON property is not a string. Write it in double quotes.";
    JSON_MISSING_COLON = "core:json-missing-colon", "Missing property value colon", "The name of a JSON property is not followed by a colon.";
    JSON_NAME_ONLY = "core:json-name-only", "Missing object value", "A JSON property has a name but no value. Add a colon and a value.";
    JSON_MISSING_COMMA = "core:json-missing-comma", "Missing attribute seperator comma", "Two properties of a JSON object, or two elements of a JSON array, are not separated by a comma.";
    JSON_TRAILING_COMMA_IN_OBJECT = "core:json-trailing-comma-in-object", "Trailing comma in object", "A comma follows the last property of a JSON object. Remove the comma.";
    JSON_TRAILING_COMMA_IN_ARRAY = "core:json-trailing-comma-in-array", "Trailing comma in array", "A comma follows the last element of a JSON array. Remove the comma.";
    JSON_COLON_IN_ARRAY = "core:json-colon-in-array", "Invalid array value", "A JSON array contains a colon. Use an object for named values.";
    JSON_UNCLOSED = "core:json-unclosed", "Unclosed object", "A JSON object has no closing `}`, or a JSON array no closing `]`.";
    JSON_MISMATCHED_BRACES = "core:json-mismatched-braces", "Mismatched braces", "A JSON object is closed by `]`. Use `}`.";
    JSON_MISMATCHED_BRACKETS = "core:json-mismatched-brackets", "Mismatched brackets", "A JSON array is closed by `}`. Use `]`.";
    JSON_INVALID_NUMBER = "core:json-invalid-number", "Invalid JSON number", "A number does not have the form of JSON, for example `01`, `.5` or `+1`.";
    JSON_INVALID_STRING = "core:json-invalid-string", "Invalid JSON string", "A JSON string has no closing quote, or contains an invalid escape sequence.";
    JSON_INVALID_KEYWORD = "core:json-invalid-keyword", "Invalid JSON keyword", "An unquoted word in JSON is not `true`, `false` or `null`. Quote it if it is a string.";
    JSON_EXTRA = "core:json-extra", "Extraneous data after value", "Other text follows the value of a JSON file. A file contains one value.";
    JSON_ROOT = "core:json-root", "Root value must be object", "The top-level value of a JSON configuration file is neither an object nor an array of objects.";
    // Expressions: values and operators
    INVALID_OPERAND = "core:invalid-operand", "Invalid operand", "An operand does not convert to the type that the operator requires.";
    OPERATION_FAILED = "core:operation-failed", "Operation failed", "An operator has no result for these operands, as in a division by zero.";
    UNKNOWN_VARIABLE = "core:unknown-variable", "Unknown variable", "An expression refers to a variable that does not exist in its scope.";
    UNSUPPORTED_ATTRIBUTE = "core:unsupported-attribute", "Unsupported attribute", "A value has no attribute of this name.";
    MISSING_MAP_ELEMENT = "core:missing-map-element", "Missing map element", "A map has no element with this key.";
    INVALID_INDEX = "core:invalid-index", "Invalid index", "A collection has no element with this index, or the value cannot be indexed.";
    INDEX_OF_NULL = "core:index-of-null", "Attempt to index null value", "An index is applied to null.";
    ATTRIBUTE_OF_NULL = "core:attribute-of-null", "Attempt to get attribute from null value", "An attribute is read from null.";
    INCONSISTENT_CONDITIONAL = "core:inconsistent-conditional", "Inconsistent conditional result types", "The two results of a conditional have no common type. Convert one of them.";
    INCORRECT_CONDITION = "core:incorrect-condition", "Incorrect condition type", "The condition of a conditional is not a bool.";
    NULL_CONDITION = "core:null-condition", "Null condition", "The condition of a conditional is null.";
    INVALID_TEMPLATE_VALUE = "core:invalid-template-value", "Invalid template interpolation value", "An interpolated value does not convert to a string. Use a function such as `join` or `jsonencode`.";
    ITERATION_OVER_NULL = "core:iteration-over-null", "Iteration over null value", "The collection of a `for` expression is null.";
    ITERATION_NOT_POSSIBLE = "core:iteration-not-possible", "Iteration over non-iterable value", "The collection of a `for` expression is not a list, set, tuple, map or object.";
    INVALID_FOR_CONDITION = "core:invalid-for-condition", "Invalid 'for' condition", "The `if` clause of a `for` expression is not a bool.";
    NULL_FOR_CONDITION = "core:null-for-condition", "Condition is null", "The `if` clause of a `for` expression is null.";
    INVALID_OBJECT_KEY = "core:invalid-object-key", "Invalid object key", "The key of an object item does not convert to a string.";
    NULL_KEY = "core:null-key", "Null value as key", "The key of an object item is null.";
    DUPLICATE_OBJECT_KEY = "core:duplicate-object-key", "Duplicate object key", "A `for` expression produces the same key twice. Write `...` after the value to group the values by key.";
    SPLAT_OF_NULL = "core:splat-of-null", "Splat of null value", "A splat is applied to a null list.";
    INVALID_EXPANSION = "core:invalid-expansion", "Invalid expanding argument value", "The argument before `...` is not a list, set or tuple.";
    TOO_DEEP = "core:too-deep", "Too deeply nested", "A file, expression or value is nested deeper than the limit.";
    LIMIT_EXCEEDED = "core:limit-exceeded", "Limit exceeded", "A run exceeds one of its limits, such as steps, memory, time or the size of its output. The detail names the limit, and the hint the option that raises it.";
    INTERRUPTED = "core:interrupted", "Interrupted", "An evaluation was cancelled, for example with control-C.";
    VARIABLES_NOT_ALLOWED = "core:variables-not-allowed", "Variables not allowed", "A variable is used in an expression that must be constant.";
    AMBIGUOUS_KEY = "core:ambiguous-key", "Ambiguous attribute key", "The key of an object item is a name with dots. Quote a literal key; put a reference in parentheses.";
    INCORRECT_KEY_TYPE = "core:incorrect-key-type", "Incorrect key type", "The key of an object item is not a string.";
    INVALID_NESTED_SPLAT = "core:invalid-nested-splat", "Invalid nested splat expressions", "A splat inside a splat produces elements of different types.";
    // Type constraints
    INVALID_TYPE = "core:invalid-type", "Invalid type specification", "A type constraint has a wrong form or names a type that does not exist.";
    INVALID_OPTIONAL_DEFAULT = "core:invalid-optional-default", "Invalid default value for optional attribute", "The default of an optional attribute does not convert to the type of the attribute.";
    QUOTED_TYPE = "core:quoted-type", "Invalid quoted type constraints", "A type constraint is quoted, as in old versions. Remove the quotes.";
    LEGACY_TYPE_HINT = "core:legacy-type-hint", "Invalid legacy variable type hint", "A type constraint is a quoted string that names no type.";
    // Dynamic blocks
    INVALID_DYNAMIC_ITERATOR = "core:invalid-dynamic-iterator", "Invalid dynamic iterator name", "The `iterator` of a `dynamic` block is not a single name.";
    INVALID_DYNAMIC_FOR_EACH = "core:invalid-dynamic-for-each", "Invalid dynamic for_each value", "The `for_each` of a `dynamic` block is null or not a collection.";
    MISSING_DYNAMIC_CONTENT = "core:missing-dynamic-content", "Missing dynamic content block", "A `dynamic` block has no `content` block.";
    EXTRA_DYNAMIC_CONTENT = "core:extra-dynamic-content", "Extraneous dynamic content block", "A `dynamic` block has more than one `content` block.";
    INVALID_DYNAMIC_LABEL = "core:invalid-dynamic-label", "Invalid dynamic block label", "A label of a `dynamic` block is null, unknown, sensitive or not a string.";
    EXTRA_DYNAMIC_LABEL = "core:extra-dynamic-label", "Extraneous dynamic block label", "A `dynamic` block has more labels than the block type takes.";
    TOO_FEW_DYNAMIC_LABELS = "core:too-few-dynamic-labels", "Insufficient dynamic block labels", "A `dynamic` block has fewer labels than the block type takes.";
    // Decoding
    INCORRECT_ATTRIBUTE_TYPE = "core:incorrect-attribute-type", "Incorrect attribute value type", "The value of an argument does not convert to the type in the schema.";
    INVALID_ATTRIBUTE_VALUE = "core:invalid-attribute-value", "Invalid attribute value", "In a block with arguments of any name, the value of an argument has the wrong type.";
    MISSING_BLOCK = "core:missing-block", "Missing block", "A body lacks a required block.";
    TOO_FEW_BLOCKS = "core:too-few-blocks", "Insufficient blocks", "A body has fewer blocks of a type than the schema requires.";
    TOO_MANY_BLOCKS = "core:too-many-blocks", "Too many blocks", "A body has more blocks of a type than the schema allows.";
    MISSING_SPEC = "core:missing-spec", "Missing spec block", "A spec file, or a spec that needs a nested spec, contains none.";
    EXTRANEOUS_SPEC = "core:extraneous-spec", "Extraneous spec block", "A spec file, or a spec that takes one nested spec, contains several.";
    MISSING_SPEC_NAME = "core:missing-spec-name", "Missing name in attribute spec", "An `attr` spec has no name for the argument that it reads.";
    MISSING_SPEC_BLOCK_TYPE = "core:missing-spec-block-type", "Missing block_type in block spec", "A block spec has no `block_type`.";
    MISSING_SPEC_LABELS = "core:missing-spec-labels", "Invalid block label name list", "A `block_map` spec has no label names.";
    INVALID_BLOCK_MAP = "core:invalid-block-map", "Invalid block_map spec", "A `block_map` spec contains attributes of type `any`.";
    INVALID_BLOCK_LABELS = "core:invalid-block-labels", "Invalid block_labels spec", "A `block_labels` spec is used outside of a block spec.";
    INVALID_TRANSFORM = "core:invalid-transform", "Invalid transform spec", "A `transform` spec does not contain exactly one nested spec.";
    INVALID_PARAMETER = "core:invalid-parameter", "Invalid param element", "In a spec file, a parameter of a function is not a name.";
    INVALID_VARIADIC_PARAMETER = "core:invalid-variadic-parameter", "Invalid variadic_param", "In a spec file, the variadic parameter of a function is not a name.";
    USELESS_DEFAULT = "core:useless-default", "Useless default block", "A `default` spec contains a single nested spec, so the default is never used. Add a second one.";
    INCONSISTENT_BLOCKS = "core:inconsistent-blocks", "Unconsistent argument types in blocks", "Blocks that become one list, set or map have values of different types.";
    // Functions
    UNKNOWN_FUNCTION = "core:unknown-function", "Call to unknown function", "A call names a function that does not exist in this dialect and edition.";
    TOO_FEW_ARGUMENTS = "core:too-few-arguments", "Not enough function arguments", "A function call has fewer arguments than the function requires.";
    TOO_MANY_ARGUMENTS = "core:too-many-arguments", "Too many function arguments", "A function call has more arguments than the function takes.";
    INVALID_ARGUMENT = "core:invalid-argument", "Invalid function argument", "An argument of a function call has the wrong type or a value that the function does not accept.";
    FUNCTION_FAILED = "core:function-failed", "Error in function call", "A function reports an error for these arguments.";
    INVALID_TYPE_CALL = "core:invalid-type-call", "Invalid use of type function", "The result of the console function `type` is used inside another expression. Use it as the whole expression.";
    // Modules
    UNREADABLE_DIRECTORY = "core:unreadable-directory", "Failed to read directory", "A directory with configuration cannot be read. The detail gives the reason.";
    NO_CONFIGURATION = "core:no-configuration", "No configuration files", "A directory contains no configuration files.";
    UNREADABLE_MODULE = "core:unreadable-module", "Unreadable module directory", "The directory of a called module, or the directory given for a module source, does not exist.";
    BROKEN_MANIFEST = "core:broken-manifest", "Invalid module manifest", "The manifest of installed modules (`modules.json`) cannot be used. Run `init` again.";
    CHANGED_MODULE_SOURCE = "core:changed-module-source", "Module source has changed", "The `source` of a module call differs from the source of the installed module. Run `init` again.";
    CHANGED_MODULE_VERSION = "core:changed-module-version", "Module version requirements have changed", "The version of the installed module does not satisfy the `version` of the call. Run `init` again.";
    UNUSED_MODULE_DIRECTORY = "core:unused-module-directory", "Unused module directory", "A directory was given for a module source that no call has.";
    INVALID_GIVEN_VALUE = "core:invalid-given-value", "Invalid value given by hand", "A value is given by hand (`--set`, `--mocks`) for an address that takes none, for an argument that the configuration sets, or it has a wrong type.";
    UNUSED_GIVEN_VALUE = "core:unused-given-value", "Unused value given by hand", "A value is given by hand (`--set`, `--mocks`) for an object or an instance that the configuration does not have, for an output that no expression reads, of a module that is not on disk, for an attribute that no expression reads, of a resource without a schema whose expressions read a similar name, or in a mock file for an attribute that it cannot be given for.";
    PREVENTED_DESTRUCTION = "core:prevented-destruction", "Instance cannot be destroyed", "The plan of a state destroys or replaces an object whose block has `prevent_destroy`.";
    UNMATCHED_REPLACEMENT = "core:unmatched-replacement", "Incompletely-matched force-replace resource instance", "An address of `terrane plan -replace` names no instance of the configuration.";
    FORGOTTEN_OBJECTS = "core:forgotten-objects", "Objects are no longer managed", "The plan of a state removes objects from the state without destroying them, because a `removed` block has `destroy = false`.";
    BLOCKED_MOVES = "core:blocked-moves", "Unresolved resource instance address changes", "Objects of a state do not move as `moved` blocks, or a block that has got or lost `count`, say: other objects are at their new addresses.";
    NEWER_STATE_OBJECT = "core:newer-state-object", "Resource instance managed by newer provider version", "The state has an object in a newer version of the schema of its type than the schema that is read, so the provider has to be upgraded.";
    UNREADABLE_STATE_OBJECT = "core:unreadable-state-object", "Unreadable object in the state", "The state has an object in a form that does not fit the schema of its resource type, of another version of this schema, or with attributes in the form from before Terraform 0.12, which only a schema makes readable.";
    PLAN_OF_OTHER_CONFIGURATION = "core:plan-of-other-configuration", "Plan of another configuration", "The document of `--plan` has other values than the configuration, for a variable or for the arguments of a resource, or lacks a resource, perhaps because `-refresh-only` plans none.";
    OBJECT_OF_OTHER_PROVIDER = "core:object-of-other-provider", "Object of another provider", "A state or a plan has an object with another provider than the configuration gives it, so its recorded values are not used.";
    REMOTE_STATE_NOT_FOUND = "core:remote-state-not-found", "Unable to find remote state", "A `terraform_remote_state` of the local backend has no state file, or one that may not be read: its outputs are unknown.";
    UNREADABLE_REMOTE_STATE = "core:unreadable-remote-state", "Unsupported state file format", "The file that a `terraform_remote_state` reads is not a state, or it is a directory.";
    NOT_KNOWN = "core:not-known", "Value not known", "`--require-known` asks for a value that is unknown or partly unknown. The detail gives the reasons.";
    INVALID_MODULE_SOURCE = "core:invalid-module-source", "Invalid module source address", "The `source` of a module call is not a valid address.";
    INVALID_REGISTRY_SOURCE = "core:invalid-registry-source", "Invalid registry module source address", "A module call has a `version`, but its `source` is not a registry address.";
    DYNAMIC_IN_STATIC = "core:dynamic-in-static", "Dynamic value in static context", "A value that is needed before evaluation, such as a module source, refers to a value that is only known later.";
    STATIC_MODULE_OUTPUT = "core:static-module-output", "Module output not supported in static context", "A value that is needed before evaluation refers to an output of a module.";
    NOT_CONSTANT = "core:not-constant", "Unable to use variable in static context", "A value that is needed before evaluation refers to a variable with `const = false`.";
    CIRCULAR_REFERENCE = "core:circular-reference", "Circular reference", "A value that is needed before evaluation refers to itself, directly or through other values.";
    SENSITIVE_NOT_ALLOWED = "core:sensitive-not-allowed", "Sensitive value not allowed", "A value that is needed before evaluation is sensitive.";
    EPHEMERAL_NOT_ALLOWED = "core:ephemeral-not-allowed", "Ephemeral value not allowed", "A value that is needed before evaluation, or the value of a variable that is not ephemeral, is ephemeral.";
    DEPRECATED_VARIABLE = "core:deprecated-variable", "Variable marked as deprecated by the module author", "A module call or an input of the root module sets a deprecated variable.";
    DEPRECATED_OUTPUT = "core:deprecated-output", "Value derived from a deprecated source", "An expression reads a deprecated output.";
    MODULE_CYCLE = "core:module-cycle", "Module calls itself", "A module calls itself, directly or through other modules.";
    UNSUPPORTED_ARGUMENT = "core:unsupported-argument", "Unsupported argument", "A block contains an argument that its type does not have.";
    UNSUPPORTED_BLOCK = "core:unsupported-block", "Unsupported block type", "A body contains a block of a type that is not allowed there.";
    UNEXPECTED_BLOCK = "core:unexpected-block", "Unexpected block", "A body that takes only arguments contains a block.";
    MISSING_ARGUMENT = "core:missing-argument", "Missing required argument", "A block lacks a required argument.";
    READ_ONLY_ARGUMENT = "core:read-only-argument", "Argument is read-only", "The configuration sets an argument that only the provider sets. Remove it.";
    EXTRANEOUS_PROPERTY = "core:extraneous-property", "Extraneous JSON object property", "A JSON object has a property that is neither an argument nor a block type of its body.";
    JSON_TYPE = "core:json-type", "Incorrect JSON value type", "A JSON value has the wrong type for the arguments, blocks or labels that it stands for.";
    DUPLICATE_ARGUMENT = "core:duplicate-argument", "Duplicate argument", "A JSON body sets the same argument twice.";
    EXTRANEOUS_LABEL = "core:extraneous-label", "Extraneous block label", "A block has more labels than its type takes.";
    MISSING_LABEL = "core:missing-label", "Missing block label", "A block has fewer labels than its type requires.";
    INVALID_VARIABLE_NAME = "core:invalid-variable-name", "Invalid variable name", "The name of a variable is reserved or not a valid identifier.";
    INVALID_OUTPUT_NAME = "core:invalid-output-name", "Invalid output name", "The name of an output is not a valid identifier.";
    INVALID_OUTPUT_VALUE = "core:invalid-output-value", "Invalid output value", "The value of an output does not convert to the type of the output.";
    INVALID_MODULE_NAME = "core:invalid-module-name", "Invalid module instance name", "The name of a module call is not a valid identifier.";
    INVALID_RESOURCE_NAME = "core:invalid-resource-name", "Invalid resource name", "The name of a resource is not a valid identifier.";
    DUPLICATE_VARIABLE = "core:duplicate-variable", "Duplicate variable declaration", "A module declares the same variable twice.";
    DUPLICATE_LOCAL = "core:duplicate-local", "Duplicate local value definition", "A module declares the same local value twice.";
    DUPLICATE_OUTPUT = "core:duplicate-output", "Duplicate output definition", "A module declares the same output twice.";
    DUPLICATE_MODULE_CALL = "core:duplicate-module-call", "Duplicate module call", "A module declares two module calls with the same name.";
    DUPLICATE_RESOURCE = "core:duplicate-resource", "Duplicate resource configuration", "A module declares the same resource twice.";
    DUPLICATE_LIFECYCLE = "core:duplicate-lifecycle", "Duplicate lifecycle block", "A resource has two `lifecycle` blocks.";
    COUNT_AND_FOR_EACH = "core:count-and-for-each", "Invalid combination of \"count\" and \"for_each\"", "A block has both `count` and `for_each`. Keep one of them.";
    POSTCONDITION_NOT_ALLOWED = "core:postcondition-not-allowed", "Postconditions are not allowed", "An output has a `postcondition` block. Use a `precondition`.";
    FUNCTIONS_NOT_ALLOWED = "core:functions-not-allowed", "Function calls not allowed", "A function is called in an expression that must be constant, or in a scope without functions.";
    UNSUITABLE_VALUE = "core:unsuitable-value", "Unsuitable value type", "The value of an argument does not convert to the type that the argument takes.";
    INVALID_DEFAULT = "core:invalid-default", "Invalid default value for variable", "The default of a variable does not convert to the type of the variable.";
    NO_ASSERTION = "core:no-assertion", "Zero assert blocks", "A `check` block has no `assert` block.";
    CONSTANT_CONDITION = "core:constant-condition", "Invalid condition expression", "A condition refers to no object, so its result never changes.";
    // References
    RESERVED_NAME = "core:reserved-name", "Reserved symbol name", "An expression uses a name that is reserved for future versions.";
    INVALID_REFERENCE = "core:invalid-reference", "Invalid reference", "A reference has a form that its first name does not allow.";
    UNDECLARED_VARIABLE = "core:undeclared-variable", "Reference to undeclared input variable", "An expression refers to a variable that the module does not declare.";
    UNDECLARED_LOCAL = "core:undeclared-local", "Reference to undeclared local value", "An expression refers to a local value that the module does not declare.";
    UNDECLARED_MODULE = "core:undeclared-module", "Reference to undeclared module", "An expression refers to a module call that the module does not declare.";
    UNDECLARED_RESOURCE = "core:undeclared-resource", "Reference to undeclared resource", "An expression refers to a resource that the module does not declare.";
    MISSING_INSTANCE_KEY = "core:missing-instance-key", "Missing resource instance key", "An attribute is read from a resource with `count` or `for_each`. Add the key of an instance.";
    UNEXPECTED_INSTANCE_KEY = "core:unexpected-instance-key", "Unexpected resource instance key", "A reference has an instance key, but the resource has neither `count` nor `for_each`.";
    INVALID_PATH_ATTRIBUTE = "core:invalid-path-attribute", "Invalid \"path\" attribute", "`path` has no attribute of this name. Use `path.module`, `path.root` or `path.cwd`.";
    INVALID_TERRAFORM_ATTRIBUTE = "core:invalid-terraform-attribute", "Invalid \"terraform\" attribute", "`terraform` has no attribute of this name.";
    INVALID_COUNT_ATTRIBUTE = "core:invalid-count-attribute", "Invalid \"count\" attribute", "`count` has no attribute of this name. Use `count.index`.";
    INVALID_EACH_ATTRIBUTE = "core:invalid-each-attribute", "Invalid \"each\" attribute", "`each` has no attribute of this name. Use `each.key` or `each.value`.";
    COUNT_OUTSIDE = "core:count-outside", "Reference to \"count\" in non-counted context", "`count` is used in a block without a `count` argument.";
    EACH_OUTSIDE = "core:each-outside", "Reference to \"each\" in context without for_each", "`each` is used in a block without a `for_each` argument.";
    INVALID_SELF = "core:invalid-self", "Invalid \"self\" reference", "`self` is used outside of a provisioner, connection or postcondition.";
    SELF_REFERENCE_LOCAL = "core:self-referencing-local", "Self-referencing local value", "A local value refers to itself.";
    SELF_REFERENCE = "core:self-reference", "Self-referential block", "A block refers to its own object.";
    CYCLE = "core:cycle", "Cycle", "Objects refer to each other in a cycle.";
    // Inputs and evaluation of modules
    INVALID_JSON = "core:invalid-json", "Invalid JSON", "A file that must be JSON is not valid JSON.";
    // Blocks of modules
    MISPLACED_BLOCK = "core:misplaced-block", "Misplaced block", "A block is nested in a block that does not take it, or stands at the top level. The detail names its parent.";
    DUPLICATE_BLOCK = "core:duplicate-block", "Duplicate block", "A block that may be declared once, or once per label, is declared twice.";
    RESERVED_BLOCK = "core:reserved-block", "Reserved block type name", "A block type is reserved for future versions.";
    RESERVED_ARGUMENT = "core:reserved-argument", "Reserved argument name in provider block", "A provider configuration sets an argument whose name is reserved for future versions.";
    INVALID_LOCAL_NAME = "core:invalid-local-name", "Invalid local value name", "The name of a local value is not a valid identifier.";
    INVALID_CHECK_NAME = "core:invalid-check-name", "Invalid check block name", "The name of a check is not a valid identifier.";
    DUPLICATE_CHECK = "core:duplicate-check", "Duplicate check configuration", "A module declares the same check twice.";
    INVALID_RESOURCE_TYPE = "core:invalid-resource-type", "Invalid resource type name", "The type of a resource is not a valid identifier.";
    INVALID_DATA_TYPE = "core:invalid-data-type", "Invalid data source name", "The type of a data source is not a valid identifier.";
    INVALID_DATA_NAME = "core:invalid-data-name", "Invalid data resource name", "The name of a data source is not a valid identifier.";
    INVALID_EPHEMERAL_TYPE = "core:invalid-ephemeral-type", "Invalid ephemeral resource type name", "The type of an ephemeral resource is not a valid identifier.";
    INVALID_EPHEMERAL_NAME = "core:invalid-ephemeral-name", "Invalid ephemeral resource name", "The name of an ephemeral resource is not a valid identifier.";
    INVALID_ACTION_TYPE = "core:invalid-action-type", "Invalid action type name", "The type of an action is not a valid identifier.";
    INVALID_ACTION_NAME = "core:invalid-action-name", "Invalid action name", "The name of an action is not a valid identifier.";
    INVALID_ACTION_TRIGGER = "core:invalid-action-trigger", "Invalid action_trigger", "An `action_trigger` block has an invalid event, action or condition.";
    UNDECLARED_ACTION = "core:undeclared-action", "action_trigger actions references non-existent action", "An `action_trigger` block refers to an action, or an instance of one, that the module does not declare.";
    INVALID_BACKEND = "core:invalid-backend", "Invalid backend configuration", "A `terraform_remote_state` names a backend that does not exist, or has an invalid configuration for its backend.";
    INVALID_WORKSPACE_NAME = "core:invalid-workspace-name", "Invalid workspace name", "The selected workspace has a name that no workspace can have.";
    UNKNOWN_RESOURCE_TYPE = "core:unknown-resource-type", "Invalid resource type", "The provider has no resource type or data source of this name.";
    EMPTY_DEPRECATION = "core:empty-deprecation", "Invalid `deprecated` value", "A `deprecated` argument is an empty string. Write the message for users of the module.";
    NESTED_DATA = "core:nested-data", "Invalid nested data source", "A data source in a `check` block has an argument that is not allowed there.";
    INVALID_DATA_LIFECYCLE = "core:invalid-data-lifecycle", "Invalid data resource lifecycle argument", "The `lifecycle` block of a data source has an argument that only managed resources take.";
    INVALID_EPHEMERAL_LIFECYCLE = "core:invalid-ephemeral-lifecycle", "Invalid lifecycle configuration for ephemeral resource", "The `lifecycle` block of an ephemeral resource has an argument that only managed resources take.";
    EPHEMERAL_BLOCK = "core:ephemeral-block", "Invalid configuration block for ephemeral resource", "An ephemeral resource contains a block that only managed resources take.";
    SELF_IN_CONDITION = "core:self-in-condition", "Invalid reference in condition", "A condition of a resource refers to the resource by its address. Use `self` in a postcondition.";
    IGNORE_CHANGES_WILDCARD = "core:ignore-changes-wildcard", "Invalid ignore_changes wildcard", "`ignore_changes` is a list with `*`, the form of old versions. Write `ignore_changes = all`.";
    INVALID_REPLACE_TRIGGER = "core:invalid-replace-trigger", "Invalid replace_triggered_by expression", "An item of `replace_triggered_by` is not a reference to a managed resource, or has an instance key that is not a constant or that no instance can have.";
    INVALID_KEYWORD = "core:invalid-keyword", "Invalid keyword", "An argument that takes a keyword has another value.";
    UNKNOWN_PROVISIONER = "core:unknown-provisioner", "Missing required provisioner plugin", "The type of a provisioner is not one of the built-in types.";
    INVALID_PROVISIONER = "core:invalid-provisioner", "Invalid provisioner configuration", "Arguments of a provisioner are missing or exclude each other.";
    DEPRECATED_CONNECTION = "core:deprecated-connection", "WinRM connection type is deprecated", "A `connection` block has the type `winrm`, which newer editions do not support.";
    DESTROY_REFERENCE = "core:destroy-reference", "Invalid reference from destroy provisioner", "A provisioner that runs on destroy, or its connection, refers to another object. Use only `self`, `count.index` and `each.key`.";
    REDUNDANT_IGNORED = "core:redundant-ignored", "Redundant ignore_changes element", "An item of `ignore_changes` is an attribute that only the provider sets. Remove it.";
    QUOTED_REFERENCE = "core:quoted-reference", "Quoted references are deprecated", "A reference is quoted, as in old versions. Remove the quotes.";
    INVALID_PROVIDER_NAME = "core:invalid-provider-name", "Invalid provider local name", "The local name of a provider is not valid.";
    INVALID_PROVIDER_REF = "core:invalid-provider-reference", "Invalid provider configuration reference", "A reference to a provider configuration has a wrong form. Write `name` or `name.alias`.";
    INVALID_ALIAS = "core:invalid-alias", "Invalid provider configuration alias", "The `alias` of a provider configuration is not a valid identifier.";
    ALIAS_REQUIRED = "core:alias-required", "Alias required when using \"for_each\"", "A provider configuration has `for_each` but no `alias`.";
    PROVIDER_VERSION = "core:provider-version", "Version constraints inside provider configuration blocks are deprecated", "A provider configuration has a `version`. Move it to `required_providers`.";
    DUPLICATE_PROVIDER = "core:duplicate-provider", "Duplicate provider configuration", "A provider has two configurations with the same alias, or two without one.";
    DUPLICATE_PROVIDER_ADDRESS = "core:duplicate-provider-address", "Duplicate provider address", "A module call passes two provider configurations under the same name.";
    INVALID_PROVIDER_SOURCE = "core:invalid-provider-source", "Invalid provider source", "The `source` of a required provider is not a valid address.";
    INVALID_REQUIREMENT = "core:invalid-requirement", "Invalid required provider", "An entry of `required_providers` has a wrong form.";
    DUPLICATE_REQUIREMENTS = "core:duplicate-requirements", "Duplicate required providers configuration", "A module has two `required_providers` blocks.";
    INVALID_VERSION_CONSTRAINT = "core:invalid-version-constraint", "Invalid version constraint", "A version constraint has a wrong form. Write an operator and a version, such as `>= 1.2.0`.";
    PRERELEASE_REQUIRED = "core:prerelease-required", "Invalid required_version constraint", "`required_version` names a prerelease. Name a released version.";
    INCOMPATIBLE_MODULE = "core:incompatible-module", "Incompatible module", "The `required_version` of a module excludes the edition that Terrane checks against.";
    UNKNOWN_EXPERIMENT = "core:unknown-experiment", "Unknown experiment keyword", "A module enables an experiment that does not exist.";
    INVALID_EDITION = "core:invalid-edition", "Invalid language edition", "A module asks for an edition of the language that does not exist.";
    INVALID_ENCRYPTION_NAME = "core:invalid-encryption-name", "Invalid encryption name", "In an `encryption` block, the type or name of a nested block is not a valid identifier.";
    DUPLICATE_BACKEND = "core:duplicate-backend", "Duplicate backend configuration", "A module configures its backend, or its HCP Terraform connection, twice.";
    INVALID_ADDRESS = "core:invalid-address", "Invalid address", "The address of a resource or module has a wrong form.";
    INVALID_MOVED = "core:invalid-moved", "Invalid \"moved\" address", "No object can move between the two addresses of a `moved` block.";
    INVALID_REMOVED = "core:invalid-removed", "Invalid \"removed\" block", "A `removed` block has an address or a provisioner that is not allowed there.";
    MISSING_LIFECYCLE = "core:missing-lifecycle", "Missing lifecycle from the removed block", "A `removed` block has no `lifecycle` with `destroy`, so it does not say whether the object is destroyed.";
    IDLE_PROVISIONERS = "core:idle-provisioners", "Removed block provisioners will not be executed", "A `removed` block has provisioners but `destroy = false`, so they never run.";
    INVALID_IMPORT_ADDRESS = "core:invalid-import-address", "Invalid import address expression", "The `to` of an `import` block is not the address of a managed resource.";
    MISSING_IMPORT_ARGUMENT = "core:missing-import-argument", "Missing required import argument", "An `import` block has neither `id` nor `identity`.";
    CONFLICTING_IMPORT = "core:conflicting-import", "Conflicting import arguments", "An `import` block has both `id` and `identity`. Keep one of them.";
    INVALID_IMPORT_PROVIDER = "core:invalid-import-provider", "Invalid import provider argument", "An `import` block names another provider than the block of its resource, or imports a resource of a child module.";
    DUPLICATE_IMPORT = "core:duplicate-import", "Duplicate import configuration", "Two `import` blocks import the same resource.";
    INVALID_IMPORT_ID = "core:invalid-import-id", "Invalid import id argument", "The `id` of an `import` block is null, empty, sensitive or not a string.";
    NO_IDENTITY_SCHEMA = "core:no-identity-schema", "Unable to determine identity schema for import identity", "An `import` block has an `identity`, but the resource type has no identity schema. Use `id`.";
    MISSING_IMPORT_TARGET = "core:missing-import-target", "Configuration for import target does not exist", "An `import` block names a resource, or an instance of one, that the configuration does not declare.";
    IMPORT_IN_MODULE = "core:import-in-module", "Invalid import configuration", "A child module has an `import` block. Move it to the root module.";
    BACKEND_IGNORED = "core:backend-ignored", "Backend configuration ignored", "A child module has a `backend` block, which has no effect there.";
    REDUNDANT_MOVE = "core:redundant-move", "Redundant move statement", "A `moved` block has the same address in `from` and `to`.";
    MOVED_EXISTS = "core:moved-exists", "Moved object still exists", "The object in `from` of a `moved` block is still declared. Remove its declaration or the `moved` block.";
    MOVED_TYPE = "core:moved-type", "Resource type mismatch", "A `moved` block moves a resource to another type, which this edition does not support.";
    AMBIGUOUS_MOVE = "core:ambiguous-move", "Ambiguous move statements", "Two `moved` blocks move one object to different addresses, or different objects to one address.";
    REMOVED_EXISTS = "core:removed-exists", "Removed object still exists", "The object in `from` of a `removed` block is still declared. Remove its declaration or the `removed` block.";
    UNDEFINED_PROVIDER = "core:undefined-provider", "Reference to undefined provider", "A module call passes a provider configuration under a name that the module does not require.";
    MISSING_PROVIDER_CONFIG = "core:missing-provider-config", "Missing required provider configuration", "A module call does not pass a provider configuration that the module requires.";
    OVERRIDDEN_PROVIDER = "core:overridden-provider", "Cannot override provider configuration", "A module call passes a provider configuration that the module itself declares.";
    PROVIDER_TYPE_MISMATCH = "core:provider-type-mismatch", "Provider type mismatch", "A module call passes the configuration of a different provider than the module requires under this name.";
    LEGACY_MODULE = "core:legacy-module", "Module is incompatible with count, for_each, enabled and depends_on", "A module with its own provider configurations is called with `count`, `for_each`, `enabled` or `depends_on`.";
    EMPTY_PROVIDER = "core:empty-provider", "Redundant empty provider block", "A child module has an empty `provider` block. Replace it by an entry of `required_providers`.";
    DUPLICATE_REQUIREMENT = "core:duplicate-requirement", "Duplicate required provider", "A module requires the same provider under two local names, or under another name than a resource type implies.";
    UNSUPPORTED_PROVIDER_META = "core:unsupported-provider-meta", "Provider doesn't support provider_meta", "A module has a `provider_meta` block for the built-in provider, which takes none.";
    PROVIDER_FOR_EACH = "core:provider-for-each", "Provider configuration for_each matches resource", "A resource or module call has the same `for_each` as the provider configuration that it selects an instance of, so its instances cannot be destroyed once an element is removed.";
    INEFFECTIVE_CONSTRAINT = "core:ineffective-constraint", "Ineffective version constraint", "A version constraint allows versions that do not evaluate it.";
    PROVIDER_KEY = "core:provider-key", "Invalid provider configuration key", "A reference to a provider configuration has an invalid key, or lacks a key that it needs.";
    MISSING_PROVIDER = "core:missing-provider", "Provider configuration not present", "A module call passes a provider configuration that the calling module does not have.";
    MISSING_BASE = "core:missing-base", "Missing base declaration to override", "An override file changes a block that no other file declares.";
    UNSUPPORTED_OVERRIDE = "core:unsupported-override", "Unsupported override", "An override file sets `depends_on`, which cannot be overridden.";
    CANNOT_OVERRIDE = "core:cannot-override", "Block cannot be overridden", "An override file contains a block that is not allowed in override files.";
    NO_VALUE = "core:no-value", "No value for required variable", "With `--strict-inputs`, a variable has neither a value nor a default.";
    UNDECLARED_VALUES = "core:undeclared-values", "Values for undeclared variables", "Variable files set further variables that the root module does not declare.";
    DUPLICATE_VALUE = "core:duplicate-value", "Duplicate attribute definition", "A variable file in JSON sets one variable twice.";
    UNDECLARED_VALUE = "core:undeclared-value", "Value for undeclared variable", "An input sets a variable that the root module does not declare.";
    DECLARATION_IN_VALUES = "core:declaration-in-values", "Variable declaration in .tfvars file", "A variable file contains a `variable` block. Move it to a `.tf` file.";
    INVALID_REQUEST = "core:invalid-request", "Invalid request", "A line sent to the evaluation server is not a valid request.";
    INVALID_INPUT = "core:invalid-input", "Invalid value for input variable", "The value of a variable does not convert to the type of the variable.";
    REQUIRED_INPUT_NULL = "core:required-input-null", "Required variable not set", "A variable with `nullable = false` is set to null and has no default.";
    VALIDATION_FAILED = "core:validation-failed", "Invalid value for variable", "The condition of a `validation` block is false. The detail contains its error message.";
    INVALID_DEPENDS_ON = "core:invalid-depends-on", "Invalid depends_on reference", "An item of `depends_on` refers to an attribute of an object. Refer to the whole object.";
    PROVIDER_NOT_PRESENT = "core:provider-not-present", "Provider configuration not present", "A resource refers to a provider configuration that does not exist, or the state has an object without a block whose provider configuration is gone.";
    INVALID_IMPORT_TO = "core:invalid-import-to", "Invalid import 'to' expression", "The instance key in `to` of an `import` block does not match its resource.";
    CYCLIC_MOVES = "core:cyclic-moves", "Cyclic dependency in move statements", "`moved` blocks form a cycle.";
    SCOPED_RESOURCE = "core:scoped-resource", "Reference to scoped resource", "An expression outside of a `check` block reads the data source of that block.";
    BUILT_IN_DEPENDENCY = "core:built-in-dependency", "Invalid dependency on built-in provider", "A built-in provider is required with a version, or does not exist.";
    INVALID_CONDITION_RESULT = "core:invalid-condition-result", "Invalid condition result", "The result of a condition is null or not a bool.";
    INVALID_ERROR_MESSAGE = "core:invalid-error-message", "Invalid error message", "An `error_message` is not a string.";
    IGNORED_ATTRIBUTE = "core:ignored-attribute", "Object attribute is ignored", "The value of a variable has an attribute that the type of the variable does not have, so the attribute is dropped.";
    SENSITIVE_MESSAGE = "core:sensitive-message", "Error message refers to sensitive values", "An `error_message` contains a sensitive value, so it is not shown.";
    EPHEMERAL_MESSAGE = "core:ephemeral-message", "Error message refers to ephemeral values", "An `error_message` contains an ephemeral value, so it is not shown.";
    OUTPUT_PRECONDITION_FAILED = "core:output-precondition-failed", "Module output value precondition failed", "The condition of a `precondition` block of an output is false.";
    RESOURCE_PRECONDITION_FAILED = "core:resource-precondition-failed", "Resource precondition failed", "The condition of a `precondition` block of a resource is false.";
    RESOURCE_POSTCONDITION_FAILED = "core:resource-postcondition-failed", "Resource postcondition failed", "The condition of a `postcondition` block of a resource is false.";
    SENSITIVE_OUTPUT = "core:sensitive-output", "Output refers to sensitive values", "An output of the root module has a sensitive value. Declare it with `sensitive = true`.";
    UNDECLARED_ADDRESS = "core:undeclared-address", "Address of nothing", "An address on the command line matches no object of the configuration.";
    NOT_JSON = "core:not-json", "Value without JSON", "A value has no form in JSON, because it contains an infinite number.";
    INVALID_COUNT = "core:invalid-count", "Invalid count argument", "The value of `count` is not a whole number of zero or more.";
    INVALID_ENABLED = "core:invalid-enabled", "Invalid enabled argument", "The value of `enabled` is not true or false.";
    CHECK_FAILED = "core:check-failed", "Check block assertion failed", "The condition of an `assert` block is false.";
    CHECK_UNKNOWN = "core:check-unknown", "Check block assertion known after apply", "The condition of an `assert` block is unknown until apply.";
    OUTPUT_NOT_EPHEMERAL = "core:output-not-ephemeral", "Value not allowed in ephemeral output", "An ephemeral output has a value that is not ephemeral, which Terraform rejects.";
    EPHEMERAL_OUTPUT = "core:ephemeral-output", "Output does not allow ephemeral value", "An output that is not declared ephemeral has an ephemeral value.";
    EPHEMERAL_ROOT_OUTPUT = "core:ephemeral-root-output", "Invalid output configuration", "An output of the root module is declared ephemeral.";
    EPHEMERAL_ARGUMENT = "core:ephemeral-argument", "Ephemeral value used in non-ephemeral context", "An argument of a resource has an ephemeral value.";
    INCORRECT_VALUE_TYPE = "core:incorrect-value-type", "Incorrect value type", "The value of an argument does not convert to the type of the argument.";
    INVALID_FOR_EACH = "core:invalid-for-each", "Invalid for_each argument", "The value of `for_each` is not a map, an object or a set of strings.";
    // Packer templates
    NO_TEMPLATE = "core:no-template", "Could not find any config file", "The given path contains no Packer template.";
    AMBIGUOUS_DIRECTORY = "core:ambiguous-directory", "Modules and Packer templates in one directory", "A directory contains both module files and Packer templates. Choose one with `--dialect`.";
    UNSUPPORTED_PACKER = "core:unsupported-packer", "Unsupported Packer Core version", "The `required_version` of a template excludes the edition of Packer that Terrane checks against.";
    INVALID_PACKER_BLOCK = "core:invalid-packer-block", "Invalid packer block", "A `packer` block has a version constraint or a plugin requirement of a wrong form.";
    INVALID_VALIDATION_REFERENCE = "core:invalid-validation-reference", "Invalid reference in variable validation", "The condition of a variable refers to another object. It may only refer to its own variable.";
    UNKNOWN_COMPONENT = "core:unknown-component", "Unknown type of component", "The type of a source, data source, provisioner or post-processor is neither built in nor described by a plugin schema.";
    INVALID_SOURCE_REFERENCE = "core:invalid-source-reference", "Invalid source reference", "A build refers to a source in a wrong form. Write `source.type.name`.";
    UNKNOWN_SOURCE = "core:unknown-source", "Unknown source", "A build refers to a source that the template does not declare.";
    MISSING_SOURCE = "core:missing-source", "missing source reference", "A build has no source.";
    MISSING_BUILD = "core:missing-build", "Missing build block", "A template has no `build` block.";
    ONLY_AND_EXCEPT = "core:only-and-except", "only one of 'only' or 'except' may be specified", "A provisioner or post-processor has both `only` and `except`. Keep one of them.";
    INVALID_OVERRIDE = "core:invalid-override", "provisioner's override block must be an HCL object", "The `override` of a provisioner is not an object of objects.";
    INVALID_DURATION = "core:invalid-duration", "Failed to parse duration", "A string is not a duration. Write a number and a unit, such as `5m` or `1h30m`.";
    SECOND_BLOCK = "core:second-block", "Only one block is allowed", "A build or template contains a second block of a type that it takes once.";
    INVALID_REGISTRY = "core:invalid-registry", "Invalid registry", "An `hcp_packer_registry` block has a value that the registry does not accept.";
    PREPARE_FAILED = "core:prepare-failed", "Failed preparing a block", "A source, data source, provisioner or post-processor lacks a required argument or has an invalid one.";
    INVALID_PATTERN = "core:invalid-pattern", "Invalid pattern", "A pattern of `-only` or `-except` is not a valid glob.";
    NO_MATCH = "core:no-match", "No match", "A pattern of `-only` or `-except` matches no build.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ALL;

    #[test]
    fn ids_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for id in ALL {
            assert!(seen.insert(id.as_str()), "{id:?} is declared twice");
            let name = id.as_str().strip_prefix("core:").expect("the prefix `core:`");
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{id:?}");
            assert!(!id.title().ends_with('.'), "{id:?}: a title ends without a full stop");
            assert!(id.meaning().ends_with('.'), "{id:?}: the meaning is a sentence");
        }
    }
}
