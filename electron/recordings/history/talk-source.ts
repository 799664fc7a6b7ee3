import { appError, done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import type { TalkItem } from '../../../shared/recordings/history-item.ts';
import {
  type TranscribedTurn,
  recordedServer,
  type TalkRecord,
  talkRecordCheck,
} from '../../../shared/recordings/talk-record.ts';
import { firstWords, type PlacedText } from './find-place.ts';
import type { HistoryChanger } from './history-library.ts';
import type { HistoryDocument, HistorySource } from './history-index.ts';
import { hasOwnTurn, mergeTranscribedTurns } from './talk-record-builder.ts';
import type { DataFolderItem, StoredText, StoredVersion } from '../../../shared/ports/files.ts';
import { builtInServer, embeddedProfile } from '../../../shared/settings/connection-settings.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';

/** Stores talk folders with text and pictures. It does not interpret the text. */
export interface TalkStore {
  readonly path: string;
  /** Folders with a text, unordered. Symbolic links are skipped. */
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<StoredText>>;
  /** Replaces the text atomically. */
  readonly write: (id: string, text: string) => Promise<Outcome<undefined>>;
  readonly writePicture: (
    id: string,
    file: string,
    jpeg: Uint8Array,
  ) => Promise<Outcome<undefined>>;
  readonly readPicture: (id: string, file: string) => Promise<Outcome<Uint8Array>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}

interface StoredTalk {
  readonly record: TalkRecord;
  readonly version: string;
}

/** Stored talks that have a text. */
export class TalkSource implements HistorySource, HistoryChanger {
  readonly kind = 'talk';
  readonly #store: TalkStore;
  readonly #edits = new SerialQueue();

  constructor(store: TalkStore) {
    this.#store = store;
  }

  readonly list: HistorySource['list'] = () => this.#store.list();

  readonly read: HistorySource['read'] = async (id) => {
    const stored = await this.record(id);
    return stored.ok ? { ok: true, value: toHistoryDocument(id, stored.value) } : stored;
  };

  async record(id: string): Promise<Outcome<StoredTalk>> {
    const found = await this.#store.read(id);
    if (!found.ok) return found.error.code === 'fileGone' ? recordGone : found;
    const { text, version } = found.value;
    const record = parseStoredTalk(this.pathOf(id), text);
    return record.ok ? { ok: true, value: { record: record.value, version } } : record;
  }

  readonly rename: HistoryChanger['rename'] = (id, title) => this.edit(id, { title });

  readonly pin: HistoryChanger['pin'] = (id, pinned) => this.edit(id, { pinned });

  readonly remove: HistoryChanger['remove'] = (id) => this.#store.remove(id);

  readonly pathOf: HistorySource['pathOf'] = (id) => `${this.#store.path}/${id}`;

  write(id: string, record: TalkRecord): Promise<Outcome<undefined>> {
    return this.#store.write(id, serializeTalk(record));
  }

  edit(id: string, change: Partial<TalkRecord>): Promise<Outcome<undefined>> {
    return this.#edit(id, (record) => ({ ...record, ...change }));
  }

  addWords(id: string, turn: TranscribedTurn): Promise<Outcome<undefined>> {
    return this.#edit(id, (record) => mergeTranscribedTurns(record, [turn]));
  }

  /** Corrects words; an empty text removes them. */
  correctWords(id: string, at: number, text: string): Promise<Outcome<undefined>> {
    return this.#edit(id, (record) =>
      hasOwnTurn(record, at)
        ? mergeTranscribedTurns(record, [{ at, text, transcribed: 'corrected' }])
        : undefined,
    );
  }

  #edit(
    id: string,
    change: (record: TalkRecord) => TalkRecord | undefined,
  ): Promise<Outcome<undefined>> {
    return this.#edits.run(async () => {
      const stored = await this.record(id);
      if (!stored.ok) return stored;
      const changed = change(stored.value.record);
      if (changed === undefined) return failure('ownWordsGone');
      return this.#store.write(id, serializeTalk(changed));
    });
  }
}

const recordGone = failure('talkRecordGone');

const format = 'parley-talk';
const version = 1;

export function serializeTalk(record: TalkRecord): string {
  return `${JSON.stringify({ format, version, ...record }, undefined, 1)}\n`;
}

export function parseStoredTalk(path: string, text: string): Outcome<TalkRecord> {
  const stored = parseJsonObject(text);
  if (stored?.['format'] !== format) return failure('notTalkRecord', { path });
  if (typeof stored['version'] === 'number' && stored['version'] > version)
    return failure('talkRecordNewer', { path });
  const checked = talkRecordCheck.safeParse(stored);
  return checked.success
    ? { ok: true, value: checked.data }
    : failure('notTalkRecord', { path }, { detail: checked.error.issues[0]?.message });
}

function toHistoryDocument(id: string, { record, version }: StoredTalk): HistoryDocument {
  return { item: toTalkItem(id, record), version, texts: listTalkTexts(record) };
}

/** The list item; the caller adds whether the talk runs and has a tape. */
export function toTalkItem(id: string, record: TalkRecord): TalkItem {
  const { title, pinned, mode, server, begunAt, savedAt, ending, turns, pictures } = record;
  return {
    kind: 'talk',
    id,
    title,
    pinned,
    mode,
    at: begunAt,
    firstWords: firstWords(turns.map(({ text }) => text)),
    pictures: pictures.length,
    seconds: Math.max(0, Math.round((savedAt - begunAt) / 1000)),
    server: server.name,
    ending: ending === undefined ? 'cut' : ending.orderly ? 'orderly' : 'trouble',
    tape: false,
  };
}

/** Includes unheard text, because the screen showed it. */
export function listTalkTexts({ turns, server }: TalkRecord): readonly PlacedText[] {
  return [...turns.map(({ text }, turn) => ({ text, turn })), { text: server.name }];
}

export interface TapedTalkFacts {
  readonly mode: TalkRecord['mode'];
  readonly endpoint: string;
  /** Milliseconds since 1970; undefined if the tape has no valid date. */
  readonly recordedAt: number | undefined;
  readonly seconds: number;
  readonly cut: boolean;
}

export type StoredTapes = Pick<TalkTapes, 'list' | 'find' | 'remove' | 'pathOf'>;

export type ReadTapeFacts = (folder: string) => Promise<Outcome<TapedTalkFacts>>;

/** Stored talks: those with a text, and those with only a tape. */
export class TapedTalkSource implements HistorySource, HistoryChanger {
  readonly kind = 'talk';
  readonly #talks: TalkSource;
  readonly #tapes: StoredTapes;
  readonly #readFacts: ReadTapeFacts;
  /** Versions of the tapes of talks that have only a tape, by the talk's id. */
  readonly #tapeOnly = new Map<string, string>();
  /** Versions of folders that are not tapes of talks, so that they are not read again. */
  readonly #notTapes = new Map<string, string>();

  constructor(talks: TalkSource, tapes: StoredTapes, readFacts: ReadTapeFacts) {
    this.#talks = talks;
    this.#tapes = tapes;
    this.#readFacts = readFacts;
  }

  readonly list: HistorySource['list'] = async () => {
    const [talks, tapes] = [await this.#talks.list(), await this.#tapes.list()];
    if (!talks.ok) return talks;
    // If tapes cannot be listed, talks with a text still are.
    if (!tapes.ok) return talks;
    const texts = new Set(talks.value.map(({ id }) => id));
    const versions = tapes.value
      .map((tape) => ({ id: tape.name, version: toVersion(tape) }))
      .filter(({ id, version }) => !texts.has(id) && this.#notTapes.get(id) !== version);
    this.#tapeOnly.clear();
    for (const { id, version } of versions) this.#tapeOnly.set(id, version);
    return { ok: true, value: [...talks.value, ...versions] };
  };

  readonly read: HistorySource['read'] = async (id) => {
    const stored = await this.record(id);
    return stored.ok ? { ok: true, value: toHistoryDocument(id, stored.value) } : stored;
  };

  async record(id: string): ReturnType<TalkSource['record']> {
    const stored = await this.#talks.record(id);
    if (stored.ok) this.#tapeOnly.delete(id);
    if (stored.ok || stored.error.code !== 'talkRecordGone') return stored;
    const version = this.#tapeOnly.get(id) ?? (await this.#versionNow(id));
    if (version === undefined) return stored;
    const facts = await this.#readFacts(this.#tapes.pathOf(id));
    if (!facts.ok) {
      // The folder is not a tape of a talk, so the history skips it.
      this.#notTapes.set(id, version);
      this.#tapeOnly.delete(id);
      return stored;
    }
    this.#tapeOnly.set(id, version);
    return {
      ok: true,
      value: { record: toRecord(facts.value, Number.parseFloat(version)), version },
    };
  }

  /** For a talk that has only a tape, stores a record, so that words can be added to it. */
  async keepRecord(id: string): Promise<Outcome<undefined>> {
    const stored = await this.record(id);
    if (!stored.ok) return stored;
    return this.#tapeOnly.has(id) ? this.#talks.write(id, stored.value.record) : done;
  }

  /** For a talk that has only a tape, creates a record to hold the new title. */
  readonly rename: HistoryChanger['rename'] = (id, title) => this.#edit(id, { title });

  readonly pin: HistoryChanger['pin'] = (id, pinned) => this.#edit(id, { pinned });

  readonly remove: HistoryChanger['remove'] = async (id) => {
    // The read updates `#tapeOnly`.
    await this.record(id);
    return this.#tapeOnly.has(id) ? this.#tapes.remove(id) : this.#talks.remove(id);
  };

  readonly pathOf: HistorySource['pathOf'] = (id) =>
    this.#tapeOnly.has(id) ? this.#tapes.pathOf(id) : this.#talks.pathOf(id);

  async #versionNow(id: string): Promise<string | undefined> {
    const tape = await this.#tapes.find(id);
    return tape.ok && tape.value !== undefined ? toVersion(tape.value) : undefined;
  }

  async #edit(id: string, change: Partial<TalkRecord>): Promise<Outcome<undefined>> {
    const stored = await this.record(id);
    if (!stored.ok) return stored;
    return this.#tapeOnly.has(id)
      ? this.#talks.write(id, { ...stored.value.record, ...change })
      : this.#talks.edit(id, change);
  }
}

/** The version begins with the modification time, which `record` passes to `toRecord`. */
function toVersion({ changedAt, bytes }: DataFolderItem): string {
  return `${changedAt} tape ${bytes}`;
}

function toRecord(
  { mode, endpoint, recordedAt, seconds, cut }: TapedTalkFacts,
  changedAt: number,
): TalkRecord {
  const begunAt = recordedAt ?? Math.max(0, changedAt - seconds * 1000);
  // Only playing the tape would tell why the talk ended.
  const ending = { error: appError('talkEndUnknown'), by: 'client', orderly: true } as const;
  return {
    title: '',
    pinned: false,
    mode,
    server: toServer(endpoint),
    begunAt,
    savedAt: begunAt + seconds * 1000,
    ending: cut ? undefined : ending,
    turns: [],
    events: [],
    pictures: [],
  };
}

/** The server by its address, because a tape does not have the user's name for it. */
function toServer(endpoint: string): TalkRecord['server'] {
  const [, host] = /^wss?:\/\/([^/]+)/u.exec(endpoint) ?? [];
  if (host !== undefined) return recordedServer(host, endpoint);
  return { name: (builtInServer(endpoint) ?? embeddedProfile).name };
}
