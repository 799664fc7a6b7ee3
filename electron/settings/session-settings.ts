import { instructionsOf } from '../../shared/presets/presets.ts';
import type { PresetMessages } from '../../shared/presets/preset.ts';
import type { ReferenceVoice, SessionSettings } from '../../shared/protocol/client-event.ts';
import { withConfig } from '../../shared/settings/config-fields.ts';
import { defaultSettings } from '../../shared/settings/default-settings.ts';
import { changedGeneration } from '../../shared/settings/generation-settings.ts';
import type { Settings } from '../../shared/settings/settings.ts';

/** What a session is configured with. What was not changed is left to the server. */
export function sessionSettingsOf(
  { assistant, vision }: Settings,
  presets: PresetMessages,
  voice: ReferenceVoice,
): SessionSettings {
  const instructions = instructionsOf(assistant, presets);
  const changed = changedGeneration(assistant.generation, defaultSettings.assistant.generation);
  const generation = withConfig(changed, assistant.configs[assistant.preset]) ?? {};
  return {
    ...(instructions === '' ? {} : { instructions }),
    ...(voice.model === undefined && voice.speech === undefined ? {} : { voice }),
    ...(Object.keys(generation).length === 0 ? {} : { generation }),
    maxSlices: vision.slices,
  };
}
