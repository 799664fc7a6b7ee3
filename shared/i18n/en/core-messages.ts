import { englishCarryOver } from './carry-over.ts';
import { englishDesktop } from './desktop.ts';
import { englishPhrasePrompt } from './phrase-prompt.ts';
import { englishPresets } from './presets.ts';
import { englishTranscript } from './transcript.ts';

/** What is said without a page: by the tray, and to the model. */
export const englishCore = {
  desktop: englishDesktop,
  carryOver: englishCarryOver,
  phrasePrompt: englishPhrasePrompt,
  presets: englishPresets,
  transcript: englishTranscript,
} as const;
