import { patternRule, setting, settingsGroup, type ValueOf } from './setting-rule.ts';

/**
 * A chord as a keyboard event's `code` has it, modifiers before it; `default` for what Parley has at first,
 * which goes by the sign on the key; `none` for no key.
 */
export const chordRule = patternRule(
  /^[A-Za-z\d]{1,30}(\+[A-Za-z\d]{1,30}){0,4}$/,
  'must be the name of a key',
);

const byDefault = setting(chordRule, 'default');
const none = setting(chordRule, 'none');

/** What else than the talk key can be done by a key of the window. */
export const keySettings = settingsGroup({
  interrupt: byDefault,
  mute: byDefault,
  cough: none,
  pause: none,
  end: none,
  keepRecent: none,
  palette: byDefault,
  inspector: byDefault,
  shortcuts: byDefault,
});

export type KeySettings = ValueOf<typeof keySettings>;

export type WindowKeyName = keyof KeySettings;

export const windowKeyNames = Object.keys(keySettings.initial) as readonly WindowKeyName[];
