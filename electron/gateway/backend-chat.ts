import type { Clock } from '../../shared/ports/clock.ts';
import type { ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import type { DoneEvent, ListenEvent, OutputEvent } from '../../shared/protocol/server-event.ts';

/** Turns that wait for an answer; further ones are refused. */
const maxWaitingTurns = 16;
/** The C++ server sends the sound of an answer after the answer's end. */
const soundWaitMs = 1500;
const soundGapMs = 700;

export interface BackendChatDeps {
  readonly clock: Clock;
  readonly send: (turn: ChatTurnEvent) => void;
  readonly emit: (event: OutputEvent | DoneEvent) => void;
  readonly newResponseId: () => string;
}

interface Answer {
  readonly turn: ChatTurnEvent;
  readonly responseId: string;
  /** The end of the answer, held back until its sound has come. */
  done?: DoneEvent;
}

/** Sends one written turn at a time, and gives each answer one id and one end. */
export class BackendChat {
  readonly #deps: BackendChatDeps;
  #waiting: ChatTurnEvent[] = [];
  #answer: Answer | undefined;
  #stopWaiting: () => void = () => undefined;

  constructor(deps: BackendChatDeps) {
    this.#deps = deps;
  }

  /** Returns false if too many turns wait. */
  accept(turn: ChatTurnEvent): boolean {
    if (this.#waiting.length >= maxWaitingTurns) return false;
    this.#waiting.push(turn);
    this.#sendNext();
    return true;
  }

  receive(event: DoneEvent | ListenEvent | OutputEvent): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    const { responseId } = answer;
    const { inputId } = answer.turn;
    if (event.kind === 'output') {
      if (answer.done !== undefined && event.audio === undefined) return;
      this.#deps.emit({ ...event, responseId, inputId });
      if (answer.done !== undefined) this.#finishAfter(soundGapMs);
    } else if (event.kind === 'done' && answer.done === undefined) {
      answer.done = { ...event, responseId, inputId };
      if (expectsLateSound(answer.turn, event)) this.#finishAfter(soundWaitMs);
      else this.#finish();
    }
  }

  end(): void {
    this.#stopWaiting();
    this.#waiting = [];
    this.#answer = undefined;
  }

  #sendNext(): void {
    if (this.#answer !== undefined) return;
    const turn = this.#waiting.shift();
    if (turn === undefined) return;
    this.#answer = { turn, responseId: this.#deps.newResponseId() };
    this.#deps.send(turn);
  }

  #finishAfter(ms: number): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#deps.clock.after(ms, () => this.#finish());
  }

  #finish(): void {
    this.#stopWaiting();
    const done = this.#answer?.done;
    this.#answer = undefined;
    if (done !== undefined) this.#deps.emit(done);
    this.#sendNext();
  }
}

function expectsLateSound({ speech, streaming }: ChatTurnEvent, { audio }: DoneEvent): boolean {
  return speech?.enabled === true && streaming !== false && audio === undefined;
}
