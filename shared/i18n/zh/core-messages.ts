import type { CoreMessages } from '../messages.ts';
import { chineseCarryOver } from './carry-over.ts';
import { chineseDesktop } from './desktop.ts';
import { chinesePhrasePrompt } from './phrase-prompt.ts';
import { chinesePresets } from './presets.ts';
import { chineseTranscript } from './transcript.ts';

export const chineseCore: CoreMessages = {
  desktop: chineseDesktop,
  carryOver: chineseCarryOver,
  phrasePrompt: chinesePhrasePrompt,
  presets: chinesePresets,
  transcript: chineseTranscript,
};
