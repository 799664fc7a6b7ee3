import { Timer } from '../../shared/ports/clock.ts';
import type { AppendEvent } from '../../shared/protocol/client-event.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type {
  CommonFields,
  DoneEvent,
  ListenEvent,
  Metrics,
  OutputEvent,
} from '../../shared/protocol/server-event.ts';
import { pictureTokens } from '../../shared/vision/vision-frame.ts';
import type { BackendEnvironment } from './backend-environment.ts';
import { BackendTurns } from './backend-turns.ts';
import { appendProblem } from './duplex-model.ts';
import {
  countSoundTokens,
  countTextTokens,
  type GatewayModel,
  type RequestProblem,
} from './gateway-model.ts';

/** If more appends wait for the running step, the oldest are joined or dropped. */
const maxWaiting = 2;
/** Two waiting appends are joined if together they are at most a second long, the sound of one step. */
const maxJoinedSamples = inputRate;
/** A step is given up after three times the median of the last 15 steps, and after 1.5 s at the earliest. */
const minWatchMs = 1500;
const watchFactor = 3;
const timedSteps = 15;
/** A step with text ends this long after its last text, because the event that ends it may be lost. */
const textTailMs = 300;
/** A server that leaves this many steps in a row unanswered has stopped. */
const maxSilentSteps = 10;
/** If this many steps are answered under numbers that are off by the same amount, the first number was wrong. */
const maxDoubts = 3;

interface Step {
  readonly number: number;
  readonly inputId: string | undefined;
  readonly sentAt: number;
  readonly tokens: number;
  readonly hasFrame: boolean;
  text: string;
  hasTokenCount: boolean;
  wasGivenUp: boolean;
}

/** Full duplex: sends one append at a time, and answers each to the client, even if the server does not. */
export class BackendDuplex implements GatewayModel<AppendEvent> {
  readonly #environment: BackendEnvironment;
  readonly #turns: BackendTurns;
  readonly #watch: Timer;
  #waiting: readonly AppendEvent[] = [];
  #step: Step | undefined;
  /** Previous steps, newest last. The server may still answer these. */
  #earlier: readonly Step[] = [];
  #count = 0;
  /** The server's number of the first step. */
  #firstNumber: number | undefined;
  /** Steps whose answers had an earlier step's number, each with the first number that would make it right. */
  #doubts: readonly { readonly first: number; readonly step: number }[] = [];
  #times: readonly number[] = [];
  #silentSteps = 0;
  /** Text that came since the last step ended, under any response id. */
  #streamed = '';
  #forcedStep = 0;
  #joined = 0;
  #dropped = 0;
  #isOver = false;

  constructor(environment: BackendEnvironment) {
    this.#environment = environment;
    this.#turns = new BackendTurns(environment);
    this.#watch = new Timer(environment.clock);
  }

  accept(append: AppendEvent): RequestProblem | undefined {
    const problem = appendProblem(append, this.#environment);
    if (problem !== undefined) return problem;
    if (append.forceListen === true) this.#turns.cut();
    this.#waiting = [...this.#waiting, append];
    this.#sendNext();
    if (this.#waiting.length > maxWaiting) this.#shorten();
    return undefined;
  }

  receive(event: ListenEvent | OutputEvent | DoneEvent): void {
    this.#silentSteps = 0;
    const isReported = this.#environment.context.report(event.metrics?.contextTokens);
    if (isReported && this.#step !== undefined) this.#step.hasTokenCount = true;
    if (event.kind === 'output') this.#receiveOutput(event);
    else if (event.kind === 'listen') this.#receiveListen(event);
    else this.#receiveDone(event);
  }

  end(): void {
    this.#isOver = true;
    this.#watch.stop();
    this.#turns.stop();
    this.#waiting = [];
  }

  /** Joins the two oldest waiting appends if one step can hear both, or drops the oldest. */
  #shorten(): void {
    const [first, second, ...others] = this.#waiting;
    if (first === undefined || second === undefined) return;
    const samples = first.audio.length + second.audio.length;
    const isShort = samples <= maxJoinedSamples;
    const audio = isShort ? new Float32Array(samples) : second.audio;
    if (isShort) {
      audio.set(first.audio);
      audio.set(second.audio, first.audio.length);
      this.#joined += 1;
    } else {
      this.#dropped += 1;
    }
    this.#environment.record({ kind: 'late', what: isShort ? 'joined' : 'dropped' });
    const joined: AppendEvent = {
      ...second,
      audio,
      // The picture and the interruption of a dropped append are still sent.
      frames: second.frames?.length ? second.frames : first.frames,
      forceListen: first.forceListen === true || second.forceListen,
    };
    this.#waiting = [joined, ...others];
  }

  #sendNext(): void {
    const [append, ...others] = this.#waiting;
    if (this.#step !== undefined || append === undefined || this.#isOver) return;
    this.#waiting = others;
    this.#count += 1;
    const { clock, codec, mode, send, settings } = this.#environment;
    const { audio, forceListen, inputId } = append;
    const maxSlices = append.maxSlices ?? settings.maxSlices;
    const hasFrame = mode === 'video' && (append.frames?.length ?? 0) > 0;
    // The server looks at the first frame only.
    const frames = hasFrame ? append.frames?.slice(-1) : undefined;
    if (forceListen === true) this.#forcedStep = this.#count;
    this.#step = {
      number: this.#count,
      inputId,
      sentAt: clock.now(),
      tokens: countSoundTokens(audio.length) + (hasFrame ? pictureTokens(maxSlices ?? 1) : 0),
      hasFrame,
      text: '',
      hasTokenCount: false,
      wasGivenUp: false,
    };
    this.#watch.set(this.#watchMs(), () => this.#giveUp());
    send(codec.encodeAppend({ kind: 'append', audio, frames, forceListen, maxSlices }));
  }

  #watchMs(): number {
    const sorted = this.#times.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.max(minWatchMs, watchFactor * median);
  }

  #receiveOutput(event: OutputEvent): void {
    const { text = '', audio } = event;
    const metrics = this.#stamp(event.metrics);
    if (text !== '') this.#receiveText(text, event, metrics);
    if (audio !== undefined && audio.length > 0) this.#turns.addSound(audio, this.#step, metrics);
  }

  #receiveText(text: string, event: CommonFields, metrics: Metrics): void {
    // The server works on one step at a time, so once this step has text, all text belongs to it.
    const streaming = this.#step?.text === '' ? undefined : this.#step;
    const step = streaming ?? this.#findStep(event) ?? this.#earlier.at(-1);
    if (step === undefined) {
      this.#environment.record({ kind: 'ignored', what: 'unknown' });
      return;
    }
    const isAfterCut =
      step.number > this.#forcedStep &&
      !this.#waiting.some(({ forceListen }) => forceListen === true);
    // Text with a wrong id must not count as one more step, because the turn would wait for that step's sound.
    const { number } = step.wasGivenUp ? step : (this.#step ?? step);
    this.#turns.addText(text, { ...step, number }, metrics, isAfterCut);
    step.text += text;
    this.#streamed += text;
    if (step !== this.#step) return;
    this.#watch.set(textTailMs, () => this.#settle(step));
  }

  #receiveListen(event: ListenEvent): void {
    const step = this.#findStep(event);
    if (step === undefined) return;
    if (step.text !== '') this.#turns.listenAfterText();
    // Other steps are answered already: given up, or with a listen that the server now repeats.
    else if (step === this.#step) this.#listen(step, this.#stamp(event.metrics));
    if (step === this.#step) this.#settle(step);
  }

  /** In duplex, `response.done` ends a step and has its whole text, of which a delta may be lost. */
  #receiveDone(event: DoneEvent): void {
    const step = this.#findStep(event);
    if (step === undefined) return;
    // Deltas with a wrong id were added to another step; without this, their text would be sent twice.
    const isStreamed = event.text !== '' && this.#streamed.endsWith(event.text);
    const known = isStreamed ? event.text : step.text;
    const rest = event.text.startsWith(known) ? event.text.slice(known.length) : '';
    if (rest !== '') this.#receiveText(rest, event, this.#stamp(event.metrics));
    else if (step.text === '' && !isStreamed && step === this.#step)
      this.#listen(step, this.#stamp(event.metrics));
    if (step === this.#step) this.#settle(step);
  }

  #listen(step: Step, metrics: Metrics): void {
    this.#turns.listen({ inputId: step.inputId, metrics });
  }

  /**
   * The step that an event answers: the current one, unless the event's number names an earlier one that may still be
   * answered. If its ids have no usable number, the server is assumed to answer in order.
   */
  #findStep({ responseId }: CommonFields): Step | undefined {
    const digits = /_resp_(\d{1,9})$/u.exec(responseId ?? '')?.[1];
    const current = this.#step;
    if (digits === undefined || current === undefined) return current;
    const first = Number(digits) - current.number + 1;
    this.#firstNumber ??= first;
    if (first === this.#firstNumber) {
      this.#doubts = [];
      return current;
    }
    const number = current.number + first - this.#firstNumber;
    const named = this.#earlier.find((step) => step.number === number);
    if (named === undefined || !(named.wasGivenUp || named === this.#earlier.at(-1)))
      return current;
    return this.#correctNumbering(first, current) ? current : named;
  }

  /** Corrects the first step's number, and returns true, if several steps in a row were off by the same amount. */
  #correctNumbering(first: number, { number }: Step): boolean {
    const same = this.#doubts.filter((doubt) => doubt.first === first && doubt.step !== number);
    this.#doubts = [...same, { first, step: number }];
    if (this.#doubts.length < maxDoubts) return false;
    this.#doubts = [];
    this.#firstNumber = first;
    return true;
  }

  #giveUp(): void {
    const step = this.#step;
    if (step === undefined) return;
    step.wasGivenUp = true;
    this.#silentSteps += 1;
    this.#turns.addSilence(step, this.#stamp());
    if (this.#silentSteps >= maxSilentSteps) this.#environment.onSilent();
    else this.#settle(step);
  }

  #settle(step: Step): void {
    const { clock, context, onStep, record } = this.#environment;
    this.#watch.stop();
    this.#streamed = '';
    const ms = clock.now() - step.sentAt;
    record({ kind: 'step', ms, isSilent: step.wasGivenUp });
    if (!step.wasGivenUp) {
      this.#times = [...this.#times, ms].slice(-timedSteps);
      onStep?.(ms, step.hasFrame);
    }
    if (!step.hasTokenCount) context.estimate(step.tokens + countTextTokens(step.text));
    this.#step = undefined;
    this.#earlier = [...this.#earlier, step].slice(-maxSilentSteps);
    if (context.endStep(this.#turns.isOpen)) this.#environment.onContextFull();
    else this.#sendNext();
  }

  /** Adds to the metrics how many appends were joined or dropped since the last event. */
  #stamp(metrics?: Metrics): Metrics {
    const stamped = this.#environment.context.stamp(metrics, {
      ...(this.#joined > 0 && { appends_joined: this.#joined }),
      ...(this.#dropped > 0 && { appends_dropped: this.#dropped }),
    });
    this.#joined = 0;
    this.#dropped = 0;
    return stamped;
  }
}
