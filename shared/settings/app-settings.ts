import { languageIds } from '../i18n/languages.ts';
import {
  booleanRule,
  choiceRule,
  integerRule,
  setting,
  settingsGroup,
  type ValueOf,
} from './setting-rule.ts';

export const appearanceSettings = settingsGroup({
  theme: setting(choiceRule(['system', 'light', 'dark']), 'system'),
  /** Percent. */
  textSize: setting(integerRule(80, 200), 100),
  language: setting(choiceRule(['system', ...languageIds]), 'system'),
});

export type AppearanceSettings = ValueOf<typeof appearanceSettings>;

export const firstRunSettings = settingsGroup({
  /** The first steps were taken, or skipped: nobody is asked twice. */
  done: setting(booleanRule, false),
});

/** What a click on the tray's icon does; `usual` is what people expect of the system they are on. */
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

/** How the desktop app behaves among the other programs; the other hosts have no use for it. */
export const desktopSettings = settingsGroup({
  /** When its last window is closed; `usual` keeps it where there is a tray, and quits where there is none. */
  closing: setting(choiceRule(['usual', 'keep', 'quit']), 'usual'),
  /** Begin with the person's session, without a window. */
  autostart: setting(booleanRule, false),
  /** The system opens links that begin with `parley://` with this Parley. */
  links: setting(booleanRule, false),
  /** New versions: put in place by themselves, told of, or not looked for. */
  updates: setting(choiceRule(['auto', 'tell', 'off']), 'auto'),
  trayClick: setting(choiceRule(trayClickChoices), 'usual'),
  trayDoubleClick: setting(choiceRule(trayClickChoices), 'nothing'),
  /** What the tray's icons stand on; `system` where the system says so, and inks for both where it does not. */
  trayPanel: setting(choiceRule(['system', 'light', 'dark']), 'system'),
  /** What the system's notifications tell of while no window has the keyboard. */
  notifyAnswer: setting(booleanRule, true),
  notifyTurn: setting(booleanRule, true),
  notifyLimit: setting(booleanRule, true),
  notifyLost: setting(booleanRule, true),
});

export type DesktopSettings = ValueOf<typeof desktopSettings>;

/** What was said once, and is not said again. */
export const toldSettings = settingsGroup({
  /** That closing leaves Parley in the tray. */
  keptInTray: setting(booleanRule, false),
  /** That there is no tray here. */
  noTray: setting(booleanRule, false),
});
