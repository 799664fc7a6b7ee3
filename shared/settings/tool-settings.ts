import { booleanRule, setting, settingsGroup } from './setting-rule.ts';

/** Tools that come with Parley. All are off until the user switches them on. */
export const toolSettings = settingsGroup({
  clock: setting(booleanRule, false),
  reminders: setting(booleanRule, false),
  files: setting(booleanRule, false),
  history: setting(booleanRule, false),
  /** The chat beside a talk does what the user asks for in it. */
  talks: setting(booleanRule, false),
});
