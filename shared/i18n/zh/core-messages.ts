import type { CoreMessages } from '../messages.ts';
import { chineseCarryOver } from './carry-over.ts';
import { chineseDesktop } from './desktop.ts';
import { chinesePresets } from './presets.ts';

export const chineseCore: CoreMessages = {
  desktop: chineseDesktop,
  carryOver: chineseCarryOver,
  presets: chinesePresets,
};
