import { partNames } from '../../shared/about.ts';
import type { About } from '../../shared/about.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { NativeParts } from '../ports/native-parts.ts';
import type { SoundDevice, SoundDriver } from '../ports/sound.ts';
import { harmlessLog } from '../recorder/recording/redaction/harmless-log.ts';

interface Deps {
  readonly about: About;
  /** As `linux x64`, with what the system calls its version. */
  readonly system: string;
  readonly nativeParts: NativeParts;
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly settings: () => Settings;
  readonly now: () => string;
}

/** What `parley doctor` would say without a chirp, and without what devices are called: people give them their names. */
export async function reportFacts(deps: Deps): Promise<readonly string[]> {
  const { about, nativeParts, sound, settings, now } = deps;
  const parts = await Promise.all(
    partNames.map(async (part) => {
      const state = await nativeParts.load(part);
      const says = state.state === 'loads' ? state.detail : harmlessLog(state.reason);
      return `${part}: ${state.state}, ${says}`;
    }),
  );
  const devices = await sound.devices();
  return [
    `Made: ${now()}`,
    `${about.name} ${about.version}, ${about.host}, ${deps.system}`,
    ...about.runtime.map(({ name, version }) => `${name} ${version}`),
    ...parts,
    ...(devices.ok ? devices.value.map(deviceLine) : [`sound devices: ${devices.error.code}`]),
    '',
    'Settings that are switches or numbers:',
    ...plainSettings(settings()),
  ];
}

function deviceLine(device: SoundDevice): string {
  const { hostApi, rate, inputChannels, outputChannels } = device;
  const systems = [
    device.defaultInput ? ', the system’s microphone' : '',
    device.defaultOutput ? ', the system’s speaker' : '',
  ];
  return `device: ${hostApi}, ${rate} Hz, ${inputChannels} in, ${outputChannels} out${systems.join('')}`;
}

/** Texts may be anybody's own, and so may what stands in lists. */
function plainSettings(value: object, way = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const place = way === '' ? name : `${way}.${name}`;
    if (typeof inner === 'boolean' || typeof inner === 'number') return [`  ${place}: ${inner}`];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return [];
    return plainSettings(inner, place);
  });
}
