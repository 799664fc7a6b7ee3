import { SleepDetector } from '../../../../../electron/talk/policies/connection-liveness.ts';
import {
  type JudgedEnding,
  ReconnectTracker,
} from '../../../../../electron/talk/policies/reconnect-policy.ts';
import { LimitWarnings } from '../../../../../electron/talk/policies/limit-warnings.ts';
import { Transcript } from '../../../../../electron/talk/policies/carry-over.ts';
import type { SessionPhase } from '../../../../../electron/talk/session/session-event.ts';
import { wireReason } from '../../../../../shared/errors/session-reasons.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';

/** How an attempt to connect ends at a time in seconds; undefined if it succeeds. */
export type Weather = (seconds: number) => JudgedEnding | undefined;

const attemptMs = 100;

/** A conversation without a session: the test decides how attempts end and when connections break. */
export class StoryWorld {
  readonly clock = new FakeClock();
  /** Log lines with times in seconds. */
  readonly log: string[] = [];
  readonly transcript = new Transcript();
  readonly #weather: Weather;
  readonly #reconnecting: ReconnectTracker;
  readonly #watch: SleepDetector;
  #limits: LimitWarnings | undefined;
  #phase: SessionPhase = 'closed';
  #waiting: (() => void) | undefined;
  #slept = 0;

  constructor(weather: Weather, random: () => number = () => 1) {
    this.#weather = weather;
    this.#reconnecting = new ReconnectTracker({ clock: this.clock, random });
    this.#watch = new SleepDetector({
      clock: this.clock,
      wallNow: () => this.clock.now() + this.#slept,
      onConnectionDead: () => {
        this.#note('slept');
        this.#reconnecting.onSystemWake();
        this.#limits?.stop();
        this.#connect();
      },
    });
  }

  /** The user begins or continues. */
  begin(): void {
    this.#reconnecting.onUserStart();
    this.#connect();
  }

  /** Advances to the second, with polls of the microphone. */
  until(seconds: number): void {
    while (this.clock.now() < seconds * 1000) {
      this.clock.advance(20);
      this.#watch.poll();
    }
  }

  say(turn: number, text: string): void {
    this.transcript.setHeard(turn, text);
  }

  end(ending: JudgedEnding): void {
    this.#enter('closed');
    this.transcript.end();
    const then = this.#reconnecting.onSessionEnd(ending);
    this.#note(
      `${wireReason(ending.error)}: ${then.do === 'stop' ? then.offer : `again in ${then.inMs}`}`,
    );
    if (then.do === 'stop') return;
    this.#waiting = this.clock.after(then.inMs, () => {
      this.#connect();
    });
  }

  sleep(seconds: number): void {
    this.#slept += seconds * 1000;
  }

  wake(): void {
    this.#watch.onSystemWake();
  }

  get phase(): SessionPhase {
    return this.#phase;
  }

  #connect(): void {
    this.#waiting?.();
    this.transcript.begin();
    this.#limits = new LimitWarnings({
      clock: this.clock,
      mode: 'video',
      onChange: () => undefined,
      onWarning: ({ threshold }) => {
        this.#note(`${threshold} s left`);
      },
    });
    this.#enter('connecting');
    this.#waiting = this.clock.after(attemptMs, () => {
      const ending = this.#weather(this.clock.now() / 1000);
      if (ending !== undefined) {
        this.end(ending);
        return;
      }
      this.#enter('configuring');
      this.#enter('live');
      this.#note('live');
    });
  }

  #enter(phase: SessionPhase): void {
    this.#phase = phase;
    this.#reconnecting.onPhase(phase);
    this.#limits?.onPhase(phase);
  }

  #note(what: string): void {
    this.log.push(`${(this.clock.now() / 1000).toFixed(1)} ${what}`);
  }
}
