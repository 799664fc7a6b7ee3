import {
  choiceRule,
  integerRule,
  setting,
  settingsGroup,
  textRule,
  type ValueOf,
} from './setting-rule.ts';

/** The model on this computer. */
export const modelSettings = settingsGroup({
  /** Path of `llama-omni-server`; empty means that Parley looks for it. */
  program: setting(textRule(4000), ''),
  /** Folder of the model's files; empty means Parley's own. */
  folder: setting(textRule(4000), ''),
  mirror: setting(choiceRule(['huggingface', 'hf-mirror']), 'huggingface'),
  /** Minutes without a talk or a chat until the model leaves the card's memory; 0 means never. */
  idleMinutes: setting(integerRule(0, 1440), 15),
  /** Whether chats get a process of their own if the graphics card has memory for two. */
  chatWhileTalking: setting(choiceRule(['whenRoom', 'never']), 'whenRoom'),
});

export type ModelSettings = ValueOf<typeof modelSettings>;
