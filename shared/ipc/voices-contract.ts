import type { StoredVoice, VoiceRecordingEvent } from '../voices/stored-voice.ts';
import type { Nothing } from './reply.ts';

interface Id {
  readonly id: string;
}

/** What a page may ask of reference voices. Which one is used is a setting. */
export interface VoiceRequests {
  /** Oldest first. */
  readonly voices: { readonly input: Nothing; readonly value: readonly StoredVoice[] };
  readonly importVoice: {
    readonly input: { readonly name: string; readonly wav: Uint8Array };
    readonly value: StoredVoice;
  };
  readonly renameVoice: {
    readonly input: Id & { readonly name: string };
    readonly value: StoredVoice;
  };
  readonly removeVoice: { readonly input: Id; readonly value: Nothing };
  /** Listens until it is stopped; given up when its page goes away or a talk begins. */
  readonly recordVoice: { readonly input: { readonly name: string }; readonly value: Nothing };
  readonly saveRecordedVoice: { readonly input: Nothing; readonly value: StoredVoice };
  readonly cancelVoiceRecording: { readonly input: Nothing; readonly value: Nothing };
  readonly previewVoice: { readonly input: Id; readonly value: Nothing };
  readonly stopVoicePreview: { readonly input: Nothing; readonly value: Nothing };
}

export interface VoiceNotices {
  readonly voicesChanged: readonly StoredVoice[];
  /** `stopped` where a talk, or something else that needs the microphone, ended it. */
  readonly voiceRecording: VoiceRecordingEvent | { readonly kind: 'stopped' };
  readonly voicePreview: Id & { readonly playing: boolean };
}
