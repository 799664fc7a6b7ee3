import { patternRule } from './setting-rule.ts';
import type { SettingRules } from './setting-rule.ts';

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

export const chordRule = patternRule(
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
