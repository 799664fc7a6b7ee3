import type { GalleryState } from './gallery-state.ts';
import { firstSettingsRoom } from '../../renderer/store/settings-room.ts';
import type { SettingsRoom, SettingsSection } from '../../renderer/store/settings-room.ts';
import type { View } from '../../renderer/store/view.ts';
import type { Language } from '../../renderer/words/choose-language.ts';
import type { ShownSettings } from '../../shared/settings/shown-settings.ts';
import { usualSettings } from './sample-settings.ts';

type Part = Partial<SettingsRoom>;

/** One section, with what else the place shows and with some of the settings changed. */
export function section(
  name: SettingsSection,
  part: Part | ((language: Language) => Part) = {},
  settings: Partial<ShownSettings> = {},
): GalleryState {
  return {
    view: (language): Partial<View> => ({
      place: 'settings',
      settings: { ...usualSettings, ...settings },
      room: {
        ...firstSettingsRoom,
        section: name,
        ...(typeof part === 'function' ? part(language) : part),
      },
    }),
  };
}
