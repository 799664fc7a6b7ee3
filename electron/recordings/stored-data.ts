import { type StoredData, type StoredDataKind, storedDataKinds } from '../../shared/app/program.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { PrivacyHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import { type DataFolder, type DataFolderItem, measureFolders } from '../../shared/ports/files.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import type { EndpointStore } from '../settings/servers/endpoint-store.ts';
import type { VoiceLibrary } from '../settings/voices/voice-library.ts';
import type { TalkController } from '../talk/talk-controller.ts';
import type { IndexSync } from './history/index-sync.ts';
import type { TalkRecorder } from './history/talk-recorder.ts';
import type { RecentTapeController, TalkTapes } from './record/talk-tapes.ts';

interface StoredDataLocation {
  readonly path: string;
  readonly measure: () => Promise<Outcome<Pick<StoredData, 'count' | 'bytes'>>>;
  readonly clear: () => Promise<Outcome<undefined>>;
}

type StoredDataLocations = Readonly<Record<StoredDataKind, StoredDataLocation>>;

/** Answers the requests to measure and delete stored data. */
export function createPrivacyHandlers(places: StoredDataLocations): PrivacyHandlers {
  const all = async (): Promise<Outcome<readonly StoredData[]>> => {
    const measured = await Promise.all(
      storedDataKinds.map(async (kind) => ({ kind, size: await places[kind].measure() })),
    );
    const stored: StoredData[] = [];
    for (const { kind, size } of measured) {
      if (!size.ok) return size;
      stored.push({ kind, place: places[kind].path, ...size.value });
    }
    return { ok: true, value: stored };
  };

  return {
    storedData: all,
    deleteStoredData: async ({ kind }) => {
      const kinds = kind === 'all' ? storedDataKinds : [kind];
      // A failure does not stop the other deletions.
      const cleared = await Promise.all(kinds.map((each) => places[each].clear()));
      return cleared.find((outcome) => !outcome.ok) ?? all();
    },
  };
}

interface Deps {
  readonly folderNamed: (name: string) => DataFolder;
  readonly chats: () => Promise<Pick<ChatController, 'removeAll'>>;
  readonly endpoints: Pick<EndpointStore, 'tokenCount' | 'forgetAllTokens'>;
  readonly talk: Pick<TalkController, 'isActive'>;
  readonly tapes: Pick<TalkTapes, 'finish'>;
  readonly recent: Pick<RecentTapeController, 'forget'>;
  readonly voices: Pick<VoiceLibrary, 'list' | 'remove'>;
  readonly memory: {
    readonly sentences: () => readonly unknown[];
    readonly removeAll: () => Promise<Outcome<undefined>>;
  };
  readonly talkRecorder: Pick<TalkRecorder, 'forgetEnded'>;
  readonly historySync: Pick<IndexSync, 'forgetAll' | 'rescan'>;
  readonly post: PostNotice;
}

/** Where each kind of data lies, how large it is, and how to delete it. */
export function storedDataLocations(deps: Deps): StoredDataLocations {
  const { folderNamed, chats } = deps;
  const trash = folderNamed('trash/chats');
  const chatFolders = [folderNamed('chats'), folderNamed('damaged-chats'), trash];
  return {
    chats: {
      path: folderNamed('chats').path,
      measure: () => measureFolders(chatFolders, () => true),
      clear: async () => {
        const removed = await (await chats()).removeAll();
        await removeJournals(folderNamed('.'));
        const emptied = await removeAll([trash]);
        return removed.ok ? emptied : removed;
      },
    },
    talks: talksLocation(deps),
    tapes: tapesLocation(deps),
    voices: voicesLocation(deps),
    memory: memoryLocation(deps),
    tokens: tokensLocation(deps),
    logs: logsLocation(folderNamed),
    crashes: crashesLocation(folderNamed),
  };
}

/** Journals hold the text of the running talk, or of one cut by a crash. A running talk writes a new one. */
async function removeJournals(folder: DataFolder): Promise<void> {
  const items = await folder.list();
  const names = items.ok ? items.value.map(({ name }) => name) : [];
  const journals = names.filter((name) => name.startsWith('talk-journal-'));
  await Promise.all(journals.map((name) => folder.remove(name)));
}

/** Talks and their words in the index. A running talk writes its record again. */
function talksLocation({ folderNamed, talkRecorder, historySync }: Deps): StoredDataLocation {
  const folder = folderNamed('talks');
  const trash = folderNamed('trash/talks');
  return {
    path: folder.path,
    measure: () => measureFolders([folder, trash], () => true),
    clear: async () => {
      await talkRecorder.forgetEnded();
      const removed = await removeAll([folder, trash]);
      await removeJournals(folderNamed('.'));
      const forgotten = await historySync.forgetAll('talk');
      // Lists what could not be deleted.
      if (!removed.ok) void historySync.rescan();
      return removed.ok ? forgotten : removed;
    },
  };
}

function tapesLocation({ folderNamed, talk, tapes, recent }: Deps): StoredDataLocation {
  const folder = folderNamed('tapes');
  const trash = folderNamed('trash/tapes');
  return {
    path: folder.path,
    measure: () => measureFolders([folder, trash], () => true),
    clear: async () => {
      if (talk.isActive) return failure('talkGoingOn');
      await tapes.finish();
      await recent.forget();
      return removeAll([folder, trash]);
    },
  };
}

function voicesLocation({ folderNamed, voices, post }: Deps): StoredDataLocation {
  const folder = folderNamed('voices');
  return {
    path: folder.path,
    measure: () => measureFolders([folder], ({ name }) => name.endsWith('.wav')),
    clear: async () => {
      const list = await voices.list();
      if (!list.ok) return list;
      for (const { id } of list.value) await voices.remove(id);
      const removed = await removeAll([folder]);
      const remaining = await voices.list();
      if (remaining.ok) post('voicesChanged', remaining.value);
      return removed;
    },
  };
}

/** A file of the state folder, with its damaged and unfinished copies. */
class StateFiles {
  readonly #folder: DataFolder;
  readonly #name: string;
  readonly #belongs: (name: string) => boolean;

  constructor(folder: DataFolder, name: string, belongs: (name: string) => boolean) {
    this.#folder = folder;
    this.#name = name;
    this.#belongs = belongs;
  }

  /** @param entries number of entries in the file itself; each copy counts as one more */
  async measure(entries: number): Promise<Outcome<Pick<StoredData, 'count' | 'bytes'>>> {
    const found = await this.#list();
    if (!found.ok) return found;
    const bytes = found.value.reduce((sum, item) => sum + item.bytes, 0);
    const copies = found.value.filter(({ name }) => name !== this.#name).length;
    return { ok: true, value: { count: entries + copies, bytes } };
  }

  async remove(): Promise<Outcome<undefined>> {
    const found = await this.#list();
    if (!found.ok) return found;
    const removed = await Promise.all(found.value.map(({ name }) => this.#folder.remove(name)));
    return removed.find(({ ok }) => !ok) ?? done;
  }

  async #list(): Promise<Outcome<readonly DataFolderItem[]>> {
    const items = await this.#folder.list();
    if (!items.ok) return items;
    return { ok: true, value: items.value.filter(({ name }) => this.#belongs(name)) };
  }
}

const memoryFile = 'memory.json';
const memoryCopy = /^memory\.(?:damaged-\d+\.json|.*draft)$/u;

function memoryLocation({ folderNamed, memory }: Deps): StoredDataLocation {
  const files = new StateFiles(
    folderNamed('.'),
    memoryFile,
    (name) => name === memoryFile || memoryCopy.test(name),
  );
  return {
    path: folderNamed(memoryFile).path,
    measure: () => files.measure(memory.sentences().length),
    clear: async () => {
      // Empties the list in memory and in pages. The file that this writes is deleted with the others.
      await memory.removeAll();
      return files.remove();
    },
  };
}

const tokenFile = 'tokens.json';
/** The permission to press keys in other programs, which the desktop gave. */
const keyboardToken = /^keyboard-token\.(?:json$|.*draft$)/u;
/** Damaged copies and unfinished drafts may contain a token. */
const tokenCopy = /^tokens\.(?:damaged-\d+\.json|.*draft)$/u;
/** Older versions kept header values in the settings. */
const settingsCopy = /^settings\.(?:damaged-\d+\.json|.*draft)$/u;

function tokensLocation({ folderNamed, endpoints }: Deps): StoredDataLocation {
  const files = new StateFiles(folderNamed('.'), tokenFile, mayHoldToken);
  return {
    path: folderNamed(tokenFile).path,
    measure: () => files.measure(endpoints.tokenCount()),
    clear: async () => {
      await endpoints.forgetAllTokens();
      // A full disk cannot store the emptied list of tokens, but deleting its file needs no space.
      return files.remove();
    },
  };
}

function mayHoldToken(name: string): boolean {
  const patterns = [tokenCopy, settingsCopy, keyboardToken];
  return name === tokenFile || patterns.some((pattern) => pattern.test(name));
}

type FolderNamed = (name: string) => DataFolder;

/** Chromium moves crash dumps between these folders. */
const crashFolders = ['crashes/new', 'crashes/pending', 'crashes/completed', 'crashes/reports'];

function logsLocation(folderNamed: FolderNamed): StoredDataLocation {
  const folder = folderNamed('logs');
  return {
    path: folder.path,
    measure: () => measureFolders([folder], ({ name }) => name.endsWith('.log')),
    clear: () => removeAll([folder]),
  };
}

/** Crash dumps contain process memory, so they may hold any data. They never leave this machine. */
function crashesLocation(folderNamed: FolderNamed): StoredDataLocation {
  const folders = crashFolders.map(folderNamed);
  return {
    path: folderNamed('crashes').path,
    measure: () => measureFolders(folders, ({ name }) => name.endsWith('.dmp')),
    clear: () => removeAll(folders),
  };
}

async function removeAll(folders: readonly DataFolder[]): Promise<Outcome<undefined>> {
  const removed = await Promise.all(folders.map(removeItems));
  return removed.find(({ ok }) => !ok) ?? done;
}

async function removeItems(folder: DataFolder): Promise<Outcome<undefined>> {
  const items = await folder.list();
  if (!items.ok) return items;
  const removed = await Promise.all(items.value.map(({ name }) => folder.remove(name)));
  return removed.find(({ ok }) => !ok) ?? done;
}
