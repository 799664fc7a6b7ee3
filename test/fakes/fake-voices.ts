import type { VoiceStore } from '../../electron/settings/voices/voice-library.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { StoredVoice } from '../../shared/settings/audio-settings.ts';

const gone = failure('voiceGone');

/** Reference voices in memory. */
export function fakeVoices(): VoiceStore {
  const stored = new Map<string, { readonly voice: StoredVoice; readonly wav: Uint8Array }>();
  const isId = (id: string): boolean => /^[a-z\d][a-z\d-]{0,39}$/.test(id);
  return {
    list: () =>
      Promise.resolve({ ok: true, value: [...stored.values()].map(({ voice }) => voice) }),
    save: (facts, wav) => {
      if (!isId(facts.id)) return Promise.resolve(gone);
      const createdAt = new Date(stored.size * 1000).toISOString();
      const voice = { ...facts, createdAt };
      stored.set(facts.id, { voice, wav: wav.slice() });
      return Promise.resolve({ ok: true, value: voice });
    },
    rename: (id, name) => {
      const found = stored.get(id);
      if (found === undefined) return Promise.resolve(gone);
      const voice = { ...found.voice, name };
      stored.set(id, { ...found, voice });
      return Promise.resolve({ ok: true, value: voice });
    },
    read: (id) => {
      const found = stored.get(id);
      return Promise.resolve(found === undefined ? gone : { ok: true, value: found.wav.slice() });
    },
    remove: (id) => {
      if (!isId(id)) return Promise.resolve(gone);
      stored.delete(id);
      return Promise.resolve({ ok: true, value: undefined });
    },
  };
}
