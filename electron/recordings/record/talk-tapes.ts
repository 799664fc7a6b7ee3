import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { DataFolder, DataFolderItem } from '../../../shared/ports/files.ts';
import type { PrivacySettings } from '../../../shared/settings/app-settings.ts';
import type { RecentBufferState } from '../../../shared/talk/talk-view.ts';
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
  /** Reports whether the talk runs. The tape of an ended talk stays open, because the talk can continue. */
  readonly setTalking: (isTalking: boolean) => void;
  readonly finish: () => Promise<void>;
  /** Delivers errors from before the talk was on screen. */
  readonly onShown: () => void;
}

interface OpenedTape {
  readonly recorder: TapeRecorder;
  /** A tape without a connection is deleted at its close. */
  hasConnection: boolean;
  isTalking: boolean;
}

const noop = (): void => undefined;

/** Records spoken conversations if the user wants that, and manages the tapes. */
export class TalkTapes {
  readonly #deps: Deps;
  /** By folder name. The previous talk may still be closing when the next one starts. */
  readonly #opened = new Map<string, OpenedTape>();
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
    reportError = this.#deps.reportError,
  ): Promise<TalkTape> {
    const begun = this.#begin(name, facts, reason, reportError);
    this.#opening.add(begun);
    try {
      return await begun;
    } finally {
      this.#opening.delete(begun);
    }
  }

  async #begin(
    name: string,
    facts: TapeFacts,
    reason: 'setting' | 'request',
    reportError: Deps['reportError'],
  ): Promise<TalkTape> {
    const { folder, openTape, privacy } = this.#deps;
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
      return { recorder: undefined, setTalking: noop, finish: () => Promise.resolve(), onShown };
    const made = await folder.make();
    const opened = !made.ok
      ? made
      : await openTape(`${folder.path}/${name}`, { ...facts, sound: 'pcm16' }, report);
    if (!opened.ok) {
      report(appError('tapeFailed', {}, { cause: opened.error }));
      return { recorder: undefined, setTalking: noop, finish: () => Promise.resolve(), onShown };
    }
    const closing = ignoreAfterClose(opened.value);
    const recorder: TapeRecorder = {
      ...closing,
      record: (entry) => {
        tape.hasConnection ||= entry.dir === 'open';
        closing.record(entry);
      },
    };
    const tape: OpenedTape = { recorder, hasConnection: false, isTalking: true };
    this.#opened.set(name, tape);
    const setTalking = (isTalking: boolean): void => {
      tape.isTalking = isTalking;
    };
    return { recorder, setTalking, finish: () => this.#finish(name, recorder), onShown };
  }

  /** Closes all open tapes. The rest of a running talk is not recorded. */
  async finish(): Promise<void> {
    // Waits for tapes that are being opened, so that none stays open. The caller of `begin` gets their errors.
    await Promise.allSettled(this.#opening);
    for (const [name, { recorder }] of this.#opened) await this.#finish(name, recorder);
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

  /** Stored tapes, without those of running talks. */
  async list(): Promise<Outcome<readonly DataFolderItem[]>> {
    const items = await this.#deps.folder.list();
    if (!items.ok) return items;
    return { ok: true, value: items.value.filter(({ name }) => !this.#isInUse(name)) };
  }

  find(name: string): Promise<Outcome<DataFolderItem | undefined>> {
    return this.#isInUse(name) ? Promise.resolve(done) : this.#deps.folder.find(name);
  }

  pathOf(name: string): string {
    return `${this.#deps.folder.path}/${name}`;
  }

  /** Deletes a tape for good, unless its talk runs. If an ended talk continues afterwards, it is not recorded. */
  async remove(name: string): Promise<Outcome<undefined>> {
    const tape = this.#opened.get(name);
    if (tape?.isTalking === true) return failure('tapeInUse');
    if (tape !== undefined) await this.#finish(name, tape.recorder);
    return this.#deps.folder.remove(name);
  }

  /** A talk has several tapes if its last minutes were saved more than once. */
  async removeTapesOf(id: string): Promise<Outcome<undefined>> {
    const names = await this.#deps.folder.names();
    if (!names.ok) return names;
    const tapes = names.value.filter((name) => isTapeOf(name, id));
    const removed = await Promise.all(tapes.map((name) => this.remove(name)));
    return removed.find(({ ok }) => !ok) ?? done;
  }

  /** Whether more can follow on the tape. */
  isRecording(name: string): boolean {
    return this.#opened.has(name);
  }

  #isInUse(name: string): boolean {
    const tape = this.#opened.get(name);
    return tape !== undefined && (tape.isTalking || !tape.hasConnection);
  }

  async #finish(name: string, recorder: TapeRecorder): Promise<void> {
    if (!this.#opened.delete(name)) return;
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
    // A tape without a connection has deleted its files, so only an empty folder is left.
    const folderItem = await this.#deps.folder.find(name);
    if (folderItem.ok && folderItem.value?.bytes === 0) await this.#deps.folder.remove(name);
  }
}

/** Whether a tape belongs to a talk. Suffixes such as `-2` mark minutes that were saved later. */
export function isTapeOf(name: string, id: string): boolean {
  return name === id || (name.startsWith(`${id}-`) && /^\d+$/u.test(name.slice(id.length + 1)));
}

/** The buffer of a talk, which can be written as a tape. */
export interface BufferedTape {
  readonly recorder: TapeRecorder;
  readonly writeTo: (folder: string) => Promise<Outcome<{ readonly seconds: number }>>;
}

interface RecentTapeDeps {
  readonly folder: Pick<DataFolder, 'path' | 'make' | 'names'>;
  readonly openBuffer: (facts: TapeFacts) => BufferedTape;
  readonly privacy: () => Pick<PrivacySettings, 'holdRecent'>;
  readonly onChange: (recent: RecentBufferState | undefined) => void;
}

/** Lets the user save the last two minutes of a talk that is not being recorded. */
export class RecentTapeController {
  readonly #deps: RecentTapeDeps;
  #buffered: { readonly name: string; readonly tape: BufferedTape } | undefined;
  #writing: Promise<Outcome<undefined>> | undefined;

  constructor(deps: RecentTapeDeps) {
    this.#deps = deps;
  }

  /** Undefined if the user has turned the buffer off. The name is the talk record's id. */
  begin(name: string, facts: TapeFacts): TapeRecorder | undefined {
    const { holdRecent } = this.#deps.privacy();
    if (!holdRecent) return undefined;
    const tape = this.#deps.openBuffer({ ...facts, sound: 'pcm16', saved: true });
    this.#buffered = { name, tape };
    this.#deps.onChange({ kind: 'inMemory' });
    return ignoreAfterClose(tape.recorder);
  }

  /** Saves the buffer as a tape; concurrent calls share one tape. */
  keep(): Promise<Outcome<undefined>> {
    const buffered = this.#buffered;
    if (buffered === undefined) return Promise.resolve(failure('recentNotHeld'));
    this.#writing ??= this.#write(buffered.name, buffered.tape).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** The talk is over: discards what was not saved. */
  async discard(name: string): Promise<void> {
    await this.#writing;
    if (this.#buffered?.name !== name) return;
    const { recorder } = this.#buffered.tape;
    this.#buffered = undefined;
    this.#deps.onChange(undefined);
    await recorder.close();
  }

  /** Drops the buffer when the user deletes all recordings. That is refused while a talk runs. */
  async forget(): Promise<void> {
    if (this.#buffered !== undefined) await this.discard(this.#buffered.name);
  }

  async #write(name: string, tape: BufferedTape): Promise<Outcome<undefined>> {
    const { folder, onChange } = this.#deps;
    const made = await folder.make();
    const names = made.ok ? await folder.names() : made;
    if (!names.ok) return names;
    const usedNames = new Set(names.value);
    let freeName = name;
    for (let number = 2; usedNames.has(freeName); number += 1) freeName = `${name}-${number}`;
    const path = `${folder.path}/${freeName}`;
    const written = await tape.writeTo(path);
    if (!written.ok) return written;
    if (this.#buffered?.tape === tape)
      onChange({ kind: 'stored', path, seconds: written.value.seconds });
    return done;
  }
}
