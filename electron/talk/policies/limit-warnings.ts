import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import {
  contextTokens,
  effectiveSeconds,
  type DuplexMode,
  sessionSeconds,
} from '../../../shared/protocol/realtime-api.ts';
import type { TalkLimits, TalkWarning } from '../../../shared/talk/talk-view.ts';
import type { SessionPhase } from '../session/session-event.ts';
import { ContextGauge } from './context-gauge.ts';

export interface LimitWarningsOptions {
  readonly clock: Clock;
  readonly mode: DuplexMode;
  /** Limits of the endpoint that differ from the documented ones. */
  readonly sessionSeconds?: number | undefined;
  readonly contextTokens?: number | undefined;
  readonly onChange: (headroom: TalkLimits) => void;
  readonly onWarning: (warning: TalkWarning) => void;
}

const thresholds = [15, 60] as const;
/** Smallest changes worth an event; pages count down between events. */
const minSecondsChange = 1;
const minTokensChange = 64;
const minRelativeChange = 0.1;

/** Watches the limits of one session, time and context, with one timer that is set to the next warning. */
export class LimitWarnings {
  readonly #options: LimitWarningsOptions;
  readonly #time: SessionClock;
  readonly #context: ContextGauge;
  /** Thresholds already passed, in seconds, each with the limit that was less than this far away. */
  readonly #passed = new Map<number, TalkWarning['limit']>();
  #reading = 'connecting';
  #lastEmitted: { readonly at: number; readonly headroom: TalkLimits } | undefined;
  readonly #timer: Timer;
  #stopped = false;

  constructor(options: LimitWarningsOptions) {
    this.#options = options;
    this.#timer = new Timer(options.clock);
    const { mode } = options;
    this.#time = new SessionClock(options.sessionSeconds ?? sessionSeconds[mode]);
    this.#context = new ContextGauge(
      options.contextTokens ?? contextTokens,
      effectiveSeconds[mode],
    );
  }

  onPhase(phase: SessionPhase): void {
    const now = this.#options.clock.now();
    if (phase === 'connecting') this.#time.onConnecting(now);
    if (phase === 'configuring' || phase === 'live') this.#time.onAdmitted(now);
    if (phase === 'closing' || phase === 'closed') this.stop();
    else this.#update();
  }

  /** Call with every event that reports context tokens. */
  onUsage(tokens: number | undefined, includesPruned = false): void {
    if (tokens === undefined || this.#stopped) return;
    this.#context.onUsage(this.#options.clock.now(), tokens, includesPruned);
    this.#update();
  }

  /** @param ms duration of the sleep that the clock did not count */
  onSleep(ms: number): void {
    this.#time.onSleep(ms);
    this.#update();
  }

  headroom(): TalkLimits {
    const now = this.#options.clock.now();
    return { seconds: this.#time.remaining(now).seconds, ...this.#context.headroom(now) };
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.stop();
  }

  #update(): void {
    if (this.#stopped) return;
    const now = this.#options.clock.now();
    const { reading } = this.#time.remaining(now);
    if (reading !== this.#reading) {
      // The session's end is now expected at another time, so warnings about the earlier time do not count.
      for (const [threshold, limit] of this.#passed)
        if (limit === 'time') this.#passed.delete(threshold);
      this.#reading = reading;
    }
    const headroom = this.headroom();
    this.#emit(now, headroom);
    this.#warn(headroom);
    this.#schedule(now, headroom);
  }

  #emit(at: number, headroom: TalkLimits): void {
    if (
      this.#lastEmitted !== undefined &&
      !isWorthEmitting(this.#lastEmitted.headroom, headroom, (at - this.#lastEmitted.at) / 1000)
    )
      return;
    this.#lastEmitted = { at, headroom };
    this.#options.onChange(headroom);
  }

  #warn(headroom: TalkLimits): void {
    const next = nearestLimit(headroom);
    if (next === undefined) return;
    const due = thresholds.filter((seconds) => next.seconds <= seconds);
    // Only the lowest threshold warns, so that warnings for 60 s and 15 s never come together.
    const threshold = due.find((seconds) => !this.#passed.has(seconds));
    for (const seconds of due)
      if (!this.#passed.has(seconds)) this.#passed.set(seconds, next.limit);
    // A limit already reached needs no warning.
    if (threshold === undefined || next.seconds === 0) return;
    this.#options.onWarning({
      limit: next.limit,
      threshold,
      secondsLeft: Math.round(next.seconds),
    });
  }

  #schedule(now: number, headroom: TalkLimits): void {
    this.#timer.stop();
    const thresholdsAhead = thresholds.filter((threshold) => !this.#passed.has(threshold));
    const wait = Math.min(
      this.#time.disprovedInMs(now) ?? Infinity,
      ...thresholdsAhead.map((threshold) => this.#waitFor(threshold, now, headroom)),
    );
    if (Number.isFinite(wait)) this.#timer.set(Math.max(1, Math.ceil(wait)), () => this.#update());
  }

  #waitFor(threshold: number, now: number, { seconds, tokenSeconds }: TalkLimits): number {
    const time = ((seconds ?? Infinity) - threshold) * 1000;
    const context = ((tokenSeconds ?? Infinity) - threshold) * 1000;
    // The context gauge counts down without events only for a while.
    return context <= this.#context.countsForMs(now) ? Math.min(time, context) : time;
  }
}

function nearestLimit({
  seconds,
  tokenSeconds,
}: TalkLimits): { readonly limit: 'time' | 'context'; readonly seconds: number } | undefined {
  if (tokenSeconds !== undefined && (seconds === undefined || tokenSeconds < seconds))
    return { limit: 'context', seconds: tokenSeconds };
  return seconds === undefined ? undefined : { limit: 'time', seconds };
}

/** Whether a page that counts down from the last event would show a wrong value. */
function isWorthEmitting(emitted: TalkLimits, headroom: TalkLimits, elapsed: number): boolean {
  if (emitted.pruning !== headroom.pruning) return true;
  return (
    differs(
      emitted.seconds,
      headroom.seconds,
      (before) => Math.max(0, before - elapsed),
      minSecondsChange,
    ) ||
    differs(emitted.tokens, headroom.tokens, (before) => before, minTokensChange) ||
    differs(
      emitted.tokenSeconds,
      headroom.tokenSeconds,
      (before) => before,
      Math.max(minSecondsChange, (emitted.tokenSeconds ?? 0) * minRelativeChange),
    )
  );
}

function differs(
  before: number | undefined,
  now: number | undefined,
  expected: (before: number) => number,
  minChange: number,
): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return Math.abs(expected(before) - now) >= minChange;
}

/** Time for the server's message about the limit to arrive. */
const graceMs = 5_000;

/**
 * Remaining time of a session. Counts from connecting; if the session outlives that limit, as on
 * deployed gateways, counts from admission.
 */
export class SessionClock {
  readonly #limitMs: number;
  #connectedAt: number | undefined;
  #admittedAt: number | undefined;
  /** Sleep that the monotonic clock did not count. */
  #sleptMs = 0;

  constructor(limitSeconds: number) {
    this.#limitMs = limitSeconds * 1000;
  }

  /** Every attempt has a new connection, so earlier waits do not count. */
  onConnecting(at: number): void {
    this.#connectedAt = at;
    this.#admittedAt = undefined;
  }

  onAdmitted(at: number): void {
    this.#connectedAt ??= at;
    this.#admittedAt ??= at;
  }

  onSleep(ms: number): void {
    this.#sleptMs += Math.max(0, ms);
  }

  remaining(now: number): { readonly seconds: number | undefined; readonly reading: LimitReading } {
    if (this.#admittedAt === undefined || this.#connectedAt === undefined)
      return { seconds: undefined, reading: 'connecting' };
    const latestStart = now + this.#sleptMs - this.#limitMs;
    if (latestStart < this.#connectedAt + graceMs)
      return {
        seconds: Math.max(0, this.#connectedAt - latestStart) / 1000,
        reading: 'connecting',
      };
    if (latestStart < this.#admittedAt + graceMs)
      return { seconds: Math.max(0, this.#admittedAt - latestStart) / 1000, reading: 'admission' };
    return { seconds: undefined, reading: 'none' };
  }

  /** Milliseconds until the current reading is disproved; undefined if no reading is left. */
  disprovedInMs(now: number): number | undefined {
    const { seconds, reading } = this.remaining(now);
    const from = reading === 'connecting' ? this.#connectedAt : this.#admittedAt;
    if (seconds === undefined || from === undefined) return undefined;
    return from + this.#limitMs + graceMs - (now + this.#sleptMs);
  }
}

/** From which event the server is believed to count; `none` if the session outlived both. */
export type LimitReading = 'connecting' | 'admission' | 'none';
