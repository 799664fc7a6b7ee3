import type { Clock } from '../../shared/ports/clock.ts';
import type { AppendEvent } from '../../shared/protocol/client-event.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { BackendStat } from './backend.ts';

/** Appends that wait while another is with the model. */
const maxWaiting = 2;
/** The model expects a second of sound per append. */
const maxJoinedSamples = inputRate;
const minWatchMs = 1500;
const watchMedians = 3;
const recentSteps = 9;

interface SentAppend {
  readonly append: AppendEvent;
  readonly sentAt: number;
}

interface Deps {
  readonly clock: Clock;
  readonly send: (append: AppendEvent) => void;
  /** The server did not answer the step in time. */
  readonly onSilence: (append: AppendEvent) => void;
  /** The client sent input too fast, and its oldest append was never sent to the model. */
  readonly onDropped: () => void;
  readonly record: (stat: BackendStat) => void;
}

/**
 * Sends one append at a time and pairs the server's answers with them. The server numbers responses by append
 * and echoes no ids, and two of its faults leave a step without an answer.
 */
export class BackendSteps {
  readonly #deps: Deps;
  #waiting: AppendEvent[] = [];
  #current: SentAppend | undefined;
  #sent = 0;
  /** The server's number of our first append, known from its first answer. */
  #firstNumber: number | undefined;
  #stopWatch: () => void = () => undefined;
  #times: number[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(append: AppendEvent): void {
    this.#waiting.push(append);
    if (this.#current === undefined) this.#sendNext();
    else if (this.#waiting.length > maxWaiting) this.#shorten();
  }

  /**
   * Takes the append that this answer settles, or undefined if the answer belongs to an earlier step. Call it for
   * texts, listens and ends of responses, but not for sound, which comes late under newer numbers.
   */
  settle(responseId: string | undefined): AppendEvent | undefined {
    const current = this.#current;
    if (current === undefined || this.#isOlder(responseId)) return undefined;
    const ms = this.#deps.clock.now() - current.sentAt;
    this.#times = [...this.#times, ms].slice(-recentSteps);
    this.#deps.record({ kind: 'step', ms, isSilent: false });
    this.#goOn();
    return current.append;
  }

  end(): void {
    this.#stopWatch();
    this.#waiting = [];
    this.#current = undefined;
  }

  #isOlder(responseId: string | undefined): boolean {
    const number = responseNumber(responseId);
    if (number === undefined) return false;
    this.#firstNumber ??= number - this.#sent + 1;
    const position = number - this.#firstNumber + 1;
    // A number that was never sent is a fault of the server, and its answer counts for the current step.
    return position >= 1 && position < this.#sent;
  }

  #goOn(): void {
    this.#stopWatch();
    this.#current = undefined;
    this.#sendNext();
  }

  #sendNext(): void {
    const append = this.#waiting.shift();
    if (append === undefined) return;
    const { clock, send } = this.#deps;
    this.#sent += 1;
    this.#current = { append, sentAt: clock.now() };
    const watchMs = this.#watchMs();
    this.#stopWatch = clock.after(watchMs, () => {
      this.#goOn();
      this.#deps.record({ kind: 'step', ms: watchMs, isSilent: true });
      this.#deps.onSilence(append);
    });
    send(append);
  }

  #watchMs(): number {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.max(minWatchMs, watchMedians * median);
  }

  /** Joins the two oldest appends if they are short enough, and drops the oldest otherwise. */
  #shorten(): void {
    const [first, second, ...rest] = this.#waiting;
    if (first === undefined || second === undefined) return;
    if (first.audio.length + second.audio.length <= maxJoinedSamples) {
      this.#waiting = [joinAppends(first, second), ...rest];
      this.#deps.record({ kind: 'late', what: 'joined' });
    } else {
      this.#waiting = [keepForcedListen(first, second), ...rest];
      this.#deps.record({ kind: 'late', what: 'dropped' });
      this.#deps.onDropped();
    }
  }
}

function joinAppends(first: AppendEvent, second: AppendEvent): AppendEvent {
  const audio = new Float32Array(first.audio.length + second.audio.length);
  audio.set(first.audio);
  audio.set(second.audio, first.audio.length);
  const frames = second.frames ?? first.frames;
  return { ...keepForcedListen(first, second), audio, frames };
}

/** An interruption must reach the model even if its append is dropped. */
function keepForcedListen(dropped: AppendEvent, next: AppendEvent): AppendEvent {
  return dropped.forceListen === true ? { ...next, forceListen: true } : next;
}

/** `…_resp_17` has number 17; other servers name responses differently. */
function responseNumber(responseId: string | undefined): number | undefined {
  const digits = /_resp_(\d{1,9})$/u.exec(responseId ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
