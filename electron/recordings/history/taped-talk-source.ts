import { appError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { DataFolderItem } from '../../../shared/ports/files.ts';
import type { DuplexMode } from '../../../shared/protocol/realtime-api.ts';
import { recordedServer, type TalkRecord } from '../../../shared/recordings/talk-record.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import type { HistoryChanger } from './history-editor.ts';
import type { HistorySource } from './history-index.ts';
import { documentOf, type TalkSource } from './talk-source.ts';

/** What a tape says of its talk. */
export interface TapedTalkFacts {
  readonly mode: DuplexMode;
  readonly endpoint: string;
  /** Milliseconds since 1970; nothing where the tape says nonsense. */
  readonly recordedAt: number | undefined;
  readonly seconds: number;
  /** Its recorder was stopped. */
  readonly cut: boolean;
}

export type KeptTapes = Pick<TalkTapes, 'list' | 'find' | 'remove' | 'placeOf'>;

/** Says what is on the tape in a folder; refused where it is no tape of a talk. */
export type LookAtTape = (folder: string) => Promise<Outcome<TapedTalkFacts>>;

/** Talks that are over: those with a text, and those of which only the tape is kept. */
export class TapedTalkSource implements HistorySource, HistoryChanger {
  readonly kind = 'talk';
  readonly #talks: TalkSource;
  readonly #tapes: KeptTapes;
  readonly #look: LookAtTape;
  /** Without a text, as far as was seen. */
  readonly #textless = new Map<string, string>();
  /** What is no talk's tape, as it was when that was seen: it is not read again. */
  readonly #refused = new Map<string, string>();

  constructor(talks: TalkSource, tapes: KeptTapes, look: LookAtTape) {
    this.#talks = talks;
    this.#tapes = tapes;
    this.#look = look;
  }

  readonly list: HistorySource['list'] = async () => {
    const [talks, tapes] = [await this.#talks.list(), await this.#tapes.list()];
    if (!talks.ok) return talks;
    // Tapes that cannot be listed take no text away.
    if (!tapes.ok) return talks;
    const texts = new Set(talks.value.map(({ id }) => id));
    const versions = tapes.value
      .map((tape) => ({ id: tape.name, version: versionOf(tape) }))
      .filter(({ id, version }) => !texts.has(id) && this.#refused.get(id) !== version);
    this.#textless.clear();
    for (const { id, version } of versions) this.#textless.set(id, version);
    return { ok: true, value: [...talks.value, ...versions] };
  };

  readonly read: HistorySource['read'] = async (id) => {
    const stored = await this.record(id);
    return stored.ok ? { ok: true, value: documentOf(id, stored.value) } : stored;
  };

  async record(id: string): ReturnType<TalkSource['record']> {
    const stored = await this.#talks.record(id);
    if (stored.ok) this.#textless.delete(id);
    if (stored.ok || stored.error.code !== 'talkRecordGone') return stored;
    const version = this.#textless.get(id) ?? (await this.#versionNow(id));
    if (version === undefined) return stored;
    const looked = await this.#look(this.#tapes.placeOf(id));
    if (!looked.ok) {
      // What is no talk's tape is none of the history, and nobody's trouble.
      this.#refused.set(id, version);
      this.#textless.delete(id);
      return stored;
    }
    this.#textless.set(id, version);
    return {
      ok: true,
      value: { record: recordOf(looked.value, Number.parseFloat(version)), version },
    };
  }

  /** A name needs a record to stand in: one without a word of the talk. */
  readonly rename: HistoryChanger['rename'] = (id, title) => this.#edit(id, { title });

  readonly pin: HistoryChanger['pin'] = (id, pinned) => this.#edit(id, { pinned });

  readonly remove: HistoryChanger['remove'] = async (id) => {
    // Looks which of the two it is now.
    await this.record(id);
    return this.#textless.has(id) ? this.#tapes.remove(id) : this.#talks.remove(id);
  };

  readonly placeOf: HistorySource['placeOf'] = (id) =>
    this.#textless.has(id) ? this.#tapes.placeOf(id) : this.#talks.placeOf(id);

  async #versionNow(id: string): Promise<string | undefined> {
    const tape = await this.#tapes.find(id);
    return tape.ok && tape.value !== undefined ? versionOf(tape.value) : undefined;
  }

  async #edit(id: string, change: Partial<TalkRecord>): Promise<Outcome<undefined>> {
    const stored = await this.record(id);
    if (!stored.ok) return stored;
    return this.#talks.write(id, { ...stored.value.record, ...change });
  }
}

/** When it was changed, and after a blank what else tells. */
function versionOf({ changedAt, bytes }: DataFolderItem): string {
  return `${changedAt} tape ${bytes}`;
}

function recordOf(
  { mode, endpoint, recordedAt, seconds, cut }: TapedTalkFacts,
  changedAt: number,
): TalkRecord {
  const begunAt = recordedAt ?? Math.max(0, changedAt - seconds * 1000);
  // Why it ended is on the tape, which nobody has played.
  const ending = { error: appError('talkEndUnknown'), by: 'client', orderly: true } as const;
  return {
    title: '',
    pinned: false,
    mode,
    server: serverOf(endpoint),
    begunAt,
    savedAt: begunAt + seconds * 1000,
    ending: cut ? undefined : ending,
    turns: [],
    events: [],
    pictures: [],
  };
}

/** A tape knows the address, and not what the person calls it. */
function serverOf(endpoint: string): TalkRecord['server'] {
  const [, host] = /^wss?:\/\/([^/]+)/u.exec(endpoint) ?? [];
  return host === undefined ? { name: 'Demonstration' } : recordedServer(host, endpoint);
}
