import { rootError } from '../../shared/errors/app-error.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import { contextTokens } from '../../shared/protocol/realtime-api.ts';
import { withInstructions } from '../../shared/settings/preset.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { ToolResult } from '../../shared/talk/talk-view.ts';
import type { HeardTurn } from './captions/live-captions.ts';
import type {
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
} from './conversation-options.ts';
import {
  carryOver,
  carryOverTokens,
  fitsWhole,
  formatResults,
  Transcript,
} from './policies/carry-over.ts';
import {
  isFromServer,
  QuietServerDetector,
  SleepDetector,
} from './policies/connection-liveness.ts';
import { type Delay, LatencyLog, LatencyStats } from './policies/latency-stats.ts';
import { LimitWarnings } from './policies/limit-warnings.ts';
import { type AfterEnding, ReconnectTracker } from './policies/reconnect-policy.ts';
import { SessionLifetime } from './policies/session-lifetime.ts';
import { TranscriptShortener, type Shorten } from './transcript-shortener.ts';
import type { SessionEvent } from './session/session-event.ts';

interface Deps {
  readonly clock: Clock;
  readonly random: Random;
  readonly wallNow: (() => number) | undefined;
  readonly log: Log;
  readonly shorten?: Shorten | undefined;
  readonly memory?: ConversationDeps['memory'];
  readonly emit: (event: ConversationEvent) => void;
  /** The machine slept, so the connection counts as dead. */
  readonly onConnectionDead: () => void;
  /** A server that used to answer regularly fell silent, or speaks again. */
  readonly onQuietChange: (quiet: boolean) => void;
}

/** Keeps what a conversation needs across its sessions: transcript, results of tools, latency, limits and reconnects. */
export class ConversationMonitor {
  readonly latency = new LatencyStats();
  readonly shortener: TranscriptShortener;
  readonly #log: LatencyLog;
  readonly #options: ConversationOptions;
  readonly #deps: Deps;
  readonly #reconnecting: ReconnectTracker;
  readonly #sleep: SleepDetector | undefined;
  readonly #quiet: QuietServerDetector;
  #limits: LimitWarnings | undefined;
  /** Instructions of the newest session, without the transcript. */
  #instructions: string | undefined;
  #transcript = newTranscript();
  #results: readonly ToolResult[] = [];
  /** Ids of the results that the newest session got. */
  #givenResults: readonly string[] = [];
  readonly #lifetime = new SessionLifetime();
  /** The context's size, if it is known or a session ended because it was full. */
  #contextTokens: number | undefined;
  /** Highest number of context tokens that this session has reported; counts that include pruned tokens are ignored. */
  #maxUsedTokens = 0;
  #unknownLogged = false;

  constructor(options: ConversationOptions, deps: Deps) {
    this.#options = options;
    this.#deps = deps;
    this.#contextTokens = options.contextTokens;
    this.#instructions = options.settings.instructions;
    this.#transcript.recall(options.earlier ?? []);
    this.shortener = new TranscriptShortener({
      clock: deps.clock,
      messages: options.carryOver,
      turns: () => this.#transcript.turns(),
      maxTokens: () => this.#carryOverTokens,
      shorten: deps.shorten,
    });
    this.#log = new LatencyLog(deps.clock, () => this.latency.summary());
    this.#quiet = new QuietServerDetector({ clock: deps.clock, onChange: deps.onQuietChange });
    this.#reconnecting = new ReconnectTracker(deps);
    const { clock, wallNow } = deps;
    this.#sleep =
      wallNow &&
      new SleepDetector({
        clock,
        wallNow,
        onConnectionDead: (sleptMs) => {
          this.#limits?.onSleep(sleptMs);
          this.#reconnecting.onSystemWake();
          deps.onConnectionDead();
        },
      });
  }

  /** Call with every block of the microphone. */
  poll(): void {
    this.#sleep?.poll();
  }

  onSystemWake(): void {
    if (this.#sleep !== undefined) this.#sleep.onSystemWake();
    else {
      this.#reconnecting.onSystemWake();
      this.#deps.onConnectionDead();
    }
  }

  beginSession(): void {
    const { mode, sessionSeconds } = this.#options;
    const { clock, emit } = this.#deps;
    this.#maxUsedTokens = 0;
    // A suspected sleep or silence concerned the earlier connection.
    this.#sleep?.stop();
    this.#quiet.stop();
    this.#limits?.stop();
    this.#limits = new LimitWarnings({
      clock,
      mode,
      sessionSeconds: this.#lifetime.limit(sessionSeconds),
      contextTokens: this.#contextTokens,
      onChange: (limits) => emit({ event: 'limits', limits }),
      onWarning: (warning) => {
        // Drops the warning at 60 s, because a hand-over can still succeed. `Conversation` drops the warning at 15 s if
        // `HandOver` expects another session.
        if (this.#options.handsOver === true && warning.threshold > 15) return;
        emit({ event: 'warning', warning });
      },
    });
  }

  onContinue(carry: 'transcript' | 'nothing'): void {
    this.#reconnecting.onUserStart();
    if (carry === 'transcript') return;
    this.#transcript = newTranscript();
    this.#results = [];
    this.shortener.forget();
  }

  /** Stores a tool's result for the next session. */
  addResult(result: ToolResult): void {
    this.#results = [...this.#results, result].slice(-maxResults);
  }

  /** Whether the next session would get the whole transcript. */
  get keepsWholeTranscript(): boolean {
    return fitsWhole(this.#transcript.turns(), this.#carryOverTokens);
  }

  /** Returns the user's instructions with the memory, results of tools, and the transcript so far. */
  instructions(heardSoFar: readonly HeardTurn[]): string | undefined {
    const { instructions } = this.#options.settings;
    // Read for each session, because the user may have changed or switched off the memory.
    const known = this.#deps.memory?.(instructions, this.#contextTokens);
    this.#instructions = this.#withResults(withInstructions(instructions, known));
    for (const { turn, heard } of heardSoFar) this.#transcript.setHeard(turn, heard);
    return carryOver({
      turns: this.#transcript.turns(),
      instructions: this.#instructions,
      messages: this.#options.carryOver,
      shortened: this.shortener.shortened,
      maxTokens: this.#carryOverTokens,
    });
  }

  #withResults(instructions: string | undefined): string | undefined {
    const { talkTools } = this.#options;
    this.#givenResults = [];
    if (talkTools === undefined || this.#results.length === 0) return instructions;
    const results = formatResults(this.#results, talkTools, {
      contextTokens: this.#contextTokens ?? contextTokens,
      instructions,
    });
    if (results === undefined) return instructions;
    this.#givenResults = results.ids;
    return withInstructions(instructions, results.text);
  }

  get #carryOverTokens(): number {
    return carryOverTokens(this.#contextTokens, this.#instructions);
  }

  /** Call with every session event. `onSessionClosed` decides what follows a `closed`. */
  onSessionEvent(event: SessionEvent): void {
    if (event.event === 'state') {
      this.#reconnecting.onPhase(event.state);
      this.#limits?.onPhase(event.state);
      if (event.state === 'live') {
        this.#lifetime.onLive(this.#deps.clock.now());
        if (this.#givenResults.length > 0)
          this.#deps.emit({ event: 'resultsGiven', ids: this.#givenResults });
      }
    } else if (event.event === 'dropped' && event.reason === 'slow')
      this.latency.addDrop(event.samples);
    if (event.event === 'text' || event.event === 'audio') this.#lifetime.onAnswer();
    if (event.event === 'sent') this.#quiet.onAppend();
    if (isFromServer(event) || event.event === 'closed') this.#sleep?.onServerEvent();
    if (isFromServer(event)) this.#quiet.onServerEvent();
    if (event.event === 'unknown') this.#logUnknown(event.type);
    if (event.event === 'session') {
      this.#countTokens(event.promptLength);
      this.shortener.onSession(event.dialect);
    }
    if (event.event !== 'metrics') return;
    const { contextTokens, values, usage } = event.metrics;
    const includesPruned = usage !== undefined && contextTokens !== values['kv_cache_length'];
    this.#countTokens(contextTokens, includesPruned);
    this.latency.addMetrics(event.metrics, event.roundTripMs);
    const logLine = this.#log.nextLine();
    if (logLine !== undefined) this.#deps.log.write('info', logLine);
  }

  #countTokens(tokens: number | undefined, includesPruned = false): void {
    if (!includesPruned) this.#maxUsedTokens = Math.max(this.#maxUsedTokens, tokens ?? 0);
    this.#limits?.onUsage(tokens, includesPruned);
  }

  /** Logs the first one only, because a server may send such an event with every step. */
  #logUnknown(type: string): void {
    if (this.#unknownLogged) return;
    this.#unknownLogged = true;
    this.#deps.log.write('info', `the server sent an unknown event: ${type}`);
  }

  onTurnHeard({ turn, heard, cut }: HeardTurn): void {
    this.#transcript.setHeard(turn, heard);
    if (cut === '') this.#transcript.complete(turn);
    else this.#transcript.cut(turn);
  }

  readonly onDelay = ({ kind, ms }: Delay): void => {
    this.latency.add(kind, ms);
    this.#deps.emit({ event: 'measure', kind, ms });
  };

  onSessionClosed(event: Extract<SessionEvent, { event: 'closed' }>): AfterEnding {
    this.#limits?.stop();
    this.#quiet.stop();
    this.shortener.cancel();
    if (rootError(event.error).code === 'memoryFull' && this.#maxUsedTokens > 0)
      this.#contextTokens = this.#maxUsedTokens;
    const reached = this.#lifetime.onEnd(event.error, this.#deps.clock.now());
    const then = this.#reconnecting.onSessionEnd(event);
    if (reached && this.#options.handsOver === true) return { do: 'reconnect', inMs: 0 };
    const alone = then.do === 'reconnect' && this.#options.reconnects === false;
    return alone ? { do: 'stop', offer: 'retry' } : then;
  }

  stop(): void {
    this.#limits?.stop();
    this.#quiet.stop();
    this.#sleep?.stop();
    this.shortener.cancel();
  }
}

/** More would not fit into a session's text. */
const maxResults = 20;

/** Turns are numbered across sessions already, so the transcript sees a single session. */
function newTranscript(): Transcript {
  const transcript = new Transcript();
  transcript.begin();
  return transcript;
}
