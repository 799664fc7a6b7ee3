import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import { Listeners } from '../../shared/listeners.ts';
import type { ModelFilesState } from '../../shared/model/local-model-state.ts';
import { type Clock, repeatEvery } from '../../shared/ports/clock.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import { DownloadProgress, FileTask, mayRetryDownload, MirrorChoice } from './model-download.ts';
import {
  findIncomplete,
  findShortage,
  fullDiskError,
  type SurveyedFile,
  surveyFolder,
  VerifiedFiles,
} from './folder-survey.ts';
import { type ModelCatalogue, type ModelFile, totalBytes } from './model-catalogue.ts';
import type { FetchModelFile, ModelDisk } from './model-disk.ts';

export interface ModelFilesPorts {
  readonly catalogue: ModelCatalogue;
  readonly disk: ModelDisk;
  readonly fetch: FetchModelFile;
  readonly clock: Clock;
  readonly verifiedFiles: StateFile;
}

const progressMs = 500;

/** The state at the end of a task, or undefined if the task was stopped. */
type TaskResult = Outcome<ModelFilesState> | undefined;

/** The model's files in one folder: examines, downloads, verifies and removes. One task runs at a time. */
export class ModelFiles {
  readonly #ports: ModelFilesPorts;
  readonly #ownFolder: string;
  readonly #verified: VerifiedFiles;
  readonly #listeners = new Listeners<ModelFilesState>();
  readonly #totalBytes: number;
  #folder: string;
  #state: ModelFilesState = { kind: 'unknown' };
  #task: FileTask | undefined;
  #taskEnd: Promise<unknown> = Promise.resolve();

  /** `folder` is the one that the user chose; an empty path means Parley's own. */
  constructor(ports: ModelFilesPorts, ownFolder: string, folder = '') {
    this.#ports = ports;
    this.#ownFolder = ownFolder;
    this.#folder = folder === '' ? ownFolder : folder;
    this.#verified = new VerifiedFiles(ports.verifiedFiles);
    this.#totalBytes = totalBytes(ports.catalogue.files);
  }

  get state(): ModelFilesState {
    return this.#state;
  }

  get folder(): string {
    return this.#folder;
  }

  /** Parley never deletes files of a foreign folder. */
  get isForeign(): boolean {
    return this.#folder !== this.#ownFolder && !this.#verified.isOwn(this.#folder);
  }

  /** Gets each change of the state, and progress twice a second. */
  listen(listener: (state: ModelFilesState) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Compares names and sizes. Complete files that were never verified are `missing` with all bytes: `ready()` hashes them. */
  async examine(): Promise<ModelFilesState> {
    const folder = this.#folder;
    const surveyed = await this.#survey(folder);
    // A running task reports its own state, and another folder is examined when it is chosen.
    if (this.#task === undefined && folder === this.#folder) this.#show(this.#stateOf(surveyed));
    return this.#state;
  }

  /** Downloads the missing files, or continues to. Resolves when the download is complete, paused or failed. */
  download(mirrorId?: string): Promise<Outcome<ModelFilesState>> {
    return this.#run(async (task) => {
      const folder = this.#folder;
      const reserved = await this.#ports.disk.reserve(folder);
      if (!reserved.ok) return reserved;
      try {
        return await this.#download(task, folder, mirrorId);
      } finally {
        await reserved.value();
      }
    });
  }

  /** Stops a download or a verification. Downloaded bytes stay on the disk. */
  async pause(): Promise<void> {
    this.#task?.stop();
    await this.#taskEnd;
  }

  /** Hashes every file, also those verified before. */
  verify(): Promise<Outcome<ModelFilesState>> {
    return this.#run((task) => this.#verify(task, this.#folder, 'all'));
  }

  /** Returns the folder of a complete and verified model. Hashes only what was never verified. */
  async ready(): Promise<Outcome<string>> {
    const state = await this.examine();
    if (state.kind === 'ready') return { ok: true, value: state.folder };
    const verified = await this.#run((task) => this.#verify(task, this.#folder, 'new'));
    if (!verified.ok) return verified;
    return verified.value.kind === 'ready'
      ? { ok: true, value: verified.value.folder }
      : failure('modelFilesBusy');
  }

  /** Verifies the model in this folder, which may be read-only, and uses it. After a failure keeps the former folder. */
  async useFolder(folder: string): Promise<Outcome<ModelFilesState>> {
    const former = this.#folder;
    const used = await this.#run((task) => {
      this.#folder = folder === '' ? this.#ownFolder : folder;
      return this.#verify(task, this.#folder, 'new');
    });
    if (used.ok && used.value.kind === 'ready') return used;
    // Another task was running, so this one has not changed the folder.
    if (this.#task !== undefined) return used;
    this.#folder = former;
    await this.examine();
    return used;
  }

  /** Uses a folder for the next download, without verifying its files. An empty path means Parley's own folder. */
  async setFolder(folder: string): Promise<Outcome<ModelFilesState>> {
    if (this.#task !== undefined) return failure('modelFilesBusy');
    this.#folder = folder === '' ? this.#ownFolder : folder;
    return { ok: true, value: await this.examine() };
  }

  /** Bytes of the model's files on the disk, including partial downloads. */
  async storedBytes(): Promise<number> {
    const { disk, catalogue } = this.#ports;
    const sizes = catalogue.files.map(async ({ path }) => {
      const found = await disk.find(this.#folder, path);
      return (found?.bytes ?? 0) + (await disk.partialBytes(this.#folder, path));
    });
    return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
  }

  /**
   * Deletes the model's files, their partial downloads and folders that are then empty; returns their bytes. Fails in a foreign
   * folder.
   */
  async remove(): Promise<Outcome<number>> {
    const folder = this.#folder;
    if (this.isForeign) return failure('modelFolderForeign', { folder });
    const bytes = await this.storedBytes();
    const removed = await this.#run(async () => {
      const { disk, catalogue } = this.#ports;
      const reserved = await disk.reserve(folder);
      if (!reserved.ok) return reserved;
      const deleted = await disk.remove(
        folder,
        catalogue.files.map(({ path }) => path),
      );
      // After a failure the files stay Parley's own, so that the user can delete them later.
      if (deleted.ok) await this.#verified.forget(folder);
      await reserved.value();
      if (!deleted.ok) return deleted;
      return { ok: true, value: this.#stateOf(await this.#survey(folder)) };
    });
    return removed.ok ? { ok: true, value: bytes } : removed;
  }

  async #run(work: (task: FileTask) => Promise<TaskResult>): Promise<Outcome<ModelFilesState>> {
    if (this.#task !== undefined) return failure('modelFilesBusy');
    const task = new FileTask(this.#ports.clock);
    this.#task = task;
    const ending = this.#finish(work(task));
    this.#taskEnd = ending.catch(() => undefined);
    return ending;
  }

  async #finish(result: Promise<TaskResult>): Promise<Outcome<ModelFilesState>> {
    try {
      const outcome = await result;
      const surveyed = await this.#survey(this.#folder);
      if (outcome === undefined) this.#show(this.#stateAfterStop(surveyed));
      else if (outcome.ok) this.#show(outcome.value);
      else this.#show({ kind: 'failed', error: outcome.error, bytes: totalBytes(surveyed) });
      return outcome?.ok === false ? outcome : { ok: true, value: this.#state };
    } finally {
      this.#task = undefined;
    }
  }

  async #download(task: FileTask, folder: string, mirrorId?: string): Promise<TaskResult> {
    const { catalogue } = this.#ports;
    const found = await this.#survey(folder);
    if (this.isForeign && found.every(({ kind }) => kind === 'missing'))
      await this.#verified.claim(folder);
    const cleared = await this.#clearWrong(task, folder, found);
    if (cleared?.ok !== true) return cleared;
    const surveyed = await this.#survey(folder);
    const shortage = await findShortage(
      this.#ports.disk,
      folder,
      this.#totalBytes - totalBytes(surveyed),
    );
    if (shortage !== undefined) return { ok: false, error: shortage };
    const { mirrors } = catalogue;
    const mirror = mirrors.find(({ id }) => id === mirrorId) ?? mirrors[0];
    if (mirror === undefined) throw new Error('the model catalogue lists no mirror');
    const choice = new MirrorChoice(mirrors, mirror);
    const progress = new DownloadProgress({
      totalBytes: this.#totalBytes,
      files: catalogue.files.length,
      bytes: totalBytes(surveyed),
      now: this.#ports.clock.now,
      mirror: () => choice.current.host,
      show: (state) => this.#show(state),
    });
    const stopTicks = repeatEvery(this.#ports.clock, progressMs, progress.tick);
    try {
      for (const [index, { file, kind, bytes }] of surveyed.entries()) {
        if (kind !== 'missing') continue;
        progress.beginFile(index + 1, bytes);
        const fetched = await this.#fetchFile(task, folder, file, choice, progress);
        if (fetched?.ok !== true) return fetched;
        await this.#remember(folder, file);
      }
    } finally {
      stopTicks();
    }
    return this.#complete(folder);
  }

  /** Tries the mirrors until the file is complete. */
  async #fetchFile(
    task: FileTask,
    folder: string,
    file: ModelFile,
    choice: MirrorChoice,
    progress: DownloadProgress,
  ): Promise<Outcome<undefined> | undefined> {
    choice.begin(file);
    let maxBytes = progress.fileBytes;
    for (;;) {
      const mirror = choice.current;
      const fetched = await task.follow(
        this.#ports.fetch({ folder, file, mirror, onBytes: progress.setFileBytes }),
      );
      if (fetched === undefined || task.isStopped) return undefined;
      if (fetched.ok) return fetched;
      if (fetched.error.code === 'diskFull') {
        const remaining = this.#totalBytes - totalBytes(await this.#survey(folder));
        return { ok: false, error: await fullDiskError(this.#ports.disk, folder, remaining) };
      }
      if (!mayRetryDownload(fetched.error)) return fetched;
      // Only bytes beyond the maximum so far are progress: a server may send the same beginning for ever.
      const next = choice.fail(fetched.error, progress.fileBytes > maxBytes);
      maxBytes = Math.max(maxBytes, progress.fileBytes);
      if (next.kind === 'giveUp') return { ok: false, error: next.error };
      progress.fail(fetched.error, choice.current !== mirror);
      await task.wait(next.waitMs);
      if (task.isStopped) return undefined;
    }
  }

  /**
   * Hashes files that were never verified. Deletes wrong files in Parley's own folder; in a foreign folder, returns
   * an error that names the first.
   */
  async #clearWrong(
    task: FileTask,
    folder: string,
    surveyed: readonly SurveyedFile[],
  ): Promise<Outcome<undefined> | undefined> {
    const wrong: string[] = [];
    const show = this.#verificationProgress();
    for (const { file, kind } of surveyed) {
      const checked =
        kind === 'unverified'
          ? await this.#hashFile(task, folder, file, show)
          : kind === 'otherSize'
            ? failure('modelFileSize', { folder, name: file.path })
            : done;
      if (checked === undefined) return undefined;
      if (checked.ok) continue;
      const { code } = checked.error;
      if (this.isForeign || (code !== 'modelFileChanged' && code !== 'modelFileSize'))
        return checked;
      wrong.push(file.path);
    }
    return wrong.length === 0 ? done : this.#ports.disk.remove(folder, wrong);
  }

  async #verify(task: FileTask, folder: string, which: 'all' | 'new'): Promise<TaskResult> {
    const surveyed = await this.#survey(folder);
    const incomplete = findIncomplete(folder, surveyed);
    if (incomplete !== undefined) return { ok: false, error: incomplete };
    const show = this.#verificationProgress();
    let doneBytes = 0;
    for (const { file, kind } of surveyed) {
      show(doneBytes);
      if (which === 'all' || kind !== 'verified') {
        const from = doneBytes;
        const hashed = await this.#hashFile(task, folder, file, (bytes) => show(from + bytes));
        if (hashed?.ok !== true) return hashed;
      }
      doneBytes += file.bytes;
    }
    return this.#complete(folder);
  }

  #verificationProgress(): (bytes: number) => void {
    let shownAt = -Infinity;
    return (bytes) => {
      const now = this.#ports.clock.now();
      if (now - shownAt < progressMs) return;
      shownAt = now;
      this.#show({ kind: 'verifying', bytes, totalBytes: this.#totalBytes });
    };
  }

  async #hashFile(
    task: FileTask,
    folder: string,
    file: ModelFile,
    onBytes: (bytes: number) => void,
  ): Promise<Outcome<undefined> | undefined> {
    const { disk } = this.#ports;
    // Reads the version first, so that a change during hashing does not pass as verified.
    const version = await disk.find(folder, file.path);
    const hashed = await task.follow(disk.hash(folder, file.path, onBytes));
    if (hashed === undefined || task.isStopped) return undefined;
    if (!hashed.ok) return hashed;
    if (hashed.value !== file.sha256 || version === undefined) {
      await this.#verified.forgetFile(folder, file);
      return failure('modelFileChanged', { folder, name: file.path });
    }
    await this.#verified.remember(folder, file, version);
    return done;
  }

  async #remember(folder: string, file: ModelFile): Promise<void> {
    const version = await this.#ports.disk.find(folder, file.path);
    if (version !== undefined) await this.#verified.remember(folder, file, version);
  }

  /** Surveys the folder once more, because files may have been deleted or changed while the task ran. */
  async #complete(folder: string): Promise<TaskResult> {
    const surveyed = await this.#survey(folder);
    const incomplete = findIncomplete(folder, surveyed);
    if (incomplete !== undefined) return { ok: false, error: incomplete };
    return { ok: true, value: this.#stateOf(surveyed) };
  }

  #survey(folder: string): Promise<readonly SurveyedFile[]> {
    return surveyFolder(this.#ports, this.#verified, folder);
  }

  #stateOf(surveyed: readonly SurveyedFile[]): ModelFilesState {
    const sizes = { totalBytes: this.#totalBytes };
    return surveyed.every(({ kind }) => kind === 'verified')
      ? { kind: 'ready', folder: this.#folder, isForeign: this.isForeign, ...sizes }
      : { kind: 'missing', bytes: totalBytes(surveyed), ...sizes };
  }

  #stateAfterStop(surveyed: readonly SurveyedFile[]): ModelFilesState {
    const state = this.#state;
    return state.kind === 'downloading'
      ? {
          ...state,
          kind: 'paused',
          bytes: totalBytes(surveyed),
          bytesPerSecond: 0,
          secondsLeft: undefined,
        }
      : this.#stateOf(surveyed);
  }

  #show(state: ModelFilesState): void {
    this.#state = state;
    this.#listeners.emit(state);
  }
}
