import { failure } from '../../shared/errors/app-error.ts';
import type { VoiceStore } from '../../electron/ports/voice-store.ts';
import type { StoredVoice } from '../../shared/voices/stored-voice.ts';

const gone = failure('voiceGone');

/** Voices in memory. */
export function fakeVoices(): VoiceStore {
  const kept = new Map<string, { readonly voice: StoredVoice; readonly wav: Uint8Array }>();
  const isId = (id: string): boolean => /^[a-z\d][a-z\d-]{0,39}$/.test(id);
  return {
    list: () => Promise.resolve({ ok: true, value: [...kept.values()].map(({ voice }) => voice) }),
    save: (facts, wav) => {
      if (!isId(facts.id)) return Promise.resolve(gone);
      const createdAt = new Date(kept.size * 1000).toISOString();
      const voice = { ...facts, createdAt };
      kept.set(facts.id, { voice, wav: wav.slice() });
      return Promise.resolve({ ok: true, value: voice });
    },
    rename: (id, name) => {
      const found = kept.get(id);
      if (found === undefined) return Promise.resolve(gone);
      const voice = { ...found.voice, name };
      kept.set(id, { ...found, voice });
      return Promise.resolve({ ok: true, value: voice });
    },
    read: (id) => {
      const found = kept.get(id);
      return Promise.resolve(found === undefined ? gone : { ok: true, value: found.wav.slice() });
    },
    remove: (id) => {
      if (!isId(id)) return Promise.resolve(gone);
      kept.delete(id);
      return Promise.resolve({ ok: true, value: undefined });
    },
  };
}
