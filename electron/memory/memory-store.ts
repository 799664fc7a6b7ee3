import { type AppError, appError, type Outcome } from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import type { Random, WallClock } from '../../shared/ports/clock.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import type { MemorySentence, MemorySource, MemoryView } from '../../shared/memory/memory-view.ts';
import {
  addSentence,
  changeSentence,
  type MemoryEdit,
  memoryTokens,
  type SentenceChange,
} from './memory-edits.ts';
import { formatMemory, readMemory } from '../../shared/memory/memory-file.ts';
import { makeRandomId } from '../../shared/random-id.ts';

interface Deps {
  readonly file: StateFile;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly onChanged: () => void;
  /** Called when the file proves to be unreadable or damaged. */
  readonly onFailed: (error: AppError) => void;
}

/** Stores the sentences about the user in a file, which another Parley process may change too. */
export class MemoryStore {
  readonly #deps: Deps;
  readonly #edits = new SerialQueue();
  #text: string | undefined;
  #sentences: readonly MemorySentence[] = [];
  #problem: AppError | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get view(): Omit<MemoryView, 'suggestions'> {
    const sentences = this.sentences();
    return { sentences, tokens: memoryTokens(sentences), problem: this.#problem };
  }

  /** Reads the file again, because `parley memory` may have changed it. */
  sentences(): readonly MemorySentence[] {
    const read = this.#read();
    return read.ok ? read.value : [];
  }

  add(text: string, source?: MemorySource): Promise<Outcome<undefined>> {
    const when = this.#deps.wallClock();
    const id = makeRandomId(this.#deps.random);
    const by = source ?? { kind: 'person', when };
    return this.edit(addSentence({ id, text, source: by, on: true, changedAt: when }));
  }

  change(id: string, change: SentenceChange): Promise<Outcome<undefined>> {
    return this.edit(changeSentence(id, change, this.#deps.wallClock()));
  }

  removeAll(): Promise<Outcome<undefined>> {
    return this.edit(() => ({ ok: true, value: [] }));
  }

  /** Changes the list and its file, or neither. */
  edit(edit: MemoryEdit): Promise<Outcome<undefined>> {
    return this.#edits.run(async () => {
      const before = this.#read();
      if (!before.ok) return before;
      const after = edit(before.value);
      if (!after.ok) return after;
      const text = formatMemory(after.value);
      const written = await this.#deps.file.write(text);
      if (!written.ok)
        return { ok: false, error: appError('memoryUnkept', {}, { cause: written.error }) };
      this.#text = text;
      this.#sentences = after.value;
      this.#problem = undefined;
      this.#deps.onChanged();
      return { ok: true, value: undefined };
    });
  }

  readonly settled = (): Promise<void> => this.#edits.settled();

  #read(): Outcome<readonly MemorySentence[]> {
    const file = this.#deps.file.read();
    if (!file.ok) return this.#fail(appError('memoryUnread', {}, { cause: file.error }));
    if (file.value === this.#text) return { ok: true, value: this.#sentences };
    const read = readMemory(file.value ?? formatMemory([]));
    if (!read.ok) return this.#fail(read.error);
    this.#text = file.value;
    this.#sentences = read.value.sentences;
    this.#problem = undefined;
    if (read.value.damaged) this.#report(this.#setAside());
    return { ok: true, value: this.#sentences };
  }

  #fail(error: AppError): Outcome<never> {
    this.#text = undefined;
    // Every read fails the same way, so the error is reported once.
    if (this.#problem?.code !== error.code) this.#report(error);
    return { ok: false, error };
  }

  #report(error: AppError): void {
    this.#problem = error;
    this.#deps.onFailed(error);
  }

  /** Keeps a damaged file for recovery before anything overwrites it. */
  #setAside(): AppError {
    const aside = this.#deps.file.backUp();
    return aside.ok
      ? appError('memoryPutAside', { path: aside.value })
      : appError('memoryUnread', {}, { cause: aside.error });
  }
}
