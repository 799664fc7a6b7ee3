import type { AppError, Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { HistoryKind, HistoryRef } from '../../../shared/recordings/history-item.ts';
import type { ChatStore } from '../../chat/stored-chat.ts';
import {
  type HistoryIndex,
  type HistorySource,
  type IndexEntry,
  indexWordSteps,
} from './history-index.ts';

interface Deps {
  readonly sources: readonly HistorySource[];
  readonly index: HistoryIndex;
  readonly clock: Clock;
  /** What is listed is different now. */
  readonly changed: () => void;
  /** One that cannot be read; the others are listed. Once for each state of its file. */
  readonly trouble: (error: AppError, kind: HistoryKind) => void;
}

/** So many are read and written to the index at once: enough to be quick, few enough to be short. */
const group = 50;
/** A folder may be changed by hand, or by another Parley. */
const lookAgainMs = 15_000;
/** The loop is held no longer at a time. */
const sliceMs = 8;
/** A list is shown soon, and grows where there is much to be read. */
const waitMs = 300;

/** Keeps the index as the folders are. Nothing of it happens before somebody asks for a list. */
export class IndexSync {
  readonly #deps: Deps;
  readonly #work = new SerialQueue();
  /** Versions that could not be read: they are not tried again. */
  readonly #unreadable = new Map<string, string>();
  readonly #found: (() => void)[] = [];
  #lookedAt: number | undefined;
  #complete = false;
  /** Since the folders were last looked at: it is empty then, or nearly. */
  #lost = false;
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Calls back each time something was found in the folders that somebody else, or a run before, has written. */
  onFound(found: () => void): void {
    this.#found.push(found);
  }

  /** Whether all folders were looked at. */
  get complete(): boolean {
    return this.#complete;
  }

  /**
   * Sees to it that the folders are looked at, those of the kind that is asked for before the others; the first time it
   * waits for that, but not for long.
   */
  async begun(kind?: HistoryKind): Promise<void> {
    const { clock } = this.#deps;
    const isFirst = this.#lookedAt === undefined;
    const now = clock.now();
    if (this.#lookedAt !== undefined && now - this.#lookedAt < lookAgainMs) return;
    this.#lookedAt = now;
    const looked = this.#work.run(() => this.#lookAtAll(kind));
    if (!isFirst) return;
    await new Promise<void>((resolve) => {
      const stop = clock.after(waitMs, resolve);
      void looked.finally(stop).finally(resolve);
    });
  }

  /** The index was lost: all of it is read once more. */
  async again(): Promise<void> {
    this.#lookedAt = this.#deps.clock.now();
    this.#complete = false;
    await this.#work.run(() => this.#lookAtAll());
  }

  /** One was written. Where nobody has asked for a list yet, it is found when somebody does. */
  async touched(ref: HistoryRef): Promise<void> {
    if (this.#lookedAt === undefined) return;
    await this.#work.run(() => this.#readOne(ref));
  }

  /** They are gone from their folders. */
  forget(refs: readonly HistoryRef[]): Promise<Outcome<undefined>> {
    return this.#work.run(async () => {
      const removed = await this.#written(this.#deps.index.remove(refs));
      this.#deps.changed();
      return removed;
    });
  }

  /** Everything of one kind is gone. */
  forgetAll(kind: HistoryKind): Promise<Outcome<undefined>> {
    return this.#work.run(async () => {
      const known = await this.#deps.index.known();
      const left = known.ok ? known.value.filter((each) => each.kind !== kind) : [];
      if (left.length === 0) {
        const cleared = await this.#deps.index.clear();
        this.#deps.changed();
        return cleared;
      }
      const gone = known.ok ? known.value.filter((each) => each.kind === kind) : [];
      const removed = await this.#written(this.#deps.index.remove(gone));
      this.#deps.changed();
      return removed;
    });
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#work.settled();
  }

  /** What could not be written has lost the index, as on a full disk: whoever asks next has the folders looked at. */
  async #written(change: Promise<Outcome<undefined>>): Promise<Outcome<undefined>> {
    const written = await change;
    if (written.ok) return written;
    this.#lost = true;
    this.#lookedAt = undefined;
    this.#complete = false;
    return written;
  }

  async #lookAtAll(first?: HistoryKind): Promise<void> {
    this.#lost = false;
    const known = await this.#deps.index.known();
    // An index that was lost is empty now.
    const versions = new Map(
      (known.ok ? known.value : []).map(({ kind, id, version }) => [`${kind} ${id}`, version]),
    );
    const isFirst = ({ kind }: HistorySource): number => (kind === first ? 0 : 1);
    const sources = this.#deps.sources.toSorted((one, other) => isFirst(one) - isFirst(other));
    for (const source of sources) await this.#lookAt(source, versions);
    this.#complete = !this.#lost;
    this.#tell();
  }

  async #lookAt(source: HistorySource, versions: ReadonlyMap<string, string>): Promise<void> {
    const listed = await source.list();
    if (!listed.ok) {
      this.#deps.trouble(listed.error, source.kind);
      return;
    }
    const there = new Set(listed.value.map(({ id }) => id));
    const gone = [...versions.keys()].filter((key) => isGone(key, source.kind, there));
    if (gone.length > 0)
      await this.#written(
        this.#deps.index.remove(
          gone.map((key) => ({ kind: source.kind, id: key.slice(source.kind.length + 1) })),
        ),
      );
    // The newest first: they are what is looked at first.
    const changed = listed.value
      .filter(({ id, version }) => versions.get(`${source.kind} ${id}`) !== version)
      .filter(({ id, version }) => this.#unreadable.get(`${source.kind} ${id}`) !== version)
      .toSorted((one, other) => (one.id < other.id ? 1 : -1));
    for (let from = 0; from < changed.length && !this.#over; from += group) {
      const part = changed.slice(from, from + group);
      await this.#put(source, part);
      if (from % (group * 5) === 0) this.#tell();
    }
  }

  #tell(): void {
    this.#deps.changed();
    for (const found of this.#found) found();
  }

  async #put(
    source: HistorySource,
    part: readonly { readonly id: string; readonly version: string }[],
  ): Promise<void> {
    const entries: IndexEntry[] = [];
    const unread: HistoryRef[] = [];
    for (const { id, version } of part) {
      const entry = await this.#entryOf(source, id, version);
      if (entry === undefined) unread.push({ kind: source.kind, id });
      else entries.push(entry);
    }
    // What cannot be read now may have been listed when it could.
    if (unread.length > 0) await this.#written(this.#deps.index.remove(unread));
    await this.#written(this.#deps.index.put(entries));
  }

  async #readOne({ kind, id }: HistoryRef): Promise<void> {
    const source = this.#deps.sources.find((each) => each.kind === kind);
    if (source === undefined) return;
    const entry = await this.#entryOf(source, id, undefined);
    const { index } = this.#deps;
    await this.#written(entry === undefined ? index.remove([{ kind, id }]) : index.put([entry]));
    this.#deps.changed();
  }

  async #entryOf(
    source: HistorySource,
    id: string,
    version: string | undefined,
  ): Promise<IndexEntry | undefined> {
    const document = await source.read(id);
    if (!document.ok) {
      // It went while it was looked at.
      const { code } = document.error;
      if (code === 'fileGone' || code === 'talkRecordGone' || code === 'chatGone') return undefined;
      if (version !== undefined) this.#unreadable.set(`${source.kind} ${id}`, version);
      this.#deps.trouble(document.error, source.kind);
      return undefined;
    }
    const { item, texts } = document.value;
    const all = [item.title, ...texts.map(({ text }) => text)].join('\n');
    const placed = [...texts, { text: item.title }];
    const words = await this.#inSteps(indexWordSteps(all));
    return { item, version: document.value.version, words, texts: placed };
  }

  async #inSteps<Value>(steps: Generator<undefined, Value>): Promise<Value> {
    const { clock } = this.#deps;
    let began = clock.now();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (clock.now() - began < sliceMs) continue;
      await new Promise<void>((resolve) => {
        clock.after(0, resolve);
      });
      began = clock.now();
    }
  }
}

function isGone(key: string, kind: HistoryKind, there: ReadonlySet<string>): boolean {
  return key.startsWith(`${kind} `) && !there.has(key.slice(kind.length + 1));
}

/** The same store, and the history learns what becomes of it. */
export function tellHistory(
  store: ChatStore,
  sync: Pick<IndexSync, 'touched' | 'forget' | 'forgetAll'>,
): ChatStore {
  return {
    ...store,
    write: async (id, text, media) => {
      const written = await store.write(id, text, media);
      if (written.ok) void sync.touched({ kind: 'chat', id });
      return written;
    },
    setAside: async (id) => {
      const aside = await store.setAside(id);
      if (aside.ok) void sync.touched({ kind: 'chat', id });
      return aside;
    },
    remove: async (id) => {
      const removed = await store.remove(id);
      if (removed.ok) await sync.forget([{ kind: 'chat', id }]);
      return removed;
    },
    removeAll: async () => {
      const removed = await store.removeAll();
      await sync.forgetAll('chat');
      return removed;
    },
  };
}
