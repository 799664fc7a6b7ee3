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
  /** Register as the handler of `parley://` links. */
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
