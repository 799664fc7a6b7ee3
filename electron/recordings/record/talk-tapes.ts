import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { DataFolder, DataFolderItem } from '../../../shared/ports/files.ts';
import type { PrivacySettings } from '../../../shared/settings/app-settings.ts';
import type { TapeFacts } from '../tape/tape.ts';
import { type TapeRecorder, ignoreAfterClose } from './tape-recorder.ts';

interface Deps {
  readonly folder: DataFolder;
  readonly openTape: (
    folder: string,
    facts: TapeFacts,
    onError: (error: AppError) => void,
  ) => Promise<Outcome<TapeRecorder>>;
  readonly privacy: () => Pick<PrivacySettings, 'keepTapes'>;
  /** Reports that a tape cannot be written; the talk continues. */
  readonly reportError: (error: AppError) => void;
}

export interface TalkTape {
  /** Undefined if recording is off or failed to start. */
  readonly recorder: TapeRecorder | undefined;
  readonly finish: () => Promise<void>;
  /** Delivers errors from before the talk was on screen. */
  readonly onShown: () => void;
}

/** Records spoken conversations if the user wants that, and manages the tapes. */
export class TalkTapes {
  readonly #deps: Deps;
  /** By folder name. The previous talk may still be closing when the next one starts. */
  readonly #running = new Map<string, TapeRecorder>();
  readonly #opening = new Set<Promise<TalkTape>>();
  readonly #finishing = new Set<Promise<void>>();
  #isEnded = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async begin(
    name: string,
    facts: TapeFacts,
    /** `request` records even if the setting is off. */
    reason: 'setting' | 'request' = 'setting',
  ): Promise<TalkTape> {
    const begun = this.#begin(name, facts, reason);
    this.#opening.add(begun);
    try {
      return await begun;
    } finally {
      this.#opening.delete(begun);
    }
  }

  async #begin(name: string, facts: TapeFacts, reason: 'setting' | 'request'): Promise<TalkTape> {
    const { folder, openTape, privacy, reportError } = this.#deps;
    // When pages show a new talk, they clear earlier errors, so errors wait until then.
    let pendingErrors: AppError[] | undefined = [];
    const report = (error: AppError): void => {
      if (pendingErrors === undefined) reportError(error);
      else pendingErrors.push(error);
    };
    const onShown = (): void => {
      const pending = pendingErrors ?? [];
      pendingErrors = undefined;
      for (const error of pending) reportError(error);
    };
    const { keepTapes } = privacy();
    if (this.#isEnded || (reason === 'setting' && !keepTapes))
      return { recorder: undefined, finish: () => Promise.resolve(), onShown };
    const made = await folder.make();
    const opened = !made.ok
      ? made
      : await openTape(`${folder.path}/${name}`, { ...facts, sound: 'pcm16' }, report);
    if (!opened.ok) {
      report(appError('tapeFailed', {}, { cause: opened.error }));
      return { recorder: undefined, finish: () => Promise.resolve(), onShown };
    }
    const recorder = ignoreAfterClose(opened.value);
    this.#running.set(name, recorder);
    return { recorder, finish: () => this.#finish(name, recorder), onShown };
  }

  /** Closes the tapes of running talks; what follows is not recorded. */
  async finish(): Promise<void> {
    // Waits for tapes that are being opened, so that none stays open. The caller of `begin` gets their errors.
    await Promise.allSettled(this.#opening);
    for (const [name, recorder] of this.#running) await this.#finish(name, recorder);
    // A talk that just ended may still be closing its tape.
    await Promise.allSettled(this.#finishing);
  }

  /** Closes for good: talks that start later are not recorded. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.finish();
  }

  async names(): Promise<ReadonlySet<string>> {
    const items = await this.#deps.folder.names();
    return new Set(items.ok ? items.value : []);
  }

  /** Stored tapes that are not being recorded. */
  async list(): Promise<Outcome<readonly DataFolderItem[]>> {
    const items = await this.#deps.folder.list();
    if (!items.ok) return items;
    return { ok: true, value: items.value.filter(({ name }) => !this.#running.has(name)) };
  }

  find(name: string): Promise<Outcome<DataFolderItem | undefined>> {
    return this.#running.has(name) ? Promise.resolve(done) : this.#deps.folder.find(name);
  }

  pathOf(name: string): string {
    return `${this.#deps.folder.path}/${name}`;
  }

  /** Deletes a tape for good, unless it is being recorded. */
  async remove(name: string): Promise<Outcome<undefined>> {
    return this.#running.has(name) ? failure('tapeInUse') : this.#deps.folder.remove(name);
  }

  /** A talk has several tapes if its last minutes were saved more than once. */
  async removeTapesOf(id: string): Promise<Outcome<undefined>> {
    const names = await this.#deps.folder.names();
    if (!names.ok) return names;
    const tapes = names.value.filter((name) => isTapeOf(name, id));
    const removed = await Promise.all(tapes.map((name) => this.remove(name)));
    return removed.find(({ ok }) => !ok) ?? done;
  }

  isRecording(name: string): boolean {
    return this.#running.has(name);
  }

  async #finish(name: string, recorder: TapeRecorder): Promise<void> {
    if (!this.#running.delete(name)) return;
    const closing = this.#close(name, recorder);
    this.#finishing.add(closing);
    try {
      await closing;
    } finally {
      this.#finishing.delete(closing);
    }
  }

  async #close(name: string, recorder: TapeRecorder): Promise<void> {
    await recorder.close();
    // A tape without any connection has deleted its files.
    const folderItem = await this.#deps.folder.find(name);
    if (folderItem.ok && folderItem.value?.bytes === 0) await this.#deps.folder.remove(name);
  }
}

/** Whether a tape belongs to a talk. Suffixes such as `-2` mark minutes that were saved later. */
export function isTapeOf(name: string, id: string): boolean {
  return name === id || (name.startsWith(`${id}-`) && /^\d+$/u.test(name.slice(id.length + 1)));
}
