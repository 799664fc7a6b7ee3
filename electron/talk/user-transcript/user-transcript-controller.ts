import {
  appError,
  type AppError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { type Clock, createMonotonicWallClock } from '../../../shared/ports/clock.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { TranscribedTurn } from '../../../shared/recordings/talk-record.ts';
import { embeddedId } from '../../../shared/settings/connection-settings.ts';
import type { PrivacySettings } from '../../../shared/settings/app-settings.ts';
import {
  emptyUserTranscript,
  type UserPhrase,
  type UserTranscriptStatus,
  withPhrase,
  type TalkState,
} from '../../../shared/talk/talk-view.ts';
import type { ConversationEvent } from '../conversation-options.ts';
import { type CutPhrase, PhraseCutter } from './phrase-cutter.ts';
import type {
  PhraseProgress,
  PhraseRef,
  PhraseTranscriber,
  SpokenPhrase,
  TranscriberEvents,
  TranscriberStatus,
} from './phrase-transcriber.ts';
import { RecentWords } from './recent-words.ts';

type Transcriber = Pick<PhraseTranscriber, 'add' | 'permit' | 'forget' | 'retry' | 'end'>;

interface Deps {
  readonly openTranscriber: (events: TranscriberEvents) => Transcriber;
  readonly clock: Clock;
  readonly wallNow: () => number;
  readonly getMode: () => PrivacySettings['ownWords'];
  /** Whether the newest phrases stay in memory, for `lastWords`; false if omitted. */
  readonly keepsRecent?: (() => boolean) | undefined;
  /** Saves a turn's words to the record of a talk that is running or over. */
  readonly saveTurn: (talk: string, turn: TranscribedTurn) => void;
}

interface Listener {
  readonly onPhrase: (phrase: UserPhrase) => void;
  readonly onStatus: (status: UserTranscriptStatus) => void;
}

interface HeardTalk {
  readonly id: string;
  readonly server: string;
  /** Wall-clock time that ignores changes of the calendar clock, so that these do not reorder phrases. */
  readonly now: () => number;
  readonly begunAt: number;
  readonly turns: TurnTimes;
  readonly computer: ComputerTimes;
  phase: TalkState['phase'];
  /** Why the talk's server cannot transcribe. */
  unsupported: AppError | undefined;
}

const maxPhrases = 10_000;

/**
 * Transcribes the user's speech, which the wire does not carry as text: sends each phrase to the
 * server's chat. It never delays the talk.
 */
export class UserTranscriptController {
  readonly #deps: Deps;
  readonly #transcriber: Transcriber;
  readonly #cutter = new PhraseCutter((phrase) => this.#addPhrase(phrase));
  readonly #recent: RecentWords;
  #talk: HeardTalk | undefined;
  #phrases: readonly UserPhrase[] = [];
  #transcriberStatus: TranscriberStatus = { kind: 'idle' };
  #publishedStatus: UserTranscriptStatus = emptyUserTranscript.status;
  #listener: Listener | undefined;
  #tapedBatch: PhraseBatch | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#recent = new RecentWords(deps);
    this.#transcriber = deps.openTranscriber({
      onProgress: (phrase, progress) => this.#onProgress(phrase, progress),
      onStatus: (status) => {
        this.#transcriberStatus = status;
        this.#publish();
      },
    });
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  /** Starts a talk; an incognito talk is not transcribed. */
  begin({
    id: server,
    stamp: id,
    incognito,
  }: Readonly<{ id: string; stamp: string; incognito: boolean }>): void {
    this.#cutter.finish();
    this.#recent.clear();
    this.#phrases = [];
    this.#transcriberStatus = { kind: 'idle' };
    const now = createMonotonicWallClock(this.#deps.clock, this.#deps.wallNow);
    this.#talk = incognito
      ? undefined
      : {
          id,
          server,
          now,
          begunAt: now(),
          turns: new TurnTimes(),
          computer: new ComputerTimes(),
          phase: 'connecting',
          unsupported: undefined,
        };
    this.#publishedStatus = emptyUserTranscript.status;
    this.#permit('connecting');
    this.#publish();
  }

  /** Takes gated microphone sound, whose last sample was captured just now. */
  readonly pushAudio = (samples: Float32Array, isUsersVoice: boolean, voice?: number): void => {
    const talk = this.#talk;
    if (talk === undefined || talk.unsupported !== undefined) return;
    if (this.#deps.getMode() === 'no' && !this.#keepsRecent) return;
    this.#cutter.push(samples, talk.now(), isUsersVoice, voice);
  };

  readonly onEvent = (event: ConversationEvent): void => {
    if (event.event === 'talk') {
      if (event.state.phase === 'ended') this.#cutter.finish();
      this.#permit(event.state.phase);
      this.#publish();
    } else if (event.event === 'caption') {
      this.#talk?.turns.begin(event.patch.turn, this.#talk.now());
    } else if (event.event === 'computerSound') {
      this.#talk?.computer.turn(event.state.kind === 'on', this.#talk.now());
    } else if (event.event === 'controls') {
      if (event.controls.paused) this.#cutter.finish();
    } else if (event.event === 'session' && event.dialect === 'legacy' && this.#talk) {
      // The legacy dialect has no chat, so phrases are not collected.
      this.#talk.unsupported = appError('noChatInLegacy');
      this.#publish();
    }
  };

  onSettingsChanged(): void {
    if (this.#deps.getMode() === 'no') this.#drop();
    if (!this.#keepsRecent) this.#recent.clear();
    this.#permit(this.#talk?.phase ?? 'idle');
    this.#publish();
  }

  /**
   * Corrects a phrase of the current talk; an empty text removes it. Returns false if `talk` is another one or has no such
   * phrase.
   */
  correct(talk: string | undefined, at: number, text: string): boolean {
    if (talk !== undefined && talk !== this.#talk?.id) return false;
    const phrase = this.#phrases.find((each) => each.at === at);
    if (phrase === undefined) return false;
    const state = text === '' ? 'removed' : 'written';
    this.#change({ ...phrase, state, text, transcribed: 'corrected' });
    return true;
  }

  /** Returns the user's newest words. Transcribes them if that was not done yet; stores nothing. */
  async lastWords(): Promise<Outcome<string>> {
    const talk = this.#talk;
    if (talk === undefined || !this.#keepsRecent) return failure('requestNoWords');
    if (talk.unsupported !== undefined) return { ok: false, error: talk.unsupported };
    // The user may press the key at the end of the sentence.
    this.#cutter.finish();
    const newest = this.#recent.newest(talk.now() - talk.begunAt);
    const texts = newest.map(({ at }) => this.#phrases.find((phrase) => phrase.at === at)?.text);
    if (newest.length > 0 && texts.every((text) => text !== undefined && text !== ''))
      return { ok: true, value: texts.join(' ') };
    return this.#recent.transcribe(newest);
  }

  retry(): void {
    if (this.#talk !== undefined) this.#transcriber.retry(this.#talk.id);
  }

  /** Transcribes phrases of a finished talk. Resolves once all were tried, with the last error if any. */
  transcribeTaped(
    phrases: readonly SpokenPhrase[],
    written: () => void,
  ): Promise<AppError | undefined> {
    for (const { talk } of phrases.slice(0, 1)) this.#transcriber.forget((each) => each === talk);
    const batch = new PhraseBatch(phrases, written);
    this.#tapedBatch = batch;
    for (const phrase of phrases) this.#transcriber.add(phrase);
    return batch.done;
  }

  /** The user deleted a talk, or all talks that are over: the server must not get the rest of their sound. */
  forget(deleted?: string): void {
    const current = this.#talk;
    const isOver = current?.phase === 'ended';
    const isGone = (talk: string): boolean =>
      talk === deleted || (deleted === undefined && (isOver || talk !== current?.id));
    this.#transcriber.forget(isGone);
    if (this.#tapedBatch?.isOf(isGone) === true) this.#tapedBatch.end();
    if (current !== undefined && isGone(current.id)) this.#removeUnwritten();
    this.#publish();
  }

  /** Discards waiting phrases. */
  end(): Promise<void> {
    this.#listener = undefined;
    this.#talk = undefined;
    return this.#transcriber.end();
  }

  get #keepsRecent(): boolean {
    return this.#deps.keepsRecent?.() === true;
  }

  #permit(phase: TalkState['phase']): void {
    if (this.#talk !== undefined) this.#talk.phase = phase;
    if (phase === 'live')
      this.#transcriber.permit(this.#deps.getMode() === 'whileTalking' ? 'ifFree' : 'no');
    else this.#transcriber.permit(phase === 'ended' || phase === 'idle' ? 'yes' : 'no');
  }

  #addPhrase({ samples, begunAt }: CutPhrase): void {
    const talk = this.#talk;
    if (talk === undefined || this.#phrases.length >= maxPhrases) return;
    const last = this.#phrases.at(-1)?.at ?? -1;
    const at = Math.max(last + 1, Math.round(begunAt - talk.begunAt));
    const spoken = { talk: talk.id, at, server: talk.server, samples };
    if (this.#keepsRecent) this.#recent.add(spoken);
    if (this.#deps.getMode() === 'no') return;
    this.#change({
      at,
      seconds: samples.length / inputRate,
      after: talk.turns.newestBefore(begunAt),
      state: 'waiting',
      text: '',
      transcribed: 'byMachine',
      ...(talk.computer.isHeardAt(begunAt) && { hearsComputer: true as const }),
    });
    this.#transcriber.add(spoken);
    this.#publish();
  }

  #onProgress({ talk, at }: PhraseRef, progress: PhraseProgress): void {
    const text = progress.state === 'written' ? progress.text : '';
    if (this.#tapedBatch?.onProgress({ talk, at }, progress)) {
      if (text !== '') this.#deps.saveTurn(talk, { at, text, transcribed: 'byMachine' });
      return;
    }
    const isShown = talk === this.#talk?.id;
    const phrase = isShown ? this.#phrases.find((each) => each.at === at) : undefined;
    // The user's correction takes precedence.
    if (isShown && phrase?.transcribed !== 'byMachine') return;
    if (phrase !== undefined) this.#change({ ...phrase, state: progress.state, text });
    else if (text !== '') this.#deps.saveTurn(talk, { at, text, transcribed: 'byMachine' });
    this.#publish();
  }

  #change(phrase: UserPhrase): void {
    const { at, state, text, transcribed } = phrase;
    this.#phrases = withPhrase(this.#phrases, phrase);
    this.#listener?.onPhrase(phrase);
    const isKept = text !== '' || state === 'removed';
    if (isKept && this.#talk !== undefined)
      this.#deps.saveTurn(this.#talk.id, { at, text, transcribed });
  }

  /** Transcription was turned off: unsent phrases are discarded. */
  #drop(): void {
    const id = this.#talk?.id;
    this.#transcriber.forget((talk) => talk === id);
    // The user asks for the words of a tape apart from this setting.
    for (const phrase of this.#tapedBatch?.pendingOf(id) ?? []) this.#transcriber.add(phrase);
    this.#removeUnwritten();
  }

  #removeUnwritten(): void {
    for (const phrase of this.#phrases)
      if (phrase.state !== 'written') {
        this.#phrases = withPhrase(this.#phrases, { ...phrase, state: 'removed' });
        this.#listener?.onPhrase({ ...phrase, state: 'removed' });
      }
  }

  #publish(): void {
    const status = this.#status;
    if (isSameJson(status, this.#publishedStatus)) return;
    this.#publishedStatus = status;
    this.#listener?.onStatus(status);
  }

  get #status(): UserTranscriptStatus {
    const talk = this.#talk;
    if (talk === undefined || this.#deps.getMode() === 'no') return emptyUserTranscript.status;
    const demonstration = talk.server === embeddedId;
    if (talk.unsupported !== undefined)
      return { kind: 'failed', error: talk.unsupported, demonstration };
    const waits = this.#phrases.some(({ state }) => state === 'waiting');
    const later = talk.phase === 'live' && this.#deps.getMode() === 'afterTalk';
    if (later && waits) return { kind: 'afterTalk', demonstration };
    return { ...this.#transcriberStatus, demonstration };
  }
}

/** Phrases of one tape; resolves when each of them was tried. */
class PhraseBatch {
  /** Resolves with the last error, if any. */
  readonly done: Promise<AppError | undefined>;
  readonly #talk: string | undefined;
  /** By time. */
  readonly #pending: Map<number, SpokenPhrase>;
  readonly #written: () => void;
  #finish: (error: AppError | undefined) => void = () => undefined;
  #error: AppError | undefined;

  constructor(phrases: readonly SpokenPhrase[], written: () => void) {
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#talk = phrases[0]?.talk;
    this.#pending = new Map(phrases.map((phrase) => [phrase.at, phrase]));
    this.#written = written;
    if (this.#pending.size === 0) this.#finish(undefined);
  }

  isOf(isTalk: (talk: string) => boolean): boolean {
    return this.#talk !== undefined && isTalk(this.#talk);
  }

  /** Resolves `done`, although not every phrase was tried. */
  end(): void {
    this.#pending.clear();
    this.#finish(this.#error);
  }

  pendingOf(talk: string | undefined): readonly SpokenPhrase[] {
    return talk === this.#talk ? [...this.#pending.values()] : [];
  }

  onProgress({ talk, at }: PhraseRef, progress: PhraseProgress): boolean {
    if (talk !== this.#talk || !this.#pending.has(at)) return false;
    if (progress.state !== 'written' && progress.state !== 'unwritten') return true;
    this.#pending.delete(at);
    if (progress.state === 'written') this.#written();
    else this.#error = progress.error;
    if (this.#pending.size === 0) this.#finish(this.#error);
    return true;
  }
}

interface BegunTurn {
  readonly turn: number;
  readonly at: number;
}

/** When the model heard the computer's sound. */
class ComputerTimes {
  readonly #spans: { readonly from: number; to: number }[] = [];

  turn(on: boolean, at: number): void {
    const last = this.#spans.at(-1);
    const isOn = last?.to === Infinity;
    if (on && !isOn) this.#spans.push({ from: at, to: Infinity });
    else if (!on && isOn) last.to = at;
  }

  isHeardAt(at: number): boolean {
    return this.#spans.some(({ from, to }) => from <= at && at < to);
  }
}

/** Only the newest turns matter, because a phrase lasts seconds. */
const maxTurns = 60;

/** Start times of the newest turns of the model. */
class TurnTimes {
  #begun: readonly BegunTurn[] = [];

  begin(turn: number, at: number): void {
    if (this.#begun.some((begun) => begun.turn >= turn)) return;
    this.#begun = [...this.#begun, { turn, at }].slice(-maxTurns);
  }

  newestBefore(at: number): number | undefined {
    return this.#begun.findLast((begun) => begun.at <= at)?.turn;
  }
}
