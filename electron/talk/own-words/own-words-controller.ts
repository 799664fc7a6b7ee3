import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import { type Clock, steadyCalendar } from '../../../shared/ports/clock.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { OwnTurn } from '../../../shared/recordings/talk-record.ts';
import { embeddedId } from '../../../shared/settings/endpoint-profile.ts';
import type { PrivacySettings } from '../../../shared/settings/privacy-settings.ts';
import {
  noOwnWords,
  type OwnPhrase,
  type OwnWordsStatus,
  withPhrase,
} from '../../../shared/talk/own-words.ts';
import type { TalkState } from '../../../shared/talk/talk-state.ts';
import type { ConversationEvent } from '../conversation-event.ts';
import { type CutPhrase, PhraseCutter } from './phrase-cutter.ts';
import type { PhraseWriter, WriterStatus } from './phrase-writer.ts';
import type { PhraseNews, PhraseRef, SpokenPhrase } from './waiting-phrases.ts';

/** What the writer of phrases tells. */
export interface WriterEvents {
  readonly tell: (phrase: PhraseRef, news: PhraseNews) => void;
  readonly status: (status: WriterStatus) => void;
}

type Writer = Pick<PhraseWriter, 'add' | 'permit' | 'forget' | 'tryAgain' | 'end'>;

interface Deps {
  readonly openWriter: (events: WriterEvents) => Writer;
  readonly clock: Pick<Clock, 'now'>;
  readonly wallNow: () => number;
  readonly wanted: () => PrivacySettings['ownWords'];
  /** What is known of a talk that goes on, or has ended. */
  readonly keep: (talk: string, turn: OwnTurn) => void;
}

interface Listener {
  readonly phrase: (phrase: OwnPhrase) => void;
  readonly status: (status: OwnWordsStatus) => void;
}

interface HeardTalk {
  readonly id: string;
  readonly server: string;
  /** The calendar's time in it, which nobody sets. */
  readonly now: () => number;
  readonly begunAt: number;
  readonly turns: TurnTimes;
  phase: TalkState['phase'];
  /** Why its server cannot write anything down. */
  unable: AppError | undefined;
}

const maxPhrases = 10_000;

/**
 * The person's own words, which the wire does not bring: what they say is cut into phrases, and each is sent once more, to
 * the talk's own server, to be written down. Only where they want it, and never where it would be in the talk's way.
 */
export class OwnWordsController {
  readonly #deps: Deps;
  readonly #writer: Writer;
  readonly #cutter = new PhraseCutter((phrase) => this.#cut(phrase));
  #talk: HeardTalk | undefined;
  #phrases: readonly OwnPhrase[] = [];
  #writing: WriterStatus = { kind: 'idle' };
  #told: OwnWordsStatus = noOwnWords.status;
  #listener: Listener | undefined;
  #taped: PhraseBatch | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#writer = deps.openWriter({
      tell: (phrase, news) => this.#heardNews(phrase, news),
      status: (status) => {
        this.#writing = status;
        this.#publish();
      },
    });
  }

  /** From now on, for whoever shows it. */
  listen(listener: Listener): void {
    this.#listener = listener;
  }

  /** Of one that leaves nothing no word is written down. */
  begin({
    id: server,
    stamp: id,
    incognito,
  }: Readonly<{ id: string; stamp: string; incognito: boolean }>): void {
    this.#cutter.finish();
    this.#phrases = [];
    this.#writing = { kind: 'idle' };
    const now = steadyCalendar(this.#deps.clock, this.#deps.wallNow);
    this.#talk = incognito
      ? undefined
      : {
          id,
          server,
          now,
          begunAt: now(),
          turns: new TurnTimes(),
          phase: 'connecting',
          unable: undefined,
        };
    this.#told = noOwnWords.status;
    this.#permit('connecting');
    this.#publish();
  }

  /** What the gate lets through; its last sample is of now. */
  readonly said = (samples: Float32Array, isPersons: boolean, voice?: number): void => {
    const talk = this.#talk;
    if (talk === undefined || talk.unable !== undefined || this.#deps.wanted() === 'no') return;
    this.#cutter.push(samples, talk.now(), isPersons, voice);
  };

  readonly hear = (event: ConversationEvent): void => {
    if (event.event === 'talk') {
      if (event.state.phase === 'ended') this.#cutter.finish();
      this.#permit(event.state.phase);
      this.#publish();
    } else if (event.event === 'caption') {
      this.#talk?.turns.heard(event.patch.turn, this.#talk.now());
    } else if (event.event === 'controls') {
      if (event.controls.paused) this.#cutter.finish();
    } else if (event.event === 'session' && event.dialect === 'legacy' && this.#talk) {
      // It knows no chat: nothing is held for it in vain.
      this.#talk.unable = appError('noChatInLegacy');
      this.#publish();
    }
  };

  settingsChanged(): void {
    if (this.#deps.wanted() === 'no') this.#drop();
    this.#permit(this.#talk?.phase ?? 'idle');
    this.#publish();
  }

  /** Of the talk that is shown; whether it has such a phrase. */
  correct(talk: string | undefined, at: number, text: string): boolean {
    if (talk !== undefined && talk !== this.#talk?.id) return false;
    const phrase = this.#phrases.find((each) => each.at === at);
    if (phrase === undefined) return false;
    const state = text === '' ? 'removed' : 'written';
    this.#change({ ...phrase, state, text, transcribed: 'corrected' });
    return true;
  }

  tryAgain(): void {
    if (this.#talk !== undefined) this.#writer.tryAgain(this.#talk.id);
  }

  /** Those of a talk that is over: what they could not be written down for, once all of them were tried. */
  writeTaped(phrases: readonly SpokenPhrase[], written: () => void): Promise<AppError | undefined> {
    for (const { talk } of phrases.slice(0, 1)) this.#writer.forget(talk);
    const batch = new PhraseBatch(phrases, written);
    this.#taped = batch;
    for (const phrase of phrases) this.#writer.add(phrase);
    return batch.done;
  }

  /** What waits is not written down any more. */
  end(): Promise<void> {
    this.#listener = undefined;
    this.#talk = undefined;
    return this.#writer.end();
  }

  #permit(phase: TalkState['phase']): void {
    if (this.#talk !== undefined) this.#talk.phase = phase;
    if (phase === 'live')
      this.#writer.permit(this.#deps.wanted() === 'whileTalking' ? 'ifFree' : 'no');
    else this.#writer.permit(phase === 'ended' || phase === 'idle' ? 'yes' : 'no');
  }

  #cut({ samples, begunAt }: CutPhrase): void {
    const talk = this.#talk;
    if (talk === undefined || this.#phrases.length >= maxPhrases) return;
    const last = this.#phrases.at(-1)?.at ?? -1;
    const at = Math.max(last + 1, Math.round(begunAt - talk.begunAt));
    this.#change({
      at,
      seconds: samples.length / inputRate,
      after: talk.turns.before(begunAt),
      state: 'waiting',
      text: '',
      transcribed: 'byMachine',
    });
    this.#writer.add({ talk: talk.id, at, server: talk.server, samples });
    this.#publish();
  }

  #heardNews({ talk, at }: PhraseRef, news: PhraseNews): void {
    const text = news.state === 'written' ? news.text : '';
    if (this.#taped?.heard({ talk, at }, news)) {
      if (text !== '') this.#deps.keep(talk, { at, text, transcribed: 'byMachine' });
      return;
    }
    const isShown = talk === this.#talk?.id;
    const phrase = isShown ? this.#phrases.find((each) => each.at === at) : undefined;
    // What a person has put right stays as they want it.
    if (isShown && phrase?.transcribed !== 'byMachine') return;
    if (phrase !== undefined) this.#change({ ...phrase, state: news.state, text });
    else if (text !== '') this.#deps.keep(talk, { at, text, transcribed: 'byMachine' });
    this.#publish();
  }

  #change(phrase: OwnPhrase): void {
    const { at, state, text, transcribed } = phrase;
    this.#phrases = withPhrase(this.#phrases, phrase);
    this.#listener?.phrase(phrase);
    const isKept = text !== '' || state === 'removed';
    if (isKept && this.#talk !== undefined)
      this.#deps.keep(this.#talk.id, { at, text, transcribed });
  }

  /** It is not wanted any more: what was not sent is not sent. */
  #drop(): void {
    if (this.#talk !== undefined) this.#writer.forget(this.#talk.id);
    for (const phrase of this.#phrases)
      if (phrase.state !== 'written') {
        this.#phrases = withPhrase(this.#phrases, { ...phrase, state: 'removed' });
        this.#listener?.phrase({ ...phrase, state: 'removed' });
      }
  }

  #publish(): void {
    const status = this.#status;
    if (isSameJson(status, this.#told)) return;
    this.#told = status;
    this.#listener?.status(status);
  }

  get #status(): OwnWordsStatus {
    const talk = this.#talk;
    if (talk === undefined || this.#deps.wanted() === 'no') return noOwnWords.status;
    const demonstration = talk.server === embeddedId;
    if (talk.unable !== undefined) return { kind: 'failed', error: talk.unable, demonstration };
    const waits = this.#phrases.some(({ state }) => state === 'waiting');
    const later = talk.phase === 'live' && this.#deps.wanted() === 'afterTalk';
    if (later && waits) return { kind: 'afterTalk', demonstration };
    return { ...this.#writing, demonstration };
  }
}

/** Phrases of one tape that are being written down, until each of them was tried. */
class PhraseBatch {
  /** What the last of them could not be written down for. */
  readonly done: Promise<AppError | undefined>;
  readonly #talk: string | undefined;
  readonly #left: Set<number>;
  readonly #written: () => void;
  #finish: (error: AppError | undefined) => void = () => undefined;
  #error: AppError | undefined;

  constructor(phrases: readonly PhraseRef[], written: () => void) {
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#talk = phrases[0]?.talk;
    this.#left = new Set(phrases.map(({ at }) => at));
    this.#written = written;
    if (this.#left.size === 0) this.#finish(undefined);
  }

  /** Whether the news is of one of these. */
  heard({ talk, at }: PhraseRef, news: PhraseNews): boolean {
    if (talk !== this.#talk || !this.#left.has(at)) return false;
    if (news.state !== 'written' && news.state !== 'unwritten') return true;
    this.#left.delete(at);
    if (news.state === 'written') this.#written();
    else this.#error = news.error;
    if (this.#left.size === 0) this.#finish(this.#error);
    return true;
  }
}

interface BegunTurn {
  readonly turn: number;
  readonly at: number;
}

/** A phrase is at most so long: what came before that is in the same order for all. */
const maxTurns = 60;

/** When the newest turns of an answer began. */
class TurnTimes {
  #begun: readonly BegunTurn[] = [];

  /** Something of a turn was told; only the first time counts. */
  heard(turn: number, at: number): void {
    if (this.#begun.some((begun) => begun.turn >= turn)) return;
    this.#begun = [...this.#begun, { turn, at }].slice(-maxTurns);
  }

  /** The newest that had begun by then. */
  before(at: number): number | undefined {
    return this.#begun.findLast((begun) => begun.at <= at)?.turn;
  }
}
