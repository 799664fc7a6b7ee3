import type { AppError } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type ChatQuestion, inputRate } from '../../shared/protocol/realtime-api.ts';
import { joinPhrases } from '../../shared/text.ts';
import { ChatConnection } from '../talk/session/chat-connection.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { WrittenSession } from '../talk/session/session.ts';
import { cleanTranscript, phraseQuestion } from '../talk/user-transcript/phrase-transcription.ts';

interface Deps {
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
  readonly clock: Clock;
  /** Gets the place in the server's queue; undefined if it is unknown or the words are not queued. */
  readonly onPlace: (place: number | undefined) => void;
  /** Gets all words so far, each time more come. */
  readonly onText: (text: string) => void;
  /** Gets all words when every phrase is written and no more follow, and then the answer of each `rewrite`. */
  readonly onWritten: (text: string) => void;
  /** The phrases that are not written yet stay queued for another try. */
  readonly onFailed: (error: AppError) => void;
}

/** Sends the phrases of a dictation to the server's chat, one after another while the user still speaks. */
export class DictationWriter {
  readonly #deps: Deps;
  readonly #connection: ChatConnection;
  readonly #phrases: Float32Array[] = [];
  #prompt: CoreMessages['phrasePrompt'] | undefined;
  /** The question of `rewrite`, until it is answered: a failure leaves it for another try. */
  #rewriting: ChatQuestion | undefined;
  #text = '';
  #isAsking = false;
  #isComplete = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#connection = new ChatConnection({
      ...deps,
      emit: (state) => deps.onPlace(state.phase === 'queued' ? state.position : undefined),
    });
  }

  /** Sends the phrases, including those that were added before the prompt was known. */
  begin(prompt: CoreMessages['phrasePrompt']): void {
    this.#prompt = prompt;
    this.#next();
  }

  add(samples: Float32Array): void {
    this.#phrases.push(samples);
    this.#next();
  }

  /** No more phrases follow. After a failure, this tries the remaining phrases again. */
  complete(): void {
    this.#isComplete = true;
    this.#next();
  }

  /** Withdraws `complete`: the user speaks again. */
  expectMore(): void {
    this.#isComplete = false;
  }

  rewrite(question: ChatQuestion): void {
    this.#text = '';
    this.#rewriting = question;
    this.#next();
  }

  cancel(): void {
    this.#phrases.length = 0;
    this.#prompt = undefined;
    this.#rewriting = undefined;
    this.#text = '';
    this.#isComplete = false;
    if (!this.#isAsking) return;
    this.#isAsking = false;
    this.#connection.stop();
  }

  async end(): Promise<void> {
    this.cancel();
    await this.#connection.close();
  }

  #next(): void {
    if (this.#isAsking || this.#prompt === undefined) return;
    if (this.#rewriting !== undefined) {
      this.#ask(this.#rewriting, (text) => {
        this.#rewriting = undefined;
        this.#deps.onWritten(text);
      });
      return;
    }
    const [phrase] = this.#phrases;
    if (phrase === undefined) {
      if (this.#isComplete) this.#deps.onWritten(this.#text);
      return;
    }
    this.#ask(phraseQuestion(this.#prompt, phrase), (answer) => {
      this.#phrases.shift();
      this.#text = joinPhrases(this.#text, cleanTranscript(answer, phrase.length / inputRate));
      this.#deps.onText(this.#text);
      this.#next();
    });
  }

  #ask(question: ChatQuestion, onDone: (answer: string) => void): void {
    let received = '';
    this.#isAsking = true;
    this.#connection.ask(question, (event) => {
      if (event.kind === 'text') {
        received += event.text;
        this.#deps.onText(joinPhrases(this.#text, received));
      } else if (event.kind === 'failed') {
        this.#isAsking = false;
        this.#deps.onFailed(event.error);
      } else if (event.kind === 'done') {
        this.#isAsking = false;
        onDone(event.text);
      }
    });
  }
}
