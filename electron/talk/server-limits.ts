import { rootError } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import {
  contextTokens,
  type DialectName,
  type DuplexMode,
  sessionSeconds,
} from '../../shared/protocol/realtime-api.ts';
import type { ServerTraits } from '../../shared/settings/connection-settings.ts';
import { documentedContext, type ContextFacts } from '../../shared/vision/context-facts.ts';
import type {
  LearnedLimits,
  LearnedCosts,
  ServerFactsStore,
} from '../settings/servers/server-facts.ts';
import type { ConversationEvent } from './conversation-options.ts';

/** Limits that differ from the documented ones. */
interface KnownLimits {
  readonly sessionSeconds?: number | undefined;
  readonly contextTokens?: number | undefined;
}

interface WatchedTalk {
  readonly mode: DuplexMode;
  /** Undefined for the demonstration, whose limits are not stored. */
  readonly address: string | undefined;
}

/** A session this short ended for a reason other than its limit. */
const minSeconds = 20;
/** A session that outlives the learned limit by this much disproves it. */
const slackSeconds = 10;
/** The last token count comes from the step before the end, so it is rounded up to a multiple of this. */
const tokensRound = 64;

/** Limits of servers: the user's settings first, then learned values, then the documented ones. */
export class ServerLimits {
  readonly #facts: ServerFactsStore;
  readonly #clock: Pick<Clock, 'now'>;
  #liveSince: number | undefined;
  #tokens = 0;
  /** Learned values of the demonstration, until Parley quits. */
  #demonstrationCosts: LearnedCosts = embeddedCosts;

  constructor(facts: ServerFactsStore, clock: Pick<Clock, 'now'>) {
    this.#facts = facts;
    this.#clock = clock;
  }

  limitsFor({ mode, address }: WatchedTalk, traits: ServerTraits = {}): KnownLimits {
    const learned = this.#learnedLimits(address);
    return {
      sessionSeconds: traits.timeLimit ?? learned[mode],
      contextTokens: traits.contextLimit ?? learned.tokens,
    };
  }

  /** Facts about the server's context. Without a dialect, the one remembered for the address applies. */
  contextFacts(
    address: string | undefined,
    traits: ServerTraits = {},
    dialect?: DialectName,
  ): ContextFacts {
    const { sessionSeconds: seconds, contextTokens: tokens } = this.limitsFor(
      { mode: 'video', address },
      traits,
    );
    const { otherTokensPerSecond, pictureScale } = this.#learnedCosts(address);
    const spoken =
      dialect ?? (address === undefined ? undefined : this.#facts.recall(address).dialect);
    return {
      contextTokens: tokens ?? documentedContext.contextTokens,
      sessionSeconds: seconds ?? documentedContext.sessionSeconds,
      otherTokensPerSecond: otherTokensPerSecond ?? documentedContext.otherTokensPerSecond,
      pictureScale: pictureScale ?? documentedContext.pictureScale,
      everyAppend: spoken === 'legacy',
    };
  }

  /** Stores learned values; undefined ones keep the old value. */
  learnCosts(
    address: string | undefined,
    { otherTokensPerSecond, pictureScale }: LearnedCosts,
  ): void {
    if (otherTokensPerSecond === undefined && pictureScale === undefined) return;
    const costs = {
      ...this.#learnedCosts(address),
      ...(otherTokensPerSecond !== undefined && {
        otherTokensPerSecond: rounded(otherTokensPerSecond),
      }),
      ...(pictureScale !== undefined && { pictureScale: rounded(pictureScale) }),
    };
    if (address === undefined) this.#demonstrationCosts = costs;
    else this.#facts.remember(address, { costs });
  }

  #learnedCosts(address: string | undefined): LearnedCosts {
    return (
      (address === undefined ? this.#demonstrationCosts : this.#facts.recall(address).costs) ?? {}
    );
  }

  onEvent(event: ConversationEvent, talk: WatchedTalk): void {
    if (event.event === 'state' && event.state === 'live') {
      this.#liveSince = this.#clock.now();
      this.#tokens = 0;
    } else if (event.event === 'handedOver') this.#liveSince = undefined;
    else if (event.event === 'metrics') {
      this.#tokens = Math.max(this.#tokens, event.metrics.contextTokens ?? 0);
    } else if (event.event === 'closed') this.#onSessionEnd(event, talk);
  }

  #onSessionEnd(
    { error }: Extract<ConversationEvent, { event: 'closed' }>,
    { mode, address }: WatchedTalk,
  ): void {
    const since = this.#liveSince;
    this.#liveSince = undefined;
    if (since === undefined || address === undefined) return;
    const seconds = Math.floor((this.#clock.now() - since) / 1000);
    const learned = this.#learnedLimits(address);
    const learnedSeconds = learned[mode];
    const { code } = rootError(error);
    if (code === 'timeLimitReached' && seconds >= minSeconds)
      this.#learn(address, {
        [mode]: isAsDocumented(seconds, sessionSeconds[mode]) ? undefined : seconds,
      });
    else if (learnedSeconds !== undefined && seconds > learnedSeconds + slackSeconds)
      this.#learn(address, { [mode]: undefined });
    if (code === 'memoryFull' && this.#tokens > 0) {
      const tokens = Math.ceil(this.#tokens / tokensRound) * tokensRound;
      this.#learn(address, { tokens: tokens === contextTokens ? undefined : tokens });
    }
  }

  #learnedLimits(address: string | undefined): LearnedLimits {
    return (address === undefined ? undefined : this.#facts.recall(address).limits) ?? {};
  }

  #learn(address: string, change: LearnedLimits): void {
    const entries = Object.entries({ ...this.#learnedLimits(address), ...change });
    const limits = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    this.#facts.remember(address, { limits });
  }
}

/** Values of the embedded gateway in a talk with speech. */
const embeddedCosts: LearnedCosts = { otherTokensPerSecond: 14, pictureScale: 1 };

/** Rounding avoids writes for tiny changes. */
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Servers count from admission or from connecting, so a session may be live for slightly less than the limit. */
function isAsDocumented(seconds: number, documented: number): boolean {
  return seconds <= documented + slackSeconds && seconds >= documented - slackSeconds;
}
