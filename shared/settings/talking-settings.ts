import { sharpestBudget } from '../vision/picture-memory.ts';
import { maxDeviceName } from './audio-settings.ts';
import { chordRule } from './key-settings.ts';
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
 * How answers begin where a server is slower than its sound lasts: as soon as something is there, at the risk of a
 * short gap; as soon as it should last; or a little later, without stretching a word.
 */
export const answerStarts = ['soonest', 'balanced', 'smoothest'] as const;

export type AnswerStart = (typeof answerStarts)[number];

/** A short sound over the answer lowers it for a moment and does not end it. */
const overlap = settingsGroup({
  enabled: setting(booleanRule, true),
  /** How long a sound may last to be a short one. */
  shortMs: setting(integerRule(100, 3000), 700),
});

export const talkingSettings = settingsGroup({
  mode: setting(choiceRule(['open', 'hold', 'tap', 'holdOrTap']), 'open'),
  /** As a keyboard event's `code` has it, modifiers before it: `Space`, `Control+KeyT`. */
  key: setting(chordRule, 'Space'),
  /** Whether another key is heard while other programs have the keyboard, and which one. */
  everywhere: setting(booleanRule, false),
  globalKey: setting(chordRule, 'Control+Alt+Space'),
  /** A soft sound when a key opens the microphone, and when it is closed. */
  sounds: setting(booleanRule, false),
  /** Whether a talk with an open microphone begins muted. */
  startMuted: setting(booleanRule, false),
  overlap,
  /** What is done when the time of a session runs out. */
  longTalks: setting(choiceRule(['handOver', 'ask']), 'handOver'),
  /** Whether a listen of the server in the middle of a turn silences the answer. */
  yielding: setting(choiceRule(['auto', 'always', 'never']), 'auto'),
  /** How soon the sound of an answer begins. */
  answers: setting(choiceRule(answerStarts), 'balanced'),
});

export type TalkingSettings = ValueOf<typeof talkingSettings>;

/** Whoever talks with a key is not heard before it is pressed; muted as well they would press it in vain. */
export function beginsMuted({
  mode,
  startMuted,
}: Pick<TalkingSettings, 'mode' | 'startMuted'>): boolean {
  return startMuted && mode === 'open';
}

export const visionSettings = settingsGroup({
  /** The name of the camera to open; empty for whichever the system gives. */
  camera: setting(textRule(maxDeviceName), ''),
  slices: setting(integerRule(1, 9), 1),
  /** Frames a second. */
  rate: setting(numberRule(0.1, 5), 1),
  /** How many of them the model's memory is spent on, from long conversation to sharp eyes. */
  budget: setting(integerRule(1, sharpestBudget), 3),
  /** A scene in which nothing moves sends fewer frames. */
  fewerWhenStill: setting(booleanRule, false),
  /** Of the preview only: how the person sees themselves. */
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
