import { appError } from '../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { isSameJson } from '../../shared/protocol/json.ts';
import type { TalkEnding, TalkReconnecting, TalkState } from '../../shared/talk/talk-view.ts';
import type { HeardTurn } from './captions/live-captions.ts';
import type { ConversationMonitor } from './conversation-monitor.ts';
import type { CurrentSession } from './current-session.ts';
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
  /** The words heard so far of answers that are still playing. */
  readonly heardSoFar: () => readonly HeardTurn[];
  readonly onChange: (state: TalkState) => void;
  /** A session ended or was given up; called before the state changes. */
  readonly onSessionClosed: (event: Closed) => void;
}

/** Takes a conversation through its sessions: the first, reconnects, and continuations after an end. */
export class TalkLifecycle {
  readonly #deps: Deps;
  #state: TalkState = { phase: 'idle' };
  #queue: QueueWait | undefined;
  #attempt = 0;
  /** The user ended the talk, so no session follows. One may follow after the server ended a session. */
  #isEndedByUser = false;
  readonly #retryTimer: Timer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#retryTimer = new Timer(deps.clock);
  }

  get phase(): TalkState['phase'] {
    return this.#state.phase;
  }

  start(instructions: string | undefined): void {
    this.#attempt = 0;
    this.#isEndedByUser = false;
    this.#setState({ phase: 'connecting' });
    this.#begin(instructions);
  }

  continueTalk(carry: 'transcript' | 'nothing'): void {
    const { monitor, heardSoFar } = this.#deps;
    monitor.onContinue(carry);
    this.start(monitor.instructions(carry === 'transcript' ? heardSoFar() : []));
  }

  onSessionPhase(phase: SessionPhase): void {
    if (phase === 'live') this.#attempt = 0;
    if (phase === 'closing' && !this.#isEndedByUser) return;
    this.#setState(stateAfter(this.#state, phase));
  }

  onQueueUpdate(event: QueueUpdate): void {
    this.#queue = queueWait(this.#queue, event, this.#deps.clock.now());
    const { position, length, etaSeconds } = this.#queue;
    this.#setState({ phase: 'queued', position, length, etaSeconds });
  }

  onSessionClosed(event: Closed): void {
    const then = this.#deps.monitor.onSessionClosed(event);
    this.#deps.onSessionClosed(event);
    if (this.#isEndedByUser) this.#enterEndedByUser();
    else this.#enterAfterEnding(event, then);
  }

  end(): void {
    this.#isEndedByUser = true;
    if (this.#retryTimer.isSet) {
      this.#retryTimer.stop();
      return this.#enterEndedByUser();
    }
    this.#deps.session.end();
    // A session that its server is closing reports no new phase.
    if (this.phase !== 'ended') this.onSessionPhase('closing');
  }

  /** The connection is dead after a sleep: a pending retry runs now; otherwise the session has ended. */
  onConnectionDead(): void {
    if (this.#retryTimer.isSet) this.#retry();
    else if (this.phase !== 'ended' && this.phase !== 'ending') {
      this.#deps.session.drop();
      this.onSessionClosed(lostInSleep);
    }
  }

  /** The next session replaced the current one but is not live yet, so the user sees a reconnect. */
  onTakeoverBeforeLive(): void {
    this.#queue = undefined;
    this.#setState(awaitingNextSession);
  }

  onNetworkBack(): void {
    if (this.#retryTimer.isSet) this.#retry();
  }

  /** A server that used to answer regularly fell silent, or speaks again. */
  setQuiet(quiet: boolean): void {
    if (this.phase === 'live') this.#setState(quiet ? { phase: 'live', quiet } : { phase: 'live' });
  }

  /** Enters a state without a session, reconnecting or ended. Other fields of the ending are not for pages. */
  #enterAfterEnding({ error, by, orderly }: TalkEnding, then: AfterEnding): void {
    if (then.do === 'stop') {
      return this.#setState({ phase: 'ended', ending: { error, by, orderly }, offer: then.offer });
    }
    this.#attempt += 1;
    this.#retryTimer.set(then.inMs, () => this.#retry());
    this.#setState({ phase: 'reconnecting', attempt: this.#attempt, inMs: then.inMs, error });
  }

  #enterEndedByUser(): void {
    this.#enterAfterEnding(endedByUser, { do: 'stop', offer: 'none' });
  }

  #retry(): void {
    this.#retryTimer.stop();
    if (this.#state.phase === 'reconnecting') this.#setState({ ...this.#state, inMs: 0 });
    this.#begin(this.#deps.monitor.instructions(this.#deps.heardSoFar()));
  }

  #begin(instructions: string | undefined): void {
    this.#deps.monitor.beginSession();
    this.#queue = undefined;
    this.#deps.session.open(instructions);
  }

  #setState(state: TalkState): void {
    if (isSameJson(this.#state, state)) return;
    this.#state = state;
    this.#deps.onChange(state);
  }
}

/** The conversation's state when its session enters a phase. */
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
      // The user sees one reconnect until the session is live.
      return state.phase === 'reconnecting' ? state : { phase: 'connecting' };
    case 'closing':
      return state.phase === 'reconnecting' ? state : { phase: 'ending' };
    case 'closed':
      return state;
  }
}

/** Shown between a session that was given up and the next one. */
const awaitingNextSession: TalkReconnecting = {
  phase: 'reconnecting',
  attempt: 1,
  inMs: 0,
  error: appError('timeLimitReached'),
};

/** The user ended the talk, even if its last session ended for another reason. */
export const endedByUser: Closed = { event: 'closed', ...userEnding('audio') };

/** The connection did not survive the machine's sleep. */
const lostInSleep: Closed = {
  event: 'closed',
  ...failedEnding(appError('lostInSleep'), 'network'),
};

/** Position in the queue and remaining wait, as known at `at`. */
export interface QueueWait {
  readonly position: number | undefined;
  readonly length: number | undefined;
  /** Remaining wait at `at`, never negative. */
  readonly etaSeconds: number | undefined;
  readonly at: number;
  /** The server's latest estimate, to detect repeats. */
  readonly serverSeconds: number | undefined;
}

export type QueueUpdate = Omit<Extract<SessionEvent, { event: 'queue' }>, 'event' | 'ticket'>;

/** Servers round their estimates, so the countdown ignores differences up to the larger of these two. */
const sameSeconds = 3;
const sameShare = 0.15;

export function waitSeconds({ etaSeconds, at }: QueueWait, now: number): number | undefined {
  if (etaSeconds === undefined) return undefined;
  return Math.max(0, etaSeconds - Math.max(0, now - at) / 1000);
}

/** Applies a queue update; the countdown continues if the update repeats the estimate. */
export function queueWait(
  before: QueueWait | undefined,
  update: QueueUpdate,
  at: number,
): QueueWait {
  const running = before === undefined ? undefined : waitSeconds(before, at);
  const reported = toNonNegative(update.etaSeconds);
  return {
    position: toNonNegative(update.position) ?? before?.position,
    length: toNonNegative(update.length) ?? before?.length,
    etaSeconds:
      reported === undefined || isStale(before, update, reported, running) ? running : reported,
    at,
    serverSeconds: reported ?? before?.serverSeconds,
  };
}

function isStale(
  before: QueueWait | undefined,
  { position }: QueueUpdate,
  reported: number,
  running: number | undefined,
): boolean {
  if (before === undefined || running === undefined) return false;
  // Many servers estimate from the position alone and repeat the estimate until the position changes.
  const moved = position !== undefined && position !== before.position;
  if (!moved && reported === before.serverSeconds) return true;
  return Math.abs(reported - running) <= Math.max(sameSeconds, reported * sameShare);
}

function toNonNegative(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
