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

/** Some systems call it just so, which says nothing to anybody. */
export const saysNothing = (name: string | undefined): boolean =>
  name === undefined || name === 'default';

/** What the system's own device is called, where that is more than that. */
export function systemDeviceName(
  way: keyof typeof sides,
  devices: readonly ListedDevice[],
): string | undefined {
  const name = devices.find(sides[way].isDefault)?.name;
  return saysNothing(name) ? undefined : name;
}

/** What can be chosen for one end of the sound: the system's own first, by the name it has at the moment. */
export function deviceChoices(
  t: TFunction,
  way: keyof typeof sides,
  devices: readonly ListedDevice[],
): {
  readonly fitting: readonly ListedDevice[];
  readonly choices: Readonly<Record<string, string>>;
} {
  const { has } = sides[way];
  const name = systemDeviceName(way, devices);
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
