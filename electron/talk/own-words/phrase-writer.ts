import type { ChatConnectionState } from '../../../shared/chat/chat-patch.ts';
import { appError, type AppError } from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { type AnswerEvent, ChatConnection } from '../session/chat-connection.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { Session } from '../session/session.ts';
import { cleanTranscript, failureVerdict, phraseQuestion } from './phrase-question.ts';
import {
  type PhraseNews,
  type PhraseRef,
  type SpokenPhrase,
  type WaitingPhrase,
  WaitingPhrases,
} from './waiting-phrases.ts';

/**
 * Whether to ask a server: never, only if a worker is free at once, or also by waiting in the
 * queue.
 */
export type WriterPermission = 'no' | 'ifFree' | 'yes';

export type WriterStatus =
  | { readonly kind: 'idle' | 'writing' | 'busy' }
  | { readonly kind: 'queued'; readonly position: number | undefined }
  | { readonly kind: 'failed'; readonly error: AppError };

interface Deps {
  /** Opens a chat session with the server of this id. */
  readonly openSession: (server: string, emit: (event: SessionEvent) => void) => Session;
  readonly clock: Clock;
  readonly prompt: () => Promise<CoreMessages['phrasePrompt']>;
  readonly tell: (phrase: PhraseRef, news: PhraseNews) => void;
  readonly status: (status: WriterStatus) => void;
}

interface Asked {
  readonly phrase: WaitingPhrase;
}

/** While a talk runs, phrases do not wait in the queue beside it; they are retried after this. */
const busyMs = 30_000;
const maxTries = 3;
const retryMs = [2000, 10_000] as const;
const busyRetryMs = [10_000, 30_000] as const;
/** After this many failures in a row the server is given up. */
const maxFailedInRow = 3;

/**
 * Sends phrases to their server's chat one at a time, and yields to a talk that needs the worker.
 */
export class PhraseWriter {
  readonly #deps: Deps;
  readonly #place: WriterPlace;
  readonly #phrases = new WaitingPhrases();
  #permission: WriterPermission = 'yes';
  #asked: Asked | undefined;
  readonly #pause: Timer;
  #failedInRow = 0;
  /** The talk whose server cannot transcribe, so it is not asked for each phrase. */
  #hopeless: { readonly talk: string; readonly error: AppError } | undefined;
  #told: WriterStatus = { kind: 'idle' };
  #over = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#pause = new Timer(deps.clock);
    this.#place = new WriterPlace({
      ...deps,
      heard: (state) => this.#heardPlace(state),
    });
  }

  add(phrase: SpokenPhrase): void {
    if (this.#over) return;
    for (const gone of this.#phrases.add(phrase)) {
      if (this.#asked?.phrase.talk === gone.talk && this.#asked.phrase.at === gone.at) this.#stop();
      this.#deps.tell(gone, { state: 'unwritten', error: appError('ownWordsTooMany') });
    }
    if (this.#hopeless?.talk === phrase.talk) this.#giveUp([phrase], this.#hopeless.error);
    else this.#next();
  }

  permit(permission: WriterPermission): void {
    if (permission === this.#permission) return;
    this.#permission = permission;
    if (permission === 'no') {
      this.#putBack();
      this.#place.release();
    }
    // Phrases may have waited for the end of a talk.
    this.#pause.stop();
    this.#next();
  }

  /** Discards the phrases of a talk. */
  forget(talk: string): void {
    if (this.#asked?.phrase.talk === talk) this.#stop();
    if (this.#hopeless?.talk === talk) this.#hopeless = undefined;
    for (const phrase of this.#phrases.ofTalk(talk)) this.#phrases.remove(phrase);
    this.#next();
  }

  tryAgain(talk: string): void {
    this.#hopeless = undefined;
    for (const phrase of this.#phrases.ofTalk(talk)) {
      if (!phrase.failed) continue;
      this.#phrases.change(phrase, { failed: false, tries: 0 });
      this.#deps.tell(phrase, { state: 'waiting' });
    }
    this.#failedInRow = 0;
    this.#pause.stop();
    this.#next();
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#stop();
    this.#phrases.clear();
    this.#pause.stop();
    this.#place.release();
    await this.#place.closed();
  }

  #next(): void {
    if (this.#over || this.#asked !== undefined || this.#pause.isSet) return;
    if (this.#permission === 'no') return;
    const phrase = this.#phrases.next;
    if (phrase === undefined) {
      this.#place.releaseWhenIdle();
      if (this.#told.kind !== 'failed') this.#status({ kind: 'idle' });
      return;
    }
    const asked: Asked = { phrase };
    this.#asked = asked;
    void this.#ask(asked);
  }

  async #ask(asked: Asked): Promise<void> {
    const prompt = await this.#deps.prompt();
    if (this.#asked !== asked) return;
    const { phrase } = asked;
    this.#deps.tell(phrase, { state: 'writing' });
    this.#status({ kind: 'writing' });
    this.#place.connectionTo(phrase.server).ask(phraseQuestion(prompt, phrase), (event) => {
      if (this.#asked === asked) this.#hear(phrase, event);
    });
  }

  #hear(phrase: WaitingPhrase, event: AnswerEvent): void {
    if (event.kind === 'failed') this.#failed(phrase, event.error);
    if (event.kind !== 'done') return;
    this.#asked = undefined;
    this.#failedInRow = 0;
    this.#phrases.remove(phrase);
    const text = cleanTranscript(event.text, phrase.sound.length / inputRate);
    this.#deps.tell(phrase, { state: 'written', text });
    this.#next();
  }

  #failed(phrase: WaitingPhrase, error: AppError): void {
    const verdict = failureVerdict(error);
    if (verdict === 'busy' && this.#permission === 'ifFree') return this.#giveWay();
    this.#asked = undefined;
    const tries = phrase.tries + 1;
    this.#phrases.change(phrase, { tries });
    if (verdict !== 'hopeless' && tries < maxTries) {
      this.#deps.tell(phrase, { state: 'waiting' });
      if (verdict === 'busy') this.#status({ kind: 'busy' });
      return this.#wait((verdict === 'busy' ? busyRetryMs : retryMs)[tries - 1] ?? busyMs);
    }
    this.#failedInRow += 1;
    const all = verdict === 'hopeless' || this.#failedInRow >= maxFailedInRow;
    if (all) this.#hopeless = { talk: phrase.talk, error };
    this.#giveUp(all ? this.#phrases.ofTalk(phrase.talk) : [phrase], error);
    if (all) this.#status({ kind: 'failed', error });
    this.#next();
  }

  #giveUp(phrases: readonly PhraseRef[], error: AppError): void {
    for (const phrase of phrases) {
      this.#phrases.change(phrase, { failed: true });
      this.#deps.tell(phrase, { state: 'unwritten', error });
    }
  }

  /** The server has no worker besides the talk's: release it at once. */
  #giveWay(): void {
    this.#putBack();
    this.#place.release();
    this.#status({ kind: 'busy' });
    this.#wait(busyMs);
  }

  #heardPlace({ phase, position }: ChatConnectionState): void {
    if (this.#asked === undefined) return;
    if (phase === 'queued' && this.#permission !== 'yes') this.#giveWay();
    else if (phase === 'queued') this.#status({ kind: 'queued', position });
    else if (phase === 'ready') this.#status({ kind: 'writing' });
  }

  /** Returns the open request to the queue without counting a try. */
  #putBack(): void {
    const phrase = this.#asked?.phrase;
    this.#stop();
    if (phrase !== undefined) this.#deps.tell(phrase, { state: 'waiting' });
  }

  #stop(): void {
    if (this.#asked === undefined) return;
    this.#asked = undefined;
    this.#place.stop();
  }

  #wait(ms: number): void {
    this.#pause.set(ms, () => this.#next());
  }

  #status(status: WriterStatus): void {
    if (isSameJson(status, this.#told)) return;
    this.#told = status;
    this.#deps.status(status);
  }
}

interface WriterPlaceDeps extends Pick<Deps, 'clock' | 'openSession'> {
  readonly heard: (state: ChatConnectionState) => void;
}

/** Idle time before release; servers have few workers. */
const idleMs = 3000;

/** The one chat session used for transcription, with the server of the next phrase. */
class WriterPlace {
  readonly #deps: WriterPlaceDeps;
  readonly #closing = new Set<Promise<void>>();
  #taken: { readonly server: string; readonly connection: ChatConnection } | undefined;
  readonly #idle: Timer;

  constructor(deps: WriterPlaceDeps) {
    this.#deps = deps;
    this.#idle = new Timer(deps.clock);
  }

  connectionTo(server: string): ChatConnection {
    this.#idle.stop();
    if (this.#taken?.server === server) return this.#taken.connection;
    this.release();
    const connection = new ChatConnection({
      clock: this.#deps.clock,
      openSession: (emit) => this.#deps.openSession(server, emit),
      emit: (state) => {
        if (this.#taken?.connection === connection) this.#deps.heard(state);
      },
    });
    this.#taken = { server, connection };
    return connection;
  }

  /** Cancels the request and keeps the session. */
  stop(): void {
    this.#taken?.connection.stop();
  }

  releaseWhenIdle(): void {
    this.#idle.setOnce(idleMs, () => this.release());
  }

  release(): void {
    this.#idle.stop();
    const closing = this.#taken?.connection.close();
    this.#taken = undefined;
    if (closing === undefined) return;
    const closed = closing.finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  /** Resolves when all released sessions are closed. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing);
  }
}
