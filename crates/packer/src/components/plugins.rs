//! Types of components: built-in types, and types from plugins.

use terrane_source::{Diagnostic, ids, titles};
use terrane_value::{ClosestNames, SmolStr};

use crate::components::table;
use crate::model::component_kind::ComponentKind;
use crate::model::template::Template;

/// Plugins that users install without requiring them in a template. The type of a component is the name of its plugin,
/// or begins with it and a hyphen.
const PLUGINS: &[&str] = &[
    "alicloud",
    "amazon",
    "anka",
    "ansible",
    "arm",
    "arm-image",
    "azure",
    "canopy",
    "chef",
    "cloudstack",
    "cnspec",
    "comment",
    "converge",
    "cross",
    "digitalocean",
    "docker",
    "exoscale",
    "external",
    "flash",
    "git",
    "github",
    "googlecompute",
    "goss",
    "hashicups",
    "hcloud",
    "hcp",
    "hetzner",
    "hetznerdedicated",
    "huaweicloud",
    "hyperone",
    "hyperv",
    "ibmcloud",
    "incus",
    "inspec",
    "ionoscloud",
    "jdcloud",
    "kamatera",
    "kubevirt",
    "libvirt",
    "linode",
    "lxc",
    "lxd",
    "macstadium",
    "metalcloud",
    "mondoo",
    "ncloud",
    "nutanix",
    "oneandone",
    "openstack",
    "oracle",
    "osc",
    "outscale",
    "ovirt",
    "oxide",
    "parallels",
    "profitbricks",
    "proxmox",
    "puppet",
    "qemu",
    "rhcos",
    "salt",
    "scaleway",
    "scvmm",
    "sshkey",
    "sylvaos",
    "tart",
    "tencentcloud",
    "triton",
    "ucloud",
    "upcloud",
    "utm",
    "vagrant",
    "veertu-anka",
    "virtualbox",
    "vmware",
    "volcengine",
    "vsphere",
    "vultr",
    "windows-update",
    "xenserver",
    "yandex",
];

/// Whether a component of this type may exist: it is built in, or it belongs to a required plugin or to one of
/// [`PLUGINS`].
pub(crate) fn is_known(template: &Template, kind: ComponentKind, component: &str) -> bool {
    let is_of = |plugin: &str| {
        component.strip_prefix(plugin).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    is_builtin(kind, component)
        || template.plugins.keys().any(|plugin| is_of(plugin))
        || PLUGINS.iter().any(|plugin| is_of(plugin))
}

/// Whether the component is built into Packer, so that its arguments and results are known.
pub(crate) fn is_builtin(kind: ComponentKind, component: &str) -> bool {
    table::names(kind.of_component()).any(|name| name == component)
}

/// Returns the error for a component of an unknown type.
pub(crate) fn unknown(
    template: &Template,
    kind: ComponentKind,
    component: &str,
    closest_names: &ClosestNames,
) -> Diagnostic {
    let kind_name = kind.name();
    let title = match kind {
        ComponentKind::Source => titles::unknown_source_type(component),
        ComponentKind::Data => titles::unknown_data_type(component),
        ComponentKind::Provisioner => titles::unknown_provisioner(component),
        ComponentKind::CleanupProvisioner => titles::unknown_error_cleanup_provisioner(component),
        ComponentKind::PostProcessor => titles::unknown_post_processor(component),
    };
    let detail = format!(
        "Packer has no built-in {kind_name} \"{component}\". If a plugin provides it, require the plugin \
         in a `required_plugins` block: its local name is the part of the type before a hyphen."
    );
    let of_program = table::names(kind.of_component()).chain(PLUGINS.iter().copied());
    let names = of_program.map(SmolStr::new_static).chain(template.plugins.keys().cloned());
    let diagnostic = Diagnostic::error(ids::UNKNOWN_COMPONENT, detail).titled(title);
    match closest_names.of(component, names) {
        Some(nearest) => diagnostic.hint(format!("Did you mean \"{nearest}\"?")),
        None => diagnostic,
    }
}
