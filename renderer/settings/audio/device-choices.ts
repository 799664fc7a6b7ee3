import type { TFunction } from 'i18next';
import type { ListedDevice } from '../../../shared/sound/listed-device.ts';
import { soundChoiceName } from '../../../shared/sound/sound-choice-name.ts';
import { soundChoiceValue } from './sound-choice.ts';

const sides = {
  microphone: {
    has: ({ inputChannels }: ListedDevice) => inputChannels > 0,
    isDefault: ({ defaultInput }: ListedDevice) => defaultInput,
  },
  speaker: {
    has: ({ outputChannels }: ListedDevice) => outputChannels > 0,
    isDefault: ({ defaultOutput }: ListedDevice) => defaultOutput,
  },
} as const;

/** What can be chosen for one end of the sound: the system's own first, by the name it has at the moment. */
export function deviceChoices(
  t: TFunction,
  way: keyof typeof sides,
  devices: readonly ListedDevice[],
): {
  readonly fitting: readonly ListedDevice[];
  readonly choices: Readonly<Record<string, string>>;
} {
  const { has, isDefault } = sides[way];
  const name = devices.find(isDefault)?.name;
  const fitting = devices.filter(has);
  return {
    fitting,
    choices: {
      default:
        name === undefined ? t('settings.sound.system') : t('settings.sound.systemIs', { name }),
      ...Object.fromEntries(
        fitting.map((device) => [soundChoiceValue(device), soundChoiceName(device, fitting)]),
      ),
    },
  };
}
