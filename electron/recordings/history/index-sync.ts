import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { Listeners } from '../../../shared/listeners.ts';
import { type Clock, delay, Timer } from '../../../shared/ports/clock.ts';
import {
  historyKey,
  type HistoryKind,
  type HistoryRef,
} from '../../../shared/recordings/history-item.ts';
import type { ChatStore } from '../../chat/stored-chat.ts';
import {
  type HistoryIndex,
  type HistorySource,
  type IndexedVersion,
  type IndexEntry,
  indexWordSteps,
} from './history-index.ts';

interface Deps {
  readonly sources: readonly HistorySource[];
  readonly index: HistoryIndex;
  readonly clock: Clock;
  readonly onIndexChange: () => void;
  /** Reports a folder that cannot be read, or all items that a scan newly found unreadable, once per version of an item. */
  readonly reportError: (error: AppError, kind: HistoryKind) => void;
}

/** This process stored or deleted something. A deletion without an id deleted everything of the kind. */
export type HistoryChange =
  | { readonly does: 'stored'; readonly ref: HistoryRef }
  | {
      readonly does: 'deleted';
      readonly ref: { readonly kind: HistoryKind; readonly id?: string };
    };

interface Unreadable {
  readonly id: string;
  readonly error: AppError;
}

interface ReadRequest {
  readonly source: HistorySource;
  readonly id: string;
  /** The version that the scan found. */
  readonly version: string | undefined;
  /** Receives the item if it cannot be read. */
  readonly unreadable: Unreadable[];
}

/** Items per index write: large enough to be fast, small enough not to block. */
const batchSize = 50;
/** Reading waits for the disk, but thousands of reads at once would hold up everything else that the process does. */
const parallelReads = 4;
/** Users and other instances may change the folders, too, so a scan is repeated after this time. */
const rescanAfterMs = 15_000;
const sliceMs = 8;
/** A list waits this long for the first scan, and grows later. */
const firstScanWaitMs = 300;
/** After this many scans in a row that lost the index, the loss is reported, and scans are as far apart as others. */
const maxLostScans = 3;

/** Keeps the index in step with the folders. It does not read them until the first list is requested. */
export class IndexSync {
  readonly #deps: Deps;
  readonly #work = new SerialQueue();
  /** Indexes the words of one item at a time. The slices of several would follow one another without a pause. */
  readonly #indexing = new SerialQueue();
  /** Versions that a scan failed to read, by item, so that they are not retried. */
  readonly #unreadable = new Map<string, string>();
  readonly #scanListeners: (() => void)[] = [];
  readonly #changes = new Listeners<HistoryChange>();
  #scannedAt: number | undefined;
  #complete = false;
  /** The error of a change of the index that failed since the last scan began. */
  #lost: AppError | undefined;
  /** Scans in a row that lost the index. */
  #lostScans = 0;
  readonly #retryTimer: Timer;
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#retryTimer = new Timer(deps.clock);
  }

  /** Registers a listener that is called during and after each scan, even if nothing changed. */
  onScanned(listener: () => void): void {
    this.#scanListeners.push(listener);
  }

  onChange(listener: (change: HistoryChange) => void): () => void {
    return this.#changes.add(listener);
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** Starts a scan, with the requested kind first, if the last one is old. The first call waits for it up to `firstScanWaitMs`. */
  async ensureScanned(kind?: HistoryKind): Promise<void> {
    const { clock } = this.#deps;
    const isFirstScan = this.#scannedAt === undefined;
    const now = clock.now();
    if (this.#scannedAt !== undefined && now - this.#scannedAt < rescanAfterMs) return;
    this.#scannedAt = now;
    const scan = this.#work.run(() => this.#scanAll(kind));
    if (!isFirstScan) return;
    await new Promise<void>((resolve) => {
      const stop = clock.after(firstScanWaitMs, resolve);
      void scan.finally(stop).finally(resolve);
    });
  }

  async rescan(): Promise<void> {
    this.#scannedAt = this.#deps.clock.now();
    this.#complete = false;
    await this.#work.run(() => this.#scanAll());
  }

  /** Notifies listeners that an item was written, and indexes it. Before the first list request, the first scan will index it. */
  async update(ref: HistoryRef): Promise<void> {
    this.#changes.emit({ does: 'stored', ref });
    if (this.#scannedAt === undefined) return;
    await this.#work.run(() => this.#readOne(ref));
  }

  forget(refs: readonly HistoryRef[]): Promise<Outcome<undefined>> {
    for (const ref of refs) this.#changes.emit({ does: 'deleted', ref });
    return this.#work.run(async () => {
      const removed = await this.#written(this.#deps.index.remove(refs));
      this.#deps.onIndexChange();
      return removed;
    });
  }

  forgetAll(kind: HistoryKind): Promise<Outcome<undefined>> {
    this.#changes.emit({ does: 'deleted', ref: { kind } });
    return this.#work.run(async () => {
      const known = await this.#deps.index.known();
      const others = known.ok ? known.value.filter((each) => each.kind !== kind) : [];
      if (others.length === 0) {
        const cleared = await this.#deps.index.clear();
        this.#deps.onIndexChange();
        return cleared;
      }
      const gone = known.ok ? known.value.filter((each) => each.kind === kind) : [];
      const removed = await this.#written(this.#deps.index.remove(gone));
      this.#deps.onIndexChange();
      return removed;
    });
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#work.settled();
    this.#retryTimer.stop();
  }

  /** Awaits a change of the index. A failed one, as on a full disk, loses the index, so the next request rescans the folders. */
  async #written(change: Promise<Outcome<undefined>>): Promise<Outcome<undefined>> {
    const written = await change;
    if (written.ok) return written;
    this.#lost = written.error;
    if (this.#lostScans < maxLostScans) this.#scannedAt = undefined;
    this.#complete = false;
    return written;
  }

  async #scanAll(first?: HistoryKind): Promise<void> {
    this.#lost = undefined;
    const known = await this.#deps.index.known();
    // If the index cannot be read, everything is indexed again.
    const versions = new Map(
      (known.ok ? known.value : []).map((entry) => [historyKey(entry), entry.version]),
    );
    const priority = ({ kind }: HistorySource): number => (kind === first ? 0 : 1);
    const sources = this.#deps.sources.toSorted((one, other) => priority(one) - priority(other));
    for (const source of sources) await this.#scanSource(source, versions);
    this.#complete = this.#lost === undefined;
    this.#lostScans = this.#complete ? 0 : this.#lostScans + 1;
    if (this.#lost !== undefined && this.#lostScans >= maxLostScans)
      this.#backOff(this.#lost, first);
    this.#notifyChanged();
  }

  /** Pages request the list again after each scan, so that scans at once would never end. */
  #backOff(error: AppError, kind: HistoryKind = 'talk'): void {
    const { clock, reportError } = this.#deps;
    if (this.#lostScans === maxLostScans) reportError(error, kind);
    this.#scannedAt = clock.now();
    this.#retryTimer.set(rescanAfterMs, () => this.#notifyChanged());
  }

  async #scanSource(source: HistorySource, versions: ReadonlyMap<string, string>): Promise<void> {
    const listed = await source.list();
    if (!listed.ok) {
      this.#deps.reportError(listed.error, source.kind);
      return;
    }
    const ids = new Set(listed.value.map(({ id }) => id));
    const gone = [...versions.keys()].filter((key) => isGone(key, source.kind, ids));
    if (gone.length > 0)
      await this.#written(
        this.#deps.index.remove(
          gone.map((key) => ({ kind: source.kind, id: key.slice(source.kind.length + 1) })),
        ),
      );
    // Newest first, because users look at those first. A version begins with the file's modification time.
    const changed = listed.value
      .filter(({ id, version }) => versions.get(`${source.kind} ${id}`) !== version)
      .filter(({ id, version }) => this.#unreadable.get(`${source.kind} ${id}`) !== version)
      .toSorted(
        (one, other) =>
          Number.parseFloat(other.version) - Number.parseFloat(one.version) ||
          (one.id < other.id ? 1 : -1),
      );
    const unreadable: Unreadable[] = [];
    for (let from = 0; from < changed.length && !this.#over; from += batchSize) {
      const part = changed.slice(from, from + batchSize);
      await this.#put(source, part, unreadable);
      if (from % (batchSize * 5) === 0) this.#notifyChanged();
    }
    this.#report(source, unreadable);
  }

  #report(source: HistorySource, unreadable: readonly Unreadable[]): void {
    const [first, ...others] = unreadable;
    if (first === undefined) return;
    const facts = { count: unreadable.length, path: source.pathOf(first.id) };
    const error =
      others.length === 0
        ? first.error
        : appError('historyItemsUnreadable', facts, { cause: first.error });
    this.#deps.reportError(error, source.kind);
  }

  #notifyChanged(): void {
    this.#deps.onIndexChange();
    for (const listener of this.#scanListeners) listener();
  }

  async #put(
    source: HistorySource,
    part: readonly Pick<IndexedVersion, 'id' | 'version'>[],
    unreadable: Unreadable[],
  ): Promise<void> {
    const entries: IndexEntry[] = [];
    const unread: HistoryRef[] = [];
    for (let from = 0; from < part.length; from += parallelReads) {
      const group = part.slice(from, from + parallelReads);
      const read = await Promise.all(
        group.map(({ id, version }) => this.#readEntry({ source, id, version, unreadable })),
      );
      for (const [at, { id }] of group.entries()) {
        const entry = read[at];
        if (entry === undefined) unread.push({ kind: source.kind, id });
        else entries.push(entry);
      }
    }
    // An item that became unreadable may still be indexed.
    if (unread.length > 0) await this.#written(this.#deps.index.remove(unread));
    await this.#written(this.#deps.index.put(entries));
  }

  async #readOne({ kind, id }: HistoryRef): Promise<void> {
    const source = this.#deps.sources.find((each) => each.kind === kind);
    if (source === undefined) return;
    const unreadable: Unreadable[] = [];
    const entry = await this.#readEntry({ source, id, version: undefined, unreadable });
    this.#report(source, unreadable);
    const { index } = this.#deps;
    await this.#written(entry === undefined ? index.remove([{ kind, id }]) : index.put([entry]));
    this.#deps.onIndexChange();
  }

  async #readEntry({
    source,
    id,
    version,
    unreadable,
  }: ReadRequest): Promise<IndexEntry | undefined> {
    const document = await source.read(id);
    if (!document.ok) {
      // The item was deleted during the scan.
      const { code } = document.error;
      if (code === 'fileGone' || code === 'talkRecordGone' || code === 'chatGone') return undefined;
      if (version !== undefined) this.#unreadable.set(`${source.kind} ${id}`, version);
      unreadable.push({ id, error: document.error });
      return undefined;
    }
    const { item, texts } = document.value;
    const all = [item.title, ...texts.map(({ text }) => text)].join('\n');
    const placed = [...texts, { text: item.title }];
    const words = await this.#indexing.run(() => this.#inSteps(indexWordSteps(all)));
    return { item, version: document.value.version, words, texts: placed };
  }

  async #inSteps<Value>(steps: Generator<undefined, Value>): Promise<Value> {
    const { clock } = this.#deps;
    let began = clock.now();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (clock.now() - began < sliceMs) continue;
      await delay(clock, 0);
      began = clock.now();
    }
  }
}

function isGone(key: string, kind: HistoryKind, ids: ReadonlySet<string>): boolean {
  return key.startsWith(`${kind} `) && !ids.has(key.slice(kind.length + 1));
}

/** Wraps a chat store so that its changes reach the history index. */
export function indexChatChanges(
  store: ChatStore,
  sync: Pick<IndexSync, 'update' | 'forget' | 'forgetAll' | 'rescan'>,
): ChatStore {
  return {
    ...store,
    write: async (id, text, media) => {
      const written = await store.write(id, text, media);
      if (written.ok) void sync.update({ kind: 'chat', id });
      return written;
    },
    setAside: async (id) => {
      const aside = await store.setAside(id);
      if (aside.ok) void sync.update({ kind: 'chat', id });
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
      // Lists what could not be deleted.
      if (!removed.ok) void sync.rescan();
      return removed;
    },
  };
}
