import type { Clock } from '../../shared/ports/clock.ts';
import type { AppendEvent } from '../../shared/protocol/client-event.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type {
  DoneEvent,
  ListenEvent,
  Metrics,
  OutputEvent,
} from '../../shared/protocol/server-event.ts';
import { BackendSteps } from './backend-steps.ts';
import type { BackendStat } from './backend.ts';

/** How long the listen that closes a turn waits for the turn's sound. */
const soundWaitMs = 700;
/** Without further sound for this long, a turn's sound counts as complete. */
const soundGapMs = 250;
/** Sound without text this soon after a turn belongs to that turn. */
const lateSoundMs = 1000;

type Output = ListenEvent | OutputEvent;

export interface BackendDuplexDeps {
  readonly clock: Clock;
  readonly dialect: DialectName;
  readonly speaks: boolean;
  readonly send: (append: AppendEvent) => void;
  readonly emit: (event: Output) => void;
  readonly newResponseId: () => string;
  readonly record: (stat: BackendStat) => void;
}

/** The model's answer in one turn, over several steps of the server. */
interface Turn {
  readonly responseId: string;
  /** Steps with text whose sound has not come. */
  owedSounds: number;
  lastSoundAt: number;
  closedAt: number | undefined;
}

/** The listen that closes a turn, held back until the turn's sound has come. */
interface HeldListen {
  readonly event: ListenEvent;
  readonly until: number;
  readonly cancel: () => void;
}

/**
 * Turns the steps of the C++ server into the answers of the documents. Each answer has one id and a visible end,
 * events carry the id of the append that they answer, and the sound of a cut answer is dropped.
 */
export class BackendDuplex {
  readonly #deps: BackendDuplexDeps;
  readonly #steps: BackendSteps;
  #turn: Turn | undefined;
  #held: HeldListen | undefined;
  /**
   * The client has interrupted. First the steps before its append still bring words, then only sound is late.
   */
  #cut: 'no' | 'beforeItsStep' | 'untilText' = 'no';
  #dropped = 0;
  /** The response of the server that had text last, so that its end is not a silent step. */
  #textResponse: string | undefined;

  constructor(deps: BackendDuplexDeps) {
    this.#deps = deps;
    this.#steps = new BackendSteps({
      clock: deps.clock,
      send: deps.send,
      record: deps.record,
      onSilence: (append) => {
        this.#stepEnded(append);
        this.#listen(append, undefined);
      },
      onDropped: () => {
        this.#dropped += 1;
      },
    });
  }

  accept(append: AppendEvent): void {
    if (append.forceListen === true && this.#turn !== undefined) this.#cut = 'beforeItsStep';
    // The server uses the first frame only.
    const frames = append.frames?.slice(-1);
    this.#steps.add({ ...append, frames });
  }

  receive(event: DoneEvent | ListenEvent | OutputEvent): void {
    switch (event.kind) {
      case 'output':
        if (event.text !== undefined && event.text !== '') this.#text(event, event.text);
        if (event.audio !== undefined && event.audio.length > 0) this.#sound(event, event.audio);
        return;
      case 'listen':
        this.#listened(event);
        return;
      case 'done':
        this.#stepDone(event);
    }
  }

  end(): void {
    this.#steps.end();
    this.#held?.cancel();
    this.#held = undefined;
  }

  #text({ responseId, metrics }: OutputEvent, text: string): void {
    const append = this.#settle(responseId);
    this.#textResponse = responseId;
    this.#say(append, text, metrics);
  }

  #settle(responseId: string | undefined): AppendEvent | undefined {
    const append = this.#steps.settle(responseId);
    if (append !== undefined) this.#stepEnded(append);
    return append;
  }

  #stepEnded({ forceListen }: AppendEvent): void {
    if (forceListen === true && this.#cut === 'beforeItsStep') this.#cut = 'untilText';
  }

  #say(append: AppendEvent | undefined, text: string, metrics: Metrics | undefined): void {
    if (this.#cut === 'beforeItsStep') return;
    if (this.#cut === 'untilText') {
      // More text of a step that began before the interruption.
      if (append === undefined) return;
      this.#closeTurn();
      this.#cut = 'no';
    }
    this.#releaseHeld();
    const turn = this.#openedTurn() ?? this.#openTurn();
    if (append !== undefined && this.#deps.speaks) turn.owedSounds += 1;
    this.#output({ text, responseId: turn.responseId, inputId: append?.inputId, metrics });
  }

  #openedTurn(): Turn | undefined {
    return this.#turn?.closedAt === undefined ? this.#turn : undefined;
  }

  #closeTurn(): void {
    const turn = this.#openedTurn();
    if (turn !== undefined) turn.closedAt = this.#deps.clock.now();
  }

  #openTurn(): Turn {
    const responseId = this.#deps.newResponseId();
    this.#turn = { responseId, owedSounds: 0, lastSoundAt: -Infinity, closedAt: undefined };
    return this.#turn;
  }

  #sound({ metrics }: OutputEvent, audio: Float32Array): void {
    if (this.#cut !== 'no') return;
    const now = this.#deps.clock.now();
    const known = this.#turn;
    const isLate = known?.closedAt !== undefined && now - known.closedAt > lateSoundMs;
    const turn = known === undefined || isLate ? this.#openTurn() : known;
    turn.owedSounds = Math.max(0, turn.owedSounds - 1);
    turn.lastSoundAt = now;
    this.#output({ audio, responseId: turn.responseId, metrics });
    this.#holdAgain();
  }

  #listened({ responseId, metrics }: ListenEvent): void {
    const append = this.#settle(responseId);
    // Text and listen can come in one step, which the text has settled.
    if (append !== undefined || this.#openedTurn() !== undefined) this.#listen(append, metrics);
  }

  /** The end of a response says nothing about the turn. Its text repeats what was streamed, unless that was lost. */
  #stepDone({ responseId, text, metrics }: DoneEvent): void {
    const isEndOfText = responseId !== undefined && responseId === this.#textResponse;
    const append = this.#settle(responseId);
    if (append === undefined || isEndOfText) return;
    if (text === '') this.#listen(append, metrics);
    else this.#say(append, text, metrics);
  }

  /** A step without text. It closes the open turn. */
  #listen(append: AppendEvent | undefined, metrics: Metrics | undefined): void {
    this.#releaseHeld();
    const { clock, dialect, speaks } = this.#deps;
    const turn = this.#openedTurn();
    const event: ListenEvent = {
      kind: 'listen',
      wire: dialect,
      inputId: append?.inputId,
      responseId: turn?.responseId,
      metrics: this.#withDropped(metrics),
    };
    if (turn === undefined) {
      this.#deps.emit(event);
      return;
    }
    this.#closeTurn();
    if (this.#cut !== 'no' || !speaks) this.#close(event);
    else this.#hold(event, clock.now() + soundWaitMs);
  }

  #hold(event: ListenEvent, until: number): void {
    const { clock } = this.#deps;
    const turn = this.#turn;
    const quietAt =
      turn === undefined || turn.owedSounds > 0 ? until : turn.lastSoundAt + soundGapMs;
    const due = Math.min(until, quietAt);
    if (due <= clock.now()) {
      this.#close(event);
      return;
    }
    const cancel = clock.after(due - clock.now(), () => this.#releaseHeld());
    this.#held = { event, until, cancel };
  }

  #holdAgain(): void {
    const held = this.#held;
    if (held === undefined) return;
    held.cancel();
    this.#held = undefined;
    this.#hold(held.event, held.until);
  }

  #releaseHeld(): void {
    const held = this.#held;
    if (held === undefined) return;
    held.cancel();
    this.#held = undefined;
    this.#close(held.event);
  }

  /** The legacy dialect ends a turn by a flag on an output, and its listen has no response. */
  #close(event: ListenEvent): void {
    if (this.#deps.dialect === 'legacy')
      this.#deps.emit({ kind: 'output', wire: 'legacy', text: '', endOfTurn: true });
    this.#deps.emit(event);
  }

  #output(output: Omit<OutputEvent, 'kind' | 'wire'>): void {
    const { dialect, emit } = this.#deps;
    emit({ kind: 'output', wire: dialect, ...output, metrics: this.#withDropped(output.metrics) });
  }

  /** The documents have no event for dropped input, so the count goes along with the metrics. */
  #withDropped(metrics: Metrics | undefined): Metrics | undefined {
    if (this.#dropped === 0) return metrics;
    const figures = { ...metrics?.figures, dropped_inputs: this.#dropped };
    return { ...metrics, figures };
  }
}
