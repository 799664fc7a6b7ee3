import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import type { GatewayOptions } from './gateway.ts';
import { isDeployedLegacy } from './server-profile.ts';

const soundTokensPerSecond = 10;
const unitTokens = 2;
const charactersPerToken = 4;

/** The tokens of the model's context. */
export interface ContextWindow {
  readonly tokens: number;
  /** Where the documents end the session, deployed unified servers forget their oldest half instead. */
  readonly add: (tokens: number) => 'fits' | 'full';
  /** Chat says everything anew in every turn. */
  readonly restart: (tokens: number) => 'fits' | 'full';
}

export function openContextWindow(
  options: Pick<GatewayOptions, 'contextTokens' | 'dialect' | 'profile'>,
  prompt: number,
): ContextWindow {
  const { contextTokens: limit, profile } = options;
  let tokens = prompt;

  function take(now: number): 'fits' | 'full' {
    tokens = now;
    if (tokens < limit) return 'fits';
    if (profile === 'documented' || isDeployedLegacy(options)) return 'full';
    tokens = Math.min(prompt, limit) + Math.floor(Math.max(0, limit - prompt) / 2);
    return 'fits';
  }

  return {
    get tokens() {
      return tokens;
    },
    add: (more) => take(tokens + more),
    restart: take,
  };
}

export const countTextTokens = (text: string): number =>
  Math.ceil(text.length / charactersPerToken);

export const countSoundTokens = (samples: number): number =>
  Math.ceil((samples / inputRate) * soundTokensPerSecond) + unitTokens;
