import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import { defaultSettings } from '../../shared/settings/default-settings.ts';
import { Listeners } from '../../shared/listeners.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { changeSettings, writeSettings } from '../../shared/settings/read-settings.ts';
import type { Settings, SettingsGroup } from '../../shared/settings/settings.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { StateFile } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import { readStoredSettings } from './read-stored-settings.ts';

export type SettingsEvent =
  | { readonly kind: 'changed'; readonly settings: Settings; readonly before: Settings }
  /** What was stored could not be read, or what is new cannot be kept. */
  | { readonly kind: 'problem'; readonly error: AppError };

export type SettingsEdit = (settings: Settings) => Outcome<Settings>;

export interface SettingsStore {
  readonly get: () => Settings;
  /** Checks a patch as it comes from outside; what it does not name stays. */
  readonly change: (patch: unknown) => Outcome<Settings>;
  /** Makes a group what it is at first. */
  readonly reset: (group: SettingsGroup) => Outcome<Settings>;
  /** For what no patch can say; the edit may be made again, on what another Parley has written. */
  readonly edit: (edit: SettingsEdit) => Outcome<Settings>;
  /** What went wrong so far, for listeners that come too late. */
  readonly problems: () => readonly AppError[];
  readonly listen: (hear: (event: SettingsEvent) => void) => () => void;
  /** Resolves once what was changed is written, as far as it can be. */
  readonly settled: () => Promise<void>;
}

interface Deps {
  readonly file: StateFile;
  readonly clock: Clock;
}

/** A slider that is drawn makes many changes; one write is enough. */
const writeAfterMs = 300;

/** The settings of this machine. Nothing is read before it is asked for. */
export function createSettingsStore(deps: Deps): SettingsStore {
  const store = new Store(deps);
  return {
    get: () => store.current(),
    change: (patch) => store.edit((settings) => changeSettings(settings, patch)),
    reset: (group) =>
      store.edit((settings) =>
        changeSettings(settings, { [group]: defaultSettings[group] } satisfies object),
      ),
    edit: (edit) => store.edit(edit),
    problems: () => store.problems(),
    listen: (hear) => store.listen(hear),
    settled: () => store.settled(),
  };
}

class Store {
  readonly #deps: Deps;
  readonly #listeners = new Listeners<SettingsEvent>();
  readonly #problems: AppError[] = [];
  #settings: Settings | undefined;
  /** The text that the settings were last read from or written as. */
  #text: string | undefined;
  /** Made since then. */
  #edits: readonly SettingsEdit[] = [];
  /** Something is to be written. */
  #due = false;
  #stopWaiting: (() => void) | undefined;
  readonly #writes = new SerialQueue();
  #cannotKeep = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  current(): Settings {
    this.#settings ??= this.#load();
    return this.#settings;
  }

  problems(): readonly AppError[] {
    this.current();
    return [...this.#problems];
  }

  listen(hear: (event: SettingsEvent) => void): () => void {
    return this.#listeners.add(hear);
  }

  edit(edit: SettingsEdit): Outcome<Settings> {
    this.#catchUp();
    const before = this.current();
    const edited = edit(before);
    if (!edited.ok) return edited;
    if (writeSettings(before) === writeSettings(edited.value)) return { ok: true, value: before };
    this.#edits = [...this.#edits, edit];
    this.#become(edited.value);
    this.#writeSoon();
    return edited;
  }

  async settled(): Promise<void> {
    this.#writeNow();
    await this.#writes.settled();
  }

  #load(): Settings {
    const found = this.#deps.file.read();
    if (found.ok) this.#text = found.value;
    const { settings, error } = readStoredSettings(found);
    return error === undefined ? settings : this.#loadWithout(error, settings);
  }

  /** What could not be read is kept for whoever can mend it, before anything is written over it. */
  #loadWithout(cause: AppError, settings: Settings): Settings {
    // Before anybody is notified: a listener may ask for them.
    this.#settings = settings;
    const aside = this.#deps.file.setAside();
    this.#fail(
      aside.ok
        ? appError('putAside', { path: aside.value }, { cause })
        : appError('notPutAside', {}, { cause, detail: describeAppError(aside.error) }),
    );
    this.#writeSoon();
    return settings;
  }

  /** Another Parley may have written meanwhile: what was changed here is changed in that. */
  #catchUp(): void {
    const before = this.current();
    const found = this.#deps.file.read();
    if (!found.ok || found.value === undefined || found.value === this.#text) return;
    const { settings, error } = readStoredSettings(found);
    // A file that was damaged while Parley runs is overwritten by what Parley knows.
    if (error !== undefined) return;
    this.#text = found.value;
    const merged = this.#edits.reduce((base, edit) => {
      const edited = edit(base);
      return edited.ok ? edited.value : base;
    }, settings);
    if (writeSettings(merged) !== writeSettings(before)) this.#become(merged);
  }

  #become(settings: Settings): void {
    const before = this.current();
    this.#settings = settings;
    this.#emit({ kind: 'changed', settings, before });
  }

  /** From the first change on, so that changes without an end are written too. */
  #writeSoon(): void {
    this.#due = true;
    this.#stopWaiting ??= this.#deps.clock.after(writeAfterMs, () => {
      this.#writeNow();
    });
  }

  #writeNow(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    if (!this.#due) return;
    this.#due = false;
    void this.#writes.run(() => this.#write());
  }

  async #write(): Promise<void> {
    this.#catchUp();
    const text = writeSettings(this.current());
    const kept = this.#edits.length;
    const written = await this.#deps.file.write(text);
    if (written.ok) {
      this.#text = text;
      this.#edits = this.#edits.slice(kept);
      this.#cannotKeep = false;
      return;
    }
    // Not asked for again by itself: the next change, or the end, tries once more.
    this.#due = true;
    if (this.#cannotKeep) return;
    this.#cannotKeep = true;
    this.#fail(appError('changesUnkept', {}, { cause: written.error }));
  }

  #fail(error: AppError): void {
    this.#problems.push(error);
    this.#emit({ kind: 'problem', error });
  }

  #emit(event: SettingsEvent): void {
    this.#listeners.emit(event);
  }
}
