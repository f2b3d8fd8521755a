//! A run in a folder: it keeps its candidates in a checkpoint, goes on from there when it is
//! resumed, and ends with a manifest.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pourfect::pack::{FileSum, Generator, Header, MANIFEST, Manifest, Pack, Part};
use pourfect::pipeline::{self, Checkpoint, GenerateError, Job, Journal, Shards};
use pourfect::report::{self, Form, WriteError, write_manifest};

use super::console::{self, Meter};
use super::{CliError, input, summary};

/// A folder's candidates while a run is not done.
const CHECKPOINT: &str = "checkpoint.jsonl";
/// The candidates of a shard that is done.
const CANDIDATES: &str = "candidates.jsonl";

/// A run of a folder.
pub struct Run<'a> {
    /// What is made.
    pub part: Part,
    /// Fingerprints of levels that must not occur.
    pub known: HashSet<u64>,
    /// Where.
    pub folder: &'a Path,
    /// Packs of more levels are written as JSON lines.
    pub lines_above: u64,
    /// The shards that have its candidates, if it is not to draw them.
    pub merge: Option<Shards>,
    /// Go on from the folder's checkpoint.
    pub resume: bool,
    /// Replace what the folder holds.
    pub force: bool,
    /// Threads.
    pub threads: Option<usize>,
    /// No words but errors.
    pub quiet: bool,
}

/// The seed of the run that a folder holds, done or not.
pub fn seed_in(folder: &Path) -> Option<u64> {
    let unfinished = pipeline::Replay::open::<Part>(&folder.join(CHECKPOINT)).ok();
    let part = unfinished.map(|(part, _)| part);
    let part = part.or_else(|| input::manifest(folder).map(|manifest| manifest.of));
    part.map(|part| part.run.seed)
}

/// The file of candidates of a shard's folder, unchanged since it was written.
pub fn shard_file(folder: &Path) -> Result<PathBuf, CliError> {
    let refuse = |reason: &str| CliError::input(folder.display(), reason);
    if folder.join(CHECKPOINT).exists() {
        return Err(refuse("this shard is not done: --resume goes on with it"));
    }
    let manifest = input::manifest(folder).ok_or_else(|| refuse("there is no shard"))?;
    if manifest.of.shard.is_none() {
        return Err(refuse("this is a whole pack, not a shard"));
    }
    match manifest.stale(folder)[..] {
        [] => Ok(folder.join(CANDIDATES)),
        [name, ..] => Err(refuse(&format!("{name} was changed since it was written"))),
    }
}

impl Run<'_> {
    /// Makes what is not made yet.
    pub fn go(mut self) -> Result<(), CliError> {
        let Part { run, shard } = &self.part;
        if shard.is_none() && self.is_long() {
            pipeline::check_long(&run.settings, &run.edits)
                .map_err(|error| CliError::Usage(error.to_string()))?;
        }
        let found = self.checkpoint()?;
        if found.is_none() && !self.force && self.is_up_to_date()? {
            console::note(self.quiet, format_args!("{} is up to date", self.folder.display()));
            return Ok(());
        }
        let mut checkpoint = found.map_or_else(|| self.new_checkpoint(), Ok)?;
        match self.make(&mut checkpoint) {
            Err(CliError::Generate(error @ GenerateError::Exhausted { .. })) => {
                // No run of these settings can be done, so there is nothing to go on with.
                checkpoint.remove().map_err(GenerateError::from)?;
                // It stays if it holds anything else.
                let _ = fs::remove_dir(self.folder);
                Err(error.into())
            }
            Err(error) => Err(error),
            Ok(()) if self.part.shard.is_some() => self.finish_shard(),
            Ok(()) => Ok(checkpoint.remove().map_err(GenerateError::from)?),
        }
    }

    fn new_checkpoint(&self) -> Result<Checkpoint, CliError> {
        let at = |source| WriteError { path: self.folder.to_owned(), source };
        fs::create_dir_all(self.folder).map_err(at)?;
        let path = self.folder.join(CHECKPOINT);
        Ok(Checkpoint::create(&path, &self.part).map_err(GenerateError::from)?)
    }

    /// Draws, and writes everything but the manifest of a shard.
    fn make(&mut self, checkpoint: &mut Checkpoint) -> Result<(), CliError> {
        if let Some(shard) = self.part.shard {
            return self.draw(|job, meter| pipeline::draw_shard(&job, shard, checkpoint, meter));
        }
        let pack = match self.merge.take() {
            Some(shards) => self.draw_pack(&mut shards.joined(checkpoint))?,
            None => self.draw_pack(checkpoint)?,
        };
        match pack {
            Some(pack) => write_pack(&pack, self.folder, self.form(), self.quiet),
            None => self.finish_long(checkpoint),
        }
    }

    /// The pack, or nothing if it is too long for memory; its candidates are in the journal then.
    fn draw_pack(&mut self, journal: &mut (dyn Journal + Send)) -> Result<Option<Pack>, CliError> {
        if self.is_long() {
            self.draw(|job, meter| pipeline::long_run(job, journal, meter))?;
            return Ok(None);
        }
        self.draw(|job, meter| pipeline::generate_with(job, journal, meter)).map(Some)
    }

    fn form(&self) -> Form {
        let levels = self.part.run.settings.levels();
        if levels > self.lines_above { Form::Lines } else { Form::Object }
    }

    /// Whether the levels do not all come into memory.
    fn is_long(&self) -> bool {
        self.form() == Form::Lines && pipeline::is_long(&self.part.run.settings)
    }

    /// The checkpoint to go on from.
    fn checkpoint(&self) -> Result<Option<Checkpoint>, CliError> {
        let path = self.folder.join(CHECKPOINT);
        // A merge is soon done again, and may be one of other shards.
        if self.force || self.merge.is_some() || !path.exists() {
            return Ok(None);
        }
        let refuse = |reason: String| {
            CliError::Refused(format!("{}: {reason}; --force starts again", self.folder.display()))
        };
        let found = Checkpoint::open(&path, &self.part).map_err(|e| refuse(e.reason))?;
        if found.is_some() && !self.resume {
            return Err(refuse(
                "holds a run that is not done; --resume goes on with it".to_owned(),
            ));
        }
        Ok(found)
    }

    /// Whether the folder holds this very pack or shard; an error if it holds another one.
    fn is_up_to_date(&self) -> Result<bool, CliError> {
        let refuse = |reason: &str| {
            let folder = self.folder.display();
            CliError::Refused(format!("{folder}: {reason}; --force replaces it"))
        };
        let manifest = input::manifest(self.folder);
        let holds = match &manifest {
            Some(manifest) => manifest.of.clone(),
            None if self.folder.join(MANIFEST).exists() => {
                return Err(refuse("holds a manifest that is not ours"));
            }
            None => match Form::of(self.folder) {
                None => return Ok(false),
                Some(_) => {
                    let pack = input::pack(self.folder)
                        .map_err(|error| refuse(&format!("holds no pack of ours ({error})")))?;
                    Part { run: pack.header(), shard: None }
                }
            },
        };
        if holds.run.generator != Generator::current() {
            return Err(refuse("holds a pack of another version of this program"));
        }
        if holds != self.part {
            return Err(refuse("holds a pack of other settings, seed or edits"));
        }
        Ok(manifest.is_some_and(|manifest| manifest.stale(self.folder).is_empty()))
    }

    fn draw<T: Send>(
        &mut self,
        work: impl FnOnce(Job<'_>, &Meter) -> Result<T, GenerateError> + Send,
    ) -> Result<T, CliError> {
        let known = std::mem::take(&mut self.known);
        let Header { settings, seed, edits, .. } = &self.part.run;
        let job = Job { settings, seed: *seed, edits, known };
        let total = match self.part.shard {
            Some(shard) => shard.candidates(settings),
            None => settings.candidates(),
        };
        let meter = Meter::new("candidates", total, self.quiet);
        let drawn = console::with_threads(self.threads, || work(job, &meter))?;
        meter.finish();
        Ok(drawn?)
    }

    /// Writes the levels of a checkpoint that is done.
    fn finish_long(&self, checkpoint: &mut Checkpoint) -> Result<(), CliError> {
        let run = &self.part.run;
        let count = run.settings.levels();
        let levels = pipeline::long_levels(&run.settings, run.seed, checkpoint)
            .map_err(GenerateError::from)?;
        report::write_long(run.clone(), count, levels, self.folder)?;
        console::note(
            self.quiet,
            format_args!("{}\n{count} levels in {}", summary::LARGE_WORDS, self.folder.display()),
        );
        Ok(())
    }

    fn finish_shard(&self) -> Result<(), CliError> {
        let done = self.folder.join(CANDIDATES);
        let at = |source: io::Error| WriteError { path: done.clone(), source };
        fs::rename(self.folder.join(CHECKPOINT), &done).map_err(at)?;
        fs::File::open(&done).and_then(|file| file.sync_all()).map_err(at)?;
        let sum = FileSum::of(&done).map_err(at)?;
        let files = BTreeMap::from([(CANDIDATES.to_owned(), sum)]);
        let shard = self.part.shard;
        let levels = shard.map_or(0, |shard| shard.candidates(&self.part.run.settings));
        write_manifest(self.folder, &Manifest { of: self.part.clone(), levels, files })?;
        let folder = self.folder.display();
        console::note(self.quiet, format_args!("{levels} candidates in {folder}"));
        Ok(())
    }
}

/// Writes a pack, with a summary for the person.
pub fn write_pack(pack: &Pack, folder: &Path, form: Form, quiet: bool) -> Result<(), CliError> {
    report::write_pack(pack, folder, form)?;
    if !quiet {
        summary::print(pack)?;
        console::note(false, format_args!("{} levels in {}", pack.levels.len(), folder.display()));
    }
    Ok(())
}
