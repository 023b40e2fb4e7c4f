//! The tables of titles of single messages.
//!
//! A message has the title of its [id](super::ids), unless the products give several errors with this id titles of their own.
//! Such a message has a row of the first table, or of the second one if its title contains names of the configuration. If
//! products or editions use different rows, the tables of rules in higher layers choose the row.

use super::title::{Title, TitleText};

macro_rules! titles {
    ($($name:ident = $title:literal;)*) => {
        $(
            #[doc = concat!("\"", $title, "\"")]
            pub const $name: Title = Title::new($title);
        )*
    };
}

macro_rules! named_titles {
    ($($name:ident($($part:ident: $ty:ty),*) = $title:literal;)*) => {
        $(
            #[doc = concat!("Returns the title `", $title, "`.")]
            pub fn $name($($part: $ty),*) -> TitleText {
                TitleText::new(format!($title))
            }
        )*
    };
}

titles! {
    BACKEND_CONFIG_CONTAINS_EPHEMERAL_VALUES = "Backend config contains ephemeral values";
    BACKEND_CONFIG_CONTAINS_SENSITIVE_VALUES = "Backend config contains sensitive values";
    BOTH_A_BACKEND_AND_A_CLOUD_CONFIGURATION_ARE_PRESENT = "Both a backend and a cloud configuration are present";
    BOTH_A_BACKEND_AND_CLOUD_CONFIGURATION_ARE_PRESENT = "Both a backend and cloud configuration are present";
    CANNOT_INDEX_A_SET_VALUE = "Cannot index a set value";
    CANNOT_OVERRIDE_IMPORT_BLOCKS = "Cannot override 'import' blocks";
    CANNOT_OVERRIDE_MOVED_BLOCKS = "Cannot override 'moved' blocks";
    CANNOT_OVERRIDE_REMOVED_BLOCKS = "Cannot override 'Removed' blocks";
    CANNOT_SET_BOTH_SOURCE_AND_CONTENT = "Cannot set both 'source' and 'content'";
    CONDITION_MUST_BE_KNOWN = "Condition must be known";
    CONST_VARIABLE_CANNOT_BE_EPHEMERAL = "Const variable cannot be ephemeral";
    CONST_VARIABLE_CANNOT_BE_SENSITIVE = "Const variable cannot be sensitive";
    COUNT_REFERENCE_NOT_ALLOWED = "Count reference not allowed";
    DATA_SOURCE_ADDRESS_IS_NOT_ALLOWED = "Data source address is not allowed";
    DATA_SOURCE_ADDRESS_NOT_ALLOWED = "Data source address not allowed";
    DEPRECATED_VALUE_USED = "Deprecated value used";
    DEPRECATED_VARIABLE_GOT_A_VALUE = "Deprecated variable got a value";
    DEPRECATED_VARIABLE_USED_FROM_THE_ROOT_MODULE = "Deprecated variable used from the root module";
    DESCRIPTION_TOO_LONG = "hcp_packer_registry.description should have a maximum length of 255 characters";
    DUPLICATE_ARGUMENT = "Duplicate argument";
    DUPLICATE_ATTRIBUTE_DEFINITION = "Duplicate attribute definition";
    DUPLICATE_BACKEND_CONFIGURATION = "Duplicate backend configuration";
    DUPLICATE_CLOUD_CONFIGURATIONS = "Duplicate cloud configurations";
    DUPLICATE_ENCRYPTION_CONFIGURATION = "Duplicate encryption configuration";
    DUPLICATE_ESCAPING_BLOCK = "Duplicate escaping block";
    DUPLICATE_HCP_TERRAFORM_CONFIGURATIONS = "Duplicate HCP Terraform configurations";
    DUPLICATE_LOCAL_DEFINITION = "Duplicate local definition";
    DUPLICATE_OBJECT_ATTRIBUTE = "Duplicate object attribute";
    DUPLICATE_VARIABLE = "Duplicate variable";
    EACH_REFERENCE_NOT_ALLOWED = "Each reference not allowed";
    EACH_VALUE_CANNOT_BE_USED_IN_THIS_CONTEXT = "each.value cannot be used in this context";
    EPHEMERAL_OUTPUT_NOT_ALLOWED = "Ephemeral output not allowed";
    EPHEMERAL_RESOURCE_ADDRESS_IS_NOT_ALLOWED = "Ephemeral resource address is not allowed";
    EPHEMERAL_VALUE_NOT_ALLOWED = "Ephemeral value not allowed";
    EXCEPT_WITHOUT_MATCH = "an 'except' option was passed, but did not match any build.";
    FAILED_TO_PREPARE_EXECUTION_GRAPH = "failed to prepare execution graph";
    FAILED_TO_READ_STATE_FILE = "Failed to read state file";
    FAILED_TO_READ_VARIABLES_FILE = "Failed to read variables file";
    FUNCTION_NOT_FOUND_IN_PROVIDER = "Function not found in provider";
    IMPORT_BLOCK_TO_ADDRESS_CONTAINS_AN_INVALID_KEY = "Import block 'to' address contains an invalid key";
    INCORRECT_ATTRIBUTE_VALUE_TYPE = "Incorrect attribute value type";
    INCORRECT_JSON_VALUE_TYPE = "Incorrect JSON value type";
    INCORRECT_VALUE_TYPE = "Incorrect value type";
    INVALID_ACTION_ARGUMENT_INSIDE_ACTION_TRIGGERS = "Invalid action argument inside action_triggers";
    INVALID_ACTION_EXPRESSION = "Invalid action expression";
    INVALID_ACTION_TYPE = "Invalid action type";
    INVALID_ADDRESS = "Invalid address";
    INVALID_ADDRESS_OPERATOR = "Invalid address operator";
    INVALID_ARGUMENT_VALUE_FOR_VAR_VARIABLE = "Invalid argument value for -var variable";
    INVALID_ATTRIBUTE = "Invalid Attribute";
    INVALID_BUCKET_NAME = "hcp_packer_registry.bucket_name can only contain between 3 and 36 ASCII letters, numbers and hyphens";
    INVALID_CONFIGURATION_ALIASES_VALUE = "Invalid configuration_aliases value";
    INVALID_CONFIGURATION_BLOCK_FOR_EPHEMERAL_RESOURCE = "Invalid configuration block for ephemeral resource";
    INVALID_CONNECTION_BLOCK = "Invalid connection block";
    INVALID_COUNT_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION = "Invalid count reference in replace_triggered_by expression";
    INVALID_DATA_RESOURCE_NAME = "Invalid data resource name";
    INVALID_DATA_SOURCE = "Invalid data source";
    INVALID_DATA_SOURCE_NAME = "Invalid data source name";
    INVALID_DEFAULT_VALUES = "Invalid default values";
    INVALID_EACH_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION = "Invalid each reference in replace_triggered_by expression";
    INVALID_EPHEMERAL_RESOURCE = "Invalid ephemeral resource";
    INVALID_EVENT_VALUE = "Invalid \"event\" value";
    INVALID_EXPRESSION = "Invalid expression";
    INVALID_FILE_PROVISIONER_CONFIGURATION = "Invalid file provisioner configuration";
    INVALID_FOR_EACH_SET_ARGUMENT = "Invalid for_each set argument";
    INVALID_IMPORT_ADDRESS = "Invalid import address";
    INVALID_IMPORT_BLOCK = "Invalid import block";
    INVALID_INDEX_KEY = "Invalid index key";
    INVALID_INDEX_OPERATION = "Invalid index operation";
    INVALID_LANGUAGE_EDITION = "Invalid language edition";
    INVALID_LIFECYCLE_BLOCK = "Invalid lifecycle block";
    INVALID_LIFECYCLE_DESTROY_EXPRESSION = "Invalid lifecycle destroy expression";
    INVALID_LOCAL_EXEC_PROVISIONER_COMMAND = "Invalid local-exec provisioner command";
    INVALID_LOCAL_NAME = "Invalid local name";
    INVALID_LOCAL_STATE_FILE_PATH = "Invalid local state file path";
    INVALID_LOCAL_WORKSPACE_DIRECTORY_PATH = "Invalid local workspace directory path";
    INVALID_MODULE_PROVIDER_CONFIGURATION = "Invalid module provider configuration";
    INVALID_MODULE_SOURCE = "Invalid module source";
    INVALID_MOVED_ADDRESS = "Invalid \"moved\" address";
    INVALID_MOVED_ADDRESSES = "Invalid \"moved\" addresses";
    INVALID_OBJECT_KEY_EXPRESSION = "Invalid object key expression";
    INVALID_OPERATION = "Invalid operation";
    INVALID_PLUGIN_LOCAL_NAME = "Invalid plugin local name";
    INVALID_PLUGIN_REQUIREMENT = "Invalid plugin requirement";
    INVALID_PLUGIN_SOURCE_STRING = "Invalid plugin source string";
    INVALID_PLUGIN_TYPE = "Invalid plugin type";
    INVALID_PROVIDER_INSTANCE_KEY = "Invalid provider instance key";
    INVALID_PROVIDER_NAMESPACE = "Invalid provider namespace";
    INVALID_PROVIDER_SOURCE_HOSTNAME = "Invalid provider source hostname";
    INVALID_PROVIDER_SOURCE_STRING = "Invalid provider source string";
    INVALID_PROVIDER_TYPE = "Invalid provider type";
    INVALID_PROVISIONER_BLOCK = "Invalid provisioner block";
    INVALID_REFERENCE_EXPRESSION = "Invalid reference expression";
    INVALID_REFERENCE_IN_POSTCONDITION = "Invalid reference in postcondition";
    INVALID_REFERENCE_IN_PRECONDITION = "Invalid reference in precondition";
    INVALID_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION = "Invalid reference in replace_triggered_by expression";
    INVALID_REFERENCE_TO_ACTION_OUTSIDE_THIS_MODULE = "Invalid reference to action outside this module";
    INVALID_REMOTE_EXEC_PROVISIONER_CONFIGURATION = "Invalid remote-exec provisioner configuration";
    INVALID_REMOVED_BLOCK = "Invalid \"removed\" block";
    INVALID_REMOVED_PROVISIONER_BLOCK = "Invalid \"removed.provisioner\" block";
    INVALID_REPLACE_TRIGGERED_BY_EXPRESSION = "Invalid replace_triggered_by expression";
    INVALID_REQUIRED_PLUGINS_OBJECT = "Invalid required_plugins object";
    INVALID_REQUIRED_PLUGINS_SYNTAX = "Invalid required_plugins syntax";
    INVALID_REQUIRED_PROVIDERS_BLOCK = "Invalid required_providers block";
    INVALID_REQUIRED_PROVIDERS_OBJECT = "Invalid required_providers object";
    INVALID_RESOURCE_PROVIDER_CONFIGURATION = "Invalid resource provider configuration";
    INVALID_RESOURCE_TYPE = "Invalid resource type";
    INVALID_SOURCE = "Invalid source";
    INVALID_STATE_FILE_FORMAT = "Invalid state file format";
    INVALID_USE_OF_EPHEMERAL_VALUE = "Invalid use of ephemeral value";
    INVALID_VALIDATION_ERROR_MESSAGE = "Invalid validation error message";
    INVALID_VALUE_FOR_PREVENT_DESTROY = "Invalid value for prevent_destroy";
    INVALID_VALUE_FOR_VARIABLE = "Invalid value for variable";
    INVALID_VARIABLE_VALIDATION_CONDITION = "Invalid variable validation condition";
    INVALID_VARIABLE_VALIDATION_RESULT = "Invalid variable validation result";
    INVALID_VERSION_CONSTRAINT = "Invalid version constraint";
    LANGUAGE_SELECTIONS_IN_OVERRIDE_FILE = "Language selections in override file";
    MAX_DATASOURCE_RECURSION_DEPTH_EXCEEDED = "Max datasource recursion depth exceeded.";
    MISSING_BASE_LOCAL_VALUE_DEFINITION_TO_OVERRIDE = "Missing base local value definition to override";
    MISSING_BASE_OUTPUT_DEFINITION_TO_OVERRIDE = "Missing base output definition to override";
    MISSING_BASE_PROVIDER_CONFIGURATION_FOR_OVERRIDE = "Missing base provider configuration for override";
    MISSING_BASE_VARIABLE_DECLARATION_TO_OVERRIDE = "Missing base variable declaration to override";
    MISSING_DATA_RESOURCE_TO_OVERRIDE = "Missing data resource to override";
    MISSING_EPHEMERAL_RESOURCE_TO_OVERRIDE = "Missing ephemeral resource to override";
    MISSING_MODULE_CALL_TO_OVERRIDE = "Missing module call to override";
    MISSING_NAME_FOR_DYNAMIC = "Missing name for dynamic";
    MISSING_REQUIRED_ARGUMENT = "Missing required argument";
    MISSING_RESOURCE_TO_OVERRIDE = "Missing resource to override";
    MODULE_INSTANCE_ADDRESS_WITH_KEYS_IS_NOT_ALLOWED = "Module instance address with keys is not allowed";
    MODULE_INSTANCE_KEYS_NOT_ALLOWED = "Module instance keys not allowed";
    MODULE_IS_INCOMPATIBLE_WITH_COUNT_FOR_EACH_AND_DEPENDS_ON = "Module is incompatible with count, for_each, and depends_on";
    MODULE_NOT_INSTALLED = "Module not installed";
    MODULE_USES_EXPERIMENTAL_FEATURES = "Module uses experimental features";
    MULTIPLE_DATA_RESOURCE_BLOCKS = "Multiple data resource blocks";
    MULTIPLE_HCP_PACKER_REGISTRY_BLOCK_DECLARATION = "Multiple HCP Packer registry block declaration";
    MUST_PROVIDE_ONE_OF_SOURCE_OR_CONTENT = "Must provide one of 'source' or 'content'";
    NO_ACTIONS_SPECIFIED = "No actions specified";
    NO_EVENTS_SPECIFIED = "No events specified";
    NO_SOURCE_WAS_SET = "No source was set";
    NO_VERSION_CONSTRAINT_WAS_SET = "No version constraint was set";
    OBJECT_WITHOUT_A_PLAN = "Object without a plan";
    ONLY_ONE_ERROR_CLEANUP_PROVISIONER_IS_ALLOWED = "Only one error-cleanup-provisioner is allowed";
    ONLY_ONE_HCP_PACKER_REGISTRY_IS_ALLOWED = "Only one hcp_packer_registry is allowed";
    ONLY_WITHOUT_MATCH = "an 'only' option was passed, but not all matches were found for the given build.";
    OPTIONAL_OBJECT_TYPE_ATTRIBUTES_ARE_EXPERIMENTAL = "Optional object type attributes are experimental";
    OTHER_VALUES_THAN_IN_THE_PLAN = "Other values than in the plan";
    PROVIDER_CONFIGURATION_FOR_EACH_MATCHES_MODULE = "Provider configuration for_each matches module";
    PROVIDER_CONFIGURATION_FOR_EACH_MATCHES_RESOURCE = "Provider configuration for_each matches resource";
    PROVIDER_INSTANCE_NOT_PRESENT = "Provider instance not present";
    QUOTED_KEYWORDS_ARE_DEPRECATED = "Quoted keywords are deprecated";
    QUOTED_REFERENCES_ARE_DEPRECATED = "Quoted references are deprecated";
    REFERENCE_TO_NON_EXISTENT_ACTION_INSTANCE = "Reference to non-existent action instance";
    REFERENCE_TO_UNDECLARED_INPUT_VARIABLE = "Reference to undeclared input variable";
    REFERENCE_TO_UNDECLARED_LOCAL_VALUE = "Reference to undeclared local value";
    REFERENCE_TO_UNDECLARED_RESOURCE = "Reference to undeclared resource";
    REFRESH_ONLY_PLAN = "Plan of a refresh only";
    REGISTRY_LABELS_DEPRECATED = "the argument hcp_packer_registry.labels has been deprecated and will be removed in the next minor release; please use hcp_packer_registry.bucket_labels";
    REGISTRY_LABELS_EXCLUSIVE = "hcp_packer_registry.labels and hcp_packer_registry.bucket_labels are mutually exclusive; please use the recommended argument hcp_packer_registry.bucket_labels";
    REMOVED_MODULE_BLOCK_STILL_EXISTS = "Removed module block still exists";
    REMOVED_MODULE_STILL_EXISTS = "Removed module still exists";
    REMOVED_RESOURCE_BLOCK_STILL_EXISTS = "Removed resource block still exists";
    REMOVED_RESOURCE_STILL_EXISTS = "Removed resource still exists";
    RESOURCE_INSTANCE_ADDRESS_WITH_KEYS_IS_NOT_ALLOWED = "Resource instance address with keys is not allowed";
    RESOURCE_INSTANCE_KEYS_NOT_ALLOWED = "Resource instance keys not allowed";
    SELF_REFERENCE_NOT_ALLOWED = "Self reference not allowed";
    SOME_OBJECTS_WILL_NO_LONGER_BE_MANAGED_BY_TERRAFORM = "Some objects will no longer be managed by Terraform";
    UNABLE_TO_PARSE_PROVIDER_FUNCTION = "Unable to parse provider function";
    UNDECLARED_RESOURCE_IN_REPLACE_TRIGGERED_BY = "Undeclared resource in replace_triggered_by";
    UNDEFINED_LOCAL = "Undefined local";
    UNDEFINED_PROVIDER_CONFIGURATION = "Undefined provider configuration";
    UNDEFINED_VARIABLE = "Undefined variable";
    UNDEFINED_VAR_VARIABLE = "Undefined -var variable";
    UNKNOWN_EXPERIMENT_KEYWORD = "Unknown experiment keyword";
    UNKNOWN_FUNCTION_NAMESPACE = "Unknown function namespace";
    UNKNOWN_FUNCTION_PROVIDER = "Unknown function provider";
    UNKNOWN_MODULE_SOURCE = "Unknown module source";
    UNKNOWN_PROVIDER_FUNCTION = "Unknown provider function";
    UNSUPPORTED_LANGUAGE_EDITION = "Unsupported language edition";
    UNSUPPORTED_TERRAFORM_CORE_VERSION = "Unsupported Terraform Core version";
    VARIABLE_DECLARATION_IN_A_PKRVAR_FILE = "Variable declaration in a .pkrvar file";
    VARIABLE_DOES_NOT_ALLOW_EPHEMERAL_VALUE = "Variable does not allow ephemeral value";
}

named_titles! {
    cannot_override_blocks(block_type: &str) = "Can't override {block_type} blocks";
    decoding_errors(count: usize) = "{count} error(s) decoding:";
    duplicate_block(block_type: &str) = "Duplicate {block_type} block";
    duplicate_check(name: &str) = "Duplicate check \"{name}\" configuration";
    duplicate_encryption_part(part: &str) = "Duplicate {part}";
    duplicate_event(event: &str) = "Duplicate {event:?} event";
    duplicate_import(address: &str) = "Duplicate import configuration for {address:?}";
    duplicate_required_plugin(name: &str) = "Duplicate required_plugin.\"{name}\" block";
    duplicate_resource(block_type: &str, resource_type: &str) = "Duplicate {block_type} \"{resource_type}\" configuration";
    extraneous_label(block_type: &str) = "Extraneous label for {block_type}";
    failed_preparing(kind: &str, component_type: &str, name: &str) = "Failed preparing {kind}-block \"{component_type}\" \"{name}\"";
    inconsistent_blocks(block_type: &str) = "Unconsistent argument types in {block_type} blocks";
    invalid_attribute(name: &str) = "Invalid \"{name}\" attribute";
    invalid_combination(arguments: &str) = "Invalid combination of {arguments}";
    invalid_condition(block_type: &str) = "Invalid {block_type} expression";
    invalid_duration(argument: &str) = "Failed to parse {argument} duration";
    invalid_encryption_label(part: &str, label: &str) = "The provided {part} {label} is invalid";
    invalid_event(event: &str) = "Invalid \"event\" value {event}";
    invalid_keyword(argument: &str) = "Invalid \"{argument}\" keyword";
    invalid_override(name: &str) = "provisioner's override.'{name}' block must be an HCL object";
    invalid_pattern(option: &str, pattern: &str, problem: &str) = "Invalid -{option} pattern {pattern}: {problem}";
    invalid_value_of_source(source: &str) = "Invalid value for {source} variable";
    missing_block(block_type: &str) = "Missing {block_type} block";
    missing_label(label: &str, block_type: &str) = "Missing {label} for {block_type}";
    missing_provider(module: &str, provider: &str, alias: &str) = "missing provider {module}provider[\"{provider}\"]{alias}";
    no_change(object: &str, module: &str) = "no change found for {object} in {module}";
    no_template(path: &str) = "Could not find any config file in {path}";
    preparation_errors(count: usize) = "{count} error(s) occurred:";
    preparation_warning(text: &str) = "{text}";
    read_only_attribute(name: &str) = "\"{name}\" attribute is read-only";
    removed_provisioner(provisioner: &str) = "The \"{provisioner}\" provisioner has been removed";
    reserved_block_type_name(owner: &str) = "Reserved block type name in {owner} block";
    too_few_blocks(block_type: &str) = "Insufficient {block_type} blocks";
    too_many_blocks(block_type: &str) = "Too many {block_type} blocks";
    unexpected_block(block_type: &str) = "Unexpected \"{block_type}\" block";
    unknown_data_type(data_type: &str) = "Unknown data type {data_type}";
    unknown_error_cleanup_provisioner(provisioner: &str) = "Unknown error-cleanup-provisioner type \"{provisioner}\"";
    unknown_file_format(path: &str) = "Could not guess format of {path}";
    unknown_post_processor(post_processor: &str) = "Unknown post-processor type \"{post_processor}\"";
    unknown_provisioner(provisioner: &str) = "Unknown provisioner type \"{provisioner}\"";
    unknown_source(source: &str) = "Unknown source {source}";
    unknown_source_type(source_type: &str) = "Unknown source type {source_type}";
    unset_variable(name: &str) = "Unset variable \"{name}\"";
    unsupported_provider_meta(provider: &str) = "Provider {provider} doesn't support provider_meta";
}
