import type { TalkEnding, TalkState } from '../../shared/talk/talk-state.ts';
import { queueWait } from './policies/queue-wait.ts';
import type { QueueWait } from './policies/queue-wait.ts';
import type { AfterEnding } from './policies/reconnect-policy.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionEvent, SessionPhase } from '../session/session-event.ts';
import type { ConversationMonitor } from './conversation-monitor.ts';
import type { HeardTurn } from './captions/live-captions.ts';
import { endedByUser, lostInSleep } from './client-endings.ts';
import type { CurrentSession } from './current-session.ts';
import { endingOf, isSameState, stateAfter, stateAfterEnding, tryingAgain } from './talk-state.ts';

type Told<Name extends SessionEvent['event']> = Extract<SessionEvent, { event: Name }>;

interface Deps {
  readonly clock: Clock;
  readonly care: ConversationMonitor;
  readonly session: CurrentSession;
  /** What has been heard of turns that still sound. */
  readonly heardSoFar: () => readonly HeardTurn[];
  readonly changed: (state: TalkState) => void;
  /** A session has ended, or was given up: told before the state is. */
  readonly sessionEnded: (event: Told<'closed'>) => void;
}

/** The way of a conversation through its sessions: the first, those that come again, those that go on. */
export class TalkLifecycle {
  readonly #deps: Deps;
  #state: TalkState = { phase: 'idle' };
  #queue: QueueWait | undefined;
  #attempt = 0;
  #cancelRetry: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get phase(): TalkState['phase'] {
    return this.#state.phase;
  }

  start(instructions: string | undefined): void {
    this.#attempt = 0;
    this.#become({ phase: 'connecting' });
    this.#begin(instructions);
  }

  goOn(carry: 'transcript' | 'nothing'): void {
    const { care, heardSoFar } = this.#deps;
    care.goOn(carry);
    this.start(care.instructions(carry === 'transcript' ? heardSoFar() : []));
  }

  entered(phase: SessionPhase): void {
    if (phase === 'live') this.#attempt = 0;
    this.#become(stateAfter(this.#state, phase));
  }

  queued(event: Told<'queue'>): void {
    this.#queue = queueWait(this.#queue, event, this.#deps.clock.now());
    const { position, length, etaSeconds } = this.#queue;
    this.#become({ phase: 'queued', position, length, etaSeconds });
  }

  ended(event: Told<'closed'>): void {
    const then = this.#deps.care.ended(event);
    this.#deps.sessionEnded(event);
    this.#rest(event, then);
  }

  end(): void {
    if (this.#cancelRetry === undefined) {
      this.#deps.session.end();
      return;
    }
    this.#forgetRetry();
    this.#rest(endedByUser, { do: 'stop', offer: 'none' });
  }

  /** The line is taken for dead, or time has passed that nobody counted: tried again at once. */
  lineDead(): void {
    if (this.#cancelRetry !== undefined) this.#retry();
    else if (this.phase !== 'ended' && this.phase !== 'ending') {
      this.#deps.session.drop();
      this.ended(lostInSleep);
    }
  }

  /** Without a session: for a while, or for good. */
  #rest(ending: TalkEnding, then: AfterEnding): void {
    if (then.do === 'reconnect') {
      this.#attempt += 1;
      this.#cancelRetry = this.#deps.clock.after(then.inMs, () => {
        this.#retry();
      });
    }
    this.#become(stateAfterEnding(endingOf(ending), then, this.#attempt));
  }

  #retry(): void {
    this.#forgetRetry();
    if (this.#state.phase === 'reconnecting') this.#become(tryingAgain(this.#state));
    this.#begin(this.#deps.care.instructions(this.#deps.heardSoFar()));
  }

  #begin(instructions: string | undefined): void {
    this.#deps.care.begin();
    this.#queue = undefined;
    this.#deps.session.open(instructions);
  }

  #forgetRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
  }

  #become(state: TalkState): void {
    if (isSameState(this.#state, state)) return;
    this.#state = state;
    this.#deps.changed(state);
  }
}
