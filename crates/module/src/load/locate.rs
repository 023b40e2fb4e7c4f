//! Finds the directory of a called module: given by the request, next to the caller, installed,
//! or in the same repository.

use std::path::{Component, Path, PathBuf};

use terrane_body::SourceReader;
use terrane_config::address::ModulePath;
use terrane_config::version::VersionConstraint;
use terrane_function::RAISE_STEPS;
use terrane_source::{Diagnostic, Diagnostics, Files, Subject, ids, titles};
use terrane_value::{OriginKind, Origins};

use crate::load::manifest::{Changed, Manifest, WantedModule};
use crate::load::module_directories::{GivenDirectories, ModuleDirectories};
use crate::load::repository::{Repository, is_gone};
use crate::model::request::Request;
use crate::model::source::ModuleSource;
use crate::model::source_names::{SourceName, names_of_call};
use crate::model::tree::{FoundBy, ModuleNode};
use terrane_source::paths::{join, near, starts_at_root, tidy, tidy_directory};

/// The steps that looking up a directory counts.
const STEPS_OF_DIRECTORY: u64 = 200;

/// The source of a call.
pub(super) struct WrittenSource {
    /// The path of the called module.
    pub(super) path: ModulePath,
    pub(super) text: String,
    /// The text, parsed.
    pub(super) source: ModuleSource,
    /// The versions that the call allows.
    pub(super) version: Option<VersionConstraint>,
    /// The place of the text.
    pub(super) subject: Subject,
}

/// The directory of a called module.
pub(super) struct Location {
    /// The path from the working directory.
    pub(super) directory: PathBuf,
    /// The path from the root module.
    pub(super) from_root: PathBuf,
    pub(super) found: FoundBy,
}

/// The module with a call of a local module.
#[derive(Clone, Copy)]
pub(super) struct LocalCaller<'c> {
    /// The path from the working directory.
    pub(super) directory: &'c Path,
    /// The absolute path, without links; empty if it is not known.
    pub(super) canonical: &'c Path,
}

/// The directory of a called module, if it is on disk.
pub(super) enum Located {
    /// The module is on disk.
    At(Location),
    /// The module is not on disk, for these reasons, if any are known.
    Missing(Origins),
}

/// Finds the directories of modules.
pub(crate) struct Locator<'l> {
    request: &'l Request,
    files: &'l dyn Files,
    /// The manifest of installed modules; read for the first call of a module that is not local.
    manifest: Option<Manifest>,
    /// The repository that contains the root module, if any; read for the first call of a module in a repository.
    repository: Option<Option<Repository>>,
    /// The steps that comparing calls with the module map has taken.
    steps_of_map: u64,
    /// The directories that the request gives.
    directories: GivenDirectories<'l>,
    /// How the load has used the directories that the request gives.
    pub(crate) given: ModuleDirectories,
}

impl<'l> Locator<'l> {
    pub(super) fn new(request: &'l Request, files: &'l dyn Files) -> Locator<'l> {
        Locator {
            request,
            files,
            manifest: None,
            repository: None,
            steps_of_map: 0,
            directories: GivenDirectories::of(&request.modules),
            given: ModuleDirectories::default(),
        }
    }

    /// Returns the directory of a called module.
    ///
    /// # Errors
    ///
    /// If the installed module differs from the module that the call asks for, and the request does not allow that.
    pub(super) fn locate(
        &mut self,
        caller: &ModuleNode,
        written: &WrittenSource,
        sources: &SourceReader<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Located, Changed> {
        let WrittenSource { text, source, .. } = written;
        if let ModuleSource::Local(relative) = source {
            return Ok(Located::At(Location {
                directory: join(&caller.module.directory, relative),
                from_root: join(Path::new(&caller.module_dir), relative),
                found: FoundBy::Source,
            }));
        }
        if !self.directories.is_empty() || !self.request.module_map.is_empty() {
            self.given.note_source(text);
            let names = names_of_call(text, source);
            if let Some(directory) = self.given.find(&self.directories, &names) {
                return Ok(Located::At(self.location(directory, FoundBy::Given)));
            }
            if let Some(directory) = self.mapped(written, &names, diagnostics) {
                return Ok(Located::At(self.location(directory, FoundBy::Map)));
            }
        }
        if let Some(installed) = self.installed(written, sources, diagnostics)? {
            return Ok(match is_gone(&installed.directory, self.files) {
                true => gone(&installed.from_root, written, diagnostics),
                false => Located::At(installed),
            });
        }
        // A module with an absolute path need not be installed.
        let directory = PathBuf::from(source.to_string());
        if directory.is_absolute() && !is_gone(&directory, self.files) {
            let from_root = directory.clone();
            return Ok(Located::At(Location { from_root, directory, found: FoundBy::Source }));
        }
        Ok(self.in_repository(source))
    }

    /// Returns the directory that the module map gives for a call with these names. After the limit on steps is
    /// exceeded, calls are not compared with the map any more.
    fn mapped(
        &mut self,
        written: &WrittenSource,
        names: &[SourceName],
        diagnostics: &mut Diagnostics,
    ) -> Option<PathBuf> {
        let WrittenSource { version, subject, .. } = written;
        let map = &self.request.module_map;
        if !self.counts_in_map(map.steps_of_candidates(names), subject, diagnostics) {
            return None;
        }
        for line in map.candidates(names) {
            if !self.counts_in_map(map.steps_of_line(line, names), subject, diagnostics) {
                return None;
            }
            for mapped in map.directories(line, names, version.as_ref()) {
                // The pattern may be meant for other modules, so its directory must exist.
                if mapped.is_pattern && !self.counts_in_map(STEPS_OF_DIRECTORY, subject, diagnostics) {
                    return None;
                }
                if !mapped.is_pattern || !is_gone(&mapped.directory, self.files) {
                    self.given.use_line(mapped.line);
                    return Some(mapped.directory);
                }
            }
        }
        None
    }

    /// Counts work of the module map. Returns whether it is within the limit, and reports the first excess.
    fn counts_in_map(&mut self, steps: u64, subject: &Subject, diagnostics: &mut Diagnostics) -> bool {
        let most = self.request.limits.steps;
        let was_within = self.steps_of_map <= most;
        self.steps_of_map = self.steps_of_map.saturating_add(steps);
        let is_within = self.steps_of_map <= most;
        if was_within && !is_within {
            let detail = format!(
                "The comparison of the module calls with the lines of the module map takes more than {most} steps. This call and the \
                 following ones are not compared with the map."
            );
            let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, detail).hint(RAISE_STEPS);
            diagnostics.push(diagnostic.at(&subject.file, subject.span));
        }
        is_within
    }

    /// Returns the directory of an installed module, which may be missing.
    fn installed(
        &mut self,
        written: &WrittenSource,
        sources: &SourceReader<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Location>, Changed> {
        let WrittenSource { path, source, version, subject, .. } = written;
        let manifest = self
            .manifest
            .get_or_insert_with(|| Manifest::read(&self.request.data_directory(), sources, diagnostics));
        let names: Vec<&str> = path.steps().iter().map(|step| &*step.name).collect();
        let wanted = WantedModule { source, version: version.as_ref() };
        let (installed, found) = match manifest.directory(&names.join("."), &wanted) {
            Ok(Some(installed)) => (installed, FoundBy::Installation),
            Ok(None) => return Ok(None),
            Err(changed) if self.request.allows_changed_modules => {
                let warning = changed.diagnostic(path, true).at(&subject.file, subject.span);
                diagnostics.push(warning);
                (changed.directory, FoundBy::OtherInstallation)
            }
            Err(changed) => return Err(changed),
        };
        let from_root = tidy(&installed);
        let directory = tidy(&self.request.directory.join(&from_root));
        Ok(Some(Location { directory, from_root, found }))
    }

    /// Returns the directory of a module in the repository of the root module, as that is checked out.
    fn in_repository(&mut self, source: &ModuleSource) -> Located {
        let found = source.in_repository().and_then(|wanted| {
            let around = || Repository::around(&self.request.directory, self.files);
            let repository = self.repository.get_or_insert_with(around).as_ref()?;
            repository.directory(&wanted, self.files)
        });
        match found {
            Some(Ok(directory)) => Located::At(self.location(directory, FoundBy::Repository)),
            Some(Err(reason)) => Located::Missing(Origins::one(OriginKind::NotComputed, reason.to_string())),
            None => Located::Missing(Origins::NONE),
        }
    }

    fn location(&self, directory: PathBuf, found: FoundBy) -> Location {
        let from_root = self.seen_from_root(&directory);
        Location { directory, from_root, found }
    }

    /// Returns the location of a local module. If a link leads to the caller, `..` in the source is the directory above the target of
    /// the link, which the text of a path does not tell. `plain` is the absolute path from the target.
    pub(super) fn beside(&self, caller: LocalCaller<'_>, location: Location, plain: &Path) -> Location {
        let written = tidy(&self.files.working_directory().join(caller.directory));
        let is_behind_link = starts_at_root(caller.canonical) && caller.canonical != written;
        let real = |path: &Path| self.files.canonicalize(path).ok();
        if !is_behind_link || real(&location.directory).is_some_and(|found| real(plain) == Some(found)) {
            return location;
        }
        Location { directory: near(plain, self.files), ..location }
    }

    /// Returns the target of a location behind a symbolic link, where relative sources start. `plain` is the absolute
    /// path that the location has if no link leads there.
    pub(super) fn behind_links(&self, location: Location, plain: &Path, canonical: &Path) -> Location {
        if plain == canonical {
            return location;
        }
        let from_root = self.seen_from_root(canonical);
        let below_root = tidy(&self.request.directory.join(&from_root));
        let is_there = self.files.canonicalize(&below_root).is_ok_and(|found| found == canonical);
        let directory = if is_there { below_root } else { near(canonical, self.files) };
        Location { directory, from_root, found: location.found }
    }

    /// Returns the path of a directory relative to the root module.
    fn seen_from_root(&self, directory: &Path) -> PathBuf {
        let root = self.files.canonicalize(&self.request.directory);
        let (Ok(root), Ok(there)) = (root, self.files.canonicalize(directory)) else {
            return directory.to_owned();
        };
        let common =
            root.components().zip(there.components()).take_while(|(one, other)| one == other).count();
        let up = root.components().skip(common).map(|_| Component::ParentDir);
        tidy(&up.chain(there.components().skip(common)).collect::<PathBuf>())
    }
}

/// Finds the directory of the root module without links. Messages keep the directory as given, unless its path has `..` behind a
/// link: the paths of files and modules are made of its text.
pub(crate) fn resolve_links(request: &mut Request, files: &dyn Files) {
    let written = tidy(&request.directory);
    let absolute = tidy(&files.working_directory().join(&written));
    let is_elsewhere = |canonical: &PathBuf| starts_at_root(canonical) && *canonical != absolute;
    let canonical = files.canonicalize(&request.directory).ok().filter(is_elsewhere);
    request.real_directory = canonical.as_deref().map(|canonical| near(canonical, files));
    let directory = tidy_directory(&request.directory, files);
    if directory != written {
        request.directory = directory;
    }
}

/// Reports a module whose directory in the manifest no longer exists: Terraform and OpenTofu report an error.
fn gone(directory: &Path, written: &WrittenSource, diagnostics: &mut Diagnostics) -> Located {
    let WrittenSource { path, text, subject, .. } = written;
    let directory = directory.display();
    let detail = format!(
        "By `modules.json`, `init` has installed `{path}` in the directory `{directory}`, which does not exist. The outputs of the \
         module are unknown."
    );
    let hint = format!(
        "`terraform init` installs the module again; `--module '{text}=DIR'` or a line of `--module-map FILE` reads it from \
         another directory."
    );
    let warning = Diagnostic::warning(ids::UNREADABLE_MODULE, detail).titled(titles::MODULE_NOT_INSTALLED);
    diagnostics.push(warning.hint(hint).at(&subject.file, subject.span));
    let reason = format!("its directory `{directory}` does not exist");
    Located::Missing(Origins::one(OriginKind::NotComputed, reason))
}
