import { appError } from '../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { isSameJson } from '../../shared/protocol/json.ts';
import type { TalkEnding, TalkReconnecting, TalkState } from '../../shared/talk/talk-state.ts';
import type { HeardTurn } from './captions/live-captions.ts';
import type { ConversationMonitor } from './conversation-monitor.ts';
import type { CurrentSession } from './current-session.ts';
import { type QueueUpdate, queueWait, type QueueWait } from './policies/queue-wait.ts';
import type { AfterEnding } from './policies/reconnect-policy.ts';
import {
  failedEnding,
  type SessionEvent,
  type SessionPhase,
  userEnding,
} from './session/session-event.ts';

type Closed = Extract<SessionEvent, { event: 'closed' }>;

interface Deps {
  readonly clock: Clock;
  readonly monitor: ConversationMonitor;
  readonly session: CurrentSession;
  /** What has been heard of turns that still sound. */
  readonly heardSoFar: () => readonly HeardTurn[];
  readonly changed: (state: TalkState) => void;
  /** A session has ended, or was given up: called before the state changes. */
  readonly sessionEnded: (event: Closed) => void;
}

/** The lifecycle of a conversation through its sessions: the first, reconnects, and those after an end. */
export class TalkLifecycle {
  readonly #deps: Deps;
  #state: TalkState = { phase: 'idle' };
  #queue: QueueWait | undefined;
  #attempt = 0;
  /** The person wants it to end; a session that its server closes may have one that follows. */
  #endsByPerson = false;
  readonly #retrying: Timer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#retrying = new Timer(deps.clock);
  }

  get phase(): TalkState['phase'] {
    return this.#state.phase;
  }

  start(instructions: string | undefined): void {
    this.#attempt = 0;
    this.#endsByPerson = false;
    this.#become({ phase: 'connecting' });
    this.#begin(instructions);
  }

  continueTalk(carry: 'transcript' | 'nothing'): void {
    const { monitor, heardSoFar } = this.#deps;
    monitor.onContinue(carry);
    this.start(monitor.instructions(carry === 'transcript' ? heardSoFar() : []));
  }

  entered(phase: SessionPhase): void {
    if (phase === 'live') this.#attempt = 0;
    if (phase === 'closing' && !this.#endsByPerson) return;
    this.#become(stateAfter(this.#state, phase));
  }

  queued(event: QueueUpdate): void {
    this.#queue = queueWait(this.#queue, event, this.#deps.clock.now());
    const { position, length, etaSeconds } = this.#queue;
    this.#become({ phase: 'queued', position, length, etaSeconds });
  }

  ended(event: Closed): void {
    const then = this.#deps.monitor.ended(event);
    this.#deps.sessionEnded(event);
    this.#enterAfterEnding(event, then);
  }

  end(): void {
    this.#endsByPerson = true;
    if (!this.#retrying.isSet) return this.#deps.session.end();
    this.#retrying.stop();
    this.#enterAfterEnding(endedByUser, { do: 'stop', offer: 'none' });
  }

  /** The connection is taken for dead, or time has passed that nobody counted: tried again at once. */
  onConnectionDead(): void {
    if (this.#retrying.isSet) this.#retry();
    else if (this.phase !== 'ended' && this.phase !== 'ending') {
      this.#deps.session.drop();
      this.ended(lostInSleep);
    }
  }

  /** A session that is not live yet has the talk: to the person it is one that comes again. */
  onBridged(): void {
    this.#queue = undefined;
    this.#become(bridging);
  }

  onNetworkBack(): void {
    if (this.#retrying.isSet) this.#retry();
  }

  /** A server that spoke all the time says nothing, or speaks again. */
  setQuiet(quiet: boolean): void {
    if (this.phase === 'live') this.#become(quiet ? { phase: 'live', quiet } : { phase: 'live' });
  }

  /** Without a session: for a while, or for good. A page gets no more of how it ended. */
  #enterAfterEnding({ error, by, orderly }: TalkEnding, then: AfterEnding): void {
    if (then.do === 'stop') {
      return this.#become({ phase: 'ended', ending: { error, by, orderly }, offer: then.offer });
    }
    this.#attempt += 1;
    this.#retrying.set(then.inMs, () => this.#retry());
    this.#become({ phase: 'reconnecting', attempt: this.#attempt, inMs: then.inMs, error });
  }

  #retry(): void {
    this.#retrying.stop();
    if (this.#state.phase === 'reconnecting') this.#become({ ...this.#state, inMs: 0 });
    this.#begin(this.#deps.monitor.instructions(this.#deps.heardSoFar()));
  }

  #begin(instructions: string | undefined): void {
    this.#deps.monitor.begin();
    this.#queue = undefined;
    this.#deps.session.open(instructions);
  }

  #become(state: TalkState): void {
    if (isSameJson(this.#state, state)) return;
    this.#state = state;
    this.#deps.changed(state);
  }
}

/** Where the conversation stands when its session enters a phase. */
function stateAfter(state: TalkState, phase: SessionPhase): TalkState {
  switch (phase) {
    case 'live':
      return { phase: 'live' };
    case 'queued':
      return state.phase === 'queued'
        ? state
        : { phase: 'queued', position: undefined, length: undefined, etaSeconds: undefined };
    case 'connecting':
    case 'configuring':
      // To a person a session that comes again is one thing until it is there.
      return state.phase === 'reconnecting' ? state : { phase: 'connecting' };
    case 'closing':
      return state.phase === 'reconnecting' ? state : { phase: 'ending' };
    case 'closed':
      return state;
  }
}

/** Between a session that had to go for the next one and that. */
const bridging: TalkReconnecting = {
  phase: 'reconnecting',
  attempt: 1,
  inMs: 0,
  error: appError('timeLimitReached'),
};

/** Ended by the person while no session was there to emit it. */
export const endedByUser: Closed = { event: 'closed', ...userEnding('audio') };

/** The connection did not survive a sleep of the machine. */
const lostInSleep: Closed = {
  event: 'closed',
  ...failedEnding(appError('lostInSleep'), 'network'),
};
