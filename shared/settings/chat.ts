import type { ChatOptions } from '../chat/chat-options.ts';
import { amount, flag, text, textLike, whole, wordOr } from './rule.ts';
import type { Rules } from './rule.ts';
import { idForm } from './groups.ts';

/** How the answers of written conversations are made. `server` leaves it to the server. */
export interface ChatSettings {
  readonly system: string;
  readonly streaming: boolean;
  readonly speech: boolean;
  /** The id of a kept voice, `none` for the server's own, or `usual`: the one that talks have. */
  readonly voice: string;
  readonly maxNewTokens: number | 'server';
  readonly lengthPenalty: number | 'server';
  readonly thinking: boolean;
  readonly maxSlices: number | 'server';
}

export const chatRules: Rules<ChatSettings> = {
  system: text(50_000),
  streaming: flag,
  speech: flag,
  voice: textLike(idForm, 'must be the id of a voice, "none" or "usual"'),
  maxNewTokens: wordOr('server', whole(1, 8192)),
  lengthPenalty: wordOr('server', amount(0.1, 5)),
  thinking: flag,
  maxSlices: wordOr('server', whole(1, 9)),
};

/** As the wire of chat has them: what is left to the server is not there. */
export function chatOptionsOf(chat: ChatSettings, usualVoice: string): ChatOptions {
  const { system, voice, maxNewTokens, lengthPenalty, maxSlices, ...switches } = chat;
  const chosen = voice === 'usual' ? usualVoice : voice;
  return {
    ...switches,
    system: system === '' ? undefined : system,
    voice: chosen === 'none' ? undefined : chosen,
    maxNewTokens: maxNewTokens === 'server' ? undefined : maxNewTokens,
    lengthPenalty: lengthPenalty === 'server' ? undefined : lengthPenalty,
    maxSlices: maxSlices === 'server' ? undefined : maxSlices,
  };
}

/** The other way round. A voice that is the usual one stays so when that changes. */
export function chatSettingsOf(options: ChatOptions, usualVoice: string): ChatSettings {
  const { system, voice, maxNewTokens, lengthPenalty, maxSlices, ...switches } = options;
  const chosen = voice ?? 'none';
  return {
    ...switches,
    system: system ?? '',
    voice: chosen === usualVoice ? 'usual' : chosen,
    maxNewTokens: maxNewTokens ?? 'server',
    lengthPenalty: lengthPenalty ?? 'server',
    maxSlices: maxSlices ?? 'server',
  };
}
