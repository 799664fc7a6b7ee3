import type { ChatConnectionState } from '../../../shared/chat/chat-thread.ts';
import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { type AnswerEvent, ChatConnection } from '../session/chat-connection.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { Session } from '../session/session.ts';
import { failureVerdict } from './failure-verdict.ts';
import { cleanTranscript, phraseQuestion } from './phrase-transcription.ts';

/** Whether to ask a server: never, only if a worker is free at once, or also by waiting in the queue. */
export type TranscriberPermission = 'no' | 'ifFree' | 'yes';

export type TranscriberStatus =
  | { readonly kind: 'idle' | 'writing' | 'busy' }
  | { readonly kind: 'queued'; readonly position: number | undefined }
  | { readonly kind: 'failed'; readonly error: AppError };

export interface TranscriberEvents {
  readonly onProgress: (phrase: PhraseRef, progress: PhraseProgress) => void;
  readonly onStatus: (status: TranscriberStatus) => void;
}

interface Deps extends TranscriberEvents {
  /** Opens a chat session with the server of this id. */
  readonly openSession: (server: string, emit: (event: SessionEvent) => void) => Session;
  readonly clock: Clock;
  readonly prompt: () => Promise<CoreMessages['phrasePrompt']>;
}

interface OpenRequest {
  readonly phrase: WaitingPhrase;
}

/** While a talk runs, phrases do not wait in the server's queue. They are tried again after this time. */
const noWorkerPauseMs = 30_000;
const maxTries = 3;
/** Pauses after the first and the second failure. */
const retryMs = [2000, 10_000] as const;
/** Pauses after the first and the second failure, if the server was busy. */
const busyRetryMs = [10_000, 30_000] as const;
/** After this many failed phrases in a row, all phrases of the talk are given up. */
const maxFailedInRow = 3;

/** Sends phrases to the chat of their server, one at a time, and yields its worker to a talk. */
export class PhraseTranscriber {
  readonly #deps: Deps;
  readonly #connection: TranscriberConnection;
  readonly #phrases = new WaitingPhrases();
  #permission: TranscriberPermission = 'yes';
  #request: OpenRequest | undefined;
  readonly #pause: Timer;
  #failedInRow = 0;
  /** A talk whose server cannot transcribe. Its further phrases are given up without asking the server. */
  #unsupported: { readonly talk: string; readonly error: AppError } | undefined;
  #publishedStatus: TranscriberStatus = { kind: 'idle' };
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#pause = new Timer(deps.clock);
    this.#connection = new TranscriberConnection({
      ...deps,
      onState: (state) => this.#onConnectionState(state),
    });
  }

  add(phrase: SpokenPhrase): void {
    if (this.#over) return;
    for (const dropped of this.#phrases.add(phrase)) {
      if (this.#request?.phrase.talk === dropped.talk && this.#request.phrase.at === dropped.at)
        this.#cancel();
      this.#deps.onProgress(dropped, { state: 'unwritten', error: appError('ownWordsTooMany') });
    }
    if (this.#unsupported?.talk === phrase.talk) this.#giveUp([phrase], this.#unsupported.error);
    else this.#next();
  }

  permit(permission: TranscriberPermission): void {
    if (permission === this.#permission) return;
    this.#permission = permission;
    if (permission === 'no') {
      this.#putBack();
      this.#connection.release();
    }
    // Phrases may have waited for the end of a talk.
    this.#pause.stop();
    this.#next();
  }

  /** Drops the phrases of these talks. */
  forget(isGone: (talk: string) => boolean): void {
    if (this.#request !== undefined && isGone(this.#request.phrase.talk)) this.#cancel();
    if (this.#unsupported !== undefined && isGone(this.#unsupported.talk))
      this.#unsupported = undefined;
    for (const phrase of this.#phrases.ofTalks(isGone)) this.#phrases.remove(phrase);
    this.#next();
  }

  retry(talk: string): void {
    this.#unsupported = undefined;
    for (const phrase of this.#phrases.forTalk(talk)) {
      if (!phrase.failed) continue;
      this.#phrases.change(phrase, { failed: false, tries: 0 });
      this.#deps.onProgress(phrase, { state: 'waiting' });
    }
    this.#failedInRow = 0;
    this.#pause.stop();
    this.#next();
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#cancel();
    this.#phrases.clear();
    this.#pause.stop();
    this.#connection.release();
    await this.#connection.closed();
  }

  #next(): void {
    if (this.#over || this.#request !== undefined || this.#pause.isSet) return;
    if (this.#permission === 'no') return;
    const phrase = this.#phrases.next;
    if (phrase === undefined) {
      this.#connection.releaseWhenIdle();
      if (this.#publishedStatus.kind !== 'failed') this.#publishStatus({ kind: 'idle' });
      return;
    }
    const request: OpenRequest = { phrase };
    this.#request = request;
    void this.#ask(request);
  }

  async #ask(asked: OpenRequest): Promise<void> {
    const prompt = await this.#deps.prompt();
    if (this.#request !== asked) return;
    const { phrase } = asked;
    this.#deps.onProgress(phrase, { state: 'writing' });
    this.#publishStatus({ kind: 'writing' });
    this.#connection
      .connectionTo(phrase.server)
      .ask(phraseQuestion(prompt, phraseSamples(phrase)), (event) => {
        if (this.#request === asked) this.#onEvent(phrase, event);
      });
  }

  #onEvent(phrase: WaitingPhrase, event: AnswerEvent): void {
    if (event.kind === 'failed') this.#onFailure(phrase, event.error);
    if (event.kind !== 'done') return;
    this.#request = undefined;
    this.#failedInRow = 0;
    this.#phrases.remove(phrase);
    const text = cleanTranscript(event.text, phrase.sound.length / inputRate);
    this.#deps.onProgress(phrase, { state: 'written', text });
    this.#next();
  }

  #onFailure(phrase: WaitingPhrase, error: AppError): void {
    const verdict = failureVerdict(error);
    if (verdict === 'busy' && this.#permission === 'ifFree') return this.#yieldToTalk();
    this.#request = undefined;
    const tries = phrase.tries + 1;
    this.#phrases.change(phrase, { tries });
    if (verdict !== 'permanent' && tries < maxTries) {
      this.#deps.onProgress(phrase, { state: 'waiting' });
      if (verdict === 'busy') this.#publishStatus({ kind: 'busy' });
      return this.#wait((verdict === 'busy' ? busyRetryMs : retryMs)[tries - 1] ?? noWorkerPauseMs);
    }
    this.#failedInRow += 1;
    const all = verdict === 'permanent' || this.#failedInRow >= maxFailedInRow;
    if (all) this.#unsupported = { talk: phrase.talk, error };
    this.#giveUp(all ? this.#phrases.forTalk(phrase.talk) : [phrase], error);
    if (all) this.#publishStatus({ kind: 'failed', error });
    this.#next();
  }

  #giveUp(phrases: readonly PhraseRef[], error: AppError): void {
    for (const phrase of phrases) {
      this.#phrases.change(phrase, { failed: true });
      this.#deps.onProgress(phrase, { state: 'unwritten', error });
    }
  }

  /** No worker is free: leave the queue at once, because the talk may need the next one. */
  #yieldToTalk(): void {
    this.#putBack();
    this.#connection.release();
    this.#publishStatus({ kind: 'busy' });
    this.#wait(noWorkerPauseMs);
  }

  #onConnectionState({ phase, position }: ChatConnectionState): void {
    if (this.#request === undefined) return;
    if (phase === 'queued' && this.#permission !== 'yes') this.#yieldToTalk();
    else if (phase === 'queued') this.#publishStatus({ kind: 'queued', position });
    else if (phase === 'ready') this.#publishStatus({ kind: 'writing' });
  }

  /** Returns the open request to the queue without counting a try. */
  #putBack(): void {
    const phrase = this.#request?.phrase;
    this.#cancel();
    if (phrase !== undefined) this.#deps.onProgress(phrase, { state: 'waiting' });
  }

  #cancel(): void {
    if (this.#request === undefined) return;
    this.#request = undefined;
    this.#connection.stop();
  }

  #wait(ms: number): void {
    this.#pause.set(ms, () => this.#next());
  }

  #publishStatus(status: TranscriberStatus): void {
    if (isSameJson(status, this.#publishedStatus)) return;
    this.#publishedStatus = status;
    this.#deps.onStatus(status);
  }
}

interface TranscriberConnectionDeps extends Pick<Deps, 'clock' | 'openSession'> {
  readonly onState: (state: ChatConnectionState) => void;
}

/** Idle time before release; servers have few workers. */
const idleMs = 3000;

/** The one chat session used for transcription, with the server of the next phrase. */
class TranscriberConnection {
  readonly #deps: TranscriberConnectionDeps;
  readonly #closing = new Set<Promise<void>>();
  #current: { readonly server: string; readonly connection: ChatConnection } | undefined;
  readonly #idle: Timer;

  constructor(deps: TranscriberConnectionDeps) {
    this.#deps = deps;
    this.#idle = new Timer(deps.clock);
  }

  connectionTo(server: string): ChatConnection {
    this.#idle.stop();
    if (this.#current?.server === server) return this.#current.connection;
    this.release();
    const connection = new ChatConnection({
      clock: this.#deps.clock,
      openSession: (emit) => this.#deps.openSession(server, emit),
      emit: (state) => {
        if (this.#current?.connection === connection) this.#deps.onState(state);
      },
    });
    this.#current = { server, connection };
    return connection;
  }

  /** Cancels the request, which ends its session. */
  stop(): void {
    this.#current?.connection.stop();
  }

  releaseWhenIdle(): void {
    this.#idle.setIfIdle(idleMs, () => this.release());
  }

  release(): void {
    this.#idle.stop();
    const closing = this.#current?.connection.close();
    this.#current = undefined;
    if (closing === undefined) return;
    const closed = closing.finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  /** Resolves when all released sessions are closed. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing);
  }
}

/** Identifies a phrase by its talk, and by the milliseconds from the talk's start to the phrase's. */
export interface PhraseRef {
  readonly talk: string;
  readonly at: number;
}

/** A phrase and the server it was spoken to; no other server gets it. */
export interface SpokenPhrase extends PhraseRef {
  readonly server: string;
  readonly samples: Float32Array;
}

export type PhraseProgress =
  | { readonly state: 'waiting' | 'writing' }
  /** Empty if no words were understood. */
  | { readonly state: 'written'; readonly text: string }
  | { readonly state: 'unwritten'; readonly error: AppError };

/** A phrase that is not transcribed yet, stored as 16-bit sound, the microphone's own resolution. */
export interface WaitingPhrase extends Omit<SpokenPhrase, 'samples'> {
  readonly sound: Int16Array;
  readonly tries: number;
  /** Whether Parley gave up on the phrase, which then waits until the user retries. */
  readonly failed: boolean;
}

/** Ten minutes of speech, 19 MB. */
const maxSamples = 600 * inputRate;

/** Sound of phrases that are not transcribed yet, in memory and bounded. */
class WaitingPhrases {
  #phrases: readonly WaitingPhrase[] = [];

  /** Returns the phrases dropped to make room: failed ones first, then the oldest. */
  add({ samples, ...phrase }: SpokenPhrase): readonly WaitingPhrase[] {
    const sound = new Int16Array(samples.length);
    for (let n = 0; n < sound.length; n += 1)
      sound[n] = Math.round(Math.max(-1, Math.min(1, samples[n] ?? 0)) * 32_767);
    this.#phrases = [...this.#phrases, { ...phrase, sound, tries: 0, failed: false }];
    const dropped: WaitingPhrase[] = [];
    while (this.#samples > maxSamples && this.#phrases.length > 1) {
      const oldest = this.#phrases.find(({ failed }) => failed) ?? this.#phrases[0];
      if (oldest === undefined) break;
      dropped.push(oldest);
      this.remove(oldest);
    }
    return dropped;
  }

  get next(): WaitingPhrase | undefined {
    return this.#phrases.find(({ failed }) => !failed);
  }

  ofTalks(isWanted: (talk: string) => boolean): readonly WaitingPhrase[] {
    return this.#phrases.filter(({ talk }) => isWanted(talk));
  }

  forTalk(talk: string): readonly WaitingPhrase[] {
    return this.ofTalks((other) => other === talk);
  }

  change(phrase: PhraseRef, change: Partial<Pick<WaitingPhrase, 'tries' | 'failed'>>): void {
    this.#phrases = this.#phrases.map((each) =>
      isSame(each, phrase) ? { ...each, ...change } : each,
    );
  }

  remove(phrase: PhraseRef): void {
    this.#phrases = this.#phrases.filter((each) => !isSame(each, phrase));
  }

  clear(): void {
    this.#phrases = [];
  }

  get #samples(): number {
    return this.#phrases.reduce((sum, { sound }) => sum + sound.length, 0);
  }
}

function phraseSamples({ sound }: WaitingPhrase): Float32Array {
  const samples = new Float32Array(sound.length);
  for (let n = 0; n < samples.length; n += 1) samples[n] = (sound[n] ?? 0) / 32_767;
  return samples;
}

function isSame(one: PhraseRef, other: PhraseRef): boolean {
  return one.talk === other.talk && one.at === other.at;
}
