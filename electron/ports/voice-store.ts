import type { StoredVoice } from '../../shared/voices/stored-voice.ts';
import type { Outcome } from './outcome.ts';

/** Reference voices, each a WAV file that any program can play. */
export interface VoiceStore {
  /** Oldest first. One whose description is damaged is there all the same. */
  readonly list: () => Promise<Outcome<readonly StoredVoice[]>>;
  readonly save: (
    voice: Omit<StoredVoice, 'createdAt'>,
    wav: Uint8Array,
  ) => Promise<Outcome<StoredVoice>>;
  readonly rename: (id: string, name: string) => Promise<Outcome<StoredVoice>>;
  readonly read: (id: string) => Promise<Outcome<Uint8Array>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}
