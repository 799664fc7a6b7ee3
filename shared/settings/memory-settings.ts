import { booleanRule, choiceRule, setting, settingsGroup } from './setting-rule.ts';

/** The sentences that Parley knows about the user. */
export const memorySettings = settingsGroup({
  /** Whether anything of it is sent. */
  use: setting(booleanRule, true),
  /** Suggestions are offered, remembered at once or not made. `unasked` offers them until the user has chosen. */
  suggest: setting(choiceRule(['unasked', 'offer', 'auto', 'never']), 'unasked'),
});
