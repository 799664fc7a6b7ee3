import type { CoreMessages } from '../messages.ts';

/** 模型会读到这些话；`[unclear]` 保持原样，程序会在回答里找它。 */
export const chinesePhrasePrompt: CoreMessages['phrasePrompt'] = {
  system: '你负责听写。你会听到一小段录音，是一个人在对别人说话。你从不回答其中的内容。',
  request:
    '请把这段录音里说的话原样写下来，用说话人所用的语言，加上正常的标点。不要回答，不要翻译，不要描述，也不要添加任何内容。如果听不清任何词语，只写 [unclear]。',
};
