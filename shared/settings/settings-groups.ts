import { type Language, languageIds } from '../i18n/languages.ts';
import { type TapeCoding, tapeCodings } from '../recordings/talk-keeping.ts';
import { sharpestBudget } from '../vision/picture-memory.ts';
import { booleanRule, choiceRule, groupRule, integerRule, isRecord, numberRule, patternRule, type SettingRules, textRule, valueRule, wordOrRule } from './setting-rule.ts';

/** What else than the talk key can be done by a key of the window. */
export const windowKeyNames = [
  'interrupt',
  'mute',
  'cough',
  'pause',
  'end',
  'keepRecent',
  'palette',
  'inspector',
  'shortcuts',
] as const;

export type WindowKeyName = (typeof windowKeyNames)[number];

/**
 * A chord as a keyboard event's `code` has it, modifiers before it; `default` for what Parley has at first,
 * which goes by the sign on the key; `none` for no key.
 */
export type KeySettings = Readonly<Record<WindowKeyName, string>>;

const chordRule = patternRule(
  /^[A-Za-z\d]{1,30}(\+[A-Za-z\d]{1,30}){0,4}$/,
  'must be the name of a key',
);

export const keyRules: SettingRules<KeySettings> = {
  interrupt: chordRule,
  mute: chordRule,
  cough: chordRule,
  pause: chordRule,
  end: chordRule,
  keepRecent: chordRule,
  palette: chordRule,
  inspector: chordRule,
  shortcuts: chordRule,
};

export interface VoiceSettings {
  /** Whom the model takes after: the id of a stored voice. */
  readonly model: string;
  /** Whose voice it speaks with. */
  readonly speech: string;
}

/** Where no voice of its own is chosen to speak with, the answer sounds like the one that the model takes after. */
export function spokenVoice({ model, speech }: VoiceSettings): string {
  return speech === 'none' ? model : speech;
}

/** By name, or whatever the system uses at the moment. */
export type SoundChoice =
  | { readonly name: string; readonly hostApi?: string | undefined }
  | 'default';

/**
 * How answers begin where a server is slower than its sound lasts: as soon as something is there, at the risk of a
 * short gap; as soon as it should last; or a little later, without stretching a word.
 */
export const answerStarts = ['soonest', 'balanced', 'smoothest'] as const;

export type AnswerStart = (typeof answerStarts)[number];

export interface AudioSettings {
  readonly microphone: SoundChoice;
  readonly speaker: SoundChoice;
  /** While the chosen microphone is gone: nothing is heard, or the system's own microphone stands in. */
  readonly whileUnplugged: 'nothing' | 'system';
  /** What the microphone's sound is multiplied by. */
  readonly inputVolume: number;
  /** Whether what the speaker sends into the microphone is taken out: without being told not at a headset. */
  readonly echo: 'auto' | 'on' | 'off';
  /** Whether the noise of the room is made softer. */
  readonly noise: Clearing;
  /** Whether whoever speaks is brought to one loudness. */
  readonly level: Clearing;
  readonly playbackVolume: number;
  /** A soft sound when one moves up in a queue, and when it is one's turn. */
  readonly chimes: boolean;
}

/** How much is done about the microphone's sound. */
export type Clearing = 'off' | 'gentle' | 'strong';

export interface TalkingSettings {
  readonly mode: 'open' | 'hold' | 'tap' | 'holdOrTap';
  /** As a keyboard event's `code` has it, modifiers before it: `Space`, `Control+KeyT`. */
  readonly key: string;
  /** Whether another key is heard while other programs have the keyboard, and which one. */
  readonly everywhere: boolean;
  readonly globalKey: string;
  /** A soft sound when a key opens the microphone, and when it is closed. */
  readonly sounds: boolean;
  /** Whether a talk with an open microphone begins muted. */
  readonly startMuted: boolean;
  readonly overlap: BargeInSettings;
  /** What is done when the time of a session runs out. */
  readonly longTalks: 'handOver' | 'ask';
  /** Whether a listen of the server in the middle of a turn silences the answer. */
  readonly yielding: 'auto' | 'always' | 'never';
  /** How soon the sound of an answer begins. */
  readonly answers: AnswerStart;
}

/** Whoever talks with a key is not heard before it is pressed; muted as well they would press it in vain. */
export function beginsMuted({
  mode,
  startMuted,
}: Pick<TalkingSettings, 'mode' | 'startMuted'>): boolean {
  return startMuted && mode === 'open';
}

export interface BargeInSettings {
  /** A short sound over the answer lowers it for a moment and does not end it. */
  readonly enabled: boolean;
  /** How long a sound may last to be a short one. */
  readonly shortMs: number;
}

export interface VisionSettings {
  /** The name of the camera to open; empty for whichever the system gives. */
  readonly camera: string;
  readonly slices: number;
  /** Frames a second. */
  readonly rate: number;
  /** How many of them the model's memory is spent on, from long conversation to sharp eyes. */
  readonly budget: number;
  /** A scene in which nothing moves sends fewer frames. */
  readonly fewerWhenStill: boolean;
  /** Of the preview only: how the person sees themselves. */
  readonly mirror: boolean;
  readonly flip: boolean;
}

export interface CaptionSettings {
  /** Pixels. */
  readonly size: number;
  readonly contrast: 'normal' | 'high';
}

export interface PrivacySettings {
  readonly keepChats: boolean;
  /** The text of talks. */
  readonly keepTalks: 'ask' | 'yes' | 'no';
  readonly keepTapes: boolean;
  /** Whether the server is asked to write down what the person says, and when. */
  readonly ownWords: 'no' | 'afterTalk' | 'whileTalking';
  /** How the sound of tapes is written. */
  readonly tapeSound: TapeCoding;
  /** The last two minutes of a talk without a tape are held in memory, to become one if it is asked for. */
  readonly holdRecent: boolean;
  /** How many days written conversations stay, the text of talks, and tapes. */
  readonly days: KeptDays;
  readonly talkDays: KeptDays;
  readonly tapeDays: KeptDays;
}

export type KeptDays = number | 'forever';

export interface AppearanceSettings {
  readonly theme: 'system' | 'light' | 'dark';
  /** Percent. */
  readonly textSize: number;
  readonly language: 'system' | Language;
}

export interface FirstRunSettings {
  /** The first steps were taken, or skipped: nobody is asked twice. */
  readonly done: boolean;
}

/** The form of everything that Parley gives an id to. */
export const idPattern = /^[a-z\d][a-z\d-]{0,39}$/;

const voice = patternRule(idPattern, 'must be the id of a voice, or "none"');

const device = valueRule<SoundChoice>('must be the name of a device, or "default"', (value) => {
  if (value === 'default') return value;
  if (!isRecord(value)) return undefined;
  const { name, hostApi } = value;
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength) return undefined;
  if (hostApi === undefined) return { name };
  return typeof hostApi === 'string' && hostApi.length <= maxNameLength
    ? { name, hostApi }
    : undefined;
});
const maxNameLength = 300;

export const voiceRules: SettingRules<VoiceSettings> = { model: voice, speech: voice };

export const audioRules: SettingRules<AudioSettings> = {
  microphone: device,
  speaker: device,
  whileUnplugged: choiceRule(['nothing', 'system']),
  inputVolume: numberRule(0, 4),
  echo: choiceRule(['auto', 'on', 'off']),
  noise: choiceRule(['off', 'gentle', 'strong']),
  level: choiceRule(['off', 'gentle', 'strong']),
  playbackVolume: numberRule(0, 1),
  chimes: booleanRule,
};

export const talkingRules: SettingRules<TalkingSettings> = {
  mode: choiceRule(['open', 'hold', 'tap', 'holdOrTap']),
  key: chordRule,
  everywhere: booleanRule,
  globalKey: chordRule,
  sounds: booleanRule,
  startMuted: booleanRule,
  overlap: groupRule<BargeInSettings>({ enabled: booleanRule, shortMs: integerRule(100, 3000) }),
  longTalks: choiceRule(['handOver', 'ask']),
  yielding: choiceRule(['auto', 'always', 'never']),
  answers: choiceRule(answerStarts),
};

export const visionRules: SettingRules<VisionSettings> = {
  camera: textRule(maxNameLength),
  slices: integerRule(1, 9),
  rate: numberRule(0.1, 5),
  budget: integerRule(1, sharpestBudget),
  fewerWhenStill: booleanRule,
  mirror: booleanRule,
  flip: booleanRule,
};

export const captionRules: SettingRules<CaptionSettings> = {
  size: integerRule(14, 96),
  contrast: choiceRule(['normal', 'high']),
};

const keptDays = wordOrRule('forever', integerRule(1, 3650));

export const privacyRules: SettingRules<PrivacySettings> = {
  keepChats: booleanRule,
  keepTalks: choiceRule(['ask', 'yes', 'no']),
  keepTapes: booleanRule,
  ownWords: choiceRule(['no', 'afterTalk', 'whileTalking']),
  tapeSound: choiceRule(tapeCodings),
  holdRecent: booleanRule,
  days: keptDays,
  talkDays: keptDays,
  tapeDays: keptDays,
};

export const appearanceRules: SettingRules<AppearanceSettings> = {
  theme: choiceRule(['system', 'light', 'dark']),
  textSize: integerRule(80, 200),
  language: choiceRule(['system', ...languageIds]),
};

export const firstRunRules: SettingRules<FirstRunSettings> = { done: booleanRule };
