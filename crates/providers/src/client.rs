//! Calls a provider over gRPC.

use http::uri::PathAndQuery;
use hyper_util::rt::TokioIo;
use terrane::render::visible;
use tokio::net::TcpStream;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint, Uri};
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;
use tower::service_fn;

use crate::failure::Failure;
use crate::handshake::{Handshake, Listener, Protocol};
use crate::wire::v6::SchemaReply;
use crate::wire::{CallReply, CallRequest, Diagnostic, Empty, FunctionsReply, IdentityReply, v5};

/// The most bytes of an answer, as in Terraform.
const MAX_BYTES: usize = 64 << 20;

/// The severity of errors.
const ERROR: i32 = 1;

/// A connection to a provider.
pub(crate) struct Client {
    grpc: Grpc<Channel>,
    protocol: Protocol,
}

impl Client {
    /// Connects to a provider.
    pub(crate) async fn connect(handshake: Handshake) -> Result<Client, Failure> {
        // The name only appears in the header; the connection goes to the listener of the handshake.
        let endpoint = Endpoint::from_static("http://localhost");
        let listener = handshake.listener;
        let channel = match &listener {
            #[cfg(unix)]
            Listener::Unix(path) => {
                let path = path.clone();
                let connect = move |_: Uri| {
                    let path = path.clone();
                    async move { tokio::net::UnixStream::connect(path).await.map(TokioIo::new) }
                };
                endpoint.connect_with_connector(service_fn(connect)).await
            }
            #[cfg(not(unix))]
            Listener::Unix(path) => {
                return Err(Failure::new(format!("this system has no sockets such as {}", path.display())));
            }
            Listener::Tcp(address) => {
                let address = *address;
                let connect =
                    move |_: Uri| async move { TcpStream::connect(address).await.map(TokioIo::new) };
                endpoint.connect_with_connector(service_fn(connect)).await
            }
        };
        let channel = channel
            .map_err(|error| Failure::new(format!("the provider cannot be reached: {}", causes(&error))))?;
        let grpc = Grpc::new(channel).max_decoding_message_size(MAX_BYTES);
        Ok(Client { grpc, protocol: handshake.protocol })
    }

    /// Returns all schemas of the provider.
    pub(crate) async fn schemas(&mut self) -> Result<SchemaReply, Failure> {
        let reply: SchemaReply = match self.protocol {
            Protocol::V5 => self.ask::<v5::SchemaReply>("/tfplugin5.Provider/GetSchema").await?.into(),
            Protocol::V6 => self.ask("/tfplugin6.Provider/GetProviderSchema").await?,
        };
        check(&reply.diagnostics)?;
        Ok(reply)
    }

    /// Returns the functions of the provider. Older providers have none.
    pub(crate) async fn functions(&mut self) -> Result<FunctionsReply, Failure> {
        let path = match self.protocol {
            Protocol::V5 => "/tfplugin5.Provider/GetFunctions",
            Protocol::V6 => "/tfplugin6.Provider/GetFunctions",
        };
        let reply: FunctionsReply = self.ask_newer(path).await?;
        check(&reply.diagnostics)?;
        Ok(reply)
    }

    /// Calls a function.
    pub(crate) async fn call(&mut self, call: CallRequest) -> Result<CallReply, Failure> {
        let path = match self.protocol {
            Protocol::V5 => "/tfplugin5.Provider/CallFunction",
            Protocol::V6 => "/tfplugin6.Provider/CallFunction",
        };
        self.unary(path, call).await.map_err(|status| failed(path, &status))
    }

    /// Returns the schemas of resource identities. Older providers have none.
    pub(crate) async fn identities(&mut self) -> Result<IdentityReply, Failure> {
        let path = match self.protocol {
            Protocol::V5 => "/tfplugin5.Provider/GetResourceIdentitySchemas",
            Protocol::V6 => "/tfplugin6.Provider/GetResourceIdentitySchemas",
        };
        let reply: IdentityReply = self.ask_newer(path).await?;
        check(&reply.diagnostics)?;
        Ok(reply)
    }

    /// Asks the provider to end.
    pub(crate) async fn shut_down(&mut self) {
        // A provider that does not support this call is ended in any case.
        let _ = self.unary::<Empty, Empty>("/plugin.GRPCController/Shutdown", Empty {}).await;
    }

    /// Returns the answer to a call without arguments.
    async fn ask<A: prost::Message + Default + 'static>(&mut self, path: &'static str) -> Result<A, Failure> {
        self.unary(path, Empty {}).await.map_err(|status| failed(path, &status))
    }

    /// Asks like [`Client::ask`]. Returns an empty answer if the provider does not support the call.
    async fn ask_newer<A: prost::Message + Default + 'static>(
        &mut self,
        path: &'static str,
    ) -> Result<A, Failure> {
        match self.unary(path, Empty {}).await {
            Err(status) if status.code() == Code::Unimplemented => Ok(A::default()),
            answer => answer.map_err(|status| failed(path, &status)),
        }
    }

    async fn unary<Q, A>(&mut self, path: &'static str, request: Q) -> Result<A, Status>
    where
        Q: prost::Message + 'static,
        A: prost::Message + Default + 'static,
    {
        let unready = |error: tonic::transport::Error| Status::unavailable(causes(&error));
        self.grpc.ready().await.map_err(unready)?;
        let codec: ProstCodec<Q, A> = ProstCodec::default();
        let answer = self.grpc.unary(Request::new(request), PathAndQuery::from_static(path), codec).await?;
        Ok(answer.into_inner())
    }
}

/// Returns the error of a call.
fn failed(path: &str, status: &Status) -> Failure {
    let method = path.rsplit('/').next().unwrap_or(path);
    let mut text = visible(status.message()).into_owned();
    if status.code() == Code::OutOfRange {
        text = format!("its answer has more than {} MiB", MAX_BYTES >> 20);
    } else if text.is_empty() {
        text = status.code().description().to_owned();
    }
    Failure::new(format!("the provider did not answer the call {method}: {text}"))
}

/// Returns an error with its causes.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    visible(&text).into_owned()
}

/// Returns an error if the provider reports errors.
fn check(diagnostics: &[Diagnostic]) -> Result<(), Failure> {
    let Some(first) = diagnostics.iter().find(|diagnostic| diagnostic.severity == ERROR) else {
        return Ok(());
    };
    let (summary, detail) = (visible(&first.summary), visible(&first.detail));
    let separator = if detail.is_empty() { "" } else { ": " };
    Err(Failure::new(format!("the provider reports the error \"{summary}{separator}{detail}\"")))
}
