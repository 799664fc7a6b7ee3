import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { HistoryHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import { type DataFolder, measureFolders, type OpenFolder } from '../../../shared/ports/files.ts';
import type { HistoryRef, HistorySize } from '../../../shared/recordings/history-item.ts';
import type { OpenedTalkRecord } from '../../../shared/recordings/talk-record.ts';
import type { RecentTapeController, TalkTapes } from '../record/talk-tapes.ts';
import type { HistoryEditor, HistoryLibrary } from './history-library.ts';
import type { HistoryIndex } from './history-index.ts';
import type { TalkRecorder } from './talk-recorder.ts';
import type { TalkStore, TapedTalkSource } from './talk-source.ts';

interface Deps {
  readonly library: HistoryLibrary;
  readonly editor: HistoryEditor;
  readonly index: Pick<HistoryIndex, 'bytes'>;
  readonly talks: Pick<TapedTalkSource, 'record'>;
  readonly store: Pick<TalkStore, 'readPicture'>;
  readonly talkRecorder: TalkRecorder;
  readonly tapes: Pick<TalkTapes, 'names' | 'removeTapesOf'> & {
    readonly measureTape: (name: string) => Promise<number>;
  };
  readonly recent: Pick<RecentTapeController, 'keep'>;
  readonly folders: SizedFolders;
  readonly openFolder: (id: string) => DataFolder;
  readonly transcription: (id: string) => OpenedTalkRecord['words'];
  /** Undefined if the host cannot show folders. */
  readonly open: OpenFolder | undefined;
}

export function createHistoryHandlers(deps: Deps): HistoryHandlers {
  const { library, editor, talks, store, talkRecorder, tapes, folders } = deps;

  return {
    history: (part) => library.list(part),
    searchHistory: ({ query, ...part }) => library.search(query, part),
    talkRecord: async ({ id }) => {
      const stored = await talks.record(id);
      if (!stored.ok) return stored;
      const names = await tapes.names();
      const files = await deps.openFolder(id).list();
      if (!files.ok) return files;
      const hasTape = names.has(id);
      const textBytes = files.value.reduce((sum, { bytes }) => sum + bytes, 0);
      const opened: OpenedTalkRecord = {
        id,
        record: stored.value.record,
        isRunning: talkRecorder.runningId === id,
        tape: hasTape,
        bytes: textBytes + (hasTape ? await tapes.measureTape(id) : 0),
        words: deps.transcription(id),
      };
      return opened;
    },
    talkPicture: async ({ id, file }) => {
      const stored = await talks.record(id);
      if (!stored.ok) return stored;
      // Serves only pictures that the record names.
      const isNamed = stored.value.record.pictures.some((picture) => picture.file === file);
      const jpeg = isNamed ? await store.readPicture(id, file) : undefined;
      return jpeg?.ok === true ? { jpeg: jpeg.value } : failure('pictureGone');
    },
    renameHistory: ({ title, ...ref }) => rename(deps, ref, title),
    pinHistory: ({ pinned, ...ref }) => {
      const wasEditedLive =
        ref.kind === 'talk' && talkRecorder.edit(ref.id, (builder) => builder.pin(pinned));
      return wasEditedLive ? done : editor.pin(ref, pinned);
    },
    removeHistory: ({ list, tapes: withTapes }) => remove(deps, list, withTapes),
    withholdHistory: ({ list, withheld }, page) => library.withhold(list, withheld, page.whenGone),
    historySizes: () => historySizes(folders, deps.index),
    showHistory: async ({ ref }) => {
      const path = ref === undefined ? folders.talks.path : library.pathOf(ref);
      // The item must exist, because its id becomes part of a path.
      const there = await (ref === undefined ? folders.talks.make() : library.read(ref));
      if (!there.ok) return there;
      return { path, opened: (await deps.open?.(path)) ?? false };
    },
    keepTalk: ({ keep }) => talkRecorder.answer(keep),
    keepRecent: () => deps.recent.keep(),
    setIncognito: ({ on }) => talkRecorder.setIncognito(on),
  };
}

async function rename(
  { talkRecorder, editor }: Deps,
  ref: HistoryRef,
  title: string,
): Promise<Outcome<undefined>> {
  const wasEditedLive =
    ref.kind === 'talk' && talkRecorder.edit(ref.id, (builder) => builder.rename(title.trim()));
  return wasEditedLive ? done : editor.rename(ref, title);
}

async function remove(
  { talkRecorder, editor, tapes }: Deps,
  list: readonly HistoryRef[],
  withTapes: boolean,
): Promise<Outcome<undefined>> {
  const ended = list.filter(({ kind, id }) => kind === 'chat' || talkRecorder.runningId !== id);
  for (const { kind, id } of ended) if (kind === 'talk') await talkRecorder.forget(id);
  const removed = await editor.remove(ended);
  let failed = removed.ok ? undefined : removed;
  for (const { kind, id } of withTapes ? ended : []) {
    if (kind !== 'talk') continue;
    const outcome = await tapes.removeTapesOf(id);
    if (!outcome.ok) failed ??= outcome;
  }
  if (ended.length < list.length) failed ??= failure('talkGoingOn');
  return failed ?? done;
}

interface SizedFolders {
  readonly talks: DataFolder;
  readonly chats: DataFolder;
  readonly tapes: DataFolder;
}

async function historySizes(
  { talks, chats, tapes }: SizedFolders,
  index: Pick<HistoryIndex, 'bytes'>,
): Promise<Outcome<readonly HistorySize[]>> {
  const sizes: HistorySize[] = [];
  const folders = [
    ['talk', talks],
    ['chat', chats],
    ['tape', tapes],
  ] as const;
  const indexed = await index.bytes();
  for (const [kind, folder] of folders) {
    const measured = await measureFolders([folder], () => true);
    if (!measured.ok) return measured;
    const { count, bytes } = measured.value;
    const more = kind === 'talk' && indexed.ok ? indexed.value : 0;
    sizes.push({ kind, place: folder.path, count, bytes: bytes + more });
  }
  return { ok: true, value: sizes };
}

interface HistoryChangesDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly post: PostNotice;
}

/** Interval of notices, so that many changes in a row do not make pages reload the list each time. */
const everyMs = 500;

/** Posts changes of the list: the first at once, then at most one per interval. */
export class HistoryChanges {
  readonly #deps: HistoryChangesDeps;
  #count = 0;
  #posted = 0;
  readonly #timer: Timer;
  #over = false;

  constructor(deps: HistoryChangesDeps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
  }

  readonly onChange = (): void => {
    // Changes during shutdown have no readers.
    if (this.#over) return;
    this.#count += 1;
    if (this.#timer.isSet) return;
    this.#post();
    this.#wait();
  };

  end(): void {
    this.#over = true;
    this.#timer.stop();
  }

  #wait(): void {
    this.#timer.set(everyMs, () => {
      if (this.#posted === this.#count) return;
      this.#post();
      this.#wait();
    });
  }

  #post(): void {
    this.#posted = this.#count;
    this.#deps.post('historyChanged', { count: this.#count });
  }
}
