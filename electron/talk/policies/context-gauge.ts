import { contextTokens } from '../../../shared/protocol/realtime-api.ts';
import { RobustSlope, mergeWithinMs } from './robust-statistics.ts';

/** Metrics come once per step; without steps (a pause) the context does not fill either. */
const staleMs = 5_000;

/** Remaining context, in tokens and in seconds at the present rate. */
export interface ContextHeadroom {
  readonly tokens: number | undefined;
  readonly tokenSeconds: number | undefined;
  readonly pruning: boolean;
}

export class ContextGauge {
  readonly #size: number;
  readonly #slope = new RobustSlope();
  /** Documented tokens per second, used until metrics give a rate. */
  readonly #documentedRate: number | undefined;
  #used: { readonly at: number; readonly tokens: number } | undefined;
  #maxTokens = 0;
  /** Consecutive steps below the maximum; a single one may be a server's error. */
  #below = 0;
  #belowAt = -Infinity;
  #pruning = false;

  constructor(size: number = contextTokens, usualSeconds?: number) {
    this.#size = size;
    this.#documentedRate = usualSeconds === undefined ? undefined : contextTokens / usualSeconds;
  }

  /** @param isSum whether the tokens include those pruned since */
  onUsage(at: number, tokens: number, isSum = false): void {
    // Servers report 0 before the first input, or if they do not count.
    if (!(tokens > 0) || !Number.isFinite(tokens)) return;
    // A sum never shrinks; beyond the context's size something must have been pruned.
    if (isSum && tokens > this.#size) this.#pruning = true;
    if (tokens >= this.#maxTokens) {
      this.#below = 0;
      this.#maxTokens = tokens;
    } else {
      if (at - this.#belowAt >= mergeWithinMs) {
        this.#below += 1;
        this.#belowAt = at;
      }
      if (this.#below < 2 && !this.#pruning) return;
      this.#pruning = true;
    }
    this.#used = { at, tokens };
    if (this.#pruning) this.#slope.forget();
    else this.#slope.add(at, tokens);
  }

  left(now: number): ContextHeadroom {
    if (this.#used === undefined)
      return { tokens: undefined, tokenSeconds: undefined, pruning: this.#pruning };
    const tokens = Math.max(0, this.#size - this.#used.tokens);
    const rate = this.#slope.perSecond() ?? (this.#pruning ? undefined : this.#documentedRate);
    if (rate === undefined || rate <= 0)
      return { tokens, tokenSeconds: undefined, pruning: this.#pruning };
    const since = Math.min(Math.max(0, now - this.#used.at), staleMs) / 1000;
    return { tokens, tokenSeconds: Math.max(0, tokens / rate - since), pruning: false };
  }

  /** How long `left` keeps counting down before it waits for the next metrics. */
  countsForMs(now: number): number {
    return this.#used === undefined ? 0 : Math.max(0, this.#used.at + staleMs - now);
  }
}

/** Ideographs, kana, hangul and their punctuation: at most one token each. */
const wideCharacter =
  /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/u;
const narrowCharactersPerToken = 3;

/** Estimates tokens, rather too many than too few. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += characterTokens(character);
  return Math.ceil(tokens);
}

/** The end of a text that fits, starting at a word. */
export function lastTextThatFits(text: string, maxTokens: number): string {
  const characters = Array.from(text);
  let tokens = 0;
  let from = characters.length;
  while (from > 0 && tokens + characterTokens(characters[from - 1] ?? '') <= maxTokens) {
    from -= 1;
    tokens += characterTokens(characters[from] ?? '');
  }
  const rest = characters.slice(from).join('');
  if (from === 0 || wideCharacter.test(characters[from] ?? '') || characters[from - 1] === ' ')
    return rest.trim();
  const space = rest.indexOf(' ');
  return space === -1 ? rest.trim() : rest.slice(space + 1).trim();
}

function characterTokens(character: string): number {
  return wideCharacter.test(character) ? 1 : 1 / narrowCharactersPerToken;
}
