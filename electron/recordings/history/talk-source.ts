import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import type { TalkItem } from '../../../shared/recordings/history-item.ts';
import {
  type OwnTurn,
  type TalkRecord,
  talkRecordCheck,
} from '../../../shared/recordings/talk-record.ts';
import { firstWordsOf, type PlacedText } from './find-place.ts';
import type { HistoryChanger } from './history-editor.ts';
import type { HistoryDocument, HistorySource } from './history-index.ts';
import { hasOwnTurn, withOwnTurns } from './talk-record-builder.ts';
import type { TalkStore } from './talk-record-store.ts';

interface StoredTalk {
  readonly record: TalkRecord;
  readonly version: string;
}

/** Talks that are over, as their folders have them. */
export class TalkSource implements HistorySource, HistoryChanger {
  readonly kind = 'talk';
  readonly #store: TalkStore;
  /** What is read to be written is written before it is read again. */
  readonly #edits = new SerialQueue();

  constructor(store: TalkStore) {
    this.#store = store;
  }

  readonly list: HistorySource['list'] = () => this.#store.list();

  readonly read: HistorySource['read'] = async (id) => {
    const stored = await this.record(id);
    return stored.ok ? { ok: true, value: documentOf(id, stored.value) } : stored;
  };

  async record(id: string): Promise<Outcome<StoredTalk>> {
    const found = await this.#store.read(id);
    if (!found.ok) return found.error.code === 'fileGone' ? gone : found;
    const { text, version } = found.value;
    const record = parseStoredTalk(this.placeOf(id), text);
    return record.ok ? { ok: true, value: { record: record.value, version } } : record;
  }

  readonly rename: HistoryChanger['rename'] = (id, title) =>
    this.#edit(id, (record) => ({ ...record, title }));

  readonly pin: HistoryChanger['pin'] = (id, pinned) =>
    this.#edit(id, (record) => ({ ...record, pinned }));

  readonly remove: HistoryChanger['remove'] = (id) => this.#store.remove(id);

  readonly placeOf: HistorySource['placeOf'] = (id) => `${this.#store.path}/${id}`;

  write(id: string, record: TalkRecord): Promise<Outcome<undefined>> {
    return this.#store.write(id, serializeTalk(record));
  }

  /** The person's own words, once they are known. */
  addWords(id: string, turn: OwnTurn): Promise<Outcome<undefined>> {
    return this.#edit(id, (record) => withOwnTurns(record, [turn]));
  }

  /** Puts words right that stand there; none at all takes them out. */
  correctWords(id: string, at: number, text: string): Promise<Outcome<undefined>> {
    return this.#edit(id, (record) =>
      hasOwnTurn(record, at)
        ? withOwnTurns(record, [{ at, text, transcribed: 'corrected' }])
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

const gone = failure('talkRecordGone');

const format = 'parley-talk';
const version = 1;

export function serializeTalk(record: TalkRecord): string {
  return `${JSON.stringify({ format, version, ...record }, undefined, 1)}\n`;
}

/** What stands in a record, or why that cannot be read. */
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

/** One of them as the history has it. */
export function documentOf(id: string, { record, version }: StoredTalk): HistoryDocument {
  return { item: talkItemOf(id, record), version, texts: textsOfTalk(record) };
}

/** As it stands in a list; whether it goes on and has a tape is not in the record. */
export function talkItemOf(id: string, record: TalkRecord): TalkItem {
  const { title, pinned, mode, server, begunAt, savedAt, ending, turns, pictures } = record;
  return {
    kind: 'talk',
    id,
    title,
    pinned,
    mode,
    at: begunAt,
    firstWords: firstWordsOf(turns.map(({ text }) => text)),
    pictures: pictures.length,
    seconds: Math.max(0, Math.round((savedAt - begunAt) / 1000)),
    server: server.name,
    ending: ending === undefined ? 'cut' : ending.orderly ? 'orderly' : 'trouble',
    tape: false,
  };
}

/** Also what nobody has heard: it was on the screen. */
export function textsOfTalk({ turns, server }: TalkRecord): readonly PlacedText[] {
  return [...turns.map(({ text }, turn) => ({ text, turn })), { text: server.name }];
}
