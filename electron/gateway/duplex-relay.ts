import { Timer } from '../../shared/ports/clock.ts';
import {
  type AppendEvent,
  inputRate,
  type CommonFields,
  type DoneEvent,
  type ListenEvent,
  type Metrics,
  type OutputEvent,
} from '../../shared/protocol/realtime-api.ts';
import { pictureTokens } from '../../shared/vision/vision-frame.ts';
import type { RelayEnvironment, GatewayModel, RequestProblem } from './gateway-model.ts';
import { TurnAssembler } from './turn-assembler.ts';
import { appendProblem } from './duplex-model.ts';
import { countSoundTokens, countTextTokens } from './context-window.ts';

/** If more appends wait for the running step, the two oldest are joined, or the oldest is dropped. */
const maxWaitingAppends = 2;
/** Two waiting appends are joined if together they are at most a second long, the sound of one step. */
const maxJoinedSamples = inputRate;
/** A step times out after three times the median of the last 15 answered steps, and after 1.5 s at the earliest. */
const minStepTimeoutMs = 1500;
const timeoutFactor = 3;
const timedSteps = 15;
/** A step with text ends this long after its last text, because the event that ends it may be lost. */
const endAfterTextMs = 300;
/** A server that leaves this many steps in a row unanswered has stopped. */
const maxSilentSteps = 10;
/**
 * If the answers to this many steps in a row name numbers that are off by the same amount, `#firstStepNumber` was
 * wrong.
 */
const maxNumberMismatches = 3;

interface Step {
  readonly number: number;
  readonly inputId: string | undefined;
  readonly sentAt: number;
  readonly tokens: number;
  readonly hasFrame: boolean;
  text: string;
  hasTokenCount: boolean;
  hasTimedOut: boolean;
}

/**
 * Relays a client's voice or video session to a model server. Sends one append at a time, and answers each to the
 * client, even if the server does not. The server's work on one append is a step.
 */
export class DuplexRelay implements GatewayModel<AppendEvent> {
  readonly #environment: RelayEnvironment;
  readonly #turnAssembler: TurnAssembler;
  readonly #stepTimer: Timer;
  #waiting: readonly AppendEvent[] = [];
  #step: Step | undefined;
  /** Newest last. The server may still answer these. */
  #previousSteps: readonly Step[] = [];
  #stepCount = 0;
  /** The server's number of the first step. */
  #firstStepNumber: number | undefined;
  /**
   * The latest answers that named a previous step. `step` was running when the answer came. The answer would name that
   * step if the server had numbered the first step `first`.
   */
  #numberMismatches: readonly { readonly first: number; readonly step: number }[] = [];
  #stepTimes: readonly number[] = [];
  #silentSteps = 0;
  /** Text that came since the last step ended, under any response id. */
  #receivedText = '';
  #lastForcedStep = 0;
  #joinedAppends = 0;
  #droppedAppends = 0;
  #hasEnded = false;

  constructor(environment: RelayEnvironment) {
    this.#environment = environment;
    this.#turnAssembler = new TurnAssembler(environment);
    this.#stepTimer = new Timer(environment.clock);
  }

  accept(append: AppendEvent): RequestProblem | undefined {
    const problem = appendProblem(append, this.#environment);
    if (problem !== undefined) return problem;
    if (append.forceListen === true) this.#turnAssembler.interrupt();
    this.#waiting = [...this.#waiting, append];
    this.#sendNext();
    if (this.#waiting.length > maxWaitingAppends) this.#mergeOldestAppends();
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
    this.#hasEnded = true;
    this.#stepTimer.stop();
    this.#turnAssembler.stop();
    this.#waiting = [];
  }

  /** Joins the two oldest waiting appends if one step can hear both, or drops the oldest. */
  #mergeOldestAppends(): void {
    const [first, second, ...others] = this.#waiting;
    if (first === undefined || second === undefined) return;
    const samples = first.audio.length + second.audio.length;
    const isShort = samples <= maxJoinedSamples;
    const audio = isShort ? new Float32Array(samples) : second.audio;
    if (isShort) {
      audio.set(first.audio);
      audio.set(second.audio, first.audio.length);
      this.#joinedAppends += 1;
    } else {
      this.#droppedAppends += 1;
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
    if (this.#step !== undefined || append === undefined || this.#hasEnded) return;
    this.#waiting = others;
    this.#stepCount += 1;
    const { clock, codec, mode, send, settings } = this.#environment;
    const { audio, forceListen, inputId } = append;
    const maxSlices = append.maxSlices ?? settings.maxSlices;
    const hasFrame = mode === 'video' && (append.frames?.length ?? 0) > 0;
    // The server looks at the first frame only, so it gets only the newest.
    const frames = hasFrame ? append.frames?.slice(-1) : undefined;
    if (forceListen === true) this.#lastForcedStep = this.#stepCount;
    this.#step = {
      number: this.#stepCount,
      inputId,
      sentAt: clock.now(),
      tokens: countSoundTokens(audio.length) + (hasFrame ? pictureTokens(maxSlices ?? 1) : 0),
      hasFrame,
      text: '',
      hasTokenCount: false,
      hasTimedOut: false,
    };
    this.#stepTimer.set(this.#stepTimeoutMs(), () => this.#timeOutStep());
    send(codec.encodeAppend({ kind: 'append', audio, frames, forceListen, maxSlices }));
  }

  #stepTimeoutMs(): number {
    const sorted = this.#stepTimes.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.max(minStepTimeoutMs, timeoutFactor * median);
  }

  #receiveOutput(event: OutputEvent): void {
    const { text = '', audio } = event;
    const metrics = this.#stamp(event.metrics);
    if (text !== '') this.#receiveText(text, event, metrics);
    if (audio !== undefined && audio.length > 0)
      this.#turnAssembler.addSound(audio, this.#step, metrics);
  }

  #receiveText(text: string, event: CommonFields, metrics: Metrics): void {
    // The server works on one step at a time, so once this step has text, all text belongs to it.
    const stepWithText = this.#step?.text === '' ? undefined : this.#step;
    const step = stepWithText ?? this.#findStep(event) ?? this.#previousSteps.at(-1);
    if (step === undefined) {
      this.#environment.record({ kind: 'ignored', what: 'unknown' });
      return;
    }
    const isAfterInterruption =
      step.number > this.#lastForcedStep &&
      !this.#waiting.some(({ forceListen }) => forceListen === true);
    // Text with a wrong id must not count as one more step, because the turn would wait for that step's sound.
    const { number } = step.hasTimedOut ? step : (this.#step ?? step);
    this.#turnAssembler.addText(text, { ...step, number }, metrics, isAfterInterruption);
    step.text += text;
    this.#receivedText += text;
    if (step !== this.#step) return;
    this.#stepTimer.set(endAfterTextMs, () => this.#endStep(step));
  }

  #receiveListen(event: ListenEvent): void {
    const step = this.#findStep(event);
    if (step === undefined) return;
    if (step.text !== '') this.#turnAssembler.listenAfterText();
    // Other steps are answered already: they timed out, or the server repeats their listen.
    else if (step === this.#step) this.#listen(step, this.#stamp(event.metrics));
    if (step === this.#step) this.#endStep(step);
  }

  /** In duplex, `response.done` ends a step. It has the step's whole text, which replaces deltas that were lost. */
  #receiveDone(event: DoneEvent): void {
    const step = this.#findStep(event);
    if (step === undefined) return;
    // A delta with a wrong id was added to another step. Without this check its text would be sent twice.
    const isStreamed = event.text !== '' && this.#receivedText.endsWith(event.text);
    const known = isStreamed ? event.text : step.text;
    const rest = event.text.startsWith(known) ? event.text.slice(known.length) : '';
    if (rest !== '') this.#receiveText(rest, event, this.#stamp(event.metrics));
    else if (step.text === '' && !isStreamed && step === this.#step)
      this.#listen(step, this.#stamp(event.metrics));
    if (step === this.#step) this.#endStep(step);
  }

  #listen(step: Step, metrics: Metrics): void {
    this.#turnAssembler.listen({ inputId: step.inputId, metrics });
  }

  /**
   * The step that an event answers: the current one, unless the event's number names a previous one that may still be
   * answered. If its ids have no usable number, the server is assumed to answer in order.
   */
  #findStep({ responseId }: CommonFields): Step | undefined {
    const digits = /_resp_(\d{1,9})$/u.exec(responseId ?? '')?.[1];
    const current = this.#step;
    if (digits === undefined || current === undefined) return current;
    const first = Number(digits) - current.number + 1;
    this.#firstStepNumber ??= first;
    if (first === this.#firstStepNumber) {
      this.#numberMismatches = [];
      return current;
    }
    const number = current.number + first - this.#firstStepNumber;
    const named = this.#previousSteps.find((step) => step.number === number);
    if (named === undefined || !(named.hasTimedOut || named === this.#previousSteps.at(-1)))
      return current;
    return this.#correctFirstNumber(first, current) ? current : named;
  }

  /** Corrects the first step's number, and returns true, if several steps in a row were off by the same amount. */
  #correctFirstNumber(first: number, { number }: Step): boolean {
    const same = this.#numberMismatches.filter(
      (mismatch) => mismatch.first === first && mismatch.step !== number,
    );
    this.#numberMismatches = [...same, { first, step: number }];
    if (this.#numberMismatches.length < maxNumberMismatches) return false;
    this.#numberMismatches = [];
    this.#firstStepNumber = first;
    return true;
  }

  #timeOutStep(): void {
    const step = this.#step;
    if (step === undefined) return;
    step.hasTimedOut = true;
    this.#silentSteps += 1;
    this.#turnAssembler.addSilence(step, this.#stamp());
    if (this.#silentSteps >= maxSilentSteps) this.#environment.onSilent();
    else this.#endStep(step);
  }

  #endStep(step: Step): void {
    const { clock, context, onStep, record } = this.#environment;
    this.#stepTimer.stop();
    this.#receivedText = '';
    const ms = clock.now() - step.sentAt;
    record({ kind: 'step', ms, isSilent: step.hasTimedOut });
    if (!step.hasTimedOut) {
      this.#stepTimes = [...this.#stepTimes, ms].slice(-timedSteps);
      onStep?.(ms, step.hasFrame);
    }
    if (!step.hasTokenCount) context.estimate(step.tokens + countTextTokens(step.text));
    this.#step = undefined;
    this.#previousSteps = [...this.#previousSteps, step].slice(-maxSilentSteps);
    if (context.endStep(this.#turnAssembler.isOpen)) this.#environment.onContextFull();
    else this.#sendNext();
  }

  /** Adds to the metrics how many appends were joined or dropped since the last event. */
  #stamp(metrics?: Metrics): Metrics {
    const stamped = this.#environment.context.stamp(metrics, {
      ...(this.#joinedAppends > 0 && { appends_joined: this.#joinedAppends }),
      ...(this.#droppedAppends > 0 && { appends_dropped: this.#droppedAppends }),
    });
    this.#joinedAppends = 0;
    this.#droppedAppends = 0;
    return stamped;
  }
}
