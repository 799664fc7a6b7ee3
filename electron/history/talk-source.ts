import { failure } from '../../shared/errors/app-error.ts';
import type { TalkRecord } from '../../shared/history/talk-record.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { TalkStore } from '../ports/talk-store.ts';
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

  readonly rename: HistorySource['rename'] = (id, title) => this.#edit(id, { title });

  readonly pin: HistorySource['pin'] = (id, pinned) => this.#edit(id, { pinned });

  readonly remove: HistorySource['remove'] = (id) => this.#store.remove(id);

  readonly placeOf: HistorySource['placeOf'] = (id) => `${this.#store.path}/${id}`;

  write(id: string, record: TalkRecord): Promise<Outcome<undefined>> {
    return this.#store.write(id, serializeTalk(record));
  }

  async #edit(id: string, change: Partial<TalkRecord>): Promise<Outcome<undefined>> {
    const stored = await this.record(id);
    if (!stored.ok) return stored;
    return this.write(id, { ...stored.value.record, ...change });
  }
}

const gone = failure('talkRecordGone');
