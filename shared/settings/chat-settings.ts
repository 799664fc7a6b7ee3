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

/** Generation settings of written conversations. `server` leaves a value to the server. */
export const chatSettings = settingsGroup({
  system: setting(textRule(50_000), ''),
  streaming: setting(booleanRule, true),
  speech: setting(booleanRule, false),
  /** The id of a stored voice, `none` for the server default, or `usual` for the voice of talks. */
  voice: setting(patternRule(idPattern, 'must be the id of a voice, "none" or "usual"'), 'usual'),
  maxNewTokens: setting(wordOrRule('server', integerRule(1, 8192)), 'server'),
  lengthPenalty: setting(wordOrRule('server', numberRule(0.1, 5)), 'server'),
  thinking: setting(booleanRule, false),
  ttsTemplate: setting(booleanRule, true),
  maxSlices: setting(wordOrRule('server', integerRule(1, 9)), 'server'),
});

export type ChatSettings = ValueOf<typeof chatSettings>;

/** Replaces `usual` with the id of the voice of talks. */
export function resolveUsualVoice(chat: ChatSettings, talkVoice: string): ChatSettings {
  return chat.voice === 'usual' ? { ...chat, voice: talkVoice } : chat;
}

/** Stores the voice of talks as `usual`, so that it follows later changes. */
export function toStoredVoice(chat: ChatSettings, talkVoice: string): ChatSettings {
  return chat.voice === talkVoice ? { ...chat, voice: 'usual' } : chat;
}

/** Undefined if the value is left to the server. */
export function explicitNumber(value: number | 'server'): number | undefined {
  return value === 'server' ? undefined : value;
}
