//! The provider of the tests: `acme/tree`, which speaks version 5 or 6 of the protocol.

use std::convert::Infallible;
use std::future::pending;
use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::ExitCode;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http2::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use terrane_providers::wire::{
    CallReply, CallRequest, Diagnostic, Empty, IdentityAttribute, IdentityReply, IdentitySchema, v5, v6,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tonic::Status;
use tonic::body::Body;
use tonic::server::Grpc;
use tonic_prost::ProstCodec;

use crate::callable;

/// Serves until the process is killed.
pub(crate) fn run(name: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let name = name.to_owned();
    runtime.block_on(async {
        match name.as_str() {
            "memory" => {
                let taken = vec![1_u8; 2 << 30];
                ExitCode::from(taken.last().copied().unwrap_or_default())
            }
            "v5" => serve_tcp().await,
            name => serve_unix(name).await,
        }
    })
}

/// Serves version 5 over TCP.
async fn serve_tcp() -> ExitCode {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    announce(&format!("1|5|tcp|{}|grpc", listener.local_addr().expect("an address")));
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(serve(stream, "v5".to_owned()));
    }
}

/// Serves version 6, or another behaviour, over a Unix socket in the directory that the environment names.
async fn serve_unix(name: &str) -> ExitCode {
    let directory = std::env::var("PLUGIN_UNIX_SOCKET_DIR").expect("a directory of sockets");
    let path = Path::new(&directory).join("plugin");
    let listener = UnixListener::bind(&path).expect("a socket");
    // A provider with version 5 of the protocol may use a Unix socket, too.
    let version = if name == "v5-unix" { 5 } else { 6 };
    announce(&format!("1|{version}|unix|{}|grpc|", path.display()));
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(serve(stream, name.to_owned()));
    }
}

/// Prints the first line, followed by much text that nobody reads.
fn announce(line: &str) {
    let mut stdout = std::io::stdout().lock();
    let more = "x".repeat(200_000);
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).expect("a reader");
    // The reader of Terraform stops after the first line.
    let _ = writeln!(stdout, "{more}");
    let _ = writeln!(std::io::stderr(), "serving");
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, name: String) {
    let answer = move |request: Request<Incoming>| answer(request, name.clone());
    let builder = Builder::new(TokioExecutor::new());
    // The client may close the connection at any time.
    let _ = builder.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
}

async fn answer(request: Request<Incoming>, name: String) -> Result<Response<Body>, Infallible> {
    let path = request.uri().path().to_owned();
    let method =
        path.strip_prefix("/tfplugin6.Provider/").or_else(|| path.strip_prefix("/tfplugin5.Provider/"));
    Ok(match (name.as_str(), method) {
        ("hangs", Some(_)) => pending().await,
        ("no-functions", Some("GetFunctions")) => Status::unimplemented("no such method").into_http(),
        (_, Some("GetFunctions")) => reply(request, callable::functions()).await,
        (_, Some("CallFunction")) => {
            let call = |request: tonic::Request<CallRequest>| async {
                callable::call(request.into_inner()).await.map(tonic::Response::new)
            };
            let codec: ProstCodec<CallReply, CallRequest> = ProstCodec::default();
            Grpc::new(codec).unary(tower::service_fn(call), request).await
        }
        ("v5" | "v5-unix", Some("GetSchema")) => reply(request, old_schemas()).await,
        ("v5" | "v5-unix", _) => Status::unimplemented("no such method").into_http(),
        (name, Some("GetProviderSchema")) => reply(request, schemas_of(name)).await,
        ("v6", Some("GetResourceIdentitySchemas")) => reply(request, identities()).await,
        _ => Status::unimplemented("no such method").into_http(),
    })
}

async fn reply<M: prost::Message + Default + Clone + 'static>(
    request: Request<Incoming>,
    message: M,
) -> Response<Body> {
    let respond = move |_: tonic::Request<Empty>| {
        let message = message.clone();
        async move { Ok::<_, Status>(tonic::Response::new(message)) }
    };
    let codec: ProstCodec<M, Empty> = ProstCodec::default();
    Grpc::new(codec).unary(tower::service_fn(respond), request).await
}

/// Returns the schemas of a behaviour.
fn schemas_of(name: &str) -> v6::SchemaReply {
    let mut schemas = schemas();
    match name {
        "huge" => {
            let block = v6::Block { description: "x".repeat(65 << 20), ..v6::Block::default() };
            schemas.provider = Some(v6::Schema { version: 0, block: Some(block) });
        }
        "broken-type" => schemas.resource_schemas = [("tree_oak".to_owned(), broken_type())].into(),
        "broken-nesting" => schemas.resource_schemas = [("tree_oak".to_owned(), broken_nesting())].into(),
        "environment" => {
            let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
            let names = names.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>();
            let block = v6::Block { description: names.join(","), ..v6::Block::default() };
            schemas.provider = Some(v6::Schema { version: 0, block: Some(block) });
        }
        "functions" => schemas.functions = callable::functions().functions,
        "error" => {
            schemas.diagnostics = vec![
                Diagnostic { severity: 2, summary: "A warning".into(), detail: String::new() },
                Diagnostic { severity: 1, summary: "No \u{1b}[31mtrees".into(), detail: "None grow.".into() },
            ];
        }
        _ => {}
    }
    schemas
}

fn text(name: &str) -> v6::Attribute {
    v6::Attribute { name: name.into(), ty: br#""string""#.to_vec(), ..v6::Attribute::default() }
}

fn broken_type() -> v6::Schema {
    let attribute = v6::Attribute { ty: b"[\"list\"".to_vec(), ..text("age") };
    let block = v6::Block { attributes: vec![attribute], ..v6::Block::default() };
    v6::Schema { version: 0, block: Some(block) }
}

fn broken_nesting() -> v6::Schema {
    let nested = v6::NestedBlock { type_name: "leaf".into(), nesting: 9, ..v6::NestedBlock::default() };
    let block = v6::Block { block_types: vec![nested], ..v6::Block::default() };
    v6::Schema { version: 0, block: Some(block) }
}

/// Returns the schemas in version 6.
fn schemas() -> v6::SchemaReply {
    let root = v6::Object {
        attributes: vec![
            v6::Attribute { ty: br#""number""#.to_vec(), required: true, ..text("depth") },
            v6::Attribute { optional: true, sensitive: true, ..text("secret") },
        ],
        nesting: 2,
    };
    let leaves = v6::NestedBlock {
        type_name: "leaf".into(),
        block: Some(v6::Block {
            attributes: vec![v6::Attribute { required: true, ..text("colour") }],
            ..v6::Block::default()
        }),
        nesting: 3,
        min_items: 1,
        max_items: 5,
    };
    let oak = v6::Block {
        attributes: vec![
            v6::Attribute { computed: true, ..text("id") },
            v6::Attribute {
                ty: br#"["map",["list","number"]]"#.to_vec(),
                optional: true,
                description: "Rings by *year*.".into(),
                description_kind: 1,
                ..text("rings")
            },
            v6::Attribute { deprecated: true, optional: true, ..text("old") },
            v6::Attribute { optional: true, write_only: true, ..text("token") },
            v6::Attribute { ty: Vec::new(), optional: true, nested_type: Some(root), ..text("roots") },
        ],
        block_types: vec![leaves],
        description: "An oak.".into(),
        ..v6::Block::default()
    };
    let region = v6::Block {
        attributes: vec![v6::Attribute { optional: true, ..text("forest") }],
        ..v6::Block::default()
    };
    let id = v6::Block {
        attributes: vec![v6::Attribute { computed: true, ..text("id") }],
        ..v6::Block::default()
    };
    let schema = |block: v6::Block, version| v6::Schema { version, block: Some(block) };
    v6::SchemaReply {
        provider: Some(schema(region, 0)),
        resource_schemas: [("tree_oak".to_owned(), schema(oak, 3))].into(),
        data_source_schemas: [("tree_oak".to_owned(), schema(id.clone(), 0))].into(),
        ephemeral_resource_schemas: [("tree_fruit".to_owned(), schema(id, 0))].into(),
        functions: [("grow".to_owned(), callable::grow())].into(),
        ..v6::SchemaReply::default()
    }
}

fn identities() -> IdentityReply {
    let attribute = IdentityAttribute {
        name: "id".into(),
        ty: br#""string""#.to_vec(),
        required_for_import: true,
        ..IdentityAttribute::default()
    };
    let schema = IdentitySchema { version: 1, attributes: vec![attribute] };
    IdentityReply { identity_schemas: [("tree_oak".to_owned(), schema)].into(), diagnostics: Vec::new() }
}

/// Returns the schemas in version 5, which has no nested types.
fn old_schemas() -> v5::SchemaReply {
    let text = |name: &str| v5::Attribute {
        name: name.into(),
        ty: br#""string""#.to_vec(),
        ..v5::Attribute::default()
    };
    let leaf = v5::Block {
        attributes: vec![v5::Attribute { required: true, ..text("colour") }],
        ..v5::Block::default()
    };
    let leaves = v5::NestedBlock {
        type_name: "leaf".into(),
        block: Some(leaf),
        nesting: 2,
        ..v5::NestedBlock::default()
    };
    let oak = v5::Block {
        attributes: vec![
            v5::Attribute { computed: true, ..text("id") },
            v5::Attribute { optional: true, write_only: true, ..text("token") },
            v5::Attribute { optional: true, sensitive: true, deprecated: true, ..text("secret") },
        ],
        block_types: vec![leaves],
        ..v5::Block::default()
    };
    let schema = |block: v5::Block, version| v5::Schema { version, block: Some(block) };
    v5::SchemaReply {
        provider: Some(schema(v5::Block::default(), 0)),
        resource_schemas: [("tree_oak".to_owned(), schema(oak, 1))].into(),
        functions: [("grow".to_owned(), callable::grow())].into(),
        ..v5::SchemaReply::default()
    }
}
