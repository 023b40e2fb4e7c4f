# Rules as conftest runs them, for each part of a plan document that policies read.
package main

import rego.v1

deny contains message if {
	some resource in input.resource_changes
	resource.mode == "managed"
	"create" in resource.change.actions
	not resource.change.after.name
	message := sprintf("%s has no name", [resource.address])
}

deny contains message if {
	some resource in input.resource_changes
	some attribute, unknown in resource.change.after_unknown
	unknown == true
	message := sprintf("%s.%s is unknown", [resource.address, attribute])
}

deny contains message if {
	some resource in input.resource_changes
	is_object(resource.change.after_sensitive)
	some attribute, sensitive in resource.change.after_sensitive
	sensitive == true
	message := sprintf("%s.%s is sensitive", [resource.address, attribute])
}

deny contains message if {
	some resource in input.resource_changes
	is_object(resource.change.after)
	some attribute, value in resource.change.after
	is_null(value)
	message := sprintf("%s.%s is null", [resource.address, attribute])
}

modules contains module if {
	[_, module] := walk(input.planned_values.root_module)
	is_object(module)
	module.resources
}

deny contains message if {
	some module in modules
	some resource in module.resources
	message := sprintf("%s is planned with %d values", [resource.address, count(resource.values)])
}

calls contains call if {
	[_, call] := walk(input.configuration.root_module)
	is_object(call)
	call.source
	call.module
}

deny contains message if {
	some call in calls
	not startswith(call.source, "./modules/")
	message := sprintf("the source %s is not allowed", [call.source])
}

deny contains message if {
	some resource in input.configuration.root_module.resources
	some argument, expression in resource.expressions
	some reference in expression.references
	message := sprintf("%s.%s refers to %s", [resource.address, argument, reference])
}

deny contains message if {
	some resource in input.configuration.root_module.resources
	some argument, expression in resource.expressions
	message := sprintf("%s.%s is %v", [resource.address, argument, expression.constant_value])
}

deny contains message if {
	some name, provider in input.configuration.provider_config
	message := sprintf("%s is %s, %v", [name, provider.full_name, object.get(provider, "version_constraint", "any version")])
}

deny contains message if {
	some name, output in input.output_changes
	output.after_sensitive == true
	message := sprintf("the output %s is sensitive", [name])
}

deny contains message if {
	some name, variable in input.variables
	message := sprintf("the variable %s is %v", [name, variable.value])
}

deny contains message if {
	some check in input.checks
	check.status != "pass"
	message := sprintf("%s: %s", [check.address.to_display, check.status])
}
