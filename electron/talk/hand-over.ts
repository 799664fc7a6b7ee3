import type { Clock } from '../../shared/ports/clock.ts';
import type { HandOverStep } from '../../shared/recordings/tape-event.ts';
import type { TalkLimits } from '../../shared/talk/talk-view.ts';
import type { AnswerPlayout } from './answer-playout.ts';
import type { ConversationEvent, ConversationTape } from './conversation-options.ts';
import type { ConversationMonitor } from './conversation-monitor.ts';
import type { CurrentSession } from './current-session.ts';
import type { FloorTracker } from './floor-tracker.ts';
import {
  handOverMove,
  type NextSessionState,
  QuietTracker,
  secondsUntilLimit,
} from './policies/hand-over-policy.ts';
import type { SessionEvent } from './session/session-event.ts';
import type { Uplink } from './uplink.ts';

interface Deps {
  readonly clock: Clock;
  readonly session: CurrentSession;
  readonly monitor: ConversationMonitor;
  readonly answer: AnswerPlayout;
  readonly uplink: Uplink;
  readonly floor: FloorTracker;
  readonly emit: (event: ConversationEvent) => void;
  /**
   * The next session, which is not live yet, replaces the current one, which ended or was given up. The talk
   * reconnects through the next one.
   */
  readonly onTakeoverBeforeLive: (events: readonly SessionEvent[]) => void;
  readonly tape: ConversationTape | undefined;
}

interface Next {
  readonly askedAt: number;
  state: Exclude<NextSessionState, 'none'>;
  readonly events: SessionEvent[];
  isConfigured: boolean;
  isStale: boolean;
}

type Limits = Pick<TalkLimits, 'seconds' | 'tokenSeconds'>;

/** Retry delays after a server refused the next session. */
const firstRetryMs = 10_000;
const maxRetryMs = 60_000;
/** A session this young may still get its first answer, without which it has no hand-over. */
const youngMs = 30_000;
const unlimited = { seconds: undefined, tokenSeconds: undefined } as const;

/** Lets the next session take over before a limit ends the current one, while nobody speaks. */
export class HandOver {
  readonly #deps: Deps;
  readonly #quiet = new QuietTracker();
  #next: Next | undefined;
  #headroom: Limits = unlimited;
  #headroomAt = 0;
  #liveSince: number | undefined;
  #isBuffering = false;
  #isUsed = false;
  #notBefore = 0;
  #retryMs = firstRetryMs;
  #isEarlyRequested = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  setLive(live: boolean): void {
    if (!live) {
      this.#drop();
      this.#isEarlyRequested = false;
      this.#liveSince = undefined;
      this.#isUsed = false;
    } else this.#liveSince ??= this.#deps.clock.now();
  }

  /** Whether another session will probably follow: one is opening, or none was refused lately and this one is used or young. */
  get isExpected(): boolean {
    if (this.#next !== undefined) return true;
    const now = this.#deps.clock.now();
    const isYoung = now - (this.#liveSince ?? now) < youngMs;
    return (this.#isUsed || isYoung) && now >= this.#notBefore;
  }

  onLimits(headroom: Limits): void {
    this.#headroom = headroom;
    this.#headroomAt = this.#deps.clock.now();
  }

  /** The transcript for the next session has grown. */
  onTurnHeard(): void {
    const next = this.#next;
    if (next === undefined) return;
    if (next.isConfigured) next.isStale = true;
    else this.#deps.session.setNextInstructions(this.#instructions());
  }

  /** Requests a hand-over in the next good pause, because the next session knows a result that the user waits for. */
  requestEarly(): void {
    if (this.#liveSince !== undefined) this.#isEarlyRequested = true;
  }

  /** Call with every block of the microphone, and when the user or the model begins or stops speaking. */
  update(): void {
    if (this.#liveSince === undefined) return;
    const { clock, answer, uplink, floor, monitor } = this.#deps;
    const now = clock.now();
    const answering = floor.isTurnOpen;
    this.#isUsed ||= answering || answer.isSounding;
    const quietMs = this.#quiet.update(
      { user: uplink.isSpeaking, parley: answer.isSounding, answering },
      now,
    );
    const secondsLeft = secondsUntilLimit(this.#headroom) - (now - this.#headroomAt) / 1000;
    const livedSeconds = (now - this.#liveSince) / 1000;
    if (this.#next === undefined) monitor.shortener.update(secondsLeft, livedSeconds);
    if (this.#next === undefined && now < this.#notBefore) return;
    const move = handOverMove({
      next: this.#next?.state ?? 'none',
      secondsLeft,
      isUsed: this.#isUsed,
      livedSeconds,
      isEarlyRequested: this.#isEarlyRequested,
      quietMs,
      answering,
      buffering: this.#isBuffering,
      waitedMs: now - (this.#next?.askedAt ?? now),
      stale: this.#next?.isStale ?? false,
    });
    if (move !== 'none') this.execute(move);
  }

  /** Executes a step that the policy decided, or that a tape repeats. */
  execute(step: HandOverStep): void {
    this.#deps.tape?.write?.({ kind: 'handOver', step });
    if (step === 'open') this.#open();
    else if (step === 'take') this.#take();
    else if (step === 'release') this.#release();
    else if (step === 'drop') this.#drop();
    else this.#takeBeforeLive();
  }

  /** The current session ended. Returns whether the next one takes over the talk. */
  onEnded(): boolean {
    if (this.#next === undefined) return false;
    this.execute('yield');
    return true;
  }

  #open(): void {
    const next: Next = {
      askedAt: this.#deps.clock.now(),
      state: 'coming',
      events: [],
      isConfigured: false,
      isStale: false,
    };
    this.#next = next;
    // Shortening occupies a worker that the next session may need.
    this.#deps.monitor.shortener.cancel();
    this.#setBuffering(true);
    this.#deps.session.openNext(this.#instructions(), (event) => {
      if (this.#next === next) this.#onEvent(next, event);
    });
  }

  #onEvent(next: Next, event: SessionEvent): void {
    next.events.push(event);
    if (event.event === 'closed') this.#onNextFailed();
    else if (event.event === 'state') {
      if (event.state === 'configuring') next.isConfigured = true;
      if (event.state === 'live') next.state = 'live';
    }
  }

  #onNextFailed(): void {
    this.#isEarlyRequested = false;
    this.#notBefore = this.#deps.clock.now() + this.#retryMs;
    this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
    this.#drop();
  }

  #take(): void {
    const next = this.#next;
    if (next === undefined) return;
    this.#next = undefined;
    this.#isEarlyRequested = false;
    this.#retryMs = firstRetryMs;
    const { clock, session, monitor, emit } = this.#deps;
    const heldMs = this.#isBuffering ? clock.now() - next.askedAt : 0;
    // State is reset first, because listeners of the events below may call `update`.
    this.#liveSince = clock.now();
    this.#isUsed = false;
    this.#headroom = unlimited;
    this.#leaveCurrent();
    session.switchToNext();
    monitor.beginSession();
    for (const event of next.events) {
      monitor.onSessionEvent(event);
      if (event.event === 'session') emit(event);
    }
    emit({ event: 'handedOver', heldMs });
    this.#setBuffering(false);
  }

  #takeBeforeLive(): void {
    const next = this.#next;
    if (next === undefined) return;
    this.#next = undefined;
    this.#isBuffering = false;
    this.#liveSince = undefined;
    this.#headroom = unlimited;
    this.#leaveCurrent();
    this.#deps.session.switchToNext();
    this.#deps.monitor.beginSession();
    this.#deps.onTakeoverBeforeLive(next.events);
  }

  /** Gives up the current session; received sound of its answer plays out. */
  #leaveCurrent(): void {
    this.#deps.uplink.onHandOver();
    this.#deps.floor.onSessionEnd();
    this.#deps.answer.abandon();
  }

  #release(): void {
    if (this.#next !== undefined) this.#next.state = 'queued';
    this.#setBuffering(false);
  }

  #drop(): void {
    if (this.#next === undefined) return;
    this.#next = undefined;
    this.#deps.session.dropNext();
    this.#setBuffering(false);
  }

  #setBuffering(buffering: boolean): void {
    if (buffering === this.#isBuffering) return;
    this.#isBuffering = buffering;
    this.#deps.uplink.setBuffering(buffering);
  }

  #instructions(): string | undefined {
    return this.#deps.monitor.instructions(this.#deps.answer.heardSoFar);
  }
}
