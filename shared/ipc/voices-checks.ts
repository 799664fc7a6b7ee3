import { z } from 'zod';
import { bytesCheck } from './bytes-check.ts';
import type { VoiceRequests } from './voices-contract.ts';

type Checks = {
  readonly [Name in keyof VoiceRequests]: z.ZodType<VoiceRequests[Name]['input']>;
};

/** As long as two minutes can be in the widest samples. */
const maxVoiceBytes = 100_000_000;

const id = z.string().min(1).max(40);
/** What a voice may be called says the library. */
const name = z.string().max(1000);

export const voicesChecks: Checks = {
  voices: z.undefined(),
  importVoice: z.strictObject({ name, wav: bytesCheck('a voice', maxVoiceBytes) }),
  renameVoice: z.strictObject({ id, name }),
  removeVoice: z.strictObject({ id }),
  recordVoice: z.strictObject({ name }),
  saveRecordedVoice: z.undefined(),
  cancelVoiceRecording: z.undefined(),
  previewVoice: z.strictObject({ id }),
  stopVoicePreview: z.undefined(),
};
