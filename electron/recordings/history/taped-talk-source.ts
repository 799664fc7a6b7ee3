import { appError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { DataFolderItem } from '../../../shared/ports/files.ts';
import type { DuplexMode } from '../../../shared/protocol/realtime-api.ts';
import { recordedServer, type TalkRecord } from '../../../shared/recordings/talk-record.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import type { HistoryChanger } from './history-library.ts';
import type { HistorySource } from './history-index.ts';
import { toHistoryDocument, type TalkSource } from './talk-source.ts';

export interface TapedTalkFacts {
  readonly mode: DuplexMode;
  readonly endpoint: string;
  /** Milliseconds since 1970; undefined if the tape has no valid date. */
  readonly recordedAt: number | undefined;
  readonly seconds: number;
  readonly cut: boolean;
}

export type KeptTapes = Pick<TalkTapes, 'list' | 'find' | 'remove' | 'pathOf'>;

export type ReadTapeFacts = (folder: string) => Promise<Outcome<TapedTalkFacts>>;

/** Stored talks: those with a text, and those with only a tape. */
export class TapedTalkSource implements HistorySource, HistoryChanger {
  readonly kind = 'talk';
  readonly #talks: TalkSource;
  readonly #tapes: KeptTapes;
  readonly #readFacts: ReadTapeFacts;
  /** Versions of the tapes of talks that have only a tape, by the talk's id. */
  readonly #tapeOnly = new Map<string, string>();
  /** Versions of folders that are not tapes of talks, so that they are not read again. */
  readonly #notTapes = new Map<string, string>();

  constructor(talks: TalkSource, tapes: KeptTapes, readFacts: ReadTapeFacts) {
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
    return this.#talks.write(id, { ...stored.value.record, ...change });
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
  return host === undefined ? { name: 'Demonstration' } : recordedServer(host, endpoint);
}
