import {
  booleanRule,
  idPattern,
  integerRule,
  numberRule,
  patternRule,
  setting,
  settingsGroup,
  textRule,
  type ValueOf,
  wordOrRule,
} from './setting-rule.ts';

/** How the answers of written conversations are made. `server` leaves it to the server. */
export const chatSettings = settingsGroup({
  system: setting(textRule(50_000), ''),
  streaming: setting(booleanRule, true),
  speech: setting(booleanRule, false),
  /** The id of a stored voice, `none` for the server's own, or `usual`: the one that talks have. */
  voice: setting(patternRule(idPattern, 'must be the id of a voice, "none" or "usual"'), 'usual'),
  maxNewTokens: setting(wordOrRule('server', integerRule(1, 8192)), 'server'),
  lengthPenalty: setting(wordOrRule('server', numberRule(0.1, 5)), 'server'),
  thinking: setting(booleanRule, false),
  ttsTemplate: setting(booleanRule, true),
  maxSlices: setting(wordOrRule('server', integerRule(1, 9)), 'server'),
});

export type ChatSettings = ValueOf<typeof chatSettings>;

/** With the very voice that speaks, in the place of `usual`; `none` where it is the server's own. */
export function withSpokenVoice(chat: ChatSettings, usual: string): ChatSettings {
  return chat.voice === 'usual' ? { ...chat, voice: usual } : chat;
}

/** The other way round. A voice that is the usual one stays so when that changes. */
export function withUsualVoice(chat: ChatSettings, usual: string): ChatSettings {
  return chat.voice === usual ? { ...chat, voice: 'usual' } : chat;
}

/** What is left to the server is not sent. */
export function ownNumber(value: number | 'server'): number | undefined {
  return value === 'server' ? undefined : value;
}
