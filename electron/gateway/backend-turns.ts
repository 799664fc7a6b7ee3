import { Timer } from '../../shared/ports/clock.ts';
import type { Metrics } from '../../shared/protocol/server-event.ts';
import type { BackendEnvironment } from './backend-environment.ts';

/** A turn's end waits at most this long for the turn's sound. */
const lateSoundMs = 700;
/** Sound that comes this soon after a listen belongs to the previous turn. */
const soundAfterListenMs = 1000;
/** The same limit if the previous turn has fewer sounds than steps with text. */
const owedSoundMs = 2000;
/** Sound comes at least this long after its text. Sound that comes earlier in a turn belongs to the previous one. */
const minSoundDelayMs = 250;

const unfinished = /[\p{L}\p{N},;:，、；：-]\s*$/u;

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
  /** The newest step that brought sound when no earlier step's sound was missing. Its own text was lost. */
  soundStep: number | undefined;
  isUnfinished: boolean;
  wasCut: boolean;
}

interface Ending {
  readonly turn: Turn;
  /** Listens of later steps, which the client gets after the turn's end. */
  listens: readonly WaitingListen[];
  /** The silent step that ended the turn in the middle of a sentence. If its text was only lost, the turn goes on. */
  silentStep: number | undefined;
}

interface WaitingListen {
  readonly inputId: string | undefined;
  readonly metrics: Metrics;
}

/**
 * Joins the server's steps to turns of the model. The server does not mark turns: a turn ends at the first step without
 * text. The client is notified of the end after the turn's sound, which comes later than its text.
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
  addText(text: string, step: AnsweredStep, metrics: Metrics, isAfterCut: boolean): void {
    this.#beforeText(step);
    if (isAfterCut) this.#isCut = false;
    this.#open ??= this.#begin(step);
    const turn = this.#open;
    if (turn.lastStep !== step.number) turn.spokenSteps += 1;
    turn.lastStep = step.number;
    turn.inputId = step.inputId;
    turn.isUnfinished = unfinished.test(text);
    this.#sendText(turn, text, step.inputId, metrics);
  }

  /** `step` is the one that the server works on. */
  addSound(audio: Float32Array, step: AnsweredStep | undefined, metrics: Metrics): void {
    if (this.#isMute || this.#isCut) return;
    const turn = this.#turnOfSound();
    if (turn.wasCut) return;
    if (this.#ending?.silentStep !== undefined && !isSoundOwed(turn))
      this.#resumeTurn(this.#ending);
    const isOwn = turn === this.#open && step !== undefined && step.number !== turn.lastStep;
    if (isOwn && !isSoundOwed(turn)) {
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
  listen(listen: WaitingListen): void {
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
   * A step that was not answered in time. If its sound came, only its text was lost, and the turn goes on. If the turn
   * stopped in the middle of a sentence, it goes on when more sound or text comes soon.
   */
  addSilence({ number, inputId }: AnsweredStep, metrics: Metrics): void {
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

  /** A listen followed text in the same step, so the turn ends with this step. */
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

  /** Decides whether new text continues the turn that is ending, as late text of a step that was given up does. */
  #beforeText(step: AnsweredStep): void {
    if (this.#ending === undefined) return;
    const { turn, listens, silentStep } = this.#ending;
    const [firstListen] = listens;
    if (silentStep !== undefined && silentStep !== step.number) {
      this.#resumeTurn(this.#ending);
      // Every append needs an answer, also that of the step whose text was lost.
      this.#sendText(turn, '', firstListen?.inputId, firstListen?.metrics);
      return;
    }
    if (!step.wasGivenUp || listens.length !== 1 || firstListen?.inputId !== step.inputId) {
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
      const isOwed = previous !== undefined && (previous.wasCut || isSoundOwed(previous));
      return isEarly && isOwed ? previous : this.#open;
    }
    if (this.#ending !== undefined) return this.#ending.turn;
    if (previous !== undefined) {
      const limitMs = isSoundOwed(previous) ? owedSoundMs : soundAfterListenMs;
      if (now - this.#listenedAt <= limitMs) return previous;
    }
    // Sound without text begins a turn: its text was lost, or the answer has none.
    this.#open = this.#begin({ number: 0, inputId: undefined, wasGivenUp: false });
    return this.#open;
  }

  #endTurn(): void {
    const turn = this.#open;
    if (turn === undefined) return;
    this.#open = undefined;
    this.#previous = turn;
    // The client stopped an interrupted turn itself, and waits only for a listen.
    if (turn.wasCut) return;
    this.#ending = { turn, listens: [], silentStep: undefined };
    this.#timer.set(lateSoundMs, () => this.#finishEnding());
  }

  #endIfComplete(): void {
    if (this.#ending === undefined || this.#ending.silentStep !== undefined) return;
    if (this.#isMute || !isSoundOwed(this.#ending.turn)) this.#finishEnding();
  }

  #resumeTurn({ turn, listens: [firstListen] }: Ending): void {
    this.#timer.stop();
    this.#ending = undefined;
    this.#open = turn;
    turn.spokenSteps += 1;
    turn.inputId = firstListen?.inputId;
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

  /** Marks the end as deployed servers do: a listen with the turn's response id, or `end_of_turn` in the legacy dialect. */
  #sendTurnEnd({ responseId, inputId }: Turn): void {
    const { dialect: wire, emit } = this.#output();
    const shared = { wire, responseId, inputId, metrics: this.#environment.context.stamp() };
    if (wire === 'unified') emit({ kind: 'listen', ...shared });
    else emit({ kind: 'output', ...shared, text: '', endOfTurn: true });
  }

  #sendListen({ inputId, metrics }: WaitingListen): void {
    const { dialect, emit } = this.#output();
    emit({ kind: 'listen', wire: dialect, inputId, metrics });
  }

  #output() {
    const { emit, options } = this.#environment;
    return { emit, dialect: options.dialect };
  }
}

function isSoundOwed({ spokenSteps, sounds }: Turn): boolean {
  return sounds < spokenSteps;
}
