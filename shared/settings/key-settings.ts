import { patternRule, setting, settingsGroup, type ValueOf } from './setting-rule.ts';

/**
 * A chord of `KeyboardEvent.code` names, modifiers first. `default` is Parley's default, matched by the printed
 * character; `none` means that no key is set.
 */
export const chordRule = patternRule(
  /^[A-Za-z\d]{1,30}(\+[A-Za-z\d]{1,30}){0,4}$/,
  'must be the name of a key',
);

const byDefault = setting(chordRule, 'default');
const none = setting(chordRule, 'none');

/** Keys of the window, besides the talk key. */
export const keySettings = settingsGroup({
  interrupt: byDefault,
  mute: byDefault,
  cough: none,
  pause: none,
  end: none,
  keepRecent: none,
  doRequest: none,
  palette: byDefault,
  inspector: byDefault,
  shortcuts: byDefault,
});

export type KeySettings = ValueOf<typeof keySettings>;

export type WindowKeyName = keyof KeySettings;

export const windowKeyNames = Object.keys(keySettings.initial) as readonly WindowKeyName[];
