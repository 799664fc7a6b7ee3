import { englishCarryOver } from './carry-over.ts';
import { englishDesktop } from './desktop.ts';
import { englishPresets } from './presets.ts';

/** What is said without a page: by the tray, and to the model. */
export const englishCore = {
  desktop: englishDesktop,
  carryOver: englishCarryOver,
  presets: englishPresets,
} as const;
