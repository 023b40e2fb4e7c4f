//! Asks the executables of providers for their schemas and functions.
//!
//! [`Wanted`] finds the packages that `init` has installed, and compares their hashes with the lock file. [`schemas`] starts
//! the executable of one, calls it over gRPC in version 5 or 6 of the protocol of Terraform, and ends it. [`document()`] writes
//! the document of `terraform providers schema -json`. A [`Provider`] runs for longer: its functions can be called.
//!
//! The command `terrane-providers` is this crate as a process of its own: nothing else of Terrane starts a provider, and
//! `terrane` has none of the packages that a connection needs.

mod client;
mod document;
mod failure;
mod handshake;
mod installed;
mod message_pack;
mod package_hash;
mod process;
mod provider;
pub mod wire;

use std::path::Path;
use std::time::Duration;

use tokio::time::timeout;

pub use self::document::{ProviderSchemas, document};
pub use self::failure::Failure;
pub use self::installed::{Package, Wanted, platform};
pub use self::package_hash::package_hash;
pub use self::process::limit_memory;
pub use self::provider::{Outcome, Provider};

use self::client::Client;
use self::process::Process;

/// The time that a provider gets to end when it is asked to.
const ENDING: Duration = Duration::from_secs(2);

/// Starts the executable of a provider, and asks it for its schemas. The process has ended when this returns.
///
/// # Errors
///
/// If the executable is no provider, reports an error, or does not answer within `time`.
pub async fn schemas(executable: &Path, time: Duration) -> Result<ProviderSchemas, Failure> {
    let mut process = Process::start(executable)?;
    let result = timeout(time, ask(&mut process)).await.unwrap_or_else(|_| Err(too_slow(time)));
    let result = match result {
        Ok(schemas) => Ok(schemas),
        Err(failure) => Err(process.explain(failure).await),
    };
    process.end().await;
    result
}

async fn ask(process: &mut Process) -> Result<ProviderSchemas, Failure> {
    let handshake = process.handshake().await?;
    let mut client = Client::connect(handshake).await?;
    let reply = client.schemas().await?;
    let identities = client.identities().await?;
    // The process is killed if it does not end by itself.
    let _ = timeout(ENDING, client.shut_down()).await;
    ProviderSchemas::new(&reply, &identities)
}

/// Returns the error for a provider that exceeds its time.
fn too_slow(time: Duration) -> Failure {
    let text = format!("the provider did not answer within {:.1} s", time.as_secs_f64());
    Failure::new(text).help("`--timeout` gives it more time")
}
