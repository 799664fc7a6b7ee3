import { type Language, resolveLanguage } from '../../shared/i18n/languages.ts';
import type { ReferenceVoice, SessionSettings } from '../../shared/protocol/client-event.ts';
import { changedGeneration, withConfig } from '../../shared/settings/assistant-settings.ts';
import { resolveInstructions, type PresetMessages } from '../../shared/settings/preset.ts';
import type { Settings } from '../../shared/settings/settings.ts';

/** The configuration of a session; unchanged settings are left to the server. */
export function toSessionSettings(
  { assistant, vision }: Settings,
  presets: PresetMessages,
  voice: ReferenceVoice,
): SessionSettings {
  const instructions = resolveInstructions(assistant, presets);
  const changed = changedGeneration(assistant.generation);
  const generation = withConfig(changed, assistant.configs[assistant.preset]) ?? {};
  return {
    ...(instructions === '' ? {} : { instructions }),
    ...(voice.model === undefined && voice.speech === undefined ? {} : { voice }),
    ...(Object.keys(generation).length === 0 ? {} : { generation }),
    maxSlices: vision.slices,
  };
}

/** The language spoken with the model: the chosen one, or the system's if Parley supports it. */
export function spokenLanguage(chosen: Settings['appearance']['language']): Language {
  // Node provides it without Electron.
  return resolveLanguage(chosen, [Intl.DateTimeFormat().resolvedOptions().locale]);
}
