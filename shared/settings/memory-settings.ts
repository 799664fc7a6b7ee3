import { booleanRule, choiceRule, setting, settingsGroup } from './setting-rule.ts';

/** The sentences that Parley knows about the user. */
export const memorySettings = settingsGroup({
  /** Whether anything of it is sent. */
  use: setting(booleanRule, true),
  /**
   * Whether a message that refers to an earlier conversation takes passages of it along. They may come from a talk with
   * another server, so the user turns it on.
   */
  past: setting(booleanRule, false),
  /** Suggestions are offered, remembered at once or not made. `unasked` offers them until the user has chosen. */
  suggest: setting(choiceRule(['unasked', 'offer', 'auto', 'never']), 'unasked'),
});
