import { Timer } from '../../shared/ports/clock.ts';
import type { Metrics } from '../../shared/protocol/realtime-api.ts';
import type { RelayEnvironment } from './gateway-model.ts';

/** The client gets a turn's end at most this long after the step that ended it, even if sound is still missing. */
const maxSoundWaitMs = 700;
/** Sound that comes this soon after a listen belongs to the previous turn. */
const soundAfterListenMs = 1000;
/**
 * Sound that comes this soon after a listen belongs to the previous turn, if that turn has fewer sounds than steps with
 * text.
 */
const missingSoundMs = 2000;
/**
 * Sound comes at least this long after its text. Sound that comes earlier in a turn belongs to the previous one, if
 * that one lacks sound or was interrupted.
 */
const minSoundDelayMs = 250;

/** Text that ends with a letter, digit, comma, semicolon, colon or hyphen ends in the middle of a sentence. */
const midSentence = /[\p{L}\p{N},;:，、；：-]\s*$/u;

/** A step that the server answers, perhaps late. */
export interface AnsweredStep {
  readonly number: number;
  readonly inputId: string | undefined;
  /** The client got a listen for this step, because the server did not answer in time. */
  readonly hasTimedOut: boolean;
}

interface Turn {
  readonly responseId: string;
  /** The input id of the newest step that spoke. The turn's sound is sent with it. */
  inputId: string | undefined;
  lastStep: number;
  /** The number of steps that spoke, with text or with sound alone. */
  spokenSteps: number;
  soundCount: number;
  /** The newest step that brought sound when no earlier step's sound was missing. Its own text was lost. */
  soundOnlyStep: number | undefined;
  endsMidSentence: boolean;
  wasInterrupted: boolean;
}

/** A turn without further text, whose end waits for its sound. */
interface ClosingTurn {
  readonly turn: Turn;
  /** Listens of later steps, which the client gets after the turn's end. */
  listens: readonly PendingListen[];
  /** The silent step that ended the turn in the middle of a sentence. If its text was only lost, the turn goes on. */
  silentStep: number | undefined;
}

interface PendingListen {
  readonly inputId: string | undefined;
  readonly metrics: Metrics;
}

/**
 * Assembles a model server's steps into turns for the client. The server does not mark turns, so a turn ends at the
 * first step without text. The client gets the end after the turn's sound, which comes later than its text.
 */
export class TurnAssembler {
  readonly #environment: RelayEnvironment;
  readonly #timer: Timer;
  readonly #isMute: boolean;
  #openTurn: Turn | undefined;
  #openedAt = 0;
  #previous: Turn | undefined;
  /** The turn that waits for its sound. */
  #closing: ClosingTurn | undefined;
  #lastListenAt = -Infinity;
  #isInterrupted = false;

  constructor(environment: RelayEnvironment) {
    this.#environment = environment;
    this.#timer = new Timer(environment.clock);
    this.#isMute = environment.settings.generation?.generateAudio === false;
  }

  get isOpen(): boolean {
    return this.#openTurn !== undefined;
  }

  /** The client interrupts the model. Sound is dropped until text of a later append comes. */
  interrupt(): void {
    this.#isInterrupted = true;
    for (const turn of [this.#openTurn, this.#closing?.turn, this.#previous])
      if (turn !== undefined) turn.wasInterrupted = true;
    this.#finishClosing();
  }

  /** `isAfterInterruption`: the step's append was sent after the client's last interruption. */
  addText(text: string, step: AnsweredStep, metrics: Metrics, isAfterInterruption: boolean): void {
    this.#resumeOrFinishClosing(step);
    if (isAfterInterruption) this.#isInterrupted = false;
    this.#openTurn ??= this.#beginTurn(step);
    const turn = this.#openTurn;
    if (turn.lastStep !== step.number) turn.spokenSteps += 1;
    turn.lastStep = step.number;
    turn.inputId = step.inputId;
    turn.endsMidSentence = midSentence.test(text);
    this.#sendText(turn, text, step.inputId, metrics);
  }

  /** `step` is the step that runs. */
  addSound(audio: Float32Array, step: AnsweredStep | undefined, metrics: Metrics): void {
    if (this.#isMute || this.#isInterrupted) return;
    const turn = this.#findTurnOfSound();
    if (turn.wasInterrupted) return;
    if (this.#closing?.silentStep !== undefined && !isSoundMissing(turn))
      this.#resumeTurn(this.#closing);
    const isOwn = turn === this.#openTurn && step !== undefined && step.number !== turn.lastStep;
    if (isOwn && !isSoundMissing(turn)) {
      turn.soundOnlyStep = step.number;
      turn.inputId = step.inputId;
    }
    turn.soundCount += 1;
    const { dialect, emit } = this.#clientOutput();
    const { responseId, inputId } = turn;
    emit({ kind: 'output', wire: dialect, responseId, inputId, audio, metrics });
    this.#closeIfComplete();
  }

  /** A step without text. It ends the turn. */
  listen(listen: PendingListen): void {
    this.#endTurn();
    this.#lastListenAt = this.#environment.clock.now();
    if (this.#closing === undefined) {
      this.#sendListen(listen);
      return;
    }
    this.#closing.listens = [...this.#closing.listens, listen];
    this.#closing.silentStep = undefined;
    this.#closeIfComplete();
  }

  /**
   * A step that was not answered in time. If its sound came, only its text was lost, and the turn goes on. If the turn
   * stopped in the middle of a sentence, it goes on when more sound or text comes soon. In all other cases the step
   * counts as a listen.
   */
  addSilence({ number, inputId }: AnsweredStep, metrics: Metrics): void {
    const turn = this.#openTurn;
    if (turn?.soundOnlyStep === number) {
      turn.spokenSteps += 1;
      return;
    }
    if (turn?.endsMidSentence !== true || turn.wasInterrupted) {
      this.listen({ inputId, metrics });
      return;
    }
    this.#endTurn();
    if (this.#closing === undefined) return;
    this.#lastListenAt = this.#environment.clock.now();
    this.#closing.listens = [{ inputId, metrics }];
    this.#closing.silentStep = number;
  }

  /** A listen followed text in the same step, so the turn ends with this step. */
  listenAfterText(): void {
    this.#endTurn();
    this.#lastListenAt = this.#environment.clock.now();
    this.#closeIfComplete();
  }

  stop(): void {
    this.#timer.stop();
  }

  #beginTurn(step: AnsweredStep): Turn {
    this.#openedAt = this.#environment.clock.now();
    const responseId = this.#environment.newResponseId();
    const { inputId } = step;
    const wasInterrupted = this.#isInterrupted;
    return {
      responseId,
      inputId,
      lastStep: 0,
      spokenSteps: 0,
      soundCount: 0,
      soundOnlyStep: undefined,
      endsMidSentence: false,
      wasInterrupted,
    };
  }

  /** Decides whether new text continues the turn that is closing, as late text of a step that timed out does. */
  #resumeOrFinishClosing(step: AnsweredStep): void {
    if (this.#closing === undefined) return;
    const { turn, listens, silentStep } = this.#closing;
    const [firstListen] = listens;
    if (silentStep !== undefined && silentStep !== step.number) {
      this.#resumeTurn(this.#closing);
      // Every append needs an answer. This empty text answers the one whose text was lost.
      this.#sendText(turn, '', firstListen?.inputId, firstListen?.metrics);
      return;
    }
    if (!step.hasTimedOut || listens.length !== 1 || firstListen?.inputId !== step.inputId) {
      this.#finishClosing();
      return;
    }
    this.#timer.stop();
    this.#closing = undefined;
    this.#openTurn = turn;
  }

  #findTurnOfSound(): Turn {
    const now = this.#environment.clock.now();
    const previous = this.#previous;
    if (this.#openTurn !== undefined) {
      const isEarly = now - this.#openedAt < minSoundDelayMs && this.#openTurn.spokenSteps > 0;
      const lacksSound =
        previous !== undefined && (previous.wasInterrupted || isSoundMissing(previous));
      return isEarly && lacksSound ? previous : this.#openTurn;
    }
    if (this.#closing !== undefined) return this.#closing.turn;
    if (previous !== undefined) {
      const limitMs = isSoundMissing(previous) ? missingSoundMs : soundAfterListenMs;
      if (now - this.#lastListenAt <= limitMs) return previous;
    }
    // Sound without text begins a turn: its text was lost, or the answer has none.
    this.#openTurn = this.#beginTurn({ number: 0, inputId: undefined, hasTimedOut: false });
    return this.#openTurn;
  }

  #endTurn(): void {
    const turn = this.#openTurn;
    if (turn === undefined) return;
    this.#openTurn = undefined;
    this.#previous = turn;
    // The client stopped an interrupted turn itself, and waits only for a listen.
    if (turn.wasInterrupted) return;
    this.#closing = { turn, listens: [], silentStep: undefined };
    this.#timer.set(maxSoundWaitMs, () => this.#finishClosing());
  }

  #closeIfComplete(): void {
    if (this.#closing === undefined || this.#closing.silentStep !== undefined) return;
    if (this.#isMute || !isSoundMissing(this.#closing.turn)) this.#finishClosing();
  }

  #resumeTurn({ turn, listens: [firstListen] }: ClosingTurn): void {
    this.#timer.stop();
    this.#closing = undefined;
    this.#openTurn = turn;
    turn.spokenSteps += 1;
    turn.inputId = firstListen?.inputId;
  }

  #finishClosing(): void {
    const closing = this.#closing;
    if (closing === undefined) return;
    this.#closing = undefined;
    this.#timer.stop();
    if (!closing.turn.wasInterrupted) this.#sendTurnEnd(closing.turn);
    for (const listen of closing.listens) this.#sendListen(listen);
  }

  #sendText(
    { responseId }: Turn,
    text: string,
    inputId: string | undefined,
    metrics: Metrics | undefined,
  ): void {
    const { dialect: wire, emit } = this.#clientOutput();
    emit({ kind: 'output', wire, responseId, inputId, text, metrics });
  }

  /** Marks the end as deployed servers do: a listen with the turn's response id, or `end_of_turn` in the legacy dialect. */
  #sendTurnEnd({ responseId, inputId }: Turn): void {
    const { dialect: wire, emit } = this.#clientOutput();
    const shared = { wire, responseId, inputId, metrics: this.#environment.context.stamp() };
    if (wire === 'unified') emit({ kind: 'listen', ...shared });
    else emit({ kind: 'output', ...shared, text: '', endOfTurn: true });
  }

  #sendListen({ inputId, metrics }: PendingListen): void {
    const { dialect, emit } = this.#clientOutput();
    emit({ kind: 'listen', wire: dialect, inputId, metrics });
  }

  #clientOutput() {
    const { emit, options } = this.#environment;
    return { emit, dialect: options.dialect };
  }
}

function isSoundMissing({ spokenSteps, soundCount }: Turn): boolean {
  return soundCount < spokenSteps;
}
