//! The arguments of the built-in backends, with which `terraform_remote_state` is checked before it is read.

use terrane_source::{Title, ids, titles};
use terrane_value::{SmolStr, Type, Value, closest_name, convert};

/// The arguments of a backend, by type.
struct Backend {
    name: &'static str,
    /// The required arguments that the environment cannot set.
    required: &'static [&'static str],
    texts: &'static [&'static str],
    bools: &'static [&'static str],
    numbers: &'static [&'static str],
    /// The arguments that are lists or sets of strings.
    lists: &'static [&'static str],
    /// The arguments that are maps of strings.
    maps: &'static [&'static str],
    /// The nested blocks.
    blocks: &'static [&'static str],
}

const NOTHING: Backend = Backend {
    name: "",
    required: &[],
    texts: &[],
    bools: &[],
    numbers: &[],
    lists: &[],
    maps: &[],
    blocks: &[],
};

/// The backends of all products and editions, each with the arguments of all editions.
#[rustfmt::skip]
const BACKENDS: &[Backend] = &[
    Backend { name: "local", texts: &["path", "workspace_dir"], ..NOTHING },
    Backend { name: "inmem", texts: &["lock_id"], ..NOTHING },
    Backend {
        name: "remote",
        required: &["organization"],
        texts: &["hostname", "organization", "token"],
        blocks: &["workspaces"],
        ..NOTHING
    },
    Backend { name: "cloud", texts: &["hostname", "organization", "token"], blocks: &["workspaces"], ..NOTHING },
    Backend {
        name: "azurerm",
        required: &["container_name", "key", "storage_account_name"],
        texts: &[
            "access_key", "ado_pipeline_service_connection_id", "ado_service_connection_id", "client_certificate",
            "client_certificate_password", "client_certificate_path", "client_id", "client_id_file_path", "client_secret",
            "client_secret_file_path", "container_name", "customer_provided_key", "encryption_scope", "endpoint",
            "environment", "key", "metadata_host", "msi_endpoint", "oidc_request_token", "oidc_request_url", "oidc_token",
            "oidc_token_file_path", "resource_group_name", "sas_token", "storage_account_name", "subscription_id",
            "tenant_id",
        ],
        bools: &[
            "lookup_blob_endpoint", "snapshot", "use_aks_workload_identity", "use_azuread_auth", "use_cli", "use_msi",
            "use_oidc",
        ],
        numbers: &["timeout_seconds"],
        ..NOTHING
    },
    Backend {
        name: "consul",
        required: &["path"],
        texts: &[
            "access_token", "address", "ca_file", "cert_file", "datacenter", "http_auth", "key_file", "path", "scheme",
        ],
        bools: &["gzip", "lock"],
        ..NOTHING
    },
    Backend {
        name: "cos",
        required: &["bucket"],
        texts: &[
            "acl", "bucket", "cam_role_name", "domain", "endpoint", "key", "prefix", "profile", "region", "secret_id",
            "secret_key", "security_token", "shared_credentials_dir",
        ],
        bools: &["accelerate", "encrypt"],
        blocks: &["assume_role"],
        ..NOTHING
    },
    Backend {
        name: "gcs",
        required: &["bucket"],
        texts: &[
            "access_token", "bucket", "credentials", "encryption_key", "impersonate_service_account", "kms_encryption_key",
            "prefix", "storage_custom_endpoint", "universe_domain",
        ],
        lists: &["impersonate_service_account_delegates"],
        ..NOTHING
    },
    Backend {
        name: "http",
        texts: &[
            "address", "client_ca_certificate_pem", "client_certificate_pem", "client_private_key_pem", "lock_address",
            "lock_method", "password", "unlock_address", "unlock_method", "update_method", "username",
        ],
        bools: &["skip_cert_verification"],
        numbers: &["retry_max", "retry_wait_max", "retry_wait_min"],
        maps: &["headers"],
        ..NOTHING
    },
    Backend {
        name: "kubernetes",
        required: &["secret_suffix"],
        texts: &[
            "client_certificate", "client_key", "cluster_ca_certificate", "config_context", "config_context_auth_info",
            "config_context_cluster", "config_path", "host", "namespace", "password", "proxy_url", "secret_suffix", "token",
            "username",
        ],
        bools: &["in_cluster_config", "insecure", "load_config_file"],
        lists: &["config_paths"],
        maps: &["labels"],
        blocks: &["exec"],
        ..NOTHING
    },
    Backend {
        name: "oci",
        required: &["bucket", "namespace"],
        texts: &[
            "auth", "bucket", "config_file_profile", "fingerprint", "key", "kms_key_id", "namespace", "private_key",
            "private_key_password", "private_key_path", "region", "sse_customer_algorithm", "sse_customer_key",
            "sse_customer_key_sha256", "tenancy_ocid", "user_ocid", "workspace_key_prefix",
        ],
        ..NOTHING
    },
    Backend {
        name: "oss",
        required: &["bucket"],
        texts: &[
            "access_key", "acl", "assume_role_policy", "assume_role_role_arn", "assume_role_session_name", "bucket",
            "ecs_role_name", "endpoint", "key", "prefix", "profile", "region", "secret_key", "security_token",
            "shared_credentials_file", "sts_endpoint", "tablestore_endpoint", "tablestore_instance_name",
            "tablestore_table",
        ],
        bools: &["encrypt"],
        numbers: &["assume_role_session_expiration"],
        blocks: &["assume_role"],
        ..NOTHING
    },
    Backend {
        name: "pg",
        texts: &["conn_str", "index_name", "schema_name", "table_name"],
        bools: &["skip_index_creation", "skip_schema_creation", "skip_table_creation"],
        ..NOTHING
    },
    Backend {
        name: "s3",
        required: &["bucket", "key"],
        texts: &[
            "access_key", "acl", "assume_role_policy", "bucket", "custom_ca_bundle", "dynamodb_endpoint", "dynamodb_table",
            "ec2_metadata_service_endpoint", "ec2_metadata_service_endpoint_mode", "endpoint", "external_id", "http_proxy",
            "https_proxy", "iam_endpoint", "key", "kms_key_id", "no_proxy", "profile", "region", "retry_mode", "role_arn",
            "secret_key", "session_name", "shared_credentials_file", "sse_customer_key", "sts_endpoint", "sts_region",
            "token", "workspace_key_prefix",
        ],
        bools: &[
            "encrypt", "force_path_style", "insecure", "skip_credentials_validation", "skip_metadata_api_check",
            "skip_region_validation", "skip_requesting_account_id", "skip_s3_checksum", "use_dualstack_endpoint",
            "use_fips_endpoint", "use_lockfile", "use_path_style",
        ],
        numbers: &["assume_role_duration_seconds", "max_retries"],
        lists: &[
            "allowed_account_ids", "assume_role_policy_arns", "assume_role_transitive_tag_keys", "forbidden_account_ids",
            "shared_config_files", "shared_credentials_files",
        ],
        maps: &["assume_role_tags", "lock_tags", "state_tags"],
        blocks: &["assume_role", "assume_role_with_web_identity", "endpoints"],
    },
];

impl Backend {
    /// Returns the type of the argument `name`; `Dynamic` for a block.
    fn argument(&self, name: &str) -> Option<Type> {
        let types = [
            (self.texts, Type::String),
            (self.bools, Type::Bool),
            (self.numbers, Type::Number),
            (self.lists, Type::list(Type::String)),
            (self.maps, Type::map(Type::String)),
            (self.blocks, Type::Dynamic),
        ];
        types.into_iter().find(|(names, _)| names.contains(&name)).map(|(_, ty)| ty)
    }

    fn arguments(&self) -> impl Iterator<Item = &'static str> {
        let all = [self.texts, self.bools, self.numbers, self.lists, self.maps, self.blocks];
        all.into_iter().flatten().copied()
    }

    /// Returns the first error in the arguments, whose values are known.
    fn problem(&self, arguments: &[(SmolStr, Value)]) -> Option<Problem> {
        let title = Title::of(ids::INVALID_BACKEND);
        let wrong = |detail: String| Some(Problem { is_name: false, title, detail, hint: None });
        for (name, value) in arguments {
            let Some(ty) = self.argument(name) else {
                let nearest = closest_name(name, self.arguments());
                let detail = format!("The backend \"{}\" takes no argument \"{name}\".", self.name);
                let hint = nearest.map(|nearest| format!("Did you mean `{nearest}`?"));
                return Some(Problem { is_name: false, title, detail, hint });
            };
            if let Err(error) = convert(value, &ty) {
                return wrong(format!(
                    "The argument \"{name}\" of the backend \"{}\" is not valid: {error}.",
                    self.name
                ));
            }
        }
        let empty = arguments.iter().find(|(_, value)| self.name == "local" && value.as_str() == Some(""));
        if let Some((name, _)) = empty {
            let detail = format!("The argument \"{name}\" of the backend \"local\" must not be empty.");
            let title = match name.as_str() {
                "path" => titles::INVALID_LOCAL_STATE_FILE_PATH,
                _ => titles::INVALID_LOCAL_WORKSPACE_DIRECTORY_PATH,
            };
            return Some(Problem { is_name: false, title, detail, hint: None });
        }
        let is_set = |required: &&&str| arguments.iter().any(|(name, _)| name == *required);
        let missing = self.required.iter().find(|required| !is_set(required))?;
        wrong(format!("The backend \"{}\" needs the argument \"{missing}\".", self.name))
    }
}

/// An error in the configuration of a backend.
pub(crate) struct Problem {
    /// Whether the name of the backend is wrong.
    pub(crate) is_name: bool,
    /// The title of the diagnostic.
    pub(crate) title: Title,
    /// The detail of the diagnostic.
    pub(crate) detail: String,
    /// A similar name, which may be meant.
    pub(crate) hint: Option<String>,
}

/// Whether a backend stores states in files on the machine.
pub(crate) fn is_local(name: &str) -> bool {
    // `_local` is a name from old versions.
    ["local", "_local"].contains(&name)
}

/// The arguments of the backend `local`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct LocalBackend {
    pub(crate) path: Option<String>,
    pub(crate) workspace_dir: Option<String>,
}

impl LocalBackend {
    /// Returns the path of the state file of a workspace, or of the default workspace, relative to the working
    /// directory of Terraform or OpenTofu.
    pub(crate) fn state_path(&self, workspace: Option<&str>) -> String {
        match workspace.filter(|name| !name.is_empty() && *name != "default") {
            None => self.path.clone().unwrap_or_else(|| "terraform.tfstate".to_owned()),
            Some(workspace) => {
                let directory = self.workspace_dir.as_deref().unwrap_or("terraform.tfstate.d");
                format!("{directory}/{workspace}/terraform.tfstate")
            }
        }
    }
}

/// Returns the first error in the configuration of a backend.
pub(crate) fn problem(name: &str, config: &Value) -> Option<Problem> {
    let name = if is_local(name) { "local" } else { name };
    let Some(backend) = BACKENDS.iter().find(|backend| backend.name == name) else {
        let nearest = closest_name(name, BACKENDS.iter().map(|backend| backend.name));
        let hint = nearest.map(|nearest| format!("Did you mean \"{nearest}\"?"));
        let (title, detail) = (Title::of(ids::INVALID_BACKEND), format!("There is no backend \"{name}\"."));
        return Some(Problem { is_name: true, title, detail, hint });
    };
    if config.is_null() {
        return backend.problem(&[]);
    }
    match config.as_entries() {
        Some(arguments) => backend.problem(&arguments.cloned().collect::<Vec<_>>()),
        None => {
            let detail = "The configuration of a backend must be an object.".to_owned();
            Some(Problem { is_name: false, title: Title::of(ids::INVALID_BACKEND), detail, hint: None })
        }
    }
}
