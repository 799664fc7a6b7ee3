import { failure } from '../../../shared/errors/app-error.ts';
import type { TalkRecord } from '../../../shared/history/talk-record.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { TalkStore } from '../../ports/talk-store.ts';
import { hasOwnTurn, withOwnTurns } from './own-turns.ts';
import type { OwnTurn } from './own-turns.ts';
import type { HistorySource } from './history-source.ts';
import { parseStoredTalk, serializeTalk, talkItemOf, textsOfTalk } from './stored-talk.ts';

interface StoredTalk {
  readonly record: TalkRecord;
  readonly version: string;
}

/** Talks that are over, as their folders have them. */
export class TalkSource implements HistorySource {
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
    if (!stored.ok) return stored;
    const { record, version } = stored.value;
    return {
      ok: true,
      value: { item: talkItemOf(id, record), version, texts: textsOfTalk(record) },
    };
  };

  async record(id: string): Promise<Outcome<StoredTalk>> {
    const found = await this.#store.read(id);
    if (!found.ok) return found.error.code === 'fileGone' ? gone : found;
    const { text, version } = found.value;
    const record = parseStoredTalk(this.placeOf(id), text);
    return record.ok ? { ok: true, value: { record: record.value, version } } : record;
  }

  readonly rename: HistorySource['rename'] = (id, title) =>
    this.#edit(id, (record) => ({ ...record, title }));

  readonly pin: HistorySource['pin'] = (id, pinned) =>
    this.#edit(id, (record) => ({ ...record, pinned }));

  readonly remove: HistorySource['remove'] = (id) => this.#store.remove(id);

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
