import { type AppError, mapErrorText } from '../../../shared/errors/app-error.ts';
import type { DuplexMode } from '../../../shared/protocol/realtime-api.ts';
import {
  type TranscribedTurn,
  recordedServer,
  type TalkRecord,
  type TalkRecordEvent,
  type TalkRecordPicture,
  type TalkRecordServer,
  type TalkRecordTurn,
} from '../../../shared/recordings/talk-record.ts';
import {
  captionAsPatch,
  type CaptionedTurn,
  type CaptionPatch,
  patchCaption,
  type DeviceRole,
  type TalkDeviceStates,
  type TalkState,
} from '../../../shared/talk/talk-view.ts';
import type { CrashedTalk } from '../../talk/talk-journal.ts';

/** More turns than a talk of a whole day has. Readers accept twice as many. */
const maxTurns = 10_000;
const maxEvents = 2000;
const maxDetail = 500;

interface BuilderFacts {
  readonly mode: DuplexMode;
  readonly server: TalkRecordServer;
}

interface RecordedTurn {
  readonly at: number;
  readonly caption: CaptionedTurn;
}

export class TalkRecordBuilder {
  readonly #facts: BuilderFacts;
  readonly #now: () => number;
  readonly #begunAt: number;
  readonly #turns = new Map<number, RecordedTurn>();
  readonly #own = new Map<number, TranscribedTurn>();
  readonly #events: TalkRecordEvent[] = [];
  readonly #pictures: TalkRecordPicture[] = [];
  readonly #lost = new Set<DeviceRole>();
  #title = '';
  #pinned = false;
  #phase: TalkState['phase'] = 'idle';
  #ending: TalkRecord['ending'];
  #savedAt: number;
  #changes = 0;

  /** `now` comes from `createMonotonicWallClock`, so setting the system clock during a talk has no effect. */
  constructor(facts: BuilderFacts, now: () => number) {
    this.#facts = facts;
    this.#now = now;
    this.#begunAt = now();
    this.#savedAt = this.#begunAt;
  }

  /** Number of changes so far, except of title and pin. A record that was written at this count is current. */
  get changes(): number {
    return this.#changes;
  }

  /** Empty talks leave no record. */
  get isEmpty(): boolean {
    return this.#turns.size === 0 && this.#pictures.length === 0 && this.#own.size === 0;
  }

  get record(): TalkRecord {
    const turns = [...this.#turns.values()].map(toRecordTurn);
    const record: TalkRecord = {
      title: this.#title,
      pinned: this.#pinned,
      ...this.#facts,
      begunAt: this.#begunAt,
      savedAt: this.#savedAt,
      ending: this.#ending,
      turns,
      events: [...this.#events],
      pictures: [...this.#pictures],
    };
    return mergeTranscribedTurns(record, [...this.#own.values()]);
  }

  get elapsedMs(): number {
    return this.#now() - this.#begunAt;
  }

  rename(title: string): void {
    this.#title = title;
  }

  pin(pinned: boolean): void {
    this.#pinned = pinned;
  }

  markSaved(): void {
    if (this.#ending === undefined) this.#savedAt = this.#now();
  }

  applyState(state: TalkState): void {
    const before = this.#phase;
    this.#phase = state.phase;
    if (state.phase === 'live' && before !== 'live') this.#onLive();
    if (state.phase === 'reconnecting' && before !== 'reconnecting')
      this.#add({ at: this.elapsedMs, kind: 'reconnecting', error: shortenError(state.error) });
    if (state.phase !== 'ended' || this.#ending !== undefined) return;
    const { error, by, orderly } = state.ending;
    this.markSaved();
    this.#ending = { error: shortenError(error), by, orderly };
    this.#add({ at: this.elapsedMs, kind: 'ended', ending: this.#ending });
  }

  addTrouble(error: AppError): void {
    this.#add({ at: this.elapsedMs, kind: 'trouble', error: shortenError(error) });
  }

  applyCaption(patch: CaptionPatch, isInterruption = false): void {
    const known = this.#turns.get(patch.turn);
    const caption = patchCaption(known?.caption, patch);
    // A turn without text is not recorded.
    if (known === undefined && caption.text === '') return;
    if (known === undefined && this.#turns.size >= maxTurns) return;
    this.#changes += 1;
    this.#turns.set(patch.turn, { at: known?.at ?? this.elapsedMs, caption });
    const cut = caption.cutFrom !== undefined && known?.caption.cutFrom === undefined;
    if (!cut || !isInterruption || (caption.cutFrom ?? 0) >= caption.text.length) return;
    const turn = [...this.#turns.keys()].indexOf(patch.turn);
    this.#add({ at: this.elapsedMs, kind: 'interrupted', turn });
  }

  /** Adds, corrects or (with empty text) removes the user's words, which arrive late. */
  addTranscribedTurn(turn: TranscribedTurn): void {
    if (this.#own.size >= maxTurns && !this.#own.has(turn.at)) return;
    this.#changes += 1;
    if (turn.text === '') this.#own.delete(turn.at);
    else this.#own.set(turn.at, turn);
  }

  applyDevices(states: TalkDeviceStates): void {
    for (const role of ['microphone', 'speaker'] as const) {
      const isLost = states[role].kind === 'lost';
      if (isLost === this.#lost.has(role)) continue;
      if (isLost) this.#lost.add(role);
      else this.#lost.delete(role);
      this.#add({ at: this.elapsedMs, kind: isLost ? 'deviceLost' : 'deviceBack', role });
    }
  }

  addPicture(picture: TalkRecordPicture): void {
    this.#pictures.push(picture);
    this.#changes += 1;
  }

  #onLive(): void {
    const began = this.#events.some(({ kind }) => kind === 'began');
    const hadEnded = this.#ending !== undefined;
    this.#ending = undefined;
    this.#add({
      at: this.elapsedMs,
      kind: hadEnded ? 'continued' : began ? 'reconnected' : 'began',
    });
  }

  #add(event: TalkRecordEvent): void {
    this.#changes += 1;
    if (this.#events.length < maxEvents) this.#events.push(event);
  }
}

function toRecordTurn({ at, caption }: RecordedTurn): TalkRecordTurn {
  const { text, heard, cutFrom } = caption;
  return { by: 'parley', at, text, heard: Math.min(heard, text.length), cutFrom };
}

/** Shortens an error's texts, because those of a server may have any length. */
function shortenError(error: AppError): AppError {
  return mapErrorText(error, (text) =>
    text.length > maxDetail ? `${text.slice(0, maxDetail)}…` : text,
  );
}

/**
 * Inserts the user's turns by time. A new turn replaces the user's turn at the same time, or removes it if the new text
 * is empty.
 */
export function mergeTranscribedTurns(
  record: TalkRecord,
  own: readonly TranscribedTurn[],
): TalkRecord {
  if (own.length === 0) return record;
  const times = new Set(own.map(({ at }) => at));
  const userTurns = own.filter(({ text }) => text !== '').map(toTranscribedRecordTurn);
  const otherTurns = record.turns.filter(({ by, at }) => by === 'parley' || !times.has(at));
  const personTurns = [...otherTurns.filter(({ by }) => by === 'person'), ...userTurns].toSorted(
    (one, other) => one.at - other.at,
  );
  // Parley's turns keep their order, even in a record whose times are not in order.
  const turns: TalkRecordTurn[] = [];
  for (const turn of otherTurns.filter(({ by }) => by === 'parley')) {
    while ((personTurns[0]?.at ?? Infinity) <= turn.at) turns.push(...personTurns.splice(0, 1));
    turns.push(turn);
  }
  turns.push(...personTurns);
  return { ...record, turns, events: remapEvents(record, turns) };
}

export function hasOwnTurn({ turns }: TalkRecord, at: number): boolean {
  return turns.some((turn) => turn.by === 'person' && turn.at === at);
}

function toTranscribedRecordTurn({ at, text, transcribed }: TranscribedTurn): TalkRecordTurn {
  return { by: 'person', at, text, heard: text.length, transcribed };
}

function remapEvents(record: TalkRecord, turns: readonly TalkRecordTurn[]): TalkRecord['events'] {
  return record.events.map((event) => {
    const named = event.kind === 'interrupted' ? record.turns[event.turn] : undefined;
    return named === undefined ? event : { ...event, turn: turns.indexOf(named) };
  });
}

/** Rebuilds a talk cut by a crash from its journal. */
export function recordFromJournal({ talk, captions, savedAt }: CrashedTalk): TalkRecordBuilder {
  const facts = { mode: talk.mode, server: recordedServer(talk.endpoint, undefined) };
  const builder = new TalkRecordBuilder(facts, () => savedAt);
  for (const caption of captions) builder.applyCaption(captionAsPatch(caption));
  return builder;
}
