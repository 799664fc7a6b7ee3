import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { HistoryHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { type DataFolder, measureAll, type OpenFolder } from '../../../shared/ports/files.ts';
import type { HistoryRef, HistorySize } from '../../../shared/recordings/history-item.ts';
import type { OpenedTalkRecord } from '../../../shared/recordings/talk-record.ts';
import type { RecentTapes } from '../record/recent-tapes.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import type { HistoryEditor } from './history-editor.ts';
import type { HistoryIndex } from './history-index.ts';
import type { HistoryLibrary } from './history-library.ts';
import type { TalkKeeper } from './talk-keeper.ts';
import type { TalkStore } from './talk-record-store.ts';
import type { TapedTalkSource } from './taped-talk-source.ts';

interface Deps {
  readonly library: HistoryLibrary;
  readonly editor: HistoryEditor;
  readonly index: Pick<HistoryIndex, 'bytes'>;
  readonly talks: Pick<TapedTalkSource, 'record'>;
  readonly store: Pick<TalkStore, 'readPicture'>;
  readonly keeper: TalkKeeper;
  readonly tapes: Pick<TalkTapes, 'names' | 'removeAllOf'> & {
    readonly bytesOf: (name: string) => Promise<number>;
  };
  readonly recent: Pick<RecentTapes, 'keep'>;
  readonly folders: SizedFolders;
  /** Of a talk that is there. */
  readonly folderOf: (id: string) => DataFolder;
  /** How the writing down of its tape stands. */
  readonly wordsOf: (id: string) => OpenedTalkRecord['words'];
  /** None where a host has nothing to show a folder in. */
  readonly open: OpenFolder | undefined;
}

/** What the requests about talks and written conversations that are kept do. */
export function createHistoryHandlers(deps: Deps): HistoryHandlers {
  const { library, editor, talks, store, keeper, tapes, folders } = deps;

  return {
    history: (part) => library.list(part),
    searchHistory: ({ query, ...part }) => library.search(query, part),
    talkRecord: async ({ id }) => {
      const stored = await talks.record(id);
      if (!stored.ok) return stored;
      const names = await tapes.names();
      const files = await deps.folderOf(id).list();
      if (!files.ok) return files;
      const opened: OpenedTalkRecord = {
        id,
        record: stored.value.record,
        goesOn: keeper.goesOn === id,
        tape: names.has(id),
        // Of a talk of which only the tape is kept that is what there is.
        bytes:
          files.value.length === 0
            ? await tapes.bytesOf(id)
            : files.value.reduce((sum, { bytes }) => sum + bytes, 0),
        words: deps.wordsOf(id),
      };
      return opened;
    },
    talkPicture: async ({ id, file }) => {
      const stored = await talks.record(id);
      if (!stored.ok) return stored;
      // Only what the record names is shown.
      const isNamed = stored.value.record.pictures.some((picture) => picture.file === file);
      const jpeg = isNamed ? await store.readPicture(id, file) : undefined;
      return jpeg?.ok === true ? { jpeg: jpeg.value } : failure('pictureGone');
    },
    renameHistory: ({ title, ...ref }) => rename(deps, ref, title),
    pinHistory: ({ pinned, ...ref }) => {
      const isShown =
        ref.kind === 'talk' &&
        keeper.edit(ref.id, (builder) => {
          builder.pin(pinned);
        });
      return isShown ? done : editor.pin(ref, pinned);
    },
    removeHistory: ({ list, tapes: withTapes }) => remove(deps, list, withTapes),
    historySizes: () => historySizes(folders, deps.index),
    showHistory: async ({ ref }) => {
      const path = ref === undefined ? folders.talks.path : library.placeOf(ref);
      // What a page names is one of the history before it becomes a path.
      const there = await (ref === undefined ? folders.talks.make() : library.read(ref));
      if (!there.ok) return there;
      return { path, opened: (await deps.open?.(path)) ?? false };
    },
    keepTalk: ({ keep }) => keeper.answer(keep),
    keepRecent: () => deps.recent.keep(),
    setIncognito: ({ on }) => {
      keeper.setIncognito(on);
    },
  };
}

async function rename(
  { keeper, editor }: Deps,
  ref: HistoryRef,
  title: string,
): Promise<Outcome<undefined>> {
  const isShown =
    ref.kind === 'talk' &&
    keeper.edit(ref.id, (builder) => {
      builder.rename(title.trim());
    });
  return isShown ? done : editor.rename(ref, title);
}

async function remove(
  { keeper, editor, tapes }: Deps,
  list: readonly HistoryRef[],
  withTapes: boolean,
): Promise<Outcome<undefined>> {
  const ended = list.filter(({ kind, id }) => kind === 'chat' || keeper.goesOn !== id);
  for (const { kind, id } of ended) if (kind === 'talk') await keeper.forget(id);
  const removed = await editor.remove(ended);
  let failed = removed.ok ? undefined : removed;
  for (const { kind, id } of withTapes ? ended : []) {
    if (kind !== 'talk') continue;
    const outcome = await tapes.removeAllOf(id);
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

/** How much is kept of each kind; what the index takes is counted with the talks. */
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
    const measured = await measureAll([folder], () => true);
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

/** While many are read there is one change after the other, and a page asks anew after each. */
const everyMs = 500;

/** Posts that the list is another one: at once, and then not more often than pages can follow. */
export class HistoryChanges {
  readonly #deps: HistoryChangesDeps;
  #count = 0;
  #posted = 0;
  #stop: (() => void) | undefined;
  #over = false;

  constructor(deps: HistoryChangesDeps) {
    this.#deps = deps;
  }

  readonly changed = (): void => {
    // What is written at the very end changes a list that nobody looks at any more.
    if (this.#over) return;
    this.#count += 1;
    if (this.#stop !== undefined) return;
    this.#post();
    this.#wait();
  };

  end(): void {
    this.#over = true;
    this.#stop?.();
  }

  #wait(): void {
    this.#stop = this.#deps.clock.after(everyMs, () => {
      this.#stop = undefined;
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
