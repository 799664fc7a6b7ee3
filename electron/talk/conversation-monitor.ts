import { rootError } from '../../shared/errors/session-reasons.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import { contextTokens } from '../../shared/protocol/realtime-api.ts';
import { withInstructions } from '../../shared/settings/preset.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { ToolResult } from '../../shared/tools/talk-request.ts';
import type { HeardTurn } from './captions/live-captions.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { ConversationDeps, ConversationOptions } from './conversation-options.ts';
import { carryOver, carryOverTokens, fitsWhole } from './policies/carry-over.ts';
import {
  isFromServer,
  QuietServerDetector,
  SleepDetector,
} from './policies/connection-liveness.ts';
import { type Delay, LatencyLog, LatencyStats } from './policies/latency-stats.ts';
import { LimitWarnings } from './policies/limit-warnings.ts';
import { type AfterEnding, ReconnectTracker } from './policies/reconnect-policy.ts';
import { SessionLifetime } from './policies/session-lifetime.ts';
import { formatResults } from './policies/tool-results.ts';
import { Transcript } from './policies/transcript.ts';
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
  /** The machine slept, so the connection is taken for dead. */
  readonly connectionDead: () => void;
  /** A server that used to answer regularly fell silent, or speaks again. */
  readonly quiet: (quiet: boolean) => void;
}

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
  /** As sent to the newest session, without its transcript. */
  #instructions: string | undefined;
  #transcript = newTranscript();
  #results: readonly ToolResult[] = [];
  /** Ids of the results that the newest session got. */
  #givenResults: readonly string[] = [];
  readonly #lifetime = new SessionLifetime();
  /** The context's size, if it is known or a session ended because it was full. */
  #contextTokens: number | undefined;
  /** The most tokens that this session has reported. */
  #mostTokens = 0;
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
    this.#quiet = new QuietServerDetector({ clock: deps.clock, changed: deps.quiet });
    this.#reconnecting = new ReconnectTracker(deps);
    const { clock, wallNow } = deps;
    this.#sleep =
      wallNow &&
      new SleepDetector({
        clock,
        wallNow,
        onConnectionDead: (sleptMs) => {
          this.#limits?.slept(sleptMs);
          this.#reconnecting.onSystemWake();
          deps.connectionDead();
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
      this.#deps.connectionDead();
    }
  }

  beginSession(): void {
    const { mode, sessionSeconds } = this.#options;
    const { clock, emit } = this.#deps;
    this.#mostTokens = 0;
    // Suspicions concerned the connection before.
    this.#sleep?.stop();
    this.#quiet.stop();
    this.#limits?.stop();
    this.#limits = new LimitWarnings({
      clock,
      mode,
      sessionSeconds: this.#lifetime.limit(sessionSeconds),
      contextTokens: this.#contextTokens,
      changed: (left) => emit({ event: 'limits', left }),
      warn: (warning) => {
        // Until 15 s before the limit a hand-over can still succeed; after that `HandOver` decides.
        if (this.#options.handsOver === true && warning.threshold > 15) return;
        emit({ event: 'warning', warning });
      },
    });
  }

  onContinue(carry: 'transcript' | 'nothing'): void {
    this.#reconnecting.began();
    if (carry === 'transcript') return;
    this.#transcript = newTranscript();
    this.#results = [];
    this.shortener.forget();
  }

  /** The next session gets it. */
  addResult(result: ToolResult): void {
    this.#results = [...this.#results, result].slice(-maxResults);
  }

  /** Whether the transcript so far goes to a next session without a loss. */
  get keepsWholeTranscript(): boolean {
    return fitsWhole(this.#transcript.turns(), this.#carryOverTokens);
  }

  /** Returns the instructions with what is known of the user, results of tools, and the transcript so far. */
  instructions(heardSoFar: readonly HeardTurn[]): string | undefined {
    // Read for each session, because the user may have changed or switched off the memory.
    const { instructions } = this.#options.settings;
    const known = this.#deps.memory?.(instructions, this.#contextTokens);
    this.#instructions = this.#withResults(withInstructions(instructions, known));
    for (const { turn, heard } of heardSoFar) this.#transcript.heard(turn, heard);
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
    this.#givenResults = this.#results.map(({ id }) => id);
    return withInstructions(instructions, results);
  }

  get #carryOverTokens(): number {
    return carryOverTokens(this.#contextTokens, this.#instructions);
  }

  /** Handles every session event except `closed`. */
  onSessionEvent(event: SessionEvent): void {
    if (event.event === 'state') {
      this.#reconnecting.entered(event.state);
      this.#limits?.entered(event.state);
      if (event.state === 'live') {
        this.#lifetime.live(this.#deps.clock.now());
        if (this.#givenResults.length > 0)
          this.#deps.emit({ event: 'resultsGiven', ids: this.#givenResults });
      }
    } else if (event.event === 'dropped') this.latency.addDrop(event.samples);
    if (event.event === 'text' || event.event === 'audio') this.#lifetime.answered();
    if (event.event === 'sent') this.#quiet.sent();
    if (isFromServer(event) || event.event === 'closed') this.#sleep?.heardServer();
    if (isFromServer(event)) this.#quiet.heard();
    if (event.event === 'unknown') this.#logUnknown(event.type);
    if (event.event === 'session') {
      this.#used(event.promptLength);
      this.shortener.sessionBegan(event.dialect);
    }
    if (event.event !== 'metrics') return;
    const { contextTokens, figures, usage } = event.metrics;
    const isSum = usage !== undefined && contextTokens !== figures['kv_cache_length'];
    this.#used(contextTokens, isSum);
    this.latency.addMetrics(event.metrics, event.roundTripMs);
    const logLine = this.#log.due();
    if (logLine !== undefined) this.#deps.log.write('info', logLine);
  }

  #used(tokens: number | undefined, isSum = false): void {
    if (!isSum) this.#mostTokens = Math.max(this.#mostTokens, tokens ?? 0);
    this.#limits?.used(tokens, isSum);
  }

  /** Logs the first one only, because a server may send such an event with every step. */
  #logUnknown(type: string): void {
    if (this.#unknownLogged) return;
    this.#unknownLogged = true;
    this.#deps.log.write('info', `the server sent an unknown event: ${type}`);
  }

  turnHeard({ turn, heard, cut }: HeardTurn): void {
    this.#transcript.heard(turn, heard);
    if (cut === '') this.#transcript.complete(turn);
    else this.#transcript.cut(turn);
  }

  readonly measured = ({ kind, ms }: Delay): void => {
    this.latency.add(kind, ms);
    this.#deps.emit({ event: 'measure', kind, ms });
  };

  ended(event: Extract<SessionEvent, { event: 'closed' }>): AfterEnding {
    this.#limits?.stop();
    this.#quiet.stop();
    this.shortener.cancel();
    if (rootError(event.error).code === 'memoryFull' && this.#mostTokens > 0)
      this.#contextTokens = this.#mostTokens;
    const reached = this.#lifetime.ended(event.error, this.#deps.clock.now());
    const then = this.#reconnecting.ended(event);
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
