import { rootError } from '../../shared/errors/session-reasons.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  contextTokens,
  type DialectName,
  type DuplexMode,
  sessionSeconds,
} from '../../shared/protocol/realtime-api.ts';
import type { ServerTraits } from '../../shared/settings/endpoint-profile.ts';
import { documentedMemory, type MemoryFacts } from '../../shared/vision/picture-memory.ts';
import type {
  LearnedLimits,
  LearnedMemory,
  ServerMemory,
} from '../settings/servers/server-memory.ts';
import type { ConversationEvent } from './conversation-event.ts';

/** What to go by, where it is known better than the documents know it. */
interface KnownLimits {
  readonly sessionSeconds?: number | undefined;
  readonly contextTokens?: number | undefined;
}

interface Watched {
  readonly mode: DuplexMode;
  /** Nothing for the demonstration, of which nothing is kept. */
  readonly address: string | undefined;
}

/** A server that ends a session so soon has another reason than the one it gives. */
const minSeconds = 20;
/** It ended no session for so much longer than it was said to: it was a mistake. */
const slackSeconds = 10;
/** The last figure that is told is from the step before the end. */
const tokensRound = 64;

/** How long servers let sessions live: as the person says, else as they have shown, else as the documents say. */
export class ServerLimits {
  readonly #memory: ServerMemory;
  readonly #clock: Pick<Clock, 'now'>;
  #liveSince: number | undefined;
  #tokens = 0;
  /** Of the demonstration, until Parley is closed. */
  #demonstrated: LearnedMemory = embeddedMemory;

  constructor(memory: ServerMemory, clock: Pick<Clock, 'now'>) {
    this.#memory = memory;
    this.#clock = clock;
  }

  of({ mode, address }: Watched, traits: ServerTraits = {}): KnownLimits {
    const learned = this.#learned(address);
    return {
      sessionSeconds: traits.timeLimit ?? learned[mode],
      contextTokens: traits.contextLimit ?? learned.tokens,
    };
  }

  /** What is known of its memory; the dialect that it spoke last, where its own is not known yet. */
  memoryOf(
    address: string | undefined,
    traits: ServerTraits = {},
    dialect?: DialectName,
  ): MemoryFacts {
    const { sessionSeconds: seconds, contextTokens: tokens } = this.of(
      { mode: 'video', address },
      traits,
    );
    const { restPerSecond, pictureScale } = this.#spentBy(address);
    const spoken =
      dialect ?? (address === undefined ? undefined : this.#memory.recall(address).dialect);
    return {
      contextTokens: tokens ?? documentedMemory.contextTokens,
      sessionSeconds: seconds ?? documentedMemory.sessionSeconds,
      restPerSecond: restPerSecond ?? documentedMemory.restPerSecond,
      pictureScale: pictureScale ?? documentedMemory.pictureScale,
      everyAppend: spoken === 'legacy',
    };
  }

  /** What a session has shown; what it has not stays. */
  learnMemory(address: string | undefined, { restPerSecond, pictureScale }: LearnedMemory): void {
    if (restPerSecond === undefined && pictureScale === undefined) return;
    const memory = {
      ...this.#spentBy(address),
      ...(restPerSecond !== undefined && { restPerSecond: rounded(restPerSecond) }),
      ...(pictureScale !== undefined && { pictureScale: rounded(pictureScale) }),
    };
    if (address === undefined) this.#demonstrated = memory;
    else this.#memory.remember(address, { memory });
  }

  #spentBy(address: string | undefined): LearnedMemory {
    return (address === undefined ? this.#demonstrated : this.#memory.recall(address).memory) ?? {};
  }

  /** Everything that a talk emits; there is one at a time. */
  hear(event: ConversationEvent, talk: Watched): void {
    if (event.event === 'state' && event.state === 'live') {
      this.#liveSince = this.#clock.now();
      this.#tokens = 0;
    } else if (event.event === 'handedOver') this.#liveSince = undefined;
    else if (event.event === 'metrics') {
      this.#tokens = Math.max(this.#tokens, event.metrics.contextTokens ?? 0);
    } else if (event.event === 'closed') this.#ended(event, talk);
  }

  #ended(
    { error }: Extract<ConversationEvent, { event: 'closed' }>,
    { mode, address }: Watched,
  ): void {
    const since = this.#liveSince;
    this.#liveSince = undefined;
    if (since === undefined || address === undefined) return;
    const seconds = Math.floor((this.#clock.now() - since) / 1000);
    const learned = this.#learned(address);
    const known = learned[mode];
    const { code } = rootError(error);
    if (code === 'timeLimitReached' && seconds >= minSeconds)
      this.#learn(address, {
        [mode]: isAsDocumented(seconds, sessionSeconds[mode]) ? undefined : seconds,
      });
    else if (known !== undefined && seconds > known + slackSeconds)
      this.#learn(address, { [mode]: undefined });
    if (code === 'memoryFull' && this.#tokens > 0) {
      const tokens = Math.ceil(this.#tokens / tokensRound) * tokensRound;
      this.#learn(address, { tokens: tokens === contextTokens ? undefined : tokens });
    }
  }

  #learned(address: string | undefined): LearnedLimits {
    return (address === undefined ? undefined : this.#memory.recall(address).limits) ?? {};
  }

  #learn(address: string, change: LearnedLimits): void {
    const entries = Object.entries({ ...this.#learned(address), ...change });
    const limits = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    this.#memory.remember(address, { limits });
  }
}

/** As the embedded gateway counts, in a talk in which somebody speaks. */
const embeddedMemory: LearnedMemory = { restPerSecond: 14, pictureScale: 1 };

/** Nobody needs it finer, and the same is not written twice. */
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Servers count from the admission or from connecting: a session may be live for a little less. */
function isAsDocumented(seconds: number, documented: number): boolean {
  return seconds <= documented + slackSeconds && seconds >= documented - slackSeconds;
}
