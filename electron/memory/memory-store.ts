import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import { SerialQueue } from '../../shared/lifetime.ts';
import { type Random, type WallClock, makeRandomId } from '../../shared/ports/clock.ts';
import { formatMemory, readMemory, readSentence } from '../../shared/memory/memory-file.ts';
import { estimateTokens, foldText } from '../../shared/text.ts';
import type { StateFile } from '../../shared/ports/files.ts';
import {
  maxMemoryTokens,
  maxSentences,
  type MemorySentence,
  type MemorySource,
  type MemoryView,
} from '../../shared/memory/memory-view.ts';

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
  /** The list while it is being written. A question that is sent meanwhile has no sentence that the user deleted. */
  #writing: readonly MemorySentence[] | undefined;
  /** The sentence that was removed last in this process, and its index, until the memory is emptied. */
  #removed: { readonly sentence: MemorySentence; readonly index: number } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get view(): Omit<MemoryView, 'suggestions'> {
    // Without the change that is being written, because pages would not learn that it failed.
    const sentences = this.#stored();
    return { sentences, tokens: memoryTokens(sentences), problem: this.#problem };
  }

  /** Reads the file again, because `parley memory` may have changed it. Empty if that fails. */
  sentences(): readonly MemorySentence[] {
    return this.#writing ?? this.#stored();
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

  remove(id: string): Promise<Outcome<undefined>> {
    return this.edit((sentences) => {
      const index = sentences.findIndex((each) => each.id === id);
      const sentence = sentences[index];
      if (sentence === undefined) return failure('memoryGone');
      this.#removed = { sentence, index };
      return { ok: true, value: sentences.toSpliced(index, 1) };
    });
  }

  /** Puts the sentence that was removed last back in its place, even if the memory has too many tokens then. */
  restore(id: string): Promise<Outcome<undefined>> {
    return this.edit((sentences) => {
      if (this.#removed?.sentence.id !== id) return failure('memoryGone');
      const { sentence, index } = this.#removed;
      return insertSentence(sentences, sentence, index);
    });
  }

  removeAll(): Promise<Outcome<undefined>> {
    return this.edit(() => {
      this.#removed = undefined;
      return { ok: true, value: [] };
    });
  }

  /** Changes the list and its file, or neither. */
  edit(edit: MemoryEdit): Promise<Outcome<undefined>> {
    return this.#edits.run(async () => {
      const before = this.#read();
      if (!before.ok) return before;
      const after = edit(before.value);
      if (!after.ok) return after;
      const text = formatMemory(after.value);
      this.#writing = after.value;
      const written = await this.#deps.file.write(text);
      this.#writing = undefined;
      if (!written.ok)
        return { ok: false, error: appError('memoryNotStored', {}, { cause: written.error }) };
      this.#text = text;
      this.#sentences = after.value;
      this.#problem = undefined;
      this.#deps.onChanged();
      return done;
    });
  }

  readonly settled = (): Promise<void> => this.#edits.settled();

  #stored(): readonly MemorySentence[] {
    const read = this.#read();
    return read.ok ? read.value : [];
  }

  #read(): Outcome<readonly MemorySentence[]> {
    const file = this.#deps.file.read();
    if (!file.ok) return this.#fail(appError('memoryUnread', {}, { cause: file.error }));
    if (file.value !== undefined && file.value === this.#text)
      return { ok: true, value: this.#sentences };
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
    const aside = this.#deps.file.setAside();
    return aside.ok
      ? appError('memoryPutAside', { path: aside.value })
      : appError('memoryUnread', {}, { cause: aside.error });
  }
}

export type MemoryEdit = (
  sentences: readonly MemorySentence[],
) => Outcome<readonly MemorySentence[]>;

/** Estimates the tokens of a sentence as a line of the text for the model. */
export function sentenceTokens({ text }: Pick<MemorySentence, 'text'>): number {
  return estimateTokens(`- ${text}`) + 1;
}

/** Tokens of all sentences that are switched on. */
function memoryTokens(sentences: readonly MemorySentence[]): number {
  return sentences.reduce((sum, each) => sum + (each.on ? sentenceTokens(each) : 0), 0);
}

/** Folded words without punctuation, by which sentences are compared. */
function bareWords(text: string): string {
  return foldText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function hasSentence(
  sentences: readonly Pick<MemorySentence, 'text'>[],
  text: string,
): boolean {
  return sentences.some((each) => bareWords(each.text) === bareWords(text));
}

function addSentence(added: MemorySentence): MemoryEdit {
  return (sentences) => {
    const text = readSentence(added.text);
    if (!text.ok) return text;
    const next = insertSentence(sentences, { ...added, text: text.value }, sentences.length);
    return next.ok ? checkSize(next.value) : next;
  };
}

function insertSentence(
  sentences: readonly MemorySentence[],
  sentence: MemorySentence,
  index: number,
): Outcome<readonly MemorySentence[]> {
  if (hasSentence(sentences, sentence.text)) return failure('memoryKnown');
  if (sentences.length >= maxSentences) return failure('memoryMany', { most: maxSentences });
  return { ok: true, value: sentences.toSpliced(index, 0, sentence) };
}

export interface SentenceChange {
  readonly text?: string | undefined;
  readonly on?: boolean | undefined;
  readonly source?: MemorySource | undefined;
}

/** Replaces parts of a sentence, which keeps its place. */
function changeSentence(id: string, change: SentenceChange, changedAt: number): MemoryEdit {
  return (sentences) => {
    const before = sentences.find((each) => each.id === id);
    if (before === undefined) return failure('memoryGone');
    const text = readSentence(change.text ?? before.text);
    if (!text.ok) return text;
    const others = sentences.filter((each) => each !== before);
    if (hasSentence(others, text.value)) return failure('memoryKnown');
    const { on = before.on, source = before.source } = change;
    const after = { id, text: text.value, source, on, changedAt };
    const next = sentences.map((each) => (each === before ? after : each));
    // A memory that is over the limit, by a newer estimate of tokens, can still be changed if it gets no larger.
    return memoryTokens(next) <= memoryTokens(sentences)
      ? { ok: true, value: next }
      : checkSize(next);
  };
}

export function moveSentence(id: string, to: number): MemoryEdit {
  return (sentences) => {
    const moved = sentences.find((each) => each.id === id);
    if (moved === undefined) return failure('memoryGone');
    const others = sentences.filter((each) => each !== moved);
    return { ok: true, value: others.toSpliced(to, 0, moved) };
  };
}

function checkSize(sentences: readonly MemorySentence[]): Outcome<readonly MemorySentence[]> {
  return memoryTokens(sentences) > maxMemoryTokens
    ? failure('memoryListFull')
    : { ok: true, value: sentences };
}
