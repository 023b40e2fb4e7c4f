//! The arguments of `lifecycle` and `connection` blocks, which are in bodies with the schemas of providers.

/// The arguments of `lifecycle` blocks and of the blocks in them.
const LIFECYCLE: [&str; 10] = [
    "actions",
    "condition",
    "create_before_destroy",
    "destroy",
    "enabled",
    "error_message",
    "events",
    "ignore_changes",
    "prevent_destroy",
    "replace_triggered_by",
];

/// The arguments of `connection` blocks that are no credentials.
const CONNECTION: [&str; 24] = [
    "agent",
    "agent_identity",
    "bastion_certificate",
    "bastion_host",
    "bastion_host_key",
    "bastion_port",
    "bastion_user",
    "cacert",
    "certificate",
    "host",
    "host_key",
    "https",
    "insecure",
    "port",
    "proxy_host",
    "proxy_port",
    "proxy_scheme",
    "proxy_user_name",
    "script_path",
    "target_platform",
    "timeout",
    "type",
    "use_ntlm",
    "user",
];

/// Whether `lifecycle`, `connection` or a block in them may have an argument with this name that is no secret. Another one may be a
/// misplaced argument of the provider. Blocks of other types may have any arguments.
///
/// The crate of modules has the schemas of these blocks; its tests compare the names.
pub fn may_have_open_argument(block_type: &str, name: &str) -> bool {
    match block_type {
        "lifecycle" | "precondition" | "postcondition" | "action_trigger" => LIFECYCLE.contains(&name),
        "connection" => CONNECTION.contains(&name),
        _ => true,
    }
}
