import type { SettingsStore } from '../settings/settings-store.ts';

type ReadSettings = Pick<SettingsStore, 'get' | 'listen' | 'change'>;

/**
 * The settings as they are, but with the system's devices for those that were chosen before: it may
 * be one of them that no start survives. What is chosen from now on is taken.
 */
export function withDefaultDevices({ get, listen, change }: ReadSettings): ReadSettings {
  let chosenBefore: { readonly microphone: unknown; readonly speaker: unknown } | undefined;
  return {
    listen,
    change,
    get: () => {
      const settings = get();
      const { audio } = settings;
      chosenBefore ??= audio;
      const { microphone, speaker } = chosenBefore;
      return {
        ...settings,
        audio: {
          ...audio,
          microphone: audio.microphone === microphone ? 'default' : audio.microphone,
          speaker: audio.speaker === speaker ? 'default' : audio.speaker,
        },
      };
    },
  };
}
