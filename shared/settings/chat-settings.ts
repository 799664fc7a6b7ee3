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

/** What a person can choose for a written conversation: what the wire of chat carries, and no more. */
export interface ChatOptions {
  readonly system?: string | undefined;
  readonly streaming: boolean;
  /** Whether answers are also spoken. */
  readonly speech: boolean;
  /** Whose voice speaks, by the id of a stored voice; else the server's own. */
  readonly voice?: string | undefined;
  /** Whether spoken answers are asked for with the model's template for speech; they are where it is left out. */
  readonly ttsTemplate?: boolean | undefined;
  readonly maxNewTokens?: number | undefined;
  readonly lengthPenalty?: number | undefined;
  readonly thinking: boolean;
  /** How closely pictures are looked at: 1 to 9 slices. */
  readonly maxSlices?: number | undefined;
}

export const defaultChatOptions: ChatOptions = { streaming: true, speech: false, thinking: false };

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

/** As the wire of chat has them: what is left to the server is not there. */
export function chatOptionsOf(chat: ChatSettings, defaultVoice: string): ChatOptions {
  const { system, voice, maxNewTokens, lengthPenalty, maxSlices, ttsTemplate, ...switches } = chat;
  const chosen = voice === 'usual' ? defaultVoice : voice;
  return {
    ...switches,
    // Spoken answers have it where nothing is said of it.
    ttsTemplate: ttsTemplate ? undefined : false,
    system: system === '' ? undefined : system,
    voice: chosen === 'none' ? undefined : chosen,
    maxNewTokens: maxNewTokens === 'server' ? undefined : maxNewTokens,
    lengthPenalty: lengthPenalty === 'server' ? undefined : lengthPenalty,
    maxSlices: maxSlices === 'server' ? undefined : maxSlices,
  };
}

/** The other way round. A voice that is the usual one stays so when that changes. */
export function chatSettingsOf(options: ChatOptions, defaultVoice: string): ChatSettings {
  const { system, voice, maxNewTokens, lengthPenalty, maxSlices, ttsTemplate, ...switches } =
    options;
  const chosen = voice ?? 'none';
  return {
    ...switches,
    ttsTemplate: ttsTemplate ?? true,
    system: system ?? '',
    voice: chosen === defaultVoice ? 'usual' : chosen,
    maxNewTokens: maxNewTokens ?? 'server',
    lengthPenalty: lengthPenalty ?? 'server',
    maxSlices: maxSlices ?? 'server',
  };
}
