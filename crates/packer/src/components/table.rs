//! The table of components that are part of Packer itself, with their arguments. None has nested blocks, and no
//! argument is required in all uses of its component.

use super::builtin::{ArgumentType, BuiltinComponent};
use crate::model::component_kind::ComponentKind;

impl BuiltinComponent {
    pub(crate) fn find(kind: ComponentKind, name: &str) -> Option<&'static BuiltinComponent> {
        BUILTINS.iter().find(|builtin| builtin.kind == kind && builtin.name == name)
    }

    pub(crate) fn argument(&self, name: &str) -> Option<ArgumentType> {
        let mut all = self.arguments.iter().chain(COMMON);
        all.find(|(_, names)| names.contains(&name)).map(|(ty, _)| *ty)
    }

    pub(crate) fn argument_names(&self) -> impl Iterator<Item = &'static str> {
        self.arguments.iter().flat_map(|(_, names)| names.iter().copied())
    }
}

/// Returns the names of the components of a kind.
pub(crate) fn names(kind: ComponentKind) -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().filter(move |builtin| builtin.kind == kind).map(|builtin| builtin.name)
}

/// The arguments that Packer sets itself, and that every component accepts.
const COMMON: &[(ArgumentType, &[&str])] = &[
    (
        ArgumentType::Text,
        &["packer_build_name", "packer_builder_type", "packer_core_version", "packer_on_error"],
    ),
    (ArgumentType::Bool, &["packer_debug", "packer_force"]),
    (ArgumentType::TextMap, &["packer_user_variables"]),
    (ArgumentType::Texts, &["packer_sensitive_variables"]),
];

/// The arguments for commands and scripts on this machine, as a provisioner and as a post-processor.
const SHELL_LOCAL: &[(ArgumentType, &[&str])] = &[
    (ArgumentType::Texts, &["inline", "scripts", "environment_vars", "execute_command", "only_on"]),
    (ArgumentType::Text, &["script", "env_var_format", "command", "inline_shebang", "tempfile_extension"]),
    (ArgumentType::Numbers, &["valid_exit_codes"]),
    (ArgumentType::TextMap, &["env"]),
    (ArgumentType::Bool, &["use_linux_pathing"]),
];

/// All built-in components.
const BUILTINS: &[BuiltinComponent] = &[
    BuiltinComponent {
        kind: ComponentKind::Source,
        name: "file",
        arguments: &[(ArgumentType::Text, &["source", "target", "content"])],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Source,
        name: "null",
        arguments: &[
            (
                ArgumentType::Text,
                &[
                    "communicator",
                    "ssh_host",
                    "ssh_username",
                    "ssh_password",
                    "ssh_keypair_name",
                    "temporary_key_pair_name",
                    "temporary_key_pair_type",
                    "ssh_private_key_file",
                    "ssh_certificate_file",
                    "ssh_bastion_host",
                    "ssh_bastion_username",
                    "ssh_bastion_password",
                    "ssh_bastion_private_key_file",
                    "ssh_bastion_certificate_file",
                    "ssh_file_transfer_method",
                    "ssh_proxy_host",
                    "ssh_proxy_username",
                    "ssh_proxy_password",
                    "winrm_username",
                    "winrm_password",
                    "winrm_host",
                ],
            ),
            (
                ArgumentType::Duration,
                &[
                    "pause_before_connecting",
                    "ssh_timeout",
                    "ssh_wait_timeout",
                    "ssh_keep_alive_interval",
                    "ssh_read_write_timeout",
                    "winrm_timeout",
                ],
            ),
            (
                ArgumentType::Number,
                &[
                    "ssh_port",
                    "temporary_key_pair_bits",
                    "ssh_handshake_attempts",
                    "ssh_bastion_port",
                    "ssh_proxy_port",
                    "winrm_port",
                ],
            ),
            (
                ArgumentType::Texts,
                &["ssh_ciphers", "ssh_key_exchange_algorithms", "ssh_remote_tunnels", "ssh_local_tunnels"],
            ),
            (
                ArgumentType::Bool,
                &[
                    "ssh_clear_authorized_keys",
                    "ssh_pty",
                    "ssh_agent_auth",
                    "ssh_disable_agent_forwarding",
                    "ssh_bastion_agent_auth",
                    "ssh_bastion_interactive",
                    "winrm_no_proxy",
                    "winrm_use_ssl",
                    "winrm_insecure",
                    "winrm_use_ntlm",
                ],
            ),
            (ArgumentType::Numbers, &["ssh_public_key", "ssh_private_key"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "breakpoint",
        arguments: &[(ArgumentType::Text, &["note"]), (ArgumentType::Bool, &["disable"])],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "file",
        arguments: &[
            (ArgumentType::Text, &["content", "source", "destination", "direction"]),
            (ArgumentType::Texts, &["sources"]),
            (ArgumentType::Bool, &["generated"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "hcp-sbom",
        arguments: &[
            (
                ArgumentType::Text,
                &[
                    "source",
                    "destination",
                    "sbom_name",
                    "scanner_url",
                    "scanner_checksum",
                    "scan_path",
                    "execute_command",
                    "elevated_user",
                    "elevated_password",
                ],
            ),
            (ArgumentType::Bool, &["auto_generate"]),
            (ArgumentType::Texts, &["scanner_args"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "powershell",
        arguments: &[
            (ArgumentType::Texts, &["inline", "scripts", "environment_vars"]),
            (
                ArgumentType::Text,
                &[
                    "script",
                    "env_var_format",
                    "remote_path",
                    "execute_command",
                    "remote_env_var_path",
                    "elevated_execute_command",
                    "elevated_env_var_format",
                    "elevated_user",
                    "elevated_password",
                    "execution_policy",
                ],
            ),
            (ArgumentType::Duration, &["start_retry_timeout", "pause_after"]),
            (ArgumentType::Numbers, &["valid_exit_codes"]),
            (ArgumentType::TextMap, &["env"]),
            (ArgumentType::Bool, &["binary", "skip_clean", "use_pwsh"]),
            (ArgumentType::Number, &["debug_mode"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "shell",
        arguments: &[
            (ArgumentType::Texts, &["inline", "scripts", "environment_vars"]),
            (
                ArgumentType::Text,
                &[
                    "script",
                    "env_var_format",
                    "remote_path",
                    "execute_command",
                    "inline_shebang",
                    "remote_folder",
                    "remote_file",
                ],
            ),
            (ArgumentType::Duration, &["pause_after", "start_retry_timeout"]),
            (ArgumentType::Numbers, &["valid_exit_codes"]),
            (ArgumentType::TextMap, &["env"]),
            (ArgumentType::Bool, &["binary", "use_env_var_file", "skip_clean", "expect_disconnect"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "shell-local",
        arguments: SHELL_LOCAL,
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "sleep",
        arguments: &[(ArgumentType::Duration, &["duration"])],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "windows-restart",
        arguments: &[
            (ArgumentType::Text, &["restart_command", "restart_check_command"]),
            (ArgumentType::Duration, &["restart_timeout"]),
            (ArgumentType::Bool, &["check_registry"]),
            (ArgumentType::Texts, &["registry_keys"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Provisioner,
        name: "windows-shell",
        arguments: &[
            (ArgumentType::Texts, &["inline", "scripts", "environment_vars"]),
            (ArgumentType::Text, &["script", "env_var_format", "remote_path", "execute_command"]),
            (ArgumentType::Duration, &["start_retry_timeout"]),
            (ArgumentType::Numbers, &["valid_exit_codes"]),
            (ArgumentType::TextMap, &["env"]),
            (ArgumentType::Bool, &["binary"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::PostProcessor,
        name: "artifice",
        arguments: &[(ArgumentType::Texts, &["files"]), (ArgumentType::Bool, &["keep_input_artifact"])],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::PostProcessor,
        name: "checksum",
        arguments: &[(ArgumentType::Texts, &["checksum_types"]), (ArgumentType::Text, &["output"])],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::PostProcessor,
        name: "compress",
        arguments: &[
            (ArgumentType::Text, &["output", "format", "archive", "algorithm"]),
            (ArgumentType::Number, &["compression_level"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::PostProcessor,
        name: "manifest",
        arguments: &[
            (ArgumentType::Text, &["output"]),
            (ArgumentType::Bool, &["strip_path", "strip_time"]),
            (ArgumentType::TextMap, &["custom_data"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::PostProcessor,
        name: "provenance",
        arguments: &[
            (ArgumentType::Bool, &["provenance", "sbom", "upload_tlog"]),
            (
                ArgumentType::Text,
                &[
                    "build_type",
                    "output_dir",
                    "template",
                    "source_uri",
                    "sbom_format",
                    "sbom_scan_path",
                    "sbom_scope",
                    "signing_mode",
                    "signer",
                    "key",
                    "verifier",
                    "fulcio_url",
                    "rekor_url",
                    "trusted_root_path",
                    "keyless_identity",
                    "keyless_oidc_issuer",
                ],
            ),
            (ArgumentType::Texts, &["only_builds", "sbom_exclude"]),
            (ArgumentType::TextMap, &["user_variables"]),
        ],
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::PostProcessor,
        name: "shell-local",
        arguments: SHELL_LOCAL,
        results: &[],
    },
    BuiltinComponent {
        kind: ComponentKind::Data,
        name: "hcp-packer-artifact",
        arguments: &[(
            ArgumentType::Text,
            &["bucket_name", "channel_name", "version_fingerprint", "platform", "region", "component_type"],
        )],
        results: &[
            (
                ArgumentType::Text,
                &[
                    "platform",
                    "component_type",
                    "created_at",
                    "build_id",
                    "version_id",
                    "channel_id",
                    "packer_run_uuid",
                    "external_identifier",
                    "region",
                ],
            ),
            (ArgumentType::TextMap, &["labels"]),
        ],
    },
    BuiltinComponent {
        kind: ComponentKind::Data,
        name: "hcp-packer-image",
        arguments: &[(
            ArgumentType::Text,
            &["bucket_name", "channel", "iteration_id", "cloud_provider", "region", "component_type"],
        )],
        results: &[
            (
                ArgumentType::Text,
                &[
                    "cloud_provider",
                    "component_type",
                    "created_at",
                    "build_id",
                    "iteration_id",
                    "channel_id",
                    "packer_run_uuid",
                    "id",
                    "region",
                ],
            ),
            (ArgumentType::TextMap, &["labels"]),
        ],
    },
    BuiltinComponent {
        kind: ComponentKind::Data,
        name: "hcp-packer-iteration",
        arguments: &[(ArgumentType::Text, &["bucket_name", "channel"])],
        results: &[
            (
                ArgumentType::Text,
                &["author_id", "bucket_name", "created_at", "fingerprint", "id", "updated_at", "channel_id"],
            ),
            (ArgumentType::Bool, &["complete"]),
            (ArgumentType::Number, &["incremental_version"]),
        ],
    },
    BuiltinComponent {
        kind: ComponentKind::Data,
        name: "hcp-packer-version",
        arguments: &[(ArgumentType::Text, &["bucket_name", "channel_name"])],
        results: &[(
            ArgumentType::Text,
            &[
                "author_id",
                "bucket_name",
                "status",
                "created_at",
                "fingerprint",
                "id",
                "name",
                "updated_at",
                "channel_id",
            ],
        )],
    },
    BuiltinComponent {
        kind: ComponentKind::Data,
        name: "http",
        arguments: &[
            (ArgumentType::Text, &["url", "method", "request_body"]),
            (ArgumentType::TextMap, &["request_headers"]),
        ],
        results: &[(ArgumentType::Text, &["url", "body"]), (ArgumentType::TextMap, &["request_headers"])],
    },
    BuiltinComponent {
        kind: ComponentKind::Data,
        name: "null",
        arguments: &[(ArgumentType::Text, &["input"])],
        results: &[(ArgumentType::Text, &["output"])],
    },
];
