import type {
  ChatPatch,
  SentHistory,
  ChatAnswerState,
  ChatThread,
  Part,
} from '../../../../shared/chat/chat-thread.ts';
import type { AppError, Outcome } from '../../../../shared/errors/app-error.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import type { ChatSettings } from '../../../../shared/settings/assistant-settings.ts';
import { OpenThread, type OpenThreadDeps } from '../../../chat/open-thread.ts';
import type { SessionEvent } from '../../../talk/session/session-event.ts';
import type { Terminal } from '../terminal-command.ts';
import { chooseView } from '../views/choose-view.ts';
import { type TerminalView, sessionViewEvent } from '../views/terminal-view.ts';

/** The outcome of a question; `refused` was never sent. */
export type AnswerResult =
  | Exclude<ChatAnswerState, { readonly kind: 'streaming' }>
  | { readonly kind: 'refused'; readonly error: AppError };

interface Deps extends Omit<OpenThreadDeps, 'emit' | 'onChanged' | 'openSession'> {
  readonly openSession: (
    emit: (event: SessionEvent) => void,
  ) => ReturnType<OpenThreadDeps['openSession']>;
  readonly view: AnswerView;
  /** Called with the part of the conversation that a question sends. */
  readonly onSent: (sent: SentHistory) => void;
}

/** A written conversation that shows each answer and waits for it. */
export class TerminalChat {
  readonly #deps: Deps;
  readonly #options: ChatSettings;
  readonly #closings: Promise<void>[] = [];
  #chat: OpenThread;
  #resolveAnswer: ((result: AnswerResult) => void) | undefined;

  constructor(options: ChatSettings, conversation: ChatThread | undefined, deps: Deps) {
    this.#deps = deps;
    this.#options = options;
    this.#chat = this.#open(conversation);
  }

  get conversation(): ChatThread {
    return this.#chat.conversation;
  }

  readonly send = (parts: readonly Part[]): Promise<AnswerResult> =>
    this.#waitForAnswer(() => this.#chat.send(parts));

  /** Asks the newest question again. */
  readonly retry = (): Promise<AnswerResult> =>
    this.#waitForAnswer(() => this.#chat.retry(this.#newest));

  readonly goOn = (): Promise<AnswerResult> =>
    this.#waitForAnswer(() => this.#chat.continueAnswer(this.#newest));

  readonly stop = (): void => this.#chat.stop();

  readonly begin = (): void => {
    this.#closings.push(this.#chat.close());
    this.#chat = this.#open(undefined);
  };

  readonly close = async (): Promise<void> => {
    await Promise.all([...this.#closings, this.#chat.close()]);
  };

  get #newest(): string {
    return this.conversation.turns.at(-1)?.id ?? '';
  }

  #open(conversation: ChatThread | undefined): OpenThread {
    const deps = this.#deps;
    return new OpenThread(
      { conversation, options: this.#options },
      {
        clock: deps.clock,
        wallClock: deps.wallClock,
        random: deps.random,
        media: deps.media,
        voice: deps.voice,
        contextTokens: deps.contextTokens,
        continuePrompt: deps.continuePrompt,
        openSession: (emit) =>
          deps.openSession((event) => {
            deps.view.onEvent(event);
            emit(event);
          }),
        onChanged: () => undefined,
        emit: this.#onPatch,
      },
    );
  }

  async #waitForAnswer(ask: () => Outcome<undefined>): Promise<AnswerResult> {
    const answerEnded = new Promise<AnswerResult>((resolve) => {
      this.#resolveAnswer = resolve;
    });
    this.#deps.view.begin();
    const request = ask();
    const result: AnswerResult = request.ok
      ? await answerEnded
      : { kind: 'refused', error: request.error };
    this.#resolveAnswer = undefined;
    this.#deps.view.end();
    return result;
  }

  readonly #onPatch = (patch: ChatPatch): void => {
    if (patch.kind === 'sent') this.#deps.onSent(patch.sent);
    if (patch.kind === 'answer' && patch.state.kind !== 'streaming')
      this.#resolveAnswer?.(patch.state);
  };
}

interface AnswerViewDeps {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly clock: Clock;
  /** Receives the sound of spoken answers. */
  readonly onSound: (samples: Float32Array) => void;
}

/** Shows each answer with a new view. With JSON, one view also shows events between answers. */
export class AnswerView {
  readonly #deps: AnswerViewDeps;
  readonly #startedAt: number;
  #view: TerminalView | undefined;

  constructor(deps: AnswerViewDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
    if (deps.json) this.#view = this.#choose();
  }

  begin(): void {
    this.#view ??= this.#choose();
  }

  onEvent(event: SessionEvent): void {
    if (event.event === 'audio') this.#deps.onSound(event.audio);
    if (this.#view === undefined || (!this.#deps.json && isReportedByResult(event))) return;
    this.#view.show(this.#deps.clock.now() - this.#startedAt, sessionViewEvent(event));
  }

  /** Reports that a line was not sent, so that scripts do not wait for its answer. */
  refuse(sentence: string): void {
    const at = this.#deps.clock.now() - this.#startedAt;
    if (this.#deps.json) this.#view?.show(at, { event: 'refused', sentence });
    this.#deps.terminal.err(`${sentence}\n`);
  }

  end(): void {
    if (this.#deps.json) return;
    this.#view?.end();
    this.#view = undefined;
  }

  #choose(): TerminalView {
    return chooseView('chat', this.#deps.terminal, this.#deps.json);
  }
}

/** Whether the answer's result reports an event that the view would show, too. */
function isReportedByResult(event: SessionEvent): boolean {
  if (event.event === 'error') return event.error.code !== 'eventUnreadable';
  return event.event === 'closed';
}
