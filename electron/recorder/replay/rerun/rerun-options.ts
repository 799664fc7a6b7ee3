import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { SessionSettings } from '../../../../shared/protocol/client-event.ts';
import type { DialectName, DuplexMode } from '../../../../shared/protocol/dialect-and-mode.ts';
import { defaultBargeInOptions } from '../../../../shared/sound/barge-in-options.ts';
import type { ConversationOptions } from '../../../conversation/conversation.ts';

interface Chosen {
  readonly mode: DuplexMode;
  readonly settings: SessionSettings;
  readonly chunkMs: number;
  readonly dialect: 'auto' | DialectName;
  readonly carryOver: CoreMessages['carryOver'];
}

/** How the talk of a tape is held again. */
export function rerunOptions(chosen: Chosen): ConversationOptions {
  return {
    ...chosen,
    // What was let through stands on the tape: nothing is gated again, and nobody is there to wait for a lost session.
    talking: 'open',
    reconnects: false,
    // The echo on the tape is that of another answer.
    bargeIn: { ...defaultBargeInOptions, enabled: false },
  };
}

/** Whoever reads the new tape is to know that it was played to as by a speaker. */
export const rerunDevices = { microphone: undefined, speaker: 'silent' } as const;
