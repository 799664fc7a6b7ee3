import { sharpestBudget } from '../vision/picture-memory.ts';
import { maxDeviceName } from './audio-settings.ts';
import { chordRule } from './app-settings.ts';
import {
  booleanRule,
  choiceRule,
  integerRule,
  numberRule,
  setting,
  settingsGroup,
  textRule,
  type ValueOf,
} from './setting-rule.ts';

/**
 * When an answer starts if the server is slower than real time. `soonest` risks a short gap. `balanced` waits until
 * playback should last. `smoothest` waits longer and avoids time-stretching.
 */
export const answerStarts = ['soonest', 'balanced', 'smoothest'] as const;

export type AnswerStart = (typeof answerStarts)[number];

/** Backchannel: a short sound over the answer ducks it and does not interrupt it. */
const overlap = settingsGroup({
  enabled: setting(booleanRule, true),
  /** Maximum length of such a sound, in milliseconds. */
  shortMs: setting(integerRule(100, 3000), 700),
});

export const talkingSettings = settingsGroup({
  mode: setting(choiceRule(['open', 'hold', 'tap', 'holdOrTap']), 'open'),
  /** `KeyboardEvent.code` names, modifiers first: `Space`, `Control+KeyT`. */
  key: setting(chordRule, 'Space'),
  /** Whether the global key below works in other programs. */
  everywhere: setting(booleanRule, false),
  globalKey: setting(chordRule, 'Control+Alt+KeyV'),
  /** Sound when a key opens or closes the microphone. */
  sounds: setting(booleanRule, false),
  startMuted: setting(booleanRule, false),
  overlap,
  /** At the time limit of a session. */
  longTalks: setting(choiceRule(['handOver', 'ask']), 'handOver'),
  /** Whether a `listen` step of the server during a turn silences the answer. */
  yielding: setting(choiceRule(['auto', 'always', 'never']), 'auto'),
  answers: setting(choiceRule(answerStarts), 'balanced'),
});

export type TalkingSettings = ValueOf<typeof talkingSettings>;

/** Push-to-talk sends nothing before a key press, so starting muted would only block the key. */
export function startsMuted({
  mode,
  startMuted,
}: Pick<TalkingSettings, 'mode' | 'startMuted'>): boolean {
  return startMuted && mode === 'open';
}

export const visionSettings = settingsGroup({
  /** The camera name, or empty for the system default. */
  camera: setting(textRule(maxDeviceName), ''),
  slices: setting(integerRule(1, 9), 1),
  /** Frames a second. */
  rate: setting(numberRule(0.1, 5), 1),
  /** Share of the model context for pictures, from a long conversation (low) to sharp pictures (high). */
  budget: setting(integerRule(1, sharpestBudget), 3),
  /** Send fewer frames while nothing moves. */
  fewerWhenStill: setting(booleanRule, false),
  /** Preview only. */
  mirror: setting(booleanRule, true),
  flip: setting(booleanRule, false),
});

export type VisionSettings = ValueOf<typeof visionSettings>;

export const captionSettings = settingsGroup({
  /** Pixels. */
  size: setting(integerRule(14, 96), 28),
  contrast: setting(choiceRule(['normal', 'high']), 'normal'),
});

export type CaptionSettings = ValueOf<typeof captionSettings>;
