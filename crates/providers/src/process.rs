//! Runs the process of a provider: starts it with an empty environment, and ends it in every case.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{sleep, timeout};

use crate::failure::Failure;
use crate::handshake::{Handshake, MAX_BYTES, shown};

/// The value that tells a provider that it was not started by hand.
const MAGIC_COOKIE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

/// The number of bytes kept of a provider's messages.
const KEPT: usize = 4 << 10;

/// The time for a process to end after it has closed its output.
const ENDING: Duration = Duration::from_secs(1);

/// A running provider. Its process and the processes that it has started end when this value is dropped.
pub(crate) struct Process {
    child: Child,
    stdout: Option<BufReader<ChildStdout>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// The working directory, home directory and directory of sockets. It is removed at the end.
    _directory: TempDir,
}

impl Process {
    /// Starts the executable of a provider.
    pub(crate) fn start(executable: &Path) -> Result<Process, Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(format!("{} cannot be started: {error}", executable.display()))
        };
        let directory = TempDir::new().map_err(failed)?;
        let mut command = Command::new(executable);
        command.env_clear().current_dir(&directory).stdin(Stdio::null());
        command.env("TF_PLUGIN_MAGIC_COOKIE", MAGIC_COOKIE).env("PLUGIN_PROTOCOL_VERSIONS", "5,6");
        for name in ["HOME", "TMPDIR", "PLUGIN_UNIX_SOCKET_DIR"] {
            command.env(name, directory.path());
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(failed)?;
        let stderr = Arc::new(Mutex::new(Vec::new()));
        if let Some(output) = child.stderr.take() {
            tokio::spawn(keep_end(output, Arc::clone(&stderr)));
        }
        let stdout = child.stdout.take().map(BufReader::new);
        Ok(Process { child, stdout, stderr, _directory: directory })
    }

    /// Waits for the line that says where the provider listens.
    pub(crate) async fn handshake(&mut self) -> Result<Handshake, Failure> {
        let Some(output) = self.stdout.take() else {
            return Err(Failure::new("the provider has no output"));
        };
        let mut limited = output.take(MAX_BYTES as u64);
        let mut line = Vec::new();
        let read = limited.read_until(b'\n', &mut line).await;
        read.map_err(|error| Failure::new(format!("the output of the provider cannot be read: {error}")))?;
        if line.is_empty() {
            let status = self.status().await;
            return Err(Failure::new(format!("the provider ended {status}before it said where it listens")));
        }
        // A provider that prints more must not wait for a reader.
        tokio::spawn(discard(limited.into_inner()));
        if line.len() >= MAX_BYTES && line.last() != Some(&b'\n') {
            let beginning = shown(&String::from_utf8_lossy(line.get(..KEPT).unwrap_or_default()));
            return Err(Failure::new(format!("the first line of the provider has no end: \"{beginning}\"")));
        }
        Handshake::parse(&String::from_utf8_lossy(&line))
    }

    /// Adds the last messages of the provider below an error.
    pub(crate) async fn explain(&self, failure: Failure) -> Failure {
        match self.messages().await {
            Some(messages) => Failure { text: format!("{}\n  {messages}", failure.text), ..failure },
            None => failure,
        }
    }

    /// Returns the last messages of the provider.
    async fn messages(&self) -> Option<String> {
        // Messages written just before the provider ended may not have arrived yet.
        sleep(Duration::from_millis(20)).await;
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines.get(lines.len().saturating_sub(3)..).unwrap_or_default();
        let last: Vec<String> = last.iter().map(|line| shown(line)).collect();
        (!last.is_empty()).then(|| last.join("\n  "))
    }

    /// Returns how the process has ended, as a part of a sentence. Empty while it runs.
    async fn status(&self) -> String {
        let wait = async {
            loop {
                if let Some(status) = self.ended() {
                    return status;
                }
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(ENDING, wait).await.unwrap_or_default()
    }

    /// Returns the status of a process that has ended. The process stays a zombie, so that no other process gets the id of its
    /// group.
    #[cfg(unix)]
    fn ended(&self) -> Option<String> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

        let pid = Pid::from_raw(self.child.id()?.try_into().ok()?)?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("with exit code {code} "),
            (None, Some(signal)) => format!("by signal {signal} "),
            (None, None) => String::new(),
        })
    }

    #[cfg(not(unix))]
    fn ended(&self) -> Option<String> {
        None
    }

    /// Ends the process and the processes that it has started, and waits until the process is gone.
    pub(crate) async fn end(mut self) {
        self.kill();
        // After the signal, only a process that waits for a device can still exist.
        let _ = timeout(ENDING, self.child.wait()).await;
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};

        let pid = self.child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        if let Some(pid) = pid {
            // An error means that the process no longer exists.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.child.start_kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Limits the memory of this process and of the processes that it starts.
///
/// # Errors
///
/// If the system has no such limit, or a lower limit that cannot be raised.
pub fn limit_memory(bytes: u64) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};

        let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
        // A provider that runs out of memory would otherwise leave a core dump.
        setrlimit(Resource::Core, limit(0))?;
        setrlimit(Resource::Data, limit(bytes))?;
    }
    #[cfg(not(unix))]
    let _ = bytes;
    Ok(())
}

/// Keeps the end of the messages of the provider.
async fn keep_end(mut output: impl AsyncRead + Unpin, kept: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = vec![0; KEPT];
    while let Ok(read @ 1..) = output.read(&mut buffer).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
}

async fn discard(mut output: impl AsyncRead + Unpin) {
    let mut buffer = vec![0; KEPT];
    while let Ok(1..) = output.read(&mut buffer).await {}
}
