//! Records the questions to a file system with their answers, to list the files that an evaluation has read, and to
//! decide later whether a result still holds.
//!
//! A repeated question gets the recorded answer, so that an evaluation sees one state of the files: many instances of a
//! module list the same directories. Only long contents and very long listings are read again.
//!
//! A long content or listing is stored as its SHA-256. A short one is stored as it is, and its SHA-256 is computed only
//! on request: most evaluations request none.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexMap};
use sha2::{Digest, Sha256};
use terrane_source::{FileEntry, FileError, FileErrorKind, FileKind, Files};

/// The SHA-256 of bytes.
pub type Hash = [u8; 32];

/// Returns the SHA-256 of the content of a file.
pub fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// The bytes of a file or a listing, or their SHA-256 if they are many.
#[derive(Clone, Debug)]
pub struct RecordedContent {
    size: u64,
    short: Option<Arc<[u8]>>,
    hash: OnceLock<Hash>,
}

impl RecordedContent {
    /// Limit on the bytes that are stored as they are. The text that a function reads is also in a value, so it takes
    /// about as much memory again.
    const SHORT: usize = 4096;

    fn of(bytes: &[u8]) -> RecordedContent {
        let size = bytes.len() as u64;
        if bytes.len() <= RecordedContent::SHORT {
            RecordedContent { size, short: Some(Arc::from(bytes)), hash: OnceLock::new() }
        } else {
            RecordedContent { size, short: None, hash: OnceLock::from(hash(bytes)) }
        }
    }

    /// Returns the number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the SHA-256.
    pub fn hash(&self) -> &Hash {
        self.hash.get_or_init(|| hash(self.short.as_deref().unwrap_or_default()))
    }
}

impl PartialEq for RecordedContent {
    fn eq(&self, other: &RecordedContent) -> bool {
        match (&self.short, &other.short) {
            (Some(one), Some(other)) => one == other,
            (_, _) => self.size == other.size && self.hash() == other.hash(),
        }
    }
}

impl Eq for RecordedContent {}

/// A question about a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// The content of a file.
    Content,
    /// The entries of a directory.
    Entries,
    /// The kind of the entry at the path.
    Kind,
    /// The canonical path.
    Canonical,
}

/// The answer to a [`Question`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordedAnswer {
    /// The content of a file whose text is stored elsewhere.
    Kept,
    /// A content.
    Content(RecordedContent),
    /// The names and kinds of the entries of a directory.
    Entries(RecordedContent),
    /// The kind of the entry at the path.
    Kind(FileKind),
    /// A canonical path.
    Canonical(PathBuf),
    /// An error of the file system.
    Error(FileErrorKind),
}

impl RecordedAnswer {
    fn of<T>(result: &Result<T, FileError>, answer: impl FnOnce(&T) -> RecordedAnswer) -> RecordedAnswer {
        match result {
            Ok(found) => answer(found),
            Err(error) => RecordedAnswer::Error(error.kind.clone()),
        }
    }

    fn of_content(result: &Result<Vec<u8>, FileError>) -> RecordedAnswer {
        RecordedAnswer::of(result, |content| RecordedAnswer::Content(RecordedContent::of(content)))
    }

    fn of_entries(result: &Result<Vec<FileEntry>, FileError>) -> RecordedAnswer {
        RecordedAnswer::of(result, |entries| {
            let mut bytes = Vec::new();
            for FileEntry { name, kind, is_link } in entries {
                let kind = match kind {
                    FileKind::File => 0,
                    FileKind::Directory => 1,
                    FileKind::Other => 2,
                };
                bytes.extend_from_slice(name.as_bytes());
                // No name has a zero byte.
                bytes.extend([0, kind, u8::from(*is_link)]);
            }
            RecordedAnswer::Entries(RecordedContent::of(&bytes))
        })
    }

    fn of_kind(result: &Result<FileKind, FileError>) -> RecordedAnswer {
        RecordedAnswer::of(result, |kind| RecordedAnswer::Kind(*kind))
    }

    fn of_canonical(result: &Result<PathBuf, FileError>) -> RecordedAnswer {
        RecordedAnswer::of(result, |path| RecordedAnswer::Canonical(path.clone()))
    }
}

/// Questions with their last answers, in no order. Paths are compared by their text.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Accesses {
    answers: IndexMap<Key, RecordedAnswer, RandomState>,
    /// The paths that are made of secrets.
    hidden: BTreeSet<OsString>,
}

impl Accesses {
    /// Returns the questions with their answers.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, Question, &RecordedAnswer)> {
        self.answers.iter().map(|(key, answer)| (Path::new(&key.path), key.question, answer))
    }

    /// Whether the path is made of a secret, so that no output may show it.
    pub fn is_hidden(&self, path: &Path) -> bool {
        self.hidden.contains(path.as_os_str())
    }

    /// Adds further questions with their answers.
    pub fn extend(&mut self, other: &Accesses) {
        self.answers
            .extend(other.answers.iter().map(|(question, answer)| (question.clone(), answer.clone())));
        self.hidden.extend(other.hidden.iter().cloned());
    }

    /// Whether `files` give the same answers. A content that is stored elsewhere cannot be compared. From then on,
    /// `files` keep paths that are made of secrets out of their lists.
    pub fn is_current(&self, files: &dyn Files) -> bool {
        self.hidden.iter().for_each(|path| files.hide_path(Path::new(path)));
        self.iter().all(|(path, question, answer)| {
            let now = match question {
                _ if *answer == RecordedAnswer::Kept => return false,
                Question::Content => RecordedAnswer::of_content(&files.read(path)),
                Question::Entries => RecordedAnswer::of_entries(&files.list(path)),
                Question::Kind => RecordedAnswer::of_kind(&files.metadata(path)),
                Question::Canonical => RecordedAnswer::of_canonical(&files.canonicalize(path)),
            };
            now == *answer
        })
    }

    /// Returns the approximate bytes of memory.
    pub fn bytes(&self) -> usize {
        let entry = size_of::<(Key, RecordedAnswer)>();
        let kept = |answer: &RecordedAnswer| match answer {
            RecordedAnswer::Content(content) | RecordedAnswer::Entries(content) => {
                content.short.as_ref().map_or(0, |bytes| bytes.len())
            }
            RecordedAnswer::Kept
            | RecordedAnswer::Kind(_)
            | RecordedAnswer::Canonical(_)
            | RecordedAnswer::Error(_) => 0,
        };
        self.iter().map(|(path, _, answer)| path.as_os_str().len() + entry + kept(answer)).sum()
    }
}

/// A question about a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    path: OsString,
    question: Question,
}

/// A borrowed [`Key`].
#[derive(Hash)]
struct Asked<'p> {
    path: &'p OsStr,
    question: Question,
}

impl Equivalent<Key> for Asked<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self.path == key.path && self.question == key.question
    }
}

/// The entries of directories that have been listed.
#[derive(Default, Debug)]
struct Listings {
    by_path: HashMap<OsString, Arc<[FileEntry]>, RandomState>,
    /// The number of entries in all directories.
    entries: usize,
}

impl Listings {
    /// Limit on the entries that are kept.
    const MOST: usize = 100_000;

    fn keep(&mut self, path: &Path, entries: &[FileEntry]) {
        let has_room = entries.len() <= Listings::MOST.saturating_sub(self.entries);
        if has_room && !self.by_path.contains_key(path.as_os_str()) {
            self.entries += entries.len();
            self.by_path.insert(path.as_os_str().to_owned(), Arc::from(entries));
        }
    }
}

/// Collects accesses, which may come from several threads.
#[derive(Default, Debug)]
pub struct AccessLog {
    accesses: Mutex<Accesses>,
    /// The accesses at the last mark.
    marked: Mutex<Accesses>,
    listings: Mutex<Listings>,
}

impl AccessLog {
    /// Marks the accesses so far, to which [`AccessLog::take_back`] returns.
    pub fn mark(&self) {
        lock(&self.marked).clone_from(&lock(&self.accesses));
    }

    /// Takes back the accesses since the last mark.
    pub fn take_back(&self) {
        *lock(&self.accesses) = std::mem::take(&mut *lock(&self.marked));
        *lock(&self.listings) = Listings::default();
    }

    /// Returns the accesses, and empties the log.
    pub fn take(&self) -> Accesses {
        *lock(&self.listings) = Listings::default();
        *lock(&self.marked) = Accesses::default();
        std::mem::take(&mut *lock(&self.accesses))
    }

    /// Adds questions with their answers.
    pub fn extend(&self, accesses: &Accesses) {
        lock(&self.accesses).extend(accesses);
    }

    /// Notes that the contents of files were read, and are stored elsewhere.
    pub fn note_kept<'p>(&self, paths: impl IntoIterator<Item = &'p Path>) {
        paths.into_iter().for_each(|path| self.note(path, Question::Content, RecordedAnswer::Kept));
    }

    /// Returns the earlier answer to the question; `None` for a file that was larger than an earlier reader allowed.
    fn answer(&self, path: &Path, question: Question) -> Option<Result<RecordedAnswer, FileError>> {
        let answer =
            lock(&self.accesses).answers.get(&Asked { path: path.as_os_str(), question }).cloned()?;
        match answer {
            RecordedAnswer::Error(FileErrorKind::TooLarge { .. }) => None,
            RecordedAnswer::Error(kind) => Some(Err(FileError { path: path.to_owned(), kind })),
            RecordedAnswer::Kept
            | RecordedAnswer::Content(_)
            | RecordedAnswer::Entries(_)
            | RecordedAnswer::Kind(_)
            | RecordedAnswer::Canonical(_) => Some(Ok(answer)),
        }
    }

    fn listing(&self, path: &Path) -> Option<Arc<[FileEntry]>> {
        lock(&self.listings).by_path.get(path.as_os_str()).map(Arc::clone)
    }

    fn note(&self, path: &Path, question: Question, answer: RecordedAnswer) {
        lock(&self.accesses).answers.insert(Key { path: path.as_os_str().to_owned(), question }, answer);
    }
}

fn lock<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file system that records every question with its answer in a log. It writes nothing.
#[derive(Clone, Copy)]
pub struct Recorder<'f> {
    files: &'f dyn Files,
    log: &'f AccessLog,
    /// Whether the text of a file is stored elsewhere.
    is_kept: fn(&Path) -> bool,
    /// Whether the log keeps the entries of directories.
    keeps_listings: bool,
}

impl<'f> Recorder<'f> {
    /// Returns a recorder that records the questions to `files` in `log`.
    pub fn new(files: &'f dyn Files, log: &'f AccessLog) -> Recorder<'f> {
        Recorder { files, log, is_kept: |_| false, keeps_listings: false }
    }

    /// Keeps the entries of directories, to answer when they are listed again. A recorder around
    /// another recorder need not.
    #[must_use]
    pub fn keeping_listings(self) -> Recorder<'f> {
        Recorder { keeps_listings: true, ..self }
    }

    /// Computes no hashes of the files whose text is stored elsewhere.
    #[must_use]
    pub fn without_hash_of(self, is_kept: fn(&Path) -> bool) -> Recorder<'f> {
        Recorder { is_kept, ..self }
    }

    /// Returns the answer to an earlier question for the content of a file, if that has at most `most`
    /// bytes and is stored here.
    fn content_before(&self, path: &Path, most: u64) -> Option<Result<Vec<u8>, FileError>> {
        let short = match self.log.answer(path, Question::Content)? {
            Ok(RecordedAnswer::Content(content)) => content.short?,
            Ok(_) => return None,
            Err(error) => return Some(Err(error)),
        };
        (short.len() as u64 <= most).then(|| Ok(short.to_vec()))
    }

    /// Records the content of a file and returns it.
    fn noted(&self, path: &Path, content: Result<Vec<u8>, FileError>) -> Result<Vec<u8>, FileError> {
        let answer = match &content {
            Ok(_) if (self.is_kept)(path) => RecordedAnswer::Kept,
            content => RecordedAnswer::of_content(content),
        };
        self.log.note(path, Question::Content, answer);
        content
    }
}

impl Files for Recorder<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError> {
        self.content_before(path, u64::MAX).unwrap_or_else(|| self.noted(path, self.files.read(path)))
    }

    fn read_within(&self, path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
        self.content_before(path, most)
            .unwrap_or_else(|| self.noted(path, self.files.read_within(path, most)))
    }

    fn list(&self, path: &Path) -> Result<Vec<FileEntry>, FileError> {
        if let Some(entries) = self.log.listing(path) {
            return Ok(entries.to_vec());
        }
        if let Some(Err(error)) = self.log.answer(path, Question::Entries) {
            return Err(error);
        }
        let result = self.files.list(path);
        self.log.note(path, Question::Entries, RecordedAnswer::of_entries(&result));
        if let (Ok(entries), true) = (&result, self.keeps_listings) {
            lock(&self.log.listings).keep(path, entries);
        }
        result
    }

    fn metadata(&self, path: &Path) -> Result<FileKind, FileError> {
        match self.log.answer(path, Question::Kind) {
            Some(Ok(RecordedAnswer::Kind(kind))) => return Ok(kind),
            Some(Err(error)) => return Err(error),
            Some(Ok(_)) | None => {}
        }
        let result = self.files.metadata(path);
        self.log.note(path, Question::Kind, RecordedAnswer::of_kind(&result));
        result
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf, FileError> {
        match self.log.answer(path, Question::Canonical) {
            Some(Ok(RecordedAnswer::Canonical(canonical))) => return Ok(canonical),
            Some(Err(error)) => return Err(error),
            Some(Ok(_)) | None => {}
        }
        let result = self.files.canonicalize(path);
        self.log.note(path, Question::Canonical, RecordedAnswer::of_canonical(&result));
        result
    }

    fn working_directory(&self) -> PathBuf {
        self.files.working_directory()
    }

    /// Always fails: an evaluation writes nothing.
    fn write_atomic(&self, path: &Path, _content: &[u8]) -> Result<(), FileError> {
        Err(FileError { path: path.to_owned(), kind: FileErrorKind::PermissionDenied })
    }

    fn hide_path(&self, path: &Path) {
        lock(&self.log.accesses).hidden.insert(path.as_os_str().to_owned());
        self.files.hide_path(path);
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    fn ask(files: &dyn Files) {
        let path = Path::new;
        let _ = (files.read(path("big.txt")), files.read(path("none.txt")), files.list(path("d")));
        let _ = (files.metadata(path("d/a.txt")), files.canonicalize(path("d/a.txt")));
    }

    fn files() -> MemoryFiles {
        MemoryFiles::from_iter([("big.txt", &*"x".repeat(1 << 20)), ("d/a.txt", "a"), ("main.tf", "")])
    }

    #[test]
    fn any_other_answer_is_noticed() {
        let (files, log) = (files(), AccessLog::default());
        ask(&Recorder::new(&files, &log));
        let accesses = log.take();
        assert_eq!(accesses.iter().count(), 5);
        assert!(accesses.is_current(&files) && accesses.bytes() < 2000, "{}", accesses.bytes());
        let changes: [(&str, &str); 3] =
            [("big.txt", &"y".repeat(1 << 20)), ("none.txt", ""), ("d/b.txt", "")];
        for (path, text) in changes {
            let changed = self::files();
            changed.insert(path, text);
            assert!(!accesses.is_current(&changed), "{path}");
        }
        let changed = MemoryFiles::from_iter([("big.txt", &*"x".repeat(1 << 20)), ("d/a.txt/b", "a")]);
        assert!(!accesses.is_current(&changed), "a file is a directory now");
    }

    #[test]
    fn a_kept_text_is_not_hashed() {
        let (files, log) = (files(), AccessLog::default());
        let _ = Recorder::new(&files, &log).without_hash_of(|_| true).read(Path::new("main.tf"));
        let accesses = log.take();
        assert!(accesses.iter().all(|(_, _, answer)| *answer == RecordedAnswer::Kept));
        assert!(!accesses.is_current(&files));
    }

    #[test]
    fn a_content_has_its_hash_whether_it_is_kept_or_not() {
        for length in [0, 1, RecordedContent::SHORT, RecordedContent::SHORT + 1] {
            let text = vec![b'x'; length];
            let content = RecordedContent::of(&text);
            assert_eq!((content.hash(), content.size()), (&hash(&text), length as u64));
            assert_eq!(content.short.is_some(), length <= RecordedContent::SHORT, "{length}");
            let mut changed = text.clone();
            changed.push(b'y');
            assert!(
                content == RecordedContent::of(&text) && content != RecordedContent::of(&changed),
                "{length}"
            );
        }
    }

    #[test]
    fn accesses_since_the_mark_are_taken_back() {
        let (files, log) = (files(), AccessLog::default());
        let recorder = Recorder::new(&files, &log);
        let _ = recorder.read(Path::new("main.tf"));
        log.mark();
        ask(&recorder);
        log.take_back();
        let accesses = log.take();
        assert!(accesses.iter().map(|(path, _, _)| path).eq([Path::new("main.tf")]));
        assert_eq!(log.take(), Accesses::default());
    }

    #[test]
    fn a_question_that_is_asked_again_has_the_same_answer() {
        let (files, log) = (files(), AccessLog::default());
        let recorder = Recorder::new(&files, &log).keeping_listings();
        let path = Path::new;
        let ask = || (recorder.list(path("d")), recorder.read(path("d/a.txt")), recorder.metadata(path("d")));
        let ask_missing = || {
            let missing = path("d/b.txt");
            let (content, kind) = (recorder.read(missing), recorder.metadata(missing));
            (content, kind, recorder.canonicalize(missing), recorder.list(path("d/b.txt/c")))
        };
        let (first, missing) = (ask(), ask_missing());
        files.insert("d/b.txt", "b");
        files.insert("d/a.txt", "other");
        assert_eq!((ask(), ask_missing()), (first, missing));
        assert!(recorder.read_within(path("d/a.txt"), 0).is_err(), "the limit counts for what is kept, too");
        log.take();
        let (entries, content, _) = ask();
        assert_eq!((entries.map(|entries| entries.len()), content), (Ok(2), Ok(b"other".to_vec())));
    }

    #[test]
    fn secret_paths_stay_hidden_where_a_record_is_used_again() {
        let (files, log, later) = (files(), AccessLog::default(), AccessLog::default());
        let path = Path::new("d/a.txt");
        let recorder = Recorder::new(&files, &log);
        recorder.hide_path(path);
        assert!(recorder.read(path).is_ok());
        assert!(log.take().is_current(&Recorder::new(&files, &later)));
        assert!(later.take().is_hidden(path));
    }

    #[test]
    fn nothing_is_written() {
        let (files, log) = (files(), AccessLog::default());
        assert!(Recorder::new(&files, &log).write_atomic(Path::new("main.tf"), b"a").is_err());
        assert_eq!(files.read(Path::new("main.tf")).as_deref(), Ok(&b""[..]));
    }
}
