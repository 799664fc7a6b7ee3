import {
  appError,
  type AppError,
  type ErrorCode,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import { Listeners } from '../../shared/listeners.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import {
  changeSettings,
  readStoredSettings,
  writeSettings,
} from '../../shared/settings/read-settings.ts';
import {
  defaultSettings,
  type Settings,
  type SettingsEditor,
  type SettingsEvent,
  type SettingsGroup,
} from '../../shared/settings/settings.ts';

export type SettingsEdit = (settings: Settings) => Outcome<Settings>;

interface Deps {
  readonly file: StateFile;
  /** A backup of the last readable content, for when the file is damaged. */
  readonly lastGood?: Pick<StateFile, 'read' | 'write'> | undefined;
  readonly clock: Clock;
}

/**
 * The file is written this long after the first of several changes, so that a dragged slider does not write at each
 * step.
 */
const writeAfterMs = 300;
/** Retry interval after a failed write; a full disk may have room again. */
const retryAfterMs = 15_000;

/** The settings of this machine, read on first use. */
export class SettingsStore implements SettingsEditor {
  readonly #deps: Deps;
  readonly #listeners = new Listeners<SettingsEvent>();
  readonly #problems = new SettingsProblems((event) => this.#listeners.emit(event));
  readonly #loadListeners: (() => void)[] = [];
  #settings: Settings | undefined;
  /** The text last read or written. */
  #text: string | undefined;
  /** Edits since `#text` was read or written. */
  #edits: readonly SettingsEdit[] = [];
  #isWriteDue = false;
  readonly #writeTimer: Timer;
  readonly #writes = new SerialQueue();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#writeTimer = new Timer(deps.clock);
  }

  readonly get = (): Settings => {
    if (this.#settings === undefined) {
      this.#settings = this.#load();
      for (const listener of this.#loadListeners.splice(0)) listener();
    }
    return this.#settings;
  };

  readonly listen = (listener: (event: SettingsEvent) => void): (() => void) =>
    this.#listeners.add(listener);

  /** Calls back after the first read, without causing it. */
  whenLoaded(listener: () => void): void {
    if (this.#settings === undefined) this.#loadListeners.push(listener);
    else listener();
  }

  readonly change = (patch: unknown): Outcome<Settings> =>
    this.edit((settings) => changeSettings(settings, patch));

  readonly reset = (group: SettingsGroup): Outcome<Settings> =>
    this.change({ [group]: defaultSettings[group] });

  /** For changes that a patch cannot express. The edit may run again, on settings that another Parley has written. */
  readonly edit = (edit: SettingsEdit): Outcome<Settings> => {
    this.#catchUp();
    const before = this.get();
    const edited = edit(before);
    if (!edited.ok) return edited;
    if (writeSettings(before) === writeSettings(edited.value)) return { ok: true, value: before };
    this.#edits = [...this.#edits, edit];
    this.#apply(edited.value);
    this.#writeSoon();
    return edited;
  };

  readonly problems = (): readonly AppError[] => {
    // The first read may report problems.
    this.get();
    return this.#problems.all;
  };

  /** Reports a problem with the settings' content. It stays in `problems` until `reportOver`. */
  readonly report = (error: AppError): void => this.#problems.report(error);

  readonly reportOver = (code: ErrorCode): void => this.#problems.reportOver(code);

  /** Resolves when changes are written. A write that failed is tried again later. */
  readonly written = async (): Promise<void> => {
    this.#writeNow();
    await this.#writes.settled();
  };

  /** For the end of the process: writes changes as far as possible. A write that fails is not tried again. */
  readonly settled = async (): Promise<void> => {
    await this.written();
    this.#writeTimer.stop();
  };

  #load(): Settings {
    const found = this.#deps.file.read();
    if (found.ok) this.#text = found.value;
    const { settings, error, newer } = readStoredSettings(found, this.#deps.lastGood?.read);
    if (newer === true) this.#leaveToNewer(error, settings);
    else if (error !== undefined) return this.#loadDamaged(error, settings);
    else if (found.ok && found.value !== undefined) this.#copy(found.value);
    return settings;
  }

  #leaveToNewer(cause: AppError | undefined, settings: Settings): void {
    this.#settings = settings;
    this.#problems.report(appError('leftToNewer', {}, { cause }));
  }

  #copy(text: string): void {
    const { lastGood } = this.#deps;
    if (lastGood === undefined) return;
    void this.#writes.run(async () => {
      const known = lastGood.read();
      // A failed backup is not reported, because the user could do nothing about it.
      if (!known.ok || known.value !== text) await lastGood.write(text);
    });
  }

  /** Sets an unreadable file aside for recovery before anything overwrites it. */
  #loadDamaged(cause: AppError, settings: Settings): Settings {
    // Set before the report, because a listener may read the settings.
    this.#settings = settings;
    const aside = this.#deps.file.setAside();
    this.#problems.report(
      aside.ok
        ? appError('putAside', { path: aside.value }, { cause })
        : appError('notPutAside', {}, { cause, detail: describeAppError(aside.error) }),
    );
    this.#writeSoon();
    return settings;
  }

  /** Another Parley may have written meanwhile, so our edits are applied to its settings. */
  #catchUp(): void {
    const before = this.get();
    const found = this.#deps.file.read();
    if (!found.ok || found.value === undefined || found.value === this.#text) return;
    const { settings, error, newer } = readStoredSettings(found);
    if (newer === true) {
      this.#text = found.value;
      this.#leaveToNewer(error, before);
      return;
    }
    // A file that was damaged while Parley runs is not read; the next write replaces it.
    if (error !== undefined) return;
    this.#text = found.value;
    this.#problems.reportOver('leftToNewer');
    const merged = this.#edits.reduce((base, edit) => {
      const edited = edit(base);
      return edited.ok ? edited.value : base;
    }, settings);
    if (writeSettings(merged) !== writeSettings(before)) this.#apply(merged);
  }

  #apply(settings: Settings): void {
    const before = this.get();
    this.#settings = settings;
    this.#listeners.emit({ kind: 'changed', settings, before });
  }

  /** Timed from the first change, so an endless series of changes is written too. */
  #writeSoon(afterMs = writeAfterMs): void {
    this.#isWriteDue = true;
    this.#writeTimer.setIfIdle(afterMs, () => this.#writeNow());
  }

  #writeNow(): void {
    this.#writeTimer.stop();
    if (!this.#isWriteDue) return;
    this.#isWriteDue = false;
    void this.#writes.run(() => this.#write());
  }

  async #write(): Promise<void> {
    this.#catchUp();
    // A file of a newer version must not be overwritten.
    if (this.#problems.has('leftToNewer')) return;
    const text = writeSettings(this.get());
    const writtenEdits = this.#edits.length;
    const written = await this.#deps.file.write(text);
    if (written.ok) {
      this.#text = text;
      this.#edits = this.#edits.slice(writtenEdits);
      this.#problems.reportOver('changesNotStored');
      this.#copy(text);
      return;
    }
    this.#writeSoon(retryAfterMs);
    this.#problems.report(appError('changesNotStored', {}, { cause: written.error }));
  }
}

class SettingsProblems {
  readonly #emit: (event: SettingsEvent) => void;
  #all: readonly AppError[] = [];

  constructor(emit: (event: SettingsEvent) => void) {
    this.#emit = emit;
  }

  get all(): readonly AppError[] {
    return this.#all;
  }

  has(code: ErrorCode): boolean {
    return this.#all.some((problem) => problem.code === code);
  }

  /** Reports a problem, but not again before it is over. */
  report(error: AppError): void {
    if (this.has(error.code)) return;
    this.#all = [...this.#all, error];
    this.#emit({ kind: 'problem', error });
  }

  reportOver(code: ErrorCode): void {
    if (!this.has(code)) return;
    this.#all = this.#all.filter((problem) => problem.code !== code);
    this.#emit({ kind: 'problemOver', code });
  }
}
