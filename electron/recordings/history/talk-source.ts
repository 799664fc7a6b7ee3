import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import type { TalkItem } from '../../../shared/recordings/history-item.ts';
import {
  type OwnTurn,
  type TalkRecord,
  talkRecordCheck,
} from '../../../shared/recordings/talk-record.ts';
import { firstWords, type PlacedText } from './find-place.ts';
import type { HistoryChanger } from './history-library.ts';
import type { HistoryDocument, HistorySource } from './history-index.ts';
import { hasOwnTurn, mergeOwnTurns } from './talk-record-builder.ts';
import type { StoredText, StoredVersion } from '../../../shared/ports/files.ts';

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

  readonly rename: HistoryChanger['rename'] = (id, title) =>
    this.#edit(id, (record) => ({ ...record, title }));

  readonly pin: HistoryChanger['pin'] = (id, pinned) =>
    this.#edit(id, (record) => ({ ...record, pinned }));

  readonly remove: HistoryChanger['remove'] = (id) => this.#store.remove(id);

  readonly pathOf: HistorySource['pathOf'] = (id) => `${this.#store.path}/${id}`;

  write(id: string, record: TalkRecord): Promise<Outcome<undefined>> {
    return this.#store.write(id, serializeTalk(record));
  }

  addWords(id: string, turn: OwnTurn): Promise<Outcome<undefined>> {
    return this.#edit(id, (record) => mergeOwnTurns(record, [turn]));
  }

  /** Corrects words; an empty text removes them. */
  correctWords(id: string, at: number, text: string): Promise<Outcome<undefined>> {
    return this.#edit(id, (record) =>
      hasOwnTurn(record, at)
        ? mergeOwnTurns(record, [{ at, text, transcribed: 'corrected' }])
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

export function toHistoryDocument(id: string, { record, version }: StoredTalk): HistoryDocument {
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
