import { Timer } from '../../shared/ports/clock.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import type { BackendEnvironment } from './backend-environment.ts';

/** The sound of a turn is this late at most, so the turn's end waits no longer for it. */
const lateSoundMs = 700;
/** Sound without text this soon after a listen belongs to the turn before. */
const soundAfterListenMs = 1000;
/** Sound that the turn before still lacks may take this long. */
const dueSoundMs = 2000;
/** Speech takes longer than this from its text, so earlier sound belongs to the turn before. */
const minSoundDelayMs = 250;

/** Text that no sentence ends with. */
const unfinished = /[\p{L}\p{N},;:，、；：-]\s*$/u;

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
  /** Steps that spoke, with text or by their sound alone. */
  spokenSteps: number;
  sounds: number;
  /** The newest step without text in which sound came that no earlier step had left to send. */
  soundStep: number | undefined;
  /** Its text stops in the middle of a sentence. */
  isUnfinished: boolean;
  wasCut: boolean;
}

interface Ending {
  readonly turn: Turn;
  /** The steps since then, whose listens follow the turn's end. */
  listens: readonly HeldListen[];
  /** The step whose silence ended the turn in the middle of a sentence. Its text may be lost, and the turn go on. */
  silentStep: number | undefined;
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
  /** The turn that waits for its sound. */
  #ending: Ending | undefined;
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
    if (turn.lastStep !== step.number) turn.spokenSteps += 1;
    turn.lastStep = step.number;
    turn.inputId = step.inputId;
    turn.isUnfinished = unfinished.test(text);
    this.#sendText(turn, text, step.inputId, metrics);
  }

  /** `step`: the one that the server works on, if any. */
  sound(audio: Float32Array, step: AnsweredStep | undefined, metrics: Metrics): void {
    if (this.#isMute || this.#isCut) return;
    const turn = this.#turnOfSound();
    if (turn.wasCut) return;
    if (this.#ending?.silentStep !== undefined && !isSoundDue(turn)) this.#goOn(this.#ending);
    const isOwn = turn === this.#open && step !== undefined && step.number !== turn.lastStep;
    if (isOwn && !isSoundDue(turn)) {
      turn.soundStep = step.number;
      turn.inputId = step.inputId;
    }
    turn.sounds += 1;
    const { dialect, emit } = this.#output();
    const { responseId, inputId } = turn;
    emit({ kind: 'output', wire: dialect, responseId, inputId, audio, metrics });
    this.#endIfComplete();
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
    this.#ending.silentStep = undefined;
    this.#endIfComplete();
  }

  /**
   * A step without any answer in time. If its sound came, its text was lost and the turn goes on. So it does when
   * sound or text follows the middle of a sentence soon.
   */
  silence({ number, inputId }: AnsweredStep, metrics: Metrics): void {
    const turn = this.#open;
    if (turn?.soundStep === number) {
      turn.spokenSteps += 1;
      return;
    }
    if (turn?.isUnfinished !== true || turn.wasCut) {
      this.listen({ inputId, metrics });
      return;
    }
    this.#endTurn();
    if (this.#ending === undefined) return;
    this.#listenedAt = this.#environment.clock.now();
    this.#ending.listens = [{ inputId, metrics }];
    this.#ending.silentStep = number;
  }

  /** The step's text was followed by a listen, so the turn ends with this step. */
  listenAfterText(): void {
    this.#endTurn();
    this.#listenedAt = this.#environment.clock.now();
    this.#endIfComplete();
  }

  stop(): void {
    this.#timer.stop();
  }

  #begin(step: AnsweredStep): Turn {
    this.#openedAt = this.#environment.clock.now();
    const responseId = this.#environment.newResponseId();
    const { inputId } = step;
    const wasCut = this.#isCut;
    return {
      responseId,
      inputId,
      lastStep: 0,
      spokenSteps: 0,
      sounds: 0,
      soundStep: undefined,
      isUnfinished: false,
      wasCut,
    };
  }

  /** Text of a step that was given up goes on with the turn; any other text begins the next one. */
  #resume(step: AnsweredStep): void {
    if (this.#ending === undefined) return;
    const { turn, listens, silentStep } = this.#ending;
    const [held] = listens;
    if (silentStep !== undefined && silentStep !== step.number) {
      this.#goOn(this.#ending);
      // The append of the step whose text was lost needs an answer.
      this.#sendText(turn, '', held?.inputId, held?.metrics);
      return;
    }
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
      const isEarly = now - this.#openedAt < minSoundDelayMs && this.#open.spokenSteps > 0;
      const isOwed = previous !== undefined && (previous.wasCut || isSoundDue(previous));
      return isEarly && isOwed ? previous : this.#open;
    }
    if (this.#ending !== undefined) return this.#ending.turn;
    if (previous !== undefined) {
      const limitMs = isSoundDue(previous) ? dueSoundMs : soundAfterListenMs;
      if (now - this.#listenedAt <= limitMs) return previous;
    }
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
    this.#ending = { turn, listens: [], silentStep: undefined };
    this.#timer.set(lateSoundMs, () => {
      this.#finishEnding();
    });
  }

  #endIfComplete(): void {
    if (this.#ending === undefined || this.#ending.silentStep !== undefined) return;
    if (this.#isMute || !isSoundDue(this.#ending.turn)) this.#finishEnding();
  }

  #goOn({ turn, listens: [held] }: Ending): void {
    this.#timer.stop();
    this.#ending = undefined;
    this.#open = turn;
    turn.spokenSteps += 1;
    turn.inputId = held?.inputId;
  }

  #finishEnding(): void {
    const ending = this.#ending;
    if (ending === undefined) return;
    this.#ending = undefined;
    this.#timer.stop();
    if (!ending.turn.wasCut) this.#sendTurnEnd(ending.turn);
    for (const listen of ending.listens) this.#sendListen(listen);
  }

  #sendText(
    { responseId }: Turn,
    text: string,
    inputId: string | undefined,
    metrics: Metrics | undefined,
  ): void {
    const { dialect: wire, emit } = this.#output();
    emit({ kind: 'output', wire, responseId, inputId, text, metrics });
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

function isSoundDue({ spokenSteps, sounds }: Turn): boolean {
  return sounds < spokenSteps;
}
