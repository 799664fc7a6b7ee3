import {
  booleanRule,
  choiceRule,
  integerRule,
  setting,
  settingsGroup,
  type ValueOf,
  wordOrRule,
} from './setting-rule.ts';

const retentionDays = setting(wordOrRule('forever', integerRule(1, 3650)), 30);

export const privacySettings = settingsGroup({
  keepChats: setting(booleanRule, false),
  /** Text of talks. */
  keepTalks: setting(choiceRule(['ask', 'yes', 'no']), 'ask'),
  keepTapes: setting(booleanRule, false),
  /** Whether the server transcribes the user's speech, and when. */
  ownWords: setting(choiceRule(['no', 'afterTalk', 'whileTalking']), 'no'),
  /** Keep the last two minutes of an unrecorded talk in memory, to save them as a tape on request. */
  holdRecent: setting(booleanRule, false),
  /** Days to keep chats, talk texts and tapes. */
  days: retentionDays,
  talkDays: retentionDays,
  tapeDays: retentionDays,
});

export type PrivacySettings = ValueOf<typeof privacySettings>;
