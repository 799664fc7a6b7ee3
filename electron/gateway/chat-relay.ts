import { Timer } from '../../shared/ports/clock.ts';
import type {
  ChatTurnEvent,
  DoneEvent,
  ListenEvent,
  OutputEvent,
} from '../../shared/protocol/realtime-api.ts';
import type { RelayEnvironment, GatewayModel, RequestProblem } from './gateway-model.ts';
import { chatTurnProblem, maxWaitingTurns } from './chat-prompt.ts';
import { utf8Length } from '../../shared/text.ts';

/** The server sends sound after `response.done`, and does not mark the last. After this pause, the answer is complete. */
const soundGapMs = 1500;
/** After an error, the server may still end the turn. The next turn waits this long, so that this end does not end it, too. */
const lateEndMs = 1500;
/** A turn has failed after this long without an event. Reading a long prompt alone takes many seconds. */
const answerTimeoutMs = 60_000;
/** The same without streaming, because the whole answer is then the first event. Parley's client waits as long. */
const wholeAnswerTimeoutMs = 180_000;

/** A model server drops the connection at a larger message: more than 196 s of sound. */
const maxBackendMessage = 16 * 1024 * 1024;

interface Answer {
  readonly turn: ChatTurnEvent;
  readonly responseId: string;
  readonly sentAt: number;
  text: string;
  done: DoneEvent | undefined;
  /** The server has reported an error, and the client has got it. */
  hasFailed: boolean;
}

/** Relays a client's chat turns to a model server, one at a time, and ends each answer with a `done` after its last sound. */
export class ChatRelay implements GatewayModel<ChatTurnEvent> {
  readonly #environment: RelayEnvironment;
  readonly #timer: Timer;
  #waiting: readonly ChatTurnEvent[] = [];
  #answer: Answer | undefined;

  constructor(environment: RelayEnvironment) {
    this.#environment = environment;
    this.#timer = new Timer(environment.clock);
  }

  accept(turn: ChatTurnEvent): RequestProblem | undefined {
    const problem = chatTurnProblem(turn);
    if (problem !== undefined) return problem;
    if (this.#waiting.length >= maxWaitingTurns)
      return { code: 'invalid_payload', message: 'too many turns are waiting' };
    this.#waiting = [...this.#waiting, turn];
    this.#sendNext();
    return undefined;
  }

  receive(event: ListenEvent | OutputEvent | DoneEvent): void {
    const answer = this.#answer;
    if (answer === undefined || event.kind === 'listen') {
      this.#environment.record({ kind: 'ignored', what: 'unknown' });
      return;
    }
    if (answer.hasFailed) {
      this.#timer.set(lateEndMs, this.#drop);
      return;
    }
    if (event.kind === 'output') this.#relayOutput(event, answer);
    else answer.done ??= event;
    if (answer.done === undefined) this.#restartTimeout();
    else if (answer.turn.speech?.enabled === true) this.#timer.set(soundGapMs, this.#finish);
    else this.#finish();
  }

  /** The server has reported an error instead of an answer. */
  fail(): void {
    if (this.#answer === undefined) return;
    this.#answer.hasFailed = true;
    this.#timer.set(lateEndMs, this.#drop);
  }

  end(): void {
    this.#timer.stop();
    this.#waiting = [];
    this.#answer = undefined;
  }

  #sendNext(): void {
    const [turn, ...others] = this.#waiting;
    if (this.#answer !== undefined || turn === undefined) return;
    this.#waiting = others;
    const { clock, codec, newResponseId, onTooLarge, send } = this.#environment;
    const sentAt = clock.now();
    this.#answer = {
      turn,
      responseId: newResponseId(),
      sentAt,
      text: '',
      done: undefined,
      hasFailed: false,
    };
    const frame = codec.encodeChat({ ...turn, inputId: undefined });
    if (utf8Length(frame) > maxBackendMessage) {
      onTooLarge();
      return;
    }
    this.#restartTimeout();
    send(frame);
  }

  #relayOutput(event: OutputEvent, { turn, responseId, ...answer }: Answer): void {
    const { text, metrics } = event;
    const audio = turn.speech?.enabled === true ? event.audio : undefined;
    if (answer.done !== undefined && audio === undefined) return;
    if (text === undefined && audio === undefined) return;
    if (this.#answer !== undefined) this.#answer.text += text ?? '';
    const { inputId } = turn;
    this.#environment.emit({
      kind: 'output',
      wire: 'unified',
      responseId,
      inputId,
      text,
      audio,
      metrics,
    });
  }

  readonly #finish = (): void => {
    const answer = this.#answer;
    if (answer === undefined) return;
    const { turn, responseId, done, sentAt } = answer;
    const { clock, emit, record } = this.#environment;
    this.#timer.stop();
    this.#answer = undefined;
    record({ kind: 'step', ms: clock.now() - sentAt, isSilent: false });
    emit({
      kind: 'done',
      responseId,
      inputId: turn.inputId,
      text: done === undefined || done.text === '' ? answer.text : done.text,
      reason: done?.reason,
      audio: turn.speech?.enabled === true ? done?.audio : undefined,
      metrics: done?.metrics,
    });
    this.#sendNext();
  };

  readonly #drop = (): void => {
    this.#answer = undefined;
    this.#sendNext();
  };

  #restartTimeout(): void {
    const isStreamed = this.#answer?.turn.streaming !== false;
    this.#timer.set(isStreamed ? answerTimeoutMs : wholeAnswerTimeoutMs, () => {
      const answer = this.#answer;
      if (answer === undefined) return;
      this.#answer = undefined;
      const { clock, emit, onSilent, record } = this.#environment;
      record({ kind: 'step', ms: clock.now() - answer.sentAt, isSilent: true });
      record({ kind: 'error', code: 'inference_failed' });
      const message = 'the model server did not answer in time';
      emit({ kind: 'error', code: 'inference_failed', message, type: 'server_error' });
      // The late answer would be taken for the answer to the next turn, so the session ends.
      onSilent();
    });
  }
}
