import {
  booleanRule,
  choiceRule,
  integerRule,
  setting,
  settingsGroup,
  type ValueOf,
  wordOrRule,
} from './setting-rule.ts';

const keptDays = setting(wordOrRule('forever', integerRule(1, 3650)), 30);

export const privacySettings = settingsGroup({
  keepChats: setting(booleanRule, false),
  /** The text of talks. */
  keepTalks: setting(choiceRule(['ask', 'yes', 'no']), 'ask'),
  keepTapes: setting(booleanRule, false),
  /** Whether the server is asked to write down what the person says, and when. */
  ownWords: setting(choiceRule(['no', 'afterTalk', 'whileTalking']), 'no'),
  /** The last two minutes of a talk without a tape are held in memory, to become one if it is asked for. */
  holdRecent: setting(booleanRule, false),
  /** How many days written conversations stay, the text of talks, and tapes. */
  days: keptDays,
  talkDays: keptDays,
  tapeDays: keptDays,
});

export type PrivacySettings = ValueOf<typeof privacySettings>;
