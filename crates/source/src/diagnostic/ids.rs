//! The registry of diagnostic ids. An id is never reused for another meaning; the reference page
//! `docs/diagnostics.md` is generated from this table.

use super::DiagnosticId;

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
    FILE_TOO_LARGE = "core:file-too-large", "File too large", "A source file has 4 GiB or more.";
    INVALID_ENCODING = "core:invalid-encoding", "Invalid character encoding", "A source file is not UTF-8 text.";
    UNREADABLE_FILE = "core:unreadable-file", "Failed to read file", "A file or directory could not be read.";
    UNWRITABLE_FILE = "core:unwritable-file", "Failed to write file", "A file could not be written.";
    UNKNOWN_FILE_TYPE = "core:unknown-file-type", "Unknown type of file", "A file to format has a name that does not end as that of configuration.";
    NOT_SUPPORTED = "core:not-supported-yet", "Not supported yet", "A part of the language that this version of Terrane does not cover.";
    // Syntax: characters
    INVALID_CHARACTER = "core:invalid-character", "Invalid character", "A character has no meaning where it stands.";
    UNSUPPORTED_OPERATOR = "core:unsupported-operator", "Unsupported operator", "An operator of another language is used.";
    TOKEN_TOO_LONG = "core:token-too-long", "Name or number too long", "A name, number or heredoc marker has 64 MiB or more.";
    INVALID_MULTI_LINE_STRING = "core:invalid-multi-line-string", "Invalid multi-line string", "A quoted string goes on behind the end of its line.";
    INVALID_ESCAPE = "core:invalid-escape", "Invalid escape sequence", "A backslash in a quoted string is followed by something it cannot escape.";
    INVALID_NUMBER = "core:invalid-number", "Invalid number literal", "Digits, dots and exponents do not make a number.";
    // Syntax: bodies
    ITEM_REQUIRED = "core:item-required", "Argument or block definition required", "Something else stands where an argument or a block must start.";
    ARGUMENT_REQUIRED = "core:argument-required", "Argument definition required", "A block is nested in a block of one line.";
    INVALID_ARGUMENT_NAME = "core:invalid-argument-name", "Invalid argument name", "The name of an argument is quoted.";
    ATTRIBUTE_REDEFINED = "core:attribute-redefined", "Attribute redefined", "An argument is set twice in one body.";
    MISSING_NEWLINE_AFTER_ARGUMENT = "core:missing-newline-after-argument", "Missing newline after argument", "Something follows an argument on its line.";
    UNEXPECTED_COMMA_AFTER_ARGUMENT = "core:unexpected-comma-after-argument", "Unexpected comma after argument", "A comma follows an argument.";
    INVALID_BLOCK = "core:invalid-block", "Invalid block definition", "The header of a block is not followed by its opening brace.";
    INVALID_SINGLE_ARGUMENT_BLOCK = "core:invalid-single-argument-block", "Invalid single-argument block definition", "A block of one line holds more than one argument or is not closed on its line.";
    MISSING_NEWLINE_AFTER_BLOCK = "core:missing-newline-after-block", "Missing newline after block definition", "Something follows a block on its last line.";
    UNCLOSED_BLOCK = "core:unclosed-block", "Unclosed configuration block", "A block has no closing brace.";
    INVALID_STRING_LITERAL = "core:invalid-string-literal", "Invalid string literal", "A label of a block holds a template sequence.";
    UNTERMINATED_STRING_LITERAL = "core:unterminated-string-literal", "Unterminated string literal", "A label of a block has no closing quote.";
    // Syntax: expressions
    INVALID_EXPRESSION = "core:invalid-expression", "Invalid expression", "Something else stands where an expression must start.";
    MISSING_EXPRESSION = "core:missing-expression", "Missing expression", "The text ends where an expression must start.";
    EXTRA_AFTER_EXPRESSION = "core:extra-after-expression", "Extra characters after expression", "Something follows a complete expression.";
    MISSING_FALSE_EXPRESSION = "core:missing-false-expression", "Missing false expression in conditional", "A conditional has no `:` with a second result.";
    UNBALANCED_PARENTHESES = "core:unbalanced-parentheses", "Unbalanced parentheses", "A parenthesis is not closed.";
    INVALID_ATTRIBUTE_NAME = "core:invalid-attribute-name", "Invalid attribute name", "A dot is not followed by a name.";
    INVALID_LEGACY_INDEX = "core:invalid-legacy-index", "Invalid legacy index syntax", "Two indexes are chained with dots.";
    NESTED_SPLAT = "core:nested-splat", "Nested splat expression not allowed", "`.*` is used inside `.*`.";
    MISSING_SPLAT_BRACKET = "core:missing-splat-bracket", "Missing close bracket on splat index", "`[*` is not closed.";
    MISSING_INDEX_BRACKET = "core:missing-index-bracket", "Missing close bracket on index", "An index is not closed.";
    MISSING_FUNCTION_NAME = "core:missing-function-name", "Missing function name", "`::` is not followed by a name.";
    MISSING_OPEN_PARENTHESIS = "core:missing-open-parenthesis", "Missing open parenthesis", "A function name with `::` is not called.";
    MISSING_CLOSE_PARENTHESIS = "core:missing-close-parenthesis", "Missing closing parenthesis", "Something follows the `...` of the last argument of a call.";
    UNTERMINATED_CALL = "core:unterminated-call", "Unterminated function call", "A call has no closing parenthesis.";
    MISSING_ARGUMENT_SEPARATOR = "core:missing-argument-separator", "Missing argument separator", "Two arguments of a call are not separated by a comma.";
    UNTERMINATED_TUPLE = "core:unterminated-tuple", "Unterminated tuple constructor expression", "A tuple has no closing bracket.";
    MISSING_ITEM_SEPARATOR = "core:missing-item-separator", "Missing item separator", "Two elements of a tuple are not separated by a comma.";
    UNTERMINATED_OBJECT = "core:unterminated-object", "Unterminated object constructor expression", "An object has no closing brace.";
    MISSING_ATTRIBUTE_VALUE = "core:missing-attribute-value", "Missing attribute value", "A key of an object has no value.";
    MISSING_KEY_SEPARATOR = "core:missing-key-separator", "Missing key/value separator", "A key of an object is not followed by `=` or `:`.";
    MISSING_ATTRIBUTE_SEPARATOR = "core:missing-attribute-separator", "Missing attribute separator", "Two items of an object are not separated by a comma or a newline.";
    INVALID_FOR = "core:invalid-for", "Invalid 'for' expression", "A `for` expression is not well-formed.";
    // Syntax: templates
    UNTERMINATED_TEMPLATE = "core:unterminated-template", "Unterminated template string", "A quoted or heredoc template has no closing marker.";
    UNCLOSED_INTERPOLATION = "core:unclosed-interpolation", "Unclosed template interpolation sequence", "`${` has no closing brace.";
    EXTRA_AFTER_INTERPOLATION = "core:extra-after-interpolation", "Extra characters after interpolation expression", "Something follows the expression in `${ }`.";
    INVALID_DIRECTIVE = "core:invalid-directive", "Invalid template directive", "`%{` is not followed by a keyword.";
    INVALID_DIRECTIVE_KEYWORD = "core:invalid-directive-keyword", "Invalid template control keyword", "`%{` is followed by a name that is not a keyword.";
    INVALID_FOR_DIRECTIVE = "core:invalid-for-directive", "Invalid 'for' directive", "A `%{for}` is not well-formed.";
    EXTRA_IN_IF = "core:extra-in-if", "Extra characters in if marker", "Something follows the condition in `%{if}`.";
    EXTRA_IN_ELSE = "core:extra-in-else", "Extra characters in else marker", "Something follows the keyword in `%{else}`.";
    EXTRA_IN_ENDIF = "core:extra-in-endif", "Extra characters in endif marker", "Something follows the keyword in `%{endif}`.";
    EXTRA_IN_FOR = "core:extra-in-for", "Extra characters in for marker", "Something follows the collection in `%{for}`.";
    EXTRA_IN_ENDFOR = "core:extra-in-endfor", "Extra characters in endfor marker", "Something follows the keyword in `%{endfor}`.";
    UNEXPECTED_TEMPLATE_END = "core:unexpected-template-end", "Unexpected end of template", "A template ends inside an `%{if}` or `%{for}`.";
    UNEXPECTED_ELSE = "core:unexpected-else", "Unexpected else directive", "An `%{else}` has no `%{if}`, or is the second one.";
    UNEXPECTED_ENDIF = "core:unexpected-endif", "Unexpected endif directive", "An `%{endif}` has no `%{if}`.";
    UNEXPECTED_ENDFOR = "core:unexpected-endfor", "Unexpected endfor directive", "An `%{endfor}` has no `%{for}`.";
    // Syntax: JSON
    JSON_MISSING_VALUE = "core:json-missing-value", "Missing value", "JSON text ends where a value must start.";
    JSON_INVALID_VALUE = "core:json-invalid-value", "Invalid start of value", "Something that is not JSON, such as a comment, stands where a value must start.";
    JSON_MISSING_PROPERTY_VALUE = "core:json-missing-property-value", "Missing JSON value", "A JSON object ends behind a colon.";
    JSON_MISSING_ELEMENT = "core:json-missing-element", "Missing array element value", "A JSON array ends where an element must start.";
    JSON_INVALID_NAME = "core:json-invalid-name", "Invalid object property name", "The name of a JSON property is not a string.";
    JSON_MISSING_COLON = "core:json-missing-colon", "Missing property value colon", "The name of a JSON property is not followed by a colon.";
    JSON_NAME_ONLY = "core:json-name-only", "Missing object value", "A JSON property has a name and nothing else.";
    JSON_MISSING_COMMA = "core:json-missing-comma", "Missing attribute seperator comma", "Two parts of a JSON object or array are not separated by a comma.";
    JSON_TRAILING_COMMA_IN_OBJECT = "core:json-trailing-comma-in-object", "Trailing comma in object", "A comma follows the last property of a JSON object.";
    JSON_TRAILING_COMMA_IN_ARRAY = "core:json-trailing-comma-in-array", "Trailing comma in array", "A comma follows the last element of a JSON array.";
    JSON_COLON_IN_ARRAY = "core:json-colon-in-array", "Invalid array value", "A colon stands in a JSON array.";
    JSON_UNCLOSED = "core:json-unclosed", "Unclosed object", "A JSON object or array is not closed.";
    JSON_MISMATCHED_BRACES = "core:json-mismatched-braces", "Mismatched braces", "A JSON object is closed with a bracket.";
    JSON_MISMATCHED_BRACKETS = "core:json-mismatched-brackets", "Mismatched brackets", "A JSON array is closed with a brace.";
    JSON_INVALID_NUMBER = "core:json-invalid-number", "Invalid JSON number", "A number is not written as JSON demands.";
    JSON_INVALID_STRING = "core:json-invalid-string", "Invalid JSON string", "A JSON string has no closing quote, or a wrong escape.";
    JSON_INVALID_KEYWORD = "core:json-invalid-keyword", "Invalid JSON keyword", "A word other than `true`, `false` and `null` stands outside of quotes.";
    JSON_EXTRA = "core:json-extra", "Extraneous data after value", "Something follows the value of a JSON file.";
    JSON_ROOT = "core:json-root", "Root value must be object", "A JSON configuration file is neither an object nor an array.";
    // Expressions: values and operators
    INVALID_OPERAND = "core:invalid-operand", "Invalid operand", "An operand has a type that the operator does not take.";
    OPERATION_FAILED = "core:operation-failed", "Operation failed", "An operator could not give a result for these operands.";
    UNKNOWN_VARIABLE = "core:unknown-variable", "Unknown variable", "An expression names a variable that does not exist here.";
    UNSUPPORTED_ATTRIBUTE = "core:unsupported-attribute", "Unsupported attribute", "A value has no attribute of this name.";
    MISSING_MAP_ELEMENT = "core:missing-map-element", "Missing map element", "A map has no element with this key.";
    INVALID_INDEX = "core:invalid-index", "Invalid index", "A value has no element with this key.";
    INDEX_OF_NULL = "core:index-of-null", "Attempt to index null value", "An index is taken of a null value.";
    ATTRIBUTE_OF_NULL = "core:attribute-of-null", "Attempt to get attribute from null value", "An attribute is read from a null value.";
    INCONSISTENT_CONDITIONAL = "core:inconsistent-conditional", "Inconsistent conditional result types", "The two results of a conditional have no common type.";
    INCORRECT_CONDITION = "core:incorrect-condition", "Incorrect condition type", "The condition of a conditional is not a bool.";
    NULL_CONDITION = "core:null-condition", "Null condition", "The condition of a conditional is null.";
    INVALID_TEMPLATE_VALUE = "core:invalid-template-value", "Invalid template interpolation value", "A value in a template cannot be written as a string.";
    ITERATION_OVER_NULL = "core:iteration-over-null", "Iteration over null value", "A `for` expression ranges over null.";
    ITERATION_NOT_POSSIBLE = "core:iteration-not-possible", "Iteration over non-iterable value", "A `for` expression ranges over a value without elements.";
    INVALID_FOR_CONDITION = "core:invalid-for-condition", "Invalid 'for' condition", "The `if` of a `for` expression is not a bool.";
    NULL_FOR_CONDITION = "core:null-for-condition", "Condition is null", "The `if` of a `for` expression is null.";
    INVALID_OBJECT_KEY = "core:invalid-object-key", "Invalid object key", "A key of an object cannot be used as a string.";
    NULL_KEY = "core:null-key", "Null value as key", "A key of an object is null.";
    DUPLICATE_OBJECT_KEY = "core:duplicate-object-key", "Duplicate object key", "A `for` expression gives the same key twice.";
    SPLAT_OF_NULL = "core:splat-of-null", "Splat of null value", "A splat is applied to a null list.";
    INVALID_EXPANSION = "core:invalid-expansion", "Invalid expanding argument value", "The argument before `...` is not a sequence.";
    TOO_DEEP = "core:too-deep", "Too deeply nested", "A file, expression or value is nested more deeply than the limit.";
    LIMIT_EXCEEDED = "core:limit-exceeded", "Limit exceeded", "An evaluation takes more steps, elements or bytes than the limit.";
    INTERRUPTED = "core:interrupted", "Interrupted", "An evaluation was stopped from outside, as by control-C.";
    VARIABLES_NOT_ALLOWED = "core:variables-not-allowed", "Variables not allowed", "A variable is used where only a constant may stand.";
    AMBIGUOUS_KEY = "core:ambiguous-key", "Ambiguous attribute key", "A key of an object has dots but neither quotes nor parentheses.";
    INCORRECT_KEY_TYPE = "core:incorrect-key-type", "Incorrect key type", "A key of an object is not a string.";
    INVALID_NESTED_SPLAT = "core:invalid-nested-splat", "Invalid nested splat expressions", "A splat inside a splat gives elements of different types.";
    // Type constraints
    INVALID_TYPE = "core:invalid-type", "Invalid type specification", "A type constraint is not well-formed.";
    INVALID_OPTIONAL_DEFAULT = "core:invalid-optional-default", "Invalid default value for optional attribute", "The default of an optional attribute does not fit its type.";
    QUOTED_TYPE = "core:quoted-type", "Invalid quoted type constraints", "A type is written in quotes, as in old versions.";
    LEGACY_TYPE_HINT = "core:legacy-type-hint", "Invalid legacy variable type hint", "A type is written in quotes.";
    // Dynamic blocks
    INVALID_DYNAMIC_ITERATOR = "core:invalid-dynamic-iterator", "Invalid dynamic iterator name", "The iterator of a `dynamic` block is not a single name.";
    INVALID_DYNAMIC_FOR_EACH = "core:invalid-dynamic-for-each", "Invalid dynamic for_each value", "The `for_each` of a `dynamic` block is null or has no elements.";
    MISSING_DYNAMIC_CONTENT = "core:missing-dynamic-content", "Missing dynamic content block", "A `dynamic` block has no `content` block.";
    EXTRA_DYNAMIC_CONTENT = "core:extra-dynamic-content", "Extraneous dynamic content block", "A `dynamic` block has more than one `content` block.";
    INVALID_DYNAMIC_LABEL = "core:invalid-dynamic-label", "Invalid dynamic block label", "A label of a `dynamic` block is null, unknown, sensitive or not a string.";
    EXTRA_DYNAMIC_LABEL = "core:extra-dynamic-label", "Extraneous dynamic block label", "A `dynamic` block gives more labels than its blocks take.";
    TOO_FEW_DYNAMIC_LABELS = "core:too-few-dynamic-labels", "Insufficient dynamic block labels", "A `dynamic` block gives fewer labels than its blocks take.";
    // Decoding
    INCORRECT_ATTRIBUTE_TYPE = "core:incorrect-attribute-type", "Incorrect attribute value type", "An argument has a value that does not convert to the type that the schema says.";
    INVALID_ATTRIBUTE_VALUE = "core:invalid-attribute-value", "Invalid attribute value", "An argument of a block with arguments of any name has a value of the wrong type.";
    MISSING_BLOCK = "core:missing-block", "Missing block", "A body lacks a block that it must have.";
    TOO_FEW_BLOCKS = "core:too-few-blocks", "Insufficient blocks", "A body has fewer blocks of a type than it must have.";
    TOO_MANY_BLOCKS = "core:too-many-blocks", "Too many blocks", "A body has more blocks of a type than it may have.";
    MISSING_SPEC = "core:missing-spec", "Missing spec block", "A spec file, or a spec that needs one, has no spec in it.";
    EXTRANEOUS_SPEC = "core:extraneous-spec", "Extraneous spec block", "A spec file, or a spec that takes one, has several specs in it.";
    MISSING_SPEC_NAME = "core:missing-spec-name", "Missing name in attribute spec", "A spec does not say which argument it reads.";
    MISSING_SPEC_BLOCK_TYPE = "core:missing-spec-block-type", "Missing block_type in block spec", "A spec does not say which blocks it reads.";
    MISSING_SPEC_LABELS = "core:missing-spec-labels", "Invalid block label name list", "A spec `block_map` names no label.";
    INVALID_BLOCK_MAP = "core:invalid-block-map", "Invalid block_map spec", "A spec `block_map` has attributes of any type.";
    INVALID_BLOCK_LABELS = "core:invalid-block-labels", "Invalid block_labels spec", "A spec `block_labels` is not for the body of a block.";
    INVALID_TRANSFORM = "core:invalid-transform", "Invalid transform spec", "A spec `transform` has not one spec in it.";
    INVALID_PARAMETER = "core:invalid-parameter", "Invalid param element", "A parameter of a function of a spec file is not a name.";
    INVALID_VARIADIC_PARAMETER = "core:invalid-variadic-parameter", "Invalid variadic_param", "The parameter for further arguments of a function of a spec file is not a name.";
    USELESS_DEFAULT = "core:useless-default", "Useless default block", "A spec `default` has a single spec in it.";
    INCONSISTENT_BLOCKS = "core:inconsistent-blocks", "Unconsistent argument types in blocks", "Blocks that make a list, set or map have values of different types.";
    // Functions
    UNKNOWN_FUNCTION = "core:unknown-function", "Call to unknown function", "A function of this name does not exist here.";
    TOO_FEW_ARGUMENTS = "core:too-few-arguments", "Not enough function arguments", "A call lacks an argument.";
    TOO_MANY_ARGUMENTS = "core:too-many-arguments", "Too many function arguments", "A call has an argument too many.";
    INVALID_ARGUMENT = "core:invalid-argument", "Invalid function argument", "An argument of a call has a wrong type or value.";
    FUNCTION_FAILED = "core:function-failed", "Error in function call", "A function could not give a result for these arguments.";
    INVALID_TYPE_CALL = "core:invalid-type-call", "Invalid use of type function", "Something else is made of what the console function `type` gives.";
    // Modules
    UNREADABLE_DIRECTORY = "core:unreadable-directory", "Failed to read directory", "A directory with configuration could not be read.";
    NO_CONFIGURATION = "core:no-configuration", "No configuration files", "A directory has no configuration files.";
    UNREADABLE_MODULE = "core:unreadable-module", "Unreadable module directory", "The directory of a called module, or one that stands in for a module, is not there.";
    BROKEN_MANIFEST = "core:broken-manifest", "Invalid module manifest", "The file in which the product says where it has installed modules could not be used.";
    UNUSED_MODULE_DIRECTORY = "core:unused-module-directory", "Unused module directory", "A directory that was given for the source of a module is that of no call.";
    INVALID_MODULE_SOURCE = "core:invalid-module-source", "Invalid module source address", "The `source` of a module call is not an address.";
    INVALID_REGISTRY_SOURCE = "core:invalid-registry-source", "Invalid registry module source address", "The `source` of a module call with a `version` is not the address of a registry.";
    DYNAMIC_IN_STATIC = "core:dynamic-in-static", "Dynamic value in static context", "A value that is needed before evaluation, such as a module source, refers to what is known only later.";
    STATIC_MODULE_OUTPUT = "core:static-module-output", "Module output not supported in static context", "A value that is needed before evaluation refers to an output of a module.";
    NOT_CONSTANT = "core:not-constant", "Unable to use variable in static context", "A value that is needed before evaluation refers to a variable with `const = false`.";
    CIRCULAR_REFERENCE = "core:circular-reference", "Circular reference", "A value that is needed before evaluation depends on itself.";
    SENSITIVE_NOT_ALLOWED = "core:sensitive-not-allowed", "Sensitive value not allowed", "A value that is needed before evaluation is sensitive.";
    EPHEMERAL_NOT_ALLOWED = "core:ephemeral-not-allowed", "Ephemeral value not allowed", "A value that is needed before evaluation, or one for a variable that does not take such values, is ephemeral.";
    DEPRECATED_VARIABLE = "core:deprecated-variable", "Variable marked as deprecated by the module author", "A call, or a value for the root module, sets a variable that its author has declared deprecated.";
    DEPRECATED_OUTPUT = "core:deprecated-output", "Value derived from a deprecated source", "An expression reads an output that its author has declared deprecated.";
    MODULE_CYCLE = "core:module-cycle", "Module calls itself", "A module calls itself, directly or through other modules.";
    UNSUPPORTED_ARGUMENT = "core:unsupported-argument", "Unsupported argument", "A block has an argument that it does not take.";
    UNSUPPORTED_BLOCK = "core:unsupported-block", "Unsupported block type", "A body has a block of a type that it does not take.";
    UNEXPECTED_BLOCK = "core:unexpected-block", "Unexpected block", "A body that has only arguments has a block.";
    MISSING_ARGUMENT = "core:missing-argument", "Missing required argument", "A block lacks an argument that it must have.";
    READ_ONLY_ARGUMENT = "core:read-only-argument", "Argument is read-only", "An argument is set that only the provider sets.";
    EXTRANEOUS_PROPERTY = "core:extraneous-property", "Extraneous JSON object property", "A JSON object has a property that is neither an argument nor a block there.";
    JSON_TYPE = "core:json-type", "Incorrect JSON value type", "A JSON value cannot stand for arguments, blocks or labels.";
    DUPLICATE_ARGUMENT = "core:duplicate-argument", "Duplicate argument", "An argument is set twice in one JSON body.";
    EXTRANEOUS_LABEL = "core:extraneous-label", "Extraneous block label", "A block has a label too many.";
    MISSING_LABEL = "core:missing-label", "Missing block label", "A block lacks a label.";
    INVALID_VARIABLE_NAME = "core:invalid-variable-name", "Invalid variable name", "The name of a variable is reserved or not a name.";
    INVALID_OUTPUT_NAME = "core:invalid-output-name", "Invalid output name", "The name of an output is not a name.";
    INVALID_OUTPUT_VALUE = "core:invalid-output-value", "Invalid output value", "The value of an output does not fit its type.";
    INVALID_MODULE_NAME = "core:invalid-module-name", "Invalid module instance name", "The name of a module call is not a name.";
    INVALID_RESOURCE_NAME = "core:invalid-resource-name", "Invalid resource name", "The name of a resource is not a name.";
    DUPLICATE_VARIABLE = "core:duplicate-variable", "Duplicate variable declaration", "A variable is declared twice.";
    DUPLICATE_LOCAL = "core:duplicate-local", "Duplicate local value definition", "A local value is declared twice.";
    DUPLICATE_OUTPUT = "core:duplicate-output", "Duplicate output definition", "An output is declared twice.";
    DUPLICATE_MODULE_CALL = "core:duplicate-module-call", "Duplicate module call", "A module call is declared twice.";
    DUPLICATE_RESOURCE = "core:duplicate-resource", "Duplicate resource configuration", "A resource is declared twice.";
    DUPLICATE_LIFECYCLE = "core:duplicate-lifecycle", "Duplicate lifecycle block", "A resource has two `lifecycle` blocks.";
    COUNT_AND_FOR_EACH = "core:count-and-for-each", "Invalid combination of \"count\" and \"for_each\"", "A block has both `count` and `for_each`.";
    POSTCONDITION_NOT_ALLOWED = "core:postcondition-not-allowed", "Postconditions are not allowed", "An output has a `postcondition` block.";
    FUNCTIONS_NOT_ALLOWED = "core:functions-not-allowed", "Function calls not allowed", "A function is called where a constant must stand, or where there are no functions.";
    UNSUITABLE_VALUE = "core:unsuitable-value", "Unsuitable value type", "An argument has a value of the wrong type.";
    INVALID_DEFAULT = "core:invalid-default", "Invalid default value for variable", "The default of a variable does not fit its type.";
    NO_ASSERTION = "core:no-assertion", "Zero assert blocks", "A `check` block asserts nothing.";
    CONSTANT_CONDITION = "core:constant-condition", "Invalid condition expression", "The condition of a check refers to nothing.";
    // References
    RESERVED_NAME = "core:reserved-name", "Reserved symbol name", "An expression uses a name that is reserved for later.";
    INVALID_REFERENCE = "core:invalid-reference", "Invalid reference", "A reference does not have the form that its first name asks for.";
    UNDECLARED_VARIABLE = "core:undeclared-variable", "Reference to undeclared input variable", "An expression reads a variable that the module does not declare.";
    UNDECLARED_LOCAL = "core:undeclared-local", "Reference to undeclared local value", "An expression reads a local value that the module does not declare.";
    UNDECLARED_MODULE = "core:undeclared-module", "Reference to undeclared module", "An expression reads a module call that the module does not declare.";
    UNDECLARED_RESOURCE = "core:undeclared-resource", "Reference to undeclared resource", "An expression reads a resource that the module does not declare.";
    MISSING_INSTANCE_KEY = "core:missing-instance-key", "Missing resource instance key", "An attribute is read from a resource with several instances.";
    UNEXPECTED_INSTANCE_KEY = "core:unexpected-instance-key", "Unexpected resource instance key", "An instance is chosen from a resource that has only one.";
    INVALID_PATH_ATTRIBUTE = "core:invalid-path-attribute", "Invalid \"path\" attribute", "An attribute of `path` does not exist.";
    INVALID_TERRAFORM_ATTRIBUTE = "core:invalid-terraform-attribute", "Invalid \"terraform\" attribute", "An attribute of `terraform` does not exist.";
    INVALID_COUNT_ATTRIBUTE = "core:invalid-count-attribute", "Invalid \"count\" attribute", "An attribute of `count` does not exist.";
    INVALID_EACH_ATTRIBUTE = "core:invalid-each-attribute", "Invalid \"each\" attribute", "An attribute of `each` does not exist.";
    COUNT_OUTSIDE = "core:count-outside", "Reference to \"count\" in non-counted context", "`count` is used in a block without `count`.";
    EACH_OUTSIDE = "core:each-outside", "Reference to \"each\" in context without for_each", "`each` is used in a block without `for_each`.";
    INVALID_SELF = "core:invalid-self", "Invalid \"self\" reference", "`self` is used where there is no object to stand for.";
    SELF_REFERENCE_LOCAL = "core:self-referencing-local", "Self-referencing local value", "A local value refers to itself.";
    SELF_REFERENCE = "core:self-reference", "Self-referential block", "A block refers to itself.";
    CYCLE = "core:cycle", "Cycle", "Objects refer to each other in a cycle.";
    // Inputs and evaluation of modules
    INVALID_JSON = "core:invalid-json", "Invalid JSON", "A file that must be JSON is not.";
    // Blocks of modules
    MISPLACED_BLOCK = "core:misplaced-block", "Misplaced block", "A block stands where only another block can have it.";
    DUPLICATE_BLOCK = "core:duplicate-block", "Duplicate block", "A block that can be there once, or once with its labels, is there twice.";
    RESERVED_BLOCK = "core:reserved-block", "Reserved block type name", "A block has a type that is reserved for later.";
    RESERVED_ARGUMENT = "core:reserved-argument", "Reserved argument name in provider block", "A provider configuration has an argument that is reserved for later.";
    INVALID_LOCAL_NAME = "core:invalid-local-name", "Invalid local value name", "The name of a local value is not a name.";
    INVALID_CHECK_NAME = "core:invalid-check-name", "Invalid check block name", "The name of a check is not a name.";
    DUPLICATE_CHECK = "core:duplicate-check", "Duplicate check configuration", "A check is declared twice.";
    INVALID_RESOURCE_TYPE = "core:invalid-resource-type", "Invalid resource type name", "The type of a resource is not a name.";
    INVALID_DATA_TYPE = "core:invalid-data-type", "Invalid data source name", "The type of a data source is not a name.";
    INVALID_DATA_NAME = "core:invalid-data-name", "Invalid data resource name", "The name of a data source is not a name.";
    INVALID_EPHEMERAL_TYPE = "core:invalid-ephemeral-type", "Invalid ephemeral resource type name", "The type of an ephemeral resource is not a name.";
    INVALID_EPHEMERAL_NAME = "core:invalid-ephemeral-name", "Invalid ephemeral resource name", "The name of an ephemeral resource is not a name.";
    INVALID_ACTION_TYPE = "core:invalid-action-type", "Invalid action type name", "The type of an action is not a name.";
    INVALID_ACTION_NAME = "core:invalid-action-name", "Invalid action name", "The name of an action is not a name.";
    INVALID_ACTION_TRIGGER = "core:invalid-action-trigger", "Invalid action_trigger", "An `action_trigger` block has events, actions or a condition that it cannot have.";
    UNDECLARED_ACTION = "core:undeclared-action", "action_trigger actions references non-existent action", "An `action_trigger` block names an action, or an instance of one, that the module does not have.";
    INVALID_BACKEND = "core:invalid-backend", "Invalid backend configuration", "A `terraform_remote_state` names a backend, or has a configuration for one, that there is not.";
    UNKNOWN_RESOURCE_TYPE = "core:unknown-resource-type", "Invalid resource type", "The provider has no resource type or data source of this name.";
    EMPTY_DEPRECATION = "core:empty-deprecation", "Invalid `deprecated` value", "The `deprecated` argument is empty.";
    NESTED_DATA = "core:nested-data", "Invalid nested data source", "A data source in a `check` block has arguments that it cannot have there.";
    INVALID_DATA_LIFECYCLE = "core:invalid-data-lifecycle", "Invalid data resource lifecycle argument", "The `lifecycle` of a data source has an argument for resources.";
    INVALID_EPHEMERAL_LIFECYCLE = "core:invalid-ephemeral-lifecycle", "Invalid lifecycle configuration for ephemeral resource", "The `lifecycle` of an ephemeral resource has an argument for resources.";
    EPHEMERAL_BLOCK = "core:ephemeral-block", "Invalid configuration block for ephemeral resource", "An ephemeral resource has a block for resources.";
    SELF_IN_CONDITION = "core:self-in-condition", "Invalid reference in condition", "A condition of a resource refers to the resource by its address.";
    IGNORE_CHANGES_WILDCARD = "core:ignore-changes-wildcard", "Invalid ignore_changes wildcard", "`ignore_changes` has the form of old versions.";
    INVALID_REPLACE_TRIGGER = "core:invalid-replace-trigger", "Invalid replace_triggered_by expression", "An item of `replace_triggered_by` is not a reference to one resource.";
    INVALID_KEYWORD = "core:invalid-keyword", "Invalid keyword", "An argument that takes a keyword has something else.";
    UNKNOWN_PROVISIONER = "core:unknown-provisioner", "Missing required provisioner plugin", "A provisioner is not one of those that are built in.";
    INVALID_PROVISIONER = "core:invalid-provisioner", "Invalid provisioner configuration", "The arguments of a provisioner do not go together.";
    DEPRECATED_CONNECTION = "core:deprecated-connection", "WinRM connection type is deprecated", "A `connection` block has the type `winrm`, which newer editions do not have.";
    DESTROY_REFERENCE = "core:destroy-reference", "Invalid reference from destroy provisioner", "What runs when a resource is destroyed refers to something else.";
    REDUNDANT_IGNORED = "core:redundant-ignored", "Redundant ignore_changes element", "An item of `ignore_changes` is an attribute that only the provider sets.";
    QUOTED_REFERENCE = "core:quoted-reference", "Quoted references are deprecated", "A reference is written in quotes, as in old versions.";
    INVALID_PROVIDER_NAME = "core:invalid-provider-name", "Invalid provider local name", "The local name of a provider is not one.";
    INVALID_PROVIDER_REF = "core:invalid-provider-reference", "Invalid provider configuration reference", "A reference to a provider configuration does not have its form.";
    INVALID_ALIAS = "core:invalid-alias", "Invalid provider configuration alias", "The alias of a provider configuration is not a name.";
    ALIAS_REQUIRED = "core:alias-required", "Alias required when using \"for_each\"", "A provider configuration has `for_each` but no alias.";
    PROVIDER_VERSION = "core:provider-version", "Version constraints inside provider configuration blocks are deprecated", "A provider configuration has a `version`.";
    DUPLICATE_PROVIDER = "core:duplicate-provider", "Duplicate provider configuration", "A provider has two configurations without or with the same alias.";
    DUPLICATE_PROVIDER_ADDRESS = "core:duplicate-provider-address", "Duplicate provider address", "A module call passes two configurations for the same name.";
    INVALID_PROVIDER_SOURCE = "core:invalid-provider-source", "Invalid provider source", "The source of a required provider is not an address.";
    INVALID_REQUIREMENT = "core:invalid-requirement", "Invalid required provider", "An entry of `required_providers` does not have its form.";
    DUPLICATE_REQUIREMENTS = "core:duplicate-requirements", "Duplicate required providers configuration", "A module has two `required_providers` blocks.";
    INVALID_VERSION_CONSTRAINT = "core:invalid-version-constraint", "Invalid version constraint", "A version constraint does not have its form.";
    PRERELEASE_REQUIRED = "core:prerelease-required", "Invalid required_version constraint", "`required_version` names a version before a release.";
    INCOMPATIBLE_MODULE = "core:incompatible-module", "Incompatible module", "A module asks for a version of the product that the dialect does not have.";
    UNKNOWN_EXPERIMENT = "core:unknown-experiment", "Unknown experiment keyword", "A module asks for an experiment that there is not.";
    INVALID_EDITION = "core:invalid-edition", "Invalid language edition", "A module asks for an edition of the language that there is not.";
    INVALID_ENCRYPTION_NAME = "core:invalid-encryption-name", "Invalid encryption name", "The type or the name of a block of an `encryption` block is not a name.";
    DUPLICATE_BACKEND = "core:duplicate-backend", "Duplicate backend configuration", "A module says twice where or how its state is kept.";
    INVALID_ADDRESS = "core:invalid-address", "Invalid address", "The address of a resource or module does not have its form.";
    INVALID_MOVED = "core:invalid-moved", "Invalid \"moved\" address", "A `moved` block has addresses between which nothing can move.";
    INVALID_REMOVED = "core:invalid-removed", "Invalid \"removed\" block", "A `removed` block has an address or a provisioner that it cannot have.";
    MISSING_LIFECYCLE = "core:missing-lifecycle", "Missing lifecycle from the removed block", "A `removed` block does not say whether the object is destroyed.";
    IDLE_PROVISIONERS = "core:idle-provisioners", "Removed block provisioners will not be executed", "A `removed` block has provisioners but does not destroy.";
    INVALID_IMPORT_ADDRESS = "core:invalid-import-address", "Invalid import address expression", "The `to` of an `import` block is not the address of a resource.";
    MISSING_IMPORT_ARGUMENT = "core:missing-import-argument", "Missing required import argument", "An `import` block has neither `id` nor `identity`.";
    CONFLICTING_IMPORT = "core:conflicting-import", "Conflicting import arguments", "An `import` block has both `id` and `identity`.";
    INVALID_IMPORT_PROVIDER = "core:invalid-import-provider", "Invalid import provider argument", "An `import` block names a provider that the block of its resource does not name, or is for a resource in a module.";
    DUPLICATE_IMPORT = "core:duplicate-import", "Duplicate import configuration", "Two `import` blocks are for the same resource.";
    INVALID_IMPORT_ID = "core:invalid-import-id", "Invalid import id argument", "The `id` of an `import` block is null, empty, sensitive or not a string.";
    NO_IDENTITY_SCHEMA = "core:no-identity-schema", "Unable to determine identity schema for import identity", "An `import` block has an `identity` for a resource type that has none.";
    MISSING_IMPORT_TARGET = "core:missing-import-target", "Configuration for import target does not exist", "An `import` block is for a resource, or for an instance of it, that the configuration does not have.";
    IMPORT_IN_MODULE = "core:import-in-module", "Invalid import configuration", "A module that is called has an `import` block.";
    BACKEND_IGNORED = "core:backend-ignored", "Backend configuration ignored", "A module that is called has a `backend` block.";
    REDUNDANT_MOVE = "core:redundant-move", "Redundant move statement", "A `moved` block has the same address twice.";
    MOVED_EXISTS = "core:moved-exists", "Moved object still exists", "What a `moved` block moves is still declared.";
    MOVED_TYPE = "core:moved-type", "Resource type mismatch", "A resource moves to one of another type, which the edition does not have.";
    AMBIGUOUS_MOVE = "core:ambiguous-move", "Ambiguous move statements", "Two `moved` blocks move the same to different addresses, or different objects to the same.";
    REMOVED_EXISTS = "core:removed-exists", "Removed object still exists", "What a `removed` block removes is still declared.";
    UNDEFINED_PROVIDER = "core:undefined-provider", "Reference to undefined provider", "A module call passes a provider configuration under a name that is not required.";
    MISSING_PROVIDER_CONFIG = "core:missing-provider-config", "Missing required provider configuration", "A module is not passed a provider configuration that it asks for.";
    OVERRIDDEN_PROVIDER = "core:overridden-provider", "Cannot override provider configuration", "A module call passes a provider configuration that the module has itself.";
    PROVIDER_TYPE_MISMATCH = "core:provider-type-mismatch", "Provider type mismatch", "A module call passes the configuration of another provider.";
    LEGACY_MODULE = "core:legacy-module", "Module is incompatible with count, for_each, enabled and depends_on", "A module with provider configurations of its own is called with `count`, `for_each` or `depends_on`.";
    EMPTY_PROVIDER = "core:empty-provider", "Redundant empty provider block", "A called module has a `provider` block without content.";
    DUPLICATE_REQUIREMENT = "core:duplicate-requirement", "Duplicate required provider", "A module requires the same provider under two names.";
    PROVIDER_FOR_EACH = "core:provider-for-each", "Provider configuration for_each matches resource", "A resource or module call has the same `for_each` as the provider configuration whose instances it chooses from.";
    INEFFECTIVE_CONSTRAINT = "core:ineffective-constraint", "Ineffective version constraint", "A version constraint allows versions that do not look at it.";
    PROVIDER_KEY = "core:provider-key", "Invalid provider configuration key", "A reference to a provider configuration has a key that it cannot have, or lacks one.";
    MISSING_PROVIDER = "core:missing-provider", "Provider configuration not present", "A module call passes a provider configuration that does not exist.";
    MISSING_BASE = "core:missing-base", "Missing base declaration to override", "An override file changes what no other file declares.";
    UNSUPPORTED_OVERRIDE = "core:unsupported-override", "Unsupported override", "An override file changes `depends_on`.";
    CANNOT_OVERRIDE = "core:cannot-override", "Block cannot be overridden", "An override file has a block that cannot stand there.";
    NO_VALUE = "core:no-value", "No value for required variable", "With `--strict-inputs`, a variable has neither a value nor a default.";
    UNDECLARED_VALUES = "core:undeclared-values", "Values for undeclared variables", "Variable files have values for more variables that the root module does not declare.";
    DUPLICATE_VALUE = "core:duplicate-value", "Duplicate attribute definition", "A variable file in JSON has two values for one variable.";
    UNDECLARED_VALUE = "core:undeclared-value", "Value for undeclared variable", "A value is given for a variable that the root module does not declare.";
    DECLARATION_IN_VALUES = "core:declaration-in-values", "Variable declaration in .tfvars file", "A variable file declares a variable.";
    INVALID_REQUEST = "core:invalid-request", "Invalid request", "A line sent to the evaluation server is not a request.";
    INVALID_INPUT = "core:invalid-input", "Invalid value for input variable", "The value given for a variable does not fit its type.";
    REQUIRED_INPUT_NULL = "core:required-input-null", "Required variable not set", "A variable that must not be null is given null and has no default.";
    VALIDATION_FAILED = "core:validation-failed", "Invalid value for variable", "The condition of a `validation` block is false.";
    INVALID_DEPENDS_ON = "core:invalid-depends-on", "Invalid depends_on reference", "An item of `depends_on` leads to a part of an object.";
    PROVIDER_NOT_PRESENT = "core:provider-not-present", "Provider configuration not present", "A resource names a provider configuration that there is not.";
    INVALID_IMPORT_TO = "core:invalid-import-to", "Invalid import 'to' expression", "The key of what is imported does not fit its block.";
    CYCLIC_MOVES = "core:cyclic-moves", "Cyclic dependency in move statements", "`moved` blocks lead around in a cycle.";
    SCOPED_RESOURCE = "core:scoped-resource", "Reference to scoped resource", "The data source of a `check` block is read from outside of it.";
    BUILT_IN_DEPENDENCY = "core:built-in-dependency", "Invalid dependency on built-in provider", "A provider that is built in is required with a version, or there is none of this name.";
    INVALID_CONDITION_RESULT = "core:invalid-condition-result", "Invalid condition result", "A condition is null or not a bool.";
    INVALID_ERROR_MESSAGE = "core:invalid-error-message", "Invalid error message", "An `error_message` is not a string.";
    IGNORED_ATTRIBUTE = "core:ignored-attribute", "Object attribute is ignored", "An object for a variable has an attribute that the type of the variable drops.";
    SENSITIVE_MESSAGE = "core:sensitive-message", "Error message refers to sensitive values", "An `error_message` has a sensitive value in it.";
    EPHEMERAL_MESSAGE = "core:ephemeral-message", "Error message refers to ephemeral values", "An `error_message` has an ephemeral value in it.";
    OUTPUT_PRECONDITION_FAILED = "core:output-precondition-failed", "Module output value precondition failed", "The condition of a `precondition` block of an output is false.";
    RESOURCE_PRECONDITION_FAILED = "core:resource-precondition-failed", "Resource precondition failed", "The condition of a `precondition` block of a resource is false.";
    RESOURCE_POSTCONDITION_FAILED = "core:resource-postcondition-failed", "Resource postcondition failed", "The condition of a `postcondition` block of a resource is false.";
    SENSITIVE_OUTPUT = "core:sensitive-output", "Output refers to sensitive values", "An output of the root module has a sensitive value but is not declared sensitive.";
    UNDECLARED_ADDRESS = "core:undeclared-address", "Address of nothing", "An address on the command line names no object of the configuration.";
    NOT_JSON = "core:not-json", "Value without JSON", "A value to be written as JSON has an infinite number in it.";
    INVALID_COUNT = "core:invalid-count", "Invalid count argument", "The value of `count` is not a whole number from 0 on.";
    INVALID_ENABLED = "core:invalid-enabled", "Invalid enabled argument", "The value of `enabled` is not true or false.";
    CHECK_FAILED = "core:check-failed", "Check block assertion failed", "The condition of an `assert` block is false.";
    CHECK_UNKNOWN = "core:check-unknown", "Check block assertion known after apply", "The condition of an `assert` block cannot be known yet.";
    OUTPUT_NOT_EPHEMERAL = "core:output-not-ephemeral", "Value not allowed in ephemeral output", "An output that is declared ephemeral has a value that may be stored, which Terraform refuses.";
    EPHEMERAL_OUTPUT = "core:ephemeral-output", "Output does not allow ephemeral value", "An output that is stored has an ephemeral value.";
    EPHEMERAL_ROOT_OUTPUT = "core:ephemeral-root-output", "Invalid output configuration", "An output of the root module is declared ephemeral.";
    EPHEMERAL_ARGUMENT = "core:ephemeral-argument", "Ephemeral value used in non-ephemeral context", "An argument of a resource has an ephemeral value.";
    INCORRECT_VALUE_TYPE = "core:incorrect-value-type", "Incorrect value type", "An argument has a value that does not convert to its type.";
    INVALID_FOR_EACH = "core:invalid-for-each", "Invalid for_each argument", "The value of `for_each` is not a map, an object or a set of strings.";
    // Packer templates
    NO_TEMPLATE = "core:no-template", "Could not find any config file", "There is no Packer template at the given place.";
    AMBIGUOUS_DIRECTORY = "core:ambiguous-directory", "Modules and Packer templates in one directory", "A directory has files of both kinds, so the dialect must be given.";
    UNSUPPORTED_PACKER = "core:unsupported-packer", "Unsupported Packer Core version", "A template does not accept the edition of Packer that is asked for.";
    INVALID_PACKER_BLOCK = "core:invalid-packer-block", "Invalid packer block", "A `packer` block asks for a version or a plugin in a form that it does not have.";
    INVALID_VALIDATION_REFERENCE = "core:invalid-validation-reference", "Invalid reference in variable validation", "The condition of a variable refers to something else.";
    UNKNOWN_COMPONENT = "core:unknown-component", "Unknown type of component", "A source, data source, provisioner or post-processor has a type that neither Packer nor a plugin explains.";
    INVALID_SOURCE_REFERENCE = "core:invalid-source-reference", "Invalid source reference", "A build names a source in a form that references do not have.";
    UNKNOWN_SOURCE = "core:unknown-source", "Unknown source", "A build names a source that the template does not have.";
    MISSING_SOURCE = "core:missing-source", "missing source reference", "A build has no source.";
    MISSING_BUILD = "core:missing-build", "Missing build block", "A template has no build.";
    ONLY_AND_EXCEPT = "core:only-and-except", "only one of 'only' or 'except' may be specified", "A provisioner or post-processor has both `only` and `except`.";
    INVALID_OVERRIDE = "core:invalid-override", "provisioner's override block must be an HCL object", "The `override` of a provisioner is not an object of objects.";
    INVALID_DURATION = "core:invalid-duration", "Failed to parse duration", "A text that must be a duration is none.";
    SECOND_BLOCK = "core:second-block", "Only one block is allowed", "A block of a build or template that can be there once is there twice.";
    INVALID_REGISTRY = "core:invalid-registry", "Invalid registry", "An `hcp_packer_registry` block has a value that the registry does not take.";
    PREPARE_FAILED = "core:prepare-failed", "Failed preparing a block", "What a source, data source, provisioner or post-processor needs is missing or has a mistake.";
    INVALID_PATTERN = "core:invalid-pattern", "Invalid pattern", "A pattern of `-only` or `-except` is not well-formed.";
    NO_MATCH = "core:no-match", "No match", "A pattern of `-only` or `-except` matches nothing.";
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
