import {
  appError,
  type AppError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { DataFolder, DataFolderItem } from '../../../shared/ports/files.ts';
import type { PrivacySettings } from '../../../shared/settings/privacy-settings.ts';
import type { TapeHeader } from '../tape/tape.ts';
import { type TapeRecorder, untilClosed } from './tape-recorder.ts';

type TapeFacts = Omit<TapeHeader, 'format' | 'version' | 'recordedAt'>;

interface Deps {
  readonly folder: DataFolder;
  readonly openTape: (
    folder: string,
    facts: TapeFacts,
    onError: (error: AppError) => void,
  ) => Promise<Outcome<TapeRecorder>>;
  readonly privacy: () => Pick<PrivacySettings, 'keepTapes'>;
  /** A tape cannot be written; the talk goes on. */
  readonly trouble: (error: AppError) => void;
}

export interface TalkTape {
  /** Nothing where no tape is to be recorded, or none can be. */
  readonly recorder: TapeRecorder | undefined;
  readonly finish: () => Promise<void>;
  /** From now on the talk is on the screen, and what is wrong with its tape can be read there. */
  readonly shown: () => void;
}

const done = (): Promise<void> => Promise.resolve();

/** The tapes of spoken conversations, where the person wants them recorded. */
export class TalkTapes {
  readonly #deps: Deps;
  /** By the name of their folders: the talk before may not be left yet when the next one begins. */
  readonly #running = new Map<string, TapeRecorder>();
  readonly #beginning = new Set<Promise<TalkTape>>();
  readonly #finishing = new Set<Promise<void>>();
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The name is that of the talk's record, too. */
  async begin(
    name: string,
    facts: TapeFacts,
    /** Where it was asked for, it is made whatever is kept otherwise. */
    why: 'kept' | 'asked' = 'kept',
  ): Promise<TalkTape> {
    const begun = this.#begin(name, facts, why);
    this.#beginning.add(begun);
    try {
      return await begun;
    } finally {
      this.#beginning.delete(begun);
    }
  }

  async #begin(name: string, facts: TapeFacts, why: 'kept' | 'asked'): Promise<TalkTape> {
    const { folder, openTape, privacy, trouble } = this.#deps;
    // What is told before the talk is shown would go with what was shown before.
    let early: AppError[] | undefined = [];
    const tell = (error: AppError): void => {
      if (early === undefined) trouble(error);
      else early.push(error);
    };
    const shown = (): void => {
      const told = early ?? [];
      early = undefined;
      for (const error of told) trouble(error);
    };
    const { keepTapes } = privacy();
    if (this.#over || (why === 'kept' && !keepTapes))
      return { recorder: undefined, finish: done, shown };
    const made = await folder.make();
    const opened = !made.ok
      ? made
      : await openTape(`${folder.path}/${name}`, { ...facts, sound: 'pcm16' }, tell);
    if (!opened.ok) {
      tell(appError('tapeFailed', {}, { cause: opened.error }));
      return { recorder: undefined, finish: done, shown };
    }
    const recorder = untilClosed(opened.value);
    this.#running.set(name, recorder);
    return { recorder, finish: () => this.#finish(name, recorder), shown };
  }

  /** What has begun is written to its end; a talk that goes on after this is on no tape. */
  async finish(): Promise<void> {
    // One that is just being begun must not be left open; what became of it is told to whoever began it.
    await Promise.allSettled(this.#beginning);
    for (const [name, recorder] of this.#running) await this.#finish(name, recorder);
    // One whose talk was left a moment ago may still be at it.
    await Promise.allSettled(this.#finishing);
  }

  /** The same for good: a talk whose start comes too late is on no tape. */
  async end(): Promise<void> {
    this.#over = true;
    await this.finish();
  }

  /** Those that are kept. */
  async names(): Promise<ReadonlySet<string>> {
    const items = await this.#deps.folder.names();
    return new Set(items.ok ? items.value : []);
  }

  /** Those that are kept and that nobody here is recording. */
  async list(): Promise<Outcome<readonly DataFolderItem[]>> {
    const items = await this.#deps.folder.list();
    if (!items.ok) return items;
    return { ok: true, value: items.value.filter(({ name }) => !this.#running.has(name)) };
  }

  /** One of those, without a look at the others. */
  find(name: string): Promise<Outcome<DataFolderItem | undefined>> {
    return this.#running.has(name)
      ? Promise.resolve({ ok: true, value: undefined })
      : this.#deps.folder.find(name);
  }

  placeOf(name: string): string {
    return `${this.#deps.folder.path}/${name}`;
  }

  /** For good; one that is being recorded stays. */
  async remove(name: string): Promise<Outcome<undefined>> {
    return this.#running.has(name) ? failure('tapeInUse') : this.#deps.folder.remove(name);
  }

  /** All tapes of a talk: its last minutes may have been saved more than once. */
  async removeAllOf(id: string): Promise<Outcome<undefined>> {
    const names = await this.#deps.folder.names();
    if (!names.ok) return names;
    const own = names.value.filter((name) => isTapeOf(name, id));
    const removed = await Promise.all(own.map((name) => this.remove(name)));
    return removed.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
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
    // One on which nothing came has taken its files away.
    const left = await this.#deps.folder.find(name);
    if (left.ok && left.value?.bytes === 0) await this.#deps.folder.remove(name);
  }
}

/** Whether a tape is of that talk: `-2` and so on are stretches of it that were saved later. */
export function isTapeOf(name: string, id: string): boolean {
  return name === id || (name.startsWith(`${id}-`) && /^\d+$/u.test(name.slice(id.length + 1)));
}
