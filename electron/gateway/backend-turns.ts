import { Timer } from '../../shared/ports/clock.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import type { BackendEnvironment } from './backend-environment.ts';

/** The sound of a turn is this late at most, so the turn's end waits no longer for it. */
const lateSoundMs = 700;
/** Sound without text this soon after a listen belongs to the turn before. */
const soundAfterListenMs = 1000;
/** Speech takes longer than this from its text, so earlier sound belongs to the turn before. */
const minSoundDelayMs = 250;

/** A step as far as its answer concerns the client. */
export interface AnsweredStep {
  readonly number: number;
  readonly inputId: string | undefined;
  /** The client got a listen for this step, because the server did not answer in time. */
  readonly wasGivenUp: boolean;
}

interface Turn {
  readonly responseId: string;
  /** The newest step with text; the turn's sound is sent with its id. */
  inputId: string | undefined;
  lastStep: number;
  textSteps: number;
  sounds: number;
  wasCut: boolean;
}

interface HeldListen {
  readonly inputId: string | undefined;
  readonly metrics: Metrics;
}

/**
 * Turns of the model, as the client hears them. The server numbers steps and marks no turn: a turn ends at the
 * first step without text. The client hears of that end after the turn's sound, which comes late.
 */
export class BackendTurns {
  readonly #environment: BackendEnvironment;
  readonly #timer: Timer;
  readonly #isMute: boolean;
  #open: Turn | undefined;
  #openedAt = 0;
  #previous: Turn | undefined;
  /** The turn that waits for its sound, with the listens of the steps after it. */
  #ending: { readonly turn: Turn; listens: readonly HeldListen[] } | undefined;
  #listenedAt = -Infinity;
  #isCut = false;

  constructor(environment: BackendEnvironment) {
    this.#environment = environment;
    this.#timer = new Timer(environment.clock);
    this.#isMute = environment.settings.generation?.generateAudio === false;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The client interrupts: sound is dropped until the next text. */
  cut(): void {
    this.#isCut = true;
    for (const turn of [this.#open, this.#ending?.turn, this.#previous])
      if (turn !== undefined) turn.wasCut = true;
    this.#finishEnding();
  }

  /** `isAfterCut`: the step's append was sent after the client's last interruption. */
  text(text: string, step: AnsweredStep, metrics: Metrics, isAfterCut: boolean): void {
    this.#resume(step);
    if (isAfterCut) this.#isCut = false;
    this.#open ??= this.#begin(step);
    const turn = this.#open;
    if (turn.lastStep !== step.number) turn.textSteps += 1;
    turn.lastStep = step.number;
    turn.inputId = step.inputId;
    const { dialect, emit } = this.#output();
    emit({
      kind: 'output',
      wire: dialect,
      responseId: turn.responseId,
      inputId: step.inputId,
      text,
      metrics,
    });
  }

  sound(audio: Float32Array, metrics: Metrics): void {
    if (this.#isMute || this.#isCut) return;
    const turn = this.#turnOfSound();
    if (turn.wasCut) return;
    turn.sounds += 1;
    const { dialect, emit } = this.#output();
    const { responseId, inputId } = turn;
    emit({ kind: 'output', wire: dialect, responseId, inputId, audio, metrics });
    if (this.#ending !== undefined) this.#endIfComplete(this.#ending.turn);
  }

  /** A step without text. It ends the turn. */
  listen(listen: HeldListen): void {
    this.#endTurn();
    this.#listenedAt = this.#environment.clock.now();
    if (this.#ending === undefined) {
      this.#sendListen(listen);
      return;
    }
    this.#ending.listens = [...this.#ending.listens, listen];
    this.#endIfComplete(this.#ending.turn);
  }

  /** The step's text was followed by a listen, so the turn ends with this step. */
  listenAfterText(): void {
    this.#endTurn();
    this.#listenedAt = this.#environment.clock.now();
    if (this.#ending !== undefined) this.#endIfComplete(this.#ending.turn);
  }

  stop(): void {
    this.#timer.stop();
  }

  #begin(step: AnsweredStep): Turn {
    this.#openedAt = this.#environment.clock.now();
    const responseId = this.#environment.newResponseId();
    const { inputId } = step;
    const wasCut = this.#isCut;
    return { responseId, inputId, lastStep: 0, textSteps: 0, sounds: 0, wasCut };
  }

  /** Text of a step that was given up goes on with the turn; any other text begins the next one. */
  #resume(step: AnsweredStep): void {
    if (this.#ending === undefined) return;
    const { turn, listens } = this.#ending;
    const [held] = listens;
    if (!step.wasGivenUp || listens.length !== 1 || held?.inputId !== step.inputId) {
      this.#finishEnding();
      return;
    }
    this.#timer.stop();
    this.#ending = undefined;
    this.#open = turn;
  }

  #turnOfSound(): Turn {
    const now = this.#environment.clock.now();
    const previous = this.#previous;
    if (this.#open !== undefined) {
      const isEarly = now - this.#openedAt < minSoundDelayMs && this.#open.textSteps > 0;
      const isOwed = previous !== undefined && (previous.wasCut || isSoundDue(previous));
      return isEarly && isOwed ? previous : this.#open;
    }
    if (this.#ending !== undefined) return this.#ending.turn;
    if (previous !== undefined && now - this.#listenedAt <= soundAfterListenMs) return previous;
    // The text was lost, or the answer has none.
    this.#open = this.#begin({ number: 0, inputId: undefined, wasGivenUp: false });
    return this.#open;
  }

  #endTurn(): void {
    const turn = this.#open;
    if (turn === undefined) return;
    this.#open = undefined;
    this.#previous = turn;
    // The client has stopped a cut turn itself, and waits for the plain listen.
    if (turn.wasCut) return;
    this.#ending = { turn, listens: [] };
    this.#timer.set(lateSoundMs, () => {
      this.#finishEnding();
    });
  }

  #endIfComplete(turn: Turn): void {
    if (this.#isMute || !isSoundDue(turn)) this.#finishEnding();
  }

  #finishEnding(): void {
    const ending = this.#ending;
    if (ending === undefined) return;
    this.#ending = undefined;
    this.#timer.stop();
    if (!ending.turn.wasCut) this.#sendTurnEnd(ending.turn);
    for (const listen of ending.listens) this.#sendListen(listen);
  }

  /** As deployed servers mark it: a listen in the last step with text, or `end_of_turn` in the legacy dialect. */
  #sendTurnEnd({ responseId, inputId }: Turn): void {
    const { dialect: wire, emit } = this.#output();
    const shared = { wire, responseId, inputId, metrics: this.#environment.context.stamp() };
    if (wire === 'unified') emit({ kind: 'listen', ...shared });
    else emit({ kind: 'output', ...shared, text: '', endOfTurn: true });
  }

  #sendListen({ inputId, metrics }: HeldListen): void {
    const { dialect, emit } = this.#output();
    emit({ kind: 'listen', wire: dialect, inputId, metrics });
  }

  #output() {
    const { emit, options } = this.#environment;
    return { emit, dialect: options.dialect };
  }
}

function isSoundDue({ textSteps, sounds }: Turn): boolean {
  return sounds < textSteps;
}
