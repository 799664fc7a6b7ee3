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

/** Whether a server may be asked: not at all, only where it has a place free at once, or also by waiting for one. */
export type WriterPermission = 'no' | 'ifFree' | 'yes';

export type WriterStatus =
  | { readonly kind: 'idle' | 'writing' | 'busy' }
  | { readonly kind: 'queued'; readonly position: number | undefined }
  | { readonly kind: 'failed'; readonly error: AppError };

interface Deps {
  /** A session in chat mode with the server of this id. */
  readonly openSession: (server: string, emit: (event: SessionEvent) => void) => Session;
  readonly clock: Clock;
  readonly prompt: () => Promise<CoreMessages['phrasePrompt']>;
  readonly tell: (phrase: PhraseRef, news: PhraseNews) => void;
  readonly status: (status: WriterStatus) => void;
}

interface Asked {
  readonly phrase: WaitingPhrase;
}

/** While a talk goes on nobody waits in a queue beside it; so much later it is tried once more. */
const busyMs = 30_000;
const maxTries = 3;
const retryMs = [2000, 10_000] as const;
const busyRetryMs = [10_000, 30_000] as const;
/** So many given up one after the other say that no other will do better. */
const maxFailedInRow = 3;

/** Has phrases written down by their server's chat, one after the other, and never where that would be in a talk's way. */
export class PhraseWriter {
  readonly #deps: Deps;
  readonly #place: WriterPlace;
  readonly #phrases = new WaitingPhrases();
  #permission: WriterPermission = 'yes';
  #asked: Asked | undefined;
  readonly #pause: Timer;
  #failedInRow = 0;
  /** The talk whose server does no such thing: it is not asked again for each phrase. */
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
    // What had to wait for the end of a talk need not wait any longer.
    this.#pause.stop();
    this.#next();
  }

  /** Nothing of this talk is to be written down any more. */
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

  /** The server has no place but the talk's own: it is left at once. */
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

  /** What is being asked for goes to another try, which is not counted. */
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

/** A place is given back soon: servers have few. */
const idleMs = 3000;

/** The one place that writing down takes up, at the server whose phrase is next. */
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

  /** What was asked for is not wanted any more; the place stays. */
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

  /** Once all that was released is given back. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing);
  }
}
