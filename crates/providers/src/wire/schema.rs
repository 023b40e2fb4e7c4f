//! The messages of schemas that both versions of the protocol encode in the same way, except for the attributes in them.

/// Declares the messages in the module of a version, which declares `Attribute`.
macro_rules! schema_messages {
    () => {
        /// The answer with all schemas of a provider.
        #[derive(Clone, PartialEq, Eq, prost::Message)]
        pub struct SchemaReply {
            /// The configuration of the provider.
            #[prost(message, optional, tag = "1")]
            pub provider: Option<Schema>,
            /// Resources by type.
            #[prost(btree_map = "string, message", tag = "2")]
            pub resource_schemas: BTreeMap<String, Schema>,
            /// Data sources by type.
            #[prost(btree_map = "string, message", tag = "3")]
            pub data_source_schemas: BTreeMap<String, Schema>,
            /// Errors and warnings.
            #[prost(message, repeated, tag = "4")]
            pub diagnostics: Vec<Diagnostic>,
            /// Functions by name.
            #[prost(btree_map = "string, message", tag = "7")]
            pub functions: BTreeMap<String, Function>,
            /// Ephemeral resources by type.
            #[prost(btree_map = "string, message", tag = "8")]
            pub ephemeral_resource_schemas: BTreeMap<String, Schema>,
            /// List resources by type.
            #[prost(btree_map = "string, message", tag = "9")]
            pub list_resource_schemas: BTreeMap<String, Schema>,
            /// State stores by type; version 5 has none.
            #[prost(btree_map = "string, message", tag = "10")]
            pub state_store_schemas: BTreeMap<String, Schema>,
            /// Actions by type.
            #[prost(btree_map = "string, message", tag = "11")]
            pub action_schemas: BTreeMap<String, ActionSchema>,
        }

        /// The schema of a configuration.
        #[derive(Clone, PartialEq, Eq, prost::Message)]
        pub struct Schema {
            /// The version of the schema.
            #[prost(int64, tag = "1")]
            pub version: i64,
            /// The content.
            #[prost(message, optional, tag = "2")]
            pub block: Option<Block>,
        }

        /// The schema of an action.
        #[derive(Clone, PartialEq, Eq, prost::Message)]
        pub struct ActionSchema {
            /// The schema of its configuration.
            #[prost(message, optional, tag = "1")]
            pub schema: Option<Schema>,
        }

        /// The content of a block.
        #[derive(Clone, PartialEq, Eq, prost::Message)]
        pub struct Block {
            /// The attributes.
            #[prost(message, repeated, tag = "2")]
            pub attributes: Vec<Attribute>,
            /// The blocks in the block.
            #[prost(message, repeated, tag = "3")]
            pub block_types: Vec<NestedBlock>,
            /// The description.
            #[prost(string, tag = "4")]
            pub description: String,
            /// The format of the description: 0 is plain text, 1 Markdown.
            #[prost(int32, tag = "5")]
            pub description_kind: i32,
            /// Whether the block is deprecated.
            #[prost(bool, tag = "6")]
            pub deprecated: bool,
            /// Advice to users of a deprecated block.
            #[prost(string, tag = "7")]
            pub deprecation_message: String,
        }

        /// A kind of block in a block.
        #[derive(Clone, PartialEq, Eq, prost::Message)]
        pub struct NestedBlock {
            /// The name of the block.
            #[prost(string, tag = "1")]
            pub type_name: String,
            /// The content.
            #[prost(message, optional, tag = "2")]
            pub block: Option<Block>,
            /// The nesting mode: 1 is single, 2 list, 3 set, 4 map, 5 group.
            #[prost(int32, tag = "3")]
            pub nesting: i32,
            /// The fewest blocks.
            #[prost(int64, tag = "4")]
            pub min_items: i64,
            /// The most blocks; 0 is any number.
            #[prost(int64, tag = "5")]
            pub max_items: i64,
        }
    };
}

pub(super) use schema_messages;
