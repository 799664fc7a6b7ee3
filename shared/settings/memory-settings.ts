import { booleanRule, setting, settingsGroup } from './setting-rule.ts';

/** The sentences that Parley knows about the user. */
export const memorySettings = settingsGroup({
  /** Whether anything of it is sent. */
  use: setting(booleanRule, true),
});
