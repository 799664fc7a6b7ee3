import type { AppError } from '../errors/app-error.ts';
import { isJsonObject } from '../protocol/json.ts';
import {
  booleanRule,
  choiceRule,
  idPattern,
  numberRule,
  patternRule,
  setting,
  settingsGroup,
  valueRule,
  type ValueOf,
} from './setting-rule.ts';

/** A sound device as the system lists it, identified by name and host API, because device numbers change. */
export interface ListedDevice {
  readonly name: string;
  readonly hostApi: string;
  readonly inputChannels: number;
  readonly outputChannels: number;
  readonly rate: number;
  readonly defaultInput: boolean;
  readonly defaultOutput: boolean;
}

/** Whether the text names this device, as `name` or as `name@host API` where names are shared. */
export function isDeviceNamed(
  device: Pick<ListedDevice, 'name' | 'hostApi'>,
  text: string,
): boolean {
  return device.name === text || `${device.name}@${device.hostApi}` === text;
}

export function isSameDevice(one: SoundChoice, other: SoundChoice): boolean {
  if (one === 'default' || other === 'default') return one === other;
  return one.name === other.name && one.hostApi === other.hostApi;
}

interface NamedDevice {
  readonly name: string;
  readonly hostApi?: string | undefined;
}

/** Returns a name to show. It includes the host API only if several devices share the name, as on Windows. */
export function soundChoiceName(choice: SoundChoice, devices: readonly NamedDevice[]): string {
  if (choice === 'default') return choice;
  const isShared = devices.filter(({ name }) => name === choice.name).length > 1;
  return isShared && choice.hostApi !== undefined
    ? `${choice.name} (${choice.hostApi})`
    : choice.name;
}

const voice = patternRule(idPattern, 'must be the id of a voice, or "none"');

export const voiceSettings = settingsGroup({
  /** Ids of stored voices, or `none`: the reference voice of the model, and the voice for speech. */
  model: setting(voice, 'none'),
  speech: setting(voice, 'none'),
});

export type VoiceSettings = ValueOf<typeof voiceSettings>;

/** The voice for speech; without a separate one, the reference voice of the model. */
export function spokenVoice({ model, speech }: VoiceSettings): string {
  return speech === 'none' ? model : speech;
}

export type SoundChoice =
  | { readonly name: string; readonly hostApi?: string | undefined }
  | 'default';

export const maxDeviceName = 300;

const device = valueRule<SoundChoice>('must be the name of a device, or "default"', (value) => {
  if (value === 'default') return value;
  if (!isJsonObject(value)) return undefined;
  const { name, hostApi } = value;
  if (typeof name !== 'string' || name === '' || name.length > maxDeviceName) return undefined;
  if (hostApi === undefined) return { name };
  return typeof hostApi === 'string' && hostApi.length <= maxDeviceName
    ? { name, hostApi }
    : undefined;
});

const enhancementStrength = choiceRule(['off', 'gentle', 'strong']);

export type EnhancementStrength = AudioSettings['noise'];

export const audioSettings = settingsGroup({
  microphone: setting(device, 'default'),
  speaker: setting(device, 'default'),
  /** While the chosen microphone is unplugged: silence, or the system default. */
  whileUnplugged: setting(choiceRule(['nothing', 'system']), 'nothing'),
  /** Factor on microphone samples. */
  inputVolume: setting(numberRule(0, 4), 1),
  /** Echo cancellation. `auto` turns it off if the name of a device says that it is a headset or headphones. */
  echo: setting(choiceRule(['auto', 'on', 'off']), 'auto'),
  /** Noise suppression. */
  noise: setting(enhancementStrength, 'off'),
  /** Automatic gain control. */
  level: setting(enhancementStrength, 'off'),
  playbackVolume: setting(numberRule(0, 1), 1),
  /** Factor on what the computer plays, where the model hears it. */
  computerVolume: setting(numberRule(0, 2), 1),
  /** Chime when the user moves up in the queue and when the wait is over. */
  chimes: setting(booleanRule, true),
});

export type AudioSettings = ValueOf<typeof audioSettings>;

export interface StoredVoice {
  readonly id: string;
  readonly name: string;
  readonly seconds: number;
  /** Defects: too quiet, clipped, or longer than the part that was kept. */
  readonly notes: readonly VoiceIssue[];
  /** ISO 8601. */
  readonly createdAt: string;
}

export type VoiceIssue = 'quiet' | 'clipped' | 'cut';

export type VoiceRecordingEvent =
  | {
      readonly kind: 'level';
      readonly seconds: number;
      readonly rmsDb: number;
      readonly peakDb: number;
      readonly clipped: number;
    }
  /** The recording reached its maximum length and waits to be saved. */
  | { readonly kind: 'full' }
  | { readonly kind: 'problem'; readonly error: AppError };
