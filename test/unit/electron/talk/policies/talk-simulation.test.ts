import { describe, expect, it } from 'vitest';
import { carryOver, Transcript } from '../../../../../electron/talk/policies/carry-over.ts';
import { SleepDetector } from '../../../../../electron/talk/policies/connection-liveness.ts';
import { LimitWarnings } from '../../../../../electron/talk/policies/limit-warnings.ts';
import {
  type JudgedEnding,
  ReconnectTracker,
} from '../../../../../electron/talk/policies/reconnect-policy.ts';
import type { SessionPhase } from '../../../../../electron/talk/session/session-event.ts';
import {
  refusedError,
  sessionError,
  wireReason,
} from '../../../../../shared/errors/session-reasons.ts';
import { englishCarryOver } from '../../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { seeded } from '../../../../fakes/seeded.ts';

/** How an attempt to connect ends at a time in seconds; undefined if it succeeds. */
type ConnectResult = (seconds: number) => JudgedEnding | undefined;

const attemptMs = 100;

/** A conversation without a session: the test decides how attempts end and when connections break. */
class SimulatedTalk {
  readonly clock = new FakeClock();
  /** Log lines with times in seconds. */
  readonly log: string[] = [];
  readonly transcript = new Transcript();
  readonly #connectResult: ConnectResult;
  readonly #reconnecting: ReconnectTracker;
  readonly #watch: SleepDetector;
  #limits: LimitWarnings | undefined;
  #phase: SessionPhase = 'closed';
  #waiting: (() => void) | undefined;
  #slept = 0;

  constructor(connectResult: ConnectResult, random: () => number = () => 1) {
    this.#connectResult = connectResult;
    this.#reconnecting = new ReconnectTracker({ clock: this.clock, random });
    this.#watch = new SleepDetector({
      clock: this.clock,
      wallNow: () => this.clock.now() + this.#slept,
      onConnectionDead: () => {
        this.#record('slept');
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
    this.#record(
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
        this.#record(`${threshold} s left`);
      },
    });
    this.#enter('connecting');
    this.#waiting = this.clock.after(attemptMs, () => {
      const ending = this.#connectResult(this.clock.now() / 1000);
      if (ending !== undefined) {
        this.end(ending);
        return;
      }
      this.#enter('configuring');
      this.#enter('live');
      this.#record('live');
    });
  }

  #enter(phase: SessionPhase): void {
    this.#phase = phase;
    this.#reconnecting.onPhase(phase);
    this.#limits?.onPhase(phase);
  }

  #record(what: string): void {
    this.log.push(`${(this.clock.now() / 1000).toFixed(1)} ${what}`);
  }
}

const lost: JudgedEnding = { error: sessionError('connection_lost'), by: 'network' };
const noNetwork: JudgedEnding = { error: sessionError('unreachable'), by: 'network' };
const notYet: JudgedEnding = { error: refusedError(503, ''), by: 'server' };
const revoked: JudgedEnding = { error: refusedError(401, ''), by: 'server' };

const connectResult: ConnectResult = (seconds) => {
  if (seconds >= 60 && seconds < 90) return noNetwork;
  if (seconds >= 200 && seconds < 203) return notYet;
  return seconds > 650 ? revoked : undefined;
};

describe('ten minutes of a conversation', () => {
  it('survive half a minute without network, a restart, a sleep and the time limit', () => {
    const talk = new SimulatedTalk(connectResult);
    talk.begin();
    talk.until(58);
    talk.say(1, 'Once upon a time there was');
    talk.until(60);
    talk.end(lost);
    talk.until(199);
    talk.say(1, 'Where were we?');
    talk.until(200);
    talk.end({ error: sessionError('server_shutdown'), by: 'server' });
    talk.until(300);
    talk.sleep(45);
    talk.wake();
    talk.until(301);
    talk.wake();
    talk.until(600);
    talk.end({ error: sessionError('timeout'), by: 'server' });
    talk.until(640);
    talk.begin();
    talk.until(650);
    talk.end(lost);
    talk.until(700);

    expect(talk.log).toEqual([
      '0.1 live',
      '60.0 connection_lost: again in 500',
      '60.6 unreachable: again in 1000',
      '61.7 unreachable: again in 2000',
      '63.8 unreachable: again in 4000',
      '67.9 unreachable: again in 8000',
      '76.0 unreachable: again in 10000',
      '86.1 unreachable: again in 10000',
      '96.2 live',
      '200.0 server_shutdown: again in 500',
      '200.6 refused: again in 1000',
      '201.7 refused: again in 2000',
      '203.8 live',
      '300.0 slept',
      '300.1 live',
      '540.0 60 s left',
      '585.0 15 s left',
      '600.0 timeout: continue',
      '640.1 live',
      '650.0 connection_lost: again in 500',
      '650.6 refused: checkToken',
    ]);
  });

  it('continue in a session that gets the heard turns, with cut ones marked', () => {
    const talk = new SimulatedTalk(connectResult);
    talk.begin();
    talk.until(58);
    talk.say(1, 'Once upon a time there was');
    talk.until(60);
    talk.end(lost);
    talk.until(100);
    talk.say(1, 'Where were we?');
    talk.transcript.complete(1);
    talk.until(200);
    talk.end({ error: sessionError('server_shutdown'), by: 'server' });
    const turns = talk.transcript.turns();
    const carried = carryOver({ turns, instructions: 'Be kind.', messages: englishCarryOver });
    expect(carried?.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- Once upon a time there was […]',
      '- Where were we?',
    ]);
    expect(carried?.startsWith('Be kind.\n')).toBe(true);
  });

  it('reconnect within ten seconds of the network’s return, for any random delays', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const talk = new SimulatedTalk((at) => (at < 90 ? noNetwork : undefined), seeded(seed));
      const open = new SimulatedTalk(
        (at) => (at >= 60 && at < 90 ? noNetwork : undefined),
        seeded(seed),
      );
      talk.begin();
      talk.until(70);
      expect(talk.log).toEqual(['0.1 unreachable: retry']);
      open.begin();
      open.until(60);
      open.end(lost);
      open.until(100.2);
      expect(open.phase, `seed ${seed}`).toBe('live');
      const tries = open.log.filter((line) => line.includes('again in')).length;
      expect(tries).toBeGreaterThanOrEqual(6);
      expect(tries).toBeLessThanOrEqual(10);
    }
  });
});
