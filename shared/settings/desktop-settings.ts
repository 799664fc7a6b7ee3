import { booleanRule, choiceRule } from './setting-rule.ts';
import type { SettingRules } from './setting-rule.ts';

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
export interface DesktopSettings {
  /** When its last window is closed; `usual` keeps it where there is a tray, and quits where there is none. */
  readonly closing: 'usual' | 'keep' | 'quit';
  /** Begin with the person's session, without a window. */
  readonly autostart: boolean;
  /** The system opens links that begin with `parley://` with this Parley. */
  readonly links: boolean;
  /** New versions: put in place by themselves, told of, or not looked for. */
  readonly updates: 'auto' | 'tell' | 'off';
  readonly trayClick: TrayClickChoice;
  readonly trayDoubleClick: TrayClickChoice;
  /** What the tray's icons stand on; `system` where the system says so, and inks for both where it does not. */
  readonly trayPanel: 'system' | 'light' | 'dark';
  /** What the system's notifications tell of while no window has the keyboard. */
  readonly notifyAnswer: boolean;
  readonly notifyTurn: boolean;
  readonly notifyLimit: boolean;
  readonly notifyLost: boolean;
}

/** What was said once, and is not said again. */
export interface ToldSettings {
  /** That closing leaves Parley in the tray. */
  readonly keptInTray: boolean;
  /** That there is no tray here. */
  readonly noTray: boolean;
}

export const toldRules: SettingRules<ToldSettings> = {
  keptInTray: booleanRule,
  noTray: booleanRule,
};

export const desktopRules: SettingRules<DesktopSettings> = {
  closing: choiceRule(['usual', 'keep', 'quit']),
  autostart: booleanRule,
  links: booleanRule,
  updates: choiceRule(['auto', 'tell', 'off']),
  trayClick: choiceRule(trayClickChoices),
  trayDoubleClick: choiceRule(trayClickChoices),
  trayPanel: choiceRule(['system', 'light', 'dark']),
  notifyAnswer: booleanRule,
  notifyTurn: booleanRule,
  notifyLimit: booleanRule,
  notifyLost: booleanRule,
};

export const defaultDesktopSettings: DesktopSettings = {
  closing: 'usual',
  autostart: false,
  links: false,
  updates: 'auto',
  trayClick: 'usual',
  trayDoubleClick: 'nothing',
  trayPanel: 'system',
  notifyAnswer: true,
  notifyTurn: true,
  notifyLimit: true,
  notifyLost: true,
};
