import { languageIds } from '../i18n/languages.ts';
import { sharpestBudget } from '../vision/context-facts.ts';
import { maxFramesPerSecond } from '../vision/vision-frame.ts';
import { maxDeviceName } from './audio-settings.ts';
import {
  booleanRule,
  choiceRule,
  integerRule,
  setting,
  settingsGroup,
  patternRule,
  wordOrRule,
  textRule,
  type ValueOf,
  numberRule,
} from './setting-rule.ts';

export const appearanceSettings = settingsGroup({
  theme: setting(choiceRule(['system', 'light', 'dark']), 'system'),
  /** Percent. */
  textSize: setting(integerRule(80, 200), 100),
  language: setting(choiceRule(['system', ...languageIds]), 'system'),
});

export type AppearanceSettings = ValueOf<typeof appearanceSettings>;

export const firstRunSettings = settingsGroup({
  /** The user finished or skipped the first-run steps. */
  done: setting(booleanRule, false),
});

/** Actions for a click on the tray icon. `usual` follows the convention of the system. */
export const trayClickChoices = [
  'usual',
  'toggleMain',
  'showMini',
  'talkKey',
  'mute',
  'startOrEnd',
  'nothing',
] as const;

export type TrayClickChoice = (typeof trayClickChoices)[number];

/** Settings of the desktop host; other hosts ignore them. */
export const desktopSettings = settingsGroup({
  /** When the last window closes. `usual` keeps Parley running if there is a tray, else quits. */
  closing: setting(choiceRule(['usual', 'keep', 'quit']), 'usual'),
  autostart: setting(booleanRule, false),
  /** Whether Parley is the handler of `parley://` links. */
  links: setting(booleanRule, false),
  /** Install updates automatically, only notify, or do not check. */
  updates: setting(choiceRule(['auto', 'tell', 'off']), 'auto'),
  trayClick: setting(choiceRule(trayClickChoices), 'usual'),
  trayDoubleClick: setting(choiceRule(trayClickChoices), 'nothing'),
  /** Background of the tray icon. `system` asks the system; if it cannot tell, the icon suits both. */
  trayPanel: setting(choiceRule(['system', 'light', 'dark']), 'system'),
  /** Notifications while no window has the focus. */
  notifyAnswer: setting(booleanRule, true),
  notifyTurn: setting(booleanRule, true),
  notifyLimit: setting(booleanRule, true),
  notifyLost: setting(booleanRule, true),
  notifyModel: setting(booleanRule, true),
});

export type DesktopSettings = ValueOf<typeof desktopSettings>;

/** Notices that are shown only once; true after they were shown. */
export const oneTimeNoticeSettings = settingsGroup({
  /** Closing the window keeps Parley in the tray. */
  keptInTray: setting(booleanRule, false),
  /** The desktop has no tray. */
  noTray: setting(booleanRule, false),
});

/**
 * A chord of `KeyboardEvent.code` names, modifiers first. `default` is Parley's default, matched by the printed
 * character; `none` means that no key is set.
 */
export const chordRule = patternRule(
  /^[A-Za-z\d]{1,30}(\+[A-Za-z\d]{1,30}){0,4}$/,
  'must be the name of a key',
);

const defaultKey = setting(chordRule, 'default');
const noKey = setting(chordRule, 'none');

/** Keys of the window, besides the talk key. */
export const keySettings = settingsGroup({
  interrupt: defaultKey,
  mute: defaultKey,
  cough: noKey,
  pause: noKey,
  end: noKey,
  keepRecent: noKey,
  doRequest: noKey,
  palette: defaultKey,
  inspector: defaultKey,
  shortcuts: defaultKey,
});

export type KeySettings = ValueOf<typeof keySettings>;

export type WindowKeyName = keyof KeySettings;

export const windowKeyNames = Object.keys(keySettings.initial) as readonly WindowKeyName[];

const retentionDays = setting(wordOrRule('forever', integerRule(1, 3650)), 30);

export const privacySettings = settingsGroup({
  keepChats: setting(booleanRule, false),
  /** Whether the text of talks is stored. */
  keepTalks: setting(choiceRule(['ask', 'yes', 'no']), 'ask'),
  keepTapes: setting(booleanRule, false),
  /** Whether the server transcribes the user's speech, and when. */
  ownWords: setting(choiceRule(['no', 'afterTalk', 'whileTalking']), 'no'),
  /** Keep the last two minutes of an unrecorded talk in memory, to save them as a tape on request. */
  holdRecent: setting(booleanRule, false),
  /** Days to keep chats, talk texts and tapes. */
  days: retentionDays,
  talkDays: retentionDays,
  tapeDays: retentionDays,
});

export type PrivacySettings = ValueOf<typeof privacySettings>;

/** The model on this computer. */
export const modelSettings = settingsGroup({
  /** Path of `llama-omni-server`; empty means that Parley looks for it. */
  program: setting(textRule(4000), ''),
  /** Folder of the model's files; empty means Parley's own. */
  folder: setting(textRule(4000), ''),
  mirror: setting(choiceRule(['huggingface', 'hf-mirror']), 'huggingface'),
  /** Minutes without a talk or a chat until the model leaves the card's memory; 0 means never. */
  idleMinutes: setting(integerRule(0, 1440), 15),
  /** Whether chats get a process of their own if the graphics card has memory for two. */
  chatWhileTalking: setting(choiceRule(['whenRoom', 'never']), 'whenRoom'),
});

export type ModelSettings = ValueOf<typeof modelSettings>;

/**
 * When an answer starts if the server is slower than real time. `soonest` risks a short gap. `balanced` waits until
 * playback should last. `smoothest` waits longer and avoids time-stretching.
 */
export const answerStarts = ['soonest', 'balanced', 'smoothest'] as const;

export type AnswerStart = (typeof answerStarts)[number];

/** Backchannel: a short sound over the answer ducks it and does not interrupt it. */
const overlap = settingsGroup({
  enabled: setting(booleanRule, true),
  /** The longest sound over the answer that counts as short, in milliseconds. */
  shortMs: setting(integerRule(100, 3000), 700),
});

export const talkingSettings = settingsGroup({
  mode: setting(choiceRule(['open', 'hold', 'tap', 'holdOrTap']), 'open'),
  /** `KeyboardEvent.code` names, modifiers first: `Space`, `Control+KeyT`. */
  key: setting(chordRule, 'Space'),
  /** Whether the global key below works in other programs. */
  everywhere: setting(booleanRule, false),
  globalKey: setting(chordRule, 'Control+Alt+KeyV'),
  /** Whether a sound is played when a key opens or closes the microphone. */
  sounds: setting(booleanRule, false),
  startMuted: setting(booleanRule, false),
  overlap,
  /** Near the limit of a session, another session takes over; or the talk ends there, and Parley asks the user. */
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
  rate: setting(numberRule(0.1, maxFramesPerSecond), 1),
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
